package page

import (
	"slices"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// factual reports whether what changed in a pair of blocks of furniture is news
// wherever it stands: a state, an amount, a date, an identifier, or the value of a
// field with a name. In the head of a site and in what leads elsewhere it is a state.
func (n *analysis) factual(x, y int, wa, wb []string, at align.PlaceFlags) bool {
	if wa == nil || wb == nil {
		return false
	}
	ca, cb := n.changedIn(n.A, x, wa, n.Match), n.changedIn(n.B, y, wb, n.Back)
	kinds, _ := n.kinds(x, y, wa, wb, ca.in, cb.in)
	switch {
	case kinds&(1<<kind.State) != 0 && at&(align.InLink|align.InNav) != align.InLink|align.InNav:
		return true
	case at&(align.InLink|align.InNav) != 0:
		return false
	case kinds&(1<<kind.Amount|1<<kind.Date) != 0 || n.labelled(y):
		return true
	}
	return slices.ContainsFunc(n.spans(x, y), func(s stretch) bool {
		return kind.Identifies(wa, s.a0, s.a1) && kind.Identifies(wb, s.b0, s.b1)
	})
}

// labelled reports whether a block is a short field with its name: a definition, a
// row, or a name and a colon before the first word that changed.
func (n *analysis) labelled(y int) bool {
	b := n.B.Blocks[y]
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
