package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"diurna/reader"
	"diurna/ui/cells"
	"diurna/ui/jobs"
	"diurna/ui/lastrow"
	"diurna/ui/view"
)

// TestKeysMeanOneThing: no key twice in one place, none that terminals or
// multiplexers take, and a sentence of help for all but a few.
func TestKeysMeanOneThing(t *testing.T) {
	forbidden := []string{"alt+", "~", "ctrl+a", "ctrl+s", "ctrl+q", "ctrl+]", "ctrl+\\"}
	for c := range view.Contexts {
		seen := make(map[string]string)
		for _, p := range partsOfHelp(&parts{})(c) {
			for _, b := range p.Rows {
				for _, k := range b.Keys {
					if was, ok := seen[k]; ok {
						t.Errorf("%s: %q means %q and %q", view.ContextName(c), k, was, b.Help)
					}
					seen[k] = b.Help
					for _, f := range forbidden {
						if strings.HasPrefix(k, f) {
							t.Errorf("%s: %q is bound", view.ContextName(c), k)
						}
					}
				}
				if b.Do == nil || len(b.Keys) == 0 {
					t.Errorf("%s: %q does nothing", view.ContextName(c), b.Help)
				}
			}
		}
	}
}

// TestResizeStorm: every size from 0x0 to 10,000 columns, in every place, is
// drawn in exactly its cells, and the chosen row stays chosen and in sight.
func TestResizeStorm(t *testing.T) {
	widths := []int{0, 1, 2, 7, 39, 40, 41, 59, 60, 79, 80, 119, 120, 121, 160, 300, 10_000}
	heights := []int{0, 1, 2, 7, 8, 9, 12, 24, 60}
	places := [][]string{nil, {"j", "j", "j"}, {"enter"}, {"enter", "2"}, {"enter", "f"}, {"enter", "e"}, {"2"}, {"4"}, {"?"}, {"m", "U"}, {"a"},
		{"/", "x"}, {"&", "o", "l", "d", "e", "r", ":", "enter"}, {"M"}, {"2", "j", "j", "enter"}, {"]"}, {"]", "enter"}, {"i"}, {"v", "v"}, {"?", "?", "M"}, {"2", "M"}, {"2", "v"}, {"6"}, {"6", "w"}, {"6", "B"}, {"8"}, {"8", "a", "enter"}}
	for _, keys := range places {
		d := newDesk(t, newFake(), 80, 24)
		d.press(keys...)
		want := d.m.river.Row().ID
		for _, w := range widths {
			for _, h := range heights {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				exact(t, fmt.Sprint(keys), d.screen(), w, h)
			}
		}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if d.m.river.Row().ID != want {
			t.Errorf("%v: the storm moved the choice", keys)
		}
	}
	d := newDesk(t, emptyFake(), 80, 24, withFound)
	d.typeIn("harbour.example")
	for range 2 {
		for _, w := range widths {
			for _, h := range heights {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				exact(t, "empty", d.screen(), w, h)
			}
		}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.press("enter")
	}
}

func exact(t rapid.TB, where, screen string, w, h int) {
	t.Helper()
	if w < 1 || h < 1 {
		if screen != "" {
			t.Errorf("%s: %dx%d is drawn as %q", where, w, h, screen)
		}
		return
	}
	lines := strings.Split(screen, "\n")
	if len(lines) != h {
		t.Errorf("%s: %d lines at %dx%d", where, len(lines), w, h)
	}
	for i, l := range lines {
		if n := cells.Width(l); n != w {
			t.Errorf("%s: line %d has %d cells at %dx%d: %.200q", where, i, n, w, h, l)
			return
		}
	}
}

func TestTooSmall(t *testing.T) {
	d := newDesk(t, newFake(), 34, 6)
	if got := strings.Join(strings.Fields(d.screen()), " "); got != "34x6 is too small to read in. 40x8 is enough. q quits." {
		t.Errorf("34x6 says %q", got)
	}
	d.press("m", "A", "j")
	if countUnread(d.lib) != 9 {
		t.Error("keys act on a screen that shows nothing")
	}
	d.press("q")
	if !d.quit {
		t.Error("q does not quit")
	}
}

