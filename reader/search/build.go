package search

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"

	"diurna/reader/words"
	"diurna/store"
)

// Doc is a text as it is indexed.
type Doc struct {
	Item                store.ItemID
	At                  int64 // where it stands in the lists, unix seconds
	Title, Author, Link string
	Texts               []string
}

// maxTerm bounds a term's length in bytes: of a longer word its beginning and a hash
// of the whole are kept, so that words still are equal only to themselves.
const maxTerm = 240

// What of a field is indexed, in words.
const (
	maxShort = 1<<16 - 1
	maxText  = 1 << 22
)

func termOf(word string) string {
	if len(word) <= maxTerm {
		return word
	}
	h := fnv.New64a()
	h.Write([]byte(word))
	return string(h.Sum([]byte(word[:maxTerm] + "\xff")))
}

// builder gathers texts for a new segment. Words are numbered as they come and put in order
// of their terms at the end.
type builder struct {
	seed   maphash.Seed
	odd    uint64 // keys times this are their hashes, which nobody can foresee
	slots  []slot // by the hash of the key
	words  []string
	places []uint32 // the number of the word at each place, or gap
	rows   []docRow
	gone   []store.ItemID // whose rows were removed
}

// slot is a word, the number it has and how often it stands there. A word of eight bytes
// or fewer is its key; that of a longer one ends with a zero, as no word does.
type slot struct {
	key    uint64
	number uint32
	count  uint32
}

// gap is no word's number.
const gap = 1<<32 - 1

// newBuilder returns one for so many texts or fewer.
func newBuilder(docs int) *builder {
	return &builder{seed: maphash.MakeSeed(), odd: rand.Uint64() | 1, slots: make([]slot, 1<<13), places: make([]uint32, 0, min(docs*nearPlaces, maxPlaces))}
}

// maxPlaces bounds a segment, whose last text may go beyond.
const maxPlaces = 1 << 20

// full tells that the segment should be written.
func (b *builder) full() bool { return len(b.rows) >= maxDocs || len(b.places) >= maxPlaces }

// number is that of a word, which is counted.
func (b *builder) number(word string) uint32 {
	key := b.key(word)
	for i := b.hash(key); ; i++ {
		s := &b.slots[i&uint64(len(b.slots)-1)]
		if s.count == 0 {
			return b.newWord(word, key)
		}
		if s.key == key && (len(word) <= 8 || b.words[s.number] == word) {
			s.count++
			return s.number
		}
	}
}

func (b *builder) key(word string) (key uint64) {
	switch n := len(word); {
	case n > 8:
		return maphash.String(b.seed, word) &^ 0xff
	case n >= 4: // the second half and the first one, which may overlap
		return uint64(four(word[n-4:]))<<(8*n-32) | uint64(four(word))
	}
	for i := len(word) - 1; i >= 0; i-- {
		key = key<<8 | uint64(word[i])
	}
	return key
}

