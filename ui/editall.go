package ui

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/lastrow"
	"diurna/ui/view"
)

// E: all feeds as text in the user's own editor, the difference applied as
// one step. The editor is a list of arguments, never a line for a shell.

// draft is a text of feeds on its way through the editor.
type draft struct {
	path string
	was  []byte // as it was written
}

// draftMsg brings the text to edit; editedMsg says that the editor ended;
// appliedMsg what became of it.
type (
	draftMsg struct {
		gen   uint64
		draft *draft
		err   error
	}
	editedMsg struct {
		draft *draft
		err   error
	}
	appliedMsg struct {
		draft  *draft
		report reader.EditReport
		same   bool
		err    error
	}
)

// editAll opens the text; one that could not be applied before is opened again
// as it was left.
func (m *model) editAll() tea.Cmd {
	if len(m.eff.out.Editor()) == 0 {
		m.Say("No editor is known here: VISUAL or EDITOR names one.")
		return nil
	}
	if d := m.draft; d != nil {
		m.draft = nil
		return m.eff.edit(m.eff.out.Editor(), d)
	}
	return m.eff.draft(m.Wonder())
}

func (m *model) gotEdit(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case draftMsg:
		if msg.err != nil {
			m.Say(view.Sentence(msg.err))
			return nil
		}
		if !m.Answers(msg.gen) { // keys that are meant for the screen must not reach an editor
			msg.draft.drop()
			return nil
		}
		return m.eff.edit(m.eff.out.Editor(), msg.draft)
	case editedMsg:
		if msg.err != nil {
			msg.draft.drop()
			m.Say(view.Sentence(fmt.Errorf("the editor ended with an error (%w); nothing was changed", msg.err)))
			return nil
		}
		return m.eff.apply(msg.draft)
	case appliedMsg:
		return m.gotApplied(msg)
	}
	return nil
}

func (m *model) gotApplied(msg appliedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.draft = msg.draft // what was typed is not lost
		m.Say(view.Sentence(msg.err) + " E opens the text again.")
		return nil
	case msg.same || msg.report.Step == 0:
		m.Say("Nothing was changed.")
		return nil
	}
	r := &msg.report
	m.Say(fmt.Sprintf("Feeds: %s added, %s removed, %s moved, %s changed. u undoes.",
		wording.Count(r.Added), wording.Count(r.Removed), wording.Count(r.Moved), wording.Count(r.Changed)))
	cmd := m.reloadAll()
	if len(r.New) > 0 && m.runCh == nil {
		said := m.last.Last(lastrow.Message)
		cmd = view.Batch(cmd, m.fetch(reader.FetchRequest{Feeds: r.New}))
		m.Say(said)
	}
	return cmd
}

// drop removes the text from the disk.
func (d *draft) drop() { os.RemoveAll(filepath.Dir(d.path)) }

// draft writes all feeds as text, where only their reader may see it.
func (e *effects) draft(gen uint64) tea.Cmd {
	return func() tea.Msg {
		text, err := e.lib.Subscriptions.EditText(e.ctx)
		if err != nil {
			return draftMsg{err: err}
		}
		dir, err := os.MkdirTemp("", "diurna-")
		if err != nil {
			return draftMsg{err: fmt.Errorf("write the text: %w", err)}
		}
		d := &draft{filepath.Join(dir, "urls"), text}
		if err := os.WriteFile(d.path, text, 0o600); err != nil {
			d.drop()
			return draftMsg{err: fmt.Errorf("write the text: %w", err)}
		}
		return draftMsg{gen: gen, draft: d}
	}
}

// edit hands the terminal to the editor until it ends.
func (e *effects) edit(argv []string, d *draft) tea.Cmd {
	cmd := exec.Command(argv[0], append(argv[1:len(argv):len(argv)], d.path)...)
	return e.out.TakeTerminal(cmd, func(err error) tea.Msg { return editedMsg{d, err} })
}

// apply makes the feeds what the edited text says.
func (e *effects) apply(d *draft) tea.Cmd {
	return func() tea.Msg {
		text, err := readSmall(d.path)
		if err != nil {
			return appliedMsg{draft: d, err: err}
		}
		if bytes.Equal(text, d.was) {
			d.drop()
			return appliedMsg{same: true}
		}
		report, err := e.lib.Subscriptions.ApplyEdit(e.ctx, text, time.Now())
		if err == nil {
			d.drop()
		}
		return appliedMsg{draft: d, report: report, err: err}
	}
}

// readSmall reads a regular file that is no larger than a subscription list.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		return nil, fmt.Errorf("%s: %w", path, pe.Err) // without the name of the call
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxList {
		return nil, errors.New(path + " is not a subscription list")
	}
	return os.ReadFile(path)
}