// TestWidthKeepsTheParagraph: the paragraph that was first on the screen stays
// there when the width changes.
func TestWidthKeepsTheParagraph(t *testing.T) {
	lib := newFake()
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "<p>Paragraph number %d says a few things that fill two lines or three, and more where there is little room.</p>", i)
	}
	lib.bodies[item(1, 9)] = reader.Article{HTML: b.String()}
	d := newDesk(t, lib, 80, 24)
	d.press("enter", "space", "space", "space", "space", "j")
	first := func() string {
		lines := strings.Split(d.screen(), "\n")
		for _, l := range lines[1:] {
			if _, after, ok := strings.Cut(l, "Paragraph number "); ok {
				n, _, _ := strings.Cut(after, " ")
				return n
			}
		}
		return ""
	}
	was := first()
	for _, w := range []int{60, 44, 100, 140, 80} {
		d.send(tea.WindowSizeMsg{Width: w, Height: 24})
		if now := first(); now != was && now != next1(was) {
			t.Errorf("at %d columns paragraph %s is first, it was %s", w, now, was)
		}
	}
}

func next1(n string) string {
	var i int
	fmt.Sscan(n, &i)
	return fmt.Sprint(i + 1)
}

// TestRandomKeys: no sequence of keys, sizes and changes makes the program
// fall, draw a wrong size, or let a byte of a feed reach the terminal.
func TestRandomKeys(t *testing.T) {
	keys := strings.Split("j k g G n N p J K } { m M A s t o y Y / & r R a D U u ? : q h Q Z 1 2 4 7 w e f x ! "+
		"] [ v i | , ctrl+n ctrl+p "+
		"enter esc tab shift+tab space backspace left right up down home end ctrl+d ctrl+u ctrl+f ctrl+b ctrl+r ctrl+c ctrl+w ctrl+k é 港", " ")
	rapid.Check(t, func(rt *rapid.T) {
		lib := newFake()
		lib.rows[1].Title = "bad \x1b[31m\x9b31m\x07\u202e title"
		lib.feeds[0].Title = "bad\x1b]0;x\x07feed"
		lib.bodies[item(1, 9)] = reader.Article{HTML: longHTML + "<p>bad \x1b]52;c;eA==\x07 &#27;[2J &#x9b;2J text</p>"}
		d := newDesk(t, lib, 80, 24, func(o *Options) {
			o.Environ, o.Config.Mouse = []string{"BROWSER=/nonexistent/browser", "SHELL=/bin/true"}, true
		})
		w, h := 80, 24
		for range rapid.IntRange(1, 60).Draw(rt, "n") {
			switch rapid.IntRange(0, 12).Draw(rt, "kind") {
			case 0:
				w, h = rapid.IntRange(0, 200).Draw(rt, "w"), rapid.IntRange(0, 60).Draw(rt, "h")
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
			case 1:
				d.send(view.ChangedMsg{})
			case 2:
				at := tea.Mouse{X: rapid.IntRange(-1, w).Draw(rt, "x"), Y: rapid.IntRange(-1, h).Draw(rt, "y"), Button: tea.MouseLeft}
				d.send(tea.MouseClickMsg(at))
				d.send(tea.MouseClickMsg(at))
				d.send(tea.MouseWheelMsg{Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(rt, "wheel")})
			default:
				d.press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			exact(rt, "random", d.screen(), w, h)
			if i := strings.IndexFunc(d.screen(), func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e }); i >= 0 {
				rt.Fatalf("a control character is on the screen: %q", d.screen()[max(0, i-20):i+20])
			}
			if rt.Failed() {
				rt.Fatal("see above")
			}
		}
	})
}

// TestActsShareATransaction: acts within a moment are sent at once, acts on
// the same item one after the other, and undo after what was before it.
func TestActsShareATransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := &countingLib{fake: newFake()}
		queue := jobs.New(t.Context(), lib, lib, time.Nanosecond)
		one, two := []reader.ItemID{item(1, 9)}, []reader.ItemID{item(3, 8)}
		cmd := queue.Add(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, IDs: one})
		for _, j := range []*jobs.Job{{Kind: jobs.Mark, Act: reader.Save, IDs: two}, {Kind: jobs.Mark, Act: reader.MarkUnread, IDs: one},
			{Kind: jobs.Undo}, {Kind: jobs.Mark, Act: reader.MarkRead, IDs: two}} {
			if queue.Add(j) != nil {
				t.Fatal("a second worker was started")
			}
		}
		msg := cmd().(jobs.Msg)
		if len(msg.Jobs) != 5 {
			t.Fatalf("%d jobs done, want 5", len(msg.Jobs))
		}
		if lib.most != 2 {
			t.Errorf("at most %d acts at once, want 2: the two of the first wave", lib.most)
		}
		if lib.row(item(1, 9)).Flags&reader.FlagRead == 0 {
			t.Error("undo did not take back the newest act, marking unread")
		}
		if lib.row(item(3, 8)).Flags&reader.FlagRead == 0 {
			t.Error("what came after undo was lost")
		}
	})
}

