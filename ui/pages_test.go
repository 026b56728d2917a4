package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"diurna/reader"
	"diurna/reader/advice"
	"diurna/reader/pagestate"
	"diurna/ui/diff"
	"diurna/ui/greeting"
	"diurna/ui/view"
)

// withTip gives the fake advice about a page.
func withTip(f *fake) *fake {
	f.pages.tips = []reader.Suggestion{{Page: 31, Title: "Pier timetable", Kind: advice.IgnoreBlock, Rule: "page served in # s", From: "0 blocks ignored", To: "1 block ignored",
		Reason: `"page served in # s" changes nearly every time`, Chance: .72}}
	return f
}

// TestPagesScreens are the pictures of Pages.
func TestPagesScreens(t *testing.T) {
	shots := []struct {
		name string
		keys []string
		lib  func() *fake
	}{
		{"pages", []string{"5"}, func() *fake { return withPages(newFake()) }},
		{"pages-advice", []string{"5", "j"}, func() *fake { return withTip(withPages(newFake())) }},
		{"pages-trouble", []string{"5", "!", "w"}, func() *fake { return withPages(newFake()) }},
		{"pages-none", []string{"5"}, newFake},
		{"pages-info", []string{"5", "i"}, func() *fake {
			f := withPages(newFake())
			f.pageOf(31).IgnoreBlocks = []string{"page served in # s"}
			f.pages.learned = []reader.Ignored{{No: 2, Rule: "aboard now: #", Blocks: 1, Text: "Aboard now: 31", Quiet: "learned", Why: "changes by itself", Changed: 3, Of: 4}}
			return f
		}},
		{"help-pages", []string{"5", "?"}, func() *fake { return withPages(newFake()) }},
		{"river-pages", nil, func() *fake { return withPages(newFake()) }},
		{"feeds-pages", []string{"2"}, func() *fake { return withPages(newFake()) }},
	}
	for _, size := range append(sizes, [2]int{60, 12}, [2]int{200, 60}) {
		for _, s := range shots {
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, s.lib(), size[0], size[1])
				d.press(s.keys...)
				compare(t, d, size[0], size[1])
			})
		}
	}
	for _, name := range []string{"16", "dark", "light", "mono"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("pages-%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, withTip(withPages(newFake())), size[0], size[1], func(o *Options) { o.Config.Theme = name })
				d.m.Scene.Th = d.m.look.theme()
				d.press("5")
				golden.RequireEqual(t, d.screen())
			})
		}
	}
}

// TestPlacesAreTakenBack: what was ignored or learned is reported again with Enter in a
// page's settings, and left to what is learned with another.
func TestPlacesAreTakenBack(t *testing.T) {
	lib := withPages(newFake())
	lib.pageOf(31).IgnoreBlocks = []string{"page served in # s"}
	d := newDesk(t, lib, 80, 24)
	d.press("5", "i")
	d.choose("ignored 1")
	d.shows("Enter reports it from now on")
	d.press("enter")
	d.says("Changes of place 1 are reported from now on. u undoes.")
	if pg := lib.pageOf(31); len(pg.IgnoreBlocks) != 0 || len(pg.ReportBlocks) != 1 {
		t.Errorf("ignored %q, reported %q", pg.IgnoreBlocks, pg.ReportBlocks)
	}
	d.shows("reported 1", "you took it back")
	d.press("u")
	d.shows("ignored 1")
	d.press("enter", "enter")
	d.says("Place 1 is left to what is learned again. u undoes.")
	if pg := lib.pageOf(31); len(pg.IgnoreBlocks)+len(pg.ReportBlocks) != 0 {
		t.Errorf("ignored %q, reported %q", pg.IgnoreBlocks, pg.ReportBlocks)
	}
}

