package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/add"
	"diurna/ui/adding"
	"diurna/ui/fetching"
	"diurna/ui/greeting"
	"diurna/ui/view"
)

// Whole journeys: keys go in, the screen and the library are asked.

func (d *desk) shows(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(d.screen(), w) {
			d.t.Fatalf("the screen lacks %q:\n%s", w, d.screen())
		}
	}
}

func (d *desk) lacks(not ...string) {
	d.t.Helper()
	for _, w := range not {
		if strings.Contains(d.screen(), w) {
			d.t.Fatalf("the screen should not hold %q:\n%s", w, d.screen())
		}
	}
}

// last is the last row without blanks at its end.
func (d *desk) last() string {
	s := d.screen()
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// says checks how the last row begins; a sentence may take two.
func (d *desk) says(want string) {
	d.t.Helper()
	lines := strings.Split(d.screen(), "\n")
	both := strings.TrimSpace(lines[len(lines)-2]) + " " + d.last()
	if !strings.HasPrefix(d.last(), want) && !strings.HasPrefix(both, want) {
		d.t.Fatalf("the last row says %q, want %q", d.last(), want)
	}
}

func TestFromNothingToTheFirstText(t *testing.T) {
	d := newDesk(t, emptyFake(), 80, 24, withFound)
	d.shows("Nothing is subscribed yet.", "Found on this machine:", "import newsboat", "try the demo")
	d.send(tea.PasteMsg{Content: "harbour.example\n"})
	d.press("enter")
	d.shows("Two feeds at harbour.example:", "Harbour Gazette brings:", "about 9 a day")
	d.press("enter")
	d.says("Subscribed to Harbour Gazette: 20 items, 2 of them unread. u undoes. a adds another.")
	d.shows("[1River]", "Ferry 3 out of service until Monday")
	d.press("enter")
	d.shows("Ferry 3 out of service until Monday", "space on")
	if d.m.context() != view.CtxArticle {
		t.Fatal("one paste and three Enter do not lead to a text")
	}
}

// context is the place that has the keys.
func (m *model) context() view.Context { return m.Top().Context() }

func TestLookingCanBeStopped(t *testing.T) {
	lib := emptyFake()
	lib.block = make(chan struct{})
	d := newDesk(t, lib, 80, 24)
	d.typeIn("slow.example")
	_, cmd := d.m.Update(keyMsg("enter"))
	d.says("looking at https://slow.example …  ^c stops")
	answer := make(chan tea.Msg, 1)
	go func() { answer <- find[add.FoundMsg](cmd) }()
	_, stop := d.m.Update(keyMsg("ctrl+c"))
	d.run(stop)
	d.says("Stopped.")
	late := <-answer // the request ended with its context
	if !errors.Is(late.(add.FoundMsg).Err, context.Canceled) {
		t.Fatalf("the look was not stopped: %v", late)
	}
	d.send(late) // and its answer comes too late to be shown
	d.says("Stopped.")
	d.lacks("canceled")
}

// find runs the commands of a batch until one answers with a T.
func find[T tea.Msg](cmd tea.Cmd) tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case T:
		return msg
	case tea.BatchMsg:
		for _, c := range msg {
			if got := find[T](c); got != nil {
				return got
			}
		}
	}
	return nil
}

func TestMarkSaveUndo(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j", "m")
	d.says("read · Harbour Gazette")
	if lib.row(item(3, 8)).Flags&reader.FlagRead == 0 {
		t.Fatal("m did not mark")
	}
	d.press("s")
	d.says("read, saved")
	d.press("u")
	d.says("Undone: 1 saved in River, 10:49.")
	d.press("k", "j")
	d.says("read · Harbour Gazette")
	d.press("A")
	d.says("Marked 8 read in River. u undoes.")
	d.shows("Two comets this week") // what was read stays until the list is left
	d.press("u")
	d.says("Undone: 8 marked read in River, 10:49.")
	if n := countUnread(lib); n != 8 {
		t.Fatalf("%d unread after undo, want 8", n)
	}
	d.shows(">    10:12", " •   10:31")
}

func countUnread(f *fake) (n int) {
	for i := range f.rows {
		if unread(&f.rows[i]) {
			n++
		}
	}
	return n
}

