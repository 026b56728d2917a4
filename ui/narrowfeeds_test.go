package ui

import (
	"slices"
	"testing"

	"diurna/reader"
)

// TestNarrowFeeds: & leaves the feeds that fit and their folders in the tree, by
// name, tag, folder and state; Esc brings all of it back as it was folded.
func TestNarrowFeeds(t *testing.T) {
	all := []string{"Kernel Notes", "Small Databases", "Harbour Gazette", "Tide Tables", "Bread and Salt"}
	for text, want := range map[string][]string{
		"harb":                {"Harbour Gazette"},
		"sea":                 {"Harbour Gazette", "Tide Tables"},
		"kern":                {"Kernel Notes", "Small Databases"},
		"KERNEL notes":        {"Kernel Notes"},
		`"and salt"`:          {"Bread and Salt"},
		"#slow":               {"Kernel Notes", "Bread and Salt"},
		"#slow -feed:bread":   {"Kernel Notes"},
		"folder:sea -trouble": {"Harbour Gazette"},
		"failing":             {"Tide Tables"},
		"trouble":             {"Tide Tables"},
		"-ok":                 {"Tide Tables"},
		"read":                {"Small Databases"},
		"tide or bread":       {"Tide Tables", "Bread and Salt"},
		"not (#slow or tide)": {"Harbour Gazette", "Small Databases"},
		"/^H/":                {"Harbour Gazette"},
	} {
		lib := newFake()
		lib.feeds[0].Tags, lib.feeds[5].Tags = []string{"Slow"}, []string{"slow", "daily"}
		for i := range lib.rows {
			if lib.rows[i].ID.Feed() == 2 {
				lib.rows[i].Flags |= reader.FlagRead
			}
		}
		lib.count()
		d := newDesk(t, lib, 80, 24)
		d.press("2", "j", "h", "&") // kernel is folded
		d.typeIn(text)
		d.press("enter")
		for _, name := range all {
			if slices.Contains(want, name) {
				d.shows(name)
			} else {
				d.lacks(name)
			}
		}
		d.says("& " + text + ": ")
		d.press("esc")
		d.shows("+ kernel (2)", "Harbour Gazette", "Tide Tables", "All feeds")
		d.lacks("Kernel Notes", "& ")
	}
}

// TestNarrowedFeedsAct: keys act on what fits and on nothing else, the top row
// and folders too, and a selection ends with the tree it was made in.
func TestNarrowedFeedsAct(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("2", "j", "j", "v", "&")
	d.typeIn("gazette")
	d.press("enter")
	d.lacks("selected", "Kernel Notes")
	d.press("g")
	d.shows("Matching feeds", "sea (1)")
	d.press("enter")
	d.shows("Ferry 3 out of service")
	d.lacks("The new block layer")
	d.press("q", "g", "A")
	if n := countUnread(d.lib); n != 7 {
		t.Errorf("%d unread, want 7: 2 of the feed that fits are read", n)
	}
	d.press("r")
	if n := len(d.lib.fetched); n != 1 || len(d.lib.fetched[0].Feeds) != 1 {
		t.Errorf("fetched %+v, want the feed that fits", d.lib.fetched)
	}
	d.press("&", "ctrl+u")
	d.typeIn("nowhere")
	d.press("enter")
	d.says(`No feed matches "nowhere".`)
	d.shows("Harbour Gazette")
	for text, why := range map[string]string{"fodler:sea": `^ fodler: is not a field. Nearest: folder: (as words: "fodler:sea")`, "longer:9": "^ longer:9 matches items; this narrows feeds", "(tide": "^ this ( is not closed"} {
		d.press("&", "ctrl+u")
		d.typeIn(text)
		d.press("enter")
		d.says(why)
		d.press("esc")
	}
	d.press(":")
	d.typeIn("narrow trouble")
	d.press("enter")
	d.shows("Tide Tables")
	d.lacks("Harbour Gazette")
	d.press("1", "2")
	d.shows("All feeds", "Kernel Notes")
}
