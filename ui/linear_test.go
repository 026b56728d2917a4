package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"diurna/reader"
	"diurna/ui/greeting"
)

// spoken runs the linear form over lines of input and gives what it said.
func spoken(t *testing.T, lib *fake, lines ...string) string {
	t.Helper()
	var out strings.Builder
	err := Run(t.Context(), partsOf(lib), Options{In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Linear: true,
		Environ: []string{"TERM=dumb"}, clock: func() time.Time { return noon }, wait: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(out.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
		t.Fatalf("the linear form wrote a control character: %q", out.String()[max(0, i-20):i+5])
	}
	return out.String()
}

// TestLinear is the sketch: keys go in a line each, sentences come out.
func TestLinear(t *testing.T) {
	lib := newFake()
	golden.RequireEqual(t, spoken(t, lib, "j", "s", "enter", "2", "q", "2", "!", "w", "q", "1", "/tide", "esc", ":log", "q", "zz", "A", "u", "Q"))
	if countUnread(lib) != 8 || lib.row(item(3, 8)).Flags&reader.FlagSaved == 0 {
		t.Error("the keys did not do what they said")
	}
	if lib.rests != lib.runs {
		t.Error("fetching goes on")
	}
}

// TestLinearWords: the words do what their keys do, next to keys, in any case.
func TestLinearWords(t *testing.T) {
	words, keys := newFake(), newFake()
	said := spoken(t, words, "Open", "back", "next", "save", "j read", "help", "back", "quit", "j")
	want := spoken(t, keys, "enter", "esc", "n", "s", "j m", "?", "esc", "Q", "j")
	if said != want {
		t.Errorf("with words:\n%s\nwith keys:\n%s", said, want)
	}
	if countUnread(words) != countUnread(keys) || countUnread(words) == countUnread(newFake()) || words.row(item(3, 8)).Flags&reader.FlagSaved != keys.row(item(3, 8)).Flags&reader.FlagSaved {
		t.Error("the words did not do what the keys do")
	}
}

// TestLinearTag: a word of the screen that takes a text gets what follows it.
func TestLinearTag(t *testing.T) {
	lib := newFake()
	said := spoken(t, lib, "tag later", "q")
	if !slices.Contains(lib.rows[0].Tags, "later") || !strings.Contains(said, "Tags: later.") {
		t.Errorf("no tag; it said:\n%s", said)
	}
	if strings.Contains(said, "tag:") {
		t.Errorf("it asked:\n%s", said)
	}
}

// TestLinearReadMarksRead: the word read marks read what is unread, and leaves read
// what was opened or marked before; where nothing is chosen it does nothing.
func TestLinearReadMarksRead(t *testing.T) {
	for _, c := range []struct {
		said []string
		left int // unread of 9
	}{
		{[]string{"open", "read"}, 8}, {[]string{"read", "read"}, 8}, {[]string{"read", "open", "READ", "back", "j", "read"}, 7}, {[]string{"help", "read"}, 9},
	} {
		lib := newFake()
		spoken(t, lib, append(c.said, "Q")...)
		if n := countUnread(lib); n != c.left {
			t.Errorf("after %v %d items are unread, want %d", c.said, n, c.left)
		}
	}
}

// TestLinearFromNothing: the empty library is the add box there too, and the
// end of the input leaves.
func TestLinearFromNothing(t *testing.T) {
	lib := emptyFake()
	said := spoken(t, lib, "harbour.example", "", "")
	for _, want := range []string{"address: ", "Two feeds at harbour.example", "Subscribed to Harbour Gazette: 20 items, 2 of them unread.", "End. n next unread"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not said:\n%s", want, said)
		}
	}
	if len(lib.feeds) != 1 {
		t.Error("nothing was subscribed to")
	}
	said = spoken(t, emptyFake(), "no address", "neither", "")
	if strings.Contains(said, "\n\n\n") || strings.Count(said, "Nothing is subscribed yet") > 2 || !strings.Contains(said, "No feed at neither: the page names none") {
		t.Errorf("the box is printed over and over, or with the height of a screen:\n%s", said)
	}
}

// TestLinksAreClickable: OSC 8 around the links of an article where the
// terminal takes it, one id for the pieces of one link, and nothing of what a
// feed says outside a plain address.
func TestLinksAreClickable(t *testing.T) {
	for _, c := range []struct {
		env   []string
		links bool
	}{
		{[]string{"TERM=xterm-256color"}, true}, {[]string{"TERM=screen-256color", "TMUX=/tmp/tmux,1,0"}, true},
		{[]string{"TERM=screen"}, false}, {[]string{"TERM=xterm", "STY=1.pts"}, false}, {[]string{"TERM=dumb"}, false}, {[]string{"TERM=linux"}, false}, {nil, false},
	} {
		lib := newFake()
		lib.bodies[item(1, 9)] = reader.Article{Base: "https://a.example/", HTML: `<p><a href="b">` + strings.Repeat("a long link ", 12) +
			`</a> <a href="javascript:x">no</a> <a href="https://x.example/` + strings.Repeat("y", 400) + `">endless</a> <a href="https://e.example/&#27;]8;;&#7;z">esc</a></p>`}
		d := newDesk(t, lib, 80, 24, func(o *Options) { o.Environ = append([]string{}, c.env...) })
		d.m.Scene.Th = d.m.look.theme()
		d.press("enter")
		s := d.m.View().Content
		if got := strings.Contains(s, "\x1b]8;"); got != c.links {
			t.Errorf("%v: links %v, want %v", c.env, got, c.links)
			continue
		}
		if !c.links {
			continue
		}
		if n := strings.Count(s, "]8;id=1-1;https://a.example/b"); n < 2 {
			t.Errorf("the pieces of a link share %d ids", n)
		}
		for _, bad := range []string{"javascript", strings.Repeat("y", 400) + "\x07", "8;;\x07z"} {
			if strings.Contains(s, "]8;id=1-") && strings.Contains(s, ";"+bad) {
				t.Errorf("%q is clickable", bad)
			}
		}
	}
	d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Environ = []string{"TERM=xterm"}; o.Config.Links = "off" })
	if d.m.look.theme().Links {
		t.Error("the config cannot switch links off")
	}
}

