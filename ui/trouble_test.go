package ui

import (
	"strings"
	"testing"
)

// TestALongReasonLeavesTheKey: what is cut off a feed's reason is one key away,
// so the key is not cut off.
func TestALongReasonLeavesTheKey(t *testing.T) {
	f := newFake()
	for i := range f.feeds {
		if f.feeds[i].InTrouble() {
			f.feeds[i].Error = "the server sent a web page, not a feed (perhaps a login page)"
		}
	}
	for _, w := range []int{80, 100, 118} {
		d := newDesk(t, f, w, 24)
		d.press("2")
		found := false
		for _, line := range strings.Split(d.screen(), "\n") {
			if strings.Contains(line, "the server sent") {
				found = true
				if !strings.HasSuffix(strings.TrimRight(line, " "), "· w") {
					t.Errorf("%d columns: %q", w, line)
				}
			}
		}
		if !found {
			t.Errorf("%d columns: no reason is shown", w)
		}
	}
}
