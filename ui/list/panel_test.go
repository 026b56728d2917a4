package list

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// TestPanelKeepsWhatClosesTheSum: where an explanation has too few lines for all of it,
// the smallest effects go, and neither what past chances came to nor the bonus.
func TestPanelKeepsWhatClosesTheSum(t *testing.T) {
	p := &whyPanel{open: true, row: 1, got: reader.ItemWhy{ID: "r4z-58", Opened: 107, Shown: 1130, Start: .2}}
	for i := range 9 {
		p.got.Steps = append(p.got.Steps, reader.ReasonStep{Term: reader.Term{Kind: "word", Name: fmt.Sprint("w", i), Weight: 1, Opened: 2, Shown: 4}, From: .2, To: .3})
	}
	p.got.Steps = append(p.got.Steps, reader.ReasonStep{Term: reader.Term{Kind: "calibration"}, From: .3, To: .25})
	s := &view.Scene{Th: theme.Plain(false), H: 24, Now: time.Unix(0, 0), Zone: time.UTC}
	for h := 5; h < 16; h++ {
		for _, w := range []int{40, 80} {
			got := p.lines(s, w, h)
			text := strings.Join(got, "\n")
			if len(got) > h || !strings.Contains(text, "calibration") || !strings.Contains(text, "same row") {
				t.Errorf("%d lines of %d cells:\n%s", h, w, text)
			}
			if more := 9 - strings.Count(text, "\n word "); h < 13 && !strings.Contains(text, fmt.Sprint(" ", more, " more")) {
				t.Errorf("%d of 9 words are left out, and it does not say so:\n%s", more, text)
			}
		}
	}
}
