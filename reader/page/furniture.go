package page

import (
	"slices"
	"strings"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// factual reports whether what changed in a pair of blocks of furniture is news
// wherever it stands: a state, an amount, a date, an identifier, what binds people, or the
// value of a field with a name. In the head of a site and in what leads elsewhere it is
// none of amounts, dates and values.
func (n *analysis) factual(x, y int, wa, wb []string, at align.PlaceFlags) bool {
	if wa == nil || wb == nil {
		return false
	}
	ca, cb := n.changedIn(n.A, x, wa, n.Match), n.changedIn(n.B, y, wb, n.Back)
	kinds, _ := n.kinds(x, y, wa, wb, ca.in, cb.in)
	switch {
	case at&align.InLink != 0 && len(wa) == 1 && len(wb) == 1 && kind.Succeeds(wa[0], wb[0]) && !field.AtFoot(n.B, y):
		return true // the version that the page is of
	case kinds&(1<<kind.State) != 0 && at&(align.InLink|align.InNav) != align.InLink|align.InNav:
		return true
	case at&(align.InNav|align.InLink) == 0 && (field.Offered(n.A, x, wa) || field.Offered(n.B, y, wb)):
		return true
	case strings.Contains(n.B.TextOf(y), "©"):
		// What stands beside it is of the site: its year, its version.
	case at&align.InNav == 0 && (n.labelled(y) || at&align.InLink == 0 && kinds&(1<<kind.Amount|1<<kind.Date) != 0):
		return true
	}
	binds := func(words []string) bool { return len(words) <= align.MenuWords && kind.Legal.Has(words) }
	return slices.ContainsFunc(n.spans(x, y), func(s stretch) bool {
		return s.a0 == s.a1 && binds(wb[s.b0:s.b1]) || s.b0 == s.b1 && binds(wa[s.a0:s.a1]) || kind.Hours(wa, s.a0, s.a1) && kind.Hours(wb, s.b0, s.b1) || kind.Identifies(wa, s.a0, s.a1, ca.in) && kind.Identifies(wb, s.b0, s.b1, cb.in)
	})
}

// labelled reports whether a block is a short field with its name: one of several
// that are built alike, or a name and a colon before the first word that changed.
func (n *analysis) labelled(y int) bool {
	b := n.B.Blocks[y]
	if y > 0 && n.pair.B[y-1] >= 0 && n.equal.Has(n.pair.B[y-1]) && field.OneOfSeveral(n.B, y, n.out[1].At) {
		return true
	} else if n.out[1].At[y].Flags&align.InLink != 0 {
		return false
	}
	if b.Words() > kind.ShortNotice+kind.Near {
		return false
	}
	for w := b.W0; w < b.W1 && n.Back[w] >= 0; w++ {
		if t := n.B.Next(n.B.Words[w]); t < n.B.End() && n.B.Is(t) == align.Sign && n.B.Src[t] == ':' {
			return true
		}
	}
	return false
}

// notice reports whether a block of furniture that came or went says a state.
// In a link it is no more than that.
func notice(words []string, at align.PlaceFlags) bool {
	most := kind.ShortNotice
	if at&align.InLink != 0 {
		most = kind.Near
	}
	return at&align.InNav == 0 && len(words) > 0 && len(words) <= most && kind.States.Has(words)
}
