package pages

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"unsafe"

	bolt "go.etcd.io/bbolt"
)

// Where a disk has lost what it said was written, a page of a bucket may lead
// back to one above it. bbolt follows it until the stack or the memory is used
// up, which ends the process, and no recover catches that. So each way down is
// walked here before bbolt walks it: only pages that it would read as well, and
// the leaf beside. A record's leaf is two or three pages away, so this costs less
// than a microsecond; to walk a whole library at each start would read it all
// from the disk.

// deepest is how many pages may lie between the root and a record; of a hundred
// million items four do.
const deepest = 64

// File is the trees of one file. Its methods panic with a *Damage.
type File struct {
	Bytes    []byte
	PageSize uint64
}

// Guard is one transaction of bbolt.
type Guard struct {
	File
	tx    *bolt.Tx
	sound bool // all of the file was looked at
	way   way  // of the last single record, to be used again
}

// Page is a page of a tree with what overflows it: a branch or a leaf.
type Page struct {
	ID    uint64
	Bytes []byte
	Leaf  bool
	Count int
}

// way is how a leaf is reached: each branch page and which of its elements was
// taken, and the leaf.
type way []turn

type turn struct {
	p Page
	i int
}

// New begins to guard a transaction on the open file f, which must be as long as
// tx says, with the list of buckets itself.
func New(tx *bolt.Tx, f io.ReaderAt) (*Guard, error) {
	info := tx.DB().Info()
	m, ok := ReadMeta(f, Committed(tx)%2, info.PageSize)
	if !ok {
		return nil, &Damage{"the newest commit cannot be read", "the file's first pages"}
	}
	// bbolt's map, which is at least as long as the file. It stays where it is until
	// the commit, and so do the pages of the commit before.
	at := *(*unsafe.Pointer)(unsafe.Pointer(&info.Data))
	g := &Guard{File: File{unsafe.Slice((*byte)(at), tx.Size()), uint64(info.PageSize)}, tx: tx}
	g.buckets(m.Root)
	return g, nil
}

// Committed is the number of the newest commit in the file of a transaction.
func Committed(tx *bolt.Tx) uint64 {
	if tx.Writable() {
		return uint64(tx.ID()) - 1
	}
	return uint64(tx.ID())
}

// corrupt is a panic's value.
//
//go:noinline // 11 places
func corrupt(id uint64, what string) *Damage {
	return &Damage{what, fmt.Sprint("page ", id)}
}

// Page looks at page id.
func (g *File) Page(id uint64) Page {
	pages := uint64(len(g.Bytes)) / g.PageSize
	if id < 2 || id >= pages {
		panic(corrupt(id, "a page leads to one that is not there"))
	}
	b := g.Bytes[id*g.PageSize:]
	p := Page{ID: id, Count: int(Native.Uint16(b[10:]))}
	switch Native.Uint16(b[8:]) {
	case LeafPage:
		p.Leaf = true
	case BranchPage:
		if p.Count == 0 {
			panic(corrupt(id, "leads nowhere"))
		}
	default:
		panic(corrupt(id, "is no page of a tree"))
	}
	more := uint64(Native.Uint32(b[12:]))
	if Native.Uint64(b) != id || more >= pages-id {
		panic(corrupt(id, "has the head of another page"))
	}
	p.Bytes = b[:(more+1)*g.PageSize]
	if HeadSize+p.Count*ElementSize > len(p.Bytes) {
		panic(corrupt(id, "has more elements than it holds"))
	}
	if p.Leaf && !recordsFit(p.Bytes, p.Count) {
		panic(corrupt(id, "has a record that ends outside"))
	}
	return p
}

// recordsFit tells whether the keys and values of a leaf end on it. bbolt hands
// them out as they say they are: gigabytes of whatever lies behind the map.
func recordsFit(leaf []byte, count int) bool {
	for at := HeadSize; at < HeadSize+count*ElementSize; at += ElementSize {
		e := leaf[at:]
		if uint64(at)+uint64(Native.Uint32(e[4:]))+uint64(Native.Uint32(e[8:]))+uint64(Native.Uint32(e[12:])) > uint64(len(leaf)) {
			return false
		}
	}
	return true
}

// smallFits tells the same of a small bucket, which lies in the list as a page
// without a number.
func smallFits(v []byte) bool {
	if len(v) < BucketHead+HeadSize {
		return false
	}
	leaf := v[BucketHead:]
	count := int(Native.Uint16(leaf[10:]))
	return Native.Uint16(leaf[8:]) == LeafPage && HeadSize+count*ElementSize <= len(leaf) && recordsFit(leaf, count)
}

// cut is n bytes from a place on that an element of the page tells.
func (p *Page) cut(from, n uint64) []byte {
	if from+n > uint64(len(p.Bytes)) {
		panic(corrupt(p.ID, "has a key that ends outside"))
	}
	return p.Bytes[from : from+n]
}

