package plain

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxInput is how much markup FromHTML reads: four times the largest item that
// is kept.
const maxInput = 4 << 20

// fromHTML does the work of FromHTML but for the cut.
func fromHTML(s string, max int) string {
	if len(s) > maxInput {
		s = s[:maxInput]
	}
	w := textWriter{}
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '&') < 0 {
		w.text(s)
		return Text(string(w.out), 0)
	}
	most := len(s) / 2
	if len(s) < 8<<10 { // mostly text
		most = len(s)
	}
	w.out = make([]byte, 0, most)
	if strings.Contains(s, "<!") {
		s = safe(s) // knows comments without an end, and sections in markup
	}
	z := html.NewTokenizer(strings.NewReader(s))
	// Text is sanitised once, at the end; now and then the length is checked so
	// that a preview of a long article costs no more than it shows.
	check := 2*max + 4096
	for {
		switch z.Next() {
		case html.ErrorToken:
			return Text(string(w.out), 0)
		case html.TextToken:
			if w.skip == 0 {
				w.text(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, attrs := z.TagName()
			w.open(atom.Lookup(name), attrs, z)
		case html.EndTagToken:
			name, _ := z.TagName()
			w.close(atom.Lookup(name))
		}
		if max > 0 && len(w.out) > check {
			if t := Text(string(w.out), 0); len(t) > max {
				return t
			}
			check *= 2
		}
	}
}

// textWriter collects the text of a document: folded, with line breaks between
// blocks. Breaks and spaces wait until something follows them.
type textWriter struct {
	out    []byte
	breaks int       // line breaks that wait: 1 ends a line, 2 a paragraph
	space  bool      // a folded space waits
	pre    int       // depth of <pre>
	skip   atom.Atom // element whose content is not text, 0 if none
}

func (w *textWriter) open(a atom.Atom, attrs bool, z *html.Tokenizer) {
	switch a {
	case atom.Script, atom.Style, atom.Iframe, atom.Noembed, atom.Noframes:
		w.skip = a
	case atom.Br:
		w.lineBreak()
	case atom.Pre:
		w.block(2)
		w.pre++
	case atom.Img:
		if alt := attribute(attrs, z, "alt"); alt != "" {
			w.text(alt)
		}
	case atom.Td, atom.Th:
		w.space = true
	default:
		w.block(blockBreaks(a))
	}
}

func (w *textWriter) close(a atom.Atom) {
	if a == w.skip {
		w.skip = 0
	}
	if a == atom.Pre && w.pre > 0 {
		w.pre--
	}
	w.block(blockBreaks(a))
}

// attribute returns the value of an attribute of the current tag.
func attribute(more bool, z *html.Tokenizer, name string) string {
	for more {
		var k, v []byte
		if k, v, more = z.TagAttr(); string(k) == name {
			return string(v)
		}
	}
	return ""
}

// blockBreaks returns the line breaks an element puts around itself.
func blockBreaks(a atom.Atom) int {
	switch a {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Pre,
		atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Figure, atom.Hr:
		return 2
	case atom.Div, atom.Li, atom.Tr, atom.Dt, atom.Dd, atom.Section, atom.Article, atom.Header, atom.Footer,
		atom.Aside, atom.Nav, atom.Main, atom.Figcaption, atom.Form, atom.Fieldset, atom.Address, atom.Details,
		atom.Summary, atom.Caption, atom.Center, atom.Option, atom.Title:
		return 1
	}
	return 0
}

func (w *textWriter) block(n int) { w.breaks = max(w.breaks, n) }

// lineBreak is <br>: two in a row make an empty line, more make no more.
func (w *textWriter) lineBreak() { w.breaks = min(w.breaks+1, 2) }

// flush writes what waits before a piece of text.
func (w *textWriter) flush() {
	switch {
	case len(w.out) == 0:
	case w.breaks > 0:
		w.out = append(w.out, "\n\n"[:w.breaks]...)
	case w.space:
		w.out = append(w.out, ' ')
	}
	w.breaks, w.space = 0, false
}

func (w *textWriter) text(s string) {
	if w.pre > 0 {
		if strings.Trim(s, " \t\r\n") != "" || len(w.out) > 0 && w.breaks == 0 {
			w.flush()
			w.out = append(w.out, s...)
		}
		return
	}
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch classOf(r) {
		case space, tab, newline, carriage:
			w.space = true
		case drop, joiner, parter, mark:
			// Invisible runes do not begin a word: they would hold back a break.
			w.out = append(w.out, s[i:i+n]...)
		default:
			w.flush()
			for i+n < len(s) && s[i+n] < utf8.RuneSelf && asciiClass[s[i+n]] == keep {
				n++
			}
			w.out = append(w.out, s[i:i+n]...)
		}
		i += n
	}
}
