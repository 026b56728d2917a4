package sqlite

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Table is a table with its columns.
type Table struct {
	Columns []string // in lower case, in their order
	file    *File
	root    uint32
	rowid   int // the column that is another name of the row number; -1: none
}

// Table finds a table by its name, in any letter case. Errors: ErrNoTable, a *DamagedError.
func (f *File) Table(name string) (*Table, error) {
	schema := Table{Columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}, file: f, root: 1, rowid: -1}
	var found *Table
	n := 0
	err := schema.Rows(func(r *Row) error {
		if n++; n > maxTables {
			return &DamagedError{1, "there are too many tables"}
		}
		if found != nil || r.Text(0) != "table" || !strings.EqualFold(r.Text(1), name) {
			return nil
		}
		root, sql := r.Int(3), r.Text(4)
		if root < 1 || root > int64(f.pages) || len(sql) > maxSQL {
			return &DamagedError{1, fmt.Sprintf("the table %q begins at page %d", name, root)}
		}
		found = &Table{file: f, root: uint32(root)}
		found.Columns, found.rowid = columns(sql)
		if len(found.Columns) == 0 {
			return &DamagedError{1, fmt.Sprintf("the columns of the table %q are not understood", name)}
		}
		return nil
	})
	if err == nil && found == nil {
		err = fmt.Errorf("%w: %s", ErrNoTable, name)
	}
	return found, err
}

// Column is the place of a column; -1 if there is none of this name.
func (t *Table) Column(name string) int {
	for i, c := range t.Columns {
		if c == name {
			return i
		}
	}
	return -1
}

// Rows visits all rows by their numbers. A Row holds during its visit only.
func (t *Table) Rows(visit func(*Row) error) error {
	w := walk{t: t, seen: t.file.marks(), visit: visit}
	return t.file.whole(func() error { return w.page(t.root, 0) })
}

type walk struct {
	t     *Table
	seen  marks
	row   Row
	any   bool // row is the one before
	own   []byte
	buf   []byte
	visit func(*Row) error
}

