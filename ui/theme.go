package ui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"diurna/ui/cells"
	"diurna/ui/prose"
)

// theme is how state looks. It is a value made once and handed to whatever
// draws: nothing here asks the terminal anything. Every sign of state is a
// character first, so that the plain theme loses nothing but colour.
type theme struct {
	plain   bool // no escape sequence at all
	mono    bool // attributes, but no colour
	measure cells.Measure
	bullet  string // unread
	dash    string // of a heading's rule
	bar     string
	dots    string // something is left out
	dot     string // between two facts

	pointer, unread, head, here, dim, alarm, hit lipgloss.Style
}

// newTheme makes the theme of 16 colours and attributes, which every terminal
// of the last thirty years shows in its own palette; mono keeps the attributes.
func newTheme(mono, ascii bool) theme {
	t := theme{mono: mono, bullet: "•", dash: "─", bar: "│", dots: "…", dot: "·"}
	if ascii {
		t.bullet, t.dash, t.bar, t.dots, t.dot = "*", "-", "|", "...", "-"
		t.measure.ASCII = true
	}
	style := lipgloss.NewStyle
	t.pointer, t.unread = style().Bold(true), style().Bold(true)
	t.head, t.dim = style(), style()
	t.here, t.hit = style().Reverse(true), style().Reverse(true)
	t.alarm = style().Bold(true)
	if !mono {
		t.pointer = t.pointer.Foreground(lipgloss.Yellow)
		t.head = t.head.Foreground(lipgloss.Cyan)
		t.dim = t.dim.Foreground(lipgloss.BrightBlack)
		t.alarm = t.alarm.Foreground(lipgloss.Red)
	}
	return t
}

// plainTheme has no escape sequences: for the demo without a terminal and for
// golden screens.
func plainTheme(ascii bool) theme {
	t := newTheme(true, ascii)
	t.plain = true
	return t
}

// in puts a style around s. Styles go around fitted text, never into it.
func (t *theme) in(s lipgloss.Style, text string) string {
	if t.plain || text == "" {
		return text
	}
	return s.Render(text)
}

// fit gives s in exactly w cells, plain.
func (t *theme) fit(s string, w int) string { return t.measure.Fit(s, w) }

// rule is a heading across w cells: "── Fri 20 Nov ────".
func (t *theme) rule(text string, w int) string {
	if text != "" {
		text = t.dash + t.dash + " " + text + " "
	} else {
		text = t.dash + t.dash
	}
	text = t.measure.Cut(text, w)
	if left := w - t.measure.Width(text); left > 0 {
		text += strings.Repeat(t.dash, left)
	}
	return text
}

// ends gives left and right at the two ends of w cells. The right end is
// whole or gone, the left one is cut.
func (t *theme) ends(left, right string, w int) string {
	r := t.measure.Width(right)
	if r == 0 || r+8 > w {
		return t.fit(left, w)
	}
	return t.fit(left, w-r-1) + " " + t.fit(right, r)
}

// words gives as many of the keys as fit w cells, most useful first; the last
// one ("?") is kept to the end.
func (t *theme) words(hints []string, w int) string {
	if len(hints) == 0 {
		return ""
	}
	last := hints[len(hints)-1]
	s := ""
	for _, h := range hints[:len(hints)-1] {
		if t.measure.Width(s)+t.measure.Width(h)+t.measure.Width(last)+4 > w {
			break
		}
		s += h + "  "
	}
	return s + last
}

// span styles a piece of an article; the chosen link stands out.
func (t *theme) span(text string, style prose.Style, chosen bool) string {
	if t.plain || text == "" || style == prose.Plain && !chosen {
		return text
	}
	st := lipgloss.NewStyle()
	if style&(prose.Bold|prose.Heading) != 0 {
		st = st.Bold(true)
	}
	if style&(prose.Italic|prose.Image) != 0 {
		st = st.Italic(true)
	}
	if style&prose.Link != 0 {
		st = st.Underline(true)
	}
	switch {
	case t.mono:
	case style&prose.Heading != 0:
		st = st.Foreground(lipgloss.Cyan)
	case style&prose.Code != 0:
		st = st.Foreground(lipgloss.Green)
	case style&(prose.Dim|prose.Quote) != 0:
		st = st.Foreground(lipgloss.BrightBlack)
	case style&prose.Deleted != 0:
		st = st.Foreground(lipgloss.Red)
	case style&prose.Inserted != 0:
		st = st.Foreground(lipgloss.Green)
	}
	if chosen {
		st = st.Reverse(true)
	}
	return st.Render(text)
}
