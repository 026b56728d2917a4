package corpus

import (
	"html"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"

	"diurna/reader/plain"
)

// How a text of ours is compared with one that was expected.
const (
	asTitle  = iota // plain by design: with the text a person would read
	asText          // as it stands, but for white space
	asMarkup        // tag by tag, attribute by attribute, text by text
)

// text is a string of ours that knows how it is to be compared.
type text struct {
	s     string
	kind  int
	plain bool // markup that was made of plain text: then the text may be what is expected
}

// means reports whether t is what was expected.
func (t text) means(want string) bool {
	switch t.kind {
	case asTitle:
		return sameText(t.s, want)
	case asText:
		return squeeze(t.s) == squeeze(plain.Text(want, 0)) || t.s == want
	}
	got := markup(t.s)
	return slices.Equal(got, markup(plain.HTML(want, 0))) || t.plain && sameText(plain.FromHTML(t.s, 0), html.EscapeString(want))
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// sameText compares a plain text with one that may be markup, as a person reads
// them. White space does not count, nor does what a terminal cannot show.
func sameText(a, b string) bool {
	a, text := squeeze(a), squeeze(plain.FromHTML(b, 0))
	return a == squeeze(plain.Line(b, 0)) || a == text || a == squeeze(html.UnescapeString(text)) ||
		len(a) > 900 && strings.HasPrefix(text, a[:800])
}

// markup lists the tags and texts of a piece of HTML in a form that does not
// depend on how they are spelled: names in lower case, attributes sorted,
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
	z := xhtml.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			flush()
			return out
		case xhtml.TextToken:
			run += string(z.Text())
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			flush()
			t := z.Token()
			words := make([]string, 0, len(t.Attr))
			for _, a := range t.Attr {
				v := strings.TrimSpace(a.Val)
				if a.Key == "style" {
					v = declarations(v)
				}
				words = append(words, a.Key+"="+v)
			}
			slices.Sort(words)
			out = append(out, "<"+t.Data+" "+strings.Join(words, " ")+">")
		case xhtml.EndTagToken:
			flush()
			if name, _ := z.TagName(); !void[string(name)] {
				out = append(out, "</"+string(name)+">")
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
