// Package editall has all feeds edited as text in the user's own editor; the difference
// is applied as one step. The editor is a list of arguments, never a line for a shell.
package editall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/outside"
	"diurna/ui/view"
)

// Library is what an Editor needs of *subscriptions.Lists.
type Library interface {
	EditText(ctx context.Context) ([]byte, error)
	ApplyEdit(ctx context.Context, text []byte, now time.Time) (reader.EditReport, error)
}

// Fetches is told what became of the feeds, and fetches new ones.
type Fetches interface {
	Edited(h view.Host, r *reader.EditReport) tea.Cmd
}

// Editor takes the feeds through the user's editor.
type Editor struct {
	ctx  context.Context
	lib  Library
	out  *outside.Programs
	next Fetches
	Left *Draft // a text that could not be applied yet; nil: none
}

// New is an Editor that has not begun.
func New(ctx context.Context, lib Library, out *outside.Programs, next Fetches) *Editor {
	return &Editor{ctx: ctx, lib: lib, out: out, next: next}
}

// Draft is a text of feeds on its way through the editor.
type Draft struct {
	Path string
	was  []byte // as it was written
}

// DraftMsg brings the text to edit; EditedMsg says that the editor ended;
// appliedMsg what became of it.
type (
	DraftMsg struct {
		gen   uint64
		Draft *Draft
		Err   error
	}
	EditedMsg struct {
		Draft *Draft
		Err   error
	}
	appliedMsg struct {
		Draft  *Draft
		report reader.EditReport
		same   bool
		Err    error
	}
)

// Open opens the text; one that could not be applied before is opened again
// as it was left.
func (e *Editor) Open(h view.Host) tea.Cmd {
	if len(e.out.Editor()) == 0 {
		h.Say("No editor is known here: VISUAL or EDITOR names one.")
		return nil
	}
	if d := e.Left; d != nil {
		e.Left = nil
		return e.edit(d)
	}
	return e.draft(h.Wonder())
}

// OnMsg takes in what the text and the editor became.
func (e *Editor) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case DraftMsg:
		if msg.Err != nil {
			h.Say(view.Sentence(msg.Err))
			return nil
		}
		if !h.Answers(msg.gen) { // keys that are meant for the screen must not reach an editor
			msg.Draft.drop()
			return nil
		}
		return e.edit(msg.Draft)
	case EditedMsg:
		if msg.Err != nil {
			msg.Draft.drop()
			h.Say(view.Sentence(fmt.Errorf("the editor ended with an error (%w); nothing was changed", msg.Err)))
			return nil
		}
		return e.apply(msg.Draft)
	case appliedMsg:
		switch {
		case msg.Err != nil:
			e.Left = msg.Draft // what was typed is not lost
			h.Say(view.Sentence(msg.Err) + " E opens the text again.")
		case msg.same || msg.report.Step == 0:
			h.Say("Nothing was changed.")
		default:
			return e.next.Edited(h, &msg.report)
		}
	}
	return nil
}

// drop removes the text from the disk.
func (d *Draft) drop() { os.RemoveAll(filepath.Dir(d.Path)) }

// draft writes all feeds as text, where only their reader may see it.
func (e *Editor) draft(gen uint64) tea.Cmd {
	return func() tea.Msg {
		text, err := e.lib.EditText(e.ctx)
		if err != nil {
			return DraftMsg{Err: err}
		}
		dir, err := os.MkdirTemp("", "diurna-")
		if err != nil {
			return DraftMsg{Err: fmt.Errorf("write the text: %w", err)}
		}
		d := &Draft{filepath.Join(dir, "urls"), text}
		if err := os.WriteFile(d.Path, text, 0o600); err != nil {
			d.drop()
			return DraftMsg{Err: fmt.Errorf("write the text: %w", err)}
		}
		return DraftMsg{gen: gen, Draft: d}
	}
}

// edit hands the terminal to the editor until it ends.
func (e *Editor) edit(d *Draft) tea.Cmd {
	argv := e.out.Editor()
	cmd := exec.Command(argv[0], append(argv[1:len(argv):len(argv)], d.Path)...)
	return e.out.TakeTerminal(cmd, func(err error) tea.Msg { return EditedMsg{d, err} })
}

// apply makes the feeds what the edited text says.
func (e *Editor) apply(d *Draft) tea.Cmd {
	return func() tea.Msg {
		text, err := ReadSmall(d.Path)
		if err != nil {
			return appliedMsg{Draft: d, Err: err}
		}
		if bytes.Equal(text, d.was) {
			d.drop()
			return appliedMsg{same: true}
		}
		report, err := e.lib.ApplyEdit(e.ctx, text, time.Now())
		if err == nil {
			d.drop()
		}
		return appliedMsg{Draft: d, report: report, Err: err}
	}
}

// maxList is the longest subscription list that is read into memory.
const maxList = 32 << 20

// ReadSmall reads a regular file that is no larger than a subscription list.
func ReadSmall(path string) ([]byte, error) {
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
