package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt's pages, read with our own eyes. bbolt's Check follows a damaged length
// into all of memory, and a branch that leads back to itself for ever; this walk
// enters no page twice and believes no length.

// Kinds of pages and elements in bbolt's file format.
const (
	pageHead     = 16 // id 8, flags 2, count 2, overflow 4
	elementSize  = 16
	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10
	bucketLeaf   = 0x01 // flag of a leaf element that holds a bucket
	bucketHead   = 16   // root 8, sequence 8; with root 0 the only page follows
	metaSize     = 64
)

var native = binary.NativeEndian // bbolt writes the machine's own order

// meta is one of the two pages at the file's start.
type meta struct {
	pageSize                   int64
	root, freelist, high, txid uint64
}

// readMeta reads meta page i; false if its checksum does not hold.
func readMeta(f io.ReaderAt, i uint64, pageSize int) (m meta, ok bool) {
	var b [metaSize]byte
	if _, err := f.ReadAt(b[:], int64(i)*int64(pageSize)+pageHead); err != nil {
		return m, false
	}
	// magic 4, version 4, page size 4, flags 4, root 8, sequence 8, freelist 8, high 8, txid 8, checksum 8
	m = meta{int64(native.Uint32(b[8:])), native.Uint64(b[16:]), native.Uint64(b[32:]), native.Uint64(b[40:]), native.Uint64(b[48:])}
	h := fnv.New64a()
	h.Write(b[:metaSize-8])
	return m, h.Sum64() == native.Uint64(b[metaSize-8:])
}

// freeListEnds makes sure that the list of free pages of the newest commit, for
// which bbolt makes room when it opens a file to be written, is no longer than its
// pages. Where the first pages are damaged bbolt has its own word.
func freeListEnds(f io.ReaderAt) error {
	var m meta
	size := os.Getpagesize()
	for i := range uint64(2) {
		if n, ok := readMeta(f, i, size); ok && n.pageSize == int64(size) && n.txid >= m.txid {
			m = n
		}
	}
	if m.pageSize == 0 {
		return nil
	}
	where := fmt.Sprint("page ", m.freelist)
	var head [pageHead + 8]byte
	if m.freelist >= m.high {
		return &DamagedError{"the list of free pages is not there", where}
	}
	if _, err := f.ReadAt(head[:], int64(m.freelist)*m.pageSize); err != nil {
		return &DamagedError{fmt.Sprintf("cannot be read: %v", err), where}
	}
	count, pages := uint64(native.Uint16(head[10:])), uint64(native.Uint32(head[12:]))+1
	if count == 0xffff { // the real number does not fit and comes first
		count = native.Uint64(head[pageHead:])
	}
	if pages > m.high-m.freelist || count > pages*uint64(size)/8 {
		return &DamagedError{"the list of free pages does not end", where}
	}
	return nil
}

// newest makes sure that bbolt has not silently gone back to the commit before:
// it does when the newest of the two meta pages is damaged, which is right after
// a power cut in the middle of a commit, for nobody was told of that one. But the
// lock file knows the newest commit that somebody was told of.
func (t *txn) newest(f io.ReaderAt) error {
	if t.lib.file != "" {
		return nil // a copy has no lock file
	}
	t.told = t.lib.readTx()
	if own := t.head.txBase + t.committed(); t.told != 0 && t.told <= own {
		return nil
	}
	size := t.tx.DB().Info().PageSize
	for i := range uint64(2) {
		if _, ok := readMeta(f, i, size); !ok {
			return &DamagedError{fmt.Sprintf("the newest commit, %d, cannot be found", t.told), "the file's first pages"}
		}
	}
	return nil // another file was put in the library's place
}

// committed is the number of the newest commit in the file.
func (t *txn) committed() uint64 {
	if t.write {
		return uint64(t.tx.ID()) - 1
	}
	return uint64(t.tx.ID())
}

