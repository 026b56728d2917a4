// Package segment shows a pair of blocks as stretches that are equal, deleted and
// inserted. Start with Of; Mono writes them in one line.
package segment

import (
	"bytes"

	"diurna/reader/align"
)

// Segment is a stretch of a changed block.
type Segment struct {
	Kind  align.OpKind
	Text  string
	words int
}

// Of returns the text of a pair of blocks as equal, deleted and inserted
// stretches. Words are cut where the script cuts them; a space or sign between
// them counts as changed only if it is.
func Of(al *align.Alignment, x, y int) []Segment {
	ba, bb := al.A.Blocks[x], al.B.Blocks[y]
	s := &segmenter{al: al}
	i, j := ba.T0, bb.T0
	for w := ba.W0; w < ba.W1; w++ {
		o := al.Match[w]
		if o < bb.W0 || o >= bb.W1 {
			continue
		}
		ta, tb := al.A.Words[w], al.B.Words[o]
		if len(s.out) >= maxSegments {
			break // the rest is shown as replaced
		}
		s.between(i, ta, j, tb)
		s.equal(al.B, tb)
		i, j = al.A.Next(ta), al.B.Next(tb)
	}
	s.between(i, ba.T1, j, bb.T1)
	s.end()
	return tidy(s.out)
}

// maxSegments bounds the parts of one row.
const maxSegments = 4000

// segmenter writes segments. The text of the one being written stays in bytes
// until its kind changes: a block may be the whole page.
type segmenter struct {
	al    *align.Alignment
	out   []Segment // the last one without its text
	text  []byte    // the text of the last one
	piece []byte
}

// put adds text to the segments.
func (s *segmenter) put(k align.OpKind, text []byte, words int) {
	if bytes.HasSuffix(s.text, []byte(" ")) {
		// One space between words, two between cells.
		wide := bytes.HasPrefix(text, []byte("  ")) && !bytes.HasSuffix(s.text, []byte("  "))
		if text = bytes.TrimLeft(text, " "); wide {
			text = append([]byte(" "), text...)
		}
	}
	if len(text) == 0 && words == 0 {
		return
	}
	if n := len(s.out); n == 0 || s.out[n-1].Kind != k {
		s.end()
		s.out = append(s.out, Segment{Kind: k})
	}
	s.out[len(s.out)-1].words += words
	s.text = append(s.text, text...)
}

// end gives the last segment its text.
func (s *segmenter) end() {
	if n := len(s.out); n > 0 {
		s.out[n-1].Text = string(s.text)
	}
	s.text = s.text[:0]
}

func (s *segmenter) equal(d *align.Document, t int32) {
	words := 0
	switch d.Is(t) {
	case align.Word:
		words = 1
	case align.Tag:
		s.put(align.Equal, []byte("  "), 0)
		return
	}
	s.piece = d.AppendText(s.piece[:0], t)
	s.put(align.Equal, s.piece, words)
}

// between writes a[i:i1] and b[j:j1], which have no words in common, with the
// same spaces and signs at both ends taken as equal.
func (s *segmenter) between(i, i1, j, j1 int32) {
	a, b := s.al.A, s.al.B
	skip := func(d *align.Document, t int32) bool {
		return d.Is(t) > align.Sign || d.Is(t) == align.Tag && !d.IsCell(t)
	}
	same := func(i, j int32) bool {
		k := a.Is(i)
		return k == b.Is(j) && (k == align.Tag || k != align.Word && a.ID(i) == b.ID(j))
	}
	for {
		for i < i1 && skip(a, i) {
			i = a.Next(i)
		}
		for j < j1 && skip(b, j) {
			j = b.Next(j)
		}
		if i >= i1 || j >= j1 || !same(i, j) {
			break
		}
		s.equal(a, i)
		i, j = a.Next(i), b.Next(j)
	}
	var tail []int32
	for {
		for i < i1 && skip(a, a.Prev(i1)) {
			i1 = a.Prev(i1)
		}
		for j < j1 && skip(b, b.Prev(j1)) {
			j1 = b.Prev(j1)
		}
		if i >= i1 || j >= j1 || !same(a.Prev(i1), b.Prev(j1)) {
			break
		}
		i1, j1 = a.Prev(i1), b.Prev(j1)
		tail = append(tail, i1)
	}
	s.changed(align.Delete, a, i, i1)
	s.changed(align.Insert, b, j, j1)
	for n := len(tail) - 1; n >= 0; n-- {
		s.equal(a, tail[n])
	}
}

func (s *segmenter) changed(k align.OpKind, d *align.Document, from, to int32) {
	s.piece = s.piece[:0]
	words := 0
	for t := from; t < to; t = d.Next(t) {
		switch {
		case d.Is(t) == align.Word:
			words++
		case d.IsCell(t):
			s.piece = append(bytes.TrimRight(s.piece, " "), "  "...)
			continue
		}
		s.piece = d.AppendText(s.piece, t)
	}
	s.put(k, s.piece, words)
}
