package page

import (
	"encoding/binary"
	"math/bits"
	"strings"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// A place of a page is where a block stands, whatever it says: by the elements
// around it, and where many stand in such elements, by what stands before it or
// at the head of its row. Each number of a block has a place of its own, by the
// words around it. So a place is known again when the page is rearranged.

// placeLog is the history of a place.
type placeLog struct {
	first, last uint32 // revisions that held it
	value       uint32 // what stood there last
	changed     uint32 // the last 32 revisions, a bit each, the newest lowest: whether it changed with them
	unsteady    bool   // it differed between two fetches seconds apart
}

// mark is what stands in a place now.
type mark struct {
	value uint32
	count int      // how many blocks stand in such a place
	holds []uint64 // their hashes, of places of blocks
}

// The figures of a volatile place: it changed in most of the fetches it is known
// for, up to the last maxIn of them. What is a state, an amount, a version or a
// date must have changed in two of three.
const (
	maxIn         = 12
	volatileLeast = 3 // changes, and so four fetches
	factLeast     = 5
)

// fetches is how many fetches a place's history has, up to maxIn, and in how
// many of them it changed.
func (p placeLog) fetches() (all, changed int) {
	n := min(p.last-p.first, maxIn)
	return int(n), bits.OnesCount32(p.changed & (1<<n - 1))
}

// volatile reports whether a place changes at most fetches.
func (p placeLog) volatile() bool {
	all, changed := p.fetches()
	return p.unsteady || changed >= volatileLeast && 2*changed > all
}

// restlessNumber is the test for a number that is no such fact: a second change says
// that it counts or measures.
func (p placeLog) restlessNumber() bool { return p.volatile() || bits.OnesCount32(p.changed) > 1 }

// restlessFact is the stricter test for a state, an amount, a version or a date.
func (p placeLog) restlessFact() bool {
	all, changed := p.fetches()
	return changed >= factLeast && 3*changed > 2*all
}

// still reports whether a place did not change in the three fetches that are known or
// more: no clock does that.
func (p placeLog) still() bool {
	all, changed := p.fetches()
	return all > 1 && changed == 0 && !p.unsteady
}

// rare reports whether a place hardly ever changed in the fetches that are known.
func (p placeLog) rare() bool {
	all, changed := p.fetches()
	return all > 1 && 4*changed <= all && !p.unsteady
}

func short32(h uint64) uint32 { return uint32(h ^ h>>32) }

// blockPlaces are the places of a block: by the elements around it alone, and by
// what names it there.
func blockPlaces(d *align.Document, block int) [2]uint64 {
	spot := d.Spot(block)
	out := [2]uint64{align.PlaceKey("spot", spot)}
	if d.Standing[spot] > 1 {
		out[1] = align.PlaceKey("named", spot, d.NameBefore(block))
	}
	return out
}

// numberPlace is the place of the number at words[i] of a block: by the words
// around it, and in a short block by where that stands.
func numberPlace(d *align.Document, block int, words []string, i int) uint64 {
	before, after := kind.MaskAll(words[max(0, i-2):i]), kind.MaskAll(words[i+1:min(len(words), i+3)])
	about := before + " # " + after
	if strings.HasSuffix(before, "#") || strings.HasPrefix(after, "#") {
		about = before + "\x00" + after // the next number has the same words around it
	}
	if kind.Hashed(words[i]) {
		about += "\x00" // a count of the same name is another place
	}
	if len(words) > namelessWords {
		return align.PlaceKey("number", about)
	}
	return align.PlaceKey("number", about, d.Spot(block), d.NameBefore(block))
}

// placeMarks are the places of a document.
func placeMarks(d *align.Document, in align.Bitset) (out map[uint64]mark, values map[uint32]bool) {
	out, values = map[uint64]mark{}, map[uint32]bool{}
	put := func(key uint64, value uint32, hash uint64) {
		m := out[key]
		m.count++
		m.value = m.value*16777619 + value
		if hash != 0 && m.count <= maxRotating {
			m.holds = append(m.holds, hash)
		}
		out[key] = m
	}
	for n := range d.Blocks {
		if !d.InScope(n, in) || len(out) > 2*maxPlaces {
			continue
		}
		words, h := d.SomeWords(n), d.Hash(n)
		value := h
		if words != nil {
			value = align.HashWords([]string{kind.MaskAll(words)})
		}
		values[short32(value)] = true
		for _, key := range blockPlaces(d, n) {
			if key != 0 {
				put(key, short32(value), h)
			}
		}
		if len(words) > align.LongLone {
			continue
		}
		for i, w := range words {
			if kind.HasDigit(w) {
				put(numberPlace(d, n, words, i), short32(align.HashWords([]string{w})), 0)
			}
		}
	}
	for _, p := range d.Pictures() {
		for _, key := range p.Place {
			put(key, short32(align.HashWords([]string{p.Name})), 0)
		}
	}
	return out, values
}

// calm is the number of fetches without a change after which a place is steady again.
const calm = 8

// maxPlaces bounds the places of a memory; maxRotating bounds the blocks in one
// kind of place that are compared to see whether all of them were replaced.
const (
	maxPlaces   = 4096
	maxRotating = 64
)

// rememberPlaces returns the histories after one more revision.
func (m Memory) rememberPlaces(k marks) map[uint64]placeLog {
	out := make(map[uint64]placeLog, len(m.places))
	now := m.Revisions + 1
	for h, p := range m.places {
		p.changed <<= 1
		v, here := k.places[h]
		switch {
		case here && v.value != p.value && (v.count == 1 && k.values[p.value] || m.moved(v)):
			p.value = v.value
		case here && v.value != p.value:
			p.value, p.changed = v.value, p.changed|1
		}
		if here {
			p.last = now
		}
		p.unsteady = p.unsteady && p.changed&(1<<calm-1) != 0
		if now-p.last < span {
			out[h] = p
		}
	}
	for h, v := range k.places {
		if _, ok := out[h]; !ok {
			out[h] = placeLog{first: now, last: now, value: v.value}
		}
	}
	trim(out, maxPlaces, func(p placeLog) uint32 { return now - p.last })
	return out
}

// moved reports whether what stands in a place now stood elsewhere on the page
// before, as when a row above is gone: then nothing of it is new. Of several
// blocks more than a third must have stayed. (The other way round, what stood
// there still stands somewhere: a row was added above.)
func (m Memory) moved(v mark) bool {
	stayed := 0
	for _, h := range v.holds {
		if m.blocks[h].held&1 != 0 {
			stayed++
		}
	}
	return len(v.holds) > 0 && 3*stayed > len(v.holds)
}

// restlessPlace reports whether the history of one of a block's places says so. A
// long text is what a page is read for, however often it is another.
func (n *analysis) restlessPlace(d *align.Document, block int, is func(placeLog) bool) bool {
	if n.o.Memory == nil || d.Blocks[block].Words() > align.LongLone {
		return false
	}
	for _, key := range blockPlaces(d, block) {
		if p, ok := n.o.Memory.places[key]; ok && key != 0 && is(p) {
			return true
		}
	}
	return false
}

// restlessNumbers reports whether all words [i, j) of a block are numbers whose
// places say so.
func (n *analysis) restlessNumbers(d *align.Document, block int, words []string, i, j int, is func(placeLog) bool) bool {
	if n.o.Memory == nil || i == j || len(words) > align.LongLone {
		return false
	}
	for ; i < j; i++ {
		if !kind.HasDigit(words[i]) {
			return false
		}
		p, ok := n.o.Memory.places[numberPlace(d, block, words, i)]
		if !ok || !is(p) {
			return false
		}
	}
	return true
}

// appendPlaces writes the histories of places.
func (m Memory) appendPlaces(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m.places)))
	for _, h := range sortedKeys(m.places) {
		p := m.places[h]
		b = binary.LittleEndian.AppendUint64(b, h)
		b = binary.LittleEndian.AppendUint32(b, p.value)
		b = binary.AppendUvarint(b, uint64(m.Revisions-p.first))
		last := uint64(m.Revisions-p.last) << 1
		if p.unsteady {
			last |= 1
		}
		b = binary.AppendUvarint(b, last)
		b = binary.AppendUvarint(b, uint64(p.changed))
	}
	return b
}

