package ui

import (
	"testing"

	"diurna/reader"
	"diurna/ui/keymap"
)

// TestQueriesAreCountedAtOnce: a screen that begins in Feeds, or shows them beside a
// list, says what is unread in saved queries without a key.
func TestQueriesAreCountedAtOnce(t *testing.T) {
	for _, c := range []struct {
		w      int
		keymap string
	}{{80, keymap.Newsboat}, {200, ""}} {
		lib := newFake()
		lib.saved.list = []reader.SavedQuery{{Name: "Boats", Query: "folder:sea"}}
		d := newDesk(t, lib, c.w, 24, func(o *Options) { o.Config.Keymap = c.keymap })
		d.run(d.m.Reload())
		n := d.m.queries.Unread(&lib.saved.list[0])
		if d.shows("Boats"); n == 0 {
			t.Errorf("at %d cells nothing is counted:\n%s", c.w, d.screen())
		}
		if c.w == 200 {
			d.press("j", "m") // of Harbour Gazette, which is in it
			if left := d.m.queries.Unread(&lib.saved.list[0]); left != n-1 {
				t.Errorf("%d unread after one of %d was read", left, n)
			}
		}
	}
}

// TestSavedQueriesInFeeds: F keeps the query of a list under a name; it stands in Feeds
// with what is unread in it, and keys there do to it what they do to a folder.
func TestSavedQueriesInFeeds(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("&")
	d.typeIn("folder:sea")
	d.press("enter", "F")
	d.shows("save unread folder:sea* as:")
	d.typeIn("Boats")
	d.press("enter")
	d.says("Saved in Feeds, and as query:Boats. u undoes.")
	if q := lib.saved.list; len(q) != 1 || q[0].Query != "unread folder:sea*" {
		t.Fatal(q)
	}
	rows, _ := lib.saved.Counts(t.Context())
	n := rows[0].Unread
	if n == 0 {
		t.Fatal("nothing is unread in it")
	}
	d.press("2", "g", "j")
	d.says("Boats · " + string(rune('0'+n)) + " unread · unread folder:sea*")
	d.press("enter")
	d.shows("Boats")
	d.press("m", "q")
	d.says("Boats · " + string(rune('0'+n-1)) + " unread · unread folder:sea*")

	// A second one asks for the first; they change places, names and queries.
	d.press("1", "&")
	d.typeIn("query:boats saved")
	d.press("enter", "F")
	d.typeIn("Boats")
	d.press("enter")
	d.shows("Boats already exists: unread folder:sea*")
	d.press("esc", "2", "g", "j", "e")
	d.typeIn(" titel:x")
	d.press("enter")
	d.shows("titel: is not a field. Nearest: title:")
	d.press("esc", "T")
	d.typeIn(" here")
	d.press("enter")
	d.says("Renamed. u undoes.")
	d.shows("Boats here")
	d.press("<")
	d.says("No saved query in that direction.")
	d.press("A")
	d.shows("read in Boats here")
	d.press("u", "D")
	d.says("Removed the saved query Boats here. u undoes.")
	if len(lib.saved.list) != 0 {
		t.Error("it was not removed")
	}
	d.press("u")
	d.shows("Boats here")
	d.press("g", "e")
	d.says("e is for saved queries. F in a list saves one.")
}
