package article

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Files is the list of an item's enclosures.
type Files struct {
	view.Listing
	of    string
	files []reader.Enclosure
}

func (f *Files) Context() view.Context { return view.CtxFiles }

func (f *Files) Title(*view.Scene, int) (string, string) {
	return "Enclosures: " + f.of, wording.Plural(len(f.files), "file")
}

func (f *Files) Lines(s *view.Scene, w, h int) []string {
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
		lines = append(lines, s.Th.Row(pointer+s.Th.Fit("  "+s.Th.Fit(kind, 24)+"  "+name, w-1), i == f.List.Cur))
	}
	return s.Fill(lines, w, h)
}

func (f *Files) Status(*view.Scene, int) view.Status {
	return view.Status{State: f.files[f.List.Cur].URL, Keys: []string{"Enter/o open", "y copy", "q back"}}
}

// ShowFiles shows the enclosures of an item that is called title.
func ShowFiles(h view.Host, title string, enclosures []reader.Enclosure) {
	if len(enclosures) == 0 {
		h.Say("This item has no enclosures.")
		return
	}
	h.Push(&Files{of: title, files: enclosures, Listing: view.Listing{List: view.List{N: len(enclosures)}}})
}

// FileKeys are what keys do in a list of enclosures.
func FileKeys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right o", "open in the browser", "play download", view.On((*Files).open)),
		view.Bind("y", "copy link", "yank clipboard url", view.On((*Files).copy)),
	}
}

func (f *Files) open(h view.Host) tea.Cmd {
	if f.List.N == 0 {
		return nil
	}
	return h.OpenURL(f.files[f.List.Cur].URL)
}

func (f *Files) copy(h view.Host) tea.Cmd {
	if f.List.N == 0 {
		return nil
	}
	return h.Copy(f.files[f.List.Cur].URL, "")
}
