package ui

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

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
	d.run(d.m.load(d.m.river))
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
	d.run(d.m.load(d.m.river))
	d.shows(" •s  10:12")
}

// TestOwnMarksAreNotUndoneByAnOlderAnswer: what the library said before it knew
// of a mark does not take the mark off the screen.
func TestOwnMarksAreNotUndoneByAnOlderAnswer(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j")
	load := d.m.load(d.m.river)
	answer := load() // asked before the key, told after it
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

// TestFinder: side by side or not, every row is found that is there.
func TestFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		var have, rows []reader.Row
		for i := range n {
			r := reader.Row{ID: item(1, i+1), At: int64(rapid.IntRange(0, 9).Draw(t, "at")), Title: fmt.Sprint(i)}
			if rapid.Bool().Draw(t, "have") {
				have = append(have, r)
			}
			if rapid.Bool().Draw(t, "rows") {
				if rapid.IntRange(0, 4).Draw(t, "redated") == 0 {
					r.At += 3
				}
				rows = append(rows, r)
			}
		}
		if rapid.Bool().Draw(t, "in order") {
			byTime(have)
			byTime(rows)
		}
		there := map[reader.ItemID]bool{}
		for i := range rows {
			there[rows[i].ID] = true
		}
		find := finder(have, rows)
		for i := range have {
			got := find(&have[i])
			if (got != nil) != there[have[i].ID] || got != nil && got.ID != have[i].ID {
				t.Fatalf("%v among %v: %v", have[i], rows, got)
			}
		}
	})
}

func byTime(rows []reader.Row) {
	for i := range rows {
		for j := i; j > 0 && newer(&rows[j], &rows[j-1]); j-- {
			rows[j], rows[j-1] = rows[j-1], rows[j]
		}
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
