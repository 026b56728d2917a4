package pages

import (
	bolt "go.etcd.io/bbolt"
)

// Bucket is one of bbolt's.
type Bucket struct {
	*bolt.Bucket
	g      *Guard
	name   func(key []byte) string
	walked bool // all of it
	holes  bool // this transaction has deleted in it
	seen   span // of the way that was looked at last
}

// Bucket opens a bucket; nil if it is not there. name is how people know its
// records.
func (g *Guard) Bucket(bucket []byte, name func(key []byte) string) *Bucket {
	b := g.tx.Bucket(bucket)
	if b == nil {
		return nil
	}
	return &Bucket{Bucket: b, g: g, name: name}
}

// Get returns the record under key, nil if there is none.
func (b *Bucket) Get(key []byte) []byte {
	b.sure(key, false)
	return b.Bucket.Get(key)
}

// Put writes a record. bbolt keeps rec until the commit.
func (b *Bucket) Put(key, rec []byte) error {
	b.sure(key, false)
	return b.Bucket.Put(key, rec)
}

// Delete removes a record.
func (b *Bucket) Delete(key []byte) error {
	b.sure(key, true)
	b.holes = true
	return b.Bucket.Delete(key)
}

// sure looks at the way to key before bbolt goes it. Deleting may join a page to
// the one beside it.
func (b *Bucket) sure(key []byte, deletes bool) {
	root := b.root()
	if root == 0 {
		return
	}
	// What is committed stays as it is for the transaction, so a way is looked at once.
	if !deletes && b.seen.has(key) {
		return
	}
	g := b.g
	b.seen = span{key: key}
	g.way = g.down(g.way[:0], root, b.seen.choose)
	if !deletes {
		return
	}
	for _, s := range g.way[:len(g.way)-1] {
		for i := max(0, s.i-1); i < min(s.i+2, s.p.Count); i++ {
			g.Page(s.p.Child(i))
		}
	}
}

// root is the page on which the tree begins; 0 if there is nothing to be looked
// at: a small bucket has no tree, and one was walked before.
func (b *Bucket) root() uint64 {
	if b.g.sound || b.walked {
		return 0
	}
	return uint64(b.Root())
}

// Walk makes sure that all of the bucket can be walked, as bbolt does to delete it.
func (b *Bucket) Walk() {
	if root := b.root(); root != 0 {
		b.g.all(root, nil)
		b.walked = true
	}
}

func (b *Bucket) damage(key []byte, what string) *Damage { return &Damage{what, b.name(key)} }
