package trends

import (
	"encoding/binary"
	"slices"
	"sort"

	"diurna/store"
	"diurna/store/codec"
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
	Key uint64
	No  uint32 // place in docs
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
		if a.Key != b.Key {
			if a.Key < b.Key {
				return -1
			}
			return 1
		}
		return int(a.No) - int(b.No)
	})
	t.pairs = slices.Compact(t.pairs)
	out := binary.AppendUvarint(make([]byte, 0, len(t.docs)*6+len(t.pairs)*6+16), uint64(len(t.docs)))
	last := uint64(0)
	for _, d := range t.docs {
		out = binary.AppendUvarint(out, uint64(d.item)-last)
		out = binary.AppendUvarint(out, uint64(d.at-day*daySeconds))
		last = uint64(d.item)
	}
	// Terms of one item and terms of several stand apart, each with their hashes side by
	// side, so that a term is found without reading those before it.
	var ones, docsOf, many, places, lists []byte
	for rest := t.pairs; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Key == rest[0].Key {
			n++
		}
		if n == 1 {
			ones = appendHash(ones, rest[0].Key)
			docsOf = binary.BigEndian.AppendUint32(docsOf, rest[0].No)
		} else {
			many = appendHash(many, rest[0].Key)
			before := uint32(0)
			for _, p := range rest[:n] {
				lists = binary.AppendUvarint(lists, uint64(p.No-before))
				before = p.No
			}
			places = binary.BigEndian.AppendUint32(places, uint32(len(lists)))
			places = binary.BigEndian.AppendUint32(places, uint32(n))
		}
		rest = rest[n:]
	}
	out = binary.AppendUvarint(out, uint64(len(ones)/hashSize))
	out = append(append(out, ones...), docsOf...)
	out = binary.AppendUvarint(out, uint64(len(many)/hashSize))
	return append(append(append(out, many...), places...), lists...)
}

// hashSize is how many bytes a hash takes.
const hashSize = hashBits / 8

func appendHash(b []byte, hash uint64) []byte {
	return append(b, byte(hash>>40), byte(hash>>32), byte(hash>>24), byte(hash>>16), byte(hash>>8), byte(hash))
}

// readDocs reads the items of a table.
func readDocs(r *codec.Reader, day int64) []doc {
	n := r.Uvarint()
	if n > uint64(len(r.B)) {
		r.Bad = true
		return nil
	}
	docs := make([]doc, n)
	last := uint64(0)
	for i := range docs {
		last += r.Uvarint()
		docs[i] = doc{store.ItemID(last), day*daySeconds + int64(r.Uvarint())}
	}
	return docs
}

// cursor goes through terms of a table: those of one item, or those of several. The first
// call of next goes to the first one.
type cursor struct {
	hashes []byte
	one    []byte // of terms of one item: which
	places []byte // of the others: where their lists end, and how long they are
	lists  []byte
	at     int // the next term
	hash   uint64
	n      int // items
	done   bool
	bad    bool
}

// readTerms gives the two kinds of terms behind the items of a table.
func readTerms(r *codec.Reader) (of [2]cursor) {
	n := r.Uvarint()
	of[0].hashes, of[0].one = r.Take(n*hashSize), r.Take(n*4)
	n = r.Uvarint()
	of[1].hashes, of[1].places = r.Take(n*hashSize), r.Take(n*8)
	of[1].lists = r.B
	return of
}

func (c *cursor) hashAt(i int) uint64 {
	h := c.hashes[i*hashSize : i*hashSize+hashSize]
	return uint64(h[0])<<40 | uint64(h[1])<<32 | uint64(h[2])<<24 | uint64(h[3])<<16 | uint64(h[4])<<8 | uint64(h[5])
}

func (c *cursor) next() bool {
	if c.at*hashSize >= len(c.hashes) {
		c.done = true
		return false
	}
	c.hash, c.n = c.hashAt(c.at), 1
	if c.one == nil {
		c.n = int(binary.BigEndian.Uint32(c.places[c.at*8+4:]))
	}
	c.at++
	return true
}

// seek goes to a term, or the first one behind it.
func (c *cursor) seek(hash uint64) bool {
	if !c.done && (c.at == 0 || c.hash < hash) {
		all := len(c.hashes) / hashSize
		low, step := c.at, 1 // all before low are smaller
		for low+step <= all && c.hashAt(low+step-1) < hash {
			low += step
			step *= 2
		}
		c.at = low + sort.Search(min(step, all-low), func(i int) bool { return c.hashAt(low+i) >= hash })
		c.next()
	}
	return !c.done && c.hash == hash
}

// each visits the items of the term, of so many in the table.
func (c *cursor) each(docs int, visit func(doc int)) {
	i := c.at - 1
	if c.one != nil {
		if at := int(binary.BigEndian.Uint32(c.one[i*4:])); at < docs {
			visit(at)
		} else {
			c.bad = true
		}
		return
	}
	from, to := 0, int(binary.BigEndian.Uint32(c.places[i*8:]))
	if i > 0 {
		from = int(binary.BigEndian.Uint32(c.places[i*8-8:]))
	}
	if from > to || to > len(c.lists) {
		c.bad = true
		return
	}
	r := codec.Reader{B: c.lists[from:to]}
	at := uint64(0)
	for len(r.B) > 0 {
		if at += r.Uvarint(); at >= uint64(docs) || r.Bad {
			c.bad = true
			return
		}
		visit(int(at))
	}
}

// decode reads a table; false where it does not decode.
func decode(b []byte, day int64) (table, bool) {
	r := codec.Reader{B: b}
	t := table{docs: readDocs(&r, day)}
	bad := false
	for _, c := range readTerms(&r) {
		for !r.Bad && c.next() {
			c.each(len(t.docs), func(i int) { t.pairs = append(t.pairs, pair{c.hash, uint32(i)}) })
		}
		bad = bad || c.bad
	}
	return t, !bad && !r.Bad
}
