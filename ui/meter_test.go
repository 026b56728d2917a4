package ui

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/panes"
	"diurna/ui/term"
	"diurna/ui/term/termtest"
)

// bigFake is a library of n items in 300 feeds, with titles of every width.
func bigFake(n int) *fake {
	f := newFake()
	f.feeds, f.rows, f.changes = nil, make([]reader.Row, n), make(chan struct{})
	for i := range 300 {
		f.feeds = append(f.feeds, reader.Feed{Key: reader.FeedID(i + 1), State: reader.FeedOK, LastPost: noon, NextFetch: noon.Add(time.Hour),
			Title: fmt.Sprintf("%s, number %d of all", termtest.Feeds[i%len(termtest.Feeds)], i), Folder: fmt.Sprintf("folder %d", i%9), Items: n / 300, Unread: n / 300})
	}
	for i := range f.rows {
		f.rows[i] = reader.Row{ID: item(i%300+1, n-i), At: noon.Unix() - int64(i)*97, Words: uint32(i % 3000),
			Title: fmt.Sprintf("%s %d", termtest.Titles[i*7%len(termtest.Titles)], i)}
	}
	return f
}

// TestBytesPerRealKey is the byte meter on the program itself: 50,000 rows,
// ideographs and emoji, inside the screen and past its last row, under day
// headings; then line by line through an article; and nothing at all is
// written while nobody does anything.
func TestBytesPerRealKey(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) { bytesPerKey(t, size[0], size[1]) })
	}
}

func bytesPerKey(t *testing.T, w, h int) {
	lib := bigFake(50_000)
	var text strings.Builder
	for i := range 400 {
		fmt.Fprintf(&text, "<p>%d: %s</p>", i, termtest.Titles[i%len(termtest.Titles)])
	}
	for i := range 100 {
		lib.bodies[lib.rows[i].ID] = reader.Article{HTML: text.String()}
	}
	g := termtest.NewTerminal(t, w, h)
	o := Options{clock: func() time.Time { return noon }, Environ: []string{"TERM=xterm-256color"}, wait: time.Hour}
	snapshot, err := lib.Snapshot(context.Background(), firstRows)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(context.Background(), partsOf(lib), o, snapshot)
	defer m.eff.stop()
	p, done := g.Run(m, term.Paced()...)
	g.Await(t, 0, "1River")
	g.Quiet(300 * time.Millisecond)
	if w >= panes.Three {
		// What stands side by side cannot be scrolled by the terminal: most
		// keys are as cheap as ever, one in half a screen pays for the others.
		// The article beside its list is not held to a limit (2.3 KB a line).
		if mean := meter(t, g, p, "in the list", 120, 8192); mean > 800 {
			t.Errorf("%d bytes a key", mean)
		}
		p.Send(tea.QuitMsg{})
		if err := termtest.Ended(t, done); err != nil {
			t.Error(err)
		}
		return
	}
	meter(t, g, p, "in the list", 60, 800)
	n := g.Len()
	g.Master.WriteString("\r")
	g.Await(t, n, "space")
	g.Quiet(300 * time.Millisecond)
	meter(t, g, p, "in an article", 30, 400)
	n = g.Settled(t, p)
	if end := g.Quiet(500 * time.Millisecond); end != n {
		t.Errorf("%d bytes were written while nothing happened: %q", end-n, g.From(n))
	}
	p.Send(tea.QuitMsg{})
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestBytesPerPreview: a text that is previewed costs about its characters, once a key
// has come to rest on its row.
func TestBytesPerPreview(t *testing.T) {
	const most = 6000            // 57 lines of 72
	word := func(i int) string { // differs in each letter from that of the row before
		const letters = "abcdefghijklmnopqrstuvwxyz"
		return (letters + letters)[i%26:][:8]
	}
	lib := bigFake(1000)
	for i := range 30 {
		lib.bodies[lib.rows[i].ID] = reader.Article{HTML: strings.Repeat("<p>"+strings.Repeat(word(i)+" ", 60)+"</p>", 12)}
	}
	g := termtest.NewTerminal(t, 200, 60)
	o := Options{clock: func() time.Time { return noon }, Environ: []string{"TERM=xterm-256color"}, wait: time.Nanosecond}
	snapshot, err := lib.Snapshot(context.Background(), firstRows)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(context.Background(), partsOf(lib), o, snapshot)
	defer m.eff.stop()
	p, done := g.Run(m, term.Paced()...)
	g.Await(t, 0, word(0))
	n := g.Settled(t, p)
	sum := 0
	for i := 1; i < 30; i++ {
		p.Send(keyMsg("j"))
		g.Await(t, n, word(i))
		end := g.Settled(t, p)
		if sum += end - n; end-n > 2*most { // the list may scroll as well
			t.Errorf("preview %d wrote %d bytes", i, end-n)
		}
		n = end
	}
	if t.Logf("%d bytes per preview", sum/29); sum/29 > most {
		t.Errorf("%d bytes per preview", sum/29)
	}
	p.Send(tea.QuitMsg{})
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// meter presses j, holds every press to some bytes and gives their mean.
func meter(t *testing.T, g *termtest.Terminal, p *tea.Program, where string, keys, most int) int {
	t.Helper()
	worst, sum, n := 0, 0, g.Settled(t, p)
	for key := 1; key <= keys; key++ {
		p.Send(keyMsg("j"))
		end := g.Settled(t, p)
		if end-n > most {
			t.Errorf("%s key %d wrote %d bytes: %q", where, key, end-n, g.From(n))
		}
		worst, sum = max(worst, end-n), sum+end-n
		n = end
	}
	t.Logf("%s: %d bytes a key, at most %d", where, sum/keys, worst)
	return sum / keys
}

// TestPinnedLibraries: a later lipgloss brings a renderer that repaints rows
// with wide characters whole (3,857 bytes a key), an earlier runewidth builds
// its tables at every start (31 ms).
func TestPinnedLibraries(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), "charm.land/lipgloss/v2 v2.0.5\n") {
		t.Error("go.mod does not hold lipgloss v2.0.5")
	}
	if !strings.Contains(string(mod), "charm.land/bubbletea/v2 v2.0.9\n") {
		t.Error("go.mod does not hold bubbletea v2.0.9, whose ticker pace.go knows")
	}
	_, after, ok := strings.Cut(string(mod), "github.com/mattn/go-runewidth v0.0.")
	var patch int
	if _, err := fmt.Sscanf(after, "%d", &patch); !ok || err != nil || patch < 31 {
		t.Errorf("go.mod does not hold go-runewidth v0.0.31 or later (found patch %d)", patch)
	}
}

