package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"diurna/reader"
	"diurna/ui/cells"
	"diurna/ui/term"
	"diurna/ui/term/termtest"
	"diurna/ui/view"
)

// persian is an article whose paragraphs run from right to left, but for one.
const persian = `<div dir="rtl"><p>این یک متن آزمایشی است که باید از راست به چپ خوانده شود (RFC 9110) و آنقدر بلند است که در چند خط جا بگیرد، با عدد ۱۲۳ و واژهٔ Linux در میانش.</p>
<p dir="ltr">One paragraph in English.</p><p>پایان متن!</p></div>`

func withPersian() *fake {
	lib := newFake()
	lib.rows[0].Title = "بندر امروز"
	lib.bodies[lib.rows[0].ID] = reader.Article{HTML: persian}
	return lib
}

// TestRightToLeftOnTheScreen: each line of an article that runs from right to left
// stands between marks that have one cell each, for the renderer too; where there
// is no room for them there are none, and no other line has any.
func TestRightToLeftOnTheScreen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}, {20, 8}, {130, 30}} {
		for _, clusters := range []bool{false, true} {
			d := newDesk(t, withPersian(), size[0], size[1])
			d.m.Scene.Th.Measure.Graphemes = clusters
			d.press("enter")
			content := d.m.View().Content
			drawn := uv.NewScreenBuffer(size[0], size[1])
			if drawn.Method = ansi.WcWidth; clusters {
				drawn.Method = ansi.GraphemeWidth
			}
			uv.NewStyledString(content).Draw(drawn, drawn.Bounds())
			marked := 0
			for i := range size[1] {
				wide, open := 0, false
				for x := range size[0] {
					c := drawn.CellAt(x, i)
					wide += c.Width
					switch c.Content {
					case cells.RightToLeft:
						if open || c.Width != 1 {
							t.Errorf("line %d: a mark of %d cells, open %v", i, c.Width, open)
						}
						open = true
					case cells.EndRightToLeft:
						if !open || c.Width != 1 {
							t.Errorf("line %d: an end of %d cells, open %v", i, c.Width, open)
						}
						open = false
						marked++
					default:
						if strings.Contains(c.Content, "\U000e01ee") || strings.Contains(c.Content, "\U000e01ef") {
							t.Errorf("line %d: %q", i, c.Content)
						}
					}
				}
				if wide != size[0] || open {
					t.Errorf("%v: line %d has %d cells, open %v", size, i, wide, open)
				}
			}
			if want := strings.Count(content, cells.RightToLeft); marked != want || size[0] >= 40 && marked < 3 {
				t.Errorf("%v: %d of %d marks end", size, marked, want)
			}
			for line := range strings.Lines(content) {
				if strings.Contains(line, "One paragraph") && strings.Contains(line, cells.RightToLeft) && size[0] < 120 {
					t.Errorf("%v: an English line is marked: %q", size, line)
				}
			}
			d.press("q")
			checkMarks(t, d, "بندر امروز")
		}
	}
}

// checkMarks: in a list a text that runs from right to left stands between its marks,
// and so does no other; the columns stay.
func checkMarks(t *testing.T, d *desk, text string) {
	t.Helper()
	content := d.m.View().Content
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(ansi.Strip(line), "\n")
		if n := d.m.Scene.Th.Measure.Width(line); n != d.m.Scene.W {
			t.Errorf("%d cells of %d: %q", n, d.m.Scene.W, line)
		}
		if d.m.Scene.W < view.Beside && strings.Contains(line, cells.RightToLeft) != strings.Contains(line, text) {
			t.Errorf("marked wrongly: %q", line)
		}
	}
	if d.m.Scene.W >= 40 && !strings.Contains(ansi.Strip(content), cells.RightToLeft+text+cells.EndRightToLeft) {
		t.Errorf("%q is not marked in\n%s", text, ansi.Strip(content))
	}
}

// TestRightToLeftNames: names of feeds are marked too, in lists and in Feeds; without
// that the number behind one would change places with it.
func TestRightToLeftNames(t *testing.T) {
	for _, w := range []int{60, 80, 120, 200} {
		lib := withPersian()
		const name = "بندر تازه"
		for i := range lib.feeds {
			if lib.feeds[i].Key == lib.rows[0].ID.Feed() {
				lib.feeds[i].Title = name
			}
		}
		d := newDesk(t, lib, w, 24)
		marked := cells.RightToLeft + name + cells.EndRightToLeft
		for _, key := range []string{"1", "2"} {
			if d.press(key); !strings.Contains(ansi.Strip(d.m.View().Content), marked) {
				t.Errorf("%d columns, %s: the name is not marked:\n%s", w, key, d.screen())
			}
		}
	}
}

// TestRightToLeftBytes: the terminal gets the marks of the Bidirectional Algorithm
// on the blanks beside the text, never what stands for them, as often open as
// closed; a console that would draw them gets blanks.
func TestRightToLeftBytes(t *testing.T) {
	for _, name := range []string{"xterm-256color", "linux"} {
		lib := withPersian()
		lib.changes = make(chan struct{})
		snapshot, err := lib.Snapshot(context.Background(), firstRows)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{clock: func() time.Time { return noon }, Environ: []string{"TERM=" + name}}
		m := newModel(context.Background(), partsOf(lib), o, snapshot)
		g := termtest.NewTerminal(t, 80, 24)
		p, done := g.Run(m, append(term.Paced(), tea.WithOutput(term.Screen(g.Slave, name)))...)
		g.Await(t, 0, "1River")
		n := g.Settled(t, p)
		for _, key := range []string{"enter", "j", "k", "n", "p", "q"} {
			p.Send(keyMsg(key))
			g.Settled(t, p)
		}
		out := g.From(n)
		if strings.Contains(out, "\U000e01ee") || strings.Contains(out, "\U000e01ef") || strings.Contains(out, "\u00a0") {
			t.Errorf("%s: what stands for the marks is written: %q", name, out)
		}
		opened, closed := strings.Count(out, " \u2067"), strings.Count(out, " \u2069")
		if marks := strings.Count(out, "\u2067") + strings.Count(out, "\u2069"); marks != opened+closed {
			t.Errorf("%s: %d marks stand on no blank: %q", name, marks-opened-closed, out)
		}
		if name == "linux" && opened+closed != 0 || name != "linux" && (opened < 3 || opened != closed) {
			t.Errorf("%s: %d opened, %d closed: %q", name, opened, closed, out)
		}
		p.Send(tea.QuitMsg{})
		if err := termtest.Ended(t, done); err != nil {
			t.Error(err)
		}
		m.eff.stop()
	}
}
