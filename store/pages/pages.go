// Package pages reads the pages of a bbolt file with our own eyes. bbolt follows a
// damaged length into all of memory, and a branch that leads back to itself until
// the stack is used up, which ends the process. A Guard looks at each way before
// bbolt goes it, and its Check at all pages; Records reads those of a page without
// a tree. What they find is a Damage: Guard, Bucket and Cursor panic with it, as
// bbolt itself does where a page makes no sense.
package pages

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// Kinds of pages and elements in bbolt's file format.
const (
	HeadSize     = 16 // id 8, flags 2, count 2, overflow 4
	ElementSize  = 16
	BranchPage   = 0x01
	LeafPage     = 0x02
	freelistPage = 0x10
	BucketLeaf   = 0x01 // flag of a leaf element that holds a bucket
	BucketHead   = 16   // root 8, sequence 8; with root 0 the only page follows
	MetaSize     = 64
)

// Native is the byte order of the file.
var Native = binary.NativeEndian // bbolt writes the machine's own order

// Meta is one of the two pages at the file's start.
type Meta struct {
	PageSize                   int64 // bytes
	Root, Freelist, High, TxID uint64
}

// ReadMeta reads meta page i; false if its checksum does not hold.
func ReadMeta(f io.ReaderAt, i uint64, pageSize int) (m Meta, ok bool) {
	var b [MetaSize]byte
	if _, err := f.ReadAt(b[:], int64(i)*int64(pageSize)+HeadSize); err != nil {
		return m, false
	}
	// magic 4, version 4, page size 4, flags 4, root 8, sequence 8, freelist 8, high 8, txid 8, checksum 8
	m = Meta{int64(Native.Uint32(b[8:])), Native.Uint64(b[16:]), Native.Uint64(b[32:]), Native.Uint64(b[40:]), Native.Uint64(b[48:])}
	h := fnv.New64a()
	h.Write(b[:MetaSize-8])
	return m, h.Sum64() == Native.Uint64(b[MetaSize-8:])
}

// FreeListEnds makes sure that the list of free pages of the newest commit, for
// which bbolt makes room when it opens a file to be written, is no longer than its
// pages. Where the first pages are damaged bbolt has its own word.
func FreeListEnds(f io.ReaderAt) error {
	var m Meta
	size := os.Getpagesize()
	for i := range uint64(2) {
		if n, ok := ReadMeta(f, i, size); ok && n.PageSize == int64(size) && n.TxID >= m.TxID {
			m = n
		}
	}
	if m.PageSize == 0 {
		return nil
	}
	where := fmt.Sprint("page ", m.Freelist)
	var head [HeadSize + 8]byte
	if m.Freelist >= m.High {
		return &Damage{"the list of free pages is not there", where}
	}
	if _, err := f.ReadAt(head[:], int64(m.Freelist)*m.PageSize); err != nil {
		return &Damage{fmt.Sprintf("cannot be read: %v", err), where}
	}
	count, pages := uint64(Native.Uint16(head[10:])), uint64(Native.Uint32(head[12:]))+1
	if count == 0xffff { // the real number does not fit and comes first
		count = Native.Uint64(head[HeadSize:])
	}
	if pages > m.High-m.Freelist || count > pages*uint64(size)/8 {
		return &Damage{"the list of free pages does not end", where}
	}
	return nil
}

// pageWalk goes through the tree from the root.
type pageWalk struct {
	f       io.ReaderAt
	m       Meta
	seen    []bool
	todo    []visit
	buf     []byte
	find    func(what, where string)
	trouble int
}

type visit struct {
	id        uint64
	root      bool   // of the buckets: its leaves hold buckets
	low, high []byte // its keys lie from low on and below high; nil: no bound
}

func (w *pageWalk) bad(id uint64, format string, a ...any) {
	w.trouble++
	w.find("page: "+fmt.Sprintf(format, a...), fmt.Sprint("page ", id))
}

// Check looks at the whole tree and the list of free pages of a read transaction
// and returns the number of free pages. ok is false if something was found; else
// no way is looked at any more.
func (g *Guard) Check(f io.ReaderAt, find func(what, where string)) (free int, ok bool) {
	size := g.PageSize
	m, valid := ReadMeta(f, Committed(g.tx)%2, int(size))
	if !valid || m.PageSize != int64(size) || m.High > uint64(g.tx.Size())/size {
		find("page: the meta page is not valid", "page 0")
		return 0, false
	}
	w := &pageWalk{f: f, m: m, seen: make([]bool, m.High), find: find}
	w.push(0, visit{id: m.Root, root: true})
	for len(w.todo) > 0 && w.trouble < 100 {
		v := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.page(v)
	}
	if w.trouble > 0 {
		return 0, false
	}
	free = w.freelist()
	if w.trouble > 0 {
		return free, false
	}
	for id := uint64(2); id < m.High; id++ {
		if !w.seen[id] {
			w.bad(id, "neither used nor free")
			break
		}
	}
	g.sound = w.trouble == 0
	return free, g.sound
}

func (w *pageWalk) push(from uint64, v visit) {
	if v.id < 2 || v.id >= w.m.High {
		w.bad(from, "leads to page %d, which is not there", v.id)
		return
	}
	w.todo = append(w.todo, v)
}

