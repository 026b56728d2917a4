package ui

import (
	"strings"
	"testing"

	"diurna/reader"
	"diurna/ui/view"
)

// TestDeadKeysSaySo: a key without meaning in a view says in the last row which
// views it belongs to, and changes nothing.
func TestDeadKeysSaySo(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"2", "s"}, "s does nothing in Feeds; it works in lists of items, articles and diffs."},
		{[]string{"2", "d"}, "d does nothing in Feeds; it works in lists of items, articles, Pages and more."},
		{[]string{"enter", "A"}, "A does nothing in an article; it works in lists of items, Feeds and Pages."},
		{[]string{"B"}, "B does nothing in a list; it works in Rhythm."},
		{[]string{"%"}, "% does nothing in a list. ? lists the keys."},
		{[]string{"?", "m"}, "m does nothing in help; it works in"},
		{[]string{"M", "x"}, "x does nothing after M; nothing was marked."},
		{[]string{"2", "M", "x"}, "x does nothing after M; nothing was marked."},
		{[]string{"Z", "Q"}, "Q does nothing after Z; ZZ quits."},
		{[]string{"2", "y"}, "y copies the address of a feed, on rows of feeds."},
		{[]string{"2", "o"}, "o opens the site of a feed, on rows of feeds."},
	} {
		d := newDesk(t, newFake(), 80, 24)
		d.press(c.keys...)
		d.says(c.want)
		if d.quit || countUnread(d.lib) < 8 || len(d.lib.steps) > 1 {
			t.Errorf("%v did something: %d unread, %d steps", c.keys, countUnread(d.lib), len(d.lib.steps))
		}
		d.press("j")
		d.lacks("does nothing")
	}
}

// TestDeadKeysNameViewsOfOwnKeys: keys of keys.toml and of a keymap count among those
// that work elsewhere.
func TestDeadKeysNameViewsOfOwnKeys(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, withKeys("[feeds]\n\"C\" = \"g A\"\n"))
	d.press("C")
	d.says("C does nothing in a list; it works in Feeds.")
}

// TestKeysWithoutARow: where a list has no rows, a key that needs one says so; in Trends
// w says all of a row and i whose settings there are.
func TestKeysWithoutARow(t *testing.T) {
	for _, key := range strings.Fields("m s t + o y Y v e d i z I enter J g G") {
		d := newDesk(t, newFake(), 80, 24)
		d.press("8", "esc", key)
		d.says("There is no item here.")
		d.press("h")
		d.lacks("no item")
	}
	d := newDesk(t, newFake(), 40, 12)
	d.press("7", "k", "w")
	d.shows("first in")
	d.press("i")
	d.says("i shows a feed and its settings,")
}

// TestDeadKeysAreQuietWhereTheyShould: Esc with nothing to end says nothing, a
// key that keys.toml emptied says who emptied it, and text of any length in one
// key press stays one row.
func TestDeadKeysAreQuietWhereTheyShould(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, withKeys("[list]\n\"m\" = \"\"\n"))
	d.press("M", "esc")
	d.lacks("does nothing")
	d.press("m")
	d.says("m does nothing: keys.toml unbound it.")
	for _, text := range []string{"a whole sentence in one key press", "\x1b[2J"} {
		k := keyMsg("x")
		k.Text = text
		d.send(k)
		d.says("This key does nothing in a list. ? lists the keys.")
	}
}

// TestLettersEnd: keys that lead to no link say so, a digit is a link's number, and
// what ends letters that were not there leaves nothing.
func TestLettersEnd(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		d := newDesk(t, newFake(), size[0], size[1])
		d.press("enter", "f")
		d.shows("letter opens, y letter copies, Esc")
		d.press("3")
		d.shows("link 3 of 4:", "https://kernelnotes.example/2026/a.png")
		d.press("esc", "f", "v")
		d.shows("No link has that letter;")
		d.lacks("letter opens")
		d.press("n", "f") // an article without links
		d.shows("This article has no links or images.")
		d.press("esc")
		d.lacks("has no links")
		if d.m.context() != view.CtxArticle {
			t.Fatalf("Esc after f leaves the article:\n%s", d.screen())
		}
		if d.press("esc", "q"); d.quit {
			t.Error("q after the Esc that leaves an article quits")
		}
		d.shows("This is the top.")
	}
}

// TestNothingIsCutBelow: what the last row says takes as many rows as it needs, also
// the address of a chosen link, and its keys stand behind it where there is room.
func TestNothingIsCutBelow(t *testing.T) {
	lib := newFake()
	long := "https://kernelnotes.example/2026/11/20/the-new-block-layer-six-months-on/part-two?from=feed&page=3"
	lib.bodies[item(1, 9)] = reader.Article{HTML: "<p><a href='" + long + "'>on</a></p>"}
	d := newDesk(t, lib, 40, 12)
	d.press("enter", "1", "o")
	below := func() string { return strings.ReplaceAll(strings.ReplaceAll(d.screen(), "\n", ""), " ", "") }
	if got := below(); !strings.Contains(got, "reachyourterminal,seedoctor):"+long) {
		t.Errorf("the address is cut:\n%s", d.screen())
	}
	d.press("tab")
	if got := below(); !strings.HasSuffix(got, "link1of1:"+long+"Esc") {
		t.Errorf("the address is cut:\n%s", d.screen())
	}
	d.press("esc", "t")
	d.typeIn("later")
	d.press("enter")
	d.shows("Tagged #later on 1 in River. u undoes.")
	d = newDesk(t, newFake(), 80, 24)
	d.press("enter", "e", "e")
	d.shows("In the queue: The new block layer", "it. u undoes.")
	if d.press("u"); !strings.Contains(d.screen(), "Undone: ") || len(d.lib.row(item(1, 9)).Tags) > 0 {
		t.Errorf("u after e does not take the item out of the queue:\n%s", d.screen())
	}
}

// TestNoUnreadBelow: where the unread items of a feed end, the key is named that goes
// on to the next feed; where no feed after it has any, it is not.
func TestNoUnreadBelow(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("]", "G", "n")
	d.says("No unread item below in Kernel Notes; ] goes to the next feed.")
	for range 20 {
		d.press("]")
	}
	d.press("G", "n")
	d.lacks("goes to the next feed")
	d.says("No unread item below in ")
}
