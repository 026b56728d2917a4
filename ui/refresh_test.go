package ui

import (
	"strings"
	"testing"

	"diurna/reader"
)

// TestMarksFromElsewhere: what another process did to rows on the screen is
// shown where they stand; cursor and scroll hold, and nothing leaves the list.
func TestMarksFromElsewhere(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 12)
	d.press("j", "j", "j")
	before := strings.Split(d.screen(), "\n")
	elsewhere := func(id reader.ItemID, do func(*reader.Row)) {
		lib.mu.Lock()
		defer lib.mu.Unlock()
		do(lib.row(id))
	}
	elsewhere(item(3, 8), func(r *reader.Row) { r.Flags |= reader.FlagRead | reader.FlagSaved })
	elsewhere(item(1, 9), func(r *reader.Row) { r.Flags |= reader.FlagSaved; r.Tags = []string{"later"} })
	d.run(d.m.river.Load(d.m))
	d.shows(" •s  10:31", "     10:12") // a list of unread items does not say more of a read one
	after := strings.Split(d.screen(), "\n")
	if len(before) != len(after) {
		t.Fatal("rows came or went")
	}
	for i := range after {
		if strings.HasPrefix(before[i], ">") != strings.HasPrefix(after[i], ">") {
			t.Errorf("line %d: %q became %q", i, before[i], after[i])
		}
	}
	d.press("k", "k", "k")
	d.says("unread, saved · Kernel Notes · 1,240 words · #later")
	elsewhere(item(3, 8), func(r *reader.Row) { r.Flags &^= reader.FlagRead })
	d.run(d.m.river.Load(d.m))
	d.shows(" •s  10:12")
}

// TestOwnMarksAreNotUndoneByAnOlderAnswer: what the library said before it knew
// of a mark does not take the mark off the screen.
func TestOwnMarksAreNotUndoneByAnOlderAnswer(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j")
	load := d.m.river.Load(d.m)
	answer := load() // asked before the key, delivered after it
	_, mark := d.m.Update(keyMsg("m"))
	_, again := d.m.Update(answer)
	d.shows(">    10:12")
	d.run(mark)
	d.run(again)
	d.shows(">    10:12")
	if lib.row(item(3, 8)).Flags&reader.FlagRead == 0 {
		t.Error("the mark was lost")
	}
}

// TestTagSeveralFeeds: t on selected feeds is one act on all of them.
func TestTagSeveralFeeds(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("2", "j", "j", "v", "v", "t")
	d.shows("tags of 2 feeds: ")
	d.typeIn("sea -old")
	d.press("enter")
	d.says("Tags of 2 feeds changed. u undoes.")
	if st := lib.steps[len(lib.steps)-1]; st.What != "tags of 2 feeds changed by [sea -old]" || len(lib.steps) != 1 {
		t.Errorf("the steps are %+v", lib.steps)
	}
	if d.m.feedz.Unselect() {
		t.Error("they are still selected")
	}
}

// TestHiddenFeedsOnTheScreen: out of River and of the number of everything, and
// there where they are chosen.
func TestHiddenFeedsOnTheScreen(t *testing.T) {
	lib := newFake()
	lib.feeds[2].Hidden = true // Harbour Gazette, in sea
	d := newDesk(t, lib, 80, 24)
	d.lacks("Ferry 3")
	d.press("2")
	d.shows("All feeds                            7", "Harbour Gazette                  2")
	d.press("}", "}", "enter")
	d.shows("Ferry 3 out of service")
	d.press("&")
	d.typeIn("unread")
	d.press("enter")
	d.shows("Ferry 3 out of service")
	d.press("esc", "q", "1", "]", "]", "]")
	d.lacks("Harbour Gazette, unread")
}
