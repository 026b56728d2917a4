package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"diurna/reader"
	"diurna/ui/cells"
	"diurna/ui/diff"
	"diurna/ui/term"
	"diurna/ui/term/termtest"
)

// toPier leads from River to the change of the pier's page.
var toPier = []string{"j", "j", "enter"}

func keysOn(first []string, more ...string) []string {
	return append(append([]string{}, first...), more...)
}

// TestDiffScreens are the pictures of the diff in every size, and in colour.
func TestDiffScreens(t *testing.T) {
	shots := []struct {
		name string
		keys []string
	}{
		{"diff", toPier}, {"diff-terms", keysOn(toPier, "n", "w")}, {"diff-unfolded", keysOn(toPier, "k", "enter", "j")},
		{"diff-side", keysOn(toPier, "c", "n", "n", "n")}, {"diff-end", keysOn(toPier, "G")}, {"diff-ignore", keysOn(toPier, "G", "N", "N", "i")},
		{"diff-ignored", keysOn(toPier, "G", "N", "N", "i", "G")}, {"diff-older", keysOn(toPier, "[")}, {"diff-text", keysOn(toPier, "x")},
		{"diff-find", keysOn(toPier, "/", "w", "i", "n", "t", "e", "r", "enter")}, {"diff-item", []string{"j", "j", "j", "j", "j", "enter", "d"}},
		{"help-diff", keysOn(toPier, "?")}, {"article-edited", []string{"j", "j", "j", "j", "j", "enter"}},
	}
	for _, size := range append(sizes, [2]int{200, 60}) {
		for _, s := range shots {
			if size[0] == 200 && s.name != "diff-side" && s.name != "diff" {
				continue
			}
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, withPages(newFake()), size[0], size[1])
				d.press(s.keys...)
				compare(t, d, size[0], size[1])
			})
		}
	}
	for _, name := range []string{"16", "dark", "light", "mono"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("diff-%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, withPages(newFake()), size[0], size[1], func(o *Options) { o.Config.Theme = name })
				d.m.Scene.Th = d.m.look.theme()
				d.press(toPier...)
				golden.RequireEqual(t, d.screen())
			})
		}
	}
}

// diff is the topmost diff on the screen.
func (d *desk) diff() *diff.View {
	d.t.Helper()
	l, ok := d.m.Top().(*diff.View)
	if !ok {
		d.t.Fatalf("no diff is shown:\n%s", d.screen())
	}
	return l
}

// TestDiffJourney goes through a change as its reader does.
func TestDiffJourney(t *testing.T) {
	lib := withPages(newFake())
	d := newDesk(t, lib, 80, 24)
	d.press(toPier...)
	d.shows("3 of 3", "score", ">~ 07:10", "[-daily-] {+Mon to Fri+}", "── Timetable > Weekdays", "moved here from Timetable > Weekdays:", "… 38 unchanged")
	if lib.row(item(31, 2)).Flags&reader.FlagRead == 0 {
		t.Error("opening does not mark read")
	}
	d.press("n")
	d.shows(">~ 08:40")
	d.press("N")
	d.shows(">~ 07:10", "n N change") // nothing is said where there was one to go to
	d.press("N")
	d.says("This is the first change.")
	d.press("}")
	d.shows(">  … 1 unchanged")
	d.press("n")
	d.shows(">m moved here")
	d.press("{", "{")
	lines := strings.Split(d.screen(), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, ">") })
	if at < 1 || !strings.HasPrefix(lines[at-1], "── Timetable > Weekdays ") {
		t.Errorf("{ leads to\n%s", d.screen())
	}
	d.press("enter")
	d.shows(">  early boat i goes as before")
	d.press("n")
	d.shows(">~ 07:10")
	d.press("k", "enter")
	d.shows(">  … 38 unchanged")
	d.press("[")
	d.shows("2 of 3", "[-7.50 €-]")
	d.press("[")
	d.says("No older revision is kept.")
	d.press("]", "]")
	d.says("This is the newest revision.")
	d.press("c")
	d.says("Side by side needs 120 columns; this screen has 80.")
	d.press("y")
	if len(d.sent) != 1 || !strings.Contains(d.sent[0], "https://pier.example/timetable") {
		t.Errorf("y copied %q", d.sent)
	}
	d.press("x")
	d.shows("Pier timetable", "## Weekdays")
	d.press("G")
	d.shows("Winter timetable from 16 November")
	d.press("q", "/")
	d.typeIn("swell")
	d.says("/swell")
	d.press("enter")
	d.shows(">+ {+Winter")
	d.says("/swell: 1 of 1")
	d.press("esc", "s")
	if lib.row(item(31, 2)).Flags&reader.FlagSaved == 0 {
		t.Error("s does not save the change")
	}
	d.press("u")
	if lib.row(item(31, 2)).Flags&reader.FlagSaved != 0 {
		t.Error("u does not take it back")
	}
	d.press("u")
	d.says("Nothing was changed here, and there is no earlier step to undo.")
	d.press("J")
	d.shows("Small boats, big radios")
	d.press("K", "q")
	d.shows("[1River]")
}

