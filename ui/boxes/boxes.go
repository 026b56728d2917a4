// Package boxes has the box over the last row: what keys do while it is open, and the
// histories of what was typed, which are kept between sessions.
package boxes

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/notes"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// history stands before the name of a box where its history is kept.
const history = "history/"

// Boxes opens one at a time.
type Boxes struct {
	host  view.Host
	on    *stack.Stack
	notes *notes.Notes
	lines map[string][]string // that were typed, by box
}

// New gives the boxes of a screen, whose histories are still to be recalled.
func New(h view.Host, on *stack.Stack, n *notes.Notes) *Boxes {
	return &Boxes{h, on, n, make(map[string][]string)}
}

// Recall asks for the histories.
func (b *Boxes) Recall() tea.Cmd {
	var cmds []tea.Cmd
	for _, name := range []string{"find", "narrow", "command", "add", "tag", "pipe", "search"} {
		cmds = append(cmds, b.notes.Recall(history+name))
	}
	return view.Batch(cmds...)
}

// OnMsg takes in a history.
func (b *Boxes) OnMsg(_ view.Host, msg tea.Msg) tea.Cmd {
	note, _ := msg.(notes.Msg)
	if name, ok := strings.CutPrefix(note.Name, history); ok {
		b.lines[name] = append(strings.Split(string(note.Value), "\n"), b.lines[name]...)
		if b.on.Box != nil && b.on.Box.Name == name {
			b.on.Box.History = b.lines[name]
		}
	}
	return nil
}

// Ask opens a box.
func (b *Boxes) Ask(p *view.Prompt) tea.Cmd {
	p.History = b.lines[p.Name]
	b.on.Box = p
	return p.Suggest(b.host)
}

// Key handles a key while a box is open.
func (b *Boxes) Key(h view.Host, k tea.KeyPressMsg) tea.Cmd {
	p := b.on.Box
	switch key := k.String(); {
	case key == "esc" || key == "ctrl+c" || key == "ctrl+g" || key == "backspace" && len(p.Text) == 0:
		b.on.Box = nil
		if p.Left != nil {
			return p.Left(h)
		}
	case key == "enter" && !p.Checked(h):
	case key == "enter":
		text := strings.TrimSpace(p.String())
		b.on.Box = nil
		cmd := p.Do(h, text)
		if b.on.Box == p { // not understood: it stays open with the reason
			return cmd
		}
		return view.Batch(cmd, b.KeepLine(p.Name, text))
	case key == "tab" && p.Tab != nil:
		text := strings.TrimSpace(p.String())
		b.on.Box = nil
		return view.Batch(p.Tab(h, text), b.KeepLine(p.Name, text))
	case p.Complete != nil && (key == "tab" || key == "shift+tab"):
		return p.Complete(h, key != "tab")
	case p.Key(key):
		p.Wrong = ""
		p.Offer(nil, 0)
		return p.Suggest(h)
	case k.Text != "":
		p.Insert(k.Text)
		p.Wrong = ""
		p.Offer(nil, 0)
		return p.Suggest(h)
	}
	return nil
}

// Insert puts pasted text into the open box.
func (b *Boxes) Insert(h view.Host, text string) tea.Cmd {
	b.on.Box.Insert(text)
	return b.on.Box.Suggest(h)
}

// KeepLine remembers a line of a box between sessions.
func (b *Boxes) KeepLine(name, text string) tea.Cmd {
	if text == "" || name == "" {
		return nil
	}
	b.lines[name] = view.Remember(b.lines[name], text)
	return b.notes.Add(history+name, text)
}
