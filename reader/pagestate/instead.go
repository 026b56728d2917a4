package pagestate

import (
	"fmt"
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// What stands in a page's place and says so by its head: a page that was not found, a
// pause, a question about cookies. All of them are short, and say hardly anything else.
const (
	insteadWords = 80 // outside of menus
	pauseWords   = 40
	lineWords    = 5  // of an entry at the end of a head
	ownWords     = 12 // of a wall of cookies that are neither about them nor in buttons and links
)

// instead says what a page is that is none, by its title and its first heading; without
// headings the first block is one.
func instead(d *align.Document) (State, string) {
	o := align.OutlineOf(d)
	text, first := 0, -1
	for b := range d.Blocks {
		if o.At[b].Flags&align.InMenu == 0 {
			if text += d.Blocks[b].Words(); first < 0 {
				first = b
			}
		}
	}
	if text > insteadWords {
		return Good, ""
	}
	head := ""
	if len(o.Heads) > 0 {
		head = o.Heads[0].Text(d)
	} else if first >= 0 {
		head = d.TextOf(first)
	}
	for _, part := range append(parts(o.Title), parts(head)...) {
		switch code := codeOf(part); {
		case code == 503, text <= pauseWords && says(kind.Pauses, part):
			return Maintenance, "it says that it is to be back"
		case code > 0:
			return ErrorPage, fmt.Sprintf("the page says it is a %d error", code)
		case says(kind.Missing, part):
			return ErrorPage, "it says that it was not found"
		}
	}
	if wall(d, &o, first) {
		return Replaced, "a question about cookies, and hardly anything else"
	}
	return Good, ""
}

// parts cuts a head at its signs, each part in words in lower case.
func parts(head string) (out [][]string) {
	cut := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(head), " - ", " | "), func(r rune) bool { return strings.ContainsRune("|–—·•:;»«!?¡¿.…,。！？、：()", r) })
	for _, p := range cut {
		if words := strings.Fields(p); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// says reports whether part of a head ends with what a section lists.
func says(s kind.Section, part []string) bool {
	for n := 1; n <= min(lineWords, len(part)); n++ {
		if s.HasEntry(strings.ReplaceAll(strings.Join(part[len(part)-n:], " "), "’", "'")) {
			return true
		}
	}
	return len(part) == 1 && strings.ContainsFunc(part[0], kind.Unspaced) && s.Has(part)
}

// codeOf is the status of failure that part of a head is about, 0 if it is none: a number
// of a bus, a room or a year has other words beside it.
func codeOf(part []string) (code int) {
	for i, w := range part {
		switch n := kind.ShortNumber(w); {
		case len(w) == 3 && n >= 400 && n < 600 && code == 0:
			code = n
		case kind.Failures.HasEntry(w):
		case says(kind.Missing, part[i:]) && code > 0:
			return code
		default:
			return 0
		}
	}
	return code
}

// wall reports whether a page asks about cookies before it shows anything: two buttons or
// more that answer, a text that asks, and its head is about that or there is nothing else.
func wall(d *align.Document, o *align.Outline, first int) bool {
	answers, depth, asks, others := 0, 0, false, 0
	named := first >= 0 && kind.Cookies.Has(strings.Fields(strings.ToLower(o.Title)))
	if len(o.Heads) > 0 {
		named = about(strings.Fields(strings.ToLower(o.Heads[0].Text(d))))
	}
	for _, p := range parts(o.Title) {
		named = named || says(kind.Walls, p)
	}
	block := 0
	button := make([]bool, len(d.Blocks))
	for i := int32(0); i < d.End(); i = d.Next(i) {
		for block < len(d.Blocks) && d.Blocks[block].T1 <= i {
			block++
		}
		switch d.Is(i) {
		case align.Tag:
			e, closing := d.Element(i)
			raw := d.At(i)
			input := e == markup.Input && strings.EqualFold(markup.Attr(raw, "type"), "submit")
			if input && kind.Consent.Has(strings.Fields(markup.Attr(raw, "value"))) {
				answers++
			}
			if e == markup.Button || e == markup.A {
				if depth = 0; !closing {
					depth = 1
				}
			}
		case align.Word:
			if depth > 0 && block < len(d.Blocks) {
				button[block] = true
			}
		}
	}
	for b := range d.Blocks {
		words := d.SomeWords(b)
		switch {
		case len(words) == 0:
		case button[b] && len(words) <= align.MenuWords:
			if kind.Consent.Has(words) {
				answers++
			}
		case kind.Cookies.Has(words) && (kind.Consent.Has(words) || len(words) > ownWords):
			asks = true
		case !about(words):
			others += len(words)
		}
	}
	return answers > 1 && asks && (others == 0 || named && others <= ownWords)
}

// about reports whether words are about cookies or what stands before a page.
func about(words []string) bool { return kind.Cookies.Has(words) || kind.Walls.Has(words) }
