package align

import (
	"strings"

	"diurna/reader/markup"
)

// formSize is what the outermost open form holds.
type formSize struct {
	depth  int // open forms
	block  int // the block it began at
	words  int
	fields int // that a user fills in
	chosen int // those of them in which one of several is chosen
	paras  int
	heads  bool // it holds headings, tables or articles
}

// formMost is how many words a form may hold that is furniture: a search box, a
// registration.
const formMost = 150

// tag takes up a start tag at a block.
func (f *formSize) tag(e markup.Element, raw []byte, block int) {
	switch e {
	case markup.Form:
		if f.depth++; f.depth == 1 {
			*f = formSize{depth: 1, block: block}
		}
	case markup.Input:
		switch strings.ToLower(markup.Attr(raw, "type")) {
		case "hidden", "submit", "button", "image", "reset":
		case "radio", "number":
			f.chosen, f.fields = f.chosen+1, f.fields+1
		default:
			f.fields++
		}
	case markup.Select:
		f.chosen, f.fields = f.chosen+1, f.fields+1
	case markup.Textarea:
		f.fields++
	case markup.P:
		f.paras++
	case markup.H1, markup.H2, markup.H3, markup.H4, markup.H5, markup.H6, markup.Table, markup.Article, markup.Main:
		f.heads = true
	}
}

// furniture reports whether the form is one to fill in, and not a page with a
// form around it: paragraphs that are not there for a field each, headings and
// tables are text.
func (f *formSize) furniture() bool {
	return f.fields > 0 && f.words <= formMost && !f.heads && f.paras <= f.fields
}

// endForm marks the blocks of a form to fill in as furniture.
func (o *outliner) endForm() {
	if o.form.depth--; o.form.depth > 0 {
		return
	}
	o.form.depth = 0
	if !o.form.furniture() || o.inner > 0 && o.form.chosen == o.form.fields {
		return // in the text nothing but choices are what is on offer
	}
	for n := o.form.block; n < min(o.block, len(o.out.At)); n++ {
		o.out.At[n].Flags |= InMenu
	}
}
