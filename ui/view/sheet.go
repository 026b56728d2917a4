package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"diurna/reader/plain"
)

// Sheet is plain text to be read: what a command printed, the help of a key.
type Sheet struct {
	Scrolling
	name   string
	Source []string // plain; wrapped when they are drawn
	wide   int      // cells text is wrapped for
	hang   int      // cells of a label that begins each row; 0: none
}

// NewColumns is a sheet of rows that begin with a label: what is wrapped stands
// under the text beside it. The rows must be plain.
func NewColumns(name string, rows []string, label int) *Sheet {
	return &Sheet{name: name, Source: rows, hang: label}
}

// NewSheet is a sheet of rows of any origin, which are made plain; blanks stay, so
// that columns do.
func NewSheet(name string, rows []string) *Sheet {
	for i, row := range rows {
		row = strings.TrimRight(plain.Text(row, 4096), " \t")
		var b strings.Builder
		for j, part := range strings.Split(row, "\t") {
			if j > 0 {
				b.WriteString("        "[:8-utf8.RuneCountInString(b.String())%8])
			}
			b.WriteString(part)
		}
		rows[i] = b.String()
	}
	return &Sheet{name: name, Source: rows}
}

func (t *Sheet) Context() Context { return CtxSheet }

func (t *Sheet) Title(*Scene, int) (string, string) { return t.name, "" }

func (t *Sheet) Lines(s *Scene, w, h int) []string {
	if t.wide != w {
		t.wide, t.Text = w, t.Text[:0]
		for _, row := range t.Source {
			if t.hang > 0 && len(row) > t.hang && w > 2*t.hang && row[t.hang-1] == ' ' {
				for i, l := range s.Wrap(row[t.hang:], t.hang+1, w) {
					if i == 0 {
						l = s.Th.Fit(" "+row[:t.hang], t.hang+1) + l[t.hang+1:]
					}
					t.Text = append(t.Text, l)
				}
				continue
			}
			in := min(len(row)-len(strings.TrimLeft(row, " ")), max(0, w/2))
			t.Text = append(t.Text, s.Wrap(strings.TrimLeft(row, " "), in+1, w)...)
		}
	}
	return t.Window(s, w, h)
}

func (t *Sheet) Status(*Scene, int) Status {
	percent := 100
	if n := len(t.Text); n > t.Top+t.High {
		percent = (t.Top + t.High) * 100 / n
	}
	return Status{State: fmt.Sprintf("%d %%", percent), Keys: []string{"space on", "q back", "?"}}
}
