package ui

import "testing"

// TestFeedsByShareOpened: = o lists the feeds without folders, least worth keeping
// first; v and D take several away in one step, and u brings them back.
func TestFeedsByShareOpened(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("2", "=", "o")
	d.shows("· by share opened", "opened          next fetch", "0 % of 1,000")
	d.lacks("kernel (2)", "last post")
	order := d.feedRows()
	d.press("g", "j")
	d.says("Kernel Notes · opened 0 of 1,000 items")
	all := len(lib.feeds)
	d.press("v", "v")
	d.says("2 selected")
	d.press("D")
	d.says("Unsubscribed from 2 feeds")
	if n := len(lib.feeds); n != all-2 {
		t.Errorf("%d feeds, want %d", n, all-2)
	}
	d.press("u")
	if n := len(lib.feeds); n != all {
		t.Errorf("%d feeds after u, want %d", n, all)
	}
	d = d.again()
	d.shows("[2Feeds]", "· by share opened", "0 % of 1,000")
	d.standsAs(order...)
	d.press("=", "n")
	d.shows("kernel (2)", "last post")
}