// TestIgnoreFromTheDiff: i ignores at once and says what that hides, the diff on
// the screen follows, and one u takes it back.
func TestIgnoreFromTheDiff(t *testing.T) {
	lib := withPages(newFake())
	d := newDesk(t, lib, 120, 30)
	d.press(toPier...)
	for d.diff().Chosen() == nil || !strings.Contains(d.diff().Chosen().New(), "served") {
		d.press("n")
	}
	d.press("i")
	d.says(`Ignored on this page from now on: "page served in 0.35 s". u undoes. In the last 3 revisions it hides 0 of 2 reported changes.`)
	if len(lib.pageOf(31).IgnoreBlocks) != 1 {
		t.Fatal("it was not done at once")
	}
	d.lacks("(counters and the like)")
	d.press("G")
	d.shows(`ignored here: "page served in 0.35 s" (as set)`, "i in Pages lists them and reports them again")
	d.press("u")
	d.shows(`ignored here: "page served in 0.35 s" (counters and the like)`)
	d.lacks("(as set)")
	d.press("G", "enter")
	d.shows(">~ page served in [-0.31-] {+0.35+} s")
	d.press("enter")
	d.lacks("[-0.31-]")
	d.press("g", "i")
	d.says("i ignores the chosen change; n goes to the next one.")
	lib.fail = reader.ErrFull
	d.press("n", "i")
	d.says("The disk is full.")
	d.shows("[-daily-]")
}

// TestEditedItem: the head of an article that its publisher changed names d,
// and d shows the edits.
func TestEditedItem(t *testing.T) {
	d := newDesk(t, withPages(newFake()), 80, 24)
	d.press("j", "j", "j", "j", "j", "enter")
	d.shows("edited 2 times, d shows what")
	d.press("d")
	d.shows("edit 2 of 2", "{+after dusk+}", "+ {+The second is faint.+}")
	d.lacks("i ignore")
	d.press("[")
	d.shows("edit 1 of 2", "[-One comet-] {+Two comets+}")
	d.press("[")
	d.says("There is no older edit.")
	d.press("i")
	d.says("i ignores blocks of watched pages; this is an item of a feed.")
	d.press("q", "q", "d")
	d.shows("edit 2 of 2")
	d.press("q", "k", "d")
	d.says("No earlier version of this item is stored.")
	d.shows("[1River]")
}

// bigDiff is a fake whose page has n blocks, every tenth of them changed.
func bigDiff(n int) *fake {
	f := withPages(newFake())
	var old, now strings.Builder
	for i := range n {
		if i%50 == 0 {
			fmt.Fprintf(&old, "<h2>Part %d</h2>", i/50)
			fmt.Fprintf(&now, "<h2>Part %d</h2>", i/50)
		}
		line := fmt.Sprintf("<p>Block %d says how %d boats went out and 港に戻った船は %d 隻でした, and that none of them was late on that day.</p>\n", i, i*7, i*3)
		old.WriteString(line)
		now.WriteString(strings.Replace(line, "late", "early", 1))
	}
	f.pages.revs[31] = []string{old.String(), old.String(), now.String()}
	return f
}

// TestBigDiffStaysQuick: a key lays out the rows of a screen, not those of
// the page.
func TestBigDiffStaysQuick(t *testing.T) {
	d := newDesk(t, bigDiff(5_000), 80, 24)
	d.press(toPier...)
	l := d.diff()
	if n := l.Changes(); n != 5_000 {
		t.Fatalf("%d changes", n)
	}
	for _, key := range []string{"j", "space", "n", "}", "G", "k", "g", "w", "ctrl+d", "c"} {
		was := l.Laid()
		d.press(key)
		if n := l.Laid() - was; n > 3*24 {
			t.Errorf("%s laid out %d rows", key, n)
		}
	}
	per := time.Hour
	for range 5 { // neighbours of the test are no cost of the diff's
		start := time.Now()
		for range 40 {
			d.press("j")
		}
		per = min(per, time.Since(start)/40)
	}
	if per > 20*time.Millisecond {
		t.Errorf("%v a key", per)
	} else {
		t.Logf("%v a key", per)
	}
}

