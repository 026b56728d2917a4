package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"diurna/reader"
	"diurna/ui/cells"
)

// sizes are the three that are kept as pictures.
var sizes = [][2]int{{40, 12}, {80, 24}, {160, 48}}

// TestScreens compares every screen with its picture, at three sizes.
func TestScreens(t *testing.T) {
	shots := []struct {
		name string
		keys []string
	}{
		{"river", nil}, {"river-marked", []string{"j", "m", "s", "j"}}, {"feeds", []string{"2", "j", "j"}}, {"saved", []string{"4"}},
		{"folded", []string{"2", "j", "j", "h", "!"}}, {"article", []string{"enter"}}, {"article-link", []string{"enter", "2"}},
		{"article-letters", []string{"enter", "f"}}, {"enclosures", []string{"enter", "e"}}, {"feed-items", []string{"2", "j", "j", "enter"}},
		{"mark-what", []string{"j", "M"}}, {"find", []string{"/", "f", "e", "r"}}, {"narrow", []string{"&", "n", "o", "t", "e", "s", "enter"}},
		{"narrow-wrong", []string{"&", "o", "l", "d", "e", "r", ":", "enter"}}, {"narrow-none", []string{"&", "z", "z", "enter"}},
		{"steps", []string{"m", "j", "s", "U"}}, {"help", []string{"?"}}, {"help-article", []string{"enter", "?"}},
		{"help-search", []string{"?", "/", "s", "t", "a", "r", "enter"}}, {"add", []string{"a"}}, {"unsubscribe-here", []string{"D"}},
		{"info", []string{"i"}}, {"info-feed", []string{"2", "j", "j", "i", "j"}}, {"selected", []string{"v", "v", "j"}},
		{"selected-feeds", []string{"2", "j", "j", "v", "v"}}, {"key-help", []string{"?", "?", "M"}}, {"mark-feed", []string{"2", "j", "M"}},
		{"unread-of-feed", []string{"]"}}, {"help-feeds", []string{"2", "?"}}, {"why", []string{"w"}},
		{"search", []string{"8", "f", "e", "r"}}, {"search-rows", []string{"8", "h", "a", "r", "enter", "j"}}, {"search-wrong", []string{"8", "o", "l", "d", "e", "r", ":", "enter"}}, {"search-empty", []string{"8", "esc"}},
	}
	for _, size := range sizes {
		for _, s := range shots {
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, newFake(), size[0], size[1])
				d.press(s.keys...)
				compare(t, d, size[0], size[1])
			})
		}
	}
}

// TestEmptyScreens is the first minute of somebody with nothing.
func TestEmptyScreens(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("empty-%dx%d", size[0], size[1]), func(t *testing.T) {
			d := newDesk(t, emptyFake(), size[0], size[1], withFound)
			compare(t, d, size[0], size[1])
		})
		t.Run(fmt.Sprintf("found-%dx%d", size[0], size[1]), func(t *testing.T) {
			d := newDesk(t, emptyFake(), size[0], size[1], withFound)
			d.typeIn("harbour.example")
			d.press("enter")
			compare(t, d, size[0], size[1])
		})
	}
}

// TestASCII: every screen can be written without a character outside ASCII,
// but for what the feeds themselves say.
func TestASCII(t *testing.T) {
	plain := strings.NewReplacer("港の便り", "Letters", "–", "-", "🌠", "", "€", "EUR")
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		for _, keys := range []string{"j", "2", "4", "enter", "enter f", "5", "5 enter n", "5 enter n c", "5 enter n w", "5 i", "6", "6 w", "3", "3 w", "?", "enter ?", "j U", "s U", "a", "i", "2 j j i", "e", "M"} {
			lib := pictureLibrary()
			for i := range lib.rows {
				lib.rows[i].Title = strings.Repeat("plain words ", 12)
				lib.bodies[lib.rows[i].ID] = reader.Article{HTML: everyStyle + "<p><q>quoted</q></p>", Base: "https://example.org/"}
			}
			for i := range lib.feeds {
				lib.feeds[i].Title = plain.Replace(lib.feeds[i].Title) + " of a name that is long"
			}
			d := newDesk(t, lib, size[0], size[1], func(o *Options) { o.Config.ASCII = true })
			d.press(strings.Fields(keys)...)
			for i, line := range strings.Split(plain.Replace(d.screen()), "\n") {
				for _, r := range line {
					if r > '~' && r < 0x3000 { // ideographs are what the page says
						t.Errorf("%v after %q line %d holds %q: %s", size, keys, i, r, line)
						break
					}
				}
			}
		}
	}
}

// compare checks that a screen is exactly as large as it was asked to be, and
// as its picture.
func compare(t *testing.T, d *desk, w, h int) {
	t.Helper()
	text := d.screen()
	lines := strings.Split(text, "\n")
	if len(lines) != h {
		t.Errorf("%d lines, want %d", len(lines), h)
	}
	for i, l := range lines {
		if n := cells.Width(l); n != w {
			t.Errorf("line %d is %d cells, want %d: %q", i, n, w, l)
		}
	}
	golden.RequireEqual(t, text)
}
