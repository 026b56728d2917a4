package record

import (
	"encoding/binary"
	"slices"
	"strings"

	"diurna/store/codec"
)

// Tombstone is what is left of an item whose row was removed, for Ranked, which learned from it.
type Tombstone struct {
	N             uint32
	Title, Author string
	Categories    []string
	Edits         int
	Text          string // Body.Kept of it
}

// The tombstones of a feed lie in blocks in Bodies, under the number of the first of each as pairs do.
// A block has a list of its words, in their order, and the texts as places in it, so that a text whose
// words are in order takes a byte for each.
const (
	// tombstonesInBlock share a list of words, and are packed again when one joins them.
	tombstonesInBlock = 512
	// MaxTombstone is the size of the texts of the largest, and of all in a block.
	MaxTombstone = 1 << 20
)

// Item is the record of the item.
func (t *Tombstone) Item() ItemRecord {
	return ItemRecord{Title: t.Title, Author: t.Author, Categories: t.Categories, Edits: t.Edits, BodySize: len(t.Text)}
}

// Size is how many bytes the texts have.
func (t *Tombstone) Size() int {
	size := len(t.Title) + len(t.Author) + len(t.Text)
	for _, c := range t.Categories {
		size += len(c) + 1
	}
	return size
}

// PackTombstones is the block of the first of some tombstones, which ascend, and how many it holds.
func (p *Packer) PackTombstones(tombs []Tombstone) (block []byte, n int, err error) {
	for size := 0; n < min(len(tombs), tombstonesInBlock); n++ {
		if size += tombs[n].Size(); n > 0 && size > MaxTombstone {
			break
		}
	}
	block, err = p.Pack([]Entry{{N: tombs[0].N, Body: Body{HTML: string(appendTombstones(nil, tombs[:n]))}}})
	return block, n, err
}

// UnpackTombstones reads a block, of one at least; false for anything that PackTombstones has not made.
func (p *Packer) UnpackTombstones(block []byte) ([]Tombstone, bool) {
	chunk, ok := p.Unpack(block)
	if !ok || len(chunk) != 1 {
		return nil, false
	}
	tombs, ok := readTombstones([]byte(chunk[0].Body.HTML))
	return tombs, ok && len(tombs) > 0 && tombs[0].N == chunk[0].N
}

// texts are all texts of tombstones, column by column.
func texts(tombs []Tombstone) []*string {
	var out []*string
	for i := range tombs {
		out = append(out, &tombs[i].Title)
	}
	for i := range tombs {
		out = append(out, &tombs[i].Author)
	}
	for i := range tombs {
		for j := range tombs[i].Categories {
			out = append(out, &tombs[i].Categories[j])
		}
	}
	for i := range tombs {
		out = append(out, &tombs[i].Text)
	}
	return out
}

// appendTombstones adds to dst a block of tombstones, which ascend.
func appendTombstones(dst []byte, tombs []Tombstone) []byte {
	number := map[string]int{} // by the order in which words come first
	var words []string
	var said []int // the numbers of all words, text by text
	columns := texts(tombs)
	lens := make([]int, len(columns))
	for i, text := range columns {
		for rest, more := *text, true; more; {
			var word string
			word, rest, more = strings.Cut(rest, " ")
			no, known := number[word]
			if !known {
				no = len(words)
				number[word] = no
				words = append(words, word)
			}
			said = append(said, no)
			lens[i]++
		}
	}
	place := make([]int, len(words))
	slices.Sort(words)
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	last := ""
	for i, word := range words {
		place[number[word]] = i
		same := 0
		for same < min(len(last), len(word)) && last[same] == word[same] {
			same++
		}
		dst = codec.AppendString(binary.AppendUvarint(dst, uint64(same)), word[same:])
		last = word
	}
	dst = binary.AppendUvarint(dst, uint64(len(tombs)))
	n := uint32(0)
	for i := range tombs {
		r := &tombs[i]
		for _, x := range []uint64{uint64(r.N - n), uint64(r.Edits), uint64(len(r.Categories))} {
			dst = binary.AppendUvarint(dst, x)
		}
		n = r.N
	}
	for _, n := range lens {
		dst = binary.AppendUvarint(dst, uint64(n-1))
	}
	for _, n := range lens {
		at := 0
		for _, no := range said[:n] {
			dst = binary.AppendVarint(dst, int64(place[no]-at))
			at = place[no]
		}
		said = said[n:]
	}
	return dst
}

// readTombstones reads what appendTombstones wrote; false for anything else.
func readTombstones(b []byte) (tombs []Tombstone, ok bool) {
	r := codec.Reader{B: b}
	words := make([]string, r.Count(1))
	last := ""
	for i := range words {
		same := r.Uvarint()
		if same > uint64(len(last)) {
			return nil, false
		}
		last = last[:same] + r.Text()
		words[i] = last
	}
	tombs = make([]Tombstone, r.Count(1))
	n, categories := uint64(0), 0
	for i := range tombs {
		step := r.Uvarint()
		if n += step; i > 0 && step == 0 || step > 1<<32-1 || n > 1<<32-1 {
			return nil, false
		}
		tombs[i] = Tombstone{N: uint32(n), Edits: int(r.Uvarint())}
		if of := r.Count(1); of > 0 {
			if categories += of; categories > len(r.B) {
				return nil, false
			}
			tombs[i].Categories = make([]string, of)
		}
	}
	columns := texts(tombs)
	lens := make([]int, len(columns))
	for i := range lens {
		lens[i] = r.Count(1) + 1
	}
	size := 0
	var text []string
	for i, into := range columns {
		at := int64(0)
		text = text[:0]
		for range lens[i] {
			if at += r.Varint(); r.Bad || at < 0 || at >= int64(len(words)) {
				return nil, false
			}
			text = append(text, words[at])
			if size += len(words[at]) + 1; size > MaxBody {
				return nil, false
			}
		}
		*into = strings.Join(text, " ")
	}
	return tombs, r.Done()
}