func four(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// hash is where the slot of a key is looked for first.
func (b *builder) hash(key uint64) uint64 { return key * b.odd >> 32 }

func (b *builder) newWord(word string, key uint64) uint32 {
	if 4*len(b.words) >= 3*len(b.slots) {
		old := b.slots
		b.slots = make([]slot, 2*len(old))
		for _, s := range old {
			if s.count > 0 {
				b.put(s)
			}
		}
	}
	n := uint32(len(b.words))
	b.words = append(b.words, strings.Clone(word))
	b.put(slot{key, n, 1})
	return n
}

// put fills the first free slot from that of its hash on.
func (b *builder) put(s slot) {
	i := b.hash(s.key)
	for b.slots[i&uint64(len(b.slots)-1)].count != 0 {
		i++
	}
	b.slots[i&uint64(len(b.slots)-1)] = s
}

func (b *builder) add(d *Doc) {
	row := docRow{item: d.Item, hour: uint32(max(d.At, 0) / 3600)}
	row.title = b.field(maxShort, d.Title)
	row.author = b.field(maxShort, d.Author)
	row.link = b.field(maxShort, d.Link)
	row.text = b.field(maxText, d.Texts...)
	b.rows = append(b.rows, row)
}

// field adds the words of texts and the gap after each of them. It counts the words,
// and the gaps between texts.
func (b *builder) field(most int, texts ...string) uint32 {
	from := len(b.places)
	for i, text := range texts {
		if i > 0 && len(b.places) > from {
			b.places = append(b.places, gap)
		}
		b.cut(text, from+most)
	}
	count := len(b.places) - from
	b.places = append(b.places, gap)
	return uint32(count)
}

// cut adds the words of a text, up to a place.
func (b *builder) cut(text string, most int) {
	for t := range words.Cut(text) {
		if len(b.places) >= most {
			return
		}
		b.places = append(b.places, b.number(t.Text))
	}
}

// order are the numbers of terms in their order. Most are told apart by their first eight
// bytes.
func order(terms []string) []uint32 {
	// The fields are those of what trends sorts: one sort is compiled for both, of 10 KB.
	type key struct {
		Key uint64
		No  uint32
	}
	keys := make([]key, len(terms))
	for i, t := range terms {
		var head [8]byte
		copy(head[:], t)
		keys[i] = key{binary.BigEndian.Uint64(head[:]), uint32(i)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		if x.Key != y.Key {
			return cmp.Compare(x.Key, y.Key)
		}
		return strings.Compare(terms[x.No], terms[y.No])
	})
	out := make([]uint32, len(keys))
	for i, k := range keys {
		out[i] = k.No
	}
	return out
}

// segment is all of it, ready to be written.
func (b *builder) segment() *output {
	terms, counts := make([]string, len(b.words)), make([]uint32, len(b.words))
	for i, w := range b.words {
		terms[i] = termOf(w)
	}
	for _, s := range b.slots {
		if s.count > 0 {
			counts[s.number] = s.count
		}
	}
	order := order(terms)
	ends, sum := make([]uint32, len(terms)), uint32(0)
	heavy := newHeavies(len(b.rows))
	for _, n := range order {
		ends[n] = sum
		sum += counts[n]
		heavy.add(terms[n], int(counts[n]))
	}
	sorted := make([]uint32, sum)
	for place, n := range b.places {
		if n != gap {
			sorted[ends[n]] = uint32(place)
			ends[n]++
		}
	}
	out := new(output)
	for i := range b.rows {
		out.doc(&b.rows[i])
	}
	out.countHeavy(heavy.all())
	for _, n := range order {
		out.term(terms[n], sorted[ends[n]-counts[n]:ends[n]])
	}
	return out
}

// blockSize is how long a block of terms may become, unless one term alone is longer:
// what one look at a term reads. With bbolt's heads it fills four pages.
const blockSize = 4*4096 - 160

// record is one that is to be written.
type record struct {
	last string // term in the block
	val  []byte
}

// output is a segment being written: its terms come in order.
type output struct {
	table   []byte
	tokens  int
	records []record
	layout  layout
	heavies []*heavy

	// The block that is being written.
	names, lists, list []byte
	count              int
	last               string
}

func (o *output) doc(d *docRow) {
	o.table = d.append(o.table)
	o.tokens += int(d.words())
	o.layout.add(d)
}

// countHeavy has what is heavy counted in the terms that come, once all texts are there.
func (o *output) countHeavy(list []*heavy) {
	if o.heavies = list; len(list) > 0 {
		o.layout.index()
	}
	for _, h := range list {
		h.tally = newTally(len(o.table) / docSize)
	}
}

// term adds a term and the places at which it stands, of which there is one at least.
func (o *output) term(term string, places []uint32) {
	for _, h := range o.heavies {
		if h.is(term) {
			h.tally.add(&o.layout, o.table, places)
		}
	}
	o.list = appendPlaces(o.list[:0], places)
	if len(o.names)+len(o.lists)+len(o.list)+len(term)+16 > blockSize {
		o.endBlock()
	}
	shared := 0
	if o.count > 0 {
		shared = sharedLen(o.last, term)
	}
	o.names = binary.AppendUvarint(o.names, uint64(shared))
	o.names = binary.AppendUvarint(o.names, uint64(len(term)-shared))
	o.names = append(o.names, term[shared:]...)
	o.names = binary.AppendUvarint(o.names, uint64(len(places)))
	o.names = binary.AppendUvarint(o.names, uint64(len(o.list)))
	o.lists = append(o.lists, o.list...)
	o.count, o.last = o.count+1, term
}

func (o *output) endBlock() {
	if o.count == 0 {
		return
	}
	block := binary.AppendUvarint(make([]byte, 0, len(o.names)+len(o.lists)+8), uint64(len(o.names)))
	block = append(append(block, o.names...), o.lists...)
	o.records = append(o.records, record{last: o.last, val: block})
	o.names, o.lists, o.count = o.names[:0], o.lists[:0], 0
}

func sharedLen(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
