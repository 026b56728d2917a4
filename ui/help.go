package ui

import (
	"strings"
)

// help lists the keys of the place it was opened from, read from the same
// table that drives them.
type help struct {
	of     contextID
	filter string
	rows   []helpRow // those that fit the filter
	list   vlist
	high   int
}

// helpRow is one binding, or a heading (keys empty).
type helpRow struct {
	keys, text string
	run        *binding
}

func newHelp(of contextID) *help {
	h := &help{of: of}
	h.search("")
	return h
}

// search keeps the bindings whose keys, help or everyday words hold the text.
func (h *help) search(text string) {
	h.filter = text
	h.rows = h.rows[:0]
	low := strings.ToLower(text)
	for _, part := range helpParts(h.of) {
		var rows []helpRow
		for i := range part.rows {
			b := &part.rows[i]
			if b.help == "" || !b.fits(text, low) {
				continue
			}
			rows = append(rows, helpRow{b.label(), b.help, b})
		}
		if len(rows) == 0 {
			continue
		}
		if len(h.rows) > 0 {
			h.rows = append(h.rows, helpRow{})
		}
		h.rows = append(append(h.rows, helpRow{text: part.name}), rows...)
	}
	h.list = vlist{n: len(h.rows)}
	h.step(1)
	h.list.top = 0
}

// fits reports whether a binding answers to a search.
func (b *binding) fits(text, low string) bool {
	for _, k := range b.keys {
		if k == text {
			return true
		}
	}
	return strings.Contains(strings.ToLower(b.help+" "+b.also), low)
}

// step moves to the next row that is a binding.
func (h *help) step(d int) {
	for i := h.list.cur + d; i >= 0 && i < len(h.rows); i += d {
		if h.rows[i].run != nil {
			h.list.set(i, max(1, h.high))
			return
		}
	}
	if d < 0 {
		h.list.top = 0
	}
}

func (h *help) context() contextID { return ctxHelp }

func (h *help) title(*scene) (string, string) {
	n := 0
	for _, r := range h.rows {
		if r.run != nil {
			n++
		}
	}
	left := "Help: " + contextName(h.of)
	if h.filter != "" {
		left += " /" + h.filter
	}
	return left, "/ searches " + plural(n, "key") + " - q back"
}

// helpSigns explains the first columns of rows; it stands at the end.
func helpSigns(th *theme) []string {
	return []string{"",
		" Signs in the first columns",
		"   " + th.bullet + "  unread     s  saved     ~  changed     !  feed in trouble"}
}

func (h *help) lines(s *scene, w, high int) []string {
	signs := helpSigns(&s.th)
	if h.filter != "" || high < 16 {
		signs = nil
	}
	room := max(1, high-len(signs))
	if h.high != room {
		h.high = room
		h.list.show(room)
	}
	lines := make([]string, 0, high)
	for i := h.list.top; i < len(h.rows) && len(lines) < room; i++ {
		r := &h.rows[i]
		switch {
		case r.run == nil && r.text == "":
			lines = append(lines, s.th.fit("", w))
		case r.run == nil:
			lines = append(lines, s.th.in(s.th.head, s.th.fit(" "+r.text, w)))
		default:
			pointer := " "
			if i == h.list.cur {
				pointer = s.th.in(s.th.pointer, ">")
			}
			lines = append(lines, pointer+s.th.fit("  "+s.th.fit(r.keys, 17)+" "+r.text, w-1))
		}
	}
	if len(h.rows) == 0 {
		lines = append(lines, s.th.fit("", w), s.th.fit(" No key has to do with \""+h.filter+"\". Esc shows all.", w))
	}
	if h.list.top+room >= len(h.rows) {
		for _, l := range signs {
			lines = append(lines, s.th.fit(l, w))
		}
	}
	return s.fill(lines, w, high)
}

func (h *help) foot(*scene, int) (string, []string) {
	return "space more   / search   Enter runs the chosen key   q back", nil
}
