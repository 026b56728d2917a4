package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

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

func (f *files) open(m *model) tea.Cmd {
	if f.List.N == 0 {
		return nil
	}
	return m.OpenURL(f.files[f.List.Cur].URL)
}

func (f *files) copy(m *model) tea.Cmd {
	if f.List.N == 0 {
		return nil
	}
	return m.Copy(f.files[f.List.Cur].URL, "")
}
