package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/greeting"
	"diurna/ui/view"
)

// again starts the screen once more over the same library, after leaving this one.
func (d *desk) again() *desk {
	d.t.Helper()
	d.press("Q")
	next := newDesk(d.t, d.lib, d.m.Scene.W, d.m.Scene.H)
	next.run(next.m.notes.Recall(greeting.PlaceName))
	next.m.View()
	return next
}

// begins reports whether the first rows have these titles, each as it begins.
func (d *desk) begins(titles ...string) {
	d.t.Helper()
	got := d.order()
	for i, want := range titles {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			d.t.Fatalf("row %d is not %q: %q", i+1, want, got)
		}
	}
}

func backward(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// TestSorting: = and a letter in River, with the groups of the order, which { and }
// go through.
func TestSorting(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	newest := d.order()
	d.press("=")
	d.says("=: n newest  o oldest  t title  f feed  r ranked  = reversed  Esc leaves")
	d.press("esc")
	d.lacks("Esc leaves")
	d.press("=", "x")
	d.says("x does nothing after =; the order stays.")
	if !slices.Equal(d.order(), newest) {
		t.Error("Esc or a key without a meaning sorts")
	}
	d.press("=", "t")
	d.begins("Ferry 3", "Issue 212", "Notes on", "Patches", "Small boats", "The new block", "Two comets", "三月", "")
	d.shows("[1River]", "· by title", "── F ──", "── I ──", "── no title ──")
	d.press("}")
	d.shows(">•   Thu    Small Databases   Issue 212")
	d.press("}", "}", "{")
	d.shows(">•   2Jan   Bread and Salt    Notes on")
	d.press("=", "f")
	d.begins("Two comets", "Notes on", "Ferry 3", "Small boats", "The new block")
	d.shows("· by feed", "── Bread and Salt ──", "── Harbour Gazette ──")
	d.press("g", "}", "}")
	d.shows(">•   10:31  Kernel Notes")
	byFeed := d.order()
	d.press("=", "=", "f")
	if d.shows("· by feed, reversed", "── Tide Tables ──"); !slices.Equal(backward(d.order()), byFeed) {
		t.Errorf("reversed it is %q", d.order())
	}
	d.press("=", "=", "t")
	d.begins("", "三月", "Two comets", "The new block", "Small boats")
	d.shows("· by title, reversed", "── no title ──")
	d.press("=", "=", "x")
	d.says("x does nothing after =; the order stays.")
	d.press("=", "o")
	d.begins("Notes on", "", "Issue 212", "Patches")
	d.shows("· oldest first", "── Thu 19 Nov ──", ">•   10:31  Kernel Notes")
	d.press("g", "}")
	d.shows(">•   07:02  Tide Tables")
	d.press("=", "n")
	if !slices.Equal(d.order(), newest) {
		t.Errorf("newest first again: %q", d.order())
	}
	d.lacks("oldest first")
	d.press("G", "}")
	d.says("No day below in River.")
	d.press("g", "{")
	d.says("No day above in River.")
}

// TestRankedIsAnOrder: = r and S are the same, and S leads back.
func TestRankedIsAnOrder(t *testing.T) {
	d := newDesk(t, wellRead(), 80, 24)
	d.press("=", "t")
	byTitle := d.order()
	d.press("=", "r")
	d.shows("· ranked")
	ranked := d.order()
	d.press("}")
	d.says("{ and } go from group to group; rows in this order have none.")
	d.press("j", "S")
	d.shows("· by title")
	if !slices.Equal(d.order(), byTitle) {
		t.Errorf("S led back to %q", d.order())
	}
	if d.press("S"); !slices.Equal(d.order(), ranked) {
		t.Errorf("S leads to %q", d.order())
	}
}

// TestOrderIsKept: each view has its own, across views and sessions; Ranked is
// always ranked.
func TestOrderIsKept(t *testing.T) {
	d := newDesk(t, wellRead(), 80, 24)
	d.press("=", "t", "4", "=", "o", "1")
	d.shows("[1River]", "· by title")
	d.press("4")
	d.shows("[4Saved]", "· oldest first")
	d.press("3", "=", "o")
	d.shows("[3Ranked]", "· oldest first")
	d.press("1", "3")
	d.lacks("oldest first")
	d.press("2", "j", "j", "enter", "=", "t", "1")
	d = d.again()
	d.shows("[1River]", "· by title", "── F ──")
	d.begins("Ferry 3", "Issue 212")
	d.press("2", "j", "j", "enter")
	d.shows("· Kernel Notes, by title")
	d.press("1", "=", "n")
	d = d.again()
	d.lacks("by title", "── F ──")
	d.press("4")
	d.shows("· oldest first")
}

// TestKeysBeforeTheKeptOrder: what was kept arrives after a key: nothing moves under
// the reader's eyes, and it holds from the next entering on.
func TestKeysBeforeTheKeptOrder(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("=", "t", "Q")
	d = newDesk(t, lib, 80, 24)
	d.press("j")
	before := d.order()
	d.run(d.m.notes.Recall(greeting.PlaceName))
	if !slices.Equal(d.order(), before) {
		t.Errorf("the order changed after a key: %q", d.order())
	}
	d.press("=", "o")
	d.shows("· oldest first")
	d.press("4", "1")
	d.shows("· oldest first")
	d.press("Q")
	d = newDesk(t, lib, 80, 24)
	d.press("j")
	d.run(d.m.notes.Recall(greeting.PlaceName))
	d.press("4", "1")
	d.shows("· oldest first")
}

// TestHidingRead: . shows what is read in River and hides it in Saved and feeds; what
// was read just now stays until the list is entered again.
func TestHidingRead(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	n := len(d.order())
	d.press("j", ".")
	d.shows("[1River]", "· with read", "Why our compiler got slower", ">•   10:12")
	if got := len(d.order()); got != len(lib.rows) {
		t.Errorf("%d rows of %d", got, len(lib.rows))
	}
	d.press("m", ".")
	d.lacks("with read", "Why our compiler", "Ferry 3")
	if got := len(d.order()); got != n-1 {
		t.Errorf("%d rows, want %d", got, n-1)
	}
	d.shows(">•s  09:02") // the next one that is unread
	d.press("g", "m")
	d.send(view.ChangedMsg{})
	d.shows(">    10:31") // read just now
	d.press("2", "1")
	d.lacks("10:31")

	d = newDesk(t, newFake(), 80, 24)
	d.press("2", "j", "j", "j", "enter")
	d.shows("· Small Databases ", "Why our compiler got slower")
	d.press(".")
	d.shows("· Small Databases, unread", "Issue 212")
	d.lacks("Why our compiler")
	d.press("m")
	d.shows("Issue 212")
	d.press("q", "enter")
	d.shows("Nothing is unread in Small Databases. Press . to show what is read.")
	d = d.again()
	d.press("2", "j", "j", "enter")
	d.shows("· Kernel Notes, unread")
	d.press(".")
	d.shows("· Kernel Notes ")
	d.lacks("Kernel Notes, unread")
}

// TestHidingIsKept: River with what is read, across sessions; a list that ] leads to
// always begins with what is unread.
func TestHidingIsKept(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press(".")
	d = d.again()
	d.shows("· with read", "Why our compiler got slower")
	d.press("j", "j", "j")
	d.send(view.ChangedMsg{})
	d.shows("· with read", "Why our compiler got slower")
	d.press("&")
	d.typeIn("read")
	d.press("enter")
	if got := d.order(); len(got) != 1 || !strings.HasPrefix(got[0], "Why our") {
		t.Errorf("narrowed to what is read: %q", got)
	}
	d.press("esc", "]", "]")
	d.shows("· Small Databases, unread")
	d.press(".")
	d.shows("· Small Databases", "Why our compiler")
	d.lacks("Small Databases, unread")
	d.press("q", "]", "]")
	d.shows("· Small Databases, unread")
	d.lacks("Why our compiler")
}

// TestAnswersToTheOtherQuestion: rows that were asked for before . was pressed are
// not taken for an answer to it.
func TestAnswersToTheOtherQuestion(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("j")
	_, old := d.m.Update(view.ChangedMsg{})
	held := d.hold(".")
	d.run(old)
	d.run(held)
	d.shows("· with read", "Why our compiler got slower")
	if d.m.river.Fact() != "" {
		t.Errorf("rows wait: %s", d.m.river.Fact())
	}
}

// TestMixedSelection: a selection with any unread row becomes read, all of it; only
// one that is read becomes unread.
func TestMixedSelection(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("j", "m", "g", "v", "v", "m")
	d.says("Marked 2 read in River. u undoes.")
	for _, id := range []reader.ItemID{item(1, 9), item(3, 8)} {
		if unread(lib.row(id)) {
			t.Errorf("%v is unread", id)
		}
	}
	d.press("g", "v", "v", "m")
	d.says("Marked 2 unread in River. u undoes.")
}

// BenchmarkSort is what a key waits for in a list of 50,000: the key itself, the
// order that comes, and a key that goes back to an order that was made. What is made
// beside the event loop is not in it.
func BenchmarkSort(b *testing.B) {
	for _, letter := range []string{"t", "f", "o"} {
		d := newDesk(b, bigFake(50_000), 80, 24)
		d.press("j", "j")
		var asked, shown, back time.Duration
		timed := func(sum *time.Duration, msg tea.Msg) (cmd tea.Cmd) {
			from := time.Now()
			_, cmd = d.m.Update(msg)
			d.m.View()
			*sum += time.Since(from)
			return cmd
		}
		b.Run(letter, func(b *testing.B) {
			for range b.N {
				d.press("=")
				cmd := timed(&asked, keyMsg(letter))
				for _, msg := range each(cmd) {
					d.run(timed(&shown, msg))
				}
				d.press("=")
				d.run(timed(&back, keyMsg("n")))
				d.press("g")
			}
			for name, sum := range map[string]time.Duration{"asked": asked, "shown": shown, "back": back} {
				b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), name+"-ms")
			}
		})
	}
}