// TestPagesJourney: from the table to the diff and back, settings changed in
// place, unwatching taken back.
func TestPagesJourney(t *testing.T) {
	lib := withPages(newFake())
	d := newDesk(t, lib, 80, 24)
	d.press("5")
	d.shows("[5Pages]", ">•~ Pier timetable", "today 09:40", "6.2", "the server asks whether you are a robot since 18 Nov · w", "not fetched yet")
	d.press("n")
	d.says("No page with an unread change in that direction.")
	d.press("enter")
	d.shows("3 of 3", "[-daily-] {+Mon to Fri+}")
	d.press("J")
	d.says("No other changed page in that direction.")
	d.press("q")
	d.shows(">   Pier timetable")
	if lib.row(item(31, 2)).Flags&reader.FlagRead == 0 {
		t.Error("the change is unread though it was looked at")
	}
	d.press("!")
	d.shows("> ! Water levels")
	d.press("w")
	d.shows("Trouble: Water levels", "the server asks whether you are a robot since 18 Nov.", "kept         9 revisions", "D      unwatch")
	d.press("q", "k", "w")
	d.shows("Changed today", "09:40, score 6.2: 2 links, \"price\" x2, 20 words in 3 sections.")
	d.press("j", "enter")
	d.says("Not found.")
	d.press("j", "enter")
	d.says("Council minutes has not changed since you started watching it (1 Nov). x shows it.")
	d.press("x")
	d.says("No revision of this page is stored yet.")
	d.press("k", "k", "x")
	d.shows("Pier timetable", "## Weekdays")
	d.press("q", "D")
	d.says("No longer watched: Pier timetable, 3 revisions. u undoes.")
	d.lacks("6.2")
	d.press("u")
	d.shows(">   Pier timetable")
	d.press("g", "i")
	d.shows("settings of this page", "reported above    a score of 1", "looked at         the whole page", "3 kept")
	d.choose("reported above")
	d.press("enter")
	d.says("reported above: 1")
	d.press("backspace")
	d.typeIn("2.5")
	d.press("enter")
	if lib.pageOf(31).Threshold != 2.5 {
		t.Errorf("the threshold is %v", lib.pageOf(31).Threshold)
	}
	d.shows("a score of 2.5")
	d.press("u")
	d.shows("a score of 1 ")
	lib.pageOf(31).Threshold = 0
	d.press("q", "i")
	d.shows("reported above    a score of 0")
	d.press("q", "r")
	if n := len(lib.fetched); n != 1 || lib.fetched[0].Feeds[0] != 31 {
		t.Errorf("fetched %v", lib.fetched)
	}
	d.press("t")
	d.typeIn("sea")
	d.press("enter")
	d.says("Tags kept. u undoes.")
	d.press("/")
	d.typeIn("council")
	d.press("enter")
	d.shows(">   Council minutes")
	d.press("esc", "v", "y")
	if len(d.sent) == 0 || !strings.Contains(d.sent[len(d.sent)-1], "https://council.example/minutes") {
		t.Errorf("y copied %v", d.sent)
	}
	d.press("2")
	d.lacks("Pier timetable", "Water levels")
}

// TestAdvice: a line with its reason; it is accepted or declined, and either
// can be taken back.
func TestAdvice(t *testing.T) {
	lib := withTip(withPages(newFake()))
	d := newDesk(t, lib, 160, 24)
	d.press("5")
	d.shows(`ignore a block: "page served in # s" changes nearly every time`)
	d.press("-")
	d.says("Declined. It is not offered again this week. u undoes.")
	d.lacks("changes nearly every time")
	d.press("u")
	d.shows("changes nearly every time")
	d.press("j")
	d.run(d.m.Reload()) // a reload leaves the cursor where it is
	d.press("w")
	d.says(`"page served in # s" changes nearly every time. It would help with a chance of 72 %`)
	d.press("enter")
	d.says(`Done: ignore a block: "page served in # s" changes nearly every time. u undoes.`)
	d.press("+")
	d.says("There is no advice about this page.")
}

