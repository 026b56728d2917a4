package align

import (
	"strings"

	"diurna/reader/kind"
	"diurna/reader/markup"
)

// Alone reports whether no other block of a page stands in elements like those
// of a block.
func (d *Document) Alone(block int) bool {
	spot := d.Spot(block)
	return d.Standing[spot] == 1
}

// Spot names the two innermost elements around a block, with their id or first
// class, numbers masked: "div.post p.time". Wrappers without a name are left out
// where they hold one with a name.
func (d *Document) Spot(block int) string {
	if d.spots == nil {
		d.findSpots(true)
	}
	return d.spots[block]
}

// findSpots walks the page once. Without names it finds the asides alone.
func (d *Document) findSpots(names bool) {
	w := spotter{d: d, names: names}
	d.aside, d.shown = make([]bool, len(d.Blocks)), nil
	if names {
		d.spots, d.Standing, d.row = make([]string, len(d.Blocks)), map[string]int{}, make([]int32, len(d.Blocks))
	}
	for i := int32(0); i < d.End() && w.block < len(d.Blocks); i = d.Next(i) {
		switch d.Is(i) {
		case Word:
			if i == d.Words[d.Blocks[w.block].W0] {
				w.begin()
			}
		case Tag:
			w.tag(i)
		}
	}
}

// spotter walks a page and knows the elements that are open.
type spotter struct {
	d     *Document
	names bool // whether spots, rows and pictures are wanted
	stack []spotted
	block int // the next one
	next  int // the depth at which an element opens that an aside's heading heads
}

// begin takes up the next block.
func (w *spotter) begin() {
	d, n := w.d, w.block
	d.aside[n] = inAside(w.stack)
	if w.names {
		d.spots[n], d.row[n] = d.spotIn(w.stack), rowIn(w.stack)
		d.Standing[d.spots[n]]++
	}
	if inHeading(w.stack) && asideHeading(d.firstWords(n, 4*asideHeadWords)) {
		w.next = headAside(w.stack, n)
	}
	w.block++
}

// tag takes up a tag.
func (w *spotter) tag(i int32) {
	d := w.d
	e, closing := d.Element(i)
	if e == markup.Img && w.names && len(d.shown) < mostPictures {
		if p, ok := d.pictureAt(w.stack, i); ok {
			d.shown = append(d.shown, p)
		}
	}
	switch {
	case traits[e]&traitVoid != 0 || d.kind[i]&flagShut != 0:
	case closing:
		id := d.TagID(i)
		for at := len(w.stack) - 1; at >= 0; at-- {
			if w.stack[at].TagID == id {
				w.stack = w.stack[:at]
				break
			}
		}
	case len(w.stack) < maxOpen:
		for len(w.stack) > 0 && ended(w.stack[len(w.stack)-1].element, e) {
			w.stack = w.stack[:len(w.stack)-1] // it was left open
		}
		s := spotted{TagID: d.TagID(i), at: i, aside: d.asideElement(i), first: w.block}
		if w.next > 0 && len(w.stack) <= w.next {
			s.aside, w.next = s.aside || len(w.stack) == w.next && s.String()[0] != 'h', 0
		}
		w.stack = append(w.stack, s)
	}
}

// spotted is an open element.
type spotted struct {
	TagID
	at int32 // its tag

	aside bool // it holds what is not of the page
	first int  // its first block
}

// rowIn is the tag of the innermost row of a table or item of a list, -1 outside.
func rowIn(stack []spotted) int32 {
	for n := len(stack) - 1; n >= max(0, len(stack)-plainDepth); n-- {
		switch stack[n].element {
		case markup.Tr, markup.Li, markup.Dl:
			return stack[n].at
		}
	}
	return -1
}

// ended reports whether an element ends where the next begins although nothing
// says so: paragraphs, items, rows and cells.
func ended(open, next markup.Element) bool {
	switch next {
	case markup.P, markup.Li, markup.Option:
		return open == next
	case markup.Dt, markup.Dd:
		return open == markup.Dt || open == markup.Dd
	case markup.Td, markup.Th:
		return open == markup.Td || open == markup.Th
	case markup.Tr:
		return open == markup.Td || open == markup.Th || open == markup.Tr
	}
	return false
}

func (d *Document) spotIn(stack []spotted) string {
	if len(stack) == 0 {
		return ""
	}
	inner := d.elementName(stack[len(stack)-1])
	for n := len(stack) - 2; n >= 0; n-- {
		if stack[n].element == markup.Body || stack[n].element == markup.Html {
			continue
		}
		s := d.elementName(stack[n])
		if n < len(stack)-2 && !strings.ContainsAny(s, ".#") {
			continue // the next with a name says more
		}
		if strings.ContainsAny(s, ".#") || n == len(stack)-2 && !strings.ContainsAny(inner, ".#") {
			return s + " " + inner
		}
	}
	return inner
}

// mostNames is how many names of elements, or of their classes, are kept.
const mostNames = 4096

// elementName is an element's name with its id or first class. Most elements of
// a page are like others, so it is made once for each tag.
func (d *Document) elementName(s spotted) string {
	id := d.ID(s.at)
	if name, ok := d.in.names[id]; ok {
		return name
	}
	name := nameOf(s.String(), d.At(s.at))
	if d.in.names == nil {
		d.in.names = map[int32]string{}
	}
	if len(d.in.names) < mostNames {
		d.in.names[id] = name
	}
	return name
}

func nameOf(name string, raw []byte) string {
	if id := markup.Attr(raw, "id"); id != "" && len(id) < 60 {
		return name + "#" + strings.Join(strings.Fields(Clean(kind.Mask(id))), "")
	}
	if class, _, _ := strings.Cut(strings.TrimSpace(markup.Attr(raw, "class")), " "); class != "" && len(class) < 60 {
		return name + "." + strings.Join(strings.Fields(Clean(kind.Mask(class))), "")
	}
	return name
}

// nameWords is how many words of the block before name a block.
const nameWords = 12

// NameBefore is how the head of a block's row reads, or the block before.
func (d *Document) NameBefore(block int) string {
	head := block - 1
	for head > 0 && d.row[block] >= 0 && d.row[head-1] == d.row[block] && d.row[head] == d.row[block] && block-head < nameWords {
		head--
	}
	if head < 0 {
		return ""
	}
	name := kind.MaskAll(d.firstWords(head, nameWords))
	if n := block - head; n > 1 {
		name += strings.Repeat("\x00", n)
	}
	return name
}
