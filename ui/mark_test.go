package ui

import (
	"strings"
	"testing"

	"diurna/ui/greeting"
)

// TestAMassMarkNamesWhatTheListIsNarrowedBy: the scope is the narrowed list.
func TestAMassMarkNamesWhatTheListIsNarrowedBy(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("&")
	d.typeIn("feed:harbour")
	d.press("enter", "A")
	d.says("Marked 2 read in River & feed:harbour. u undoes.")
}

// TestAnItemReadAtTheEndLeavesItsPlace: the next session opens the article, and
// below it the list where its row was, though that is gone for being read.
func TestAnItemReadAtTheEndLeavesItsPlace(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j", "j", "j", "enter")
	title := d.m.Top().Row().Title
	after := d.m.river.At(d.m.river.List.Cur + 1).Title
	d.press("Q")
	d = newDesk(t, lib, 80, 24)
	d.run(d.m.notes.Recall(greeting.PlaceName))
	if !strings.Contains(d.screen(), title) {
		t.Fatalf("the article %q is not open:\n%s", title, d.screen())
	}
	d.press("q")
	if got := d.m.river.At(d.m.river.List.Cur).Title; got != after {
		t.Errorf("the cursor is on %q, not on %q:\n%s", got, after, d.screen())
	}
}
