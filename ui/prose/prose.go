// Package prose lays out article HTML as wrapped, styled lines of a given width.
//
// Call Render. It reads the HTML as a stream of tokens and builds no tree, so
// that its time is linear in the input and no nesting, however deep or broken,
// can stop it. What comes out is plain: no span holds a control, bidi or
// escape character, and styles are names that the screen's theme maps to
// colours.
package prose

import "strings"

// The limits of Render. What lies beyond is left out, and the page says so.
const (
	// MaxInput is how many bytes of HTML are read.
	MaxInput = 1 << 20
	// MaxLines is how many lines a page has at most.
	MaxLines = 50_000
	// MinWidth and MaxWidth bound the width of a page in cells; other widths
	// are taken as the nearer bound.
	MinWidth, MaxWidth = 12, 10_000
)

// Style says what a span of text is. It is a set: a link in a heading is
// Heading|Link.
type Style uint16

// The styles. Plain is the absence of all others.
const (
	Bold Style = 1 << iota
	Italic
	Code     // code, keyboard input, preformatted text
	Quote    // inside a block quote, its bar included
	Heading  // a heading, its number signs included
	Link     // the text and the number of a link
	Image    // the alternative text of a picture
	Dim      // rules, bars, small print, captions
	Deleted  // text taken out: struck through, or in ~~ ~~ where Layout.Signs is set
	Inserted // text put in: underlined, or in ++ ++ where Layout.Signs is set

	Plain Style = 0
)

// Span is a piece of a line in one style.
type Span struct {
	Text  string
	Style Style
	Link  int // the number of the link the span belongs to, counted from 1; 0 for none
}

// Line is one line of a page, at most as wide as the page. An empty line has
// no spans.
type Line struct {
	Spans []Span
	// RightToLeft is true for the lines of a paragraph that runs from right to
	// left. The spans are in the order of reading, as everywhere: showing them
	// from the right is the terminal's part.
	RightToLeft bool
}

// Target is one link of a page. Its number, shown in the text, is its place
// in Page.Links plus one.
type Target struct {
	URL  string // absolute, http or https, as plain.URL gives it
	Text string // the text of its first occurrence, on one line
	Line int    // the line of its first occurrence
}

// Page is an article laid out.
type Page struct {
	Lines    []Line
	Links    []Target // each address once, in the order of the text
	Headings []int    // the first line of each heading
	Images   int      // how many pictures are named; those with an address are Links too
	// Paras holds the first line of each paragraph, heading, list item and
	// table, in rising order. The same HTML gives the same number of them at
	// every width, so that a resize can keep the first visible paragraph.
	Paras []int
	// LinkList is the line where the list of all links begins at the end, or
	// len(Lines) where there is none.
	LinkList int
	// Cut is true when a limit left something out.
	Cut bool
}

// Layout says for whom a page is laid out. The zero value, with a Width, is
// right for a screen that shows styles.
type Layout struct {
	Width int // of the page, in cells
	// Signs is set for readers without styles: what was deleted and inserted
	// is marked by signs.
	Signs bool
	// Graphemes is true once the terminal confirmed mode 2027: clusters are
	// measured whole, and sequences of emoji stay so.
	Graphemes bool
	// ASCII writes bars, bullets, rules and marks in it; the text stays as it is.
	ASCII bool
	// WholeCode is set for programs that read the text: a line of preformatted
	// text stays one line, however long. All others are at most Width wide.
	WholeCode bool
}

// signs are what the layout writes of its own.
type signs struct {
	bar, bullet, rule string
	continued         string // before the rest of a line of code that went on
	open, shut        string // of a quotation
}

func (l Layout) signs() signs {
	if l.ASCII {
		return signs{bar: "| ", bullet: "* ", rule: "-", continued: "> ", open: `"`, shut: `"`}
	}
	return signs{bar: "│ ", bullet: "• ", rule: "─", continued: "↳ ", open: "“", shut: "”"}
}

// Render lays out an HTML fragment or document. Relative links are resolved
// against base, which may be "". Any bytes are taken; the same ones always
// give the same page.
func (l Layout) Render(html, base string) Page {
	l.Width = min(max(l.Width, MinWidth), MaxWidth)
	b := newBuilder(base, l)
	if len(html) > MaxInput {
		html = html[:MaxInput]
		b.page.Cut = true
	}
	b.run(scan(html))
	return b.finish()
}

// Wrap breaks one line of plain text as Render breaks a paragraph, and gives the
// bytes [from, to) of each line of at most width cells. Blanks at the edges of
// lines belong to none; a text of nothing but blanks has no lines.
func Wrap(text string, width int) [][2]int { return Layout{Width: width}.Wrap(text) }

// Wrap is the function Wrap for this layout.
func (l Layout) Wrap(text string) [][2]int {
	pieces := ruler(l.Graphemes).wrap(text, max(l.Width, 1), nil)
	lines := make([][2]int, len(pieces))
	for i, p := range pieces {
		for p.to > p.from && text[p.to-1] == ' ' {
			p.to--
		}
		lines[i] = [2]int{p.from, p.to}
	}
	return lines
}

// Plain gives the lines without styles, each ended by a line break and without
// blanks at its end.
func (p Page) Plain() string { return p.lines(Line.Plain) }

func (p Page) lines(text func(Line) string) string {
	var sb strings.Builder
	for _, l := range p.Lines {
		sb.WriteString(text(l))
		sb.WriteByte('\n')
	}
	return sb.String()
}

// Text is Plain for terminals and programs that get the page as it is: the
// lines that run from right to left stand between isolates.
func (p Page) Text() string { return p.lines(Line.Isolated) }

// Isolated is Plain, between isolates where the line runs from right to left.
func (l Line) Isolated() string {
	if l.RightToLeft && len(l.Spans) > 0 {
		return Isolate + l.Plain() + EndIsolate
	}
	return l.Plain()
}

// Plain gives the text of the line without styles and without blanks at its end.
func (l Line) Plain() string {
	var sb strings.Builder
	for _, s := range l.Spans {
		sb.WriteString(s.Text)
	}
	return strings.TrimRight(sb.String(), " ")
}
