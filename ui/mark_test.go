package ui

import (
	"strings"
	"testing"

	"diurna/reader"
)

// TestMarkOnTheCommandLine: :mark does what the shell's mark does, as one step.
func TestMarkOnTheCommandLine(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	flagged := func(flag reader.Flags) (n int) {
		for i := range lib.rows {
			if lib.rows[i].Flags&flag != 0 {
				n++
			}
		}
		return n
	}
	say := func(line string) {
		t.Helper()
		d.press(":")
		d.typeIn(line)
		d.press("enter")
	}
	before := flagged(reader.FlagSaved)
	say("mark saved unread")
	if n := flagged(reader.FlagSaved); n <= before {
		t.Fatalf("%d saved, %d before\n%s", n, before, d.screen())
	}
	d.says("Saved 8 in unread. u undoes.")
	d.press("u")
	if n := flagged(reader.FlagSaved); n != before {
		t.Errorf("%d saved after u, %d before", n, before)
	}
	say("mark saved older:")
	d.says("older: needs a time, such as 2d or 1w")
	say("mark eaten unread")
	d.says(":mark needs read, unread, saved or unsaved and a query: mark read folder:comics older:1w")
	say("mark unread unread")
	d.says(`Nothing to mark unread fits "unread".`)
}

// TestAMassMarkNamesWhatTheListIsNarrowedBy: the scope is the narrowed list.
func TestAMassMarkNamesWhatTheListIsNarrowedBy(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("&")
	d.typeIn("feed:harbour")
	d.press("enter", "A")
	d.says("Marked 2 read in River & feed:harbour. u undoes.")
}

// TestAnItemReadAtTheEndLeavesItsPlace: the next sitting opens the article, and
// below it the list where its row was, though that is gone for being read.
func TestAnItemReadAtTheEndLeavesItsPlace(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j", "j", "j", "enter")
	title := d.m.Top().Row().Title
	after := d.m.river.At(d.m.river.List.Cur + 1).Title
	d.press("Q")
	d = newDesk(t, lib, 80, 24)
	d.run(d.m.eff.recall(placeName))
	if !strings.Contains(d.screen(), title) {
		t.Fatalf("the article %q is not open:\n%s", title, d.screen())
	}
	d.press("q")
	if got := d.m.river.At(d.m.river.List.Cur).Title; got != after {
		t.Errorf("the cursor is on %q, not on %q:\n%s", got, after, d.screen())
	}
}
