package ui

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/fetching"
	"diurna/ui/marks"
	"diurna/ui/view"
)

// Answers that come late: a key is pressed, its command is held back, the
// person goes on, and only then the answer arrives.

// hold presses a key and gives the command that it led to.
func (d *desk) hold(key string) tea.Cmd {
	d.t.Helper()
	_, cmd := d.m.Update(keyMsg(key))
	d.m.View()
	return cmd
}

// holdCommand is hold for a line of the command box.
func (d *desk) holdCommand(line string) tea.Cmd {
	d.t.Helper()
	d.press(":")
	d.typeIn(line)
	return d.hold("enter")
}

// TestLateAnswersOpenNothingElsewhere: sheets, boxes and the editor open where
// they were asked for.
func TestLateAnswersOpenNothingElsewhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	secret := func(lib *fake) { lib.feeds[0].URL = "https://me:geheim@example1.org/feed" }
	for _, c := range []struct {
		name string
		at   string // keys that lead to the place
		ask  func(d *desk) tea.Cmd
		on   string // keys that leave it
		want string // the type of what was asked, where nothing is left
	}{
		{"why", "2 j j", func(d *desk) tea.Cmd { return d.hold("w") }, "1", "ctxSheet"},
		{"why under a box", "2 j j", func(d *desk) tea.Cmd { return d.hold("w") }, "/", "ctxSheet"},
		{"evidence", "", func(d *desk) tea.Cmd { return d.holdCommand("evidence") }, "enter", "ctxSheet"},
		{"address", "2 j j i G", func(d *desk) tea.Cmd { return d.hold("enter") }, "q", "prompt"},
		{"editor", "", func(d *desk) tea.Cmd { return d.hold("E") }, "2", "editor"},
		{"first unread of a feed", "", func(d *desk) tea.Cmd { return d.hold("]") }, "/", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			lib := newFake()
			secret(lib)
			d := newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = []string{"EDITOR=/bin/false"} })
			if c.name == "first unread of a feed" {
				d.press("enter") // from an article ] opens the first of the next feed
			}
			d.press(strings.Fields(c.at)...)
			cmd := c.ask(d)
			d.press(strings.Fields(c.on)...)
			before, unread := d.screen(), countUnread(lib)
			d.run(cmd)
			if got := d.screen(); c.want != "" && got != before {
				t.Errorf("the late answer changed the screen:\n%s", got)
			}
			if n := countUnread(lib); n != unread {
				t.Errorf("%d unread after the late answer, before %d", n, unread)
			}
			if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
				t.Errorf("%s is left behind", left[0].Name())
			}
		})
	}
}

// TestAnswersOpenWhereTheyWereAsked is the other side: nobody has moved.
func TestAnswersOpenWhereTheyWereAsked(t *testing.T) {
	lib := newFake()
	lib.feeds[0].URL = "https://me:geheim@example1.org/feed"
	d := newDesk(t, lib, 80, 24)
	d.press("2", "j", "j", "w")
	d.shows("Why: Kernel Notes")
	d.press("q", "i")
	d.choose("address")
	d.press("enter")
	d.shows("address: https://me:geheim@example1.org/feed")
	d.press("esc", "q")
	d.run(d.holdCommand("evidence"))
	d.shows("412 opened of 3,744 shown")
}

// TestLateNarrowing: a narrowing that was given up does not come back.
func TestLateNarrowing(t *testing.T) {
	for _, keys := range [][]string{{"esc"}, {"&", "ctrl+u", "f", "e", "r", "r", "y", "enter"}, {"2", "1"}} {
		d := newDesk(t, newFake(), 80, 24)
		d.press("&", "r", "e", "a", "d")
		cmd := d.hold("enter")
		d.press(keys...)
		before := d.screen()
		d.run(cmd)
		if d.screen() != before {
			t.Errorf("after %v the late rows changed the screen:\n%s", keys, d.screen())
		}
	}
}

// TestLateOrder: River stands newest first whatever comes of Ranked.
func TestLateOrder(t *testing.T) {
	lib := newFake()
	lib.interest.opens = 400
	d := newDesk(t, lib, 80, 24)
	before := d.screen()
	cmd := d.hold("3")
	d.press("1")
	d.run(cmd)
	if d.screen() != before {
		t.Errorf("River stands in another order:\n%s", d.screen())
	}
}

// TestAnswersFindTheirLayer: what lies above takes nothing away.
func TestAnswersFindTheirLayer(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("m")
	steps := d.hold("U")
	d.press("?")
	d.run(steps)
	d.press("q")
	d.shows("1 marked read in River")

	d = newDesk(t, emptyFake(), 80, 24)
	d.typeIn("harbour.example")
	d.press("enter")
	fill := d.hold("j")
	d.press("?")
	d.run(fill)
	d.press("q")
	d.shows("Comments brings:", "Filled")
}

