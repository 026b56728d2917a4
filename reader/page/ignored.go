package page

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/ignore"
	"diurna/reader/kind"
	"diurna/reader/segment"
)

// hidden is what rules hide in blocks of which the rest is shown.
type hidden struct {
	words [2]align.Bitset    // by side
	parts [2][][]ignore.Part // by block
	rows  []Row              // the pairs of such blocks that changed, as if nothing were hidden
	of    []int32            // their blocks of a
}

func (h *hidden) has(side int, word int32) bool {
	return h.words[side] != nil && h.words[side].Has(word)
}

// row is the row of a pair of blocks with hidden parts; pairs are asked for in order.
func (h *hidden) row(x int) (r Row, ok bool) {
	for len(h.of) > 0 && h.of[0] < int32(x) {
		h.of, h.rows = h.of[1:], h.rows[1:]
	}
	if ok = len(h.of) > 0 && h.of[0] == int32(x); ok {
		r = h.rows[0]
	}
	return r, ok
}

// without takes what is hidden out of the changed stretches of two blocks.
func (h *hidden) without(in []stretch, a, b align.Block) (out []stretch) {
	if h.words[0] == nil {
		return in
	}
	for _, s := range in {
		for s.a0 < s.a1 && h.has(0, a.W0+int32(s.a0)) {
			s.a0++
		}
		for s.a1 > s.a0 && h.has(0, a.W0+int32(s.a1-1)) {
			s.a1--
		}
		for s.b0 < s.b1 && h.has(1, b.W0+int32(s.b0)) {
			s.b0++
		}
		for s.b1 > s.b0 && h.has(1, b.W0+int32(s.b1-1)) {
			s.b1--
		}
		if s.a0 < s.a1 || s.b0 < s.b1 {
			out = append(out, s)
		}
	}
	return out
}

// hideParts finds what rules hide in blocks, and takes it in pairs of blocks for the same.
func (n *analysis) hideParts() {
	h := &n.hides
	for side := range h.parts {
		d := n.doc(side)
		if h.parts[side] = n.scope.rules.Parts(d); h.parts[side] == nil {
			return
		}
		h.words[side] = align.NewBitset(len(d.Words))
		for _, list := range h.parts[side] {
			for _, p := range list {
				for _, w := range p.Words {
					h.words[side].Add(w)
				}
			}
		}
	}
	for x, y := range n.pair.A {
		if y < 0 || n.sameWords(x, int(y)) {
			continue
		}
		list, other := h.parts[0][x], h.parts[1][y]
		r := Row{Kind: Changed, Class: Content, A: n.A.BytesOf(x), B: n.B.BytesOf(int(y))}
		switch {
		case len(other) > 0:
			r.Rule = other[0].Rule
		case len(list) > 0:
			r.Rule = list[0].Rule
		default:
			continue
		}
		r.Segments = segment.Of(n.al, x, int(y))
		h.rows, h.of = append(h.rows, r), append(h.of, int32(x))
		ignore.Match(n.al, x, int(y), list, other)
	}
}

// key is the same for blocks of both pages that read the same, but for what is hidden.
func (h *hidden) key(d *align.Document, side, block int) uint64 {
	if h.words[0] == nil || len(h.parts[side][block]) == 0 {
		return uint64(d.Blocks[block].Key)
	}
	words := d.BlockWords(block)
	for i := range words {
		if h.has(side, d.Blocks[block].W0+int32(i)) {
			words[i] = ""
		}
	}
	return align.PlaceKey("hidden", words...)
}

// pairRule is the rule that ignores a pair of blocks and what its place will say
// later: what both sides read alike stays in it.
func (n *analysis) pairRule(x, y int, wa, wb []string) string {
	if wa == nil || wb == nil {
		return ""
	}
	whole := ignore.Of(n.B, y)
	if rule := n.partsRule(x, y, wa, wb, whole == ignore.Of(n.A, x)); rule != "" {
		return rule
	}
	if whole == ignore.Of(n.A, x) && ignore.HasLetter(whole) {
		return whole
	}
	if whole == ignore.Of(n.A, x) {
		return ignore.Placed(n.B, y, whole)
	}
	back := n.Back[n.B.Blocks[y].W0:]
	var out []string
	last := n.A.Blocks[x].W0 - 1
	star := func() {
		if len(out) == 0 || out[len(out)-1] != "*" {
			out = append(out, "*")
		}
	}
	for i, w := range wb {
		if back[i] < 0 {
			star()
			continue
		}
		if back[i] != last+1 {
			star()
		}
		last = back[i]
		out = append(out, kind.Mask(w))
	}
	if last != n.A.Blocks[x].W0+int32(len(wa))-1 {
		star()
	}
	return ignore.Placed(n.B, y, align.Clean(strings.Join(out, " ")))
}

// partsRule is the rule that ignores those parts of a pair of blocks that changed, "" if
// all of it is one.
func (n *analysis) partsRule(x, y int, wa, wb []string, numbers bool) string {
	in, how := [2][]bool{make([]bool, len(wa)), make([]bool, len(wb))}, ignore.Came
	if numbers {
		for i := range min(len(wa), len(wb)) {
			in[1][i] = wa[i] != wb[i] && n.Back[n.B.Blocks[y].W0+int32(i)] != n.A.Blocks[x].W0+int32(i)
		}
		return n.names[1].Rule(y, ignore.Numbers, in[1])
	}
	side := 0
	for _, s := range n.spans(x, y) {
		if s.b0 < s.b1 {
			side = 1
		}
		if s.a0 < s.a1 && s.b0 < s.b1 {
			how = ignore.Reworded
		}
		for i := s.a0; i < s.a1; i++ {
			in[0][i] = true
		}
		for i := s.b0; i < s.b1; i++ {
			in[1][i] = true
		}
	}
	return n.names[side].Rule([2]int{x, y}[side], how, in[side])
}
