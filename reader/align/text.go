package align

import (
	"bytes"
	"strings"

	"diurna/reader/markup"
	"diurna/reader/plain"
)

// TextOf is the text of a block as it came: not yet safe to draw.
func (d *Document) TextOf(block int) string {
	return d.Text(d.Blocks[block].T0, d.Blocks[block].T1)
}

// BytesOf returns the bytes of a block, from its first word to the end of its last.
func (d *Document) BytesOf(block int) [2]int32 {
	b := d.Blocks[block]
	return [2]int32{d.Words[b.W0], d.Next(d.Words[b.W1-1])}
}

// moveLeast is how many letters and digits a block must have for its coming
// and going to be called a move (git's rule for moved lines). A heading that is
// one on both sides needs no more than its words: it says what it is.
const moveLeast = 20

// Solid reports whether a block has letters and digits enough to be known again.
func (d *Document) Solid(block int) bool {
	n := 0
	for w := d.Blocks[block].W0; w < d.Blocks[block].W1 && n < moveLeast; w++ {
		for _, r := range d.WordText(w) {
			if r > 0x7F || asciiClass[r] == cLetter || asciiClass[r] == cDigit {
				n++
			}
		}
	}
	return n >= moveLeast
}

// Clean makes text from a page safe to draw; spaces at its ends stay, since a
// segment is part of a line.
func Clean(s string) string {
	s = plain.Text(s, 0)
	if strings.ContainsAny(s, "\n\r\t") {
		s = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s)
	}
	return s
}

// StruckThrough lists the parts of a page that are struck through: prices of
// before. One that never ends is none.
func StruckThrough(d *Document) (parts [][2]int32) {
	depth, from := 0, int32(0)
	for i := int32(0); i < d.End(); i = d.Next(i) {
		if d.Is(i) != Tag {
			continue
		}
		e, closing := d.Element(i)
		if e != markup.Del && e != markup.S && e != markup.Strike {
			continue
		}
		switch {
		case !closing:
			if depth++; depth == 1 {
				from = i
			}
		case depth > 0:
			if depth--; depth == 0 {
				parts = append(parts, [2]int32{from, d.Next(i)})
			}
		}
	}
	return parts
}

// TextWithout is the text of a block with a bar in the place of what is struck
// through, so that no number grows together with another.
func (d *Document) TextWithout(block int, parts [][2]int32) string {
	from, to := d.Blocks[block].T0, d.Blocks[block].T1
	var b strings.Builder
	for _, p := range parts {
		if p[1] <= from || p[0] >= to {
			continue
		}
		if p[0] > from {
			b.WriteString(d.Text(from, p[0]))
		}
		b.WriteString(" | ")
		from = min(p[1], to)
	}
	if from < to {
		b.WriteString(d.Text(from, to))
	}
	return b.String()
}

// Text returns the words, signs and spaces of tokens [from, to) as people see
// them: references resolved, white space collapsed, cells two spaces apart.
func (d *Document) Text(from, to int32) string {
	b := make([]byte, 0, to-from)
	for i := from; i < to; i = d.Next(i) {
		b = d.AppendText(b, i)
	}
	return string(bytes.TrimSpace(b))
}

// AppendText appends one token as text.
func (d *Document) AppendText(b []byte, i int32) []byte {
	switch d.Is(i) {
	case Word, Sign:
		raw := d.At(i)
		if bytes.IndexByte(raw, '&') >= 0 {
			return markup.AppendDecoded(b, raw)
		}
		return append(b, raw...)
	case Space:
		if n := len(b); n == 0 || b[n-1] != ' ' {
			return append(b, ' ')
		}
	case Tag:
		if d.kind[i]&flagCell != 0 && len(bytes.TrimSpace(b)) > 0 {
			return append(bytes.TrimRight(b, " "), "  "...)
		}
		if d.kind[i]&flagBlock != 0 && len(b) > 0 && b[len(b)-1] != ' ' {
			return append(b, ' ')
		}
	}
	return b
}

// firstWords are up to n words of a block.
func (d *Document) firstWords(block, n int) []string {
	b := d.Blocks[block]
	var out []string
	for w := b.W0; w < min(b.W1, b.W0+int32(n)); w++ {
		out = append(out, d.WordText(w))
	}
	return out
}

// BlockWords returns the words of a block as text.
func (d *Document) BlockWords(n int) []string {
	b := d.Blocks[n]
	out := make([]string, 0, b.Words())
	for w := b.W0; w < b.W1; w++ {
		out = append(out, d.WordText(w))
	}
	return out
}

// longWord is where a word is cut when only its shape is looked at.
const longWord = 512

// appendWord appends a word as it reads.
func (d *Document) appendWord(dst []byte, w int32) []byte {
	raw := d.At(d.Words[w])
	if settled(raw) {
		return append(dst, raw...)
	}
	return appendNormal(dst, raw)
}

// WordText returns a word as it reads, cut at longWord bytes.
func (d *Document) WordText(w int32) string {
	raw := d.At(d.Words[w])
	if raw = raw[:min(len(raw), longWord)]; settled(raw) {
		return string(raw)
	}
	return string(appendNormal(nil, raw))
}

// InScope reports whether the words of a block are looked at.
func (d *Document) InScope(block int, in Bitset) bool {
	return in == nil || in.Has(d.Words[d.Blocks[block].W0])
}

// LongBlock is the length in words from which a block is no longer looked into
// for dates, tokens and rules: it is text, and a hostile page may be one block.
const LongBlock = 2000

// SomeWords is blockWords, nil for long blocks.
func (d *Document) SomeWords(block int) []string {
	if d.Blocks[block].Words() > LongBlock {
		return nil
	}
	return d.BlockWords(block)
}

// BlockOf is the block that a word stands in.
func (d *Document) BlockOf(word int32) int {
	lo, hi := 0, len(d.Blocks)-1
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if d.Blocks[mid].W0 <= word {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// CommaAfter reports whether a comma follows a word.
func (d *Document) CommaAfter(word int32) bool {
	t := d.Next(d.Words[word])
	return t < d.End() && d.Is(t) == Sign && d.Src[t] == ','
}