// readPlaces reads what appendPlaces wrote.
func (m *Memory) readPlaces(r *memoryReader) {
	rev := uint64(m.Revisions)
	for range r.upTo(uint64(len(r.B))) {
		h := r.Uint64()
		p := placeLog{value: r.Uint32()}
		p.first = m.Revisions - uint32(r.upTo(rev))
		last := r.upTo(2*rev + 1)
		p.last, p.unsteady = m.Revisions-uint32(last>>1), last&1 != 0
		p.changed = uint32(r.upTo(1<<32 - 1))
		m.places[h] = p
	}
}

// restlessLone is restlessPlace for a block that came or went. Where two fetches
// seconds apart brought different texts, one that has a word for a state is one more.
func (n *analysis) restlessLone(d *align.Document, block int, words []string, in []align.Place) bool {
	if isFact(words) {
		return n.restlessPlace(d, block, placeLog.restlessFact) ||
			len(words) > kind.Near && (!kind.Costs(words, 0, len(words)) || field.Above(block, in)) && n.restlessPlace(d, block, func(p placeLog) bool { return p.unsteady })
	}
	return n.restlessPlace(d, block, placeLog.volatile) || field.HeadsOnly(d, block, func(b int) bool { return n.restlessPlace(d, b, placeLog.volatile) })
}

// turnedState reports whether one block stands in the place of another, where one of the
// two is no state and the place changes all the time: the line that says whether it is
// open now, or for how long still.
func (m *Memory) turnedState(a, b *align.Document, x, y int) bool {
	if m == nil || a.Spot(x) != b.Spot(y) || !a.Alone(x) || !b.Alone(y) || isFact(a.SomeWords(x)) == isFact(b.SomeWords(y)) {
		return false
	}
	p := m.places[blockPlaces(b, y)[0]]
	return p.volatile() && bits.OnesCount32(p.changed) >= volatileLeast
}

// isFact reports whether a block that is not long says a state or an amount.
func isFact(words []string) bool {
	return len(words) <= align.LongLone && (kind.States.Has(words) || kind.Costs(words, 0, len(words)))
}
