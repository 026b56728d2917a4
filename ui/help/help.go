// Package help is the view of the keys of a place and what they do. New makes
// one, Keys is what its keys do.
package help

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/wording"
	"diurna/ui/keymap"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// View lists the keys of the place it was opened from, read from the same
// table that drives them: what can be done here at the left.
type View struct {
	view.Listing
	of      view.Context
	name    string // of the place: "River"
	asking  bool   // the next key is explained
	filter  string
	own     *keymap.Map // the keys of the table and the person's own
	entries []helpRow   // those that fit the filter: the left column, then the right
	right   int         // where the right column begins in rows
}

// helpRow is one binding, or a heading (run is nil).
type helpRow struct {
	keys, text string
	run        *view.Binding
}

// New makes the help of a place.
func New(of view.Context, name string, keys *keymap.Map) *View {
	h := &View{of: of, name: name, own: keys}
	h.search("")
	return h
}

// search keeps the bindings whose keys, help or everyday words hold the text.
func (h *View) search(text string) {
	h.filter = text
	h.entries = h.entries[:0]
	h.right = -1
	for _, part := range h.own.Parts(h.of) {
		rows := h.bindings(part.Rows, text)
		if len(rows) == 0 {
			continue
		}
		switch {
		case part.Right && h.right < 0:
			h.right = len(h.entries)
		case len(h.entries) > 0:
			h.entries = append(h.entries, helpRow{})
		}
		h.entries = append(append(h.entries, helpRow{text: part.Name}), rows...)
	}
	if h.right < 0 {
		h.right = len(h.entries)
	}
	if own := h.own.Longer(h.of); len(own) > 0 && text == "" {
		h.entries = append(h.entries, helpRow{}, helpRow{text: "Your keys (keys.toml)"})
		for _, row := range own {
			h.entries = append(h.entries, helpRow{keys: row[0], text: row[1]})
		}
	}
	h.List = view.List{N: len(h.entries)}
	h.List.Cur = -1
	h.step(1)
	h.List.Top = 0
}

// bindings makes rows of the bindings that fit a search; a ditto joins the row
// before it.
func (h *View) bindings(bindings []view.Binding, text string) []helpRow {
	low := strings.ToLower(text)
	var rows []helpRow
	for i := 0; i < len(bindings); i++ {
		b := &bindings[i]
		if b.Help == "" {
			continue
		}
		row, fits := helpRow{h.own.Names(h.of, b), b.Help, b}, b.Fits(text, low)
		for i+1 < len(bindings) && bindings[i+1].Help == view.Ditto {
			i++
			row.keys += " " + h.own.Names(h.of, &bindings[i])
			if !fits && bindings[i].Fits(text, low) {
				fits, row.run = true, &bindings[i] // a search that meant the second key runs it
			}
		}
		if row.keys = strings.TrimSpace(row.keys); fits && row.keys != "" { // a person's own keys may have taken all of them
			rows = append(rows, row)
		}
	}
	return rows
}

// step moves to the next row that is a binding.
func (h *View) step(d int) {
	for i := h.List.Cur + d; i >= 0 && i < len(h.entries); i += d {
		if h.entries[i].run != nil {
			h.GoRow(i)
			return
		}
	}
	if d < 0 {
		h.List.Top = 0
	}
}

func (h *View) Move(_ view.Host, d int) tea.Cmd {
	h.step(d)
	return nil
}

func (h *View) Page(m view.Host, d, part int) tea.Cmd {
	h.Listing.Page(m, d, part)
	if h.List.Cur >= len(h.entries) || h.entries[h.List.Cur].run == nil {
		h.step(d)
	}
	return nil
}

func (h *View) Ends(m view.Host, d int) tea.Cmd {
	h.Listing.Ends(m, d)
	switch {
	case d < 0:
		h.List.Cur = -1
		h.step(1)
		h.List.Top = 0
	case h.List.N > 0 && h.entries[h.List.Cur].run == nil:
		h.step(-1)
	}
	return nil
}