// TestWatchFromTheBox: an address without a feed is watched with one more
// Enter, one with feeds by w.
func TestWatchFromTheBox(t *testing.T) {
	lib := withPages(newFake())
	lib.pages.watch = func(address string) (reader.Watched, error) {
		if strings.Contains(address, "gone") {
			return reader.Watched{}, errors.New("404 not found")
		}
		pg := reader.Page{Feed: reader.Feed{Key: 40, Title: "Lock gates", URL: address, State: reader.FeedOK}, State: pagestate.Good, Revisions: 1}
		return reader.Watched{Page: pg, Words: 412}, nil
	}
	lib.found["two.example"] = emptyFake().found["harbour.example"]
	lib.noFeed = true
	d := newDesk(t, lib, 80, 24)
	d.press("a")
	d.typeIn("gates.example")
	d.press("enter")
	d.shows("No feed at gates.example: the page names none, and the 4 usual places", "are empty. Enter watches the page itself for changes.")
	d.says("Enter watch the page   Esc back")
	d.press("enter")
	d.says("Watching Lock gates: 412 words. u undoes. i shows the watch settings.")
	d.shows("[5Pages]", ">   Lock gates", "none yet")
	d.press("1", "a")
	d.typeIn("gone.example")
	d.press("enter", "enter")
	d.shows("404 not found.")
	d.lacks("Enter watches")
	d.press("x", "esc", "a")
	d.typeIn("two.example")
	d.press("enter")
	d.shows("w                no feed: watch the page itself for changes")
	d.press("w")
	d.says("Watching Lock gates")
	d.press(":")
	d.typeIn("watch gates.example")
	d.press("enter")
	d.says("Watching Lock gates")
}

// TestNotify: a change that is reported later rings, once; at the start, for what
// is read and when nothing is configured nothing does.
func TestNotify(t *testing.T) {
	lib := withPages(newFake())
	configured := func(o *Options) { o.Config.Bell, o.Config.Toast = true, true }
	d := newDesk(t, lib, 80, 24, configured)
	d.run(d.m.Reload())
	change := func() {
		pg := lib.pageOf(32)
		pg.LastItem, pg.Changed, pg.Unread, pg.Why = pg.LastItem+item(32, 1), noon.Add(time.Duration(pg.LastItem)), 1, "the \x1b]0;level\x07 \u202erose"
		pg.Title = "Water\x1b\\ levels"
	}
	news := func(d *desk) {
		d.m.feedsGen = d.m.Gen()
		d.run(d.m.eff.feeds(d.m.feedsGen))
	}
	news(d)
	if len(d.sent) != 0 {
		t.Fatalf("it rings for what was there: %q", d.sent)
	}
	change()
	news(d)
	news(d)
	if len(d.sent) != 1 || d.sent[0] != "\x1b]9;Water levels: the rose\x1b\\\a" {
		t.Fatalf("sent %q", d.sent)
	}
	quiet := newDesk(t, lib, 80, 24)
	news(quiet)
	change()
	news(quiet)
	if len(quiet.sent) != 0 {
		t.Errorf("it rings without being asked to: %q", quiet.sent)
	}
}

// TestRowOfAPageSaysWhy: the last row of River holds score and reason of a
// page's newest change.
func TestRowOfAPageSaysWhy(t *testing.T) {
	d := newDesk(t, withPages(newFake()), 160, 24)
	d.run(d.m.Reload())
	d.press("j", "j")
	d.says(`unread, changed · Pier timetable · score 6.2: 2 links, "price" x2, 20 words in 3 sections`)
	d.press("w")
	d.says("Pier timetable: last fetch today 09:40. Next: 15:20 (daily).")
}

// TestRowOfPagesIsWhole: what the columns cut (the reason of a change, of trouble)
// stands first in the last row.
func TestRowOfPagesIsWhole(t *testing.T) {
	for _, w := range []int{40, 80, 200} {
		d := newDesk(t, withPages(newFake()), w, 24)
		d.press("5", "k", "j", "k") // no hint
		d.says(`2 links, "price" x2, 20 words in 3 sec`)
		d.press("!")
		d.says("the server asks whether you are a robot since 18 Nov"[:min(w-3, 52)])
	}
}

