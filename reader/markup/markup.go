// Package markup cuts HTML into text, tags and comments, byte for byte as a
// browser's tokenizer does, and reads the names and attributes of tags. It
// allocates nothing per token. Start with Scan; a Scanner's fields are the
// token it stands at.
package markup

import "bytes"

// Kind says what a token is.
type Kind uint8

// The kinds of token.
const (
	End     Kind = iota // no more tokens: what is left is nothing or an unfinished tag
	Text                // text, in which references are not resolved
	Open                // a start tag
	Close               // an end tag
	Comment             // a comment, declaration or processing instruction
)

// Scanner cuts a document. Its tokens tile it: each begins where the one before
// ended, and the End is the rest.
type Scanner struct {
	Kind     Kind
	From, To int     // its bytes
	Element  Element // of a tag

	src []byte
	raw Element // whose content comes next, unread; Other for none
}

// Scan returns a scanner that stands before the first token of src.
func Scan(src []byte) Scanner { return Scanner{src: src} }

// Plain makes what follows markup where the start tag before it would make it raw
// text.
func (s *Scanner) Plain() { s.raw = Other }

// Skip has the next token begin at a place behind the present one, where a token
// of markup begins.
func (s *Scanner) Skip(to int) { s.To, s.raw = to, Other }

// Next goes to the next token and reports whether there is one.
func (s *Scanner) Next() bool {
	s.From = s.To
	if s.raw != Other {
		end := rawEnd(s.src, s.From, s.raw)
		s.raw = Other
		if end > s.From {
			s.Kind, s.To = Text, end
			return true
		}
	}
	src := s.src
	for i := s.From; ; {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 || i+n+1 == len(src) {
			return s.text(len(src))
		}
		i += n + 1
		c := src[i]
		if !letter(c) && c != '/' && c != '!' && c != '?' {
			continue
		}
		if i-1 > s.From {
			return s.text(i - 1)
		}
		switch {
		case letter(c):
			return s.tag(i, Open)
		case c == '!':
			return s.comment(declarationEnd(src, i+1))
		case c == '?':
			return s.comment(angle(src, i))
		case i+1 == len(src):
			return s.text(len(src))
		case letter(src[i+1]):
			return s.tag(i+1, Close)
		}
		return s.comment(angle(src, i+1))
	}
}

func (s *Scanner) text(to int) bool {
	s.Kind, s.To = Text, to
	if to == s.From {
		s.Kind = End
	}
	return to > s.From
}

func (s *Scanner) comment(to int) bool {
	s.Kind, s.To = Comment, to
	return true
}

// tag reads the tag whose name begins at i.
func (s *Scanner) tag(i int, k Kind) bool {
	end := nameEnd(s.src, i)
	to := tagEnd(s.src, end)
	if to < 0 {
		s.Kind, s.To = End, len(s.src)
		return false
	}
	s.Kind, s.To = k, to
	var exact bool
	if s.Element, exact = elementAt(s.src, i, end); k == Open && exact && elements[s.Element].raw {
		s.raw = s.Element
	}
	return true
}

// space marks what separates attributes; stops what ends the name of a tag or an
// attribute, of which an attribute's ends at an equals sign too.
var space, stops = [256]bool{' ': true, '\n': true, '\r': true, '\t': true, '\f': true},
	[256]bool{' ': true, '\n': true, '\r': true, '\t': true, '\f': true, '/': true, '>': true}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// nameEnd is where a tag's name that begins at i ends.
func nameEnd(src []byte, i int) int {
	for i < len(src) && !stops[src[i]] {
		i++
	}
	return i
}

// tagEnd is where a tag ends whose name ends at i, -1 if the document ends before.
func tagEnd(src []byte, i int) int {
	for {
		for i < len(src) && space[src[i]] {
			i++
		}
		if i == len(src) {
			return -1
		}
		if src[i] == '>' {
			return i + 1
		}
		from := i // of an attribute's name, which may begin with an equals sign
		for i < len(src) && !stops[src[i]] && (src[i] != '=' || i == from) {
			i++
		}
		for i < len(src) && space[src[i]] {
			i++
		}
		if i == len(src) {
			return -1
		}
		switch src[i] {
		case '/':
			i++
		case '=':
			if i = valueEnd(src, i+1); i < 0 {
				return -1
			}
		}
	}
}

// valueEnd is where an attribute's value ends that begins at i or behind spaces
// there, -1 if the document ends before.
func valueEnd(src []byte, i int) int {
	for i < len(src) && space[src[i]] {
		i++
	}
	if i == len(src) {
		return -1
	}
	switch q := src[i]; q {
	case '>':
		return i
	case '"', '\'':
		n := bytes.IndexByte(src[i+1:], q)
		if n < 0 {
			return -1
		}
		return i + n + 2
	}
	for i < len(src) && !space[src[i]] && src[i] != '>' {
		i++
	}
	if i == len(src) {
		return -1
	}
	return i
}

// angle is the place behind the next ">" from i on, the end without one.
func angle(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '>'); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

// declarationEnd is where what began with "<!" before i ends.
func declarationEnd(src []byte, i int) int {
	if i+1 >= len(src) {
		return len(src)
	}
	if src[i] != '-' || src[i+1] != '-' {
		return angle(src, i)
	}
	from := i + 2
	for i = from; ; i++ {
		n := bytes.IndexByte(src[i:], '>')
		if n < 0 {
			return len(src)
		}
		i += n
		// "-->" and "--!>" end it, and at its very start ">" and "->".
		body := src[from:i]
		if len(body) == 0 || len(body) == 1 && body[0] == '-' || bytes.HasSuffix(body, doubleDash) || bytes.HasSuffix(body, dashesBang) {
			return i + 1
		}
	}
}

var doubleDash, dashesBang = []byte("--"), []byte("--!")

// rawEnd is where the raw text of an element ends that begins at i.
func rawEnd(src []byte, i int, e Element) int {
	switch e {
	case Plaintext:
		return len(src)
	case Script:
		return scriptEnd(src, i)
	}
	for ; ; i += 2 {
		n := bytes.Index(src[i:], endOpen)
		if n < 0 {
			return len(src)
		}
		if i += n; ends(src, i, e) {
			return i
		}
	}
}

var endOpen = []byte("</")

// ends reports whether the end tag of an element begins at i, where "</" stands.
func ends(src []byte, i int, e Element) bool {
	name := elements[e].name
	return named(src, i+2, name)
}

// named reports whether name stands at i, in any case, and nothing more.
func named(src []byte, i int, name string) bool {
	if i+len(name) >= len(src) || !stops[src[i+len(name)]] {
		return false
	}
	for k := range len(name) {
		if c := src[i+k]; c != name[k] && c != name[k]-('a'-'A') {
			return false
		}
	}
	return true
}