// each carries out a command and gives what it brings.
func each(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range msg {
			all = append(all, each(c)...)
		}
		return all
	default:
		return []tea.Msg{msg}
	}
}

// feedRows are the rows of Feeds as they stand, without their numbers.
func (d *desk) feedRows() (rows []string) {
	lines := strings.Split(d.screen(), "\n")
	for _, line := range lines[2 : len(lines)-1] {
		if cells := []rune(line); strings.TrimSpace(line) != "" {
			rows = append(rows, strings.TrimSpace(string(cells[4:35])))
		}
	}
	return rows
}

func (d *desk) standsAs(want ...string) {
	d.t.Helper()
	if got := d.feedRows(); !slices.Equal(got, want) {
		d.t.Fatalf("Feeds has\n%q, want\n%q", got, want)
	}
}

// TestSortingFeeds: by name, unread and last post, in each folder and folders too;
// kept.
func TestSortingFeeds(t *testing.T) {
	lib := newFake()
	lib.feeds[0].Title = "Allocators" // no titles as wide as two cells here
	lib.feeds[3].Title = "Nets"
	d := newDesk(t, lib, 80, 24)
	d.press("2")
	byName := []string{"All feeds", "- kernel (2)", "Allocators", "Small Databases", "- sea (3)", "Harbour Gazette", "Nets", "Tide Tables", "Bread and Salt"}
	d.standsAs(byName...)
	d.press("=")
	d.says("=: n name  u unread  l last post  o opened  = reversed  Esc leaves")
	d.press("u")
	d.shows("[2Feeds]", "· by unread")
	d.standsAs("All feeds", "- sea (3)", "Harbour Gazette", "Nets", "Tide Tables", "- kernel (2)", "Allocators", "Small Databases", "Bread and Salt")
	d.press("=", "l")
	d.shows("· by last post")
	d.standsAs("All feeds", "- kernel (2)", "Allocators", "Small Databases", "- sea (3)", "Harbour Gazette", "Nets", "Tide Tables", "Bread and Salt")
	d.press("g", "}", "}")
	d.shows(">•! - sea (3)")
	d.press("=", "u")
	d.shows(">•! - sea (3)") // what was chosen is chosen
	d = d.again()
	d.shows("[2Feeds]", "· by unread")
	d.press("=", "=", "n")
	d = d.again()
	d.lacks("by unread")
	d.shows("[2Feeds]", "· reversed")
	d.standsAs("All feeds", "Bread and Salt", "- sea (3)", "Tide Tables", "Nets", "Harbour Gazette", "- kernel (2)", "Small Databases", "Allocators")
	d.press("=", "n")
	d = d.again()
	d.lacks("reversed")
	d.standsAs(byName...)
}

