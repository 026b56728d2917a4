// Package help is the view of the keys of a place and what they do. New makes
// one, Keys is what its keys do.
package help

import (
	"strings"

	"diurna/ui/keymap"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// View lists the keys of the place it was opened from, read from the same
// table that drives them: what can be done here at the left.
type View struct {
	view.Listing
	of     view.Context
	name   string // of the place: "River"
	asking bool   // the next key is explained
	filter string
	own    *keymap.Map // the keys of the table and the user's own
	blocks []block     // what fits the filter
	signs  []string    // what stands in the first columns of rows; "" until something is drawn

	entries []helpRow // the left column, then the right
	right   int       // where the right column begins in them
	two     bool      // they stand side by side
}

// block is rows that stay together under a heading.
type block struct {
	rows  []helpRow
	right bool // stands in the right column
}

// helpRow is one binding, one of the user's own keys (run is nil), a heading,
// or a line about signs (keys is "" in both).
type helpRow struct {
	keys, text string
	run        *view.Binding
	head       bool
	place      string // of another place, which it is run in; "": of this one
}

// New makes the help of a place.
func New(of view.Context, name string, keys *keymap.Map) *View {
	h := &View{of: of, name: name, own: keys}
	h.search("")
	return h
}

// search keeps the bindings whose keys, help or everyday words hold the text, of this
// place and then of the others.
func (h *View) search(text string) {
	h.filter = text
	h.blocks = h.blocks[:0]
	for _, part := range h.own.Parts(h.of) {
		if rows := h.bindings(h.of, part.Rows, text); len(rows) > 0 {
			h.blocks = append(h.blocks, block{append([]helpRow{{text: part.Name, head: true}}, rows...), part.Right})
		}
	}
	if text != "" {
		h.elsewhere(text)
	}
	h.List.Cur, h.List.Top = -1, 0
	h.layout()
	h.Ends(nil, -1)
}

// elsewhere adds what fits a search in other places and is not in a block by then.
func (h *View) elsewhere(text string) {
	there := make(map[string]bool)
	for _, b := range h.blocks {
		for _, r := range b.rows {
			there[r.keys+r.text] = true
		}
	}
	for c := range view.Contexts {
		if c == h.of || c == view.CtxHelp || c == view.CtxLetters {
			continue
		}
		rows := []helpRow{{text: "Elsewhere: " + view.ContextName(c), head: true}}
		for _, part := range h.own.Parts(c) {
			for _, r := range h.bindings(c, part.Rows, text) {
				if at := r.keys + r.text; !there[at] {
					there[at], r.place = true, view.ContextName(c)
					rows = append(rows, r)
				}
			}
		}
		if len(rows) > 1 {
			h.blocks = append(h.blocks, block{rows: rows})
		}
	}
}

// bindings makes rows of the bindings of a place that fit a search; a ditto joins the row
// before it.
func (h *View) bindings(of view.Context, bindings []view.Binding, text string) []helpRow {
	low := strings.ToLower(text)
	var rows []helpRow
	for i := 0; i < len(bindings); i++ {
		b := &bindings[i]
		if b.Help == "" {
			continue
		}
		row, fits := helpRow{keys: h.own.Names(of, b), text: b.Help, run: b}, b.Fits(text, low)
		for i+1 < len(bindings) && bindings[i+1].Help == view.Ditto {
			i++
			row.keys = strings.TrimSpace(row.keys + " " + h.own.Names(of, &bindings[i]))
			if !fits && bindings[i].Fits(text, low) {
				fits, row.run = true, &bindings[i] // a search that meant the second key runs it
			}
		}
		if fits && row.keys != "" { // a user's own keys may have taken all of them
			rows = append(rows, row)
		}
	}
	return rows
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
	left := "Help: " + h.name
	if h.filter != "" {
		left += " /" + h.filter
	}
	return left, "/ searches every view " + s.Th.Dot + " q back"
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
	if len(h.entries) == 0 {
		return s.Fill([]string{s.Th.Fit("", w), s.Th.Fit(" No key matches \""+h.filter+"\". Esc shows all.", w)}, w, high)
	}
	if two := w >= 2*helpColumn-8 && h.filter == ""; h.signs == nil || two != h.two || high != h.High {
		h.signs, h.two, h.High = helpSigns(&s.Th), two, high
		h.layout()
	}
	lines := make([]string, 0, high)
	for y := h.List.Top; len(lines) < high; y++ {
		if !h.two {
			lines = append(lines, h.drawRow(s, y, len(h.entries), w))
			continue
		}
		lines = append(lines, h.drawRow(s, y, h.right, helpColumn)+h.drawRow(s, h.right+y, len(h.entries), w-helpColumn))
	}
	return lines
}

// drawRow draws a row of a column that ends before an entry.
func (h *View) drawRow(s *view.Scene, i, end, w int) string {
	if i >= end {
		return s.Th.Fit("", w)
	}
	r := &h.entries[i]
	switch {
	case r.head:
		return s.Th.In(s.Th.Head, s.Th.Fit(" "+r.text, w))
	case r.keys == "":
		return s.Th.Fit(r.text, w)
	}
	pointer := " "
	if i == h.List.Cur {
		pointer = s.Th.In(s.Th.Pointer, ">")
	}
	return s.Th.Row(pointer+s.Th.Fit("  "+s.Th.Fit(r.keys, 9)+" "+r.text, w-1), i == h.List.Cur)
}

func (h *View) Status(*view.Scene, int) view.Status {
	return view.Status{State: "space more   / search   Enter runs the chosen key   q back"}
}
