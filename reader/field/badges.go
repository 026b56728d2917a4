package field

import (
	"slices"
	"strings"
	"unicode/utf8"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// A number that tells how many people did something often says so without a word: by a
// heart before it, the name of an icon, a link that it ends, or the head of its column.

// signs stand before a number of those who liked or saw something.
const signs = "♥♡❤👍👎👁💬"

// Counts reports whether what stands around the number at a word says that it is a
// count: signs or the name of an element, brackets at the end of a heading, or links
// that each end in a number.
func Counts(d *align.Document, block int, word int32, head bool) bool {
	b := d.Blocks[block]
	before := beside(d, b, word, true)
	if r, _ := utf8.DecodeRune(before); strings.ContainsRune(signs, r) {
		return true
	}
	behind := beside(d, b, word, false)
	switch {
	case head && word == b.W1-1 && word > b.W0 && string(before) == "(" && string(behind) == ")":
		return true
	case word > b.W0 && string(before) == "(" && string(behind) == ")" && oneOfLinks(d, b, word):
		return true
	case string(behind) == "×" && !wordFollows(d, b, word):
		return true
	}
	return namedCount(d, b, word) || badge(d, b, word)
}

// BehindLink reports whether the number at a word stands in brackets behind the link of a
// cell or item, and ends it: how often that was followed.
func BehindLink(d *align.Document, block int, word int32) bool {
	b := d.Blocks[block]
	if string(beside(d, b, word, true)) != "(" || string(beside(d, b, word, false)) != ")" {
		return false
	}
	for t := d.Prev(d.Words[word]); t > b.T0; t = d.Prev(t) {
		switch d.Is(t) {
		case align.Word:
			return false
		case align.Tag:
			e, closing := d.Element(t)
			return e == markup.A && closing
		}
	}
	return false
}

// oneOfLinks reports whether the number at a word, with the sign behind it, ends one of
// several links of a block.
func oneOfLinks(d *align.Document, b align.Block, word int32) bool {
	end := d.Next(d.Next(d.Words[word]))
	if end >= b.T1 || d.Is(end) != align.Tag {
		return false
	}
	if e, closing := d.Element(end); e != markup.A || !closing {
		return false
	}
	links := 0
	for t := d.Words[b.W0]; t < b.T1; t = d.Next(t) {
		if d.Is(t) == align.Tag {
			if e, closing := d.Element(t); e == markup.A && closing {
				links++
			}
		}
	}
	return links > 1
}

// wordFollows reports whether a word follows the sign behind the number at a word: of
// that there are so many.
func wordFollows(d *align.Document, b align.Block, word int32) bool {
	signs := 0
	for t := d.Next(d.Words[word]); t < b.T1; t = d.Next(t) {
		switch d.Is(t) {
		case align.Word:
			return true
		case align.Sign:
			if signs++; signs > 1 {
				return false
			}
		}
	}
	return false
}

// nearTags is how many tokens before a number the name of an icon is looked for.
const nearTags = 6

// namedCount reports whether an element that opens between a number and the word or
// sign before it is named as a count: <i class="fa fa-heart">, <span class=views>.
func namedCount(d *align.Document, b align.Block, word int32) bool {
	t := d.Words[word]
	for range nearTags {
		if t <= 0 {
			return false
		}
		switch t = d.Prev(t); d.Is(t) {
		case align.Word, align.Sign:
			return false
		case align.Tag:
			e, closing := d.Element(t)
			if closing || e == markup.Body {
				continue
			}
			for name := range strings.FieldsSeq(markup.Attr(d.At(t), "class")) {
				if kind.NamesCount(name) {
					return true
				}
			}
		}
	}
	return false
}

// badge reports whether a number ends the text of one of several links of a block that
// all do, behind names which differ: what a row of buttons to share a page looks like.
func badge(d *align.Document, b align.Block, word int32) bool {
	var names []string
	has, from, linked := false, b.W0, int32(0)
	w := b.W0
	for t := d.NextTag(b.T0); t < b.T1; t = d.NextTag(d.Next(t)) {
		e, closing := d.Element(t)
		for w < b.W1 && d.Words[w] < t {
			w++
		}
		if e != markup.A {
			continue
		}
		if !closing {
			from = w
			continue
		}
		if linked++; w-from < 2 || w-from > valueWords+1 || !kind.Bare(d.WordText(w-1)) || slices.Contains(names, d.WordText(from)) {
			return false
		}
		names = append(names, d.WordText(from))
		has = has || word == w-1
	}
	return has && linked > 1
}

// headTokens is how far above a cell the head of its column is looked for.
const headTokens = 8000

// ColumnOf is what heads the column of a table in which a word of a block stands; nil
// without one, and in rows without a link: they list no pages.
func ColumnOf(d *align.Document, block int, word int32) []string {
	b, linked := d.Blocks[block], false
	for t := d.NextTag(b.T0); t < b.T1 && !linked; t = d.NextTag(d.Next(t)) {
		e, _ := d.Element(t)
		linked = e == markup.A
	}
	if !linked {
		return nil
	}
	return HeadOf(d, word)
}

// HeadOf is what heads the column of the table in which a word stands, nil without one.
func HeadOf(d *align.Document, word int32) []string {
	column, inRow, t := 0, true, d.Words[word]
	for range headTokens {
		if t = d.Prev(t); t <= 0 {
			return nil
		}
		if d.Is(t) != align.Tag {
			continue
		}
		switch e, closing := d.Element(t); {
		case closing:
		case e == markup.Tr:
			inRow = false
		case inRow && (e == markup.Td || e == markup.Th):
			column++
		case e == markup.Table:
			return headOf(d, t, column)
		}
	}
	return nil
}

// headOf is what the first row of the table that begins at a tag says in a column,
// counted from one, if that is a row of heads.
func headOf(d *align.Document, t int32, column int) (words []string) {
	for t = d.Next(t); t < d.End(); t = d.Next(t) {
		if d.Is(t) == align.Word && column == 0 {
			words = append(words, string(d.At(t)))
		}
		if d.Is(t) != align.Tag {
			continue
		}
		switch e, closing := d.Element(t); {
		case e == markup.Td || closing && e == markup.Tr, column == 0 && (e == markup.Th || len(words) > kind.ShortNotice):
			return words
		case e == markup.Th && !closing:
			column--
		}
	}
	return nil
}