// TestImportLeavesThePlaceAlone: who went on reading is not taken to River, and
// a box that asked for nothing stays.
func TestImportLeavesThePlaceAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("urls", []byte("https://harbour.example/news.xml\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, newFake(), 80, 24)
	d.press("2")
	done := d.holdCommand("import urls")
	d.press("a")
	d.typeIn("harbour.exam")
	d.run(done)
	d.shows("[2Feeds]", "> harbour.exam")
	d.says("Imported 1 feed. u undoes.")
	d.press("esc")
	d.lib.imported = &reader.FetchResult{Title: "harbour.example/crew.xml", Outcome: reader.OutcomeFailed}
	d.run(d.holdCommand("import urls"))
	d.shows("1 failed: harbour.example/crew.xml (w in Feeds says")
}

// TestProgressLeavesABoxAlone: a fetch does not close the box that subscribes.
func TestProgressLeavesABoxAlone(t *testing.T) {
	lib := emptyFake()
	lib.feeds = newFake().feeds
	d := newDesk(t, lib, 80, 24)
	d.m.Update(keyMsg("R"))
	d.press("a")
	d.typeIn("harbour.example")
	d.press("enter")
	keep := d.hold("enter")
	d.m.Update(fetching.ProgressMsg{Gen: d.m.fetch.Gen, Progress: reader.Progress{Done: 1, Total: 6}})
	d.run(keep)
	d.says("Subscribed to Harbour Gazette: 20 items, 2 of them unread.")
}

// TestEachMarkIsDone: an act is never dropped because another one came.
func TestEachMarkIsDone(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("2", "j", "j")
	first := d.hold("A")
	d.press("j")
	second := d.hold("A")
	d.run(first)
	d.run(second)
	if a, b := d.m.Scene.Feeds[1].Unread, d.m.Scene.Feeds[2].Unread; a+b != 0 {
		t.Errorf("%d and %d are unread still", a, b)
	}
	d.press("j", "M")
	third := d.hold("a") // faster than the count
	d.press("j")
	d.run(third)
	if n := countUnread(lib); n != 9-3-4 {
		t.Errorf("%d unread, want 2", n)
	}
}

// TestLateStates: what an undo left behind does not cover what was done since.
func TestLateStates(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("m")
	undo := d.hold("u")()
	_, states := d.m.Update(undo)
	late := find[marks.StatesMsg](states)
	d.press("s")
	_, again := d.m.Update(late)
	if r := d.m.river.At(0); r.Flags&reader.FlagSaved == 0 {
		t.Errorf("the row is drawn with flags %v, and it is saved", r.Flags)
	}
	d.run(again)
	if r := d.m.river.At(0); r.Flags&reader.FlagSaved == 0 || r.Flags&reader.FlagRead != 0 {
		t.Errorf("the row is drawn with flags %v, and is unread and saved", r.Flags)
	}
}

// TestLateCopy: what was copied last is what the clipboard holds.
func TestLateCopy(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	first := d.hold("y")
	d.press("j", "y")
	d.run(first)
	if len(d.sent) != 1 || !strings.Contains(d.sent[0], "example3.org") {
		t.Errorf("copied %q", d.sent)
	}
}

// TestLateMarkIsNoArticles: a mass mark that was asked for in a list is not
// taken back in the article that was opened meanwhile.
func TestLateMarkIsNoArticles(t *testing.T) {
	lib := newFake()
	_, with := withShell(lib)
	d := newDesk(t, lib, 80, 24, with)
	cmd := d.holdCommand("mark read folder:sea")
	d.press("enter")
	d.run(cmd)
	d.press("u")
	d.shows("Nothing was changed here. The last step:")
}

// TestMacrosEndWhereTheyBegan: the keys of a macro that still wait are pressed
// before the user's next key, and never at a later place.
func TestMacrosEndWhereTheyBegan(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24, withKeys("[list]\n\"x\" = \"m j s\"\n\"z\" = \"R A\"\n[macro]\n\"l\" = \", l\"\n\"e\" = \"r A\"\n"))
	late := d.hold("x")
	d.press("2", "j", "j")
	d.run(late)
	if r := lib.row(item(3, 8)); r.Flags&reader.FlagSaved == 0 {
		t.Error("the rest of the keys was not pressed where they began")
	}
	if n := countUnread(lib); n != 8 {
		t.Errorf("%d unread, want 8", n)
	}
	d.press("1")
	late = d.hold("z")
	d.press("ctrl+c")
	d.run(late)
	if n := countUnread(lib); n != 8 {
		t.Errorf("^c did not end the keys: %d unread, want 8", n)
	}
	d.press(",")
	d.hold("l") // a macro that names itself
	d.press("j")
	d.press(",", "l")
	d.says("A macro in an endless loop was stopped.")
	// What is pasted opens a box, in which the keys that wait are none.
	d = newDesk(t, newFake(), 80, 24, withKeys("[list]\n\"x\" = \"m j s\"\n"))
	late = d.hold("x")
	d.send(tea.PasteMsg{Content: "https://sea.example/feed"})
	d.run(late)
	d.shows("> https://sea.example/feed ")
	if r := d.lib.row(item(3, 8)); r.Flags&reader.FlagSaved == 0 {
		t.Error("the rest of the keys was not pressed before the paste")
	}
}

