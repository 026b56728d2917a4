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
	d.findSpots()
	return d.spots[block]
}

// findSpots finds the spots, the rows, the asides and the pictures of a page.
func (d *Document) findSpots() {
	if d.spots != nil {
		return
	}
	d.spots, d.Standing, d.row = make([]string, len(d.Blocks)), map[string]int{}, make([]int32, len(d.Blocks))
	d.box = make([]int32, len(d.Blocks))
	d.aside, d.askedOf, d.shown = make([]bool, len(d.Blocks)), nil, nil
	w := spotter{d: d, asides: true, spots: true, pictures: true}
	w.walk()
}

// spotter walks a page and knows the elements that are open. What is looked for is
// said by its fields.
type spotter struct {
	d                       *Document
	asides, spots, pictures bool
	stack                   []spotted
	block                   int // the next one
	after                   int // the block that one which names an aside stands before
	next                    int // the depth at which an element opens that an aside's heading heads
}

// walk goes through the page up to its last block, of which alone asides are asked
// for up to the last of those.
func (w *spotter) walk() {
	d := w.d
	last := len(d.Blocks)
	if d.askedOf != nil && !w.spots && !w.pictures {
		for last > 0 && !d.askedOf.Has(int32(last-1)) {
			last--
		}
	}
	for i := d.NextTag(0); w.block < last; {
		for w.block < last && d.Words[d.Blocks[w.block].W0] < i {
			w.begin()
		}
		if i == d.End() || w.block == last {
			return
		}
		end := d.Next(i)
		w.tag(i)
		i = d.NextTag(end)
	}
}

// begin takes up the next block.
func (w *spotter) begin() {
	d, n := w.d, w.block
	if w.spots {
		d.spots[n], d.row[n], d.box[n] = d.spotIn(w.stack), rowIn(w.stack), boxIn(w.stack)
		d.Standing[d.spots[n]]++
	}
	if w.asides {
		if d.askedOf == nil || d.askedOf.Has(int32(n)) {
			d.aside[n] = w.inAside() || n > 0 && w.after == n
		}
		switch {
		case inHeading(w.stack):
			if d.asideHeading(n) {
				w.next = headAside(w.stack, n)
			}
		case !d.Unnamed && d.asideName(w.stack, n): // a diff of two files does without: it asks each short block
			if top := nameAside(w.stack, n); top == nil {
				w.after = n + 1
			} else {
				top.aside = true
			}
		}
	}
	w.block++
}

// tag takes up a tag.
func (w *spotter) tag(i int32) {
	d := w.d
	e, closing := d.Element(i)
	if e == markup.Img && w.pictures && len(d.shown) < maxPictures {
		if p, ok := d.pictureAt(w.stack, i); ok && !w.inAside() {
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
		s := spotted{TagID: d.TagID(i), at: i, first: w.block}
		if w.next > 0 && len(w.stack) <= w.next {
			s.aside, w.next = len(w.stack) == w.next && s.String()[0] != 'h', 0
		}
		w.stack = append(w.stack, s)
	}
}

// whole reports whether an element is the page: its classes name no part of it.
func whole(e markup.Element) bool {
	return e == markup.Html || e == markup.Body || e == markup.Main
}

// inAside reports whether what follows stands in an aside. Most elements of a page
// are never asked how they are called.
func (w *spotter) inAside() bool {
	for i := range w.stack {
		s := &w.stack[i]
		if !s.asked {
			s.asked, s.aside = true, s.aside || !whole(s.element) && w.d.asideElement(s.at)
		}
		if s.aside {
			return true
		}
	}
	return false
}

// spotted is an open element.
type spotted struct {
	TagID
	at int32 // its tag

	aside bool // it holds what is not of the page
	asked bool // whether it is called so is known
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

// boxIn is the tag of the innermost part of a page, -1 where that is all of it.
func boxIn(stack []spotted) int32 {
	for n := len(stack) - 1; n >= 0; n-- {
		switch stack[n].element {
		case markup.Div, markup.Section, markup.Aside, markup.Footer, markup.Td:
			return stack[n].at
		case markup.Article, markup.Main, markup.Body:
			return -1
		}
	}
	return -1
}

// Together reports whether two blocks stand in one part of a page, and not in all of it.
func (d *Document) Together(a, b int) bool {
	d.findSpots()
	return d.box[a] >= 0 && d.box[a] == d.box[b]
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

// maxNames is how many names of elements, or of their classes, are kept.
const maxNames = 4096

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
	if len(d.in.names) < maxNames {
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
