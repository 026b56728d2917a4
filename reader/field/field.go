// Package field says what is beside a number on a page, in its own element or in
// another: a currency sign (Costs), degrees (Degrees), the name of the value
// (LabelOf).
package field

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// beside walks from the number at a word of a block on, forwards or backwards, over
// spaces, tags, points, commas and other digits, and returns the first sign or word
// behind them, which may be in another element; nil at the end of the block.
func beside(d *align.Document, b align.Block, word int32, back bool) []byte {
	for t := d.Words[word]; ; {
		if back {
			if t <= b.T0 {
				return nil
			}
			t = d.Prev(t)
		} else if t = d.Next(t); t >= b.T1 {
			return nil
		}
		raw := d.At(t)
		switch d.Is(t) {
		case align.Tag:
			if d.IsCell(t) {
				return nil
			}
		case align.Sign:
			if raw[0] != '.' && raw[0] != ',' {
				return markup.AppendDecoded(nil, raw)
			}
		case align.Word:
			if !kind.Bare(string(raw)) {
				return raw
			}
		}
	}
}

// Costs reports whether a currency sign is beside the number at a word, whether the
// price is in one element or in several.
func Costs(d *align.Document, block int, word int32) bool {
	for _, back := range []bool{false, true} {
		near := string(beside(d, d.Blocks[block], word, back))
		if strings.ContainsFunc(near, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) {
			return true
		}
	}
	return false
}

// Percent reports whether the number at a word is a percentage, but not a rebate.
func Percent(d *align.Document, block int, word int32) bool {
	r, _ := utf8.DecodeRune(beside(d, d.Blocks[block], word, false))
	if strings.HasSuffix(d.WordText(word), "%") {
		r = '%'
	}
	before, _ := utf8.DecodeRune(beside(d, d.Blocks[block], word, true))
	return (r == '%' || r == '％' || r == '٪') && before != '-' && before != '−' && before != '–'
}

// Degrees reports whether the number at a word is in degrees.
func Degrees(d *align.Document, block int, word int32) bool {
	r, _ := utf8.DecodeRune(beside(d, d.Blocks[block], word, false))
	return r == '°' || r == 'º' || r == '℃' || r == '℉'
}

// LabelOf is the name of the value that a word of a block belongs to: what the first
// of two cells of a row says, or the term before a definition; nil without one.
func LabelOf(d *align.Document, block int, word int32) (label []string) {
	b := d.Blocks[block]
	if cell := secondCell(d, b); cell > 0 {
		if word < cell || b.W1-cell > valueWords {
			return nil
		}
		label = d.BlockWords(block)[:cell-b.W0]
	} else {
		if block == 0 || b.Words() > valueWords || !stands(d, block, "dd") || !stands(d, block-1, "dt") {
			return nil
		}
		label = d.BlockWords(block - 1)
	}
	if len(label) > kind.ShortNotice || slices.ContainsFunc(label, kind.HasDigit) {
		return nil
	}
	return label
}

// TileOf is the name of a number that is alone in its block: the block after or
// before it in the same element, if that is short and has no number.
func TileOf(d *align.Document, block int) []string {
	around, _, _ := strings.Cut(d.Spot(block), " ")
	for _, n := range [2]int{block + 1, block - 1} {
		if n < 0 || n >= len(d.Blocks) || d.Blocks[n].Words() > kind.ShortNotice || !strings.ContainsAny(around, ".#") {
			continue
		}
		if other, _, _ := strings.Cut(d.Spot(n), " "); other == around {
			if name := d.BlockWords(n); !slices.ContainsFunc(name, kind.HasDigit) {
				return name
			}
		}
	}
	return nil
}

// severalAlike is how many fields are built alike before their names are taken for such,
// and fieldName how many words those have at most.
const (
	severalAlike = 3
	fieldName    = 4
)

// OneOfSeveral reports whether a block is the value of one of several fields that are
// built alike: a short name stands before it, which is none of a count or an age.
func OneOfSeveral(d *align.Document, block int, in []align.Place) bool {
	if block == 0 || in[block-1].Flags&(align.InHead|align.InLink) != 0 {
		return false
	}
	spot, name := d.Spot(block-1), d.SomeWords(block-1)
	around, _, inner := strings.Cut(spot, " ")
	beside, _, _ := strings.Cut(d.Spot(block), " ")
	return inner && around == beside && strings.ContainsAny(around, ".#") && spot != d.Spot(block) && d.Standing[spot] >= severalAlike &&
		len(name) > 0 && len(name) <= fieldName && d.Blocks[block].Words() <= kind.ShortNotice &&
		!slices.ContainsFunc(name, kind.HasDigit) && !kind.Quantity(name) && !kind.AsOf.Has(name) && !kind.Ago.Has(name)
}

// dialogBlocks is how many blocks a question at the beginning or end of a page has.
const dialogBlocks = 12

// Dialog reports whether blocks are a question that a page asks before it is read, about
// consent mostly: they begin or end it and two or more are buttons.
func Dialog(d *align.Document, from, to int) bool {
	if from > 0 && to < len(d.Blocks) || to-from < 3 || to-from > dialogBlocks {
		return false
	}
	buttons := 0
	for i := from; i < to; i++ {
		if stands(d, i, "button") {
			buttons++
		}
	}
	return buttons > 1
}

// valueWords is how many words a value with a name has.
const valueWords = 2

