package search

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

// reset forgets all texts and keeps the memory.
func (l *layout) reset() { l.starts, l.body = l.starts[:0], l.body[:0] }

// tally is how often something stands in each text of a segment, by field.
type tally [fieldCount][]uint32

// The fields in the order in which they follow one another.
const (
	atTitle = iota
	atAuthor
	atLink
	atText
	fieldCount
)

// add counts places, which ascend; false if one is none.
func (t *tally) add(l *layout, rows table, places []uint32) bool {
	doc, next, end := 0, uint32(0), l.end()
	for _, p := range places {
		if p >= next {
			if p >= end {
				return false
			}
			doc = l.doc(p)
			next = l.starts[doc+1]
		}
		if p >= l.body[doc] {
			t[atText][doc]++
		} else {
			r := rows.row(doc)
			t[r.field(p-l.starts[doc])][doc]++
		}
	}
	return true
}

// reset makes it zeros for so many texts.
func (t *tally) reset(docs int) {
	for i := range t {
		if cap(t[i]) < docs {
			t[i] = make([]uint32, docs, mostDocs)
		}
		t[i] = t[i][:docs]
		clear(t[i])
	}
}
