package ui

import (
	"image/color"
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
	tones   tones
	measure cells.Measure
	bullet  string // unread
	dash    string // of a heading's rule
	bar     string
	dots    string // something is left out
	dot     string // between two facts
	links   bool   // addresses are made clickable (OSC 8)

	pointer, unread, head, here, dim, alarm, hit lipgloss.Style
	old, fresh                                   lipgloss.Style // text taken out, text put in
}

// tones are the colours of a theme. The 16 are the terminal's own palette, as
// every terminal of the last thirty years shows it; light and dark are chosen
// for such a background out of 256.
type tones struct{ pointer, head, dim, alarm, code color.Color }

var themes = map[string]tones{
	"":      {lipgloss.Yellow, lipgloss.Cyan, lipgloss.BrightBlack, lipgloss.Red, lipgloss.Green},
	"dark":  {lipgloss.Color("221"), lipgloss.Color("117"), lipgloss.Color("246"), lipgloss.Color("210"), lipgloss.Color("150")},
	"light": {lipgloss.Color("130"), lipgloss.Color("24"), lipgloss.Color("242"), lipgloss.Color("124"), lipgloss.Color("22")},
}

// newTheme makes a theme by its name; mono has attributes and no colour, and a
// name that is not known is the terminal's own colours.
func newTheme(name string, ascii bool) theme {
	mono := name == "mono"
	c, ok := themes[name]
	if !ok {
		c = themes[""]
	}
	t := theme{mono: mono, tones: c, bullet: "•", dash: "─", bar: "│", dots: "…", dot: "·"}
	if ascii {
		t.bullet, t.dash, t.bar, t.dots, t.dot = "*", "-", "|", "...", "-"
		t.measure.ASCII = true
	}
	style := lipgloss.NewStyle
	t.pointer, t.unread = style().Bold(true), style().Bold(true)
	t.head, t.dim = style(), style()
	t.here, t.hit = style().Reverse(true), style().Reverse(true)
	t.alarm = style().Bold(true)
	t.old, t.fresh = style(), style().Bold(true)
	if !mono {
		t.pointer = t.pointer.Foreground(c.pointer)
		t.head = t.head.Foreground(c.head)
		t.dim = t.dim.Foreground(c.dim)
		t.alarm = t.alarm.Foreground(c.alarm)
		t.old, t.fresh = t.old.Foreground(c.alarm), t.fresh.Foreground(c.code)
	}
	return t
}

// plainTheme has no escape sequences: for the demo without a terminal and for
// golden screens.
func plainTheme(ascii bool) theme {
	t := newTheme("mono", ascii)
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

// span styles a piece of an article; the chosen link stands out. The pieces of
// one link carry one id, so that a terminal joins them across lines.
func (t *theme) span(text string, style prose.Style, chosen bool, link, id string) string {
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
		st = st.Foreground(t.tones.head)
	case style&prose.Code != 0:
		st = st.Foreground(t.tones.code)
	case style&(prose.Dim|prose.Quote) != 0:
		st = st.Foreground(t.tones.dim)
	case style&prose.Deleted != 0:
		st = st.Foreground(t.tones.alarm)
	case style&prose.Inserted != 0:
		st = st.Foreground(t.tones.code)
	}
	if chosen {
		st = st.Reverse(true)
	}
	if t.links && clickable(link) {
		st = st.Hyperlink(link, "id="+id)
	}
	return st.Render(text)
}

// maxClickable bounds an address in the text of the screen: it is sent with
// every line it stands on.
const maxClickable = 250

// clickable reports whether an address may stand in an escape sequence: an
// http or https one of printable ASCII that is not endless.
func clickable(link string) bool {
	if link == "" || len(link) > maxClickable || !webAddress(link) {
		return false
	}
	for i := range len(link) {
		if link[i] <= ' ' || link[i] >= 0x7f {
			return false
		}
	}
	return true
}

// knowsLinks reports whether a terminal takes OSC 8 for what it is or leaves it
// out. GNU screen prints its bytes, and so do the console and dumb ones; in
// tmux TERM says screen too.
func knowsLinks(env func(string) string) bool {
	term := env("TERM")
	switch {
	case env("TMUX") != "":
		return true
	case term == "" || term == "dumb" || term == "linux" || env("STY") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "vt"):
		return false
	}
	return true
}
