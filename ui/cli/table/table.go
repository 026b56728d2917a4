// Package table prints lists: columns cut to the width of a terminal, or lines with
// tabs between for scripts.
package table

import (
	"bufio"
	"strings"
	"time"

	"diurna/reader/plain"
	"diurna/ui/cells"
)

// Column is one column of a list. Pipes get every column that has a field, in
// the order of the table and named in the help; terminals those with a cell.
// Columns are only ever added at the end of a table.
type Column[T any] struct {
	Name  string                          // in a pipe
	Field func(T) string                  // nil: not in a pipe
	Head  string                          // above the column on a terminal
	Cell  func(v T, now time.Time) string // nil: not on a terminal
	Most  int                             // cells it may take there, 0: no limit
	Right bool                            // numbers stand at the right
	Spare int                             // columns left out where the terminal is too narrow, 1 first; 0: never
}

// Names lists a table's columns in a pipe, for the help.
func Names[T any](table []Column[T]) string {
	var list []string
	for i := range table {
		if table[i].Field != nil {
			list = append(list, table[i].Name)
		}
	}
	return strings.Join(list, " ")
}

// Tabs writes the columns that have a field, with tabs between.
func Tabs[T any](out *bufio.Writer, table []Column[T], list []T) {
	for i := range list {
		blank := ""
		for c := range table {
			if table[c].Field != nil {
				out.WriteString(blank)
				out.WriteString(plain.Line(table[c].Field(list[i]), 0))
				blank = "\t"
			}
		}
		out.WriteByte('\n')
	}
}

// leastName is how many cells the last column, which names the row, has at
// least before others make room for it.
const leastName = 16

// shape is how a column stands on a terminal, whatever its rows are.
type shape struct {
	head        string
	most, spare int
	right       bool
}

// Print writes a heading and rows, never wider than a terminal of so many cells. Each
// Column is as wide as its widest cell; the last one takes what is left.
func Print[T any](out *bufio.Writer, terminal int, table []Column[T], list []T) {
	now := time.Now()
	drawTable(out, terminal, len(table), len(list), func(c int) (shape, bool) {
		of := &table[c]
		return shape{of.Head, of.Most, of.Spare, of.Right}, of.Cell != nil
	}, func(r, c int) string { return table[c].Cell(list[r], now) })
}

// drawTable is Print for whatever the rows are: it is in the program once.
func drawTable(out *bufio.Writer, terminal, columns, rows int, column func(c int) (shape, bool), cell func(r, c int) string) {
	if rows == 0 {
		return
	}
	var shown []shape
	text := make([][]string, rows+1) // the heading first
	for c := range columns {
		s, there := column(c)
		if !there {
			continue
		}
		shown = append(shown, s)
		text[0] = append(text[0], s.head)
		for r := range rows {
			text[r+1] = append(text[r+1], cell(r, c))
		}
	}
	width := make([]int, len(shown))
	for c := range shown {
		for r, row := range text {
			if r > 0 && shown[c].head != "" { // signs are our own, and their blanks count
				row[c] = plain.Line(row[c], 0)
			}
			width[c] = max(width[c], cells.Width(row[c]))
		}
		if shown[c].most > 0 {
			width[c] = min(width[c], shown[c].most)
		}
	}
	last := len(shown) - 1
	width[last] = roomFor(terminal, shown, width)
	for _, row := range text {
		line := ""
		for c := range row {
			switch {
			case width[c] < 0: // left out
			case c == last:
				line += cells.Cut(row[c], width[c])
			case shown[c].right:
				line += cells.PadLeft(row[c], width[c]) + "  "
			default:
				line += cells.Fit(row[c], width[c]) + "  "
			}
		}
		out.WriteString(strings.TrimRight(cells.Cut(line, terminal), " "))
		out.WriteByte('\n')
	}
}

// roomFor gives what is left of the terminal to the last column. Where that is
// too little, long columns are cut, then columns that can be spared get the width -1 until it is enough.
func roomFor(terminal int, shown []shape, width []int) int {
	last := len(shown) - 1
	left := terminal
	for c := range width[:last] {
		left -= width[c] + 2
	}
	for c := range shown[:last] { // long states are cut before a whole column goes
		if need := min(width[last], leastName) - left; need > 0 && shown[c].most > leastName && width[c] > leastName {
			less := min(need, width[c]-leastName)
			width[c], left = width[c]-less, left+less
		}
	}
	for n := 1; n <= len(shown) && left < min(width[last], leastName); n++ {
		for c := range shown[:last] {
			if shown[c].spare == n {
				left += width[c] + 2
				width[c] = -1
			}
		}
	}
	return max(left, 1)
}
