package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/keymap"
	"diurna/ui/lastrow"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// The linear form, for screen readers, line printers and terminals that cannot
// address the cursor: a key or a word a line goes in, sentences come out, and
// nothing that was printed is ever changed. It is the same model with the same
// keys; only the drawing differs.

// teller is the screen as sentences.
type teller struct {
	m    *model
	in   *bufio.Scanner
	out  io.Writer
	err  error
	last string // what was said of the place
	told string // the rows of a page that was told whole, none of them chosen
	quit bool
}

// speak runs the linear form until the user leaves or the input ends.
func speak(ctx context.Context, m *model, in io.Reader, out io.Writer) error {
	m.Th = theme.Plain(m.Cfg.ASCII)
	m.W, m.H = view.LinearWidth+8, 24
	m.eff.calm, m.eff.out.Calm = true, true
	t := &teller{m: m, in: bufio.NewScanner(in), out: out}
	t.run(m.begin())
	t.run(m.eff.recall(placeName))
	if !m.empty {
		t.run(m.river.Load(m))
	}
	t.run(m.eff.opening())
	t.tell()
	if fresh := m.last.Last(lastrow.Freshness); fresh != "" {
		t.say(fresh)
	}
	t.say("? for keys, Enter opens.")
	for !t.quit && t.err == nil && ctx.Err() == nil {
		line, ok := t.ask(t.label())
		if !ok {
			m.eff.keepPlace(m.present())
			break
		}
		t.news()
		t.do(line)
		t.tell()
	}
	return t.err
}

// label is what stands before the cursor: the name of the box that is open.
func (t *teller) label() string {
	if p := t.m.prompt; p != nil {
		return strings.TrimSpace(p.Label) + " "
	}
	if b := t.m.addBox(); b != nil && b.Typing() {
		return "address: "
	}
	return "> "
}

func (t *teller) ask(label string) (string, bool) {
	t.print(label)
	if !t.in.Scan() {
		return "", false
	}
	return strings.TrimSpace(t.in.Text()), true
}

func (t *teller) print(s string) {
	if _, err := io.WriteString(t.out, s); err != nil && t.err == nil {
		t.err = err
	}
}

// say prints text in lines.
func (t *teller) say(text string) {
	for _, l := range t.m.Wrap(text, 0, view.LinearWidth) {
		t.print(strings.TrimRight(l, " ") + "\n")
	}
}

// news takes in what came while nobody typed.
func (t *teller) news() {
	for {
		select {
		case <-t.m.eff.lib.Changes():
			t.run(t.m.gotNews(view.ChangedMsg{}))
		case <-t.m.eff.seen:
			t.run(t.m.gotNews(view.ChangedMsg{}))
		case msg := <-t.m.eff.duty.News:
			t.m.gotRound(msg)
			t.tellMessage()
		default:
			return
		}
	}
}

// do does what a line asks: the text of an open box, a key, or a key with its
// text behind it.
func (t *teller) do(line string) {
	m := t.m
	box := m.addBox()
	adding := box != nil
	switch {
	case m.prompt != nil:
		m.prompt.Set(line)
		t.press("enter")
	case adding && box.Typing() && line == "" && box.Offers():
		t.press("enter") // what the sentence above says of Enter
	case adding && box.Typing() && line == "":
		t.press("esc")
	case adding && box.Typing():
		box.Set(line)
		t.press("enter")
	case line == "":
		t.press("enter")
	case strings.ContainsAny(line[:1], ":/&|") && len(line) > 1:
		t.press(line[:1])
		if m.prompt != nil {
			m.prompt.Set(strings.TrimSpace(line[1:]))
			t.press("enter")
		}
	default:
		if word, rest, _ := strings.Cut(line, " "); rest != "" && m.line.Takes(word) {
			t.run(m.look())
			t.run(m.line.Do(m, line))
			return
		}
		t.keys(line)
	}
}