// secondCell is the first word of the second cell of a row of two, 0 of other blocks.
func secondCell(d *align.Document, b align.Block) (word int32) {
	w := b.W0
	for t := d.NextTag(b.T0); t < b.T1; t = d.NextTag(d.Next(t)) {
		if !d.IsCell(t) {
			continue
		}
		for w < b.W1 && d.Words[w] < t {
			w++
		}
		switch {
		case w == b.W0 || w == b.W1:
		case word > 0 && w > word:
			return 0
		default:
			word = w
		}
	}
	return word
}

// stands reports whether the innermost element around a block that its spot names is
// one, with or without a name.
func stands(d *align.Document, block int, element string) bool {
	spot := d.Spot(block)
	rest, ok := strings.CutPrefix(spot[strings.LastIndexByte(spot, ' ')+1:], element)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '#')
}

// nearBlocks is how far from a button another one is looked for.
const nearBlocks = 200

// Offered reports whether a block is a button that says the same as another one built
// alike: when one of them changes, something is sold out or on sale.
func Offered(d *align.Document, block int, words []string) bool {
	if len(words) == 0 || len(words) > align.MenuWords || !stands(d, block, "button") || slices.ContainsFunc(words, kind.HasDigit) || d.InAside(block) {
		return false
	}
	spot := d.Spot(block)
	for i := max(0, block-nearBlocks); i < min(len(d.Blocks), block+nearBlocks); i++ {
		if i != block && d.Blocks[i].Key == d.Blocks[block].Key && d.Spot(i) == spot {
			return true
		}
	}
	return false
}

// nameWords is how long the name of what follows a colon may be.
const nameWords = 4

// NameIn is what a block says before its first colon, if that is short: at most the
// last words of it.
func NameIn(d *align.Document, block int) []string {
	b := d.Blocks[block]
	for w := b.W0; w < min(b.W1, b.W0+3*nameWords); w++ {
		t := d.Next(d.Words[w])
		for t < b.T1 && (d.Is(t) == align.Space || d.Src[t] == ')') {
			t = d.Next(t) // as French does, and behind brackets
		}
		if t < b.T1 && d.Is(t) == align.Sign && (d.Src[t] == ':' || strings.HasPrefix(string(d.At(t)), "：")) {
			return d.BlockWords(block)[max(0, w+1-b.W0-nameWords) : w+1-b.W0]
		}
	}
	return nil
}

// LeadsTo is the host of another site that the link leads to in which a block stands,
// "" where it leads to the same one.
func LeadsTo(d *align.Document, block int, host string) string {
	there := hostIn(LinkOf(d, block))
	if there == "" || site(there) == site(host) {
		return ""
	}
	return there
}

// LinkOf is the address of the link in which a block stands, "" outside.
func LinkOf(d *align.Document, block int) string {
	const most = 16 // tokens between a link and its text
	t := d.Words[d.Blocks[block].W0]
	for n := 0; n < most && t > 0; n++ {
		if t = d.Prev(t); d.Is(t) != align.Tag {
			continue
		}
		if e, closing := d.Element(t); e != markup.A {
			continue
		} else if closing {
			return ""
		}
		return markup.Attr(d.At(t), "href")
	}
	return ""
}

// Datetime is the moment that the element of time says in which a block begins.
func Datetime(d *align.Document, block int) string {
	t := d.Words[d.Blocks[block].W0]
	for n := 0; n < nearTags && t > 0; n++ {
		t = d.Prev(t)
		if d.Is(t) != align.Tag {
			continue
		}
		if e, closing := d.Element(t); e == markup.Time && !closing {
			return markup.Attr(d.At(t), "datetime")
		}
	}
	return ""
}

// hostIn is the host that an address names, "" without one.
func hostIn(href string) string {
	_, rest, _ := strings.Cut(href, "//")
	there, _, _ := strings.Cut(rest, "/")
	there, _, _ = strings.Cut(there, "?")
	return there
}

// Site names the site that an address leads to, "" for the page's own.
func Site(href string) string { return site(hostIn(href)) }

// site is the end of a host that its pages share: two names, or three behind a short
// one, as in co.uk.
func site(host string) string {
	parts := strings.Split(strings.ToLower(host), ".")
	n := 2
	if k := len(parts); k > 2 && len(parts[k-2]) < 4 {
		n = 3
	}
	return strings.Join(parts[max(0, len(parts)-n):], ".")
}

// SameTarget reports whether two addresses lead to the same thing: they differ in their
// queries at most, and not in the id there.
func SameTarget(a, b string) bool {
	return bareTarget(a) == bareTarget(b) && identity(a) == identity(b)
}

// bareTarget is a canonical address without its query, the www of its host and
// what only says that it is a page.
func bareTarget(href string) string {
	s, _, _ := strings.Cut(align.Canonical(href), "?")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "//"), "www.")
	for _, end := range []string{"/", ".html", ".htm", ".php", "/index"} {
		s = strings.TrimSuffix(s, end)
	}
	return strings.ToLower(s)
}

// identity is the number that an address gives as the id of what it leads to, or the
// name of the file.
func identity(href string) string {
	_, query, _ := strings.Cut(align.Canonical(href), "?")
	for p := range strings.SplitSeq(query, "&") {
		if id, ok := strings.CutPrefix(p, "id="); ok && strings.Trim(id, "0123456789") == "" {
			return id
		}
		if kind.IsFile(p) {
			return p
		}
	}
	return ""
}
