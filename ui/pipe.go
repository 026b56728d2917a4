package ui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/prose"
	"diurna/ui/view"
)

// | hands the text of what is chosen to a command of the person's own. The
// command is what they typed, run by their shell; nothing from a feed is ever
// part of it: the text comes on the standard input and nowhere else.

// pipedMsg brings what a command printed.
type pipedMsg struct {
	gen     uint64
	command string
	out     string
	cut     bool
	err     error
}

func (m *model) askPipe() tea.Cmd {
	if len(m.Top().Rows()) == 0 {
		m.Say("| needs an item.")
		return nil
	}
	return m.Ask(&view.Prompt{Name: "pipe", Label: "| ", Do: with((*model).pipe), Says: func(_ view.Host, text string) string {
		if text == "" {
			return "a command; the text comes on its input"
		}
		return "Enter runs it"
	}})
}

// pipe runs a command with the text of the chosen items on its input. ^c stops
// it.
func (m *model) pipe(command string) tea.Cmd {
	rows := m.Top().Rows()
	if command == "" || len(rows) == 0 {
		return nil
	}
	ids := make([]reader.ItemID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	m.unselect()
	gen := m.Gen()
	m.Say("Running " + command + "  ^c stops")
	return m.eff.pipe(m.BeginLook(gen), gen, command, ids)
}

// gotPiped shows what a command printed: in the pager, or on a sheet.
func (m *model) gotPiped(msg pipedMsg) tea.Cmd {
	if !m.EndLook(msg.gen) {
		return nil // it was stopped, or something else was asked instead
	}
	var exit *exec.ExitError
	switch {
	case errors.As(msg.err, &exit):
		m.Say(fmt.Sprintf("%s ended with %d.", msg.command, exit.ExitCode()))
	case msg.err != nil:
		m.Say(view.Sentence(msg.err))
	default:
		m.Say(msg.command + " is done.")
	}
	if strings.TrimSpace(msg.out) == "" {
		return nil
	}
	from := m.looking.from
	if argv := strings.Fields(m.Env("PAGER")); len(argv) > 0 && m.IsTop(from) {
		if _, err := exec.LookPath(argv[0]); err == nil {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Stdin = strings.NewReader(msg.out)
			return m.eff.out.TakeTerminal(cmd, func(error) tea.Msg { return nil })
		}
	}
	rows := strings.SplitN(strings.TrimRight(msg.out, "\n"), "\n", maxSheet+1)
	if len(rows) > maxSheet || msg.cut {
		rows = append(rows[:min(len(rows), maxSheet)], "", "(and more, which is not shown)")
	}
	// Who has gone on finds it on the way back.
	if box := m.Top() == from && !m.IsTop(from); box || !m.layOver(from, view.NewSheet("| "+msg.command, rows)) {
		m.Say(fmt.Sprintf("%s What it printed is not shown: %s.", m.message, wording.Plural(len(rows), "line")))
	}
	return nil
}

// maxSheet is how many lines of what a command prints a sheet shows.
const maxSheet = 20_000

// pipe writes the text of items to a command and gathers what it prints.
func (e *effects) pipe(ctx context.Context, gen uint64, command string, ids []reader.ItemID) tea.Cmd {
	return func() tea.Msg {
		msg := pipedMsg{gen: gen, command: command}
		var text strings.Builder
		for i, id := range ids {
			art, err := e.lib.Article(ctx, id)
			if err != nil {
				msg.err = err
				return msg
			}
			if i > 0 {
				text.WriteString("\n\n")
			}
			text.WriteString(asText(&art))
		}
		msg.out, msg.cut, msg.err = e.out.Run(ctx, command, text.String())
		return msg
	}
}

// asText is an item as a command gets it: title, link, text.
func asText(a *reader.Article) string {
	page := prose.Layout{Width: view.DefaultWidth, Signs: true, WholeCode: true}.Render(a.HTML, a.Base)
	return prose.Isolated(view.TitleOf(a.Title)) + "\n" + a.Feed + "\n" + a.Link + "\n\n" + page.Text()
}