// BenchmarkKey is one key and the drawing after it, in lists of two lengths:
// the two must not differ.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{500, 100_000} {
		d := newDesk(b, bigFake(n), 80, 24)
		for _, keys := range [][2]string{{"j", "k"}, {"ctrl+d", "ctrl+u"}, {"G", "g"}, {"m", "m"}} {
			b.Run(fmt.Sprintf("%s/%d", keys[0], n), func(b *testing.B) {
				for i := range b.N {
					d.m.Update(keyMsg(keys[i%2]))
					d.m.View()
				}
			})
		}
	}
}

// BenchmarkBigger is what is asked of all 100,000 rows at once.
func BenchmarkBigger(b *testing.B) {
	d := newDesk(b, bigFake(100_000), 80, 24)
	d.press("j")
	b.Run("find", func(b *testing.B) {
		for range b.N {
			d.m.finder.Find(d.m, "zebra")
			d.m.View()
		}
	})
	b.Run("find-many", func(b *testing.B) {
		for range b.N {
			d.m.finder.Find(d.m, "council")
			d.m.View()
		}
		d.press("esc")
	})
	b.Run("narrow", func(b *testing.B) {
		for range b.N {
			d.m.river.Narrow(d.m, "council newer:10d")
			d.m.View()
		}
		d.press("esc")
	})
	b.Run("view-2-and-1", func(b *testing.B) {
		for range b.N {
			d.m.Update(keyMsg("2"))
			d.m.View()
			d.m.Update(keyMsg("1"))
			d.m.View()
		}
	})
}

// BenchmarkView is the drawing alone.
func BenchmarkView(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		d := newDesk(b, bigFake(50_000), size[0], size[1])
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				d.m.View()
			}
		})
	}
}
