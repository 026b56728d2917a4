package page

import (
	"strings"

	"github.com/andybalholm/cascadia"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// Scope is the compiled rules of a watch.
type Scope struct {
	selects, ignores []cascadia.Selector
	blocks           map[string]bool
	places           []placeRule
}

func NewScope(o Options) (s Scope, err error) {
	if s.selects, err = align.Compile(o.Select); err != nil {
		return s, err
	}
	if s.ignores, err = align.Compile(o.Ignore); err != nil {
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

// Of returns which tokens of d are looked at; nil means all of them.
func (s Scope) Of(d *align.Document) (in align.Bitset, found bool) {
	if len(s.selects) == 0 && len(s.ignores) == 0 {
		return nil, true
	}
	return align.Chosen(d, s.selects, s.ignores)
}

// ruleOf is the rule that ignores a block of these words whatever its numbers.
func ruleOf(words []string) string { return kind.MaskAll(words) }

// rule is the rule that ignores a block, "" for long ones.
func rule(d *align.Document, block int) string {
	if d.Blocks[block].Words() > align.LongBlock {
		return ""
	}
	return align.Clean(ruleOf(d.BlockWords(block)))
}

// Outside reports whether a block is hidden by a rule.
func (s Scope) Outside(d *align.Document, block int, in align.Bitset) bool {
	if !d.InScope(block, in) {
		return true
	}
	return len(s.blocks) > 0 && s.hiddenBy(d, block) != ""
}

// hiddenBy is the rule that ignores a block, "" without one.
func (s Scope) hiddenBy(d *align.Document, block int) string {
	if rule := rule(d, block); s.blocks[rule] {
		return rule
	}
	for i := range s.places {
		if s.places[i].hides(d, block) {
			return s.places[i].rule
		}
	}
	return ""
}

// Hits says of each rule of o.IgnoreBlocks how many blocks of a page, as far as
// the selectors of o look at it, it ignores, and what the first of them says.
func Hits(page []byte, o Options) ([]Hit, error) {
	sc, err := NewScope(o)
	if err != nil {
		return nil, err
	}
	d := align.Parse(page)
	in, _ := sc.Of(d)
	by := map[string]Hit{}
	for n := range d.Blocks {
		if !d.InScope(n, in) {
			continue
		}
		if rule := sc.hiddenBy(d, n); rule != "" {
			h := by[rule]
			if h.Blocks++; h.Blocks == 1 {
				h.Text = align.Clean(d.TextOf(n))
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
