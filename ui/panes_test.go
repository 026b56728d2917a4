package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"diurna/reader"
	"diurna/ui/feeds"
	"diurna/ui/pages"
)

// pane gives the n-th of the panes of the screen, without its margins.
func (d *desk) pane(n int) string {
	var b strings.Builder
	for line := range strings.Lines(d.screen()) {
		if parts := strings.Split(line, "│ "); n < len(parts) && len(parts) > 1 {
			b.WriteString(strings.TrimSpace(parts[n]) + "\n")
		}
	}
	return b.String()
}

// TestPreview: at 160 columns and more the text of the chosen row stands beside its
// list. Only Enter makes it read, and what is left stays in sight.
func TestPreview(t *testing.T) {
	d := newDesk(t, newFake(), 200, 60)
	in := func(want string) {
		t.Helper()
		if got := d.pane(2); !strings.Contains(got, want) {
			t.Errorf("%q is not previewed:\n%s", want, got)
		}
	}
	in("multi-queue rewrite")
	d.press("j")
	in("Ferry 3 out of service until Monday.")
	d.press("j", "k", "k")
	in("multi-queue rewrite")
	for i := range 2 {
		if r := &d.lib.rows[i]; r.Flags&reader.FlagRead != 0 {
			t.Errorf("%q was read by its preview", r.Title)
		}
	}
	d.press("enter")
	in("multi-queue rewrite")
	if d.lib.rows[0].Flags&reader.FlagRead == 0 {
		t.Error("what was opened is not read")
	}
	d.press("n", "q")
	in("Ferry 3 out of service until Monday.")
	d.press("t")
	d.typeIn("boats")
	d.press("enter")
	in("tags: boats")
	d.press("4") // Saved: another list, another row
	in("Small boats, big radios")
	d.press("1", "&")
	d.typeIn("zz")
	d.press("enter")
	in("The chosen item is shown here.")
}

// TestPreviewWaits: while keys come the pane keeps what it shows, and the row that
// is chosen at last is read, none of those passed.
func TestPreviewWaits(t *testing.T) {
	d := newDesk(t, newFake(), 200, 60)
	var late []tea.Cmd
	for range 3 {
		_, cmd := d.m.Update(keyMsg("j"))
		late = append(late, cmd)
		if got := d.pane(2); !strings.Contains(got, "multi-queue rewrite") {
			t.Errorf("the preview is gone:\n%s", got)
		}
	}
	for _, cmd := range late[:2] {
		d.run(cmd)
		if got := d.pane(2); !strings.Contains(got, "multi-queue rewrite") {
			t.Errorf("a row that was passed is previewed:\n%s", got)
		}
	}
	d.run(late[2])
	if got := d.pane(2); !strings.Contains(got, "三月の潮と港の工事について.") {
		t.Errorf("the chosen row is not previewed:\n%s", got)
	}
}

// TestPanesResize: whatever is on the screen, each line fills it at every width on
// the way, and an article keeps the paragraph at its top.
func TestPanesResize(t *testing.T) {
	for _, keys := range []string{"j", "j j enter", "enter ctrl+d", "2", "2 j j j enter j", "3 w", "5 enter", "?", "i", "6", "& z z enter"} {
		d := newDesk(t, withPages(newFake()), 200, 60)
		d.press(strings.Fields(keys)...)
		for _, w := range []int{120, 160, 80, 40, 159, 161, 119, 240, 400, 39, 200} {
			for _, h := range []int{24, 60} {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				lines := strings.Split(d.screen(), "\n")
				for y, line := range lines {
					if n := ansi.StringWidth(line); n != w {
						t.Fatalf("after %q, %dx%d: line %d has %d cells: %q", keys, w, h, y, n, line)
					}
				}
				if len(lines) != h {
					t.Errorf("after %q, %dx%d: %d lines", keys, w, h, len(lines))
				}
			}
		}
	}
	lib := newFake()
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "<p>Paragraph %d: what it says fills more than one line of a text that is narrow, and perhaps a second one.</p>", i)
	}
	lib.bodies[lib.rows[0].ID] = reader.Article{HTML: text.String()}
	d := newDesk(t, lib, 200, 24)
	d.press("enter", "ctrl+d", "ctrl+d")
	for !strings.Contains(strings.Split(d.screen(), "\n")[1], "Paragraph") {
		d.press("j")
	}
	at := strings.Index(strings.Split(d.screen(), "\n")[1], "Paragraph")
	top := strings.Split(d.screen(), "\n")[1][at:][:len("Paragraph 10")]
	for _, w := range []int{120, 80, 160, 100, 200} {
		d.send(tea.WindowSizeMsg{Width: w, Height: 24})
		if line := strings.Split(d.screen(), "\n")[1]; !strings.Contains(line, top) {
			t.Errorf("at %d columns %q is not at the top but %q", w, top, line)
		}
	}
}

