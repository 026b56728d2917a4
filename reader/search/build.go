package search

import (
	"encoding/binary"
	"hash/fnv"
	"sort"
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

// mostTerm bounds a term's length in bytes: of a longer word its beginning and a hash
// of the whole are kept, so that words still are equal only to themselves.
const mostTerm = 240

// What of a field is indexed, in words.
const (
	mostShort = 1<<16 - 1
	mostText  = 1 << 22
)

func termOf(word string) string {
	if len(word) <= mostTerm {
		return word
	}
	h := fnv.New64a()
	h.Write([]byte(word))
	return string(h.Sum([]byte(word[:mostTerm] + "\xff")))
}

// builder gathers texts for a new segment. Tokens are numbered as they come and put
// in order of their terms at the end.
type builder struct {
	numbers map[string]uint32
	terms   []string
	counts  []uint32
	term    []uint32 // of each token
	place   []uint32 // of each token
	end     uint32   // where the next text begins
	rows    []docRow
	gone    []store.ItemID // whose rows were removed
}

func newBuilder() *builder { return &builder{numbers: make(map[string]uint32, 1<<12)} }

// full tells that the segment should be written: a token costs 12 bytes until then.
func (b *builder) full() bool { return len(b.rows) >= mostDocs || len(b.term) >= 1<<20 }

func (b *builder) add(d *Doc) {
	row := docRow{item: d.Item, hour: uint32(max(d.At, 0) / 3600)}
	row.title = b.field(mostShort, d.Title)
	row.author = b.field(mostShort, d.Author)
	row.link = b.field(mostShort, d.Link)
	row.text = b.field(mostText, d.Texts...)
	b.rows = append(b.rows, row)
}

// field adds the words of texts and the gap after each of them. It counts the words,
// and the gaps between texts.
func (b *builder) field(most uint32, texts ...string) uint32 {
	from := b.end
	for i, text := range texts {
		if i > 0 && b.end > from {
			b.end++
		}
		b.cut(text, from+most)
	}
	count := b.end - from
	b.end++
	return count
}

// cut adds the words of a text, up to a place.
func (b *builder) cut(text string, most uint32) {
	for t := range words.Cut(text) {
		if b.end >= most {
			return
		}
		n, ok := b.numbers[t.Text]
		if !ok {
			n = uint32(len(b.terms))
			b.terms, b.counts = append(b.terms, termOf(t.Text)), append(b.counts, 0)
			b.numbers[strings.Clone(t.Text)] = n
		}
		b.counts[n]++
		b.term, b.place = append(b.term, n), append(b.place, b.end)
		b.end++
	}
}

// segment is all of it, ready to be written.
func (b *builder) segment() *output {
	order := make([]uint32, len(b.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	sort.Slice(order, func(i, j int) bool { return b.terms[order[i]] < b.terms[order[j]] })
	ends, sum := make([]uint32, len(b.terms)), uint32(0)
	heavy := newHeavies(len(b.rows))
	for _, n := range order {
		ends[n] = sum
		sum += b.counts[n]
		heavy.add(b.terms[n], int(b.counts[n]))
	}
	sorted := make([]uint32, len(b.place))
	for i, n := range b.term {
		sorted[ends[n]] = b.place[i]
		ends[n]++
	}
	out := new(output)
	for i := range b.rows {
		out.doc(&b.rows[i])
	}
	out.countHeavy(heavy.all())
	for _, n := range order {
		out.term(b.terms[n], sorted[ends[n]-b.counts[n]:ends[n]])
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
		h.reset(len(o.table) / docSize)
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