// countingLib counts how many acts are under way at once.
type countingLib struct {
	*fake
	count     sync.Mutex
	now, most int
}

func (c *countingLib) Mark(ctx context.Context, act reader.Act, scope string, ids []reader.ItemID, tag string) (reader.Done, error) {
	c.count.Lock()
	c.now++
	c.most = max(c.most, c.now)
	c.count.Unlock()
	time.Sleep(5 * time.Millisecond) // of synctest: all that may be under way meanwhile is
	defer func() {
		c.count.Lock()
		c.now--
		c.count.Unlock()
	}()
	return c.fake.Mark(ctx, act, scope, ids, tag)
}

// TestNothingIsLostOnLeaving: a mark followed by Q at once is kept before the
// program ends; one that fails keeps the program and says so.
func TestNothingIsLostOnLeaving(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	_, pending := d.m.Update(keyMsg("m"))
	_, leave := d.m.Update(keyMsg("Q"))
	d.run(leave)
	if !d.quit || lib.row(item(1, 9)).Flags&reader.FlagRead == 0 {
		t.Fatal("the mark was lost on leaving")
	}
	d.run(pending)
	d = newDesk(t, newFake(), 80, 24)
	d.lib.fail = reader.ErrFull
	d.m.Update(keyMsg("m"))
	_, leave = d.m.Update(keyMsg("Q"))
	d.run(leave)
	if d.quit {
		t.Fatal("left although the mark could not be kept")
	}
	d.says("The disk is full.")
}

// TestBrowserIsArgv: the browser is a list of arguments, whatever is in the
// link, and only http and https addresses reach it.
func TestBrowserIsArgv(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "argv")
	script := filepath.Join(dir, "browser")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" > '"+out+".tmp' && mv '"+out+".tmp' '"+out+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	lib := newFake()
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.Config.Browser = []string{script, "--new", "%u"} })
	d.run(d.m.OpenURL("https://a.example/$(touch x);`id`?q=1&r=2 3"))
	var got []byte
	for range 500 {
		var err error
		if got, err = os.ReadFile(out); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if want := "--new\nhttps://a.example/$(touch x);`id`?q=1&r=2 3\n"; string(got) != want {
		t.Errorf("argv %q, want %q", got, want)
	}
	for _, bad := range []string{"file:///etc/passwd", "javascript:alert(1)", "-remote", "ftp://a.example/", "https://", "", "\x1b[2J"} {
		if d.m.OpenURL(bad) != nil {
			t.Errorf("%q would be opened", bad)
		}
	}
	d = newDesk(t, lib, 80, 24)
	d.press("enter", "o")
	d.says("No browser on this machine. The link (copying may not reach your terminal, see doctor): https://kernelnotes.example/2026/block-layer")
	if len(d.sent) != 1 {
		t.Errorf("the link was not copied: %q", d.sent)
	}
}

// The library's troubles are shown in two rows at most, without the system's
// words and paths.
func TestTroubleOfTheLibraryIsASentence(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("keep what came: %w: commit: write /home/x/diurna.db: no space left on device", reader.ErrFull), "The disk is full. Nothing was changed; free some space and try again."},
		{fmt.Errorf("take off the saved: %w: open /home/x/diurna.db: permission denied", reader.ErrReadOnly), "The library cannot be written. Nothing was changed."},
	} {
		if got := view.Sentence(c.err); got != c.want {
			t.Errorf("%v is shown as %q", c.err, got)
		}
		d := newDesk(t, newFake(), 80, 24)
		d.m.Update(jobs.Msg{Jobs: []*jobs.Job{{Kind: jobs.Mark, Err: c.err, At: noon}}})
		if got := d.m.last.Last(lastrow.Notice); got == "" || len(got) > 160 || strings.Contains(got, "/home") {
			t.Errorf("taken back: %q", got)
		}
	}
}
