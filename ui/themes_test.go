package ui

import (
	"flag"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"diurna/reader"
	"diurna/ui/theme"
)

// luminance is the relative luminance of WCAG 2.1, 0 to 1.
func luminance(c color.Color) float64 {
	part := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*part(r) + 0.7152*part(g) + 0.0722*part(b)
}

// contrast is the contrast ratio of WCAG 2.1, 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// styled draws a desk's screen in a theme.
func styled(t *testing.T, name string, keys ...string) *desk {
	d := newDesk(t, pictureLibrary(), 80, 24, func(o *Options) { o.Config.Theme = name })
	d.m.Scene.Th = d.m.look.theme()
	d.press(keys...)
	return d
}

// TestContrast: in themes of true colour everything drawn is legible: 4.5 for
// titles and texts, 3 for what is quieter.
func TestContrast(t *testing.T) {
	for _, name := range theme.Names {
		th := theme.New(name, false)
		if !th.TrueColor() {
			continue
		}
		text, ground := th.Screen()
		p := theme.Named(name)
		for _, keys := range []string{"j", "enter", "5 enter n", "3 j w", "5", "2 j j", "?"} {
			d := styled(t, name, strings.Fields(keys)...)
			buf := uv.NewScreenBuffer(80, 24)
			buf.Method = ansi.GraphemeWidth
			uv.NewStyledString(strings.ReplaceAll(d.screen(), "\n", "\r\n")).Draw(buf, buf.Bounds())
			seen := 0
			for y := range 24 {
				for x := range 80 {
					c := buf.CellAt(x, y)
					if blank(c) {
						continue
					}
					fg, bg := c.Style.Fg, c.Style.Bg
					least := 4.5
					if fg != nil && (hex(fg, "") == hex(p.Dim, "") || hex(fg, "") == hex(p.Head, "")) {
						least = 3
					}
					if fg == nil {
						fg = text
					}
					if bg == nil {
						bg = ground
					}
					seen++
					if got := contrast(fg, bg); got < least {
						t.Fatalf("%s after %q: %q at %d,%d has a contrast of %.2f, want %.1f", name, keys, c.Content, x, y, got, least)
					}
				}
			}
			if seen < 100 {
				t.Errorf("%s after %q: only %d cells are drawn", name, keys, seen)
			}
		}
	}
}

// everyStyle is an article with a piece of each style that a page can have.
const everyStyle = `<h2>Heading</h2><p>Text, <b>bold</b>, <i>italic</i>, <code>code</code>, <a href="/x">a link</a>, <del>out</del>,
<ins>in</ins>, <small>small print</small>.</p><blockquote>Quoted.</blockquote><hr><ul><li>Item</li></ul>
<figure><img src="/p.png" alt="a picture"><figcaption>Its caption</figcaption></figure>
<table><caption>Of a table</caption><tr><th>Harbour</th><th>Depth</th></tr><tr><td>Old Pier</td><td>4 m</td></tr></table>
<pre>a line of code that is longer than an article is wide, so that it goes on in the next one, behind a mark</pre>`

// TestNothingIsBrightBlack: on the colours of the terminal nothing is drawn in
// bright black, which some terminals show as their background.
func TestNothingIsBrightBlack(t *testing.T) {
	for _, size := range [][2]int{{80, 40}, {200, 60}} {
		for _, keys := range []string{"j", "enter", "enter tab", "5 enter n", "5 enter n c", "3 j w", "5", "2 j j", "6", "?", "i", "s U", "a"} {
			lib := pictureLibrary()
			lib.bodies[lib.rows[0].ID] = reader.Article{HTML: everyStyle, Base: "https://example.org/"}
			d := newDesk(t, lib, size[0], size[1])
			d.m.Scene.Th = d.m.look.theme()
			d.press(strings.Fields(keys)...)
			if keys == "enter" && !strings.Contains(d.screen(), "Its caption") {
				t.Fatalf("no caption:\n%s", d.screen())
			}
			buf := uv.NewScreenBuffer(size[0], size[1])
			buf.Method = ansi.GraphemeWidth
			uv.NewStyledString(strings.ReplaceAll(d.screen(), "\n", "\r\n")).Draw(buf, buf.Bounds())
			drawn := 0
			for y := range size[1] {
				for x := range size[0] {
					c := buf.CellAt(x, y)
					if blank(c) {
						continue
					}
					drawn++
					if fg := c.Style.Fg; fg == ansi.BrightBlack || fg == ansi.IndexedColor(8) {
						t.Fatalf("after %q: %q at %d,%d is bright black:\n%s", keys, c.Content, x, y, d.screen())
					}
				}
			}
			if drawn < 50 {
				t.Errorf("after %q: only %d cells are drawn", keys, drawn)
			}
		}
	}
}

// TestThemeFollowsTheTerminal: auto is light or dark once the terminal says
// so, true colours give way to a palette of 16, and NO_COLOR beats them all.
func TestThemeFollowsTheTerminal(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Config.Theme = theme.Auto })
	look := func(want string) {
		t.Helper()
		if got, w := d.m.look.theme(), theme.New(want, false); hex(got.Head.GetForeground(), "") != hex(w.Head.GetForeground(), "") {
			t.Errorf("the theme is not %s", want)
		}
	}
	look("16")
	d.m.Update(tea.BackgroundColorMsg{Color: color.White})
	look("light")
	d.m.Update(tea.BackgroundColorMsg{Color: color.Black})
	look("dark")

	d = styled(t, "nord")
	if v := d.m.View(); v.BackgroundColor == nil || v.ForegroundColor == nil {
		t.Error("nord has no background of its own")
	}
	d.m.Update(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	look("16")
	if v := d.m.View(); v.BackgroundColor != nil || v.ForegroundColor != nil {
		t.Error("a terminal of 16 colours is painted")
	}
	d.m.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	look("nord")

	d = newDesk(t, newFake(), 80, 24, func(o *Options) { o.Environ = []string{"NO_COLOR=1"}; o.Config.Theme = "nord" })
	d.m.Scene.Th = d.m.look.theme()
	if v := d.m.View(); !d.m.Scene.Th.Mono || v.BackgroundColor != nil {
		t.Error("NO_COLOR is not heard")
	}
}

