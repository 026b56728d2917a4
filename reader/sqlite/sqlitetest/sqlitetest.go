// Package sqlitetest writes databases of SQLite's file format for tests, which then need
// no SQLite.
package sqlitetest

import (
	"bytes"
	"encoding/binary"
)

// Table is a table and its rows, numbered from 1: texts, numbers (int, int64) and nil.
type Table struct {
	Name, SQL string
	Rows      [][]any
}

// Database is a whole file of tables, with pages of size bytes and at most fan cells in
// a page.
func Database(size, fan int, tables ...Table) []byte {
	m := &maker{size: size}
	first := make([]byte, size)
	m.add(first)
	var schema [][]byte
	for i, t := range tables {
		schema = append(schema, m.cell(int64(i+1), record("table", t.Name, t.Name, int64(m.tree(t.Rows, fan)), t.SQL)))
	}
	copy(first, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(first[16:], uint16(size)) // 65536 is 0 here, which nobody needs
	copy(first[18:], []byte{1, 1, 0, 64, 32, 32})
	binary.BigEndian.PutUint32(first[28:], uint32(len(m.pages)))
	binary.BigEndian.PutUint32(first[44:], 4)
	binary.BigEndian.PutUint32(first[56:], 1)
	m.node(first, 100, 13, schema, 0)
	return bytes.Join(m.pages, nil)
}

// maker writes a database of one table of texts and numbers, as SQLite would.
type maker struct {
	size  int
	pages [][]byte
}

// put appends one of SQLite's numbers.
func put(b []byte, v uint64) []byte {
	if v >= 1<<56 {
		panic("not for tests")
	}
	var out []byte
	for out = []byte{byte(v & 0x7f)}; v > 0x7f; {
		v >>= 7
		out = append([]byte{byte(v&0x7f) | 0x80}, out...)
	}
	return append(b, out...)
}

// record makes a record of texts, numbers (int64) and nulls.
func record(values ...any) []byte {
	var head, body []byte
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			head = append(head, 0)
		case int:
			head = append(head, 6)
			body = binary.BigEndian.AppendUint64(body, uint64(v))
		case int64:
			head = append(head, 6)
			body = binary.BigEndian.AppendUint64(body, uint64(v))
		case string:
			head = put(head, uint64(13+2*len(v)))
			body = append(body, v...)
		}
	}
	n := len(head) + 1
	if n > 127 {
		n++
	}
	return append(append(put(nil, uint64(n)), head...), body...)
}

func (m *maker) add(page []byte) uint32 {
	m.pages = append(m.pages, page)
	return uint32(len(m.pages))
}

// cell is a row as it stands in a page.
func (m *maker) cell(id int64, rec []byte) []byte {
	c := put(put(nil, uint64(len(rec))), uint64(id))
	local := m.local(len(rec))
	c = append(c, rec[:local]...)
	if local == len(rec) {
		return c
	}
	rest, next := rec[local:], uint32(0)
	for i := (len(rest) - 1) / (m.size - 4); i >= 0; i-- {
		page := make([]byte, m.size)
		binary.BigEndian.PutUint32(page, next)
		copy(page[4:], rest[i*(m.size-4):min(len(rest), (i+1)*(m.size-4))])
		next = m.add(page)
	}
	return binary.BigEndian.AppendUint32(c, next)
}

// node fills a page with cells.
func (m *maker) node(page []byte, at int, kind byte, cells [][]byte, right uint32) {
	page[at] = kind
	binary.BigEndian.PutUint16(page[at+3:], uint16(len(cells)))
	first := at + 8
	if kind == 5 {
		binary.BigEndian.PutUint32(page[at+8:], right)
		first = at + 12
	}
	end := len(page)
	for i, c := range cells {
		end -= len(c)
		copy(page[end:], c)
		binary.BigEndian.PutUint16(page[first+2*i:], uint16(end))
	}
}

// tree writes rows numbered from 1, so many in a page, and returns the root.
func (m *maker) tree(rows [][]any, fan int) uint32 {
	type child struct {
		no  uint32
		key int64
	}
	var level []child
	for i := 0; i < len(rows); {
		var cells [][]byte
		for used := 8; i < len(rows) && len(cells) < fan; i++ {
			rec := record(rows[i]...)
			if used += m.local(len(rec)) + 26; used > m.size {
				break
			}
			cells = append(cells, m.cell(int64(i+1), rec))
		}
		page := make([]byte, m.size)
		m.node(page, 0, 13, cells, 0)
		level = append(level, child{m.add(page), int64(i)})
	}
	if len(level) == 0 {
		page := make([]byte, m.size)
		m.node(page, 0, 13, nil, 0)
		return m.add(page)
	}
	for len(level) > 1 {
		var up []child
		for from := 0; from < len(level); from += fan {
			part := level[from:min(from+fan, len(level))]
			var cells [][]byte
			for _, c := range part[:len(part)-1] {
				cells = append(cells, put(binary.BigEndian.AppendUint32(nil, c.no), uint64(c.key)))
			}
			last := part[len(part)-1]
			page := make([]byte, m.size)
			m.node(page, 0, 5, cells, last.no)
			up = append(up, child{m.add(page), last.key})
		}
		level = up
	}
	return level[0].no
}

// local is how many bytes of a record stand in its page.
func (m *maker) local(length int) int {
	most, least := m.size-35, (m.size-12)*32/255-23
	if length <= most {
		return length
	}
	if k := least + (length-least)%(m.size-4); k <= most {
		return k
	}
	return least
}
