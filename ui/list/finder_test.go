package list

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"diurna/reader"
	"diurna/ui/view"
)

// oneSnippet is a Finder that knows one snippet.
type oneSnippet struct {
	Finder
	text  string
	marks [][2]int
}

func (f oneSnippet) Snippet(reader.ItemID) (string, [][2]int) { return f.text, f.marks }

// TestSnippetCut: a snippet that is cut says so at any width, also between its parts.
func TestSnippetCut(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		s, dots := new(view.Scene), "…"
		if s.Th.Measure.ASCII = ascii; ascii {
			dots = "..."
		}
		f := oneSnippet{text: "ab cd ef 東京 gh", marks: [][2]int{{3, 5}, {9, 15}}}
		for w := 8; w < 30; w++ {
			line := ansi.Strip(drawSnippet(s, f, 1, w))
			if got := s.Th.Measure.Width(line); got != w {
				t.Errorf("%d cells in %d: %q", got, w, line)
			}
			whole := strings.Contains(line, "gh")
			if cut := strings.HasSuffix(strings.TrimRight(line, " "), dots); cut == whole && w > 9 {
				t.Errorf("in %d cells, whole %v: %q", w, whole, line)
			}
		}
	}
}
