package stories

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"diurna/store"
	"diurna/store/codec"
)

// The shards of a Grouper as bytes.

const (
	countsKey  = "counts"
	storiesKey = "stories"
)

func dayKey(no int64) string {
	return string(binary.BigEndian.AppendUint64([]byte{'d'}, uint64(no)+1<<63))
}

func linkKey(part byte) string { return string([]byte{'l', part}) }

var errSpoilt = errors.New("not what a grouper has written")

// Changed are the shards that differ from what was read. With forget, the Grouper lets go of
// the sketches and addresses that it has read.
func (g *Grouper) Changed(forget bool) map[string][]byte {
	out := map[string][]byte{}
	if g.changed {
		out[countsKey], out[storiesKey] = g.counts.encode(), encodeStories(g.stories, g.next)
	}
	for no, d := range g.days {
		if d.changed {
			out[dayKey(no)] = encodeDay(d.items)
		}
		d.changed = false
	}
	for part, l := range g.links {
		if l.changed {
			out[linkKey(part)] = encodeLinks(l.of)
		}
		l.changed = false
	}
	g.changed = false
	if forget {
		clear(g.days)
		clear(g.links)
	}
	return out
}

func (c *counts) encode() []byte {
	b := binary.AppendUvarint(nil, uint64(c.items))
	for _, n := range c.of {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func (c *counts) decode(b []byte) error {
	r := codec.Reader{B: b}
	c.items = int(r.Uvarint())
	c.all = math.Log(float64(c.items) + 100)
	for i := range c.of {
		c.of[i] = uint32(r.Uvarint())
	}
	if !r.Done() || c.items < 0 {
		return errSpoilt
	}
	return nil
}

func appendHashes(b []byte, list []uint32) []byte {
	b = append(b, byte(len(list)))
	for _, h := range list {
		b = binary.LittleEndian.AppendUint32(b, h)
	}
	return b
}

func encodeDay(items []*sketch) (b []byte) {
	for _, s := range items {
		b = binary.LittleEndian.AppendUint64(b, uint64(s.id))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.at))
		b = binary.LittleEndian.AppendUint64(b, s.link)
		b = binary.LittleEndian.AppendUint32(b, s.title)
		b = binary.LittleEndian.AppendUint64(b, s.head)
		b = binary.LittleEndian.AppendUint64(b, s.text)
		for _, list := range [][]uint32{s.terms, s.numbers, s.figures, s.names, s.things} {
			b = appendHashes(b, list)
		}
		b = append(append(b, byte(len(s.order))), s.order...)
		b = append(b, s.copies[:]...)
	}
	return b
}

// words reads little-endian numbers; bad tells that there were fewer.
type words struct {
	b   []byte
	bad bool
}

func (w *words) take(n int) []byte {
	if n > len(w.b) {
		w.b, w.bad = nil, true
		return make([]byte, n)
	}
	out := w.b[:n]
	w.b = w.b[n:]
	return out
}

func (w *words) uint64() uint64 { return binary.LittleEndian.Uint64(w.take(8)) }

func (w *words) hashes() []uint32 {
	n := int(w.take(1)[0])
	b := w.take(4 * n)
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

func decodeDay(b []byte) ([]*sketch, error) {
	var out []*sketch
	for w := (&words{b: b}); len(w.b) > 0; {
		s := &sketch{id: store.ItemID(w.uint64()), at: int64(w.uint64()), link: w.uint64(), title: binary.LittleEndian.Uint32(w.take(4))}
		s.head, s.text = w.uint64(), w.uint64()
		for _, list := range []*[]uint32{&s.terms, &s.numbers, &s.figures, &s.names, &s.things} {
			*list = w.hashes()
		}
		s.order = slices.Clone(w.take(int(w.take(1)[0])))
		copy(s.copies[:], w.take(shingles))
		if w.bad || len(s.terms) > maxTerms || len(s.order) > maxTitle || slices.ContainsFunc(s.order, func(at byte) bool { return int(at) >= len(s.terms) }) {
			return nil, errSpoilt
		}
		out = append(out, s)
	}
	return out, nil
}

func appendMember(b []byte, m *member) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(m.id))
	b = binary.LittleEndian.AppendUint64(b, uint64(m.at))
	return binary.LittleEndian.AppendUint64(b, m.link)
}

func (w *words) member() member {
	return member{store.ItemID(w.uint64()), int64(w.uint64()), w.uint64()}
}

func encodeLinks(of map[uint64][]member) (b []byte) {
	for _, link := range slices.Sorted(maps.Keys(of)) {
		for _, m := range of[link] {
			b = appendMember(b, &m)
		}
	}
	return b
}

func decodeLinks(b []byte) (map[uint64][]member, error) {
	out := map[uint64][]member{}
	for w := (&words{b: b}); len(w.b) > 0; {
		m := w.member()
		if w.bad {
			return out, errSpoilt
		}
		out[m.link] = append(out[m.link], m)
	}
	return out, nil
}

func encodeStories(stories map[uint32][]member, next uint32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(next))
	for _, no := range slices.Sorted(maps.Keys(stories)) {
		b = binary.LittleEndian.AppendUint64(b, uint64(no)<<32|uint64(len(stories[no])))
		for _, m := range stories[no] {
			b = appendMember(b, &m)
		}
	}
	return b
}

func decodeStories(b []byte) (stories map[uint32][]member, next uint32, err error) {
	w := &words{b: b}
	next = uint32(w.uint64())
	stories = map[uint32][]member{}
	for len(w.b) > 0 {
		head := w.uint64()
		list := make([]member, 0, min(head&(1<<32-1), uint64(len(w.b)/24)))
		for range head & (1<<32 - 1) {
			if w.bad {
				break
			}
			list = append(list, w.member())
		}
		stories[uint32(head>>32)] = list
	}
	if w.bad {
		return map[uint32][]member{}, 1, errSpoilt
	}
	return stories, next, nil
}

// members are stories as a list, the items of each as they came.
func members(stories map[uint32][]member) [][]Member {
	out := make([][]Member, 0, len(stories))
	for _, no := range slices.Sorted(maps.Keys(stories)) {
		list := stories[no]
		s := make([]Member, len(list))
		for i, m := range list {
			s[i].ID = m.id
			for j, o := range list {
				if m.link != 0 && o.link == m.link && i != j {
					s[i].Page = min(i, j) + 1 // the first of them, counted from 1
					break
				}
			}
		}
		for i := range s {
			if p := s[i].Page; p != 0 && p-1 != i && s[p-1].Page != 0 {
				s[i].Page = s[p-1].Page
			}
		}
		out = append(out, s)
	}
	return out
}

// Groups are the stories there are.
func (g *Grouper) Groups() *Groups { return NewGroups(members(g.stories), nil) }
