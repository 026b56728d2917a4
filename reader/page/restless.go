package page

import "diurna/reader/align"

// Restless lists the rules of the blocks of a page whose numbers change nearly
// every time.
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
		if !have[rule] && m.flickers(slotOf(d, n, words)) {
			have[rule] = true
			out = append(out, align.Clean(rule))
		}
	}
	return out, nil
}
