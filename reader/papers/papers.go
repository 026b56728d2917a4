// Package papers plays the methods of the papers, with the papers' own measures, for
// simulate: [Words] has the words that are specific, emerging and stable, [Monitor] the
// policies that keep profiles of channels, [Aggregate] what many readers' feeds mention,
// [Estimate] rates from what fetches find, [Advice] when to suggest a setting.
//
// Each gives a [Report] of tables, which prints itself as text or as JSON. The same
// input and seed give the same report. The arithmetic is that of ranking/topics,
// ranking/aggregate and scheduler/online.
package papers

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Report is what was found.
type Report struct {
	Seed   uint64
	Lines  []string // of the text alone, above the tables
	Notes  []string // of the lines those that say what was left out, and why; they are in JSON
	Tables []Table
}

// Table has a row for each of what is compared. Columns[0] says what that is, the
// others are numbers, with their unit at the end of the name: entropy_bits.
type Table struct {
	Name    string // in JSON
	Title   string // in the text
	Columns []string
	Rows    []Row
	Most    int // rows in the text, evenly spread over all; 0: all
}

// Row has Table.Columns[1:] as Values; NaN: there is none.
type Row struct {
	Name   string
	Values []float64
}

//go:noinline // 4 places
func (r *Report) note(format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	r.Lines, r.Notes = append(r.Lines, line), append(r.Notes, line)
}

func (t *Table) add(name string, values ...float64) { t.Rows = append(t.Rows, Row{name, values}) }

// MarshalJSON prints the tables by name, each a list of objects by column.
func (r *Report) MarshalJSON() ([]byte, error) {
	out := map[string]any{"seed": r.Seed}
	if r.Notes != nil {
		out["notes"] = r.Notes
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		list := make([]map[string]any, 0, len(t.Rows))
		for _, row := range t.Rows {
			o := map[string]any{t.Columns[0]: row.Name}
			for c, v := range row.Values {
				o[t.Columns[c+1]] = nil
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					o[t.Columns[c+1]] = math.Round(v*1e6) / 1e6
				}
			}
			list = append(list, o)
		}
		out[t.Name] = list
	}
	return json.Marshal(out)
}

// WriteText prints the tables one below the other.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, line := range r.Lines {
		b.WriteString(line + "\n")
	}
	for i := range r.Tables {
		if len(r.Tables[i].Rows) > 0 {
			r.Tables[i].write(&b)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// nameCells is how much of a row's name is printed.
const nameCells = 28

func (t *Table) write(b *strings.Builder) {
	rows := t.Rows
	if t.Most > 1 && len(rows) > t.Most {
		rows = nil
		for i := range t.Most {
			rows = append(rows, t.Rows[i*(len(t.Rows)-1)/(t.Most-1)])
		}
	}
	cells := make([][]string, len(rows)+1)
	for c, head := range t.Columns {
		cells[0] = append(cells[0], strings.ReplaceAll(head, "_", " "))
		for r, row := range rows {
			text := row.Name
			if c > 0 {
				text = number(row.Values[c-1])
			} else if short := []rune(text); len(short) > nameCells {
				text = string(short[:nameCells-1]) + "…"
			}
			cells[r+1] = append(cells[r+1], text)
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(t.Title + "\n")
	for _, line := range cells {
		for c, text := range line {
			width := 0
			for _, other := range cells {
				width = max(width, len([]rune(other[c])))
			}
			if c == 0 {
				width = -width
			} else {
				b.WriteString("  ")
			}
			fmt.Fprintf(b, "%*s", width, text)
		}
		b.WriteByte('\n')
	}
	if len(rows) < len(t.Rows) {
		fmt.Fprintf(b, "%d of %d; --json has all\n", len(rows), len(t.Rows))
	}
}

// number has whole numbers whole, and four digits behind the point of small ones.
func number(v float64) string {
	digits := 4
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0):
		return "∞"
	case v == math.Trunc(v):
		digits = 0
	case math.Abs(v) >= 100:
		digits = 1
	case math.Abs(v) >= 10:
		digits = 2
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
