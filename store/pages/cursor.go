package pages

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// Cursor is bbolt's cursor, with the way looked at first. Keys rise from Next to
// Next and fall from Prev to Prev, or the tree is damaged.
type Cursor struct {
	b                   *Bucket
	c                   *bolt.Cursor
	last                []byte // where the cursor is
	at, right, left     way    // of the leaf that it is in, or is past by now, and those beside
	rightSeen, leftSeen bool
	low, high           []byte // the leaf's first key, and what its keys lie below
}

// Cursor begins before the first record.
func (b *Bucket) Cursor() *Cursor { return &Cursor{b: b, c: b.Bucket.Cursor()} }

// root is 0 when nothing needs to be looked at. A record deleted in this
// transaction may have left an empty leaf, over which bbolt steps to the next
// one: then all of the bucket is walked, once.
func (c *Cursor) root() uint64 {
	root := c.b.root()
	if root != 0 && c.b.holes {
		c.b.Walk()
		return 0
	}
	return root
}

//go:noinline
func (c *Cursor) stand(w way) {
	*c = Cursor{b: c.b, c: c.c, at: w, last: c.last}
}

// lookRight and lookLeft are called before bbolt may step over to a leaf beside.
func (c *Cursor) lookRight() {
	if !c.blind(c.rightSeen) {
		c.rightSeen, c.right, c.high = true, c.b.g.beside(c.at, 1), c.at.high()
		if c.right != nil && bytes.Compare(c.right.leaf().Key(0), c.high) < 0 {
			panic(c.b.damage(c.right.leaf().Key(0), "records out of order"))
		}
	}
}

func (c *Cursor) lookLeft() {
	if !c.blind(c.leftSeen) {
		c.leftSeen, c.left = true, c.b.g.beside(c.at, -1)
		if p := c.at.leaf(); p.Count > 0 {
			c.low = p.Key(0)
		}
	}
}

// blind tells whether there is nothing to look at. Only a transaction that writes
// can have deleted something meanwhile.
func (c *Cursor) blind(seen bool) bool {
	return c.at == nil || seen && !c.b.g.tx.Writable() || c.root() == 0 || seen
}

// found notes where bbolt's cursor went, and returns what is there.
func (c *Cursor) found(k, v []byte) (key, val []byte) {
	switch c.last = k; {
	case k == nil:
	case c.right != nil && bytes.Compare(k, c.high) >= 0:
		c.stand(c.right)
	case c.left != nil && (c.low == nil || bytes.Compare(k, c.low) < 0):
		c.stand(c.left)
	}
	return k, v
}

// begin stands on the leaf that is found by choosing.
func (c *Cursor) begin(choose func(*Page) int) {
	if root := c.root(); root != 0 {
		c.stand(c.b.g.down(nil, root, choose))
	}
}

// Seek moves to the first record from key on.
func (c *Cursor) Seek(key []byte) (k, v []byte) {
	c.begin(towards(key))
	c.lookRight()
	return c.found(c.c.Seek(key))
}

// First moves to the first record.
func (c *Cursor) First() (k, v []byte) {
	c.begin(leftmost)
	c.lookRight()
	return c.found(c.c.First())
}

// Last moves to the last record.
func (c *Cursor) Last() (k, v []byte) {
	c.begin(rightmost)
	c.lookLeft()
	return c.found(c.c.Last())
}

// Next moves to the next record.
func (c *Cursor) Next() (k, v []byte) {
	c.lookRight()
	before := c.last
	k, v = c.found(c.c.Next())
	if k != nil && before != nil && bytes.Compare(k, before) <= 0 {
		panic(c.b.damage(k, "records out of order"))
	}
	return k, v
}

// Prev moves to the record before.
func (c *Cursor) Prev() (k, v []byte) {
	c.lookLeft()
	before := c.last
	k, v = c.found(c.c.Prev())
	if k != nil && before != nil && bytes.Compare(k, before) >= 0 {
		panic(c.b.damage(k, "records out of order"))
	}
	return k, v
}
