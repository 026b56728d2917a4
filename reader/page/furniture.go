package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/markup"
)

// formSize is what the outermost open form holds.
type formSize struct {
	depth  int // open forms
	block  int // the block it began at
	words  int
	fields int // that a person fills in
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
		switch strings.ToLower(attr(raw, "type")) {
		case "hidden", "submit", "button", "image", "reset":
		default:
			f.fields++
		}
	case markup.Select, markup.Textarea:
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
	if !o.form.furniture() {
		return
	}
	for n := o.form.block; n < min(o.block, len(o.out.at)); n++ {
		o.out.at[n].flags |= inMenu
	}
}

// factual reports whether what changed in a pair of blocks of furniture is news
// wherever it stands: a state, an amount, a date, an identifier, or the value of a
// field with a name. In the head of a site and in what leads elsewhere it is a state.
func (n *analysis) factual(x, y int, wa, wb []string, at placeFlags) bool {
	if at&inLink != 0 || wa == nil || wb == nil {
		return false
	}
	ca, cb := n.changedIn(n.a, x, wa, n.match), n.changedIn(n.b, y, wb, n.back)
	kinds, _ := n.kinds(x, y, wa, wb, ca.in, cb.in)
	switch {
	case kinds&(1<<KindState) != 0:
		return true
	case at&inNav != 0:
		return false
	case kinds&(1<<KindAmount|1<<KindDate) != 0 || n.labelled(y):
		return true
	}
	return slices.ContainsFunc(n.spans(x, y), func(s stretch) bool {
		return identifies(wa, s.a0, s.a1) && identifies(wb, s.b0, s.b1)
	})
}

// labelled reports whether a block is a short field with its name: a definition, a
// row, or a name and a colon before the first word that changed.
func (n *analysis) labelled(y int) bool {
	b := n.b.blocks[y]
	if b.words() > shortNotice+near {
		return false
	}
	for w := b.w0; w < b.w1 && n.back[w] >= 0; w++ {
		if t := n.b.next(n.b.words[w]); t < n.b.end() && n.b.is(t) == aSign && n.b.src[t] == ':' {
			return true
		}
	}
	return false
}

// idDigits is the least number of digits of a telephone number or of the number
// of a company, a tax payer or an account.
const idDigits = 7

// identifies reports whether words [i, j) belong to a number that names something
// and counts nothing: many digits, in groups or behind letters.
func identifies(words []string, i, j int) bool {
	if i == j {
		return false
	}
	part := func(w string) bool { return hasDigit(w) || len(w) <= 3 && strings.ToUpper(w) == w }
	for i > 0 && part(words[i-1]) {
		i--
	}
	for j < len(words) && hasDigit(words[j]) {
		j++
	}
	digits, grouped := 0, j-i > 1
	for _, w := range words[i:j] {
		for _, r := range w {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		grouped = grouped || names(w) || strings.ContainsFunc(w, unicode.IsLetter) || strings.ContainsAny(w, "/-") ||
			w[0] == '0' && utf8.RuneCountInString(w) >= idDigits
		if !hasDigit(w) && !part(w) || hashed(w) && !names(w) || clock(w) && !bare(w) || dated(w) {
			return false
		}
	}
	return digits >= idDigits && grouped
}

// names reports whether w, which looks like a token, names something by itself: the
// number of an account (a country in two to four letters, then digits alone), or a
// checksum (as many hexadecimal digits as the common ones have).
func names(w string) bool {
	digits := strings.TrimLeftFunc(w, unicode.IsLetter)
	if n := len(w) - len(digits); n >= 2 && n <= 4 && len(digits) >= idDigits && len(digits) <= 32 && bare(digits) {
		return true
	}
	switch len(w) {
	case 56, 64, 96, 128: // SHA-2 and SHA-3; shorter ones are a build's or a session's too
		return strings.Trim(strings.ToLower(w), "0123456789abcdef") == ""
	}
	return false
}

// notice reports whether a block of furniture that came or went says a state.
func notice(words []string, at placeFlags) bool {
	return at&(inNav|inLink) == 0 && len(words) > 0 && len(words) <= shortNotice && secState.has(words)
}
