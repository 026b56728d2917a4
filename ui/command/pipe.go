package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/argv"
	"diurna/ui/outside"
	"diurna/ui/prose"
	"diurna/ui/view"
)

// | hands the text of what is chosen to a command of the user's own. The
// command is what they typed, run by their shell; nothing from a feed is ever
// part of it: the text comes on the standard input and nowhere else.

// pipedMsg brings what a command printed.
type pipedMsg struct {
	gen     uint64
	from    view.View
	command string
	out     string
	cut     bool
	err     error
}

// Library is what a pipe needs of the library.
type Library interface {
	Article(ctx context.Context, id reader.ItemID) (reader.Article, error)
	Items(ctx context.Context, ids []reader.ItemID) ([]reader.Item, error)
	Reveal(ctx context.Context, address string) (string, error)
}

// Pipe hands items to commands of the user's own.
type Pipe struct {
	screen Screen
	lib    Library
	out    *outside.Programs
}

// NewPipe makes the pipe of a screen.
func NewPipe(s Screen, lib Library, out *outside.Programs) *Pipe { return &Pipe{s, lib, out} }

// Ask opens the box.
func (p *Pipe) Ask(h view.Host) tea.Cmd {
	if len(h.Top().Rows()) == 0 {
		h.Say("| needs an item.")
		return nil
	}
	return h.Ask(&view.Prompt{Name: "pipe", Label: "| ", Do: p.Run, Says: func(_ view.Host, text string) string {
		if text == "" {
			return "Command to run (the article is its stdin)"
		}
		return "Enter runs it"
	}})
}

// Run runs a command with the text of the chosen items on its input. ^c stops
// it.
func (p *Pipe) Run(h view.Host, command string) tea.Cmd {
	rows := h.Top().Rows()
	if command == "" || len(rows) == 0 {
		return nil
	}
	ids := make([]reader.ItemID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	view.Unselect(h)
	msg := pipedMsg{gen: h.Gen(), from: h.Top(), command: command}
	h.Say("Running " + command + "  ^c stops")
	ctx, chosen := p.screen.BeginLook(msg.gen), chosenIn(h)
	return func() tea.Msg {
		values, err := p.values(ctx, chosen)
		if err != nil {
			msg.err = err
			return msg
		}
		var text strings.Builder
		for i, id := range ids {
			art, err := p.lib.Article(ctx, id)
			if err != nil {
				msg.err = err
				return msg
			}
			if i > 0 {
				text.WriteString("\n\n")
			}
			text.WriteString(asText(&art))
		}
		msg.out, msg.cut, msg.err = p.out.Run(ctx, command, text.String(), values)
		return msg
	}
}

// chosen is the item that a command gets.
type chosen struct {
	id   reader.ItemID // 0: no item
	feed string
	link string // the one that is chosen in an article; "": the item's own
}

func chosenIn(h view.Host) chosen {
	r := h.Top().Row()
	if r == nil {
		return chosen{}
	}
	c := chosen{id: r.ID, feed: h.Screen().FeedTitle(r.ID.Feed())}
	if o, ok := h.Top().(view.Opened); ok {
		c.link, _, _ = o.Link()
	}
	return c
}

// values asks the library for the facts that a command gets.
func (p *Pipe) values(ctx context.Context, c chosen) (argv.Values, error) {
	if c.id == 0 {
		return argv.Values{}, nil
	}
	items, err := p.lib.Items(ctx, []reader.ItemID{c.id})
	if err != nil || len(items) == 0 {
		return argv.Values{}, err
	}
	v := argv.Values{URL: cmp.Or(c.link, items[0].Address()), Title: view.TitleOf(items[0].Title), Feed: c.feed}
	v.URL, err = p.lib.Reveal(ctx, v.URL)
	return v, err
}

// Failed reports whether a macro ends with it.
func (m startMsg) Failed() bool { return m.err != nil }
func (m pipedMsg) Failed() bool { return m.err != nil }

// Start starts a program of a macro with values of what is chosen.
func (p *Pipe) Start(h view.Host, words []string) tea.Cmd {
	chosen, ctx := chosenIn(h), h.Life()
	msg := startMsg{name: words[0]}
	return func() tea.Msg {
		values, err := p.values(ctx, chosen)
		if err != nil {
			msg.err = err
			return msg
		}
		filled := false
		msg.argv, filled, msg.err = values.Fill(words)
		if filled && chosen.id == 0 {
			msg.err = errNoItem
		}
		return msg
	}
}

var errNoItem = errors.New("no item is chosen")

// startMsg brings a program to be started: it may take the terminal, which is the
// event loop's to give.
type startMsg struct {
	name string
	argv []string
	err  error
}

// started starts it, or says why not.
func (p *Pipe) started(h view.Host, msg *startMsg) tea.Cmd {
	if msg.err != nil {
		h.Say(msg.name + " was not started: " + msg.err.Error() + ".")
		return nil
	}
	return p.out.Start(msg.argv)
}

// OnMsg shows what a command printed: in the pager, or on a sheet.
func (p *Pipe) OnMsg(h view.Host, m tea.Msg) tea.Cmd {
	if start, ok := m.(startMsg); ok {
		return p.started(h, &start)
	}
	msg, ok := m.(pipedMsg)
	if !ok || !p.screen.EndLook(msg.gen) {
		return nil // it was stopped, or something else was asked instead
	}
	say := msg.command + " finished."
	var exit *exec.ExitError
	switch {
	case errors.As(msg.err, &exit):
		say = fmt.Sprintf("%s exited with %d.", msg.command, exit.ExitCode())
	case msg.err != nil:
		say = view.Sentence(msg.err)
	}
	h.Say(say)
	rows := Rows(msg.out, msg.cut)
	if len(rows) == 0 {
		return nil
	}
	if argv := strings.Fields(p.screen.Env("PAGER")); len(argv) > 0 && h.IsTop(msg.from) {
		if _, err := exec.LookPath(argv[0]); err == nil {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Stdin = strings.NewReader(msg.out)
			return p.out.TakeTerminal(cmd, func(error) tea.Msg { return nil })
		}
	}
	Lay(h, p.screen, msg.from, "| "+msg.command, rows, say)
	return nil
}

// asText is an item as a command gets it: title, link, text.
func asText(a *reader.Article) string {
	page := prose.Layout{Width: view.DefaultWidth, Signs: true, WholeCode: true}.Render(a.Whole())
	return prose.Isolated(view.TitleOr(a.Title, a.Lead)) + "\n" + a.Feed + "\n" + a.Link + "\n\n" + page.Text()
}
