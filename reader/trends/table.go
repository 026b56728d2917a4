package trends

import (
	"encoding/binary"
	"slices"

	"diurna/store"
)

// maxPerFeed is how many items of one feed count in one day: the first by number. A feed
// that posts more has those listed, and no terms of them.
const maxPerFeed = 200

// daySeconds is a day of UTC, by which tables are kept.
const daySeconds = 24 * 3600

func dayOf(at int64) int64 { return at / daySeconds }

// doc is an item of a table.
type doc struct {
	item store.ItemID
	at   int64 // unix s
}

// pair says that a term is in an item.
type pair struct {
	hash uint64
	doc  uint32 // place in docs
}

// table is what the items of a day hold.
type table struct {
	docs  []doc // ascending by item
	pairs []pair
}

// counted says which of docs, ascending by item, count.
func counted(docs []doc) []bool {
	out := make([]bool, len(docs))
	n := 0
	for i := range docs {
		if i > 0 && docs[i].item.Feed() != docs[i-1].item.Feed() {
			n = 0
		}
		out[i] = n < maxPerFeed
		n++
	}
	return out
}

// encode writes the table: the items, then each term with the items that hold it.
func (t *table) encode(day int64) []byte {
	slices.SortFunc(t.pairs, func(a, b pair) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return int(a.doc) - int(b.doc)
	})
	t.pairs = slices.Compact(t.pairs)
	out := binary.AppendUvarint(make([]byte, 0, len(t.docs)*6+len(t.pairs)*6+16), uint64(len(t.docs)))
	last := uint64(0)
	for _, d := range t.docs {
		out = binary.AppendUvarint(out, uint64(d.item)-last)
		out = binary.AppendUvarint(out, uint64(d.at-day*daySeconds))
		last = uint64(d.item)
	}
	var list []byte
	last = 0
	for rest := t.pairs; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].hash == rest[0].hash {
			n++
		}
		out = binary.AppendUvarint(out, rest[0].hash-last)
		out = binary.AppendUvarint(out, uint64(n))
		last = rest[0].hash
		list = list[:0]
		before := uint32(0)
		for _, p := range rest[:n] {
			list = binary.AppendUvarint(list, uint64(p.doc-before))
			before = p.doc
		}
		if n > 1 {
			out = binary.AppendUvarint(out, uint64(len(list)))
		}
		out = append(out, list...)
		rest = rest[n:]
	}
	return out
}

// bytesReader reads what encode wrote. bad is set by what does not decode.
type bytesReader struct {
	b   []byte
	bad bool
}

func (r *bytesReader) uvarint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := uint64(r.b[0])
		r.b = r.b[1:]
		return v
	}
	return r.long()
}

func (r *bytesReader) long() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// readDocs reads the items of a table.
func readDocs(r *bytesReader, day int64) []doc {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	docs := make([]doc, n)
	last := uint64(0)
	for i := range docs {
		last += r.uvarint()
		docs[i] = doc{store.ItemID(last), day*daySeconds + int64(r.uvarint())}
	}
	return docs
}

// cursor stands at a term of a table. The first call of next goes to the first one.
type cursor struct {
	bytesReader
	hash uint64
	n    int    // items
	list []byte // of them, as differences
	done bool
}

func (c *cursor) next() bool {
	if len(c.b) == 0 {
		c.done = true
		return false
	}
	c.hash += c.uvarint()
	n := c.uvarint()
	if c.n = int(n); n > 1 {
		size := c.uvarint()
		if size > uint64(len(c.b)) {
			c.bad, c.b = true, nil
			return false
		}
		c.list, c.b = c.b[:size], c.b[size:]
		return true
	}
	was := c.b
	c.uvarint()
	c.list = was[:len(was)-len(c.b)]
	return !c.bad
}

// seek goes to a term, or the first one behind it.
func (c *cursor) seek(hash uint64) bool {
	for !c.done && c.hash < hash {
		c.next()
	}
	return !c.done && c.hash == hash
}

// each visits the items of the term, of so many in the table.
func (c *cursor) each(docs int, visit func(doc int)) {
	r := bytesReader{b: c.list}
	at := uint64(0)
	for len(r.b) > 0 {
		if at += r.uvarint(); at >= uint64(docs) {
			c.bad = true
			return
		}
		visit(int(at))
	}
}

// decode reads a table; false where it does not decode.
func decode(b []byte, day int64) (table, bool) {
	c := cursor{bytesReader: bytesReader{b: b}}
	t := table{docs: readDocs(&c.bytesReader, day)}
	for c.next() {
		c.each(len(t.docs), func(i int) { t.pairs = append(t.pairs, pair{c.hash, uint32(i)}) })
	}
	return t, !c.bad
}