// Key is the key of element i, of a branch or a leaf.
func (p *Page) Key(i int) []byte {
	at := HeadSize + i*ElementSize
	e := p.Bytes[at:]
	if p.Leaf {
		e = e[4:]
	}
	return p.cut(uint64(at)+uint64(Native.Uint32(e)), uint64(Native.Uint32(e[4:])))
}

// Child is the page that element i of a branch leads to.
func (p *Page) Child(i int) uint64 { return Native.Uint64(p.Bytes[HeadSize+i*ElementSize+8:]) }

// down goes on from w to a leaf, choosing in each branch page.
func (g *File) down(w way, id uint64, choose func(*Page) int) way {
	for {
		t := turn{p: g.Page(id)}
		if t.p.Leaf {
			return append(w, t)
		}
		if len(w) == deepest {
			panic(corrupt(id, "leads back into itself"))
		}
		t.i = choose(&t.p)
		w, id = append(w, t), t.p.Child(t.i)
	}
}

func leftmost(*Page) int    { return 0 }
func rightmost(p *Page) int { return p.Count - 1 }

// span is the keys that lead the same way as key does: those between two that its
// search came by.
type span struct {
	key       []byte
	low, high []byte // nil: there is none
	exact     bool   // one of them was the key: no other leads that way
}

// choose chooses as bbolt's search does, from the same comparisons: on a damaged page
// too it must come to the same element.
func (s *span) choose(p *Page) int {
	exact := false
	i := sort.Search(p.Count, func(i int) bool {
		k := p.Key(i)
		c := bytes.Compare(k, s.key)
		switch {
		case c == 0:
			exact = true
		case c < 0 && (s.low == nil || bytes.Compare(k, s.low) > 0):
			s.low = k
		case c > 0 && (s.high == nil || bytes.Compare(k, s.high) < 0):
			s.high = k
		}
		return c != -1
	})
	if exact {
		s.exact = true
	} else if i > 0 {
		i--
	}
	return i
}

// has tells whether a key leads the same way.
func (s *span) has(key []byte) bool {
	return s.key != nil && !s.exact && (s.low == nil || bytes.Compare(key, s.low) > 0) && (s.high == nil || bytes.Compare(key, s.high) < 0)
}

// towards chooses the way to a key.
func towards(key []byte) func(*Page) int { return (&span{key: key}).choose }

// beside is the way to the next leaf with a record to the right (by 1) or to the
// left (by -1); nil if there is none.
func (g *Guard) beside(w way, by int) way {
	for {
		n := len(w) - 2
		for n >= 0 && (w[n].i+by < 0 || w[n].i+by == w[n].p.Count) {
			n--
		}
		if n < 0 {
			return nil
		}
		next := append(make(way, 0, len(w)), w[:n+1]...)
		next[n].i += by
		choose := leftmost
		if by < 0 {
			choose = rightmost
		}
		w = g.down(next, next[n].p.Child(next[n].i), choose)
		if w.leaf().Count > 0 {
			return w
		}
	}
}

func (w way) leaf() *Page { return &w[len(w)-1].p }

// high is the key that the records of the leaf lie below; nil: there is none.
func (w way) high() []byte {
	for n := len(w) - 2; n >= 0; n-- {
		if i := w[n].i + 1; i < w[n].p.Count {
			return w[n].p.Key(i)
		}
	}
	return nil
}

// all walks the whole tree of root.
func (g *Guard) all(root uint64, visit func(*Page)) {
	seen := make([]bool, uint64(len(g.Bytes))/g.PageSize)
	for todo := []uint64{root}; len(todo) > 0; {
		p := g.Page(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if seen[p.ID] {
			panic(corrupt(p.ID, "is used twice"))
		}
		seen[p.ID] = true
		if visit != nil {
			visit(&p)
		}
		for i := range p.Count {
			if !p.Leaf {
				todo = append(todo, p.Child(i))
			}
		}
	}
}

// buckets walks the list of buckets, a page or a few, and the small buckets in it.
func (g *Guard) buckets(root uint64) {
	g.all(root, func(p *Page) {
		for i := range p.Count {
			if !p.Leaf {
				break
			}
			at := HeadSize + i*ElementSize
			e := p.Bytes[at:]
			v := p.cut(uint64(at)+uint64(Native.Uint32(e[4:]))+uint64(Native.Uint32(e[8:])), uint64(Native.Uint32(e[12:])))
			if Native.Uint32(e)&BucketLeaf == 0 || len(v) < BucketHead {
				panic(corrupt(p.ID, "is no list of buckets"))
			}
			if Native.Uint64(v) == 0 && !smallFits(v) {
				panic(corrupt(p.ID, "has a bucket that leads nowhere"))
			}
		}
	})
}

// Leaf is the leaf of the tree of root that key belongs to.
func (g *File) Leaf(root uint64, key []byte) *Page { return g.down(nil, root, towards(key)).leaf() }
