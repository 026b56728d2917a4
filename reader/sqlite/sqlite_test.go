package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diurna/reader/sqlite/sqlitetest"
)

// database is a whole file with the table t(id, name, n).
func database(size, fan int, rows [][]any) []byte {
	return sqlitetest.Database(size, fan, sqlitetest.Table{Name: "t", SQL: "create table t(id integer primary key, name text, n int)", Rows: rows})
}

func sample(n int) (rows [][]any, names []string) {
	for i := range n {
		name := strings.Repeat(string(rune('a'+i%26)), i*i%1900)
		names = append(names, name)
		rows = append(rows, []any{nil, name, int64(i) - 5})
	}
	return rows, names
}

func open1(t *testing.T, b []byte) *Table {
	t.Helper()
	f, err := New(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	table, err := f.Table("T")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTable(t *testing.T) {
	rows, names := sample(200)
	table := open1(t, database(512, 2, rows))
	if want := []string{"id", "name", "n"}; !slices.Equal(table.Columns, want) || table.Column("n") != 2 || table.Column("x") != -1 {
		t.Fatal(table.Columns)
	}
	n := 0
	err := table.Rows(func(r *Row) error {
		if r.ID != int64(n+1) || r.Int(0) != r.ID || r.Text(0) != fmt.Sprint(n+1) || r.Null(0) || r.Text(1) != names[n] || r.Int(2) != int64(n-5) || !r.Null(3) || r.Text(3) != "" {
			t.Fatalf("row %d is %d %q %d", n+1, r.ID, r.Text(1), r.Int(2))
		}
		n++
		return nil
	})
	if err != nil || n != len(names) {
		t.Fatal(n, err)
	}
	var r Row
	for _, id := range []int64{1, 200, 77, 2, 199} {
		if ok, err := table.Row(id, &r); !ok || err != nil || r.ID != id || r.Text(1) != names[id-1] {
			t.Errorf("row %d: %v %v", id, ok, err)
		}
	}
	for _, id := range []int64{0, 201, -1, 1 << 62} {
		if ok, err := table.Row(id, &r); ok || err != nil {
			t.Errorf("row %d: %v %v", id, ok, err)
		}
	}
	if _, err := table.file.Table("u"); !errors.Is(err, ErrNoTable) {
		t.Error(err)
	}
}

// Databases of SQLite itself, in the three encodings, with deleted rows, values of
// every kind and columns that were added later.
func TestFiles(t *testing.T) {
	for _, name := range []string{"utf8", "utf16le", "utf16be"} {
		f, err := Open(filepath.Join("testdata", name+".db"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		table, err := f.Table("rss_item")
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"id", "guid", "title", "content", "unread", "price", "flags", "deleted"}; !slices.Equal(table.Columns, want) || table.rowid != 0 {
			t.Fatal(name, table.Columns, table.rowid)
		}
		n := 0
		var r Row
		err = table.Rows(func(row *Row) error {
			n++
			ok, err := table.Row(row.ID, &r)
			if !ok || err != nil || r.Text(3) != row.Text(3) || r.Text(1) != row.Text(1) {
				t.Fatalf("%s: row %d: %v, %v", name, row.ID, ok, err)
			}
			i := row.ID / 3
			switch {
			case row.ID == 400:
				if row.Text(1) != "last" || row.Text(6) != "aZ" || row.Int(7) != 1 {
					t.Error(name, "the last row")
				}
			case row.ID == 9:
				if row.Int(2) != 1<<40 || !row.Null(3) || row.Int(5) != 1<<62 || row.Int(7) != 0 || !row.Null(6) {
					t.Error(name, "large numbers", row.Int(2), row.Int(5))
				}
			case row.ID == 12:
				if row.Int(2) != -5 || row.Text(2) != "-5" || row.Text(3) != "\x00\xff" || row.Int(5) != -129 {
					t.Error(name, "small numbers", row.Int(2), row.Int(5))
				}
			default:
				text := strings.Repeat(fmt.Sprintf("å%d ", i), times(i))
				if row.Text(1) != fmt.Sprintf("g%d", i) || row.Text(2) != fmt.Sprintf("Fähre %d", i) || row.Text(3) != text || row.Int(4) != i%2 || row.Int(5) != i/2 {
					t.Errorf("%s: row %d is %q %q", name, row.ID, row.Text(1), row.Text(2))
				}
			}
			return nil
		})
		if err != nil || n != 60-7+2+1 {
			t.Error(name, n, err)
		}
	}
}

func times(i int64) int {
	if i < 55 {
		return int(i)
	}
	return int(i * 5)
}

func TestDamage(t *testing.T) {
	rows, _ := sample(60)
	whole := database(512, 3, rows)
	read := func(b []byte) error {
		f, err := New(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return err
		}
		table, err := f.Table("t")
		if err != nil {
			return err
		}
		return table.Rows(func(*Row) error { return nil })
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	spoil := func(do func(b []byte) []byte) []byte { return do(bytes.Clone(whole)) }
	root := uint32(len(whole) / 512)
	at := int(root-1) * 512
	for what, b := range map[string][]byte{
		"nothing":           nil,
		"another file":      []byte(strings.Repeat("feeds ", 100)),
		"page size":         spoil(func(b []byte) []byte { b[16], b[17] = 3, 7; return b }),
		"fractions":         spoil(func(b []byte) []byte { b[21] = 9; return b }),
		"encoding":          spoil(func(b []byte) []byte { b[59] = 9; return b }),
		"future format":     spoil(func(b []byte) []byte { b[47] = 9; return b }),
		"cut":               whole[:len(whole)-512],
		"cut in a page":     whole[:len(whole)-1],
		"kind":              spoil(func(b []byte) []byte { b[at] = 2; return b }),
		"too many cells":    spoil(func(b []byte) []byte { b[at+3] = 0xff; return b }),
		"a cycle":           spoil(func(b []byte) []byte { binary.BigEndian.PutUint32(b[at+8:], root); return b }),
		"a page beyond":     spoil(func(b []byte) []byte { binary.BigEndian.PutUint32(b[at+8:], 1<<31); return b }),
		"a cell beyond":     spoil(func(b []byte) []byte { b[at+12] = 0xff; return b }),
		"a cell in the top": spoil(func(b []byte) []byte { b[at+12], b[at+13] = 0, 3; return b }),
	} {
		err := read(b)
		var damaged *DamagedError
		if !errors.As(err, &damaged) && !errors.Is(err, ErrNotDatabase) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Two rows whose texts go on at the same page.
	long := []any{nil, strings.Repeat("x", 2000), int64(1)}
	b := database(512, 3, [][]any{long, long})
	cells := b[len(b)-512:]
	end := binary.BigEndian.Uint16(cells[8:]) // where the first cell begins the second ends, with the page where its text goes on
	copy(cells[end-4:end], cells[508:])
	if err := read(b); err == nil || !strings.Contains(err.Error(), "it belongs to two rows") {
		t.Error(err)
	}
}

// Rows that lie in each other, or have one number, are damage: else a small file would be
// as much to read as a huge one.
func TestOverlap(t *testing.T) {
	var text strings.Builder
	const cells = 100
	for i := range cells { // each a row of 1,000 bytes without columns, which begins in the one before
		text.WriteString(string([]byte{0x87, 0x68, byte(i + 1), 1}))
	}
	text.WriteString(strings.Repeat("x", 1200))
	build := func(at func(i, from int) int) []byte {
		b := database(4096, 3, [][]any{{nil, text.String(), int64(1)}})
		page := b[len(b)-4096:]
		from := bytes.Index(page, []byte{0x87, 0x68, 1, 1})
		binary.BigEndian.PutUint16(page[3:], cells)
		for i := range cells {
			binary.BigEndian.PutUint16(page[8+2*i:], uint16(at(i, from)))
		}
		return b
	}
	for want, b := range map[string][]byte{
		"overlaps another":    build(func(i, from int) int { return from + 4*i }),
		"row 1 follows row 1": build(func(_, from int) int { return from }),
	} {
		n := 0
		err := open1(t, b).Rows(func(*Row) error { n++; return nil })
		if err == nil || !strings.Contains(err.Error(), want) || n > 4 {
			t.Errorf("%q: %d rows, %v", want, n, err)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cache.db")
	if _, err := Open(path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrNotDatabase) {
		t.Error(err)
	}
	rows, _ := sample(5)
	if err := os.WriteFile(path, database(512, 3, rows), 0o400); err != nil {
		t.Fatal(err)
	}
	for _, beside := range []string{"-journal", "-wal"} {
		for content, want := range map[string]error{"": nil, "\x00\x00\x00\x00\x00\x00\x00\x00\x00": nil, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7": ErrUnfinished} {
			if err := os.WriteFile(path+beside, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if !errors.Is(err, want) || want == nil && err != nil {
				t.Errorf("%s %q: %v", beside, content, err)
			}
			if err == nil {
				f.Close()
			}
		}
		os.Remove(path + beside)
	}
}

// A file that is cut short while it is open is damaged, however it is read. What a visit
// panics with stays the visitor's.
func TestCutWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	rows, names := sample(400)
	if err := os.WriteFile(path, database(4096, 40, rows), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := f.Table("t")
	if err != nil {
		t.Fatal(err)
	}
	var r Row
	if ok, err := table.Row(400, &r); !ok || err != nil || r.Text(1) != names[399] {
		t.Fatal(ok, err)
	}
	func() {
		defer func() {
			if p := recover(); p != "mine" {
				t.Error(p)
			}
		}()
		_ = table.Rows(func(*Row) error { panic("mine") })
	}()
	if err := os.Truncate(path, 2*4096); err != nil {
		t.Fatal(err)
	}
	if r.Text(1) != names[399] {
		t.Error("a row that was read is gone")
	}
	var damaged *DamagedError
	if err := table.Rows(func(*Row) error { return nil }); !errors.As(err, &damaged) {
		t.Error(err)
	}
	if _, err := table.Row(399, &r); !errors.As(err, &damaged) {
		t.Error(err)
	}
}

func TestColumns(t *testing.T) {
	for sql, want := range map[string]string{
		"CREATE TABLE t(a,b)": "a b",
		`create table "a b" ( "x y" text, [select] int, 'q''q' , primary key (a) )`:   "x y|select|q'q",
		"create table t(a int default (1,2), constraint c unique(a), b numeric(3,4))": "a b",
		"create table t(a -- no, really\n, /* (,) */ b)":                              "a b",
		`create table t(a text default "a,b)", "check" text)`:                         "a check",
		"create table t(a primary key) without rowid":                                 "",
		"create table t(a":                    "",
		"create table t as select 1":          "",
		"create virtual table t using fts(a)": "",
		"":                                    "",
	} {
		got, _ := columns(sql)
		sep := " "
		if strings.Contains(want, "|") {
			sep = "|"
		}
		if strings.Join(got, sep) != want {
			t.Errorf("%s: %q", sql, got)
		}
	}
	for sql, want := range map[string]int{"create table t(a, id INTEGER PRIMARY KEY)": 1, "create table t(id integer not null primary key)": 0,
		"create table t(id int primary key)": -1, "create table t(a integer, primary key(a))": -1} {
		if _, got := columns(sql); got != want {
			t.Errorf("%s: %d", sql, got)
		}
	}
}

// FuzzRows: any file gives rows or an error, in bounded time, and no row is more
// than the file.
func FuzzRows(f *testing.F) {
	rows, _ := sample(30)
	f.Add(database(512, 3, rows))
	for _, name := range []string{"utf8", "utf16le"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".db"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := readAll(b); err != nil && strings.Contains(err.Error(), "longer than the file") {
			t.Fatal(err)
		}
	})
}

// Bytes that are changed anywhere make another file or an error.
func TestFlippedBytes(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "utf8.db"))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 2000 {
		b := bytes.Clone(whole)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] = byte(r.IntN(256))
		}
		if readAll(b) != nil {
			refused++
		}
	}
	if refused == 0 || refused == 2000 {
		t.Errorf("%d of 2000 were refused", refused)
	}
}

// readAll visits every row of the tables that tests make.
func readAll(b []byte) error {
	db, err := New(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for _, name := range []string{"t", "rss_item"} {
		table, err := db.Table(name)
		if errors.Is(err, ErrNoTable) {
			continue
		}
		if err != nil {
			return err
		}
		var one Row
		n := 0
		err = table.Rows(func(r *Row) error {
			for i := range min(len(table.Columns), 20) {
				if len(r.Text(i)) > 4*len(b)+64 {
					return errors.New("a text is longer than the file")
				}
				r.Int(i)
			}
			if n++; n%16 == 0 {
				_, err := table.Row(r.ID, &one)
				return err
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
