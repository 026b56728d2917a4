// Package linear is the screen for screen readers, line printers and terminals that
// cannot address the cursor: a key or a word per line goes in, sentences come out, and
// nothing that was printed is ever changed. The keys and the views are those of the
// screen; only the drawing differs.
package linear

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/add"
	"diurna/ui/keymap"
	"diurna/ui/view"
)

// Screen is what the linear form needs of the screen.
type Screen interface {
	Update(msg tea.Msg) (tea.Model, tea.Cmd)
	Screen() *view.Scene
	Top() view.View
	Say(sentence string)
	// Prompt is the box that is open, Box the one for an address; nil: none.
	Prompt() *view.Prompt
	Box() *add.Box
	// Look notes that the reader is here. Press does what a key means.
	Look() tea.Cmd
	Press(key tea.KeyPressMsg) tea.Cmd
	// Takes reports whether a word begins a command, Own whether it is one of the
	// screen's own; Do does a line of them.
	Takes(word string) bool
	Own(word string) bool
	Do(line string) tea.Cmd
	// News is what came while nobody typed, and whether it is said before the next line
	// is done; some is false when there is nothing more.
	News() (cmd tea.Cmd, tell, some bool)
	// Leads asks for the first words of what is chosen.
	Leads() tea.Cmd
	// Answers reports whether a sentence answers the last key. Said takes all that stand
	// in the last row.
	Answered() bool
	Said() []string
}

// Printer prints a screen in sentences.
type Printer struct {
	m       Screen
	in      *bufio.Scanner
	out     io.Writer
	err     error
	last    string // what was said of the place
	printed string // the rows of a page that was printed whole, none of them chosen
	quit    bool
}

// New tells a screen on out, and reads what is to be done from in.
func New(m Screen, in io.Reader, out io.Writer) *Printer {
	return &Printer{m: m, in: bufio.NewScanner(in), out: out}
}

// Loop reads lines and tells what comes of them until the user leaves, ctx ends or the
// input does; left is false then. fresh is said
// after the place at first.
func (t *Printer) Loop(ctx context.Context, fresh func() string) (left bool, err error) {
	t.tell()
	if say := fresh(); say != "" {
		t.say(say)
	}
	t.say("? for keys, Enter opens.")
	for !t.quit && t.err == nil && ctx.Err() == nil {
		line, ok := t.ask(t.label())
		if !ok {
			return false, t.err
		}
		t.news()
		t.do(line)
		t.tell()
	}
	return true, t.err
}

// label is what stands before the cursor: the name of the box that is open.
func (t *Printer) label() string {
	if p := t.m.Prompt(); p != nil {
		return strings.TrimSpace(p.Label) + " "
	}
	if b := t.m.Box(); b != nil && b.Typing() {
		return "address: "
	}
	return "> "
}

func (t *Printer) ask(label string) (string, bool) {
	t.print(label)
	if !t.in.Scan() {
		return "", false
	}
	return strings.TrimSpace(t.in.Text()), true
}

func (t *Printer) print(s string) {
	if _, err := io.WriteString(t.out, s); err != nil && t.err == nil {
		t.err = err
	}
}

// say prints text in lines.
func (t *Printer) say(text string) {
	for _, l := range t.m.Screen().Wrap(text, 0, view.LinearWidth) {
		t.print(strings.TrimRight(l, " ") + "\n")
	}
}

// news takes in what came while nobody typed.
func (t *Printer) news() {
	for {
		cmd, tell, some := t.m.News()
		if !some {
			return
		}
		t.Run(cmd)
		if tell {
			t.printMessage()
		}
	}
}

// do does what a line asks: the text of an open box, a key, or a key with its
// text behind it.
func (t *Printer) do(line string) {
	m := t.m
	box := m.Box()
	adding := box != nil
	switch {
	case m.Prompt() != nil:
		m.Prompt().Set(line)
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
		if m.Prompt() != nil {
			m.Prompt().Set(strings.TrimSpace(line[1:]))
			t.press("enter")
		}
	default:
		if word, rest, _ := strings.Cut(line, " "); rest != "" && m.Takes(word) {
			t.Run(m.Look())
			t.Run(m.Do(line))
			return
		}
		t.keys(line)
	}
}

// keys presses a key by its name or its word, or the keys of a line with blanks between.
func (t *Printer) keys(line string) {
	if strings.Trim(line, "0123456789") == "" {
		for _, digit := range line {
			t.press(string(digit))
		}
		return
	}
	for _, word := range strings.Fields(line) {
		key, ok := keymap.Named(word)
		if own := strings.ToLower(word); !ok && t.m.Own(own) {
			t.Run(t.m.Look())
			t.Run(t.m.Do(own))
			continue
		}
		if !ok {
			t.m.Say(fmt.Sprintf("%q is not a key. ? lists them; open, next, read, save, back, help, quit, :command and /word work too.", word))
			return
		}
		t.press(key)
	}
}

func (t *Printer) press(key string) {
	t.Run(t.m.Look())
	t.Run(t.m.Press(keymap.Press(key)))
}

// Run carries out a command and what comes of it, one after the other.
func (t *Printer) Run(cmd tea.Cmd) {
	if cmd == nil || t.quit {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		t.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			t.Run(c)
		}
	default:
		_, next := t.m.Update(msg)
		t.Run(next)
	}
}

func (t *Printer) printMessage() {
	for _, said := range t.m.Said() {
		t.say(said)
	}
}

// addressAsked stands for the add box as a place: what is typed in it is no
// other place.
const addressAsked = "address"

// tell prints the message, and where the reader is if that changed.
func (t *Printer) tell() {
	if t.quit {
		return
	}
	m := t.m
	t.Run(m.Leads())
	said := m.Answered()
	t.printMessage()
	if p := m.Prompt(); p != nil {
		if p.Wrong != "" {
			t.say(p.Wrong)
		}
		return
	}
	if b := m.Box(); b != nil && b.Typing() {
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
func (t *Printer) place() string {
	m, printed := t.m, t.printed
	t.printed = ""
	if l, ok := m.Top().(view.Speaker); ok {
		return l.Speak(m.Screen())
	}
	left, _ := m.Top().Title(m.Screen(), view.LinearWidth)
	lines := append([]string{left}, m.Top().Lines(m.Screen(), view.LinearWidth, 400)...)
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	t.printed = printed // still the one in front, if it is the same
	return t.rows(squeezed(view.TrimAll(lines)))
}

// rows prints the rows of a page; when they were printed just now and only the
// choice among them moved, no more than the chosen one.
func (t *Printer) rows(lines []string) string {
	whole, chosen := strings.Join(lines, "\n"), ""
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, ">"); ok {
			lines[i], chosen = " "+rest, l
		}
	}
	was := t.printed
	if t.printed = strings.Join(lines, "\n"); chosen != "" && t.printed == was {
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
