package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"diurna/store"
	"diurna/store/codec"
)

// view is a segment within one transaction.
type view struct {
	x     *store.CacheTx
	no    uint32
	table table
	alive set // texts that are not out of date

	placed      bool   // layout is that of table
	layout      layout // see lay
	first, next []uint32
}

func (v *view) key(kind byte) string { return segmentKey(kind, v.no) }

func openSegment(x *store.CacheTx, s *segment) (*view, error) {
	v := new(view)
	return v, v.open(x, s)
}

// lay is the layout of the segment. Making it takes as long as looking for a word does.
func (v *view) lay() *layout {
	if !v.placed {
		v.layout.of(v.table)
		v.placed = true
	}
	return &v.layout
}

// open reads another segment into the same memory.
func (v *view) open(x *store.CacheTx, s *segment) error {
	v.x, v.no, v.placed = x, s.No, false
	t, err := x.Get(v.key(kindTable))
	if err != nil {
		return err
	}
	v.table = table(t)
	if len(t) == 0 || len(t)%docSize != 0 || v.table.len() > maxDocs {
		return errSpoilt
	}
	n := v.table.len()
	v.alive = newSet(n)
	for i := range v.alive {
		v.alive[i] = 1<<min(n-64*i, 64) - 1
	}
	if s.Dead == 0 {
		return nil
	}
	dead, err := x.Get(v.key(kindDead))
	if err != nil {
		return err
	}
	if len(dead) > 0 && len(dead) != 8*len(v.alive) {
		return errSpoilt
	}
	for i := 0; i < len(dead); i += 8 {
		v.alive[i/8] &^= binary.LittleEndian.Uint64(dead[i:])
	}
	return nil
}

// block is a block of terms.
type block struct {
	names, lists []byte
	term         []byte
	count        int    // places of term
	list         []byte // of term
	bad          bool
}

func newBlock(val []byte) block {
	r := codec.Reader{B: val}
	names := r.Bytes()
	return block{names: names, lists: r.B, bad: r.Bad}
}

func (b *block) number() int {
	n, size := binary.Uvarint(b.names)
	if size <= 0 || n > 1<<30 {
		b.bad = true
		return 0
	}
	b.names = b.names[size:]
	return int(n)
}

// next goes to the next term; false after the last, or when bad.
func (b *block) next() bool {
	if len(b.names) == 0 || b.bad {
		return false
	}
	shared, rest := b.number(), b.number()
	if shared > len(b.term) || rest > len(b.names) {
		b.bad = true
		return false
	}
	b.term = append(b.term[:shared], b.names[:rest]...)
	b.names = b.names[rest:]
	count, length := b.number(), b.number()
	if b.bad || length > len(b.lists) {
		b.bad = true
		return false
	}
	b.count, b.list, b.lists = count, b.lists[:length], b.lists[length:]
	return true
}

// terms calls visit for a term, or for all terms that begin with it.
func (v *view) terms(term string, prefix bool, visit func(term []byte, count int, list []byte) error) error {
	from, want := v.key(kindTerms), []byte(term)
	for key := from + term; ; {
		k, val, err := v.x.Next(key)
		if err != nil || !strings.HasPrefix(k, from) {
			return err
		}
		b := newBlock(val)
		for b.next() {
			// The names are compared as they lie there: a short beginning has thousands.
			switch {
			case string(b.term) == term, prefix && bytes.HasPrefix(b.term, want):
				if err := visit(b.term, b.count, b.list); err != nil {
					return err
				}
			case string(b.term) > term:
				return nil
			}
		}
		if b.bad {
			return errSpoilt
		}
		if !prefix {
			return nil
		}
		key = k + "\x00"
	}
}

// places appends those of a token, ascending.
func (v *view) places(term string, prefix bool, out []uint32) ([]uint32, error) {
	lists := 0
	err := v.terms(term, prefix, func(_ []byte, count int, list []byte) error {
		if count > len(list)*8 {
			return errSpoilt
		}
		lists++
		n := len(out)
		out = slices.Grow(out, count)[:n+count]
		if r := newPlaceReader(list); !r.read(out[n:]) {
			return errSpoilt
		}
		return nil
	})
	if err == nil && lists > 1 {
		err = v.order(out)
	}
	return out, err
}

// order sorts places, no two of which are the same, by a set of all that there are: a
// short beginning has most places of the segment, and terms by the thousand.
func (v *view) order(places []uint32) error {
	all := v.lay().end()
	in := newSet(int(all))
	for _, p := range places {
		if p >= all {
			return errSpoilt
		}
		in.add(int(p))
	}
	n := 0
	for i, w := range in {
		for ; w != 0; w &= w - 1 {
			places[n] = uint32(i*64 + bits.TrailingZeros64(w))
			n++
		}
	}
	if n < len(places) {
		return errSpoilt
	}
	return nil
}

// count adds how often a token stands in each text.
func (v *view) count(term string, prefix bool, to *freqs) error {
	key := v.key(kindHeavy) + heavyKey(term, prefix)
	k, b, err := v.x.Next(key)
	if err != nil {
		return err
	}
	if k == key {
		v.first = slices.Grow(v.first[:0], maxDocs)
		return to.decode(b, v.first)
	}
	return v.countTerms(term, prefix, to, nil)
}

// countTerms does so for a term, or for all that begin with it and pass a test.
func (v *view) countTerms(term string, prefix bool, to *freqs, test func(term []byte) bool) error {
	return v.terms(term, prefix, func(name []byte, count int, list []byte) error {
		if test != nil && !test(name) {
			return nil
		}
		if count > len(list)*8 {
			return errSpoilt
		}
		v.first = slices.Grow(v.first[:0], count)[:count]
		if r := newPlaceReader(list); !r.read(v.first) || !to.add(v.lay(), v.table, v.first) {
			return errSpoilt
		}
		return nil
	})
}
