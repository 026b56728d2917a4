package prose

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// inlineStyles are the elements that only change the style of their text.
var inlineStyles = map[atom.Atom]Style{
	atom.B: Bold, atom.Strong: Bold, atom.Th: Bold, atom.Mark: Bold, atom.Dt: Bold, atom.Summary: Bold,
	atom.I: Italic, atom.Em: Italic, atom.Cite: Italic, atom.Dfn: Italic, atom.Var: Italic, atom.U: Italic,
	atom.Code: Code, atom.Kbd: Code, atom.Samp: Code, atom.Tt: Code,
	atom.Small: Dim, atom.Figcaption: Dim, atom.Caption: Dim,
	atom.Del: Deleted, atom.S: Deleted, atom.Strike: Deleted, atom.Ins: Inserted,
}

// unseen are the elements whose content no reader of the page sees, and those
// that cannot be shown in a terminal. Their text children are dropped.
var unseen = map[atom.Atom]bool{
	atom.Head: true, atom.Script: true, atom.Style: true, atom.Title: true, atom.Template: true,
	atom.Noscript: true, atom.Noembed: true, atom.Noframes: true, atom.Svg: true, atom.Canvas: true,
	atom.Select: true, atom.Textarea: true, atom.Button: true, atom.Datalist: true, atom.Dialog: true,
	atom.Map: true, atom.Rp: true, atom.Annotation: true, atom.AnnotationXml: true, atom.Iframe: true,
	atom.Video: true, atom.Audio: true, atom.Object: true, atom.Applet: true,
}

// blocks are the elements that stand on lines of their own; true asks for a
// blank line before and after.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
	atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Menu: true, atom.Dir: true, atom.Blockquote: true,
	atom.Pre: true, atom.Xmp: true, atom.Listing: true, atom.Plaintext: true, atom.Figure: true,
	atom.Table: true, atom.Hr: true, atom.Details: true, atom.Fieldset: true,
	atom.Div: false, atom.Section: false, atom.Article: false, atom.Header: false, atom.Footer: false,
	atom.Aside: false, atom.Nav: false, atom.Main: false, atom.Address: false, atom.Center: false,
	atom.Li: false, atom.Dt: false, atom.Dd: false, atom.Tr: false, atom.Td: false, atom.Th: false,
	atom.Thead: false, atom.Tbody: false, atom.Tfoot: false, atom.Caption: false, atom.Figcaption: false,
	atom.Summary: false, atom.Form: false, atom.Legend: false, atom.Body: false, atom.Html: false,
	atom.Hgroup: false, atom.Option: false, atom.Optgroup: false, atom.Search: false,
}

// level gives 1 to 6 for the headings, 0 for the rest.
func level(tag atom.Atom) int {
	switch tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// start opens an element.
func (b *builder) start(t *token) {
	if void[t.tag] {
		b.void(t)
		return
	}
	if _, ok := blocks[t.tag]; ok && b.top().tag == atom.Head {
		b.pop() // <head> was left open
	}
	if t.tag == 0 {
		return // unknown elements change nothing, and so do their end tags
	}
	if len(b.open) >= maxOpen {
		b.deep++
		if gap, ok := blocks[t.tag]; ok && b.hidden == 0 {
			b.breakBlock(gap)
		}
		return
	}
	if b.hidden > 0 {
		b.push(t.tag, 0).hide = true
		b.hidden++
		return
	}
	b.implied(t.tag)
	gap, isBlock := blocks[t.tag]
	if isBlock {
		b.breakBlock(gap && !(t.tag != atom.P && isList(t.tag) && b.isOpen(atom.Li)))
	}
	el := b.push(t.tag, inlineStyles[t.tag])
	if t.attrs != nil {
		el.dir = readDirection(t.attrs.dir, el.dir)
		b.dir = el.dir
	}
	switch t.tag {
	case atom.Iframe, atom.Video, atom.Audio, atom.Object, atom.Applet:
		b.embed(t, el)
	}
	if unseen[t.tag] || t.attrs != nil && t.attrs.hidden {
		el.hide = true
		b.hidden++
		return
	}
	b.enter(t, el)
}

func isList(tag atom.Atom) bool {
	return tag == atom.Ul || tag == atom.Ol || tag == atom.Menu || tag == atom.Dir
}

// implied closes the elements that a start tag ends without saying so.
func (b *builder) implied(tag atom.Atom) {
	switch tag {
	case atom.Li:
		b.closeToList()
	case atom.Dt, atom.Dd:
		b.closeTo(atom.Dt, atom.Dl)
		b.closeTo(atom.Dd, atom.Dl)
	case atom.Tr:
		b.closeTo(atom.Tr, atom.Table)
	case atom.Td, atom.Th:
		b.closeTo(atom.Td, atom.Tr)
		b.closeTo(atom.Th, atom.Tr)
	case atom.A:
		b.closeTo(atom.A, atom.Table)
	}
	if _, ok := blocks[tag]; ok && b.top().tag == atom.P {
		b.pop()
	}
}

// closeToList closes the open item of the innermost list.
func (b *builder) closeToList() {
	for i := len(b.open) - 1; i >= 0 && !isList(b.open[i].tag); i-- {
		if b.open[i].tag == atom.Li {
			b.closeTo(atom.Li, 0)
			return
		}
	}
}

// breakBlock ends the paragraph; with gap a blank line is due before the next.
func (b *builder) breakBlock(gap bool) {
	b.flush()
	// The first block in a list item stands beside its bullet.
	if n := len(b.frames); gap && (n == 0 || b.frames[n-1].used || b.frames[n-1].first == b.frames[n-1].rest) {
		b.gap = true
	}
}

// enter does what is particular to an element when it opens.
func (b *builder) enter(t *token, el *element) {
	switch t.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		el.style |= Heading
		lead := strings.Repeat("#", level(t.tag)) + " "
		b.indent(lead, strings.Repeat(" ", len(lead)), el.style)
	case atom.Blockquote:
		el.style |= Quote
		b.indent(b.marks.bar, b.marks.bar, Quote|Dim)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		el.list = newList(t)
	case atom.Li:
		b.item(t, el)
	case atom.Dd:
		b.indent("    ", "    ", Plain)
	case atom.Pre, atom.Xmp, atom.Listing, atom.Plaintext:
		el.style |= Code
		b.para.pre = true
	case atom.A:
		if t.attrs != nil {
			b.enterLink(t.attrs.href, el)
		}
	case atom.Del, atom.S, atom.Strike:
		b.sign("~~", el)
	case atom.Ins:
		b.sign("++", el)
	case atom.Q:
		b.para.add(b.marks.open, el.style, el.link)
	case atom.Rt:
		b.para.add("(", el.style, el.link)
	}
	el.at = len(b.para.buf)
}

