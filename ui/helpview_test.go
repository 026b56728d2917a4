package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHelpReachesEverything: in the help of every place and at every size the
// chosen row is in sight after each key, every row comes into sight, and from
// 80x24 on keys stand in two columns.
func TestHelpReachesEverything(t *testing.T) {
	macros := "[macro]\n"
	for c := 'a'; c <= 'z'; c++ {
		macros += fmt.Sprintf("\"%c\" = \"j\"\n", c)
	}
	for _, keys := range []string{"", macros} {
		for _, size := range [][2]int{{40, 8}, {40, 12}, {80, 10}, {80, 24}, {120, 40}} {
			for _, to := range [][]string{nil, {"2"}, {"2", "j", "j", "enter"}, {"4"}, {"5"}, {"6"}, {"enter"}, {"i"}} {
				d := newDesk(t, newFake(), size[0], size[1], withKeys(keys))
				d.press(to...)
				d.press("?")
				if both := strings.Contains(d.screen(), "Here     ") && strings.Contains(strings.Split(d.screen(), "\n")[1], "  Everywhere"); size == [2]int{80, 24} && to == nil && !both {
					t.Errorf("no two columns:\n%s", d.screen())
				}
				walkHelp(t, d, fmt.Sprint(size, to, len(keys)))
			}
		}
	}
}

// walkHelp goes down row by row and by pages, and back.
func walkHelp(t *testing.T, d *desk, where string) {
	t.Helper()
	visible := func() string {
		for line := range strings.Lines(d.screen()) {
			columns := []string{line}
			if cells := []rune(line); len(cells) > 76 { // the second one begins at 42
				columns = []string{string(cells[:42]), string(cells[42:])}
			}
			for _, col := range columns {
				if row, ok := strings.CutPrefix(col, ">  "); ok {
					return row
				}
			}
		}
		t.Fatalf("%s: the chosen row is out of sight:\n%s", where, d.screen())
		return ""
	}
	walk := func(key string) (rows []string) {
		for range 120 {
			row := visible()
			if n := len(rows); n > 0 && rows[n-1] == row {
				return rows
			}
			rows = append(rows, row)
			d.press(key)
		}
		t.Fatalf("%s: %s never comes to an end", where, key)
		return nil
	}
	down := walk("j")
	if len(down) < 10 {
		t.Fatalf("%s: %d rows are reached by j", where, len(down))
	}
	for _, want := range []string{"suspend", "top", "half a page"} {
		if !strings.Contains(strings.Join(down, "\n"), want) {
			t.Errorf("%s: %q is not reached", where, want)
		}
	}
	if up := walk("k"); len(up) != len(down) {
		t.Errorf("%s: %d rows down, %d up", where, len(down), len(up))
	}
	for _, key := range []string{"space", "b", "ctrl+d", "ctrl+u", "space", "g", "G", "g"} {
		walk(key)
	}
	visible()
	d.press("G")
	last := visible()
	d.press("g")
	if first := visible(); !slices.Contains(down[:1], first) || !slices.Contains(down[len(down)-1:], last) {
		t.Errorf("%s: g goes to %q, G to %q", where, first, last)
	}
}

// TestHelpSearchesEverywhere: a search finds the keys of all views, those of the place
// first; one of another view says where it works.
func TestHelpSearchesEverywhere(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("?", "/")
	d.typeIn("budget")
	d.press("enter")
	d.shows("Elsewhere: Rhythm", "B         budget: fetches a day")
	d.press("enter")
	d.says("That key works in Rhythm: press it there.")
	d.press("esc", "/")
	d.typeIn("undo")
	d.press("enter")
	d.shows("u ^r      undo, redo", "Elsewhere: what was done")
	d.press("esc", "/", "B", "enter") // one letter is a key
	d.shows("Elsewhere: Rhythm")
	d.lacks("browser")
}
