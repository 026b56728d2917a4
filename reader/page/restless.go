package page

import (
	"diurna/reader/align"
	"diurna/reader/ignore"
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
	have, names, hidden := map[string]bool{}, ignore.NamesOf(d), sc.rules.Parts(d)
	for n := range d.Blocks {
		if d.Blocks[n].Words() > align.LongLone || sc.Outside(d, n, in) {
			continue
		}
		words := d.BlockWords(n)
		if quietNumbers(words) || !m.flickers(slotOf(d, n, words)) {
			continue
		}
		changed, some := make([]bool, len(words)), false
		for i, w := range words {
			changed[i] = kind.HasDigit(w) && m.places[numberPlace(d, n, words, i)].restlessNumber()
		}
		if hidden != nil {
			for _, p := range hidden[n] {
				for _, w := range p.Words {
					changed[w-d.Blocks[n].W0], some = false, true
				}
			}
		}
		rule := names.Rule(n, ignore.Numbers, changed)
		if rule == "" && !some {
			rule = ignore.Of(d, n)
		}
		if rule != "" && !have[rule] {
			have[rule] = true
			out = append(out, rule)
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
