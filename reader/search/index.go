// Package search finds items by the words of their texts. It keeps an inverted index
// in the cache: what package words cuts a text into leads to the items in which it
// stands, and where. What Find gives is what a scan of all texts with words.Phrase
// would find, no more and no less.
//
// The index is made of segments, each of at most maxDocs texts, which are never
// changed but for the note of which of their texts are out of date. New texts make a
// small segment; small ones are merged. Everything can be rebuilt from the library.
package search

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math/bits"

	"diurna/store"
)

// Bucket is where the index lies in the cache.
const Bucket = "search"

const (
	version = 3    // of what lies in the cache; another one is built again
	maxDocs = 4096 // texts in a segment, so that a term's list is one short record
	headKey = "head"
)

// The records of a segment: kind, number, and for blocks the last term in them.
const (
	kindTable = 'd' // the texts
	kindDead  = 'x' // which of them are out of date
	kindTerms = 't' // terms and the places where they stand
	kindHeavy = 'n' // how often what is heavy stands in each text
)

// Cache is the part of the store that the index lies in.
type Cache interface {
	View(ctx context.Context, bucket string, fn func(*store.CacheTx) error) error
	Update(ctx context.Context, bucket string, fn func(*store.CacheTx) error) error
	Delete(ctx context.Context, bucket string) error
}

// head tells what the index holds. It is written last: segments that it does not
// name are leftovers.
type head struct {
	Version  int       `json:"version"`
	Library  string    `json:"library"` // which library it is of
	Fact     uint64    `json:"fact"`    // all texts up to this fact are in it
	Goal     uint64    `json:"goal,omitempty"`
	After    uint64    `json:"after,omitempty"` // of those up to Goal, the items up to this one
	Next     uint32    `json:"next"`            // number of the next segment
	Segments []segment `json:"segments,omitempty"`

	begin bool // with the next write everything there is goes
}

// segment is what the head says of one.
type segment struct {
	No     uint32 `json:"no"`
	Docs   int    `json:"docs"`
	Dead   int    `json:"dead,omitempty"`
	Tokens int    `json:"tokens"`
}

func segmentKey(kind byte, no uint32) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, no))
}

// readHead is the head of the index; an empty one if there is none.
func readHead(x *store.CacheTx) (head, error) {
	v, err := x.Get(headKey)
	h := head{}
	if err == nil && v != nil && json.Unmarshal(v, &h) != nil {
		err = errSpoilt
	}
	return h, err
}

// same tells whether nobody has added texts since.
func (h *head) same(was *head) bool {
	return h.Version == was.Version && h.Library == was.Library && h.Fact == was.Fact && h.Goal == was.Goal && h.After == was.After
}

func (h *head) write(x *store.CacheTx) error {
	v, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return x.Put(headKey, v)
}

// docs and tokens are how much is indexed.
func (h *head) docs() (docs, tokens int) {
	for _, s := range h.Segments {
		docs += s.Docs - s.Dead
		tokens += s.Tokens
	}
	return docs, tokens
}

// docSize is a text's row in the table of its segment.
const docSize = 22

// docRow is what the table says of a text: its item, when it stands in the lists, and
// how many words its fields have. The fields' positions follow one another with a gap
// of one, in which no phrase can stand.
type docRow struct {
	item                      store.ItemID
	hour                      uint32 // since 1970
	title, author, link, text uint32 // words
}

func (d *docRow) append(to []byte) []byte {
	to = binary.LittleEndian.AppendUint64(to, uint64(d.item))
	to = binary.LittleEndian.AppendUint32(to, d.hour)
	to = binary.LittleEndian.AppendUint16(to, uint16(min(d.title, 1<<16-1)))
	to = binary.LittleEndian.AppendUint16(to, uint16(min(d.author, 1<<16-1)))
	to = binary.LittleEndian.AppendUint16(to, uint16(min(d.link, 1<<16-1)))
	return binary.LittleEndian.AppendUint32(to, d.text)
}

// table is the rows of a segment, as they lie in the cache.
type table []byte

func (t table) len() int { return len(t) / docSize }

func (t table) item(doc int) store.ItemID {
	return store.ItemID(binary.LittleEndian.Uint64(t[doc*docSize:]))
}

// lengths are how many places its text has, without the gap after it, and its other fields
// with theirs.
func (t table) lengths(doc int) (before, text uint32) {
	b := t[doc*docSize:][:docSize]
	return uint32(binary.LittleEndian.Uint16(b[12:])) + uint32(binary.LittleEndian.Uint16(b[14:])) + uint32(binary.LittleEndian.Uint16(b[16:])) + 3,
		binary.LittleEndian.Uint32(b[18:])
}

func (t table) hour(doc int) uint32 { return binary.LittleEndian.Uint32(t[doc*docSize+8:]) }

// words is how long a text is for the score.
func (t table) words(doc int) uint32 {
	b := t[doc*docSize:][:docSize]
	return uint32(binary.LittleEndian.Uint16(b[12:])) + uint32(binary.LittleEndian.Uint16(b[14:])) + binary.LittleEndian.Uint32(b[18:])
}

func (t table) row(doc int) docRow {
	b := t[doc*docSize:]
	return docRow{store.ItemID(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:]),
		uint32(binary.LittleEndian.Uint16(b[12:])), uint32(binary.LittleEndian.Uint16(b[14:])), uint32(binary.LittleEndian.Uint16(b[16:])), binary.LittleEndian.Uint32(b[18:])}
}

// places is how many there are of a text, each field with the gap after it.
func (d *docRow) places() uint32 { return d.title + d.author + d.link + d.text + 4 }

// field is where a place of a text lies.
func (d *docRow) field(at uint32) int {
	switch {
	case at < d.title+1:
		return atTitle
	case at < d.title+d.author+2:
		return atAuthor
	case at < d.title+d.author+d.link+3:
		return atLink
	}
	return atText
}

// words is how long it is for the score.
func (d *docRow) words() uint32 { return d.title + d.author + d.text }

// set is a set of texts of a segment.
type set []uint64

func newSet(docs int) set      { return make(set, (docs+63)/64) }
func (s set) add(doc int)      { s[doc/64] |= 1 << (doc % 64) }
func (s set) remove(doc int)   { s[doc/64] &^= 1 << (doc % 64) }
func (s set) has(doc int) bool { return s[doc/64]>>(doc%64)&1 != 0 }

// each calls visit for each, ascending.
func (s set) each(visit func(doc int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !visit(i*64 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

func (s set) encode() (b []byte) {
	for _, w := range s {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// count is how many there are.
func (s set) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
