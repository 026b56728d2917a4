package field

import (
	"slices"
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// What stands among counts of views, likes and visitors belongs to them: a post, an
// advertisement, a saying.

// among is how many blocks away company is looked for.
const among = 3

// Idle reports whether a block without a heading, a row or a state of its own stands
// between two counts or quotations, or in one part of a page with a count and nothing
// but such.
func Idle(d *align.Document, block int, words []string, in []align.Place) bool {
	const own = align.InHead | align.InLink | align.InMenu | align.InItem
	row := in[block].Flags&align.InRow != 0
	if len(words) == 0 || len(words) > align.LongLone || in[block].Flags&own != 0 || kind.States.Has(words) {
		return false
	}
	quiet := func(b int) bool { return b >= 0 && b < len(d.Blocks) && in[b].Flags&align.InHead == 0 && counts(d, b) }
	if before, after := quiet(block-1), quiet(block+1); before && after {
		return true
	} else if !before && !after || row {
		return false
	}
	for b := max(0, block-among); b <= min(len(d.Blocks)-1, block+among); b++ {
		if b != block && d.Together(b, block) && !quiet(b) && (d.Blocks[b].Words() > 1 || in[b].Flags&align.InHead != 0) {
			return false
		}
	}
	return quiet(block-1) && d.Together(block-1, block) || quiet(block+1) && d.Together(block+1, block)
}

// counts reports whether all that a block says is how many there are of something that
// people do, or what somebody said.
func counts(d *align.Document, block int) bool {
	words := d.SomeWords(block)
	switch {
	case len(words) == 0:
		return false
	case len(words) > 2*kind.ShortNotice:
		return kind.Quotation(strings.TrimSpace(d.TextOf(block)))
	case kind.OfBlock(words, kind.DateSpans(words)) == kind.Count, kind.Quotation(strings.TrimSpace(d.TextOf(block))):
		return true
	}
	return len(words) <= kind.ShortNotice+kind.Near && strings.ContainsFunc(strings.Join(words, ""), isDigit) && (kind.Counts.Has(words) || kind.Gauges.Has(words)) &&
		!kind.States.Has(words) && !kind.Costs(words, 0, len(words))
}

// AtFoot reports whether a block is one of the last of a page that is not short.
func AtFoot(d *align.Document, block int) bool {
	const last, short = 3, 12
	return len(d.Blocks) >= short && block >= len(d.Blocks)-last
}

// Foot reports whether an element around a block is called the foot of the page.
func Foot(d *align.Document, block int) bool { return strings.Contains(d.Spot(block), "foot") }

// HeadsOnly reports whether a block is the heading of a part of a page in which all else
// is quiet, and something is: what it says is no more news than that.
func HeadsOnly(d *align.Document, block int, quiet func(int) bool) bool {
	const most = 12
	if !stands(d, block, "h2") && !stands(d, block, "h3") && !stands(d, block, "h4") {
		return false
	}
	b := block + 1
	for ; b < len(d.Blocks) && d.Together(block, b); b++ {
		if b-block > most || !quiet(b) {
			return false
		}
	}
	return b > block+1 && (block == 0 || !d.Together(block-1, block))
}

// InFoot reports whether a block stands in what follows all of a page's own text.
func InFoot(d *align.Document, block int, in []align.Place) bool {
	if d.InAside(block) {
		return false
	}
	end := len(d.Blocks)
	for end > block && in[end-1].Flags&align.InMenu != 0 {
		end--
	}
	return end <= block
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// Stars reports whether a short block gives its numbers beside stars: a rating, and how
// many gave one.
func Stars(text string, words []string) bool {
	return len(words) <= kind.ShortNotice && strings.ContainsAny(text, "★☆⭐") && !slices.ContainsFunc(words, func(w string) bool { return !kind.Bare(w) })
}

// Above reports whether a block stands above the head of the site: what that says there
// it says on all of its pages.
func Above(block int, in []align.Place) bool {
	if in[block].Head >= 0 || in[block].Flags&(align.InHead|align.InNav|align.InRow) != 0 {
		return false
	}
	for b := range in {
		if in[b].Flags&(align.InHead|align.InNav) != 0 {
			return b > block && in[b].Flags&align.InNav != 0
		}
	}
	return false
}

// Plain reports whether words have no number and say no state.
func Plain(words []string) bool {
	return len(words) > 0 && !kind.HasDigits(words) && !kind.States.Has(words)
}

// AsideHead reports whether a block is the heading of a part that is no content.
func AsideHead(d *align.Document, block int, words []string) bool {
	const most = 6
	return len(words) <= most && (stands(d, block, "h2") || stands(d, block, "h3") || stands(d, block, "h4")) && kind.Asides.Has(words)
}
