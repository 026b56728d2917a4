package record

import (
	"encoding/binary"

	"diurna/store/codec"
)

// Items whose texts were removed lie in blocks as well while they are read, neither saved nor tagged
// and of a feed that is there: their records in Items and the rest of their texts in Bodies, above the
// tombstones. In front of ReadRows stands a place for each block, for the lists.
const (
	itemsInBlock = 512
	// MaxPackedItem is the size of the largest record and of the largest text; MaxTombstone is
	// that of all in a block.
	MaxPackedItem = 64 << 10
	// AboveTombstones is set in the keys of blocks of texts.
	AboveTombstones = 1 << 32
)

// PackedItem is an item in a block, with the text that is left of it.
type PackedItem struct {
	nums  [packedNums]int64
	texts [packedTexts]string
	Lead  string // Body.Kept of it; only while it is put
}

// The numbers and texts of an entry. Texts have their lengths behind the numbers.
const (
	packedN = iota
	packedAt
	packedWords
	packedPublished // less At, which it mostly is
	packedUpdated
	packedSeen
	packedRemoved
	packedHash
	packedNums

	packedTitle  = 0
	packedAuthor = 1
	packedRest   = 2 // the other fields of its record
	packedTexts  = 3
)

// NewPackedItem makes an entry of an item; false if it says more than an entry holds.
func NewPackedItem(n uint32, st *State, it *ItemRecord, text *Body) (PackedItem, bool) {
	if st.Flags != FlagRead || len(st.Tags) > 0 || st.Hash != it.Hash || it.Was != "" || it.TextRemoved == 0 || text.HTML != "" || text.Size() != it.BodySize {
		return PackedItem{}, false
	}
	p := PackedItem{nums: [...]int64{int64(n), st.At, int64(it.Words), it.Published - st.At*1000, it.Updated, it.FirstSeen, it.TextRemoved, int64(it.Hash)}, Lead: text.Kept()}
	r := *it
	r.Words, r.Title, r.Author, r.Published, r.Updated, r.FirstSeen, r.TextRemoved, r.Hash = 0, "", "", 0, 0, 0, 0, 0
	p.texts = [...]string{it.Title, it.Author, string(r.Encode(nil))}
	return p, p.size() <= MaxPackedItem && len(p.Lead) <= MaxPackedItem
}

func (p *PackedItem) size() int { return len(p.texts[0]) + len(p.texts[1]) + len(p.texts[2]) }

// N is the number of the item.
func (p *PackedItem) N() uint32 { return uint32(p.nums[packedN]) }

// At is where it stands in the lists, as its State has it.
func (p *PackedItem) At() int64 { return p.nums[packedAt] }

// Row is what lists show of it.
func (p *PackedItem) Row() (words uint32, title, author string) {
	return uint32(p.nums[packedWords]), p.texts[packedTitle], p.texts[packedAuthor]
}

// Item reads the record into it; false if it does not decode.
func (p *PackedItem) Item(it *ItemRecord) bool {
	*it = ItemRecord{}
	ok := it.Decode([]byte(p.texts[packedRest]))
	it.Words, it.Title, it.Author = p.Row()
	it.Published, it.Updated, it.FirstSeen = p.nums[packedPublished]+p.At()*1000, p.nums[packedUpdated], p.nums[packedSeen]
	it.TextRemoved, it.Hash = p.nums[packedRemoved], uint64(p.nums[packedHash])
	return ok
}

// State is the state of the item.
func (p *PackedItem) State() State {
	return State{Flags: FlagRead, At: p.At(), Hash: uint64(p.nums[packedHash])}
}

// PackItems makes the two blocks of the first of some items, which ascend: of their records, behind
// their number, and of their texts. n is how many they hold.
func (p *Packer) PackItems(items []PackedItem) (block, leads []byte, n int, err error) {
	var texts []Tombstone
	for size := 0; n < min(len(items), itemsInBlock); n++ {
		it := &items[n]
		if size += it.size() + len(it.Lead); n > 0 && size > MaxTombstone {
			break
		}
		texts = append(texts, Tombstone{N: it.N(), Text: it.Lead})
	}
	if leads, _, err = p.PackTombstones(texts); err != nil {
		return nil, nil, 0, err
	}
	block, err = p.Pack([]Entry{{N: items[0].N(), Body: Body{HTML: string(appendItems(nil, items[:n]))}}})
	return append(binary.AppendUvarint(nil, uint64(n)), block...), leads, n, err
}

// UnpackItems reads a block of records, of one at least; false for anything that PackItems has not
// made.
func (p *Packer) UnpackItems(block []byte) ([]PackedItem, bool) {
	r := codec.Reader{B: block}
	n := r.Uvarint()
	chunk, ok := p.Unpack(r.B)
	if !ok || len(chunk) != 1 {
		return nil, false
	}
	items, ok := readItems(chunk[0].Body.HTML)
	return items, ok && len(items) > 0 && uint64(len(items)) == n && items[0].N() == chunk[0].N
}

// UnpackLeads reads a block of texts as tombstones that say nothing else, or one of before
// LeadsSchema, which is a chunk; false for anything else.
func (p *Packer) UnpackLeads(block []byte) (leads []Tombstone, ok bool) {
	chunk, ok := p.Unpack(block)
	if ok && len(chunk) == 1 && chunk[0].Body.HTML != "" {
		return p.UnpackTombstones(block)
	}
	for i := range chunk {
		leads = append(leads, Tombstone{N: chunk[i].N, Text: chunk[i].Body.Kept()})
	}
	return leads, ok
}

// appendItems adds items, column by column: what is alike stands together. Of a number stands how
// much more it is than that of the item before.
func appendItems(dst []byte, items []PackedItem) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(items)))
	for column := range packedNums {
		before := int64(0)
		for i := range items {
			x := items[i].nums[column]
			dst = binary.AppendVarint(dst, x-before)
			before = x
		}
	}
	for column := range packedTexts {
		for i := range items {
			dst = binary.AppendUvarint(dst, uint64(len(items[i].texts[column])))
		}
	}
	for column := range packedTexts {
		for i := range items {
			dst = append(dst, items[i].texts[column]...)
		}
	}
	return dst
}

// readItems reads what appendItems wrote; false for anything else.
func readItems(text string) ([]PackedItem, bool) {
	r := codec.Reader{B: []byte(text)}
	n := r.Count(1)
	if n > itemsInBlock {
		return nil, false
	}
	items := make([]PackedItem, n)
	for column := range packedNums {
		x := int64(0)
		for i := range items {
			step := r.Varint()
			x += step
			items[i].nums[column] = x
			switch column {
			case packedN:
				r.Bad = r.Bad || x < 0 || x > 1<<32-1 || i > 0 && step <= 0
			case packedWords:
				r.Bad = r.Bad || x < 0 || x > 1<<32-1
			}
		}
	}
	lens := make([]uint64, packedTexts*len(items))
	for i := range lens {
		lens[i] = r.Uvarint()
	}
	for i, n := range lens {
		at := len(text) - len(r.B)
		r.Take(n)
		if r.Bad {
			return nil, false
		}
		items[i%len(items)].texts[i/len(items)] = text[at:][:n]
	}
	return items, r.Done()
}
