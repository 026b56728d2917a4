package feed

import (
	"html"
	"strings"

	"diurna/reader/feed/xmlscan"
	"diurna/reader/plain"
)

// textKind is how the text of an element is to be understood.
type textKind int

const (
	textPlain textKind = iota // Atom's type=text
	textHTML                  // escaped HTML
	textXHTML                 // elements in place
	textGuess                 // RSS: whatever it looks like
)

// title turns the text of an element into one line. HTML becomes plain text
// where the format says that it is, or where an RSS feed's text looks so.
func title(s string, kind textKind) string {
	if len(s) > 16*MaxTitle {
		s = s[:16*MaxTitle]
	}
	if kind == textHTML || kind == textXHTML || kind == textGuess && looksHTML(s) {
		s = plain.FromHTML(s, 4*MaxTitle)
	}
	return line(s, MaxTitle)
}

func line(s string, max int) string { return plain.Line(s, max) }

func cleanURL(s string) (string, bool) { return plain.URL(s) }

// looksHTML reports whether text that may be either is HTML: it has an end tag
// or a character reference, every tag is one that stands in running text, and
// every reference is one HTML knows.
func looksHTML(s string) bool {
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '&') < 0 {
		return false
	}
	sign := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '&':
			end := strings.IndexByte(s[i:min(len(s), i+34)], ';')
			if end < 2 || strings.ContainsAny(s[i+1:i+end], " &<") {
				continue
			}
			ref := s[i : i+end+1]
			if html.UnescapeString(ref) == ref {
				return false
			}
			sign = true
		case '<':
			name := s[i+1:]
			closing := strings.HasPrefix(name, "/")
			name = strings.TrimPrefix(name, "/")
			end := strings.IndexAny(name, " \t\r\n/>")
			if end <= 0 || !xmlscan.IsLetter(name[0]) {
				continue
			}
			if !inText[strings.ToLower(name[:end])] {
				return false
			}
			sign = sign || closing
		}
	}
	return sign
}

// inText are the elements that titles and descriptions are written with.
var inText = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`a abbr acronym address area article aside audio b big blockquote br button canvas
		caption center cite code col colgroup datalist dd del details dfn dialog dir div dl dt em fieldset figcaption
		figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li map mark menu meter nav
		noscript ol optgroup option p pre progress q s samp section select small span strike strong sub summary sup
		table tbody td textarea tfoot th thead time tr tt u ul var video wbr iframe svg`) {
		m[n] = true
	}
	return m
}()

// textToHTML turns plain text into markup that shows it.
func textToHTML(s string) string {
	if strings.ContainsAny(s, "<>&\"'") {
		s = html.EscapeString(s)
	}
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	paragraphs := strings.Split(s, "\n\n")
	for i, t := range paragraphs {
		paragraphs[i] = "<p>" + strings.ReplaceAll(strings.Trim(t, "\n"), "\n", "<br>") + "</p>"
	}
	return strings.Join(paragraphs, "\n")
}
