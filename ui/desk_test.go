package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/cells"
	"diurna/ui/theme"
)

// desk is a model at work: keys go in, commands run inline, the screen is
// read back as plain text.
type desk struct {
	t    testing.TB
	lib  *fake
	m    *model
	quit bool
	sent []string // what was asked of the terminal: clipboard texts
}

func newDesk(t testing.TB, lib *fake, w, h int, change ...func(*Options)) *desk {
	t.Helper()
	o := Options{clock: func() time.Time { return noon }, wait: time.Nanosecond, Environ: []string{}, DataDir: "~/.local/share/diurna"}
	for _, c := range change {
		c(&o)
	}
	snapshot, err := lib.Snapshot(context.Background(), firstRows)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, lib: lib, m: newModel(context.Background(), partsOf(lib), o, snapshot)}
	t.Cleanup(d.m.eff.stop)
	d.m.session.Armed = true // the clock stands still: no second passes by itself
	d.m.Scene.Th = theme.Plain(o.Config.ASCII)
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.m.View() // the first drawing tells the lists how high they are
	if !d.m.empty {
		d.run(d.m.river.Load(d.m))
	}
	return d
}

// send gives a message to Update and runs what comes of it.
func (d *desk) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.run(cmd)
	d.m.View()
}

// run carries out a command inline. Commands that wait for the world (changes,
// midnight) are never handed to it.
func (d *desk) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		if s := fmt.Sprintf("%T", msg); s == "tea.setClipboardMsg" {
			d.sent = append(d.sent, fmt.Sprint(msg))
			return
		}
		if raw, ok := msg.(tea.RawMsg); ok {
			d.sent = append(d.sent, fmt.Sprint(raw.Msg))
			return
		}
		d.send(msg)
	}
}

// special are the keys that are no text.
var special = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd, "pgdown": tea.KeyPgDown}

// press types keys, separated by blanks: "j j enter ctrl+d".
func (d *desk) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.send(keyMsg(k))
	}
}

func keyMsg(k string) tea.KeyPressMsg {
	switch {
	case special[k] != 0:
		return tea.KeyPressMsg{Code: special[k]}
	case k == "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case k == "space" || k == " ":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case len(k) == 6 && k[:5] == "ctrl+":
		return tea.KeyPressMsg{Code: rune(k[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// typeIn types a text letter by letter.
func (d *desk) typeIn(text string) {
	d.t.Helper()
	for _, r := range text {
		d.press(string(r))
	}
}

// screen is what is seen: the marks of right-to-left lines are blanks.
func (d *desk) screen() string { return cells.Isolates(d.m.View().Content, false) }

// choose goes down to the row that begins with a label.
func (d *desk) choose(label string) {
	d.t.Helper()
	for range 40 {
		for line := range strings.Lines(d.screen()) {
			if row, chosen := strings.CutPrefix(line, ">"); chosen && strings.HasPrefix(strings.TrimSpace(row), label) {
				return
			}
		}
		d.press("j")
	}
	d.t.Fatalf("no row %q:\n%s", label, d.screen())
}