// TestThemePictures holds the pictures of docs/themes.md to what the screen
// draws; -update draws them again.
func TestThemePictures(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "themes.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range theme.Names {
		if name == theme.Auto {
			continue
		}
		d := newDesk(t, pictureLibrary(), 80, 12, func(o *Options) { o.Config.Theme = name })
		d.m.Scene.Th = d.m.look.theme()
		d.press("j")
		on := dark
		if name == "light" {
			on = paper{ground: "#fafafa", ink: "#24292e"}
		}
		text, ground := d.m.Scene.Th.Screen()
		on = paper{ground: hex(ground, on.ground), ink: hex(text, on.ink)}
		got := svg("River in the theme "+name, d.screen(), 80, 12, on)
		file := "theme-" + name + ".svg"
		path := filepath.Join("..", "docs", "pictures", file)
		if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || got != string(want) {
			t.Errorf("%s is not what the screen draws now (%v): go test ./ui -run TestThemePictures -update", path, err)
		}
		if want := fmt.Sprintf("](pictures/%s)", file); !strings.Contains(string(page), want) {
			t.Errorf("docs/themes.md has no %s", want)
		}
	}
}

// TestBar: the chosen row is a bar over the whole width in every list, tree and
// diff, on a ground of its own or in reverse video. Without colour `>` says it.
func TestBar(t *testing.T) {
	for _, name := range theme.Names {
		for _, keys := range []string{"j", "2 j", "5", "5 enter n", "3 j w", "?", "i", "s U"} {
			d := styled(t, name, strings.Fields(keys)...)
			buf := uv.NewScreenBuffer(80, 24)
			buf.Method = ansi.GraphemeWidth
			uv.NewStyledString(strings.ReplaceAll(d.screen(), "\n", "\r\n")).Draw(buf, buf.Bounds())
			rows := 0
			for y := 1; y < 23; y++ {
				if c := buf.CellAt(0, y); c == nil || c.Content != ">" {
					continue
				}
				rows++
				wide := 80
				if keys == "?" {
					wide = 42 // the help has two columns, and the bar one of them
				}
				for x := range wide {
					c := buf.CellAt(x, y)
					if c == nil || c.Width == 0 {
						continue
					}
					if bar := c.Style.Bg != nil || c.Style.Attrs&uv.AttrReverse != 0; bar == (name == "mono") {
						t.Fatalf("%s after %q: cell %d of the chosen row is drawn %+v", name, keys, x, c.Style)
					}
				}
			}
			if rows != 1 {
				t.Errorf("%s after %q: %d rows are chosen\n%s", name, keys, rows, d.screen())
			}
		}
	}
}

// TestHierarchy: in a list the title of an unread row is bold in the text's colour,
// that of a read one is not and recedes, and feed and time recede in both. Titles
// that recede are still legible as text.
func TestHierarchy(t *testing.T) {
	for _, name := range theme.Names {
		if name == "mono" {
			continue
		}
		d := styled(t, name, "m", "j")
		th, p := &d.m.Scene.Th, theme.Named(name)
		if th.TrueColor() && contrast(p.Read, p.Background) < 4.5 {
			t.Errorf("%s: titles of read items have a contrast of %.2f", name, contrast(p.Read, p.Background))
		}
		buf := uv.NewScreenBuffer(80, 24)
		buf.Method = ansi.GraphemeWidth
		uv.NewStyledString(strings.ReplaceAll(d.screen(), "\n", "\r\n")).Draw(buf, buf.Bounds())
		read, unread := 0, 0
		for y := 1; y < 23; y++ {
			if c := buf.CellAt(0, y); c == nil || c.Content == ">" || c.Content != " " || blank(buf.CellAt(6, y)) {
				continue // the chosen row, a heading, an empty row
			}
			const clock, title = 6, 30
			x := title
			for blank(buf.CellAt(x, y)) {
				x++
			}
			at, word := buf.CellAt(clock, y).Style, buf.CellAt(x, y).Style
			recedes := func(s uv.Style, want theme.Color) bool {
				if want.Color == nil {
					return s.Attrs&uv.AttrFaint != 0
				}
				return s.Fg != nil && hex(s.Fg, "") == hex(want, "")
			}
			if !recedes(at, p.Quiet) {
				t.Errorf("%s, row %d: the time is drawn %+v", name, y, at)
			}
			if strings.Contains(buf.CellAt(1, y).Content, th.Bullet) {
				unread++
				if word.Attrs&uv.AttrBold == 0 || word.Fg != nil {
					t.Errorf("%s, row %d: an unread title is drawn %+v", name, y, word)
				}
			} else {
				read++
				if word.Attrs&uv.AttrBold != 0 || !recedes(word, p.Read) {
					t.Errorf("%s, row %d: a read title is drawn %+v", name, y, word)
				}
			}
		}
		if read == 0 || unread == 0 {
			t.Errorf("%s: %d read and %d unread rows", name, read, unread)
		}
	}
}
