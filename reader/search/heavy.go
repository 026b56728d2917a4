package search

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"diurna/store"
	"diurna/store/codec"
)

// Of the terms and beginnings of terms that stand in a segment most often, such as all
// words that begin with t, a record says how often they stand in each text. There are few
// of them, since all beginnings of one length share the words among them; without the
// records each of their places would be read.

// What is heavy stands so often per text, a beginning and a term, and so often in all. A
// test has more of it.
var (
	heavyPerDoc = 12
	heavyTerm   = 4
	heavyAtAll  = 4096
)

// heavyDocs is how many texts a segment with such records has at least. The smaller ones
// together have hardly more texts than one of the largest, and are made all the time.
var heavyDocs = maxDocs / 2

// maxBeginning bounds the beginnings by their characters.
const maxBeginning = 8

// heavyKey is the key of a record after that of the segment: no term has a control
// character.
func heavyKey(term string, prefix bool) string {
	if prefix {
		return term + "\x01"
	}
	return term + "\x02"
}

// heavy is what is heavy in a segment that is being written.
type heavy struct {
	term   string
	prefix bool
	tally
}

// heavies finds what is heavy among terms, which come in order, by how often they stand.
type heavies struct {
	least, leastTerm int
	last             string
	n                int               // beginnings of last
	ends             [maxBeginning]int // where they end
	sums             [maxBeginning]int
	found            []*heavy
}

// newHeavies returns nil, which finds nothing, for a small segment.
func newHeavies(docs int) *heavies {
	if docs < heavyDocs {
		return nil
	}
	return &heavies{least: max(docs*heavyPerDoc, heavyAtAll), leastTerm: max(docs*heavyTerm, heavyAtAll)}
}

func (h *heavies) add(term string, count int) {
	if h == nil {
		return
	}
	if count >= h.leastTerm {
		h.found = append(h.found, &heavy{term: term})
	}
	h.end(sharedLen(h.last, term))
	at := 0
	if h.n > 0 {
		at = h.ends[h.n-1]
	}
	for ; h.n < maxBeginning && at < len(term); h.n++ {
		_, size := utf8.DecodeRuneInString(term[at:])
		at += size
		h.ends[h.n], h.sums[h.n] = at, 0
	}
	for i := range h.n {
		h.sums[i] += count
	}
	h.last = term
}

// end ends the beginnings that are longer than so many bytes.
func (h *heavies) end(most int) {
	for h.n > 0 && h.ends[h.n-1] > most {
		h.n--
		if h.sums[h.n] >= h.least {
			h.found = append(h.found, &heavy{term: h.last[:h.ends[h.n]], prefix: true})
		}
	}
}

// all is what was found.
func (h *heavies) all() []*heavy {
	if h == nil {
		return nil
	}
	h.end(0)
	return h.found
}

// is reports whether a term counts for it.
func (h *heavy) is(term string) bool {
	return h.prefix && strings.HasPrefix(term, h.term) || term == h.term
}

// encode writes a tally: for each field the length of its list and the list, whose
// distances are the numbers of the texts; none if all are zero.
func (t *tally) encode() (b []byte) {
	for _, counts := range t {
		var list []byte
		if slices.Max(counts) > 0 {
			places, at := make([]uint32, len(counts)), uint32(0)
			for i, n := range counts {
				places[i] = at + n
				at += n + 1
			}
			list = appendPlaces(nil, places)
		}
		b = append(binary.AppendUvarint(b, uint64(len(list))), list...)
	}
	return b
}

// decode adds what encode wrote of the wanted fields. It uses the memory of buf.
func (f *freqs) decode(b []byte, buf []uint32) error {
	all := codec.Reader{B: b}
	for _, times := range f.times {
		list := all.Bytes()
		if all.Bad {
			return errSpoilt
		}
		if len(list) == 0 || times == 0 {
			continue
		}
		places := slices.Grow(buf[:0], len(f.n))[:len(f.n)]
		if r := newPlaceReader(list); !r.read(places) {
			return errSpoilt
		}
		next := uint32(0)
		for doc, p := range places {
			f.put(doc, (p-next)*times)
			next = p + 1
		}
	}
	return nil
}

// putHeavies writes the records.
func putHeavies(x *store.CacheTx, no uint32, list []*heavy) error {
	for _, h := range list {
		if err := x.Put(segmentKey(kindHeavy, no)+heavyKey(h.term, h.prefix), h.encode()); err != nil {
			return err
		}
	}
	return nil
}
