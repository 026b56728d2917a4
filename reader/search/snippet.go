package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/plain"
	"diurna/reader/words"
)

// snippetBytes is about how long a snippet is.
const snippetBytes = 200

// leadBytes is about how much of it stands before the first word that was looked for.
const leadBytes = 40

// Snippet is the part of one of texts in which most of the phrases stand, as one
// line, and where they stand in it, as pairs of offsets in bytes. It is empty if none
// does.
func Snippet(texts []string, phrases []words.Phrase) (snippet string, marks [][2]int) {
	var text string
	var found []span
	first, most := 0, 0
	for _, t := range texts {
		t = plain.Line(t, 0)
		if list := spans(t, phrases); len(list) > 0 {
			if at, n := bestWindow(list); n > most {
				text, found, first, most = t, list, at, n
			}
		}
	}
	if most == 0 {
		return "", nil
	}
	from := wordStart(text, max(found[first].from-leadBytes, 0), found[first].from)
	to := wordStart(text, min(from+snippetBytes, len(text)), len(text))
	for i := first; i < len(found) && found[i].from < to; i++ {
		to = max(to, found[i].to)
	}
	head := ""
	if from > 0 {
		head = "… "
	}
	snippet = head + strings.TrimSpace(text[from:to])
	if to < len(text) {
		snippet += " …"
	}
	for _, f := range found {
		if f.from >= from && f.to <= to {
			marks = append(marks, [2]int{f.from - from + len(head), f.to - from + len(head)})
		}
	}
	return snippet, marks
}

// span is where a phrase stands in a text.
type span struct{ from, to, phrase int }

// spans are the places of phrases, from left to right; those that overlap are one.
func spans(text string, phrases []words.Phrase) []span {
	list := make([]words.Token, 0, len(text)/4)
	for t := range words.Cut(text) {
		list = append(list, t)
	}
	var out []span
	for i := range list {
		for n, p := range phrases {
			want := p.Tokens()
			if len(want) == 0 || i+len(want) > len(list) {
				continue
			}
			k := 0
			for k < len(want) && fits(&want[k], &list[i+k]) {
				k++
			}
			if k < len(want) {
				continue
			}
			end := list[i+k-1].Next
			if last := len(out) - 1; last >= 0 && out[last].to > list[i].From {
				out[last].to = max(out[last].to, end)
				continue
			}
			out = append(out, span{list[i].From, end, n})
		}
	}
	return out
}

func fits(want, have *words.Token) bool {
	return have.Text == want.Text || want.Prefix && strings.HasPrefix(have.Text, want.Text)
}

// bestWindow is the first span of the window with most different phrases, and how
// many it has.
func bestWindow(found []span) (best, most int) {
	for i := range found {
		seen := map[int]bool{}
		for k := i; k < len(found) && found[k].to <= found[i].from+snippetBytes-leadBytes; k++ {
			seen[found[k].phrase] = true
		}
		if len(seen) > most {
			best, most = i, len(seen)
		}
	}
	return best, most
}

// wordStart moves a place behind the next space, but not beyond limit, and never into
// a character.
func wordStart(text string, at, limit int) int {
	if at == 0 || at >= len(text) {
		return at
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	for i, r := range text[at:limit] {
		if unicode.IsSpace(r) {
			return at + i + 1
		}
		if i > leadBytes {
			break
		}
	}
	return at
}
