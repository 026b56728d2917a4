package store

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

// grove is the trees of one file, as the map shows them.
type grove struct {
	file  []byte
	size  uint64 // of a page
	sound bool   // walkPages has seen all of it
	way   way    // of the last single record, to be used again
}

// sprig is a page of a tree with what overflows it: a branch or a leaf.
type sprig struct {
	id    uint64
	b     []byte
	leaf  bool
	count int
}

// way is how a leaf is reached: each branch page and which of its elements was
// taken, and the leaf.
type way []turn

type turn struct {
	p sprig
	i int
}

// plant begins the walks of a transaction, with the list of buckets itself.
func (t *txn) plant(f io.ReaderAt) error {
	info := t.tx.DB().Info()
	m, ok := readMeta(f, t.committed()%2, info.PageSize)
	if !ok {
		return &DamagedError{"the newest commit cannot be read", "the file's first pages"}
	}
	// bbolt's map, which is at least as long as the file (begin). It stays where it
	// is until the commit, and so do the pages of the commit before.
	at := *(*unsafe.Pointer)(unsafe.Pointer(&info.Data))
	t.trees = grove{file: unsafe.Slice((*byte)(at), t.tx.Size()), size: uint64(info.PageSize)}
	t.trees.buckets(m.root)
	return nil
}

// astray is a panic's value, as in txn.bucket.
func astray(id uint64, what string) *DamagedError {
	return &DamagedError{what, fmt.Sprint("page ", id)}
}

func (g *grove) page(id uint64) sprig {
	pages := uint64(len(g.file)) / g.size
	if id < 2 || id >= pages {
		panic(astray(id, "a page leads to one that is not there"))
	}
	b := g.file[id*g.size:]
	p := sprig{id: id, count: int(native.Uint16(b[10:]))}
	switch native.Uint16(b[8:]) {
	case leafPage:
		p.leaf = true
	case branchPage:
		if p.count == 0 {
			panic(astray(id, "leads nowhere"))
		}
	default:
		panic(astray(id, "is no page of a tree"))
	}
	more := uint64(native.Uint32(b[12:]))
	if native.Uint64(b) != id || more >= pages-id {
		panic(astray(id, "has the head of another page"))
	}
	p.b = b[:(more+1)*g.size]
	if pageHead+p.count*elementSize > len(p.b) {
		panic(astray(id, "has more elements than it holds"))
	}
	if p.leaf && !recordsFit(p.b, p.count) {
		panic(astray(id, "has a record that ends outside"))
	}
	return p
}

// recordsFit tells whether the keys and values of a leaf end on it. bbolt hands
// them out as they say they are: gigabytes of whatever lies behind the map.
func recordsFit(leaf []byte, count int) bool {
	for at := pageHead; at < pageHead+count*elementSize; at += elementSize {
		e := leaf[at:]
		if uint64(at)+uint64(native.Uint32(e[4:]))+uint64(native.Uint32(e[8:]))+uint64(native.Uint32(e[12:])) > uint64(len(leaf)) {
			return false
		}
	}
	return true
}

// smallFits tells the same of a small bucket, which lies in the list as a page
// without a number.
func smallFits(v []byte) bool {
	if len(v) < bucketHead+pageHead {
		return false
	}
	leaf := v[bucketHead:]
	count := int(native.Uint16(leaf[10:]))
	return native.Uint16(leaf[8:]) == leafPage && pageHead+count*elementSize <= len(leaf) && recordsFit(leaf, count)
}

// cut is n bytes from a place on that an element of the page tells.
func (p *sprig) cut(from, n uint64) []byte {
	if from+n > uint64(len(p.b)) {
		panic(astray(p.id, "has a key that ends outside"))
	}
	return p.b[from : from+n]
}

// key is the key of element i, of a branch or a leaf.
func (p *sprig) key(i int) []byte {
	at := pageHead + i*elementSize
	e := p.b[at:]
	if p.leaf {
		e = e[4:]
	}
	return p.cut(uint64(at)+uint64(native.Uint32(e)), uint64(native.Uint32(e[4:])))
}

