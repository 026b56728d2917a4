package view

import (
	"strings"
	"testing"

	"diurna/ui/theme"
)

// TestWrapLosesNothing: a word without a blank goes on in the next line.
func TestWrapLosesNothing(t *testing.T) {
	s := &Scene{Th: theme.Plain(false)}
	for _, text := range []string{"a bc " + strings.Repeat("x", 47) + " d", strings.Repeat("港", 30), "short", strings.Repeat("y", 10), ""} {
		got := ""
		for _, line := range s.Wrap(text, 2, 12) {
			if s.Th.Measure.Width(line) > 12 || strings.Contains(line, "…") {
				t.Errorf("%q has the line %q", text, line)
			}
			got += strings.ReplaceAll(line, " ", "")
		}
		if got != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q is wrapped to %q", text, got)
		}
	}
}
