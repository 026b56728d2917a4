package page

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/things"
)

// seen is what the memory knows of one block or link.
type seen struct {
	last uint32 // the last revision that held it
	held uint32 // the last 32 revisions, a bit each, the newest lowest: whether they held it
}

// slot is a place whose numbers change: blocks that read the same when masked.
type slot struct {
	first   uint32 // revision it was first seen in
	last    uint32 // and last
	value   uint64 // what stood there
	changes uint16
	num     int64 // the one number that stood there, in hundredths; -1: there were others
	way     int8  // where it last went: 1 up, -1 down, 0 unknown
	turns   uint8 // how often it went the other way than the time before
}

// what is what stands in a slot now.
type what struct {
	value uint64
	num   int64
}

// went brings a slot's number up to date.
func (s *slot) went(num int64) {
	if s.num >= 0 && num >= 0 && num != s.num {
		way := int8(1)
		if num < s.num {
			way = -1
		}
		if s.way == -way && s.turns < 255 {
			s.turns++
		}
		s.way = way
	}
	s.num = num
}

// span is how many revisions the memory reaches back.
const span = 60

// flicker and flickerShare say when a slot "changes every time": at least so
// often, and in at least that share of the revisions since it was first seen.
// A price that goes 5, 6, 5 has changed twice and is news both times.
const (
	flicker      = 3
	flickerShare = 0.5
)

func (m *Memory) Knows(h uint64) bool {
	if m == nil {
		return false
	}
	s, ok := m.blocks[h]
	return ok && m.Revisions-s.last < span
}

// held reports whether the last revision fetched had the block, which need not
// be the last one that was kept.
func (m *Memory) held(h uint64) bool { return m != nil && m.blocks[h].held&1 != 0 && m.Knows(h) }

// always reports whether each revision had something, of standingLeast or more.
func (m *Memory) always(h uint64) bool {
	if m == nil || m.Revisions < standingLeast {
		return false
	}
	all := uint32(1)<<min(m.Revisions, 32) - 1
	return m.blocks[h].held&all == all
}

// standingLeast is how many revisions show that a link of the foot of a page stands there
// for good, as those to what binds people do.
const standingLeast = 4

// cameAndWent reports whether something was missing in a revision before.
func (m *Memory) cameAndWent(h uint64) bool {
	if m == nil {
		return false
	}
	s, ok := m.blocks[h]
	return ok && (s.held+1)&s.held&(1<<31-1) != 0 // ones that are no run from the lowest bit on
}

// flaps reports whether a block that comes or goes now does so at most fetches.
// A state that returns is news; what comes and goes by turns is not.
func (m *Memory) flaps(h uint64, turns int) bool {
	if m == nil {
		return false
	}
	s, ok := m.blocks[h]
	return ok && bits.OnesCount32((s.held^s.held>>1)&(1<<turns-1)) >= turns-1 && m.Revisions > uint32(turns)
}

// turnsOf is how many of the fetches before this one are looked at for blocks
// that come and go by turns; factTurns is that for states, amounts, versions
// and dates.
const (
	turnsOf   = 3
	factTurns = 6
)

// turnsFor is the one of them for a block that came or went.
func turnsFor(words []string) int {
	if isFact(words) {
		return factTurns
	}
	return turnsOf
}

// flickers reports whether the numbers of a masked block change all the time.
func (m *Memory) flickers(masked uint64) bool {
	if m == nil {
		return false
	}
	s, ok := m.slots[masked]
	return ok && s.changes >= flicker && float64(s.changes) >= flickerShare*float64(s.last-s.first)
}

// turns is how often the number of a masked block went the other way than
// before, going to num included. A counter never does.
func (m *Memory) turns(masked uint64, num int64) int {
	s := m.slots[masked]
	s.went(num)
	return int(s.turns)
}

// several reports whether more than one number stands in places that read like
// a masked block.
func (m *Memory) several(masked uint64) bool { return m.slots[masked].num < 0 }

// remember returns the memory after one more revision.
func (m Memory) remember(k marks) Memory {
	n := Memory{Revisions: m.Revisions + 1, blocks: map[uint64]seen{}, slots: map[uint64]slot{}}
	n.places = m.rememberPlaces(k)
	blocks, slots := k.blocks, k.slots
	now := n.Revisions
	for h, s := range m.blocks {
		s.held <<= 1
		if blocks[h] {
			s.last, s.held = now, s.held|1
		}
		if now-s.last < span {
			n.blocks[h] = s
		}
	}
	for h := range blocks {
		if _, ok := n.blocks[h]; !ok {
			n.blocks[h] = seen{now, 1}
		}
	}
	for h, s := range m.slots {
		if v, ok := slots[h]; ok {
			if v.value != s.value {
				s.changes++
			}
			s.went(v.num)
			s.value, s.last = v.value, now
		}
		if now-s.last < span {
			n.slots[h] = s
		}
	}
	for h, v := range slots {
		if _, ok := n.slots[h]; !ok {
			n.slots[h] = slot{first: now, last: now, value: v.value, num: v.num}
		}
	}
	trim(n.blocks, maxBlocks, func(s seen) uint32 { return now - s.last })
	trim(n.slots, maxSlots, func(s slot) uint32 { return now - s.last })
	return n
}