// load reads a page with what overflows it and marks all of it as used.
func (w *pageWalk) load(id uint64) []byte {
	size := uint64(w.m.PageSize)
	var head [HeadSize]byte
	if _, err := w.f.ReadAt(head[:], int64(id*size)); err != nil {
		w.bad(id, "cannot be read: %v", err)
		return nil
	}
	pages := uint64(Native.Uint32(head[12:])) + 1
	if Native.Uint64(head[:]) != id || id+pages > w.m.High {
		w.bad(id, "has the head of another page")
		return nil
	}
	for i := id; i < id+pages; i++ {
		if w.seen[i] {
			w.bad(i, "is used twice")
			return nil
		}
		w.seen[i] = true
	}
	if need := pages * size; uint64(cap(w.buf)) < need {
		w.buf = make([]byte, need)
	}
	b := w.buf[:pages*size]
	if _, err := w.f.ReadAt(b, int64(id*size)); err != nil {
		w.bad(id, "cannot be read: %v", err)
		return nil
	}
	return b
}

func (w *pageWalk) page(v visit) {
	b := w.load(v.id)
	if b == nil {
		return
	}
	flags, count := Native.Uint16(b[8:]), int(Native.Uint16(b[10:]))
	if flags != BranchPage && flags != LeafPage || HeadSize+count*ElementSize > len(b) {
		w.bad(v.id, "is no page of a tree")
		return
	}
	for i := range count {
		if flags == BranchPage && !w.branch(&v, b, i) || flags == LeafPage && !w.leaf(&v, b, i) {
			return
		}
	}
	if v.high != nil && v.low != nil && bytes.Compare(v.low, v.high) >= 0 {
		w.bad(v.id, "has keys that belong to the page beside it")
	}
}

// rises makes sure that key follows what lies before it on the page. Then it is
// what the next one must follow.
func (w *pageWalk) rises(v *visit, key []byte, first bool) bool {
	if c := bytes.Compare(key, v.low); v.low != nil && (c < 0 || c == 0 && !first) {
		w.bad(v.id, "has keys out of order")
		return false
	}
	v.low = key
	return true
}

// branch looks at element i of a branch page, whose key is the least that the
// page it leads to may have; the next one's is what that may not reach.
func (w *pageWalk) branch(v *visit, b []byte, i int) bool {
	key, high := branchKey(b, i), v.high
	if key == nil {
		w.bad(v.id, "has a key that ends outside")
		return false
	}
	if !w.rises(v, key, i == 0) {
		return false
	}
	if i+1 < int(Native.Uint16(b[10:])) {
		high = branchKey(b, i+1)
	}
	w.push(v.id, visit{Native.Uint64(b[HeadSize+i*ElementSize+8:]), v.root, key, high})
	return true
}

// branchKey is the key of element i of a branch page, nil if it ends outside. It
// is a copy: the buffer is used again before the page is that i leads to.
func branchKey(b []byte, i int) []byte {
	at := HeadSize + i*ElementSize
	start := uint64(at) + uint64(Native.Uint32(b[at:]))
	end := start + uint64(Native.Uint32(b[at+4:]))
	if end > uint64(len(b)) {
		return nil
	}
	return bytes.Clone(b[start:end])
}

// leaf looks at element i of a leaf: a record, or a bucket.
func (w *pageWalk) leaf(v *visit, b []byte, i int) bool {
	at := HeadSize + i*ElementSize
	e := b[at:]
	start := uint64(at) + uint64(Native.Uint32(e[4:]))
	end, vsize := start+uint64(Native.Uint32(e[8:])), uint64(Native.Uint32(e[12:]))
	if end+vsize > uint64(len(b)) {
		w.bad(v.id, "has a record that ends outside")
		return false
	}
	if !w.rises(v, b[start:end], i == 0) {
		return false
	}
	isBucket := Native.Uint32(e)&BucketLeaf != 0
	if isBucket != v.root || isBucket && vsize < 16 {
		w.bad(v.id, "has a bucket where a record should be, or the other way round")
		return false
	}
	if !isBucket {
		return true
	}
	if root := Native.Uint64(b[end:]); root != 0 {
		w.push(v.id, visit{id: root})
	} else if !smallFits(b[end : end+vsize]) {
		w.bad(v.id, "has a bucket with a record that ends outside")
		return false
	}
	return true
}

// freelist marks the free pages and returns how many there are.
func (w *pageWalk) freelist() int {
	b := w.load(w.m.Freelist)
	if b == nil {
		return 0
	}
	count, ids := uint64(Native.Uint16(b[10:])), b[HeadSize:]
	if Native.Uint16(b[8:]) != freelistPage {
		w.bad(w.m.Freelist, "is no list of free pages")
		return 0
	}
	if count == 0xffff { // the real number does not fit and comes first
		count, ids = Native.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids))/8 {
		w.bad(w.m.Freelist, "lists more pages than it holds")
		return 0
	}
	for i := range count {
		id := Native.Uint64(ids[8*i:])
		if id < 2 || id >= w.m.High || w.seen[id] {
			w.bad(w.m.Freelist, "lists page %d, which is not free", id)
			return 0
		}
		w.seen[id] = true
	}
	return int(count)
}