func (h *View) Find(_ view.Host, text string) { h.search(text) }

func (h *View) Back(view.Host) view.Backing {
	if h.filter == "" {
		return view.BackOut
	}
	h.search("")
	return view.BackWithin
}

func (h *View) Context() view.Context { return view.CtxHelp }

func (h *View) Title(s *view.Scene, _ int) (string, string) {
	n := 0
	for _, r := range h.entries {
		if r.run != nil {
			n++
		}
	}
	left := "Help: " + h.name
	if h.filter != "" {
		left += " /" + h.filter
	}
	return left, "/ searches " + wording.Plural(n, "key") + " " + s.Th.Dot + " q back"
}

// helpSigns explains the first columns of rows; it stands at the end.
func helpSigns(th *theme.Theme) []string {
	return []string{"", " Signs in the first columns",
		"   " + th.Bullet + "  unread     s  saved",
		"   ~  changed    !  feed in trouble", "",
		" Keys from keys.toml are marked *.",
		" Another set: keymap = \"newsboat\".",
		" diurna keys: all"}
}

// helpSignRows is how many of them the signs take; the rest is said where there
// is room.
const helpSignRows = 4

// helpColumn is how wide the left column is.
const helpColumn = 42

func (h *View) Lines(s *view.Scene, w, high int) []string {
	h.FitTo(high)
	if len(h.entries) == 0 {
		return s.Fill([]string{s.Th.Fit("", w), s.Th.Fit(" No key has to do with \""+h.filter+"\". Esc shows all.", w)}, w, high)
	}
	var signs []string
	if h.filter == "" {
		signs = helpSigns(&s.Th)
	}
	if left, right := h.right, len(h.entries)-h.right; w < 2*helpColumn-8 || max(left, right) > high {
		return h.oneColumn(s, signs, w, high)
	}
	if len(h.entries)-h.right+len(signs) > high {
		signs = signs[:min(len(signs), helpSignRows)]
	}
	lines := make([]string, 0, high)
	for y := range high {
		left, right := s.Th.Fit("", helpColumn), ""
		if y < h.right {
			left = h.drawRow(s, y, helpColumn)
		}
		switch at := h.right + y; {
		case at < len(h.entries):
			right = h.drawRow(s, at, w-helpColumn)
		case at-len(h.entries) < len(signs) && len(h.entries)-h.right+len(signs) <= high:
			right = s.Th.Fit(signs[at-len(h.entries)], w-helpColumn)
		default:
			right = s.Th.Fit("", w-helpColumn)
		}
		lines = append(lines, left+right)
	}
	return lines
}

// oneColumn is the help where two columns have no room.
func (h *View) oneColumn(s *view.Scene, signs []string, w, high int) []string {
	lines := make([]string, 0, high)
	for i := h.List.Top; i < len(h.entries) && len(lines) < high; i++ {
		if i == h.right && i > 0 && len(lines) > 0 && len(lines) < high-1 {
			lines = append(lines, s.Th.Fit("", w))
		}
		lines = append(lines, h.drawRow(s, i, w))
	}
	for _, l := range signs {
		lines = append(lines, s.Th.Fit(l, w))
	}
	return s.Fill(lines, w, high)
}

func (h *View) drawRow(s *view.Scene, i, w int) string {
	r := &h.entries[i]
	if r.run == nil && r.keys == "" {
		return s.Th.In(s.Th.Head, s.Th.Fit(" "+r.text, w))
	}
	pointer := " "
	if i == h.List.Cur {
		pointer = s.Th.In(s.Th.Pointer, ">")
	}
	return s.Th.Row(pointer+s.Th.Fit("  "+s.Th.Fit(r.keys, 9)+" "+r.text, w-1), i == h.List.Cur)
}

func (h *View) Status(*view.Scene, int) (string, []string) {
	return "space more   / search   Enter runs the chosen key   q back", nil
}
