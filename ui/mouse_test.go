package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/stack"
)

func withMouse(o *Options) { o.Config.Mouse = true }

// click presses and lets go of the left button on the first line that holds a
// text, from the column of the text on.
func (d *desk) click(text string) {
	d.t.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if x := strings.Index(line, text); x >= 0 {
			at := tea.Mouse{X: d.m.Scene.Th.Measure.Width(line[:x]), Y: y, Button: tea.MouseLeft}
			d.send(tea.MouseClickMsg(at))
			d.send(tea.MouseReleaseMsg(at))
			return
		}
	}
	d.t.Fatalf("no %q on the screen:\n%s", text, d.screen())
}

func (d *desk) wheel(button tea.MouseButton) {
	d.t.Helper()
	d.send(tea.MouseWheelMsg{X: 3, Y: 3, Button: button})
}

// chosenLine is the line of the screen that the pointer stands on.
func (d *desk) chosenLine() string {
	for line := range strings.Lines(d.screen()) {
		if strings.HasPrefix(line, ">") {
			return line
		}
	}
	return ""
}

// TestMouseChoosesAndOpens: a click chooses in every list, another one on the
// same row opens where that is what Enter does, and neither marks anything.
func TestMouseChoosesAndOpens(t *testing.T) {
	for _, c := range []struct {
		name, keys, row string
		opens           string // what the second click shows; "": it does nothing
	}{
		{"a list", "", "Ferry 3 out of", "Harbour Gazette"},
		{"below a heading", "", "Patches worth", "Kernel Notes"},
		{"Feeds", "2", "Small Databases", "[2Feeds] · Small Databases"},
		{"a folder", "2", "sea ", "· sea"},
		{"Pages", "5", "Pier timetable", "Tue 17 Nov 08:10"},
		{"history", "m U", "river", ""},
		{"info", "i", "folder", ""},
		{"help", "?", "next, previous day", ""},
		{"help, at the right", "?", "next, previous view", ""},
	} {
		lib := withPages(newFake())
		d := newDesk(t, lib, 80, 24, withMouse)
		d.press(strings.Fields(c.keys)...)
		if c.name == "history" {
			d.press("g")
			c.row = strings.TrimSpace(strings.Fields(d.chosenLine())[2])
		}
		unread, steps := countUnread(lib), len(lib.steps)
		d.click(c.row)
		if line := d.chosenLine(); !strings.Contains(line, c.row) && c.name != "help, at the right" {
			t.Errorf("%s: a click on %q chose %q", c.name, c.row, line)
		}
		if countUnread(lib) != unread || len(lib.steps) != steps {
			t.Errorf("%s: a click changed something", c.name)
		}
		before := d.screen()
		d.click(c.row)
		if c.opens == "" && d.screen() != before {
			t.Errorf("%s: the second click did something:\n%s", c.name, d.screen())
		}
		if c.opens != "" && (d.screen() == before || !strings.Contains(d.screen(), c.opens)) {
			t.Errorf("%s: the second click did not open it:\n%s", c.name, d.screen())
		}
	}
}

// TestMouseSecondClick: only two clicks on one row in a row open it.
func TestMouseSecondClick(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, withMouse)
	open := func() bool { return len(d.m.Over) > 0 }
	d.press("j")
	d.click("Ferry 3 out of") // the pointer is already there: a first click all the same
	if open() {
		t.Fatal("one click opened")
	}
	d.press("j", "k")
	d.click("Ferry 3 out of")
	d.click("Two comets")
	d.click("Ferry 3 out of")
	if open() {
		t.Fatal("clicks apart opened")
	}
	for _, miss := range []tea.MouseClickMsg{{X: 75, Y: 0, Button: tea.MouseLeft}, {X: 5, Y: 23, Button: tea.MouseLeft}, {X: 5, Y: 3, Button: tea.MouseRight}, {X: 5, Y: 99, Button: tea.MouseLeft}, {X: -1, Y: -1, Button: tea.MouseLeft}} {
		d.send(miss)
	}
	if open() || d.m.river.List.Cur != 1 {
		t.Fatal("a click beside the rows did something")
	}
	d.click("Ferry 3 out of")
	if !open() {
		t.Fatal("two clicks did not open")
	}
	d.shows("Ferry 3 out of service until Monday")
	if countUnread(d.lib) != 8 {
		t.Errorf("%d are unread after one was opened", countUnread(d.lib))
	}
}

// TestMouseWheel: the wheel scrolls lists and texts and marks nothing.
func TestMouseWheel(t *testing.T) {
	lib := bigFake(500)
	lib.bodies[lib.rows[0].ID] = reader.Article{HTML: strings.Repeat("<p>One more line.</p>", 80)}
	d := newDesk(t, lib, 80, 24, withMouse)
	top := func() int { return d.m.river.List.Top }
	d.wheel(tea.MouseWheelDown)
	if top() != 3 {
		t.Errorf("the wheel scrolled by %d lines", top())
	}
	d.wheel(tea.MouseWheelLeft)
	d.wheel(tea.MouseWheelUp)
	d.wheel(tea.MouseWheelUp)
	if top() != 0 || len(lib.steps) != 0 {
		t.Errorf("back at line %d, %d steps", top(), len(lib.steps))
	}
	d.press("g", "enter")
	before := d.screen()
	d.wheel(tea.MouseWheelDown)
	if d.screen() == before {
		t.Error("the wheel does not scroll an article")
	}
	d.wheel(tea.MouseWheelUp)
	if d.screen() != before {
		t.Error("the wheel does not scroll an article back")
	}
	d.press("q", "/")
	before = d.screen()
	d.wheel(tea.MouseWheelDown)
	d.click("Harbour")
	if d.screen() != before {
		t.Error("the mouse does something while a box is open")
	}
}

