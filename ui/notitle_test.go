package ui

import (
	"fmt"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// TestNoTitle: an item without a title is known by the first words of its text, which
// are not as loud as a title; they are asked for once, for rows on the screen only.
func TestNoTitle(t *testing.T) {
	lib := newFake()
	lib.leads = map[reader.ItemID]string{item(5, 1): "High water twice on Thursday, and fog."}
	for i := range 500 {
		id := item(6, 5000-i)
		lib.rows = append(lib.rows, reader.Row{ID: id, At: noon.AddDate(-1, 0, 0).Unix() - int64(i)})
		lib.leads[id] = fmt.Sprintf("Note %d.", i)
	}
	d := newDesk(t, lib, 80, 24)
	d.shows("Tide Tables       (no title) High water twice on Thursday", "(no title) Note 3.")
	asked := lib.items
	if asked > 30 {
		t.Errorf("%d items were read for 22 rows", asked)
	}
	d.press("j", "k", "j")
	if lib.items != asked {
		t.Errorf("%d items were read again", lib.items-asked)
	}
	d.press("G")
	d.shows("(no title) Note 499.")
	d.press("enter")
	d.shows("(no title) Note 499.")
	d.press("q", "g")
	d.m.Scene.Th = theme.New("dark", false)
	if s := d.screen(); !strings.Contains(s, d.m.Scene.Th.In(d.m.Scene.Th.Unread, view.NoTitle)+d.m.Scene.Th.In(d.m.Scene.Th.Quiet, " High water twice on Thursday, and fog.")) {
		t.Errorf("the words are as loud as a title:\n%q", s)
	}
	if said := spoken(t, lib, "G", "Q"); !strings.Contains(said, "\n(no title) Note 498.\n") {
		t.Errorf("the linear form lacks it:\n%s", said)
	}
}

// TestFindNoTitle: what stands for a title is found and narrowed to, also in rows that
// were not drawn yet.
func TestFindNoTitle(t *testing.T) {
	lib := newFake()
	lib.leads = map[reader.ItemID]string{item(5, 1): "High water twice on Thursday, and fog."}
	for i := range 100 {
		id := item(6, 5000-i)
		lib.rows = append(lib.rows, reader.Row{ID: id, At: noon.AddDate(-1, 0, 0).Unix() - int64(i)})
		lib.leads[id] = fmt.Sprintf("Note %d.", i)
	}
	d := newDesk(t, lib, 80, 24)
	d.press("/")
	d.typeIn("note 97")
	d.shows("Enter goes to the next of 1")
	d.press("enter")
	d.shows("(no title) Note 97.")
	d.press("esc", "/")
	d.typeIn("(no title)")
	d.shows("Enter goes to the next of 101")
	d.press("esc", "&")
	d.typeIn("high water")
	d.press("enter")
	d.shows("(no title) High water twice")
	d.lacks("Note 3.")
}