// TestHistoriesAreAddedTo: a line typed before the histories were read, or in
// the linear form, or beside another screen, does not replace them.
func TestHistoriesAreAddedTo(t *testing.T) {
	lib := newFake()
	lib.kept["history/find"] = []byte("ferry\noven")
	d := newDesk(t, lib, 80, 24)
	d.press("/", "c", "o", "m", "e", "t", "enter")
	if got := string(lib.kept["history/find"]); got != "ferry\noven\ncomet" {
		t.Errorf("kept %q", got)
	}
}

// TestStoppingTellsTheTruth: what was kept before ^c was heard is reported.
func TestStoppingTellsTheTruth(t *testing.T) {
	lib := emptyFake()
	d := newDesk(t, lib, 80, 24)
	d.typeIn("harbour.example")
	d.press("enter")
	keep := d.hold("enter")
	d.press("esc")
	d.says("Stopping.")
	d.run(keep)
	d.says("Subscribed to Harbour Gazette")

	lib = emptyFake()
	lib.heeds = true
	d = newDesk(t, lib, 80, 24)
	d.typeIn("harbour.example")
	d.press("enter")
	keep = d.hold("enter")
	d.press("esc")
	d.run(keep)
	d.says("Stopped. Nothing was changed.")
	d.shows("Two feeds at harbour.example:")
}

// TestPipesEndApart: the answer of a command that was stopped for a look does
// not end the look, and what it printed waits where it was asked for.
func TestPipesEndApart(t *testing.T) {
	lib := newFake()
	lib.found = emptyFake().found
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = []string{"SHELL=/bin/sh"} })
	d.press("|")
	d.typeIn("echo printed")
	pipe := d.hold("enter")
	d.press("a")
	d.typeIn("harbour.example")
	look := d.hold("enter")
	d.run(pipe)
	d.run(look)
	d.shows("Two feeds at harbour.example:")

	d = newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = []string{"SHELL=/bin/sh"} })
	d.press("|")
	d.typeIn("echo printed")
	pipe = d.hold("enter")
	d.press("enter")
	before := strings.Split(d.screen(), "\n")[0]
	d.run(pipe)
	if now := strings.Split(d.screen(), "\n")[0]; now != before {
		t.Errorf("row 1 was %q, is %q", before, now)
	}
	d.says("echo printed finished.")
	d.press("q")
	d.shows("| echo printed", " printed")
	d.press("q")
	d.shows("[1River]")
}

// TestLateRevision: that there is no other revision is said in its diff.
func TestLateRevision(t *testing.T) {
	d := newDesk(t, withPages(newFake()), 80, 24)
	d.press("5", "enter")
	cmd := d.hold("]")
	d.press("q", "1")
	before := d.screen()
	d.run(cmd)
	if d.screen() != before {
		t.Errorf("the late answer changed the screen:\n%s", d.screen())
	}
}

// TestLateFirstOfAFeed: ] from an article opens the first of the next feed, but
// not for who has begun to type meanwhile, and not when rows come later on.
func TestLateFirstOfAFeed(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("enter")
	cmd := d.hold("]")
	d.press("/")
	d.run(cmd)
	d.press("esc")
	before, unread := d.screen(), countUnread(lib)
	d.send(view.ChangedMsg{})
	if d.screen() != before || countUnread(lib) != unread {
		t.Errorf("news opened an article:\n%s", d.screen())
	}
}

// TestEnterBeforeThePreview: a candidate that is being fetched already is not
// fetched once more, which would take as long again; its answer goes on. Where
// that was stopped it is only shown.
func TestEnterBeforeThePreview(t *testing.T) {
	const kept, shown = "Subscribed to Comments", "Filled"
	for keys, want := range map[string]string{"enter": kept, "enter esc": shown, "enter esc enter": kept, "enter esc k j enter": kept} {
		lib := emptyFake()
		d := newDesk(t, lib, 80, 24)
		d.typeIn("harbour.example")
		d.press("enter")
		fill := d.hold("j")
		for _, key := range strings.Fields(keys) {
			if d.hold(key) != nil {
				t.Errorf("%s: the candidate is fetched twice", keys)
			}
		}
		d.run(fill)
		d.shows(want)
	}
}

// TestFilesOfARow: e in a list shows the enclosures of the chosen row, which
// stays unread; an answer that comes after the reader went on shows nothing.
func TestFilesOfARow(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	late := d.hold("e")
	d.press("j")
	d.press("2")
	d.run(late)
	d.lacks("Enclosures:")
	d.press("1", "g", "e")
	d.shows("Enclosures:")
	d.press("q")
	if r := d.m.river.At(0); r.Flags&reader.FlagRead != 0 {
		t.Error("looking at its enclosures made it read")
	}
}

// TestCopyInFeeds: y in Feeds copies the address of the feed under the cursor.
func TestCopyInFeeds(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("2", "G", "y")
	if len(d.sent) != 1 || !strings.HasPrefix(d.sent[0], "http") || strings.Contains(d.sent[0], "\n") {
		t.Errorf("copied %q", d.sent)
	}
}