// TestNamesWhole: from 120 columns on names of up to 28 are whole wherever feeds
// stand, folded or not.
func TestNamesWhole(t *testing.T) {
	const name = "Twenty-eight cells of a feed"
	lib := newFake()
	for i := range lib.feeds {
		if lib.feeds[i].Key == lib.rows[0].ID.Feed() {
			lib.feeds[i].Title, lib.feeds[i].Folder = name, "folder"
		}
	}
	for _, w := range []int{120, 159, 160, 170, 200, 240} {
		d := newDesk(t, lib, w, 40)
		if got := d.pane(1) + strings.Split(d.screen(), "\n")[2]; !strings.Contains(got, name) {
			t.Errorf("%d columns: the list cuts a name:\n%s", w, d.screen())
		}
		if w >= 160 && !strings.Contains(d.pane(0), name) {
			t.Errorf("%d columns: the feeds cut a name:\n%s", w, d.screen())
		}
		d.press("2")
		if !strings.Contains(d.screen(), name) {
			t.Errorf("%d columns: Feeds cuts a name:\n%s", w, d.screen())
		}
	}
}

// TestArticleInTheMiddle: a text that has more room than it takes stands in the
// middle of it, and at 80 columns where it always did.
func TestArticleInTheMiddle(t *testing.T) {
	for w, want := range map[int]int{40: 2, 80: 4, 100: 14, 119: 23, 120: 50 + 2 + 4, 150: 50 + 2 + 13} {
		d := newDesk(t, newFake(), w, 24)
		d.press("enter")
		line := strings.Split(d.screen(), "\n")[2]
		if got := ansi.StringWidth(line[:strings.LastIndex(line, "The new block")]); got != want {
			t.Errorf("%d columns: the text begins at %d, want %d:\n%s", w, got, want, d.screen())
		}
	}
}

// TestFeedsPreview: on a wide screen the items of the chosen feed or folder stand
// beside the tree, and no row of them is chosen.
func TestFeedsPreview(t *testing.T) {
	d := newDesk(t, newFake(), 200, 60)
	d.press("2")
	for label, want := range map[string]string{"Harbour Gazette": "Ferry 3 out of service until Monday", "Small Databases": "Issue 212"} {
		d.press("g")
		for !strings.Contains(d.m.Top().(*feeds.View).Speak(&d.m.Scene), label) {
			d.press("j")
		}
		got := d.pane(1)
		if !strings.Contains(got, want) || strings.Contains(got, ">") {
			t.Errorf("beside %s:\n%s", label, got)
		}
	}
	for i := range d.lib.rows {
		if r := &d.lib.rows[i]; strings.HasPrefix(r.Title, "Ferry 3") && r.Flags&reader.FlagRead != 0 {
			t.Error("the preview marked an item read")
		}
	}
	d.press("g", "j", "j", "enter") // the feed under its folder: its list, with its first text beside
	if d.m.Items() == nil || !strings.Contains(d.pane(2), "multi-queue rewrite") {
		t.Errorf("Enter opened something else:\n%s", d.screen())
	}
	d.press("q")
	if !strings.Contains(d.pane(1), "The new block layer") {
		t.Errorf("the items are gone after leaving their list:\n%s", d.screen())
	}
}

