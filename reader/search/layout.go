package search

import "slices"

// layout says where the texts of a segment lie in its places.
type layout struct {
	starts []uint32 // place of each text's first word; one more for the end
	body   []uint32 // place of the first word of each text that is in no shorter field
	near   []uint16 // of each nearPlaces places: the text in which the first of them lies
}

// nearPlaces is about how many words a text has: more would be passed over one by one.
const nearPlaces = 256

// add appends a text.
func (l *layout) add(r *docRow) {
	if len(l.starts) == 0 {
		l.starts = append(l.starts, 0)
	}
	start := l.end()
	l.starts = append(l.starts, start+r.places())
	l.body = append(l.body, start+r.title+r.author+r.link+3)
}

// end is one place behind the last one.
func (l *layout) end() uint32 { return l.starts[len(l.starts)-1] }

// of makes it that of the texts of a segment.
func (l *layout) of(t table) {
	n := t.len()
	l.starts, l.body = slices.Grow(l.starts[:0], n+1)[:n+1], slices.Grow(l.body[:0], n)[:n]
	end := uint32(0)
	for i := range n {
		l.starts[i] = end
		before, text := t.lengths(i)
		l.body[i] = end + before
		end += before + text + 1
	}
	l.starts[n] = end
	l.index()
}

// index prepares doc, once all texts are added.
func (l *layout) index() {
	l.near = l.near[:0]
	doc := 0
	for p := uint32(0); p < l.end(); p += nearPlaces {
		for l.starts[doc+1] <= p {
			doc++
		}
		l.near = append(l.near, uint16(doc))
	}
}

// doc is the text in which a place lies. It must lie before the end.
func (l *layout) doc(place uint32) int {
	doc := int(l.near[place/nearPlaces])
	for l.starts[doc+1] <= place {
		doc++
	}
	return doc
}

// The fields in the order in which they follow one another.
const (
	atTitle = iota
	atAuthor
	atLink
	atText
	fieldCount
)

// tally is how often something stands in each text of a segment, by field.
type tally [fieldCount][]uint32

func newTally(docs int) (t tally) {
	for i := range t {
		t[i] = make([]uint32, docs)
	}
	return t
}

// add counts places, which ascend, up to the first that is none.
func (t *tally) add(l *layout, rows table, places []uint32) {
	doc, next, body, end := 0, uint32(0), uint32(0), l.end()
	for _, p := range places {
		if p >= next {
			if p >= end {
				return
			}
			doc = l.doc(p)
			next, body = l.starts[doc+1], l.body[doc]
		}
		if p >= body {
			t[atText][doc]++
			continue
		}
		r := rows.row(doc)
		t[r.field(p-l.starts[doc])][doc]++
	}
}

// freqs is how often something stands in the wanted fields of each text, as the score counts it.
type freqs struct {
	any   set // in which texts at all
	n     []uint32
	times [fieldCount]uint32 // how much a field counts; 0: it is not wanted
}

// reset makes it zeros for so many texts.
func (f *freqs) reset(docs int, in Fields) {
	if f.n == nil {
		f.any, f.n = newSet(maxDocs), make([]uint32, maxDocs)
	}
	f.any, f.n = f.any[:(docs+63)/64], f.n[:docs]
	clear(f.any)
	clear(f.n)
	for i, times := range [fieldCount]uint32{atTitle: titleTimes, atAuthor: 1, atLink: 1, atText: 1} {
		f.times[i] = times * uint32(in>>i&1)
	}
}

// add counts places, which ascend; false if one is none.
func (f *freqs) add(l *layout, rows table, places []uint32) bool {
	doc, next, body, end := 0, uint32(0), uint32(0), l.end()
	n, ofText := uint32(0), f.times[atText] // n: so far in doc
	for _, p := range places {
		if p >= next {
			f.put(doc, n)
			if p >= end {
				return false
			}
			doc, n = l.doc(p), 0
			next, body = l.starts[doc+1], l.body[doc]
		}
		if p >= body {
			n += ofText
			continue
		}
		r := rows.row(doc)
		n += f.times[r.field(p-l.starts[doc])]
	}
	f.put(doc, n)
	return true
}

func (f *freqs) put(doc int, n uint32) {
	if n > 0 {
		f.n[doc] += n
		f.any.add(doc)
	}
}