func TestFailedCommitsChangeBack(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	lib.fail = reader.ErrFull
	_, cmd := d.m.Update(keyMsg("m"))
	d.shows(">    10:31") // at once
	d.run(cmd)
	d.shows(">•   10:31") // and back
	d.shows("The disk is full. What you marked at 10:49 could not be kept and was taken")
	d.press("s")
	d.shows(">•   10:31")
	d.press("A")
	d.shows(">•   10:31", " •   10:12")
	d.press("enter")
	d.press("q")
	d.shows(">•   10:31")
	lib.fail = nil
	d.press("m")
	d.says("read · Kernel Notes")
}

func TestReadingOn(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("enter")
	d.shows("https://kernelnotes.example/2026/block-layer", "## What was measured")
	d.press("space", "space")
	d.says("Next unread: Harbour Gazette, Ferry 3 out of service until Monday. space opens it.")
	d.press("k", "space", "space")
	d.says("Next unread") // a key between starts again
	d.press("space")
	d.shows("Ferry 3 out of service until Monday.", "100 %")
	d.press("n")
	d.shows("Small boats, big radios")
	d.press("K", "K")
	d.shows("The new block layer")
	d.press("J")
	d.shows("Ferry 3 out of service until Monday")
	d.press("q")
	d.shows(">    10:12")
	if n := countUnread(lib); n != 6 {
		t.Fatalf("%d unread, want 6", n)
	}
}

func TestUndoInAnArticle(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j", "s", "k", "enter", "u")
	d.shows("Nothing was changed here. The last step: 1 saved in River", "q u undoes")
	if lib.row(item(3, 8)).Flags&reader.FlagSaved == 0 {
		t.Fatal("u in an article undid what was done in the list")
	}
	d.press("s", "u")
	d.says("Undone: 1 saved in River")
	d.press("u")
	d.shows("Nothing was changed here. The last step: 1 saved in River")
}

func TestNewRowsWait(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j")
	came := reader.Row{ID: item(1, 10), At: noon.Unix(), Title: "Fresh from the press"}
	lib.rows = append([]reader.Row{came}, lib.rows...)
	d.send(changedNow())
	d.lacks("Fresh from the press")
	d.shows("1 new", ">•   10:12")
	d.press("m") // what waits is not marked, and what was read stays
	d.press("A")
	d.says("Marked 8 read in River.")
	d.press("g")
	d.shows(">•   10:49  Kernel Notes      Fresh from the press", "     10:31")
	d.lacks("1 new")
	d.press("2", "1")
	d.lacks("The new block layer")
	d.shows("Fresh from the press")
}

// changedNow is what the channel of changes leads to.
func changedNow() tea.Msg { return view.ChangedMsg{} }

func TestNewRowsAppearWhereNoKeyMoved(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	lib.rows = append([]reader.Row{{ID: item(1, 10), At: noon.Unix(), Title: "Fresh from the press"}}, lib.rows...)
	d.send(changedNow())
	d.shows(">•   10:49  Kernel Notes      Fresh from the press")
}

func TestMassMarksTouchWhatWasDrawn(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("&")
	d.typeIn("kernel")
	d.press("enter")
	// Another process adds and a filter hides: neither is touched.
	lib.rows = append([]reader.Row{{ID: item(1, 10), At: noon.Unix(), Title: "kernel of the matter"}}, lib.rows...)
	d.press("A")
	d.says("Marked 2 read in River & kernel.")
	if n := countUnread(lib); n != 8 {
		t.Fatalf("%d unread, want 8", n)
	}
	d.press("esc")
	d.press("j", "j", "M", "d")
	d.says("Marked 4 read in River.")
	d.press("M", "m")
	d.says("Marked 1 read in River.")
}