// TestDiffBesideItsList: what changed on a page stands where a text does; old and new
// side by side take the whole screen, and below 160 columns it has all of it.
func TestDiffBesideItsList(t *testing.T) {
	lib := withPages(newFake())
	d := newDesk(t, lib, 200, 60)
	for i := 0; d.m.Scene.Feeds[d.m.river.Row().ID.Feed()] == nil || !d.m.Scene.Feeds[d.m.river.Row().ID.Feed()].Watched; i++ {
		if i > 20 {
			t.Fatal("no row of a page")
		}
		d.press("j")
	}
	d.press("enter")
	if !strings.Contains(d.pane(2), "blocks changed") || !strings.Contains(d.pane(1), "Pier timetable") {
		t.Errorf("the diff is not beside its list:\n%s", d.screen())
	}
	d.press("c")
	if line := strings.Split(d.screen(), "\n")[1]; !strings.Contains(line[:40], "blocks changed") {
		t.Errorf("side by side has not the whole screen:\n%s", d.screen())
	}
	d.press("c")
	d.send(tea.WindowSizeMsg{Width: 159, Height: 60})
	if line := strings.Split(d.screen(), "\n")[1]; !strings.Contains(line[:40], "blocks changed") {
		t.Errorf("at 159 columns the diff has not the whole screen:\n%s", d.screen())
	}
}

// TestOtherHalf: on a wide screen the last change of the chosen page stands beside
// Pages, what the feed posted beside Rhythm, and what it is about beside info.
func TestOtherHalf(t *testing.T) {
	d := newDesk(t, withPages(newFake()), 200, 60)
	in := func(pane int, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if got := d.pane(pane); !strings.Contains(got, want) {
				t.Errorf("%q is not in pane %d:\n%s", want, pane, d.screen())
			}
		}
	}
	d.press("5")
	for i := 0; !strings.Contains(d.m.Top().(*pages.View).Speak(&d.m.Scene), "Pier timetable"); i++ {
		if i > 20 {
			t.Fatal("no such page")
		}
		d.press("j")
	}
	in(1, "blocks changed", "Mon to Fri, 9.50 €")
	if strings.Contains(d.pane(1), ">~") {
		t.Errorf("a row of the preview is chosen:\n%s", d.screen())
	}
	for i := range d.lib.rows {
		if r := &d.lib.rows[i]; r.ID == item(31, 2) && r.Flags&reader.FlagRead != 0 {
			t.Error("the preview marked a change read")
		}
	}
	d.press("i")
	in(0, "Pier timetable")
	in(1, "settings of this page")
	d.press("q")
	in(1, "blocks changed")
	d.press("6")
	in(0, "When you look")
	in(1, "Patches worth reading")
}

// TestNamesGetTheRoom: the name of a feed or a page is cut only where nothing is left
// blank beside it, or where what stands beside it is cut too.
func TestNamesGetTheRoom(t *testing.T) {
	for _, size := range [][2]int{{60, 24}, {80, 24}, {100, 30}, {120, 40}, {160, 48}, {200, 60}} {
		lib := withPages(newFake())
		names := map[string][]string{}
		for i := range lib.feeds {
			f := &lib.feeds[i]
			f.Title += " of the old harbour and all its quays"[:min(6*i, 37)]
			names["1"], names["2"] = append(names["1"], f.Title), append(names["2"], f.Title)
		}
		for i := range lib.rows {
			lib.rows[i].Title = strings.Repeat("word ", 1+2*i)
		}
		for i := range lib.pages.list {
			pg := &lib.pages.list[i]
			pg.Title += ", and what else there is"[:8+5*i]
			names["5"] = append(names["5"], pg.Title)
		}
		d := newDesk(t, lib, size[0], size[1])
		for key, names := range names {
			d.press(key)
			cut, whole := 0, 0
			for line := range strings.Lines(d.screen()) {
				line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "│")
				for _, name := range names {
					switch _, behind, found := strings.Cut(line, name[:9]); {
					case !found:
					case strings.Contains(line, name):
						whole++
					default:
						cut++
						if key == "2" && strings.Contains(behind, "…   ") || key != "2" && strings.Count(behind, "…") < 2 && strings.HasSuffix(line, "   ") {
							t.Errorf("%v, %s: %q is cut: %q", size, key, name, line)
						}
					}
				}
			}
			if t.Logf("%v, %s: %d whole, %d cut", size, key, whole, cut); whole == 0 {
				t.Errorf("%v, %s: no name is whole", size, key)
			}
		}
	}
}