// walker goes through the tree from the root.
type pageWalk struct {
	f       io.ReaderAt
	m       meta
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

// walkPages checks the tree and the list of free pages of a read transaction and
// returns the number of free pages. ok is false if something was found.
func (t *txn) walkPages(f io.ReaderAt, find func(what, where string)) (free int, ok bool) {
	size := t.tx.DB().Info().PageSize
	m, valid := readMeta(f, t.committed()%2, size)
	if !valid || m.pageSize != int64(size) || m.high > uint64(t.tx.Size())/uint64(size) {
		find("page: the meta page is not valid", "page 0")
		return 0, false
	}
	w := &pageWalk{f: f, m: m, seen: make([]bool, m.high), find: find}
	w.push(0, visit{id: m.root, root: true})
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
	for id := uint64(2); id < m.high; id++ {
		if !w.seen[id] {
			w.bad(id, "neither used nor free")
			break
		}
	}
	return free, w.trouble == 0
}

func (w *pageWalk) push(from uint64, v visit) {
	if v.id < 2 || v.id >= w.m.high {
		w.bad(from, "leads to page %d, which is not there", v.id)
		return
	}
	w.todo = append(w.todo, v)
}

// load reads a page with what overflows it and marks all of it as used.
func (w *pageWalk) load(id uint64) []byte {
	size := uint64(w.m.pageSize)
	var head [pageHead]byte
	if _, err := w.f.ReadAt(head[:], int64(id*size)); err != nil {
		w.bad(id, "cannot be read: %v", err)
		return nil
	}
	pages := uint64(native.Uint32(head[12:])) + 1
	if native.Uint64(head[:]) != id || id+pages > w.m.high {
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
	flags, count := native.Uint16(b[8:]), int(native.Uint16(b[10:]))
	if flags != branchPage && flags != leafPage || pageHead+count*elementSize > len(b) {
		w.bad(v.id, "is no page of a tree")
		return
	}
	for i := range count {
		if flags == branchPage && !w.branch(&v, b, i) || flags == leafPage && !w.leaf(&v, b, i) {
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
	if i+1 < int(native.Uint16(b[10:])) {
		high = branchKey(b, i+1)
	}
	w.push(v.id, visit{native.Uint64(b[pageHead+i*elementSize+8:]), v.root, key, high})
	return true
}

// branchKey is the key of element i of a branch page, nil if it ends outside. It
// is a copy: the buffer is used again before the page is that i leads to.
func branchKey(b []byte, i int) []byte {
	at := pageHead + i*elementSize
	start := uint64(at) + uint64(native.Uint32(b[at:]))
	end := start + uint64(native.Uint32(b[at+4:]))
	if end > uint64(len(b)) {
		return nil
	}
	return bytes.Clone(b[start:end])
}

// leaf looks at element i of a leaf: a record, or a bucket.
func (w *pageWalk) leaf(v *visit, b []byte, i int) bool {
	at := pageHead + i*elementSize
	e := b[at:]
	start := uint64(at) + uint64(native.Uint32(e[4:]))
	end, vsize := start+uint64(native.Uint32(e[8:])), uint64(native.Uint32(e[12:]))
	if end+vsize > uint64(len(b)) {
		w.bad(v.id, "has a record that ends outside")
		return false
	}
	if !w.rises(v, b[start:end], i == 0) {
		return false
	}
	isBucket := native.Uint32(e)&bucketLeaf != 0
	if isBucket != v.root || isBucket && vsize < 16 {
		w.bad(v.id, "has a bucket where a record should be, or the other way round")
		return false
	}
	if !isBucket {
		return true
	}
	if root := native.Uint64(b[end:]); root != 0 {
		w.push(v.id, visit{id: root})
	} else if !smallFits(b[end : end+vsize]) {
		w.bad(v.id, "has a bucket with a record that ends outside")
		return false
	}
	return true
}

// freelist marks the free pages and returns how many there are.
func (w *pageWalk) freelist() int {
	b := w.load(w.m.freelist)
	if b == nil {
		return 0
	}
	count, ids := uint64(native.Uint16(b[10:])), b[pageHead:]
	if native.Uint16(b[8:]) != freelistPage {
		w.bad(w.m.freelist, "is no list of free pages")
		return 0
	}
	if count == 0xffff { // the real number does not fit and comes first
		count, ids = native.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids))/8 {
		w.bad(w.m.freelist, "lists more pages than it holds")
		return 0
	}
	for i := range count {
		id := native.Uint64(ids[8*i:])
		if id < 2 || id >= w.m.high || w.seen[id] {
			w.bad(w.m.freelist, "lists page %d, which is not free", id)
			return 0
		}
		w.seen[id] = true
	}
	return int(count)
}