func TestFindAndNarrow(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("/")
	d.typeIn("harbour")
	d.says("/harbour")
	d.shows("Enter goes to the next of 2")
	d.press("enter")
	d.says("/harbour: 1 of 2")
	d.press("n")
	d.shows(">•s  09:02")
	d.press("n")
	d.shows(">•   10:12")
	d.press("N", "esc")
	d.says("unread, saved")
	d.press("n")
	d.shows(">•   08:47") // n is the next unread again
	d.press("&")
	d.typeIn("older:")
	d.press("enter")
	d.shows("& older:", "         ^ older: needs a time: 2d, 1w, 2026-11-02", ">•   08:47")
	d.typeIn("1w")
	d.press("enter")
	d.shows("Tide Tables", "Notes on a very old oven")
	d.lacks("Kernel Notes")
	d.press("&")
	d.m.Box.Set("tide zebra")
	d.press("enter")
	d.shows(`No row matches "tide zebra". 1 match without the last word. Esc shows all 9.`)
	d.press("esc")
	d.shows("The new block layer")
	d.press("&")
	d.typeIn("read")
	d.press("enter")
	d.shows("Why our compiler got slower")
	d.press("h")
	d.lacks("Why our compiler got slower")
}

func TestFeedsJourney(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("2", "!")
	d.says("Tide Tables")
	d.says("Tide Tables: 404 not found since 12 Nov (8 tries)")
	d.press("w")
	d.shows("Tide Tables: 404 not found since 12 Nov (8 tries). Its one item is kept.")
	d.press("q") // from the reasons back to the list
	d.press("h") // folds sea
	d.shows(">•! + sea (3)")
	d.lacks("Harbour Gazette")
	d.press("enter", "j", "D")
	d.says("Unsubscribed from Harbour Gazette, 2 items. u undoes.")
	d.lacks("     Harbour Gazette")
	d.press("u")
	d.says("Undone: unsubscribed from Harbour Gazette")
	d.shows("     Harbour Gazette")
	d.press("g", "n", "enter")
	d.shows("[2Feeds]", "· Kernel Notes")
	d.press("enter", "q", "q")
	d.shows("[2Feeds]", ">•      Kernel Notes                     1")
	d.press("A")
	d.says("Marked 1 read in Kernel Notes. u undoes.")
	d.press("q")
	if !d.quit {
		t.Fatal("q at the top does not quit")
	}
}

// TestPlaceOutlivesALargerScreen: what stood at the top of an article stands there again
// when a screen that had room for all of it is small again; after a key it does not.
func TestPlaceOutlivesALargerScreen(t *testing.T) {
	for _, larger := range [][2]int{{80, 60}, {200, 60}} {
		lib := newFake()
		lib.bodies[lib.rows[0].ID] = reader.Article{HTML: strings.Repeat("<p>One of many paragraphs, of two lines where a screen is narrow, and of one where it is not.</p>", 6) + "<p>The seventh.</p>" + strings.Repeat("<p>After it.</p>", 8)}
		d := newDesk(t, lib, 80, 12)
		d.press("enter")
		for range 100 {
			if strings.TrimSpace(strings.Split(d.screen(), "\n")[1]) == "The seventh." {
				break
			}
			d.press("j")
		}
		was := d.screen()
		d.send(tea.WindowSizeMsg{Width: larger[0], Height: larger[1]})
		d.shows("The new block layer", "The seventh.")
		d.send(tea.WindowSizeMsg{Width: 80, Height: 12})
		if d.screen() != was {
			t.Errorf("after %v:\n%s\nwas\n%s", larger, d.screen(), was)
		}
		d.send(tea.WindowSizeMsg{Width: larger[0], Height: larger[1]})
		d.send(tea.WindowSizeMsg{Width: 80, Height: 30})
		d.press("k")
		d.send(tea.WindowSizeMsg{Width: 80, Height: 12})
		if d.screen() == was {
			t.Error("a key did not move it")
		}
	}
}

func TestFetchShowsProgress(t *testing.T) {
	lib := newFake()
	lib.report = reader.FetchReport{Fetched: 2, Early: 3, Waiting: 1, Failed: 1, New: 12}
	d := newDesk(t, lib, 80, 24)
	d.m.Update(keyMsg("R"))
	d.m.Update(fetching.ProgressMsg{Gen: d.m.fetch.Gen, Progress: reader.Progress{Done: 41, Total: 287}})
	d.shows("fetch 41/287")
	d.press("enter")
	d.shows("fetch 41/287  Fri 20 Nov, 10:31") // what is shown keeps its date
	d.m.Update(tea.WindowSizeMsg{Width: 44, Height: 12})
	d.shows("Fri 20 Nov, 10:31")
	d.lacks("fetch 41/287")
	d.m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.m.Update(fetching.FetchedMsg{Gen: d.m.fetch.Gen, Report: lib.report})
	d.lacks("fetch 41/287")
	d.says("R: 1 fetched, 2 up to date, 1 waiting, 1 failed (w in Feeds). 12 new.")
}

