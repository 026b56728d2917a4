package ignore

import (
	"slices"
	"strconv"
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// A rule that ignores parts of a block, mostly its numbers one by one, is how each reads
// between dots that stand for the rest: "… # viewing … # likes …". The words near a
// number name it. Where they name several of one row, it says which of how many
// ("… #2/3 …"), and where they stand in several rows, how its row reads without numbers
// ("of Lantern"), the block before it ("after Lantern") or its elements ("@ ul li"). * stands for
// words that change, and then all of the part is ignored.
const (
	dots      = "…"
	ruleOf    = "of "
	ruleLabel = "after "
)

// OfParts reports whether a rule ignores parts of a block alone.
func OfParts(rule string) bool { return strings.HasPrefix(rule, dots+" ") }

// partsRule is such a rule.
type partsRule struct {
	rule      string
	parts     []partRule
	spot      string
	row, head []string // how the row reads, and what is before it
}

// partRule is how a part of a block reads.
type partRule struct {
	labels []string
	all    bool // its words are ignored as well
	at, of int  // which of how many, from 1 on; 0: the only one
}

// partsOf reads such a rule.
func partsOf(rule string) (out partsRule, ok bool) {
	end := strings.LastIndex(rule, " "+dots)
	if !OfParts(rule) || end <= len(dots) {
		return out, false
	}
	out.rule = rule
	rest := strings.TrimSpace(rule[end+1+len(dots):])
	if at, ok := strings.CutPrefix(rest, strings.TrimSpace(ruleAt)+" "); ok {
		rest = ""
		out.spot = at
	} else if name, ok := strings.CutPrefix(rest, ruleOf); ok {
		out.row = strings.Fields(name)
	} else if name, ok := strings.CutPrefix(rest, ruleLabel); ok {
		out.head = strings.Fields(name)
	}
	for text := range strings.SplitSeq(rule[len(dots)+1:end], " "+dots+" ") {
		var p partRule
		for _, w := range strings.Fields(text) {
			at, of, many := strings.Cut(w, "/")
			at, many2 := strings.CutPrefix(at, "#")
			switch k, err := strconv.Atoi(at); {
			case w == "#":
			case w == "*":
				p.all = true
			case many && many2 && err == nil:
				p.at = k
				p.of, _ = strconv.Atoi(of)
			default:
				p.labels = append(p.labels, w)
			}
		}
		if len(p.labels) > 0 || p.at > 0 {
			out.parts = append(out.parts, p)
		}
	}
	return out, len(out.parts) > 0
}

// in is the part of a block that a rule means, -1 without one.
func (p *partRule) in(parts []part) int {
	var same []int
	best, most, fewest := -1, 0, 0
	for k := range parts {
		q := &parts[k]
		if !q.number() && !p.all {
			continue
		}
		n := shared(p.labels, q.labels)
		if n == len(p.labels) && n == len(q.labels) {
			same = append(same, k)
		}
		if 2*n >= len(p.labels) && (n > most || n == most && n > 0 && len(q.labels) < fewest) {
			best, most, fewest = k, n, len(q.labels)
		}
	}
	if p.of == 0 {
		return best
	}
	if len(same) != p.of || p.at < 1 || p.at > p.of {
		return -1
	}
	return same[p.at-1]
}

// Part is a part of a block that a rule ignores.
type Part struct {
	Rule  string
	No    int     // the same for what is the same part on another version of the page
	Words []int32 // of the document, that are ignored
}

// Parts lists the parts of blocks that rules ignore, by block; nil without such rules.
func (r *Rules) Parts(d *align.Document) [][]Part {
	if len(r.numbers) == 0 {
		return nil
	}
	out, cuts := make([][]Part, len(d.Blocks)), make([][]part, len(d.Blocks))
	for b := range d.Blocks {
		cuts[b] = cut(d, b)
	}
	for i := range r.numbers {
		rule, most := &r.numbers[i], 0
		for pass := range 2 { // the first finds how much of the row's name is there at most
			for b, parts := range cuts {
				if parts == nil {
					continue
				}
				share, ok := rule.stands(d, b)
				if !ok || share < most {
					continue
				}
				for k := range rule.parts {
					if at := rule.parts[k].in(parts); at >= 0 && pass == 0 {
						most = share
					} else if at >= 0 {
						out[b] = append(out[b], Part{rule.rule, i<<8 | k, ignored(d, b, &parts[at], &rule.parts[k])})
					}
				}
			}
		}
	}
	return out
}

// stands reports whether a block can be the row that a rule means, and how much of the
// row's name it has.
func (r *partsRule) stands(d *align.Document, block int) (share int, ok bool) {
	name, at := r.row, block
	switch {
	case r.spot != "":
		return 0, d.Spot(block) == r.spot
	case len(r.head) > 0:
		if name, at = r.head, block-1; block == 0 || d.Blocks[at].Words() > align.LongBlock {
			return 0, false
		}
	case len(name) == 0:
		return 0, true
	}
	share = shared(name, strings.Fields(align.Clean(kind.MaskAll(d.BlockWords(at)))))
	return share, 2*share > len(name)
}

// ignored lists the words of a part that a rule ignores: its number, and the words that
// name it, as they may be other forms of these.
func ignored(d *align.Document, block int, p *part, rule *partRule) (words []int32) {
	w0 := d.Blocks[block].W0
	for i := p.from; i < p.to; i++ {
		w := w0 + int32(i)
		if rule.all || i >= p.n0 && i < p.n1 || has(rule.labels, align.Clean(d.WordText(w))) {
			words = append(words, w)
		}
	}
	return words
}

// Names makes rules for parts of a document's blocks.
type Names struct {
	d     *align.Document
	count map[string]int // how many numbers have a name, and how many parts without one read so
}

// NamesOf is for the blocks of a document.
func NamesOf(d *align.Document) *Names { return &Names{d: d} }

// only reports whether a name of a number, or a part without one, stands once on the page.
func (n *Names) only(name string) bool {
	if n.count == nil {
		n.count = map[string]int{}
		for b := range n.d.Blocks {
			for _, p := range cut(n.d, b) {
				if !p.number() {
					p.labels = []string{p.text()}
				}
				for _, l := range p.labels {
					n.count[l]++
				}
			}
		}
	}
	return n.count[name] < 2
}

// How is how the words of a block changed.
type How uint8

const (
	Numbers  How = iota // its numbers alone
	Reworded            // words were replaced
	Came                // words came or went, and nothing was replaced
)

// Rule is the rule that ignores those parts of a block that changed; "" where that is
// not for a part alone, or the part has nothing to name it by. Where amounts, states,
// versions and dates changed beside other numbers, the others alone are ignored.
func (n *Names) Rule(block int, how How, changed []bool) string {
	parts := cut(n.d, block)
	if len(parts) < 2 {
		return ""
	}
	words := n.d.BlockWords(block)
	dates := kind.DateSpans(words)
	facts, picks, rest := 0, 0, false
	for k := range parts {
		p := &parts[k]
		number, word, kept := false, false, false
		for i := p.from; i < p.to; i++ {
			in := i >= p.n0 && i < p.n1
			number, word, kept = number || in && changed[i], word || !in && changed[i], kept || !in && !changed[i]
		}
		switch p.all, p.changed = word && kept, word || number; {
		case !p.changed, how == Reworded && !kept, how != Came && word && !kept, !p.number() && !kept, len(p.labels) == 0 && word:
			rest = true
			continue
		}
		p.pick, p.fact = true, !p.number() || kind.Of(words, p.n0, p.n1, dates) < kind.Number
		if picks++; p.fact {
			facts++
		}
	}
	if how == Numbers && !rest && (facts == 0 || facts == picks) {
		return "" // all that it says
	}
	rule, named := dots, false
	for k := range parts {
		if p := &parts[k]; p.pick && !(p.fact && facts < picks) {
			text, more := n.describe(words, parts, k, changed)
			rule, named = rule+" "+text+" "+dots, named || more
		}
	}
	switch {
	case rule == dots:
		return ""
	case named:
		rule += n.row(block, parts)
	}
	return align.Clean(rule)
}

// describe is how a part reads, and whether its row must be named.
func (n *Names) describe(words []string, parts []part, at int, changed []bool) (text string, row bool) {
	p := &parts[at]
	var own []string // the names that no other number of the row has
	others := []string{}
	which, of := 0, 0
	for k := range parts {
		q := &parts[k]
		if k != at && q.number() {
			others = append(others, q.labels...)
		}
		if q.number() && len(q.labels) == len(p.labels) && shared(p.labels, q.labels) == len(p.labels) {
			if of++; k == at {
				which = of
			}
		}
	}
	for _, l := range p.labels {
		if !has(others, l) && !(p.all && p.changes(words, l, changed)) {
			own = append(own, l)
			row = row || !n.only(l)
		}
	}
	number := ""
	if len(own) == 0 {
		own, row = p.labels, true
		number = "#" + strconv.Itoa(which) + "/" + strconv.Itoa(of)
	}
	last, said := "", ""
	for i := p.from; i < p.to; i++ {
		w := align.Clean(kind.Mask(words[i]))
		switch in := i >= p.n0 && i < p.n1; {
		case p.all && changed[i]:
			w = "*"
		case in && number != "":
			w = number
		case !in && !slices.Contains(own, w):
			continue
		}
		if w != last {
			said += " " + w
			last = w
		}
	}
	for _, l := range own {
		if !strings.Contains(said+" ", " "+l+" ") {
			text += l + " " // the head of its column
		}
	}
	return text + strings.TrimSpace(said), row
}

// changes reports whether a word that names a part changed.
func (p *part) changes(words []string, label string, changed []bool) bool {
	for i := p.from; i < p.to; i++ {
		if changed[i] && align.Clean(words[i]) == label {
			return true
		}
	}
	return false
}

// row names the row of parts.
func (n *Names) row(block int, parts []part) string {
	for k := range parts {
		if p := &parts[k]; !p.number() && !p.changed && HasLetter(p.text()) && n.only(p.text()) && !kind.States.Has(p.labels) {
			return " " + ruleOf + p.text()
		}
	}
	if l := label(n.d, block); l != "" {
		return " " + ruleLabel + l
	}
	return ruleAt + n.d.Spot(block)
}
