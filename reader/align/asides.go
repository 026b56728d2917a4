package align

import (
	"strings"

	"diurna/reader/kind"
	"diurna/reader/markup"
)

// An aside is a part of a page that does not belong to its content: an
// advertisement, a suggestion, a notice about cookies. The name of its element or
// its heading tells.

// asideElement reports whether the element that begins at i is called an aside by
// its id or one of its classes. It looks once at tags that are alike.
func (d *Document) asideElement(i int32) bool {
	id := int(d.ID(i))
	if id >= len(d.in.asides) {
		d.in.asides = append(d.in.asides, make([]uint8, max(id+1-len(d.in.asides), len(d.in.asides)))...)
	}
	known := &d.in.asides[id]
	if *known == 0 {
		if *known = 1; d.in.calledAside(d.At(i)) {
			*known = 2
		}
	}
	return *known == 2
}

func (in *interner) calledAside(raw []byte) bool {
	id, class := false, false
	for i := markup.NameEnd(raw); i < len(raw) && !(id && class); {
		var key, value []byte
		key, value, i = markup.NextAttr(raw, i)
		switch { // of several with one name the first counts
		case markup.EqualFold(key, "role") && strings.HasSuffix(markup.AttrText(value), "dialog"):
			return true // it lies over the page
		case !id && markup.EqualFold(key, "id"):
			id = true
		case !class && markup.EqualFold(key, "class"):
			class = true
		default:
			continue
		}
		if v := markup.AttrText(value); v != "" && len(v) < 200 && in.namesAside(v) {
			return true
		}
	}
	return false
}

// namesAside reports whether a list of names holds one of an aside.
func (in *interner) namesAside(names string) bool {
	for name := range strings.FieldsSeq(names) {
		is, known := in.called[name]
		if !known {
			if in.called == nil {
				in.called = map[string]bool{}
			}
			if is = kind.NamesAside(name); len(in.called) < maxNames {
				in.called[name] = is
			}
		}
		if is {
			return true
		}
	}
	return false
}

// asideHeadWords is how long the heading of an aside may be.
const asideHeadWords = 6

// heads reports whether an element is a heading of a part of a page.
func heads(e markup.Element) bool {
	switch e {
	case markup.H2, markup.H3, markup.H4, markup.H5, markup.H6, markup.Summary, markup.Caption, markup.Legend:
		return true
	}
	return false
}

// inHeading reports whether what follows stands in a heading.
func inHeading(stack []spotted) bool {
	for n := len(stack) - 1; n >= max(0, len(stack)-3); n-- {
		if heads(stack[n].element) {
			return true
		}
	}
	return false
}

// asideHeading reports whether a block, which is a heading, is that of an aside.
func (d *Document) asideHeading(block int) bool {
	b := d.Blocks[block]
	if b.Words() > 3*asideHeadWords {
		return false
	}
	words := d.BlockWords(block)
	return (len(words) <= asideHeadWords || strings.ContainsFunc(strings.Join(words, ""), kind.Unspaced)) && kind.Asides.Has(words)
}

// asideNameWords is how many words name an aside where no heading does.
const asideNameWords = 4

// asideName reports whether all that a block says, outside of rows and links, is how
// an aside is called.
func (d *Document) asideName(stack []spotted, block int) bool {
	if d.Blocks[block].Words() > asideNameWords || len(stack) == 0 {
		return false
	}
	for n := len(stack) - 1; n >= max(0, len(stack)-3); n-- {
		switch stack[n].element {
		case markup.A, markup.Th, markup.Button, markup.Nav, markup.Option, markup.Li:
			return false
		}
	}
	return kind.Asides.HasEntry(strings.ToLower(strings.Join(d.BlockWords(block), " ")))
}

// nameAside is the element that begins with a block which names an aside, nil if there
// is none but a cell: then the next block alone is it.
func nameAside(stack []spotted, block int) *spotted {
	for n := len(stack) - 1; n > 0; n-- {
		switch s := &stack[n]; {
		case s.first != block || s.element == markup.Td || s.element == markup.Body || s.element == markup.Main:
			return nil
		case n < len(stack)-1 && (s.element == markup.Div || s.element == markup.Section || s.element == markup.Aside || s.element == markup.Fieldset):
			return s
		}
	}
	return nil
}

// headAside marks what an aside's heading heads: the element that begins with it,
// else the next one.
func headAside(stack []spotted, block int) (next int) {
	for n := len(stack) - 1; n > 0; n-- {
		if !heads(stack[n].element) {
			continue
		}
		switch stack[n-1].element {
		case markup.Div, markup.Section, markup.Aside, markup.Details, markup.Table, markup.Fieldset, markup.Td, markup.Li:
			if stack[n-1].first == block {
				stack[n-1].aside = true
				return 0
			}
		}
		return n // the depth at which the next element opens
	}
	return 0
}

// AskAsides says of which blocks InAside will be asked, as far as is known.
func (d *Document) AskAsides(blocks Bitset) {
	if d.aside == nil {
		d.askedOf = blocks
	}
}

// InAside reports whether a block stands in an aside.
func (d *Document) InAside(block int) bool {
	if d.aside == nil && !d.Unnamed {
		d.findSpots()
	}
	if d.aside == nil || d.askedOf != nil && !d.askedOf.Has(int32(block)) {
		if d.aside != nil {
			d.askedOf = nil // another one: then all of them
		}
		d.aside = make([]bool, len(d.Blocks))
		w := spotter{d: d, asides: true}
		w.walk()
	}
	return d.aside[block]
}
