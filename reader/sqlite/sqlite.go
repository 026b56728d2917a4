// Package sqlite reads tables of SQLite's file format, version 3, and nothing else of
// it: no index, no SQL beyond the names of columns, no writing.
//
// Open a file with Open (which takes SQLite's own shared lock) or New, find a table with
// File.Table, and visit its rows with Table.Rows or fetch one with Table.Row. The file
// is anybody's: every number in it is checked before it is used, no page is visited
// twice in a walk, rows do not overlap and rise by their numbers, so that a walk reads no
// more than the file has, and memory follows what was read and never what a length says. The
// format is described at https://www.sqlite.org/fileformat2.html.
package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"unicode/utf16"
	"unsafe"
)

// What a file may be.
const (
	maxDepth  = 24       // pages from a root to a row; SQLite's own limit is 20
	maxRecord = 64 << 20 // bytes of a row; longer ones are damage
	maxTables = 1 << 16  // entries of the schema
	maxSQL    = 1 << 20  // bytes of a CREATE TABLE
	maxCached = 512      // inner pages that are kept
)

// Errors, for errors.Is. Their messages are for people.
var (
	ErrNotDatabase = errors.New("this is not an SQLite database")
	ErrLocked      = errors.New("another program is writing to it")
	ErrUnfinished  = errors.New("its last change is incomplete")
	ErrNoTable     = errors.New("there is no such table")
)

// DamagedError says where a file is not what it should be.
type DamagedError struct {
	Page uint32 // from 1; 0: the file as a whole
	What string
}

func (e *DamagedError) Error() string {
	if e.Page == 0 {
		return "the database is damaged: " + e.What
	}
	return fmt.Sprintf("the database is damaged: page %d: %s", e.Page, e.What)
}

// File is a database. One goroutine may use it.
type File struct {
	r      io.ReaderAt
	mapped []byte // the whole file as memory, which is read instead of r; nil: it is not mapped
	size   int    // bytes of a page
	usable int    // of these, what the format uses
	pages  uint32
	text   encoding
	inner  map[uint32][]byte // pages between roots and rows
	page   []byte            // the page read last that is none of these
	pageNo uint32
	close  func() error
}

// encoding is how texts are written.
type encoding uint32

const (
	utf8Text  encoding = 1
	utf16Less encoding = 2 // least significant byte first
	utf16Big  encoding = 3
)

const headerSize = 100

// New reads the header of a database of size bytes. Errors: ErrNotDatabase, a *DamagedError,
// those of r.
func New(r io.ReaderAt, size int64) (*File, error) {
	var h [headerSize]byte
	if n, err := r.ReadAt(h[:], 0); n < len(h) {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, ErrNotDatabase
	}
	if string(h[:16]) != "SQLite format 3\x00" {
		return nil, ErrNotDatabase
	}
	f := &File{r: r, size: int(binary.BigEndian.Uint16(h[16:])), text: encoding(binary.BigEndian.Uint32(h[56:])), inner: map[uint32][]byte{}}
	if f.size == 1 {
		f.size = 1 << 16
	}
	f.usable = f.size - int(h[20])
	switch {
	case f.size < 512 || f.size&(f.size-1) != 0 || f.usable < 480:
		return nil, &DamagedError{What: fmt.Sprintf("pages of %d bytes", f.size)}
	case h[21] != 64 || h[22] != 32 || h[23] != 32:
		return nil, &DamagedError{What: "its fractions are not 64, 32 and 32"}
	case f.text == 0: // nothing was ever stored
		f.text = utf8Text
	case f.text > utf16Big:
		return nil, &DamagedError{What: fmt.Sprintf("texts in encoding %d", f.text)}
	case binary.BigEndian.Uint32(h[44:]) > 4:
		return nil, fmt.Errorf("%w that this program can read: its format is %d", ErrNotDatabase, binary.BigEndian.Uint32(h[44:]))
	}
	whole := min(size/int64(f.size), 1<<32-2)
	f.pages = uint32(whole)
	// The count in the header holds if the same program wrote both.
	if said := binary.BigEndian.Uint32(h[28:]); said != 0 && binary.BigEndian.Uint32(h[24:]) == binary.BigEndian.Uint32(h[92:]) {
		if said > f.pages {
			return nil, &DamagedError{What: fmt.Sprintf("it is cut short: %d of %d pages are there", f.pages, said)}
		}
		f.pages = said
	}
	if f.pages == 0 {
		return nil, &DamagedError{What: "it is cut short: its first page is not whole"}
	}
	return f, nil
}

