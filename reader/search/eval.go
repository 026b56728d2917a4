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
	places, err := f.v.phrase(p.Words)
	if err != nil {
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
	doc := 0
	for i := 0; i < len(places); {
		for doc+1 < len(f.v.starts) && f.v.starts[doc+1] <= places[i] {
			doc++
		}
		if doc == f.v.table.len() {
			return nil, errSpoilt
		}
		row, start, end := f.v.table.row(doc), f.v.starts[doc], f.v.starts[doc+1]
		text, titled := 0, 0
		for ; i < len(places) && places[i] < end; i++ {
			switch in := row.field(places[i] - start); {
			case p.In&in == 0:
			case in == Title:
				titled++
			default:
				text++
			}
		}
		if text+titled == 0 || !f.v.alive.has(doc) {
			continue
		}
		to.texts++
		if f.negated == 0 {
			to.docs, to.freq = append(to.docs, int32(doc)), append(to.freq, float32(text+titled*titleTimes))
		}
		if among.has(doc) {
			out.add(doc)
		}
	}
	return out, nil
}

// phrase is the places at which a phrase begins.
func (v *view) phrase(p words.Phrase) ([]uint32, error) {
	var at []uint32
	list := p.Tokens()
	if n := len(list); n > 1 && list[n-1].Prefix && list[n-1].To == list[n-2].To {
		list = list[:n-1] // the last character of a run without spaces: the pair before it has it
	}
	for i, t := range list {
		term := termOf(t.Text)
		next, err := v.places(term, t.Prefix)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			at = next
		} else {
			at = followed(at, next, uint32(i))
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
