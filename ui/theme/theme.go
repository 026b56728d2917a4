// Package theme says how state looks on the screen: signs, styles, and text
// fitted to a width with them. Call New, or Plain where no escape sequence may
// stand.
package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"

	"diurna/reader/plain"
	"diurna/ui/cells"
	"diurna/ui/prose"
)

// Theme is how state looks. It is a value made once and handed to whatever
// draws: nothing here asks the terminal anything. Every sign of state is a
// character first, so that the plain theme loses nothing but colour.
type Theme struct {
	plain   bool // no escape sequence at all
	Mono    bool // attributes, but no colour
	tones   Palette
	Measure cells.Measure
	Bullet  string // unread
	dash    string // of a heading's rule
	Bar     string
	Dots    string // something is left out
	Dot     string // between two facts
	Links   bool   // addresses are made clickable (OSC 8)

	Pointer, Unread, Head, Here, Dim, Alarm lipgloss.Style
	Old, Fresh                              lipgloss.Style // text taken out, text put in
	Read, Quiet, Saved, Changed             lipgloss.Style // in lists: titles read, feed names and times, two signs
}

// New makes a theme of those that come with the program; mono has attributes
// and no colour.
func New(name string, ascii bool) Theme { return Of(Named(name), name == "mono", ascii) }

// Of makes a theme of its colours, without them for mono.
func Of(c Palette, mono, ascii bool) Theme {
	t := Theme{Mono: mono, tones: c, Bullet: "•", dash: "─", Bar: "│", Dots: "…", Dot: "·"}
	if ascii {
		t.Bullet, t.dash, t.Bar, t.Dots, t.Dot = "*", "-", "|", "...", "-"
		t.Measure.ASCII = true
	}
	style := lipgloss.NewStyle
	t.Pointer, t.Unread = style().Bold(true), style().Bold(true)
	t.Head, t.Dim = style(), style()
	t.Here = style().Reverse(true)
	t.Alarm = style().Bold(true)
	t.Old, t.Fresh = style(), style().Bold(true)
	t.Read, t.Quiet, t.Saved, t.Changed = style(), style(), style(), style()
	if !mono {
		t.Pointer = t.Pointer.Foreground(c.Pointer.Color)
		t.Head = t.Head.Foreground(c.Head.Color)
		t.Alarm = t.Alarm.Foreground(c.Alarm.Color)
		t.Old, t.Fresh = t.Old.Foreground(c.Alarm.Color), t.Fresh.Foreground(c.Code.Color)
		t.Dim, t.Read, t.Quiet = orFaint(c.Dim), orFaint(c.Read), orFaint(c.Quiet)
		t.Saved, t.Changed = t.Saved.Foreground(c.Code.Color), t.Changed.Foreground(c.Head.Color)
	}
	return t
}

// Plain has no escape sequences: for the demo without a terminal and for
// golden screens.
func Plain(ascii bool) Theme {
	t := New("mono", ascii)
	t.plain = true
	return t
}

// Screen gives the colours of text and background of the whole screen; nil
// for the terminal's own.
func (t *Theme) Screen() (text, background color.Color) {
	if t.plain || t.Mono {
		return nil, nil
	}
	return t.tones.Text.Color, t.tones.Background.Color
}

// TrueColor reports whether the theme paints the screen in colours of its own,
// which a terminal of 16 colours cannot show.
func (t *Theme) TrueColor() bool { return t.tones.Background.Color != nil }

// Signs reports whether text is drawn without styles, so that signs have to say
// what they would.
func (t *Theme) Signs() bool { return t.plain }

// In puts a style around s. Styles go around fitted text, never into it.
//
//go:noinline // 18 places
func (t *Theme) In(s lipgloss.Style, text string) string {
	if t.plain || text == "" {
		return text
	}
	return s.Render(text)
}

// orFaint is a style of one colour; where a theme names none, the terminal's own
// text is made faint.
func orFaint(c Color) lipgloss.Style {
	if c.Color == nil {
		return lipgloss.NewStyle().Faint(true)
	}
	return lipgloss.NewStyle().Foreground(c.Color)
}

// Fit gives s in exactly w cells, plain.
//
//go:noinline // 120 places, and what it measures takes longer than the call
func (t *Theme) Fit(s string, w int) string { return t.Measure.Fit(s, w) }

// Rule is a heading across w cells: "── Fri 20 Nov ────".
func (t *Theme) Rule(text string, w int) string {
	if text != "" {
		text = t.dash + t.dash + " " + text + " "
	} else {
		text = t.dash + t.dash
	}
	text = t.Measure.Cut(text, w)
	if left := w - t.Measure.Width(text); left > 0 {
		text += strings.Repeat(t.dash, left)
	}
	return text
}

// Ends gives left and right at the two ends of w cells. The right end is
// whole or gone, the left one is cut.
func (t *Theme) Ends(left, right string, w int) string {
	r := t.Measure.Width(right)
	if r == 0 || r+8 > w {
		return t.Fit(left, w)
	}
	return t.Fit(left, w-r-1) + " " + t.Fit(right, r)
}

// Words gives as many of the keys as fit w cells, most useful first; the last
// one ("?") is kept to the end.
func (t *Theme) Words(hints []string, w int) string {
	if len(hints) == 0 {
		return ""
	}
	last := hints[len(hints)-1]
	s := ""
	for _, h := range hints[:len(hints)-1] {
		if t.Measure.Width(s)+t.Measure.Width(h)+t.Measure.Width(last)+4 > w {
			break
		}
		s += h + "  "
	}
	return s + last
}

// Span styles a piece of an article; the chosen link stands out. The pieces of
// one link carry one id, so that a terminal joins them across lines.
func (t *Theme) Span(text string, style prose.Style, chosen bool, link, id string) string {
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
	if style&(prose.Link|prose.Inserted) != 0 {
		st = st.Underline(true)
	}
	if style&prose.Deleted != 0 {
		st = st.Strikethrough(true)
	}
	switch {
	case t.Mono:
	case style&prose.Heading != 0:
		st = st.Foreground(t.tones.Head.Color)
	case style&prose.Code != 0:
		st = st.Foreground(t.tones.Code.Color)
	case style&prose.Dim != 0:
		st = t.Dim.Inherit(st)
	}
	if chosen {
		st = st.Reverse(true)
	}
	if t.Links && clickable(link) {
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
	if link == "" || len(link) > maxClickable || !plain.WebAddress(link) {
		return false
	}
	for i := range len(link) {
		if link[i] <= ' ' || link[i] >= 0x7f {
			return false
		}
	}
	return true
}

// KnowsLinks reports whether a terminal takes OSC 8 for what it is or leaves it
// out. GNU screen prints its bytes, and so do the console and dumb ones; in
// tmux TERM says screen too.
func KnowsLinks(env func(string) string) bool {
	term := env("TERM")
	switch {
	case env("TMUX") != "":
		return true
	case term == "" || term == "dumb" || term == "linux" || env("STY") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "vt"):
		return false
	}
	return true
}
