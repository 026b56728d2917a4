package prose

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// builder turns tokens into a page. It holds the open elements, the frames
// that indent the lines, and the paragraph being collected.
type builder struct {
	page Page
	Layout
	marks  signs
	width  int // of the page in cells, within the bounds
	cells  ruler
	base   *url.URL
	seen   map[string]int // the number of each link address
	open   []element
	floor  int // open elements that an end tag cannot close: those around a table
	deep   int // start tags beyond maxOpen, whose end tags are still to come
	hidden int // open elements whose content is not shown
	frames []frame
	kept   int // frames open since the last line: those a blank line shows
	gap    bool
	para   para
	anchor bool      // the next line begins a paragraph
	rtl    bool      // the paragraph runs from right to left
	dir    direction // of the innermost element that is open, or is being closed
	pieces []piece
	link   openLink
}

// maxOpen bounds the open elements that are kept in mind. Deeper ones are
// laid out as if they were part of the last of these.
const maxOpen = 200

// element is an open element.
type element struct {
	tag   atom.Atom
	style Style // of text in it
	link  int
	at    int  // length of the paragraph where it began
	hide  bool // its content is not shown
	frame bool // it indents
	waits bool // a video, audio or object without an address so far
	dir   direction
	list  *list
}

// list is an open list.
type list struct {
	ordered bool
	kind    string
	next    int
	step    int
}

// frame is what every line of a block begins with.
type frame struct {
	first, rest string // on its first line, on the others
	used        bool   // the first line is written
	style       Style
	cells       int // of this frame and those around it
}

func newBuilder(base string, l Layout) *builder {
	b := &builder{Layout: l, marks: l.signs(), width: l.Width, cells: ruler(l.Graphemes), seen: map[string]int{}, anchor: true}
	b.base, _ = url.Parse(base)
	return b
}

// run lays out the tokens.
func (b *builder) run(toks []token) {
	for i := 0; i < len(toks); i++ {
		if len(b.page.Lines) >= MaxLines {
			b.page.Cut = true
			return
		}
		t := &toks[i]
		switch {
		case t.kind == text && b.hidden == 0:
			b.text(t.text)
		case t.kind == start && t.tag == atom.Table && b.hidden == 0:
			if n := dataTable(toks[i:]); n > 0 {
				b.table(toks[i : i+n])
				i += n - 1
				continue
			}
			b.start(t)
		case t.kind == start:
			b.start(t)
		case t.kind == end:
			b.end(t.tag)
		}
	}
}

// text adds a text to the paragraph.
func (b *builder) text(s string) {
	el := b.top()
	if el.link > 0 && len(b.link.text) < maxLabel {
		b.link.text = append(b.link.text, s...)
	}
	if b.para.pre {
		s = b.cells.block(s)
		// The line break after <pre> belongs to the tag.
		if len(b.para.buf) == 0 {
			s = strings.TrimPrefix(s, "\n")
		}
		b.para.add(s, el.style, el.link)
		return
	}
	if s = b.cells.inline(s); s != "" {
		b.para.add(s, el.style, el.link)
	}
}

// top gives the innermost open element.
func (b *builder) top() element {
	if n := len(b.open); n > 0 {
		return b.open[n-1]
	}
	return element{}
}

// push opens an element that inherits from the one around it.
func (b *builder) push(tag atom.Atom, add Style) *element {
	el := b.top()
	b.open = append(b.open, element{tag: tag, style: el.style | add, link: el.link, dir: el.dir, list: el.list, at: len(b.para.buf)})
	return &b.open[len(b.open)-1]
}

// end closes the innermost element of a tag and everything opened inside it.
func (b *builder) end(tag atom.Atom) {
	if b.deep > 0 && tag != 0 && !void[tag] {
		b.deep--
		return
	}
	if tag == atom.P && !b.isOpen(atom.P) && b.hidden == 0 {
		b.flush()
		b.gap = true
		return
	}
	if tag == atom.Br && b.hidden == 0 {
		b.para.newline(b.top().style)
	}
	b.closeTo(tag, 0)
}

// isOpen reports whether an element of the tag is open.
func (b *builder) isOpen(tag atom.Atom) bool {
	return slices.ContainsFunc(b.open, func(e element) bool { return e.tag == tag })
}

// closeTo closes the innermost element of a tag, and all inside it, unless a
// barrier is met first. Any heading closes any other.
func (b *builder) closeTo(tag, barrier atom.Atom) {
	if tag == 0 {
		return
	}
	for i := len(b.open) - 1; i >= b.floor; i-- {
		if t := b.open[i].tag; t == tag || level(t) > 0 && level(tag) > 0 {
			if _, isBlock := blocks[t]; !isBlock && b.blockAbove(i) {
				b.unstyle(i)
				return
			}
			for len(b.open) > i {
				b.pop()
			}
			return
		}
		if barrier != 0 && b.open[i].tag == barrier {
			return
		}
	}
}

// blockAbove reports whether a block is open inside element i.
func (b *builder) blockAbove(i int) bool {
	for _, el := range b.open[i+1:] {
		if _, ok := blocks[el.tag]; ok {
			return true
		}
	}
	return false
}

