// Package history is the view of what was done, where one step is taken back whatever
// was done since. Open shows it, Keys is what its keys do.
package history

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// Library is what the view asks of the library.
type Library interface {
	Steps(ctx context.Context, limit int) ([]reader.Step, error)
}

// Program takes back a step by its number, in turn with what else is done.
type Program interface {
	UndoStep(no uint64) tea.Cmd
}

// stepsMsg brings the steps.
type stepsMsg struct {
	gen   uint64
	steps []reader.Step
	err   error
}

// Open shows what was done.
func Open(m view.Host, lib Library, prog Program) tea.Cmd {
	h := &View{lib: lib, prog: prog}
	cmd := h.load(m)
	m.Push(h)
	return cmd
}

// Keys are what keys do on a step alone.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right", "undo this step", "undo revert", view.On((*View).undo)),
	}
}

// load asks for the newest steps.
func (h *View) load(m view.Host) tea.Cmd {
	h.gen = m.Gen()
	gen := h.gen
	return func() tea.Msg {
		steps, err := h.lib.Steps(m.Life(), 500)
		return stepsMsg{gen, steps, err}
	}
}

// undo takes back the one step that is chosen.
func (h *View) undo(m view.Host) tea.Cmd {
	if h.List.N == 0 {
		return nil
	}
	st := &h.steps[h.List.Cur]
	if st.Undone {
		m.Say("This step is already undone.")
		return nil
	}
	return h.prog.UndoStep(st.No)
}

// View is the list of what was done, newest first.
type View struct {
	lib  Library
	prog Program
	view.Listing
	steps []reader.Step
	ready bool
	gen   uint64
}

func (h *View) Context() view.Context { return view.CtxSteps }

func (h *View) Title(*view.Scene, int) (string, string) { return "What was done", "" }

func (h *View) Lines(s *view.Scene, w, high int) []string {
	h.FitTo(high)
	if h.ready && len(h.steps) == 0 {
		return s.Fill([]string{s.Th.Fit("", w), s.Th.Fit(" There is nothing to undo yet.", w)}, w, high)
	}
	lines := make([]string, 0, high)
	for i := h.List.Top; i < len(h.steps) && len(lines) < high; i++ {
		st := &h.steps[i]
		pointer, taken := " ", ""
		if i == h.List.Cur {
			pointer = s.Th.In(s.Th.Pointer, ">")
		}
		if st.Undone {
			taken = " (taken back)"
		}
		// A long name gives way to what became of the step.
		what := s.Th.Measure.Cut(st.What, max(0, w-18-len(taken)))
		lines = append(lines, s.Th.Row(pointer+s.Th.Fit(" "+s.Th.Fit(view.Stamp(st.At, s.Now), 16)+what+taken, w-1), i == h.List.Cur))
	}
	return s.Fill(lines, w, high)
}

func (h *View) Status(*view.Scene, int) view.Status {
	if h.List.N == 0 {
		return view.Status{Keys: []string{"q back", "?"}}
	}
	if h.steps[h.List.Cur].Undone {
		return view.Status{State: "taken back", Keys: []string{"j k choose", "q back", "?"}}
	}
	return view.Status{Keys: []string{"Enter undoes this step", "j k choose", "q back", "?"}}
}

// Click chooses a step; no second click takes it back.
func (h *View) Click(m view.Host, x, y int) int {
	h.Listing.Click(m, x, y)
	return -1
}

// OnMsg takes in the steps, and asks again when one was taken back.
func (h *View) OnMsg(m view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case view.SettingMsg:
		if msg.Undone {
			return h.load(m)
		}
	case stepsMsg:
		if msg.gen != h.gen || h.gen == 0 {
			return nil
		}
		if msg.err != nil {
			m.Say(view.Sentence(msg.err))
		}
		h.steps, h.ready = msg.steps, true
		h.List.N = len(h.steps)
		h.GoRow(h.List.Cur)
	}
	return nil
}
