package page

import (
	"strings"

	"github.com/andybalholm/cascadia"
)

// scope is the compiled rules of a watch.
type scope struct {
	selects, ignores []cascadia.Selector
	blocks           map[string]bool
	places           []placeRule
}

func newScope(o Options) (s scope, err error) {
	if s.selects, err = compile(o.Select); err != nil {
		return s, err
	}
	if s.ignores, err = compile(o.Ignore); err != nil {
		return s, err
	}
	s.blocks = map[string]bool{}
	for _, r := range o.IgnoreBlocks {
		if r = strings.Join(strings.Fields(r), " "); r != "" {
			s.blocks[r] = true
			if p, ok := placeOf(r); ok {
				s.places = append(s.places, p)
			}
		}
	}
	return s, nil
}

// of returns which tokens of d are looked at; nil means all of them.
func (s scope) of(d *document) (in bitset, found bool) {
	if len(s.selects) == 0 && len(s.ignores) == 0 {
		return nil, true
	}
	return chosen(d, s.selects, s.ignores)
}

// inScope reports whether the words of a block are looked at.
func (d *document) inScope(block int, in bitset) bool {
	return in == nil || in.has(d.words[d.blocks[block].w0])
}

// ruleOf is the rule that ignores a block of these words whatever its numbers.
func ruleOf(words []string) string { return maskAll(words) }

// longBlock is the length in words from which a block is no longer looked into
// for dates, tokens and rules: it is text, and a hostile page may be one block.
const longBlock = 2000

// rule is the rule that ignores a block, "" for long ones.
func (d *document) rule(block int) string {
	if d.blocks[block].words() > longBlock {
		return ""
	}
	return clean(ruleOf(d.blockWords(block)))
}

// someWords is blockWords, nil for long blocks.
func (d *document) someWords(block int) []string {
	if d.blocks[block].words() > longBlock {
		return nil
	}
	return d.blockWords(block)
}

// outside reports whether a block is hidden by a rule.
func (s scope) outside(d *document, block int, in bitset) bool {
	if !d.inScope(block, in) {
		return true
	}
	return len(s.blocks) > 0 && s.hiddenBy(d, block) != ""
}

// hiddenBy is the rule that ignores a block, "" without one.
func (s scope) hiddenBy(d *document, block int) string {
	if rule := d.rule(block); s.blocks[rule] {
		return rule
	}
	for i := range s.places {
		if s.places[i].hides(d, block) {
			return s.places[i].rule
		}
	}
	return ""
}

// hits looks for the blocks of a page that rules ignore.
func hits(page []byte, o Options) ([]Hit, error) {
	sc, err := newScope(o)
	if err != nil {
		return nil, err
	}
	d := parse(page)
	in, _ := sc.of(d)
	by := map[string]Hit{}
	for n := range d.blocks {
		if !d.inScope(n, in) {
			continue
		}
		if rule := sc.hiddenBy(d, n); rule != "" {
			h := by[rule]
			if h.Blocks++; h.Blocks == 1 {
				h.Text = clean(d.textOf(n))
			}
			by[rule] = h
		}
	}
	out := make([]Hit, len(o.IgnoreBlocks))
	for i, r := range o.IgnoreBlocks {
		out[i] = by[strings.Join(strings.Fields(r), " ")]
	}
	return out, nil
}