// TestBytesPerKeyInADiff is the byte meter on a real Program that shows a diff.
func TestBytesPerKeyInADiff(t *testing.T) {
	const most = 400
	g := termtest.NewTerminal(t, 80, 24)
	lib := bigDiff(500)
	snapshot, err := lib.Snapshot(context.Background(), firstRows)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(context.Background(), partsOf(lib), Options{clock: func() time.Time { return noon }, Environ: []string{}, Idle: true}, snapshot)
	t.Cleanup(m.eff.stop)
	p, done := g.Run(m, term.Paced()...)
	g.Await(t, 0, "Harbour")
	g.Quiet(100 * time.Millisecond)
	g.Master.WriteString("jj\r")
	g.Await(t, 0, "Block 0")
	n := g.Settled(t, p)
	worst, sum := 0, 0
	for range 60 {
		p.Send(keyMsg("j"))
		end := g.Settled(t, p)
		worst, sum = max(worst, end-n), sum+end-n
		n = end
	}
	if worst > most {
		t.Errorf("a key wrote %d bytes", worst)
	}
	t.Logf("%d bytes a key, at most %d", sum/60, worst)
	g.Master.WriteString("Q")
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestDiffIsSafe: whatever stands on a page, nothing of it reaches the
// terminal as a control, every line has its cells, and no text is lost.
func TestDiffIsSafe(t *testing.T) {
	word := rapid.SampledFrom([]string{"boat", "9.50 €", "港の便り", "שלום", "\u202eevil\u2066", "\x1b[2J", "&#27;]0;x&#7;", "e\u0301\u0301", "👩\u200d🚀", "a\u00adb",
		strings.Repeat("x", 90), "  ", "&lt;b&gt;", "[-no-]", "\x00", "नमस्ते", "한국어"})
	rapid.Check(t, func(rt *rapid.T) {
		para := rapid.Custom(func(rt *rapid.T) string {
			return "<p>" + strings.Join(rapid.SliceOfN(word, 1, 30).Draw(rt, "words"), " ") + "</p>"
		})
		head := "<h2>" + word.Draw(rt, "head") + "</h2>"
		old := head + strings.Join(rapid.SliceOfN(para, 0, 6).Draw(rt, "old"), "\n")
		now := head + strings.Join(rapid.SliceOfN(para, 0, 6).Draw(rt, "new"), "\n")
		lib := withPages(newFake())
		lib.pages.revs[31] = []string{old, old, now}
		lib.pages.list[0].Title = word.Draw(rt, "title")
		w, h := rapid.IntRange(40, 130).Draw(rt, "w"), rapid.IntRange(8, 40).Draw(rt, "h")
		d := newDesk(t, lib, w, h)
		d.press(toPier...)
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"j", "k", "space", "b", "n", "N", "}", "{", "enter", "w", "c", "g", "G", "i", "x", "q", "[", "]", "?", "ctrl+d", "u"}), 0, 12).Draw(rt, "keys") {
			d.press(key)
			screen := d.screen()
			if i := strings.IndexFunc(screen, func(r rune) bool {
				return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
			}); i >= 0 {
				rt.Fatalf("%q is on the screen", screen[i:])
			}
			lines := strings.Split(screen, "\n")
			if len(lines) != h {
				rt.Fatalf("%d lines of %d", len(lines), h)
			}
			for _, l := range lines {
				if cells.Width(l) != w {
					rt.Fatalf("%d cells of %d: %q", cells.Width(l), w, l)
				}
			}
			if d.quit || len(d.m.Over) == 0 {
				return
			}
		}
	})
}

// TestLongEqualParts: of a long block only what is near a change is shown,
// until Enter unfolds it.
func TestLongEqualParts(t *testing.T) {
	lib := withPages(newFake())
	long := strings.Repeat("Nothing of this has changed since last year. ", 80)
	lib.pages.revs[31] = []string{"", "<p>One. " + long + "MIDDLE " + long + " end was.</p>", "<p>Two. " + long + "MIDDLE " + long + " end is.</p>"}
	d := newDesk(t, lib, 80, 40)
	d.press(toPier...)
	d.shows("[-One-] {+Two+}", "[-was-] {+is+}", "characters) …")
	d.lacks("MIDDLE")
	d.press("enter", "space")
	d.shows("MIDDLE")
	d.press("g", "n", "N", "enter")
	d.lacks("MIDDLE")
}

// TestDiffLinear: the sentences of a change.
func TestDiffLinear(t *testing.T) {
	golden.RequireEqual(t, spoken(t, withPages(newFake()), "j", "j", "enter", "n", "n", "n", "k", "w", "w", "[", "q", "Q"))
}

// BenchmarkDiff is what opening a diff of 5,000 changed blocks costs once it
// is compared, and what a key in it does.
func BenchmarkDiff(b *testing.B) {
	d := newDesk(b, bigDiff(5_000), 80, 24)
	d.press(toPier...)
	l := d.diff()
	with, err := d.lib.Change(b.Context(), 31, 0, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			l.Show(with.Diff, false)
			d.m.View()
		}
	})
	for _, key := range []string{"j", "space", "n", "c", "w"} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				d.press("g", key)
			}
		})
	}
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			l.Matches(&d.m.Scene, "early nowhere")
		}
	})
}