// TestHidingFeeds: . leaves out feeds without anything unread, but those in trouble;
// one that was read here stays until Feeds is entered again.
func TestHidingFeeds(t *testing.T) {
	lib := newFake()
	lib.feeds[3].Title = "Nets"
	d := newDesk(t, lib, 80, 24)
	d.press("2", "j", "A") // all of kernel
	d.press("G", "k", "A") // all of Tide Tables, which is in trouble
	d.press(".")
	d.shows("[2Feeds]", "· unread only")
	d.standsAs("All feeds", "- sea (3)", "Harbour Gazette", "Nets", "Tide Tables", "Bread and Salt")
	d.press("G", "A")
	d.send(view.ChangedMsg{})
	d.shows("Bread and Salt")
	d.press("g", "j")
	d.says("sea · 3 feeds, 3 unread")
	d.press("1", "2")
	d.standsAs("All feeds", "- sea (3)", "Harbour Gazette", "Nets", "Tide Tables")
	d.press("&")
	d.typeIn("read")
	d.press("enter")
	d.standsAs("Matching feeds", "- kernel (2)", "Kernel Notes", "Small Databases", "- sea (1)", "Tide Tables", "Bread and Salt")
	d.press("esc")
	d = d.again()
	d.shows("· unread only")
	d.lacks("Kernel Notes")
	d.press(".")
	d.shows("Kernel Notes")
	d.lacks("unread only")
}

