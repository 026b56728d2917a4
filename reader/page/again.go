package page

import (
	"diurna/reader/align"
	"diurna/reader/ignore"
)

// again finds what rules report although it is quiet by its history or by what it is.
type again struct {
	rules *ignore.Rules
	parts [2][][]ignore.Part
}

func newAgain(s *Scope, o Options, a, b *align.Document) *again {
	if len(o.ReportBlocks) == 0 {
		return nil
	}
	return &again{&s.reports, [2][][]ignore.Part{s.reports.Parts(a), s.reports.Parts(b)}}
}

// of lists the parts of a block that are reported; all: the whole block is.
func (g *again) of(d *align.Document, side, block int) (parts []ignore.Part, all bool) {
	if g.parts[side] != nil {
		parts = g.parts[side][block]
	}
	return parts, g.rules.Hides(d, block) != ""
}

// lone makes the row of a block without partner content if a rule reports it.
func (g *again) lone(r *Row, d *align.Document, side, block int) {
	if g == nil || r.Class == Content || r.Kind == Moved || r.Words == (Words{}) {
		return
	}
	if parts, all := g.of(d, side, block); all || len(parts) > 0 {
		r.Class, r.Asked = Content, true
	}
}

// pair makes the row of two blocks content if a rule reports one of the words that
// changed, and says whether one does.
func (g *again) pair(r *Row, al *align.Alignment, x, y int, spans func(x, y int) []stretch) bool {
	if g == nil || r.Words == (Words{}) {
		return false
	}
	a, all := g.of(al.A, 0, x)
	b, too := g.of(al.B, 1, y)
	changed := all || too
	for _, s := range spans(x, y) {
		for side, list := range [2][]ignore.Part{a, b} {
			w0, from, to := al.A.Blocks[x].W0, s.a0, s.a1
			if side == 1 {
				w0, from, to = al.B.Blocks[y].W0, s.b0, s.b1
			}
			for _, p := range list {
				for _, w := range p.Words {
					changed = changed || int(w-w0) >= from && int(w-w0) < to
				}
			}
		}
	}
	if changed && r.Class != Content {
		r.Class, r.Asked = Content, true
	}
	return changed
}