// TestThemes draws the same screens in every theme, escape sequences and all.
func TestThemes(t *testing.T) {
	for _, name := range []string{"16", "dark", "light", "mono"} {
		for _, keys := range [][]string{nil, {"2"}, {"enter"}} {
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%s-%s-%dx%d", name, strings.Join(append([]string{"river"}, keys...), "-"), size[0], size[1]), func(t *testing.T) {
					d := newDesk(t, newFake(), size[0], size[1], func(o *Options) { o.Config.Theme = name })
					d.m.Scene.Th = d.m.look.theme()
					d.press(keys...)
					golden.RequireEqual(t, d.screen())
				})
			}
		}
	}
	d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Environ = []string{"NO_COLOR=1"}; o.Config.Theme = "dark" })
	if !d.m.look.theme().Mono {
		t.Error("NO_COLOR is not heard")
	}
}

// TestScrollIsResumed: list and article come back with the very line that was
// at the top.
func TestScrollIsResumed(t *testing.T) {
	lib := bigFake(600)
	var text strings.Builder
	for i := range 80 {
		fmt.Fprintf(&text, "<p>Paragraph %d goes over more than one line of the screen, so that it can be cut by its top.</p>", i)
	}
	for i := range lib.rows {
		lib.bodies[lib.rows[i].ID] = reader.Article{HTML: text.String()}
	}
	for _, keys := range []string{"ctrl+f ctrl+f ctrl+f k k k", "ctrl+f ctrl+f k k enter space space j", "enter j"} {
		d := newDesk(t, lib, 80, 24)
		d.press(strings.Fields(keys)...)
		was := d.screen()
		d.press("Q")
		d = newDesk(t, lib, 80, 24)
		d.run(d.m.notes.Recall(greeting.PlaceName))
		d.m.last.Done()
		d.m.View()
		// What was read since is gone from River: the article's list may differ.
		if now := d.screen(); now != was && !strings.Contains(keys, "enter") || strings.Contains(keys, "enter") && middle(now) != middle(was) {
			t.Errorf("after %s the screen was\n%s\nand comes back as\n%s", keys, was, now)
		}
	}
}

// middle is a screen without its first and last rows.
func middle(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[1:len(lines)-1], "\n")
}

// TestLinearTellsAPageOnce: moving in the help or in what was done tells the row
// that is chosen then; the page is printed when one comes to it.
func TestLinearTellsAPageOnce(t *testing.T) {
	said := spoken(t, newFake(), "?", "j", "1", "k", "q", "?", "q", "s", "A", "U", "j", "Q")
	if n := strings.Count(said, "Help: River"); n != 2 {
		t.Errorf("the help was printed %d times, want 2:\n%s", n, said)
	}
	if n := strings.Count(said, "What was done"); n != 1 {
		t.Errorf("what was done was printed %d times:\n%s", n, said)
	}
	for _, want := range []string{"\n> >  n N p", "\n> > today 10:49     1 saved"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not printed:\n%s", want, said)
		}
	}
}

// TestLinearOpening: the line about the fetch before the usual look is said once.
func TestLinearOpening(t *testing.T) {
	lib := newFake()
	lib.opening = reader.Opening{Fetched: time.Date(2026, time.November, 20, 6, 36, 0, 0, time.UTC), Look: noon}
	said := spoken(t, lib, "j", "k", "Q")
	line := strings.Index(said, "fetched 07:36, before your usual look")
	if line < 0 || line > strings.Index(said, "? for keys") || strings.Count(said, "before your usual look") != 1 {
		t.Errorf("it was said %d times:\n%s", strings.Count(said, "before your usual look"), said)
	}
}