func TestLookingLeavesAFetchAlone(t *testing.T) {
	lib := emptyFake()
	lib.feeds = newFake().feeds
	lib.block = make(chan struct{})
	d := newDesk(t, lib, 80, 24)
	_, fetched := d.m.Update(keyMsg("R"))
	done := make(chan tea.Msg, 1)
	go func() { done <- find[fetching.FetchedMsg](fetched) }()
	d.press("a")
	d.typeIn("slow.example")
	_, looking := d.m.Update(keyMsg("enter"))
	go looking()
	_, stop := d.m.Update(keyMsg("ctrl+c"))
	d.run(stop)
	close(lib.block)
	if msg := (<-done).(fetching.FetchedMsg); msg.Err != nil {
		t.Fatalf("stopping the look stopped the fetch: %v", msg.Err)
	}
}

func TestFetchCanBeStopped(t *testing.T) {
	lib := newFake()
	lib.block = make(chan struct{})
	d := newDesk(t, lib, 80, 24)
	_, fetched := d.m.Update(keyMsg("R"))
	done := make(chan tea.Msg, 1)
	go func() { done <- find[fetching.FetchedMsg](fetched) }()
	d.press("R")
	d.says("A fetch is running. ^c stops it.")
	d.press("ctrl+c")
	d.send(<-done)
	d.says("Stopped: 0 fetched, 0 new.")
	if d.quit {
		t.Fatal("^c left the program")
	}
}

// TestFramesShowEveryView is the demo without a terminal.
func TestFramesShowEveryView(t *testing.T) {
	lib := newFake()
	names := ""
	for _, f := range Frames(context.Background(), partsOf(lib), 80, 24, Options{Environ: []string{}, clock: func() time.Time { return noon }}) {
		names += f.Name + " "
		exact(t, f.Name, strings.TrimSuffix(f.Text, "\n"), 80, 24)
		if strings.Contains(f.Text, "\x1b") {
			t.Errorf("%s holds an escape sequence", f.Name)
		}
	}
	if names != "River Article Feeds Ranked Saved Pages Rhythm Trends Search What was done Help Add " {
		t.Errorf("frames: %s", names)
	}
	if countUnread(lib) != 9 || len(lib.steps) != 0 {
		t.Error("drawing the frames changed the library")
	}
	lib, names = withPages(newFake()), ""
	for _, f := range Frames(context.Background(), partsOf(lib), 80, 24, Options{Environ: []string{}, clock: func() time.Time { return noon }}) {
		names += f.Name + " "
		exact(t, f.Name, strings.TrimSuffix(f.Text, "\n"), 80, 24)
	}
	if !strings.Contains(names, " Pages Rhythm Trends Search Diff ") || countUnread(lib) != 10 {
		t.Errorf("frames of a library with pages: %s, %d unread", names, countUnread(lib))
	}
}

func TestStaleAnswersAreDropped(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	before := d.screen()
	for _, msg := range []tea.Msg{
		feedsMsg{gen: 9999},
		adding.ImportedMsg{Gen: 9999},
		fetching.ProgressMsg{Gen: 9999, Progress: reader.Progress{Done: 1, Total: 2}}, fetching.FetchedMsg{Gen: 9999},
		feedsMsg{gen: 0, err: errors.New("late")},
	} {
		d.m.Update(msg)
		if d.screen() != before {
			t.Errorf("%T of another generation changed the screen:\n%s", msg, d.screen())
		}
	}
}