// keys presses a key by its name or its word, or the keys of a line with blanks between.
func (t *teller) keys(line string) {
	if strings.Trim(line, "0123456789") == "" {
		for _, digit := range line {
			t.press(string(digit))
		}
		return
	}
	for _, word := range strings.Fields(line) {
		key, ok := keymap.Named(word)
		if own := strings.ToLower(word); !ok && t.m.line.Own(own) {
			t.run(t.m.look())
			t.run(t.m.line.Do(t.m, own))
			continue
		}
		if !ok {
			t.m.Say(fmt.Sprintf("%q is no key. ? lists them; open, next, read, save, back, help, quit, :command and /word work too.", word))
			return
		}
		t.press(key)
	}
}

func (t *teller) press(key string) {
	t.run(t.m.look())
	t.run(t.m.press(keymap.Press(key)))
}

// run carries out a command and what comes of it, one after the other.
func (t *teller) run(cmd tea.Cmd) {
	if cmd == nil || t.quit {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		t.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			t.run(c)
		}
	default:
		_, next := t.m.Update(msg)
		t.run(next)
	}
}

func (t *teller) tellMessage() {
	for _, said := range t.m.last.Take() {
		t.say(said)
	}
}

// addressAsked stands for the add box as a place: what is typed in it is no
// other place.
const addressAsked = "address"

// tell prints the message, and where the reader is if that changed.
func (t *teller) tell() {
	if t.quit {
		return
	}
	m := t.m
	t.run(m.lists.Leads(m, m.Top().Rows()))
	said := m.last.Has(lastrow.Message) || m.last.Has(lastrow.Notice) || m.last.Has(lastrow.Question)
	t.tellMessage()
	if p := m.prompt; p != nil {
		if p.Wrong != "" {
			t.say(p.Wrong)
		}
		return
	}
	if b := m.addBox(); b != nil && b.Typing() {
		if b.Wrong() != "" && t.last == addressAsked {
			t.say(b.Wrong())
			return
		}
		defer func() {
			t.last = addressAsked
			t.say("A line is an address; an empty one leaves the box.")
		}()
	}
	now := t.place()
	if now == t.last && said {
		return
	}
	t.last = now
	for _, line := range strings.Split(now, "\n") {
		t.print(line + "\n")
	}
}

// place is where the reader is, in words.
func (t *teller) place() string {
	m, told := t.m, t.told
	t.told = ""
	if l, ok := m.Top().(view.Speaker); ok {
		return l.Speak(&m.Scene)
	}
	left, _ := m.Top().Title(&m.Scene, view.LinearWidth)
	lines := append([]string{left}, m.Top().Lines(&m.Scene, view.LinearWidth, 400)...)
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	t.told = told // still the one in front, if it is the same
	return t.rows(squeezed(view.TrimAll(lines)))
}

// rows tells the rows of a page; when they were told just now and only the
// choice among them moved, no more than the chosen one.
func (t *teller) rows(lines []string) string {
	whole, chosen := strings.Join(lines, "\n"), ""
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, ">"); ok {
			lines[i], chosen = " "+rest, l
		}
	}
	was := t.told
	if t.told = strings.Join(lines, "\n"); chosen != "" && t.told == was {
		return chosen
	}
	return whole
}

// squeezed leaves one of several blank lines: what a screen spreads over its
// height is read one after the other here.
func squeezed(lines []string) []string {
	var kept []string
	for i, l := range lines {
		if l != "" || i == 0 || lines[i-1] != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// runLinear is Run without a screen.
func runLinear(ctx context.Context, r Library, o Options, shelf reader.Shelf) error {
	m := newModel(ctx, r, o, shelf)
	if o.Watch != nil && !shelf.Empty {
		m.eff.seen, _ = o.Watch(ctx)
	}
	in, out := o.In, o.Out
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	if m.eff.halt = o.Stop; o.Stop != nil {
		go m.eff.duty.ObeyStops(o.Stops, m.eff.out.Lent, o.Stop, nil)
	}
	err := speak(ctx, m, in, out)
	m.eff.duty.Stop()
	lost := m.eff.queue.Drain()
	m.eff.stop()
	switch {
	case err != nil:
		return err
	case len(lost) > 0:
		return lost[0].Err
	case m.demo:
		return ErrDemo
	}
	return m.farewell()
}