// child is the page that element i of a branch leads to.
func (p *sprig) child(i int) uint64 { return native.Uint64(p.b[pageHead+i*elementSize+8:]) }

// down goes on from w to a leaf, choosing in each branch page.
func (g *grove) down(w way, id uint64, choose func(*sprig) int) way {
	for {
		t := turn{p: g.page(id)}
		if t.p.leaf {
			return append(w, t)
		}
		if len(w) == deepest {
			panic(astray(id, "leads back into itself"))
		}
		t.i = choose(&t.p)
		w, id = append(w, t), t.p.child(t.i)
	}
}

func leftmost(*sprig) int    { return 0 }
func rightmost(p *sprig) int { return p.count - 1 }

// towards chooses as bbolt's search does, from the same comparisons: on a
// damaged page too it must come to the same element.
func towards(key []byte) func(*sprig) int {
	return func(p *sprig) int {
		exact := false
		i := sort.Search(p.count, func(i int) bool {
			c := bytes.Compare(p.key(i), key)
			exact = exact || c == 0
			return c != -1
		})
		if !exact && i > 0 {
			i--
		}
		return i
	}
}

// beside is the way to the next leaf with a record to the right (by 1) or to the
// left (by -1); nil if there is none.
func (g *grove) beside(w way, by int) way {
	for {
		n := len(w) - 2
		for n >= 0 && (w[n].i+by < 0 || w[n].i+by == w[n].p.count) {
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
		w = g.down(next, next[n].p.child(next[n].i), choose)
		if w.leaf().count > 0 {
			return w
		}
	}
}

func (w way) leaf() *sprig { return &w[len(w)-1].p }

// high is the key that the records of the leaf lie below; nil: there is none.
func (w way) high() []byte {
	for n := len(w) - 2; n >= 0; n-- {
		if i := w[n].i + 1; i < w[n].p.count {
			return w[n].p.key(i)
		}
	}
	return nil
}

// all walks the whole tree of root.
func (g *grove) all(root uint64, visit func(*sprig)) {
	seen := make([]bool, uint64(len(g.file))/g.size)
	for todo := []uint64{root}; len(todo) > 0; {
		p := g.page(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if seen[p.id] {
			panic(astray(p.id, "is used twice"))
		}
		seen[p.id] = true
		if visit != nil {
			visit(&p)
		}
		for i := range p.count {
			if !p.leaf {
				todo = append(todo, p.child(i))
			}
		}
	}
}

// buckets walks the list of buckets, a page or a few, and the small buckets in it.
func (g *grove) buckets(root uint64) {
	g.all(root, func(p *sprig) {
		for i := range p.count {
			if !p.leaf {
				break
			}
			at := pageHead + i*elementSize
			e := p.b[at:]
			v := p.cut(uint64(at)+uint64(native.Uint32(e[4:]))+uint64(native.Uint32(e[8:])), uint64(native.Uint32(e[12:])))
			if native.Uint32(e)&bucketLeaf == 0 || len(v) < bucketHead {
				panic(astray(p.id, "is no list of buckets"))
			}
			if native.Uint64(v) == 0 && !smallFits(v) {
				panic(astray(p.id, "has a bucket that leads nowhere"))
			}
		}
	})
}

// sure looks at the way to key before bbolt goes it. Deleting may join a page to
// the one beside it.
func (t *txn) sure(b *bucket, key []byte, deletes bool) {
	root := t.root(b)
	if root == 0 {
		return
	}
	g := &t.trees
	g.way = g.down(g.way[:0], root, towards(key))
	if !deletes {
		return
	}
	for _, s := range g.way[:len(g.way)-1] {
		for i := max(0, s.i-1); i < min(s.i+2, s.p.count); i++ {
			g.page(s.p.child(i))
		}
	}
}

// root is the page on which the tree of b begins; 0 if there is nothing to be
// looked at: a small bucket has no tree, and one was walked before.
func (t *txn) root(b *bucket) uint64 {
	if t.trees.sound || t.walked[b] {
		return 0
	}
	return uint64(t.bucket(b).Root())
}

// cursor is bbolt's cursor, with the way looked at first. Keys rise from Next to
// Next and fall from Prev to Prev, or the tree is damaged.
type cursor struct {
	t                   *txn
	b                   *bucket
	c                   *bolt.Cursor
	last                []byte // where the cursor is
	at, right, left     way    // of the leaf that it is in, or is past by now, and those beside
	rightSeen, leftSeen bool
	low, high           []byte // the leaf's first key, and what its keys lie below
}

func (t *txn) cursor(b *bucket) *cursor {
	return &cursor{t: t, b: b, c: t.bucket(b).Cursor()}
}

// root is 0 when nothing needs to be looked at. A record deleted in this
// transaction may have left an empty leaf, over which bbolt steps to the next
// one: then all of the bucket is walked, once.
func (c *cursor) root() uint64 {
	root := c.t.root(c.b)
	if root != 0 && c.t.holes[c.b] {
		c.t.walk(c.b)
		return 0
	}
	return root
}

// walk makes sure that all of a bucket can be walked.
func (t *txn) walk(b *bucket) {
	if root := t.root(b); root != 0 {
		t.trees.all(root, nil)
		if t.walked == nil {
			t.walked = make(map[*bucket]bool)
		}
		t.walked[b] = true
	}
}

//go:noinline
func (c *cursor) stand(w way) {
	*c = cursor{t: c.t, b: c.b, c: c.c, at: w, last: c.last}
}

// lookRight and lookLeft are called before bbolt may step over to a leaf beside.
func (c *cursor) lookRight() {
	if !c.blind(c.rightSeen) {
		c.rightSeen, c.right, c.high = true, c.t.trees.beside(c.at, 1), c.at.high()
		if c.right != nil && bytes.Compare(c.right.leaf().key(0), c.high) < 0 {
			panic(c.b.damage(c.right.leaf().key(0), "records out of order"))
		}
	}
}

func (c *cursor) lookLeft() {
	if !c.blind(c.leftSeen) {
		c.leftSeen, c.left = true, c.t.trees.beside(c.at, -1)
		if p := c.at.leaf(); p.count > 0 {
			c.low = p.key(0)
		}
	}
}

// blind tells whether there is nothing to look at. Only a transaction that writes
// can have deleted something meanwhile.
func (c *cursor) blind(seen bool) bool {
	return c.at == nil || seen && !c.t.write || c.root() == 0 || seen
}

// found notes where bbolt's cursor went.
func (c *cursor) found(k []byte) {
	switch c.last = k; {
	case k == nil:
	case c.right != nil && bytes.Compare(k, c.high) >= 0:
		c.stand(c.right)
	case c.left != nil && (c.low == nil || bytes.Compare(k, c.low) < 0):
		c.stand(c.left)
	}
}

// begin stands on the leaf that is found by choosing.
func (c *cursor) begin(choose func(*sprig) int) {
	if root := c.root(); root != 0 {
		c.stand(c.t.trees.down(nil, root, choose))
	}
}

// Seek moves to the first record from key on.
func (c *cursor) Seek(key []byte) (k, v []byte) {
	c.begin(towards(key))
	c.lookRight()
	k, v = c.c.Seek(key)
	c.found(k)
	return k, v
}

// First moves to the first record.
func (c *cursor) First() (k, v []byte) {
	c.begin(leftmost)
	c.lookRight()
	k, v = c.c.First()
	c.found(k)
	return k, v
}

// Last moves to the last record.
func (c *cursor) Last() (k, v []byte) {
	c.begin(rightmost)
	c.lookLeft()
	k, v = c.c.Last()
	c.found(k)
	return k, v
}

// Next moves to the next record.
func (c *cursor) Next() (k, v []byte) {
	c.lookRight()
	before := c.last
	k, v = c.c.Next()
	c.found(k)
	if k != nil && before != nil && bytes.Compare(k, before) <= 0 {
		panic(c.b.damage(k, "records out of order"))
	}
	return k, v
}

// Prev moves to the record before.
func (c *cursor) Prev() (k, v []byte) {
	c.lookLeft()
	before := c.last
	k, v = c.c.Prev()
	c.found(k)
	if k != nil && before != nil && bytes.Compare(k, before) >= 0 {
		panic(c.b.damage(k, "records out of order"))
	}
	return k, v
}