func TestPasteIsNeverKeys(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.send(tea.PasteMsg{Content: "AAmmqQ\nZZ"})
	if d.quit || countUnread(lib) != 9 {
		t.Fatal("a paste was read as keys")
	}
	d.says("/AAmmqQ ZZ")
	d.press("esc")
	d.send(tea.PasteMsg{Content: "https://harbour.example/a?b=c"})
	d.shows("> https://harbour.example/a?b=c")
	d.press("esc")
	d.send(tea.PasteMsg{Content: "\x1b[31mred\x07"})
	if strings.ContainsAny(d.screen(), "\x1b\x07") {
		t.Fatal("a control character of a paste reached the screen")
	}
}

func TestLeaving(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"Q"}, {"Z", "Z"}, {":", "q", "enter"}, {"enter", "Q"}, {"2", "enter", "q", "q", "q"}, {"ctrl+c", "ctrl+c"}} {
		d := newDesk(t, newFake(), 80, 24)
		d.press(keys...)
		if !d.quit {
			t.Errorf("%v does not leave", keys)
		}
	}
	d := newDesk(t, newFake(), 80, 24)
	d.press("h", "left", "esc", "esc", "Z", "j", "ctrl+c")
	if d.quit {
		t.Error("h, Left, Esc, Z and one ^c leave")
	}
}

func TestSittingsResume(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j", "j", "j", "/")
	d.typeIn("tide")
	d.press("esc", "Q")
	d = newDesk(t, lib, 80, 24)
	d.run(d.m.notes.Recall(greeting.PlaceName))
	d.shows(">•   08:47")
	d.press("enter", "Q")
	d = newDesk(t, lib, 80, 24)
	d.run(d.m.notes.Recall(greeting.PlaceName))
	d.shows("三月の潮と港の工事について", "space on")
	d.press("q", "2", "Q")
	d = newDesk(t, lib, 80, 24)
	d.run(d.m.notes.Recall(greeting.PlaceName))
	d.shows("[2Feeds]")
}

func TestLooksAreNoted(t *testing.T) {
	lib := newFake()
	now := noon
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.clock = func() time.Time { return now } })
	d.press("j", "j")
	now = now.Add(9 * time.Minute)
	d.press("j")
	now = now.Add(11 * time.Minute)
	d.press("j")
	if lib.looks != 2 {
		t.Fatalf("%d looks noted, want 2", lib.looks)
	}
}

// TestOnceTooOften: a q that follows one that went back to the top does not leave
// yet; any other key between the two does what it always did.
func TestOnceTooOften(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("enter", "q", "q")
	if d.quit {
		t.Fatal("the second of two q left")
	}
	d.says("This is the top. q again quits.")
	d.press("q")
	if !d.quit {
		t.Error("the third one does not leave")
	}
	d = newDesk(t, newFake(), 80, 24)
	d.press("enter", "q", "j", "q")
	if !d.quit {
		t.Error("q after another key does not leave")
	}
}

// TestTagAsKept: a row shows a tag as the library keeps it, and the box says so
// before Enter.
func TestTagAsKept(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("t")
	d.typeIn("lang tools")
	d.shows("Enter adds #lang-tools; a tag is one word of at most 64 bytes")
	d.press("enter")
	if tags := d.m.river.Row().Tags; len(tags) != 1 || tags[0] != "lang-tools" {
		t.Errorf("the row has %q", tags)
	}
	d.press("t")
	d.typeIn(strings.Repeat("long", 40))
	d.press("enter")
	if tags := d.m.river.Row().Tags; len(tags) != 2 || len(tags[1]) > 64 {
		t.Errorf("the row has %q", tags)
	}
}

// TestNarrowedByMuch: what was pasted into & leaves room for the way out.
func TestNarrowedByMuch(t *testing.T) {
	for _, w := range []int{40, 80, 200} {
		d := newDesk(t, newFake(), w, 24)
		d.press("&")
		d.send(tea.PasteMsg{Content: strings.Repeat("tide ", 4000)})
		d.press("enter")
		if w > 80 {
			d.shows("Esc shows all")
		}
		d.press("esc")
		d.shows("Ferry 3")
		d.press("&")
		d.send(tea.PasteMsg{Content: strings.Repeat("zebra ", 4000)})
		d.press("enter")
		if said := strings.Join(strings.Fields(d.screen()), " "); w < 200 && !strings.Contains(said, "Esc shows all 9.") {
			t.Errorf("%d columns: no way out:\n%s", w, d.screen())
		}
	}
}
