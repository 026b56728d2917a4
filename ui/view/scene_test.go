package view

import (
	"strings"
	"testing"
	"time"

	"diurna/reader"
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

// TestRefusedSaysWhatAllowsIt: the row of a feed that diurna refuses names the key, at
// 80 columns too; of the kinds of trouble it is one.
func TestRefusedSaysWhatAllowsIt(t *testing.T) {
	f := &reader.Feed{State: reader.FeedFailing, Error: "nas.example leads to 192.168.1.9, a private address, refused by diurna", Tries: 2}
	refused := 0
	for range 100 {
		say := Reason(f, time.Now())
		if f.Refused() {
			refused++
			if !strings.Contains(say, "refused by diurna") || !strings.HasSuffix(say, "i allows it") || len(say) > 50 {
				t.Errorf("a refused feed's row is %q", say)
			}
		} else if !strings.HasPrefix(say, f.Error) {
			t.Errorf("trouble %d is %q", f.Trouble, say)
		}
		f.Trouble++
	}
	if refused != 1 {
		t.Errorf("%d kinds of trouble are refusals", refused)
	}
}
