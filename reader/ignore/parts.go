package ignore

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// part is a part of a block with at most one number: words [from, to), of which
// [n0, n1) are the number.
type part struct {
	from, to, n0, n1 int
	edge             edge
	labels           []string // what names its number, masked; what it says without one

	changed, pick, fact, all bool // what Rule makes of it
}

func (p *part) text() string { return strings.Join(p.labels, " ") }

func (p *part) number() bool { return p.n0 < p.n1 }

// bare reports whether a number has no name.
func (p *part) bare() bool { return p.number() && len(p.labels) == 0 }

// edge is what stands before a word.
type edge uint8

const (
	plain  edge = iota
	inline      // an element ends and one begins
	colon       // a colon or an opening bracket: what follows belongs to what is before
	hard        // another sign, or a cell
)

// headBlocks is how many blocks a page has at most whose columns are asked for their heads:
// each is looked for from its number upwards.
const headBlocks = 2000

// near is how many words on each side of a number name it, and nameWords how many
// name a row.
const (
	near      = 2
	nameWords = 6
)

// cut cuts a block into parts: at cells, signs and elements, and between numbers; nil
// without a number.
func cut(d *align.Document, block int) (out []part) {
	words := d.SomeWords(block)
	if !slices.ContainsFunc(words, kind.HasDigit) {
		return nil
	}
	b := d.Blocks[block]
	first := d.NextTag(b.T0)
	row := first < b.T1 && d.IsCell(first) && len(d.Blocks) < headBlocks
	edges, heads := make([]edge, len(words)), make([]string, len(words))
	for i, t := 0, b.T0; i < len(words); i++ {
		next := d.Words[b.W0+int32(i)]
		edges[i], heads[i] = between(d, t, next, kind.HasDigit(words[i]))
		t = d.Next(next)
	}
	for from, to := 0, 0; from < len(words); from = to {
		for to = from + 1; to < len(words) && edges[to] == plain; to++ {
		}
		out = appendParts(out, words, from, to)
	}
	for k := range out {
		p := &out[k]
		p.edge = edges[p.from]
		p.labels = labels(words, p)
		if p.number() && row {
			head := field.HeadOf(d, b.W0+int32(p.n0))
			p.labels = append(strings.Fields(align.Clean(kind.MaskAll(head[:min(len(head), near)]))), p.labels...)
		}
	}
	out = join(out, func(k int, prev, next bool) (bool, bool) {
		next = next && out[k+1].edge == inline
		before := out[0].number() || !out[len(out)-1].number() // names follow their numbers
		return prev && (out[k].edge == colon || out[k].edge == inline && !(next && before)), next
	})
	for k := range out {
		if p := &out[k]; p.bare() && heads[p.from] != "" {
			p.labels = []string{heads[p.from]}
		}
	}
	// Names and values by turns; a number without a name before it says that these are none.
	pairs := true
	for k := range out {
		pairs = pairs && (!out[k].bare() || k > 0 && !out[k-1].number())
	}
	if pairs {
		out = join(out, func(_ int, prev, _ bool) (bool, bool) { return prev, false })
	}
	return out
}

// join joins numbers without a name with the part before or after, as how says when it
// is given which of them have no number.
func join(parts []part, how func(k int, prev, next bool) (bool, bool)) (out []part) {
	used := -1 // the last part that was taken
	for k := range parts {
		if k <= used {
			continue
		}
		p := parts[k]
		if p.bare() {
			prev := k > 0 && k-1 > used && !parts[k-1].number() && len(out) > 0
			next := k+1 < len(parts) && !parts[k+1].number()
			if back, on := how(k, prev, next); back {
				before := out[len(out)-1]
				p.from, p.edge, out = before.from, before.edge, out[:len(out)-1]
				p.labels = before.labels[max(0, len(before.labels)-near):]
			} else if on {
				p.to, used = parts[k+1].to, k+1
				p.labels = parts[k+1].labels[:min(near, len(parts[k+1].labels))]
			}
		}
		used = max(used, k)
		out = append(out, p)
		if !p.number() {
			used = k - 1 // it is still free
		}
	}
	return out
}

// appendParts appends the parts of words [from, to), between which no sign stands.
func appendParts(out []part, words []string, from, to int) []part {
	var runs [][2]int
	for i := from; i < to; i++ {
		if !kind.HasDigit(words[i]) {
			continue
		}
		if n := len(runs) - 1; n >= 0 && runs[n][1] == i && kind.Bare(words[i-1]) && thousand(words[i]) {
			runs[n][1]++
		} else {
			runs = append(runs, [2]int{i, i + 1})
		}
	}
	if len(runs) == 0 {
		return append(out, part{from: from, to: to})
	}
	behind := runs[0][0] > from && runs[len(runs)-1][1] == to // names stand before their numbers
	for k, r := range runs {
		end := to
		switch {
		case k+1 == len(runs):
		case behind:
			end = r[1]
		default:
			end = runs[k+1][0]
		}
		if k == 0 && len(runs) > 1 && !behind && r[0] > from {
			out = append(out, part{from: from, to: r[0]})
			from = r[0]
		}
		out = append(out, part{from: from, to: end, n0: r[0], n1: r[1]})
		from = end
	}
	return out
}

// thousand reports whether a word can be a group of three digits.
func thousand(w string) bool {
	n := strings.IndexFunc(w, func(r rune) bool { return r < '0' || r > '9' })
	return n == 3 || n < 0 && len(w) == 3
}

// labels are the words near the number of a part, and what stands beside its digits.
func labels(words []string, p *part) (out []string) {
	from, to := p.from, min(p.to, p.from+nameWords)
	if p.number() {
		from, to = max(p.from, p.n0-near), min(p.to, p.n1+near)
	}
	for _, w := range strings.Fields(align.Clean(kind.MaskAll(words[from:to]))) {
		if w != "#" {
			out = append(out, w)
		}
	}
	return out
}

// between is what stands from token t to the word at next, and the sign or the class of
// the element that names a number there.
func between(d *align.Document, t, next int32, number bool) (e edge, head string) {
	const glue = "%‰°º+~±≈#№&*'\"’_"
	closed := false
	for ; t < next; t = d.Next(t) {
		switch d.Is(t) {
		case align.Tag:
			switch _, closing := d.Element(t); {
			case d.IsCell(t):
				e, head = hard, ""
			case closing:
				closed = true
				continue
			case closed:
				e = max(e, inline)
			}
			if class := strings.Fields(markup.Attr(d.At(t), "class")); number && len(class) > 0 {
				head = "." + align.Clean(kind.Mask(class[0]))
			}
		case align.Sign:
			switch r, _ := utf8.DecodeRune(markup.AppendDecoded(nil, d.At(t))); {
			case unicode.Is(unicode.Sc, r), strings.ContainsRune(glue, r), r == '.' && number:
			case strings.ContainsRune(":：(（=", r):
				e = max(e, colon)
			default:
				if e = hard; unicode.Is(unicode.So, r) {
					head = string(r)
				}
			}
		}
	}
	return e, head
}

// alike reports whether two words are the same, or one word in two forms: "view", "views".
func alike(a, b string) bool {
	if a == b {
		return true
	}
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n == len(x) && n == len(y) || n >= 3 && 3*n >= 2*max(len(x), len(y)) && strings.IndexByte(a+b, '#') < 0
}

func has(words []string, w string) bool {
	return slices.ContainsFunc(words, func(v string) bool { return alike(v, w) })
}

// shared counts the words of a that b has.
func shared(a, b []string) (n int) {
	for _, w := range a {
		if has(b, w) {
			n++
		}
	}
	return n
}
