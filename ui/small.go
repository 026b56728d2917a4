package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// history is the list of what was done, newest first.
type history struct {
	view.Listing
	steps []reader.Step
	ready bool
	gen   uint64
}

func (h *history) Context() view.Context { return view.CtxSteps }

func (h *history) Title(*view.Scene, int) (string, string) { return "What was done", "" }

func (h *history) Lines(s *view.Scene, w, high int) []string {
	h.FitTo(high)
	if h.ready && len(h.steps) == 0 {
		return s.Fill([]string{s.Th.Fit("", w), s.Th.Fit(" Nothing was done yet that could be taken back.", w)}, w, high)
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
		lines = append(lines, pointer+s.Th.Fit(" "+s.Th.Fit(view.Stamp(st.At, s.Now), 16)+what+taken, w-1))
	}
	return s.Fill(lines, w, high)
}

func (h *history) Status(*view.Scene, int) (string, []string) {
	if h.List.N == 0 {
		return "", []string{"q back", "?"}
	}
	if h.steps[h.List.Cur].Undone {
		return "taken back", []string{"j k choose", "q back", "?"}
	}
	return "", []string{"Enter takes back this step", "j k choose", "q back", "?"}
}

// got takes in the steps, and asks again when one was taken back.
func (h *history) Got(m view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case view.SettingMsg:
		if msg.Undone {
			h.gen = m.Gen()
			return of(m).eff.steps(h.gen)
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

// files is the list of an item's enclosures.
type files struct {
	view.Listing
	of    string
	files []reader.Enclosure
}

func (f *files) Context() view.Context { return view.CtxFiles }

func (f *files) Title(*view.Scene, int) (string, string) {
	return "Enclosures: " + f.of, wording.Plural(len(f.files), "file")
}

func (f *files) Lines(s *view.Scene, w, h int) []string {
	f.FitTo(h)
	lines := make([]string, 0, h)
	for i := f.List.Top; i < len(f.files) && len(lines) < h; i++ {
		e := &f.files[i]
		pointer := " "
		if i == f.List.Cur {
			pointer = s.Th.In(s.Th.Pointer, ">")
		}
		name := e.Title
		if name == "" {
			name = e.URL
		}
		kind := e.Type
		if size := view.BytesOf(e.Length); size != "" {
			kind += ", " + size
		}
		lines = append(lines, pointer+s.Th.Fit("  "+s.Th.Fit(kind, 24)+"  "+name, w-1))
	}
	return s.Fill(lines, w, h)
}

func (f *files) Status(*view.Scene, int) (string, []string) {
	return f.files[f.List.Cur].URL, []string{"Enter/o open", "y copy", "q back"}
}