// Close gives the lock back that Open took.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// read returns a page, which holds until the next call. What is mapped holds longer, but
// only while a fault at it is caught (see whole).
func (f *File) read(no uint32) ([]byte, error) {
	if no == 0 || no > f.pages {
		return nil, &DamagedError{What: fmt.Sprintf("it refers to page %d of %d", no, f.pages)}
	}
	if f.mapped != nil {
		return f.mapped[int(no-1)*f.size:][:f.size], nil
	}
	if p := f.inner[no]; p != nil {
		return p, nil
	}
	if no == f.pageNo {
		return f.page, nil
	}
	if f.page == nil {
		f.page = make([]byte, f.size)
	}
	f.pageNo = 0
	if n, err := f.r.ReadAt(f.page, int64(no-1)*int64(f.size)); n < f.size {
		if err == nil || errors.Is(err, io.EOF) {
			return nil, &DamagedError{Page: no, What: "it is cut short"}
		}
		return nil, err
	}
	f.pageNo = no
	return f.page, nil
}

// whole runs fn, which reads what is mapped. Where the file was cut short meanwhile, or
// the disk does not give a page, that is an error, which without a map the read is.
func (f *File) whole(fn func() error) (err error) {
	if f.mapped == nil {
		return fn()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		fault, ok := p.(interface{ Addr() uintptr })
		if begin := uintptr(unsafe.Pointer(&f.mapped[0])); ok && fault.Addr()-begin < uintptr(len(f.mapped)) {
			err = &DamagedError{uint32((fault.Addr()-begin)/uintptr(f.size)) + 1, "it cannot be read"}
		} else if p != nil {
			panic(p)
		}
	}()
	return fn()
}

// node is a page of a table.
type node struct {
	no    uint32
	b     []byte // the whole page
	at    int    // where its header is: after the file's on page 1
	cells int
	rows  bool // it holds rows, not other pages
	left  int  // bytes that rows not read yet may have in the page
}

// node reads a page of a table.
func (f *File) node(no uint32) (node, error) {
	b, err := f.read(no)
	if err != nil {
		return node{}, err
	}
	n := node{no: no, b: b[:f.usable], left: f.usable}
	if no == 1 {
		n.at = headerSize
	}
	n.cells = int(binary.BigEndian.Uint16(b[n.at+3:]))
	first := n.at + 8
	switch b[n.at] {
	case 13:
		n.rows = true
	case 5:
		first = n.at + 12
	default:
		return node{}, &DamagedError{no, fmt.Sprintf("it is of kind %d, not of a table", b[n.at])}
	}
	if first+2*n.cells > f.usable {
		return node{}, &DamagedError{no, fmt.Sprintf("%d cells do not fit", n.cells)}
	}
	if f.mapped == nil && !n.rows && f.inner[no] == nil && len(f.inner) < maxCached {
		kept := append([]byte(nil), b...)
		f.inner[no], n.b = kept, kept[:f.usable]
	}
	return n, nil
}

// cell returns the bytes from cell i to the end of the page.
func (n *node) cell(i int) ([]byte, error) {
	first := n.at + 12
	if n.rows {
		first = n.at + 8
	}
	at := int(binary.BigEndian.Uint16(n.b[first+2*i:]))
	if at < first+2*n.cells || at >= len(n.b) {
		return nil, &DamagedError{n.no, fmt.Sprintf("cell %d begins at %d", i, at)}
	}
	return n.b[at:], nil
}

