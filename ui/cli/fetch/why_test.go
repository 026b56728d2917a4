package fetch

import (
	"bytes"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/ui/cells"
	"diurna/ui/cli/session"
)

// In a pipe the steps of a score are whole and stand in columns; a terminal cuts names.
func TestStepsAreWhole(t *testing.T) {
	long := "words " + strings.Repeat("lighthouse, ", 12) + "keeper"
	lines := []reader.WhyLine{{What: "you, overall", Seen: "3 of 40 shown", Move: "start", To: "10.0 %"},
		{What: long, Seen: "1 of 3", Move: "up to", To: "14.9 %"},
		{What: "learning bonus", Seen: "this feed was shown only 3 times", Move: "row 1,204 -> row 17"}}
	for _, width := range []int{0, 80} {
		var out bytes.Buffer
		s := New(session.New(session.Env{Out: &out, Width: width}))
		s.printSteps(append([]reader.WhyLine(nil), lines...))
		if err := s.Out.Flush(); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if whole := strings.Contains(got, long); whole != (width == 0) {
			t.Errorf("width %d: the long name is whole: %v\n%s", width, whole, got)
		}
		if !strings.Contains(got, "row 1,204 -> row 17\n") {
			t.Errorf("width %d: the move is cut:\n%s", width, got)
		}
		rows := strings.Split(got, "\n")
		before, _, _ := strings.Cut(rows[0], "10.0 %")
		if under, _, _ := strings.Cut(rows[1], "14.9 %"); cells.Width(before) != cells.Width(under) {
			t.Errorf("width %d: the values do not stand in a column:\n%s", width, got)
		}
	}
}
