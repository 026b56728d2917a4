//go:build unix

package main

import (
	"strings"
	"testing"
)

// TestMarkedElsewhere: a command's mark appears on the screen that stands open,
// where the row is, without a key.
func TestMarkedElsewhere(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	p.sit()
	p.press("j")
	p.press("j")
	n := p.bytes()
	p.diurna("mark", "read", "harbour item 0")
	p.until("something is drawn", func() bool { return p.bytes() > n })
	var text string
	p.until("the mark is shown", func() bool {
		text = p.look()
		return strings.Contains(text, "harbour item 0") && !strings.Contains(line(text, "harbour item 0"), "•")
	})
	if !strings.Contains(line(text, "tides item 0"), ">") {
		t.Errorf("the cursor moved:\n%s", text)
	}
	p.diurna("mark", "unread", "harbour item 0")
	p.until("the row is unread again", func() bool { return strings.Contains(line(p.look(), "harbour item 0"), "•") })
}

// line is the line of a text that holds something.
func line(text, what string) string {
	for l := range strings.Lines(text) {
		if strings.Contains(l, what) {
			return l
		}
	}
	return ""
}