// maxBlocks and maxSlots bound a memory: pages for people stay far below even
// when all of them is new each time, and what is kept is rewritten with each
// revision.
const (
	maxBlocks = 1 << 17
	maxSlots  = 1 << 15
)

// trim forgets what was seen longest ago until at most most is left. Of what the
// last revision alone holds too much of, an even share by hash stays.
func trim[V any](m map[uint64]V, most int, age func(V) uint32) {
	if len(m) <= most {
		return
	}
	var count [span]int
	for _, v := range m {
		count[age(v)]++
	}
	oldest, left := uint32(0), count[0]
	for oldest+1 < span && left+count[oldest+1] <= most {
		oldest++
		left += count[oldest]
	}
	below := uint64(math.MaxUint64)
	if left > most {
		below = math.MaxUint64 / uint64(left) * uint64(most)
	}
	for h, v := range m {
		if age(v) > oldest || h > below {
			delete(m, h)
		}
	}
}

// Again returns the memory after the page it remembers last was fetched n more
// times without a change. Numbers stood still then, so they change less often
// than "every time"; what was seen long ago is no older for it.
// All moves on by n revisions but when the slots were first seen: the share of revisions
// in which a number changed falls, and the reach of the memory is still counted in pages that differ.
func (m Memory) Again(n int) Memory {
	if n <= 0 || m.Revisions == 0 || uint64(m.Revisions)+uint64(n) > 1<<31 {
		return m
	}
	by := uint32(n)
	out := Memory{Revisions: m.Revisions + by, blocks: make(map[uint64]seen, len(m.blocks)),
		slots: make(map[uint64]slot, len(m.slots)), places: make(map[uint64]placeLog, len(m.places))}
	for h, s := range m.places {
		if s.last != m.Revisions {
			s.first += by
		}
		s.last, s.changed = s.last+by, s.changed<<min(by, 32)
		out.places[h] = s
	}
	for h, s := range m.blocks {
		here := s.held & 1
		s.last, s.held = s.last+by, s.held<<min(by, 32)
		if here != 0 {
			s.held |= 1<<min(by, 32) - 1
		}
		out.blocks[h] = s
	}
	for h, s := range m.slots {
		if s.last != m.Revisions {
			s.first += by // not on the page: it did not stand still
		}
		s.last += by
		out.slots[h] = s
	}
	return out
}

// What stands before an amount of one or two words names it, if it is short and
// at most so many blocks away.
const (
	namelessWords = 2
	nameBlocks    = 4
)

// slotOf is the place of a block whose words are given: how it reads without its
// numbers. An amount that stands alone ("# €") is of what is named before it, so
// that the prices of a list are a place each; bare counts, as of comments, are
// one.
func slotOf(d *align.Document, block int, words []string) uint64 {
	reads := []string{kind.MaskAll(words)}
	if len(words) <= namelessWords && slices.ContainsFunc(words, kind.AmountLike) {
		for n := block - 1; n >= max(0, block-nameBlocks) && d.Blocks[n].Words() <= kind.ShortNotice; n-- {
			if name := kind.MaskAll(d.BlockWords(n)); strings.ContainsFunc(name, unicode.IsLetter) {
				reads = append(reads, name)
				break
			}
		}
	}
	return align.HashWords(reads)
}

// marks are what the memory keeps of one revision.
type marks struct {
	blocks map[uint64]bool
	slots  map[uint64]what
	places map[uint64]mark
	values map[uint32]bool // of its blocks, as places hold them
}

func memoryMarks(d *align.Document, in align.Bitset) marks {
	blocks, slots := map[uint64]bool{}, map[uint64]what{}
	for n := range d.Blocks {
		if !d.InScope(n, in) {
			continue
		}
		h := d.Hash(n)
		blocks[h] = true
		if d.Blocks[n].Words() > align.LongBlock {
			continue
		}
		w := d.BlockWords(n)
		if strings.ContainsFunc(strings.Join(w, ""), unicode.IsDigit) {
			k := slotOf(d, n, w)
			v, more := slots[k]
			if v.value = v.value*1099511628211 + h; more {
				v.num = -1
			} else {
				v.num = kind.TheNumber(w)
			}
			slots[k] = v
		}
	}
	t := things.Of(d, in)
	for kind, set := range map[string]map[string]string{"link": t.Links, "image": t.Images, "form": t.Forms, "embed": t.Embeds} {
		for name := range set {
			blocks[align.ThingHash(kind, name)] = true
		}
	}
	places, values := placeMarks(d, in)
	return marks{blocks, slots, places, values}
}