// child returns the page of cell i and the largest row number in it; of i = cells
// the page after the last.
func (n *node) child(i int) (no uint32, key int64, err error) {
	if i == n.cells {
		return binary.BigEndian.Uint32(n.b[n.at+8:]), 1<<63 - 1, nil
	}
	c, err := n.cell(i)
	if err != nil {
		return 0, 0, err
	}
	if len(c) < 5 {
		return 0, 0, &DamagedError{n.no, "a cell ends before its end"}
	}
	k, used := varint(c[4:])
	if used == 0 {
		return 0, 0, &DamagedError{n.no, "a row number ends before its end"}
	}
	return binary.BigEndian.Uint32(c), int64(k), nil
}

// varint reads one of SQLite's numbers of up to 9 bytes; n is 0 if it has no end.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// marks are pages that a walk has visited.
type marks []uint64

func (m marks) mark(no uint32) (again bool) {
	i, bit := no/64, uint64(1)<<(no%64)
	again = m[i]&bit != 0
	m[i] |= bit
	return again
}

func (f *File) marks() marks { return make(marks, f.pages/64+1) }

// payload returns the number and the record of cell i of a page of rows. In a walk,
// which has seen, it holds until the next call, else until buf is used again.
func (f *File) payload(n *node, i int, seen marks, buf []byte) (rowid int64, rec, next []byte, err error) {
	c, err := n.cell(i)
	if err != nil {
		return 0, nil, buf, err
	}
	length, a := varint(c)
	id, b := varint(c[a:])
	if a == 0 || b == 0 {
		return 0, nil, buf, &DamagedError{n.no, "a row begins and does not go on"}
	}
	if length > maxRecord {
		return 0, nil, buf, &DamagedError{n.no, fmt.Sprintf("row %d has %d bytes", int64(id), length)}
	}
	c = c[a+b:]
	local := f.local(int(length))
	if len(c) < local || local < int(length) && len(c) < local+4 {
		return 0, nil, buf, &DamagedError{n.no, fmt.Sprintf("row %d leaves the page", int64(id))}
	}
	if n.left -= a + b + local; n.left < 0 { // else a page of them could hold gigabytes
		return 0, nil, buf, &DamagedError{n.no, fmt.Sprintf("row %d overlaps another", int64(id))}
	}
	if local == int(length) && seen != nil {
		return int64(id), c[:local], buf, nil
	}
	buf = append(buf[:0], c[:local]...)
	if local == int(length) {
		return int64(id), buf, buf, nil
	}
	page, at := binary.BigEndian.Uint32(c[local:]), n.no
	// A chain has as many pages as the rest of the record needs: that bounds it.
	for len(buf) < int(length) {
		if page == 0 || page > f.pages {
			return 0, nil, buf, &DamagedError{at, fmt.Sprintf("row %d goes on at page %d", int64(id), page)}
		}
		if seen != nil && seen.mark(page) {
			return 0, nil, buf, &DamagedError{page, "it belongs to two rows"}
		}
		b, err := f.read(page)
		if err != nil {
			return 0, nil, buf, err
		}
		at, page = page, binary.BigEndian.Uint32(b)
		buf = append(buf, b[4:min(f.usable, 4+int(length)-len(buf))]...)
	}
	return int64(id), buf, buf, nil
}

// local is how many bytes of a record stand in its page.
func (f *File) local(length int) int {
	most, least := f.usable-35, (f.usable-12)*32/255-23
	if length <= most {
		return length
	}
	if k := least + (length-least)%(f.usable-4); k <= most {
		return k
	}
	return least
}

// decode makes UTF-8 of a text. What is no text of its encoding is replaced.
func (e encoding) decode(b []byte) string {
	if e == utf8Text {
		return string(b)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if e == utf16Big {
		order = binary.BigEndian
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
