package page

import (
	"diurna/reader/align"
	"diurna/reader/kind"
)

// Restless lists the rules of the blocks of a page whose numbers change nearly
// every time, but for those that are no content by what they are.
func Restless(page []byte, m Memory, o Options) ([]string, error) {
	sc, err := NewScope(o)
	if err != nil {
		return nil, err
	}
	d := align.Parse(page)
	in, _ := sc.Of(d)
	var out []string
	have := map[string]bool{}
	for n := range d.Blocks {
		if d.Blocks[n].Words() > align.LongLone || sc.Outside(d, n, in) {
			continue
		}
		words := d.BlockWords(n)
		rule := ruleOf(words)
		if !have[rule] && !quietNumbers(words) && m.flickers(slotOf(d, n, words)) {
			have[rule] = true
			out = append(out, align.Clean(rule))
		}
	}
	return out, nil
}

// quietNumbers reports whether all numbers of a block are no content by what they are.
func quietNumbers(words []string) bool {
	dates := kind.DateSpans(words)
	for i, w := range words {
		if kind.HasDigit(w) && !kind.Of(words, i, i+1, dates).Quiet() {
			return false
		}
	}
	return true
}
