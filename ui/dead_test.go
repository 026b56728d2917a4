package ui

import "testing"

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

// TestDeadKeysAreQuietWhereTheyShould: Esc with nothing to end says nothing, a
// key that keys.toml emptied says who emptied it, and text of any length in one
// key press stays one row.
func TestDeadKeysAreQuietWhereTheyShould(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, withKeys("[list]\n\"m\" = \"\"\n"))
	d.press("M", "esc")
	d.lacks("does nothing")
	d.press("m")
	d.says("m does nothing here: keys.toml took its meaning away.")
	for _, text := range []string{"a whole sentence in one key press", "\x1b[2J"} {
		k := keyMsg("x")
		k.Text = text
		d.send(k)
		d.says("This key does nothing in a list. ? lists the keys.")
	}
}
