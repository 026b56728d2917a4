package main

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// How a text that was printed is compared with one that was expected. Nothing of
// diurna takes part in it: what its sanitiser drops from both sides would agree.
const (
	asTitle  = iota // by design plain: with the text that a user would read
	asMarkup        // tag by tag, attribute by attribute, text by text
)

// text is a printed string that knows how it is to be compared.
type text struct {
	s    string
	kind int
}

// means reports whether t is what was expected.
func (t text) means(want string) bool {
	if t.kind == asTitle {
		return sameTitle(t.s, want)
	}
	got := markup(t.s)
	if slices.Equal(got, markup(want)) {
		return true
	}
	// Plain text is printed as markup: "a < b" as "a &lt; b".
	return !slices.ContainsFunc(got, isTag) && squeeze(strings.Join(got, "")) == squeeze(want)
}

// sameTitle compares a plain title with one that may be markup, as a user reads
// them. White space does not count, nor does what a terminal cannot show.
func sameTitle(got, want string) bool {
	got = squeeze(got)
	read := squeeze(readable(want))
	return got == squeeze(want) || got == read || got == squeeze(html.UnescapeString(read)) ||
		len(got) > 900 && strings.HasPrefix(read, got[:800])
}

// squeeze takes out white space and what a terminal cannot show.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s)
}

// readable is the text of a piece of markup, without scripts and styles.
func readable(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	silent := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			if silent == "" {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			if name, _ := z.TagName(); silent == "" && (string(name) == "script" || string(name) == "style") {
				silent = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == silent {
				silent = ""
			}
		}
	}
}

// isTag reports whether a part of what markup returns is a tag.
func isTag(part string) bool { return strings.HasPrefix(part, "\x00") }

// markup lists the tags (after a NUL) and texts of a piece of HTML in a form that
// does not depend on how they are spelled: names in lower case, attributes sorted,
// references decoded, white space folded, no comments.
func markup(s string) []string {
	var out []string
	run := ""
	flush := func() {
		if t := strings.Join(strings.Fields(run), " "); t != "" {
			out = append(out, t)
		}
		run = ""
	}
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			flush()
			return out
		case html.TextToken:
			run += string(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			flush()
			t := z.Token()
			words := make([]string, 0, len(t.Attr))
			for _, a := range t.Attr {
				if strings.HasPrefix(a.Key, "xmlns") {
					continue // a declaration of names, which says nothing in HTML
				}
				v := strings.TrimSpace(a.Val)
				if a.Key == "style" {
					v = declarations(v)
				}
				words = append(words, a.Key+"="+v)
			}
			slices.Sort(words)
			out = append(out, "\x00"+t.Data+" "+strings.Join(words, " "))
		case html.EndTagToken:
			flush()
			if name, _ := z.TagName(); !void[string(name)] {
				out = append(out, "\x00/"+string(name))
			}
		}
	}
}

// declarations is a style without the blanks around its signs.
func declarations(style string) string {
	all := strings.FieldsFunc(style, func(r rune) bool { return r == ';' })
	for i, d := range all {
		property, value, _ := strings.Cut(d, ":")
		all[i] = strings.TrimSpace(property) + ":" + strings.TrimSpace(value)
	}
	return strings.Join(all, ";")
}

// void are the elements that have no end tag.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "command": true, "embed": true, "hr": true, "img": true, "input": true,
	"keygen": true, "link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true}