// unstyle closes element i, which only styles its text, and leaves the blocks
// inside it open: <b><p>one</b> two is one paragraph.
func (b *builder) unstyle(i int) {
	el := b.open[i]
	b.open = append(b.open[:i], b.open[i+1:]...)
	if el.hide {
		b.hidden--
		return
	}
	around := Plain
	if i > 0 {
		around = b.open[i-1].style
	}
	el.at = len(b.para.buf)
	b.leave(el)
	for k := i; k < len(b.open); k++ {
		b.open[k].style &^= inlineStyles[el.tag] &^ around
		if el.tag == atom.A {
			b.open[k].style &^= Link
			b.open[k].link = 0
		}
	}
}

// pop closes the innermost element.
func (b *builder) pop() {
	el := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	if el.hide {
		b.hidden--
		return
	}
	b.leave(el)
	if el.frame {
		b.flush()
		b.frames = b.frames[:len(b.frames)-1]
		b.kept = min(b.kept, len(b.frames))
	}
	b.dir = b.top().dir
}

// indent opens a frame for the innermost element. Frames that would leave less
// than half of the width for the text are dropped.
func (b *builder) indent(first, rest string, style Style) {
	used := b.width - b.room() + b.cells.width(rest)
	if used > b.width/2 {
		return
	}
	b.frames = append(b.frames, frame{first: first, rest: rest, style: style, cells: used})
	b.open[len(b.open)-1].frame = true
}

// room gives the cells that the frames leave for text.
func (b *builder) room() int {
	if n := len(b.frames); n > 0 {
		return b.width - b.frames[n-1].cells
	}
	return b.width
}

// flush writes the paragraph collected so far.
func (b *builder) flush() {
	p := &b.para
	b.number() // a link around blocks has its number at the end of the first
	p.space = false
	for len(p.buf) > 0 && p.buf[len(p.buf)-1] == '\n' {
		p.cutTo(len(p.buf) - 1)
	}
	if len(p.buf) == 0 {
		pre := p.pre
		p.reset()
		p.pre = pre
		return
	}
	all := string(p.buf)
	room := b.room()
	b.turn(all)
	if p.pre {
		b.verbatim(all, room)
	} else {
		b.pieces = b.cells.wrap(all, room, b.pieces[:0])
		for _, c := range b.pieces {
			b.line(p.spans(all, c.from, c.to, nil))
		}
	}
	pre := p.pre
	p.reset()
	p.pre = pre
	b.anchor = true
}

// line writes one line inside the frames. An empty one is a blank line of the
// paragraph.
func (b *builder) line(spans []Span) {
	if len(b.page.Lines) >= MaxLines {
		b.page.Cut = true
		return
	}
	if b.gap && len(b.page.Lines) > 0 {
		b.page.Lines = append(b.page.Lines, b.framed(b.frames[:b.kept], nil))
	}
	b.gap = false
	n := len(b.page.Lines)
	if b.anchor {
		b.page.Paras = append(b.page.Paras, n)
		if len(spans) > 0 && spans[0].Style&Heading != 0 {
			b.page.Headings = append(b.page.Headings, n)
		}
		b.anchor = false
	}
	for _, s := range spans {
		if s.Link > 0 && b.page.Links[s.Link-1].Line < 0 {
			b.page.Links[s.Link-1].Line = n
		}
	}
	b.page.Lines = append(b.page.Lines, b.framed(b.frames, spans))
	b.kept = len(b.frames)
}

// framed puts what the frames say before the spans of a line.
func (b *builder) framed(frames []frame, spans []Span) Line {
	out := make([]Span, 0, len(frames)+len(spans))
	for i := range frames {
		f := &frames[i]
		lead := f.rest
		if !f.used && spans != nil {
			lead = f.first
			f.used = true
		}
		if lead == "" {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Style == f.style {
			out[n-1].Text += lead
			continue
		}
		out = append(out, Span{Text: lead, Style: f.style})
	}
	if len(spans) == 0 {
		for len(out) > 0 {
			last := &out[len(out)-1]
			if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
				break
			}
			out = out[:len(out)-1]
		}
	}
	return Line{Spans: append(out, spans...), RightToLeft: b.rtl && len(spans) > 0}
}

// finish writes what is left, then the list of all links.
func (b *builder) finish() Page {
	for len(b.open) > 0 {
		b.pop()
	}
	b.flush()
	p := &b.page
	if p.Cut {
		b.sayCut()
	}
	p.LinkList = len(p.Lines)
	if len(p.Links) == 0 {
		return *p
	}
	if len(p.Lines) > 0 {
		p.Lines = append(p.Lines, Line{})
	}
	p.LinkList = len(p.Lines)
	for i := range p.Links {
		if p.Links[i].Line < 0 {
			p.Links[i].Line = p.LinkList + i // its text was lost to a limit
		}
	}
	for i, l := range p.Links {
		number := "[" + itoa(i+1) + "] "
		lead := number
		b.pieces = b.cells.wrap(l.URL, b.width-len(number), b.pieces[:0])
		for _, c := range b.pieces {
			p.Lines = append(p.Lines, Line{Spans: []Span{{lead, Dim, i + 1}, {l.URL[c.from:c.to], Link, i + 1}}})
			lead = strings.Repeat(" ", len(number))
		}
	}
	return *p
}
