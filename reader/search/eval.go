package search

import (
	"slices"

	"diurna/reader/words"
)

func (a All) eval(f *finder, among set) (set, error) {
	for _, tests := range []bool{false, true} {
		for _, e := range a {
			if _, ok := e.(Test); ok != tests {
				continue
			}
			in, err := e.eval(f, among)
			if err != nil {
				return nil, err
			}
			among = in
		}
	}
	return among, nil
}

func (a Any) eval(f *finder, among set) (set, error) {
	out := make(set, len(among))
	for _, e := range a {
		in, err := e.eval(f, among)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] |= in[i]
		}
	}
	return out, nil
}

func (n Not) eval(f *finder, among set) (set, error) {
	f.negated++
	in, err := n.Expr.eval(f, among)
	f.negated--
	if err != nil {
		return nil, err
	}
	out := slices.Clone(among)
	for i := range out {
		out[i] &^= in[i]
	}
	return out, nil
}

func (t Test) eval(f *finder, among set) (set, error) {
	out := slices.Clone(among)
	for doc := range f.v.table.len() {
		if out.has(doc) && !t(f.v.table.item(doc)) {
			out.remove(doc)
		}
	}
	return out, nil
}

func (p *Phrase) eval(f *finder, among set) (set, error) {
	if err := f.count(p); err != nil {
		return nil, err
	}
	to := f.phrases[p]
	if to == nil {
		to = new(found)
		f.phrases[p] = to
		if f.negated == 0 {
			f.order = append(f.order, to)
		}
	}
	out := make(set, len(among))
	for doc := range f.freqs.any.each {
		if !f.v.alive.has(doc) {
			continue
		}
		to.texts++
		in := among.has(doc)
		if in {
			out.add(doc)
		}
		if in && f.negated == 0 {
			to.docs, to.freq = append(to.docs, uint16(doc)), append(to.freq, float32(f.freqs.n[doc]))
		}
	}
	return out, nil
}

// count has in f.freqs how often a phrase stands in each text.
func (f *finder) count(p *Phrase) error {
	f.freqs.reset(f.v.table.len(), p.In)
	list := p.Words.Tokens()
	if n := len(list); n > 1 && list[n-1].Prefix && list[n-1].To == list[n-2].To {
		list = list[:n-1] // the last character of a run without spaces: the pair before it has it
	}
	if len(list) == 1 {
		return f.v.count(termOf(list[0].Text), list[0].Prefix, &f.freqs)
	}
	places, err := f.v.phrase(list)
	if err == nil && !f.freqs.add(f.v.lay(), f.v.table, places) {
		err = errSpoilt
	}
	return err
}

// phrase is the places at which a phrase begins, until it is asked for the next one.
func (v *view) phrase(list []words.Token) (at []uint32, err error) {
	for i, t := range list {
		to := &v.next
		if i == 0 {
			to = &v.first
		}
		if *to, err = v.places(termOf(t.Text), t.Prefix, (*to)[:0]); err != nil {
			return nil, err
		}
		if i == 0 {
			at = *to
		} else {
			at = followed(at, *to, uint32(i))
		}
		if len(at) == 0 {
			return nil, nil
		}
	}
	return at, nil
}

// followed keeps the places from which one of next is so far away.
func followed(at, next []uint32, away uint32) []uint32 {
	kept, j := at[:0], 0
	for _, p := range at {
		for j < len(next) && next[j] < p+away {
			j++
		}
		if j < len(next) && next[j] == p+away {
			kept = append(kept, p)
		}
	}
	return kept
}