func (w *walk) page(no uint32, depth int) error {
	f := w.t.file
	if depth > maxDepth {
		return &DamagedError{no, "it is nested too deeply"}
	}
	if no > f.pages || w.seen.mark(no) {
		return &DamagedError{no, "it is referred to twice, or is not there"}
	}
	n, err := f.node(no)
	if err != nil {
		return err
	}
	switch {
	case f.mapped != nil:
	case n.rows:
		w.own = append(w.own[:0], n.b...) // a long row reads other pages
		n.b = w.own
	case f.inner[no] == nil:
		n.b = append([]byte(nil), n.b...)
	}
	if !n.rows {
		for i := range n.cells + 1 {
			child, _, err := n.child(i)
			if err != nil {
				return err
			}
			if err := w.page(child, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range n.cells {
		if err := w.take(&n, i); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) take(n *node, i int) error {
	id, rec, buf, err := w.t.file.payload(n, i, w.seen, w.buf)
	w.buf = buf
	if err != nil {
		return err
	}
	if w.any && id <= w.row.ID { // Row would find one of the two for both
		return &DamagedError{n.no, fmt.Sprintf("row %d follows row %d", id, w.row.ID)}
	}
	w.any = true
	if !w.row.decode(w.t, id, rec) {
		return &DamagedError{n.no, fmt.Sprintf("row %d does not decode", id)}
	}
	return w.visit(&w.row)
}

// Row reads the row of a number into r, false if there is none. It holds until the
// next row is read.
func (t *Table) Row(id int64, r *Row) (found bool, err error) {
	err = t.file.whole(func() error {
		found, err = t.find(id, r)
		return err
	})
	return found, err
}

func (t *Table) find(id int64, r *Row) (bool, error) {
	f, no := t.file, t.root
	for depth := 0; depth <= maxDepth; depth++ {
		n, err := f.node(no)
		if err != nil {
			return false, err
		}
		if n.rows {
			return t.rowIn(&n, id, r)
		}
		low, high := 0, n.cells // the first child whose largest row is id or above
		for low < high {
			mid := (low + high) / 2
			_, key, err := n.child(mid)
			if err != nil {
				return false, err
			}
			if key < id {
				low = mid + 1
			} else {
				high = mid
			}
		}
		if no, _, err = n.child(low); err != nil {
			return false, err
		}
	}
	return false, &DamagedError{no, "it is nested too deeply"}
}

func (t *Table) rowIn(n *node, id int64, r *Row) (bool, error) {
	low, high := 0, n.cells
	for low < high {
		mid := (low + high) / 2
		c, err := n.cell(mid)
		if err != nil {
			return false, err
		}
		_, a := varint(c)
		key, b := varint(c[a:])
		if a == 0 || b == 0 {
			return false, &DamagedError{n.no, "a row begins and does not go on"}
		}
		if int64(key) < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == n.cells {
		return false, nil
	}
	got, rec, buf, err := t.file.payload(n, low, nil, r.buf)
	r.buf = buf
	if err != nil || got != id {
		return false, err
	}
	if !r.decode(t, id, rec) {
		return false, &DamagedError{n.no, fmt.Sprintf("row %d does not decode", id)}
	}
	return true, nil
}

// Row is a row of a table. Columns that it does not have are null.
type Row struct {
	ID    int64
	table *Table
	cols  []value
	buf   []byte
}

// value is a column's serial type and its bytes.
type value struct {
	serial uint64
	b      []byte
}

// decode reads a record; false if it is none.
func (r *Row) decode(t *Table, id int64, rec []byte) bool {
	r.ID, r.table, r.cols = id, t, r.cols[:0]
	size, n := varint(rec)
	if n == 0 || size < uint64(n) || size > uint64(len(rec)) {
		return false
	}
	head, body := rec[n:size], rec[size:]
	for len(head) > 0 && len(r.cols) < len(t.Columns) {
		serial, used := varint(head)
		width := widthOf(serial)
		if used == 0 || width > uint64(len(body)) {
			return false
		}
		r.cols = append(r.cols, value{serial, body[:width]})
		head, body = head[used:], body[width:]
	}
	return true
}

// widthOf is how many bytes a value has; more than there can be for no type.
func widthOf(serial uint64) uint64 {
	switch {
	case serial <= 4:
		return serial
	case serial == 5:
		return 6
	case serial <= 7:
		return 8
	case serial <= 9:
		return 0
	case serial < 12:
		return math.MaxUint64
	}
	return (serial - 12) / 2
}

// at is a column's value; null for one that is not there.
func (r *Row) at(col int) value {
	if col < 0 || col >= len(r.cols) {
		return value{}
	}
	return r.cols[col]
}

// Null reports whether a column has no value.
func (r *Row) Null(col int) bool {
	return r.at(col).serial == 0 && (col < 0 || col != r.table.rowid)
}

// Int is a column as a number; 0 for what is none.
func (r *Row) Int(col int) int64 {
	v := r.at(col)
	switch {
	case v.serial == 0 && col >= 0 && col == r.table.rowid:
		return r.ID
	case v.serial >= 1 && v.serial <= 6:
		n := int64(int8(v.b[0]))
		for _, c := range v.b[1:] {
			n = n<<8 | int64(c)
		}
		return n
	case v.serial == 7:
		x := math.Float64frombits(binary.BigEndian.Uint64(v.b))
		if x >= -1<<62 && x <= 1<<62 {
			return int64(x)
		}
	case v.serial == 9:
		return 1
	case v.serial >= 12:
		n, err := strconv.ParseInt(strings.TrimSpace(r.Text(col)), 10, 64)
		if err == nil {
			return n
		}
	}
	return 0
}

// Text is a column as a text, a number as its digits, "" for null. It may be no valid UTF-8.
func (r *Row) Text(col int) string {
	v := r.at(col)
	switch {
	case v.serial >= 12 && v.serial%2 == 0: // bytes, however they are meant
		return string(v.b)
	case v.serial >= 12:
		return r.table.file.text.decode(v.b)
	case r.Null(col):
		return ""
	case v.serial == 7:
		return strconv.FormatFloat(math.Float64frombits(binary.BigEndian.Uint64(v.b)), 'g', -1, 64)
	}
	return strconv.FormatInt(r.Int(col), 10)
}
