package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
)

// history is the list of what was done, newest first.
type history struct {
	listing
	steps []reader.Step
	ready bool
	gen   uint64
}

func (h *history) context() contextID { return ctxSteps }

func (h *history) title(*scene, int) (string, string) { return "What was done", "" }

func (h *history) lines(s *scene, w, high int) []string {
	h.fitTo(high)
	if h.ready && len(h.steps) == 0 {
		return s.fill([]string{s.th.Fit("", w), s.th.Fit(" Nothing was done yet that could be taken back.", w)}, w, high)
	}
	lines := make([]string, 0, high)
	for i := h.list.top; i < len(h.steps) && len(lines) < high; i++ {
		st := &h.steps[i]
		pointer, taken := " ", ""
		if i == h.list.cur {
			pointer = s.th.In(s.th.Pointer, ">")
		}
		if st.Undone {
			taken = " (taken back)"
		}
		// A long name gives way to what became of the step.
		what := s.th.Measure.Cut(st.What, max(0, w-18-len(taken)))
		lines = append(lines, pointer+s.th.Fit(" "+s.th.Fit(stamp(st.At, s.now), 16)+what+taken, w-1))
	}
	return s.fill(lines, w, high)
}

func (h *history) foot(*scene, int) (string, []string) {
	if h.list.n == 0 {
		return "", []string{"q back", "?"}
	}
	if h.steps[h.list.cur].Undone {
		return "taken back", []string{"j k choose", "q back", "?"}
	}
	return "", []string{"Enter takes back this step", "j k choose", "q back", "?"}
}

// got takes in the steps, and asks again when one was taken back.
func (h *history) got(m *model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case settingMsg:
		if msg.undone {
			h.gen = m.nextGen()
			return m.eff.steps(h.gen)
		}
	case stepsMsg:
		if msg.gen != h.gen || h.gen == 0 {
			return nil
		}
		if msg.err != nil {
			m.say(sentence(msg.err))
		}
		h.steps, h.ready = msg.steps, true
		h.list.n = len(h.steps)
		h.goRow(h.list.cur)
	}
	return nil
}

// files is the list of an item's enclosures.
type files struct {
	listing
	of    string
	files []reader.Enclosure
}

func (f *files) context() contextID { return ctxFiles }

func (f *files) title(*scene, int) (string, string) {
	return "Enclosures: " + f.of, wording.Plural(len(f.files), "file")
}

func (f *files) lines(s *scene, w, h int) []string {
	f.fitTo(h)
	lines := make([]string, 0, h)
	for i := f.list.top; i < len(f.files) && len(lines) < h; i++ {
		e := &f.files[i]
		pointer := " "
		if i == f.list.cur {
			pointer = s.th.In(s.th.Pointer, ">")
		}
		name := e.Title
		if name == "" {
			name = e.URL
		}
		kind := e.Type
		if size := bytesOf(e.Length); size != "" {
			kind += ", " + size
		}
		lines = append(lines, pointer+s.th.Fit("  "+s.th.Fit(kind, 24)+"  "+name, w-1))
	}
	return s.fill(lines, w, h)
}

func (f *files) foot(*scene, int) (string, []string) {
	return f.files[f.list.cur].URL, []string{"Enter/o open", "y copy", "q back"}
}