func TestPagesLinear(t *testing.T) {
	golden.RequireEqual(t, spoken(t, withTip(withPages(newFake())), "5", "j", "-", "j", "w", "g", "enter", "q", "Q"))
}

// TestResumedThere: the next start shows the same diff at the same line, or
// the same row of Pages.
func TestResumedThere(t *testing.T) {
	lib := withPages(newFake())
	for _, keys := range [][]string{keysOn(toPier, "n", "n", "n", "n", "j"), {"5", "enter", "n"}, {"5", "j"}, {"j", "j", "j", "j", "j", "d", "j"}} {
		d := newDesk(t, lib, 80, 24)
		d.press(keys...)
		was := chosenLine(d)
		d.press("Q")
		d = newDesk(t, lib, 80, 24)
		d.run(d.m.notes.Recall(greeting.PlaceName))
		d.m.last.Done()
		d.m.View()
		if now := chosenLine(d); now != was || was == "" {
			t.Errorf("after %v: %q was chosen, now %q\n%s", keys, was, now, d.screen())
		}
		if _, ok := d.m.Top().(*diff.View); ok {
			d.press("q")
		}
		d.press("1")
	}
}

// chosenLine is the line with the pointer.
func chosenLine(d *desk) string {
	for _, l := range strings.Split(d.screen(), "\n") {
		if strings.HasPrefix(l, ">") {
			return l
		}
	}
	return ""
}

// TestPagesInAnySize: the diff and Pages are drawn in exactly their cells, and
// the chosen row stays chosen.
func TestPagesInAnySize(t *testing.T) {
	for _, keys := range [][]string{keysOn(toPier, "n", "n"), keysOn(toPier, "c", "G"), keysOn(toPier, "w"), {"5", "j"}, {"5", "i"}, keysOn(toPier, "n", "i")} {
		d := newDesk(t, withTip(withPages(newFake())), 80, 24)
		d.press(keys...)
		row := 0
		if l, ok := d.m.Top().(*diff.View); ok {
			row = chosenRow(l)
		}
		for _, w := range []int{0, 1, 39, 40, 41, 59, 60, 79, 80, 119, 120, 121, 160, 300} {
			for _, h := range []int{0, 7, 8, 9, 12, 24, 60} {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				exact(t, fmt.Sprint(keys), d.screen(), w, h)
			}
		}
		if l, ok := d.m.Top().(*diff.View); ok && chosenRow(l) != row {
			t.Errorf("%v: row %d is chosen, it was %d", keys, chosenRow(l), row)
		}
	}
}

// TestEveryListOpensTheChange: River, Ranked, Saved and what a find brings
// open the change of a page, not an article.
func TestEveryListOpensTheChange(t *testing.T) {
	for _, view := range []string{"1", "3", "4"} {
		lib := withPages(newFake())
		lib.row(item(31, 2)).Flags |= reader.FlagSaved
		d := newDesk(t, lib, 80, 24)
		d.press(view)
		if d.m.Items().Row().ID != item(31, 2) {
			d.press("/")
			d.typeIn("price")
			d.press("enter", "esc")
		}
		d.shows("~")
		d.press("enter")
		if l, ok := d.m.Top().(*diff.View); !ok || l.Row() == nil || l.Row().ID != item(31, 2) {
			t.Errorf("%s: Enter leads to\n%s", view, d.screen())
		}
	}
	d := newDesk(t, withPages(newFake()), 80, 24)
	d.press("/")
	d.typeIn("price")
	d.press("tab", "enter")
	d.shows("3 of 3", "[-daily-]")
}