// TestFeedsByTag: a feed stands under each of its tags and counts once in the whole.
func TestFeedsByTag(t *testing.T) {
	lib := newFake()
	lib.feeds[0].Tags = []string{"storage", "code"}
	lib.feeds[1].Tags = []string{"storage"}
	lib.feeds[3].Title = "Nets"
	lib.feeds[3].Tags = []string{"a/b", "a"}
	d := newDesk(t, lib, 80, 24)
	d.press("2", "#")
	d.shows("[2Feeds]", "· by tag")
	d.standsAs("All feeds", "- #a (1)", "Nets", "- #a/b (1)", "Nets", "- #code (1)", "Kernel Notes",
		"- #storage (2)", "Kernel Notes", "Small Databases", "- untagged (3)", "Harbour Gazette", "Tide Tables", "Bread and Salt")
	d.says("All feeds · 9 unread")
	d.press("}", "h")
	d.standsAs("All feeds", "+ #a (1)", "- #a/b (1)", "Nets", "- #code (1)", "Kernel Notes",
		"- #storage (2)", "Kernel Notes", "Small Databases", "- untagged (3)", "Harbour Gazette", "Tide Tables", "Bread and Salt")
	d.press("}", "}", "}")
	d.says("#storage · 2 feeds, 3 unread")
	d.press("j", "v", "y")
	if len(d.sent) != 1 || strings.Count(d.sent[0], "example1.org") != 1 {
		t.Errorf("copied %q", d.sent)
	}
	d.send(view.ChangedMsg{})
	d.press("k")
	d.says("Kernel Notes · 2 unread of 2 items")
	d.press("k", "enter")
	d.shows("· #storage", "Why our compiler", "Patches worth")
	d.lacks("Ferry 3")
	d.press("q", "A")
	d.says("Marked 3 read in #storage. u undoes.")
	d.press("g")
	d.says("All feeds · 6 unread")
	d = d.again()
	d.shows("· by tag", "+ #a (1)")
	d.press("G", "M", "a") // Bread and Salt
	d.says("Marked 2 read in Bread and Salt.")
	d.press("#")
	d.shows("- kernel (2)")
	d.lacks("by tag", "#storage")
}

// TestNarrowedByTag: a narrowed tree by tag shows what fits alone.
func TestNarrowedByTag(t *testing.T) {
	lib := newFake()
	lib.feeds[0].Tags = []string{"storage", "code"}
	d := newDesk(t, lib, 80, 24)
	d.press("2", "#", "&")
	d.typeIn("#code")
	d.press("enter")
	d.standsAs("Matching feeds", "- #code (1)", "Kernel Notes", "- #storage (1)", "Kernel Notes")
	d.says("& #code: 1 of 6 feeds")
	d.press("g")
	d.shows("Matching feeds · 2 unread")
}

// BenchmarkSortFeeds is a key that arranges a tree of 5,000 feeds.
func BenchmarkSortFeeds(b *testing.B) {
	lib := bigFake(1)
	for i := range 4700 {
		f := lib.feeds[i%300]
		f.Key = reader.FeedID(i + 1000)
		f.Tags = []string{fmt.Sprint("tag ", i%40), fmt.Sprint("tag ", i%7)}
		f.Unread = i % 50
		lib.feeds = append(lib.feeds, f)
	}
	d := newDesk(b, lib, 80, 24)
	d.press("2")
	for _, keys := range [][]string{{"=", "u"}, {"=", "n"}, {"."}, {"#"}} {
		b.Run(keys[len(keys)-1], func(b *testing.B) {
			for range b.N {
				for _, key := range keys {
					d.m.Update(keyMsg(key))
				}
				d.m.View()
			}
		})
	}
}
