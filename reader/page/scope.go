package page

import (
	"strings"

	"github.com/andybalholm/cascadia"

	"diurna/reader/align"
	"diurna/reader/ignore"
)

// Scope is the compiled rules of a watch.
type Scope struct {
	selects, ignores []cascadia.Selector
	rules, reports   ignore.Rules
}

func NewScope(o Options) (s Scope, err error) {
	if s.selects, err = align.Compile(o.Select); err != nil {
		return s, err
	}
	if s.ignores, err = align.Compile(o.Ignore); err != nil {
		return s, err
	}
	s.rules, s.reports = ignore.Read(o.IgnoreBlocks), ignore.Read(o.ReportBlocks)
	return s, nil
}

// Of returns which tokens of d are looked at; nil means all of them.
func (s Scope) Of(d *align.Document) (in align.Bitset, found bool) {
	if len(s.selects) == 0 && len(s.ignores) == 0 {
		return nil, true
	}
	return align.Chosen(d, s.selects, s.ignores)
}

// Outside reports whether a block is hidden by a rule.
func (s Scope) Outside(d *align.Document, block int, in align.Bitset) bool {
	return !d.InScope(block, in) || s.rules.Hides(d, block) != ""
}

// Hits says of each rule of a list how many blocks of a page, as far as the
// selectors of o look at it, it finds, and what the first of them says.
func Hits(page []byte, list []string, o Options) ([]Hit, error) {
	sc, err := NewScope(o)
	if err != nil {
		return nil, err
	}
	sc.rules = ignore.Read(list)
	d := align.Parse(page)
	in, _ := sc.Of(d)
	by, parts, out := map[string]Hit{}, sc.rules.Parts(d), align.OutlineOf(d)
	hit := func(rule string, block int, text string) {
		h := by[rule]
		if h.Blocks++; h.Blocks == 1 {
			h.Text, h.Path = align.Clean(text), headings(d, &out, block)
		}
		by[rule] = h
	}
	for n := range d.Blocks {
		if !d.InScope(n, in) {
			continue
		}
		if rule := sc.rules.Hides(d, n); rule != "" {
			hit(rule, n, d.TextOf(n))
		}
		for i := 0; parts != nil && i < len(parts[n]); i++ {
			p := &parts[n][i]
			hit(p.Rule, n, d.Text(d.Words[p.Words[0]], d.Next(d.Words[p.Words[len(p.Words)-1]])))
		}
	}
	hits := make([]Hit, len(list))
	for i, r := range list {
		hits[i] = by[strings.Join(strings.Fields(r), " ")]
	}
	return hits, nil
}