// leave does what is particular to an element when it closes.
func (b *builder) leave(el element) {
	switch el.tag {
	case atom.A:
		b.endLink()
	case atom.Sup, atom.Sub:
		if el.at <= len(b.para.buf) && !b.para.pre {
			b.para.script(el.at, el.tag == atom.Sup)
		}
	case atom.Del, atom.S, atom.Strike:
		if b.Signs {
			b.closing("~~", el)
		}
	case atom.Ins:
		if b.Signs {
			b.closing("++", el)
		}
	case atom.Q:
		b.closing(b.marks.shut, el)
	case atom.Rt:
		b.closing(")", el)
	case atom.Pre, atom.Xmp, atom.Listing, atom.Plaintext:
		b.flush()
		b.para.pre = b.isOpen(atom.Pre)
	}
	if gap, ok := blocks[el.tag]; ok {
		b.flush()
		if el.tag == atom.Li {
			b.gap = false // paragraphs in items do not set the items apart
		}
		if gap && !(isList(el.tag) && b.isOpen(atom.Li)) {
			b.gap = true
		}
	}
}

// sign begins text that is marked by signs where there are no styles.
func (b *builder) sign(mark string, el *element) {
	if b.Signs {
		b.para.add(mark, el.style, el.link)
	}
}

// closing writes the second of a pair of marks.
func (b *builder) closing(mark string, el element) {
	b.para.space = false
	b.para.add(mark, el.style, el.link)
}

// newList reads the attributes of a list.
func newList(t *token) *list {
	l := &list{ordered: t.tag == atom.Ol, next: 1, step: 1}
	if t.attrs != nil {
		l.kind = t.attrs.kind
		if n, err := strconv.Atoi(strings.TrimSpace(t.attrs.start)); err == nil && n > -1e6 && n < 1e9 {
			l.next = n
		}
		if t.attrs.reversed {
			l.step = -1
		}
	}
	return l
}

// item opens a list item: its bullet or number, and the indent of the rest.
func (b *builder) item(t *token, el *element) {
	lead := b.marks.bullet
	if l := el.list; l != nil && l.ordered {
		if t.attrs != nil {
			if n, err := strconv.Atoi(strings.TrimSpace(t.attrs.start)); err == nil && n > -1e6 && n < 1e9 {
				l.next = n
			}
		}
		lead = l.label() + " "
		l.next += l.step
	}
	// The outermost list is set off from the text, the inner ones by the
	// bullet of the item they are in.
	if !b.inItem() {
		lead = "  " + lead
	}
	b.indent(lead, strings.Repeat(" ", b.cells.width(lead)), el.style&Quote)
}

// inItem reports whether the innermost element stands in a list item.
func (b *builder) inItem() bool {
	for i := len(b.open) - 2; i >= 0; i-- {
		if b.open[i].tag == atom.Li {
			return true
		}
	}
	return false
}

// label gives the number of the next item.
func (l *list) label() string {
	if n := l.next - 1; (l.kind == "a" || l.kind == "A") && n >= 0 && n < 26 {
		return string(l.kind[0]+byte(n)) + "."
	}
	return strconv.Itoa(l.next) + "."
}

func itoa(n int) string { return strconv.Itoa(n) }