// TestFromPageToPage: J and K go on to the pages that changed; A marks the
// changes of one page and of no other.
func TestFromPageToPage(t *testing.T) {
	lib := withPages(newFake())
	lib.pages.revs[33] = []string{"<p>Nothing was decided.</p>", "<p>The second breakwater was decided upon.</p>"}
	pg := lib.pageOf(33)
	pg.State, pg.Changed, pg.LastItem, pg.Score, pg.Revisions = pagestate.Good, noon, item(33, 1), 3.1, 2
	lib.rows = append(lib.rows, reader.Row{ID: item(33, 1), At: noon.Add(-time.Hour).Unix(), Title: "changed: decided", Flags: reader.FlagChanged})
	d := newDesk(t, lib, 80, 24)
	d.press("5", "enter", "J")
	d.shows("Council minutes", "2 of 2", "{+The second breakwater+} was decided")
	d.press("J")
	d.says("No other changed page in that direction.")
	d.press("K")
	d.shows("Pier timetable", "3 of 3")
	d.press("q", "n")
	d.says("No page with an unread change in that direction.")
	for id := range lib.pages.item {
		lib.row(id).Flags &^= reader.FlagRead
	}
	lib.row(item(33, 1)).Flags &^= reader.FlagRead
	d.press("1", "5", "g", "A")
	d.says("Marked 1 read in Pier timetable. u undoes.")
	if lib.row(item(31, 2)).Flags&reader.FlagRead == 0 || lib.row(item(33, 1)).Flags&reader.FlagRead != 0 {
		t.Error("A marked something else")
	}
	d.press("n")
	d.shows(">•~ Council minutes")
	d.press("A", "A")
	d.says("Nothing unread there.")
}

// TestTheFirstFrameOfATextKnowsItsPlace: the last row says how far the text on
// the screen goes, not the one before it was laid out.
func TestTheFirstFrameOfATextKnowsItsPlace(t *testing.T) {
	d := newDesk(t, withPages(newFake()), 40, 12)
	d.press(toPier...)
	_, cmd := d.m.Update(keyMsg("x"))
	d.m.View()
	d.m.Update(cmd()) // the text
	if first := d.screen(); !strings.Contains(first, " 5 %") {
		t.Errorf("the first frame:\n%s", first)
	}
}

// TestADiffIsResumed: the next session shows the revisions, or the edit, that
// the last one left.
func TestADiffIsResumed(t *testing.T) {
	for _, c := range []struct {
		keys []string
		head string
		text string
	}{
		{toPier, "3 of 3", ">~ 07:10"},
		{keysOn(toPier, "["), "2 of 3", "[-7.50 €-]"},
		{[]string{"5", "enter", "[", "]"}, "3 of 3", "[-daily-]"},
		{[]string{"j", "j", "j", "j", "j", "d"}, "edit 2 of 2", "{+after dusk"},
		{[]string{"j", "j", "j", "j", "j", "d", "["}, "edit 1 of 2", "{+Two comets"},
	} {
		lib := withPages(newFake())
		d := newDesk(t, lib, 80, 24)
		d.press(keysOn(c.keys, "Q")...)
		d = newDesk(t, lib, 80, 24)
		d.run(d.m.notes.Recall(greeting.PlaceName))
		d.shows(c.head, c.text)
	}
}

// TestSecondFetchIsSaid: what changes by itself on a new page is said once the
// page was fetched twice.
func TestSecondFetchIsSaid(t *testing.T) {
	lib := withPages(newFake())
	lib.noFeed = true
	lib.pages.second = reader.Second{Outcome: reader.SecondDiffers, Places: 2}
	lib.pages.watch = func(address string) (reader.Watched, error) {
		pg := reader.Page{Feed: reader.Feed{Key: 40, Title: "Lock gates", URL: address, State: reader.FeedOK}, State: pagestate.Good, Revisions: 1}
		return reader.Watched{Page: pg, Words: 412, Second: time.Second}, nil
	}
	d := newDesk(t, lib, 80, 24)
	d.press("a")
	d.typeIn("gates.example")
	d.press("enter", "enter")
	d.says("Lock gates: 2 places differed at a second fetch.")
}

// chosenRow is the row of a diff under the cursor, as it is kept between sessions.
func chosenRow(l *diff.View) int {
	var p view.Place
	l.Keep(&p)
	return p.Para
}