// TestMouseBesideTheArticle: a click on the list beside an article goes back to
// it and chooses there.
func TestMouseBesideTheArticle(t *testing.T) {
	for _, w := range []int{120, 200} {
		t.Run(fmt.Sprint(w), func(t *testing.T) {
			d := newDesk(t, newFake(), w, 40, withMouse)
			d.press("enter")
			d.click("08:15  ")
			if len(d.m.Over) > 0 || d.m.river.List.Cur != 4 {
				t.Fatalf("row %d, %d layers", d.m.river.List.Cur, len(d.m.Over))
			}
			d.click("08:15  ")
			if len(d.m.Over) != 1 {
				t.Fatal("the second click did not open it")
			}
			before := d.screen()
			d.click("150 words")
			if d.screen() != before {
				t.Error("a click in the article did something")
			}
		})
	}
}

// TestMouseOnTheFeedsAtTheLeft: a click on a feed beside a list, or beside an
// article, chooses it in Feeds, the second one opens it; neither marks anything.
func TestMouseOnTheFeedsAtTheLeft(t *testing.T) {
	for _, keys := range []string{"", "enter"} {
		lib := newFake()
		d := newDesk(t, lib, 200, 40, withMouse)
		d.press(strings.Fields(keys)...)
		unread, before := countUnread(lib), d.screen()
		d.click("unread ") // the heading above them
		if d.screen() != before {
			t.Errorf("%q: a click on the heading did something:\n%s", keys, d.screen())
		}
		d.click("Small Databases")
		if d.m.Top() != d.m.feedz || !strings.Contains(d.chosenLine(), "Small Databases") {
			t.Fatalf("%q: %q is chosen:\n%s", keys, d.chosenLine(), d.screen())
		}
		d.click("Small Databases")
		if len(d.m.Over) != 1 || !strings.Contains(d.screen(), "· Small Databases") {
			t.Errorf("%q: the second click did not open it:\n%s", keys, d.screen())
		}
		if countUnread(lib) != unread {
			t.Errorf("%q: a click marked something", keys)
		}
	}
}

// TestMouseIsOffUntilAskedFor: without the setting no mode of the mouse is asked
// for, and whatever comes changes nothing.
func TestMouseIsOffUntilAskedFor(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	before := d.screen()
	d.click("08:15  ")
	d.click("08:15  ")
	d.wheel(tea.MouseWheelDown)
	if d.screen() != before || d.m.View().MouseMode != tea.MouseModeNone {
		t.Errorf("the mouse does something:\n%s", d.screen())
	}
	on := newDesk(t, newFake(), 80, 24, withMouse)
	if on.m.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse is not asked for")
	}
}

// TestMouseElsewhere: the views in row 1, the feeds of an address and the lines of a
// diff take clicks as well.
func TestMouseElsewhere(t *testing.T) {
	for _, w := range []int{40, 80, 200} {
		d := newDesk(t, withPages(newFake()), w, 24, withMouse)
		for _, v := range stack.Views {
			x := -1
			for i := range w { // where the digit of the view stands
				if row := strings.Split(d.screen(), "\n")[0]; i < len(row) && row[i] == byte(v.Key) {
					x = i
				}
			}
			at := tea.Mouse{X: x, Y: 0, Button: tea.MouseLeft}
			d.send(tea.MouseClickMsg(at))
			d.send(tea.MouseReleaseMsg(at))
			if d.m.At != v.No {
				t.Errorf("%d columns: a click on %s did not show it:\n%s", w, v.Name, d.screen())
			}
			if w < 200 && v.No == stack.Search {
				d.press("esc")
			}
		}
	}
	d := newDesk(t, withPages(newFake()), 80, 24, withMouse)
	d.press("5", "enter")
	d.click("unchanged")
	d.click("… 3 unchanged")
	d.click("… 3 unchanged")
	if strings.Contains(d.screen(), "… 3 unchanged") {
		t.Errorf("the second click did not unfold:\n%s", d.screen())
	}
	d = newDesk(t, emptyFake(), 80, 24, withMouse)
	d.typeIn("harbour.example")
	d.press("enter")
	d.click("Comments")
	if line := d.chosenLine(); !strings.Contains(d.screen(), "> Comments") {
		t.Errorf("a click chose %q:\n%s", line, d.screen())
	}
	d.click("Harbour Gazette")
	if len(d.lib.feeds) > 0 {
		t.Error("one click subscribed")
	}
	d = newDesk(t, withPages(newFake()), 80, 24, withMouse)
	d.press("5", "enter")
	unread := countUnread(d.lib)
	d.click("Old Pier")
	if line := d.chosenLine(); !strings.Contains(line, "Old Pier") || countUnread(d.lib) != unread {
		t.Errorf("a click in a diff chose %q", line)
	}
}
