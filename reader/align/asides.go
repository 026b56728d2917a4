package align

import (
	"strings"
	"unicode"

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
			if is = nameOfAside(name); len(in.called) < mostNames {
				in.called[name] = is
			}
		}
		if is {
			return true
		}
	}
	return false
}

// nameOfAside reports whether one name is that of an aside.
func nameOfAside(name string) bool {
	parts := nameParts(name)
	for i := range parts {
		if kind.Slots.HasEntry(parts[i]) || kind.Slots.HasStem(parts[i]) || i+1 < len(parts) && kind.Slots.HasEntry(parts[i]+" "+parts[i+1]) {
			return true
		}
	}
	return false
}

// nameParts cuts "topAdBox-2" into top, ad and box.
func nameParts(name string) (out []string) {
	from := 0
	end := func(i int) {
		if i > from {
			out = append(out, strings.ToLower(name[from:i]))
		}
	}
	lower := false
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r):
			end(i)
			from = i + len(string(r))
		case unicode.IsUpper(r) && lower:
			end(i)
			from = i
		}
		lower = unicode.IsLower(r)
	}
	end(len(name))
	return out
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

// AskAsides says of which blocks InAside will be asked, as far as can be told.
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
