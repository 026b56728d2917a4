package opml

import (
	"bytes"
	"html"
	"strings"
)

// scanner walks through the tags of a document without asking that it be XML. It
// only ever moves forward and looks at no byte more than a few times.
type scanner struct {
	src  []byte
	pos  int
	line int  // of pos, from 1
	all  bool // attributes of all tags are read, and quotes end where XML says

	found   map[string]int // where a mark was last found, see find
	outline int            // the last answer of nextOutline
}

// find gives the first mark at or behind pos, or -1. It remembers what it found:
// ten thousand comments that are never closed must not be ten thousand searches.
func (s *scanner) find(mark string) int {
	at, known := s.found[mark]
	if !known || at >= 0 && at < s.pos {
		if at = bytes.Index(s.src[s.pos:], []byte(mark)); at >= 0 {
			at += s.pos
		}
		if s.found == nil {
			s.found = map[string]int{}
		}
		s.found[mark] = at
	}
	return at
}

// tag is one start or end tag.
type tag struct {
	name  string // local name in lower case
	end   bool   // </name>
	empty bool   // <name/>
	cut   bool   // the document ends inside it
	attrs []attr
	line  int
}

type attr struct{ name, value string }

// advance moves to at and counts the lines on the way.
func (s *scanner) advance(at int) {
	s.line += bytes.Count(s.src[s.pos:at], []byte{'\n'})
	s.pos = at
}

// next gives the next tag; comments, declarations, instructions and text are
// passed over.
func (s *scanner) next() (tag, bool) {
	for {
		i := bytes.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			s.advance(len(s.src))
			return tag{}, false
		}
		s.advance(s.pos + i)
		rest := s.src[s.pos:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			s.skipTo("-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			s.skipTo("]]>")
		case bytes.HasPrefix(rest, []byte("<?")):
			s.skipTo(">")
		case bytes.HasPrefix(rest, []byte("<!")):
			s.skipDeclaration()
		case len(rest) > 1 && (isLetter(rest[1]) || rest[1] == '/'):
			return s.tag(), true
		default:
			s.advance(s.pos + 1)
		}
	}
}

// skipTo passes over what ends with mark; without an end only over the first sign,
// because the feeds behind a comment that is never closed are meant.
func (s *scanner) skipTo(mark string) {
	if i := s.find(mark); i >= 0 {
		s.advance(i + len(mark))
		return
	}
	s.advance(s.pos + 1)
}

// skipDeclaration passes over <!DOCTYPE ...>, its internal subset included.
// Entities that it declares stay unknown.
func (s *scanner) skipDeclaration() {
	end := s.find(">")
	if open := s.find("["); open >= 0 && open < end {
		if i := s.find("]>"); i >= 0 {
			end = i + 1
		}
	}
	s.advance(max(end, s.pos) + 1)
}

// tag reads the tag at pos. Attributes are read for outlines only.
func (s *scanner) tag() tag {
	t := tag{line: s.line}
	i := s.pos + 1
	if s.src[i] == '/' {
		t.end = true
		i++
	}
	from := i
	for i < len(s.src) && isName(s.src[i]) {
		i++
	}
	name := string(s.src[from:i])
	t.name = strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
	if t.name == "outline" || t.name == "opml" || s.all {
		i = s.attributes(&t, i)
	} else if j := bytes.IndexAny(s.src[i:], "<>"); j >= 0 {
		i += j
	}
	if i < len(s.src) && s.src[i] == '>' {
		t.empty = t.empty || s.src[i-1] == '/'
		i++
	} else {
		t.cut = i >= len(s.src)
	}
	s.advance(i)
	return t
}

// maxAttrs bounds the attributes of one outline.
const maxAttrs = 256

// attributes reads attributes from i on and gives where the tag ends: at its >, at
// the < of the next tag when the > was forgotten, or at the end.
func (s *scanner) attributes(t *tag, i int) int {
	for i < len(s.src) {
		c := s.src[i]
		switch {
		case c == '>' || c == '<':
			return i
		case c == '/':
			// <outline .../> ; a stray slash between attributes means nothing.
			t.empty = i+1 >= len(s.src) || s.src[i+1] == '>'
			i++
		case isName(c):
			from := i
			for i < len(s.src) && isName(s.src[i]) {
				i++
			}
			name := string(s.src[from:i])
			j := s.blanks(i)
			if j >= len(s.src) || s.src[j] != '=' {
				continue // a word without a value
			}
			var value string
			value, i = s.value(s.blanks(j + 1))
			if len(t.attrs) < maxAttrs {
				t.attrs = append(t.attrs, attr{name, unescape(value)})
			}
		default:
			i++
		}
	}
	return i
}

// value reads an attribute's value, quoted or not.
func (s *scanner) value(i int) (string, int) {
	if i >= len(s.src) {
		return "", i
	}
	if q := s.src[i]; q == '"' || q == '\'' {
		if j := bytes.IndexByte(s.src[i+1:], q); s.all && j >= 0 {
			return string(s.src[i+1 : i+1+j]), i + j + 2
		}
		return s.quoted(i+1, q)
	}
	from := i
	for i < len(s.src) && !isBlank(s.src[i]) && s.src[i] != '>' && s.src[i] != '<' {
		i++
	}
	// href=a/> : the slash belongs to the tag.
	if i < len(s.src) && s.src[i] == '>' && i > from && s.src[i-1] == '/' {
		i--
	}
	return string(s.src[from:i]), i
}

// maxQuotes is how many quotes inside a value are looked at.
const maxQuotes = 64

// quoted finds the end of a quoted value. A quote inside it that was not escaped
// (title="The "Best" Blog") is told apart from the last one by what follows: only behind
// the last one the tag ends or another attribute begins. The search never goes into
// the next outline, and when it would swallow an address the first quote counts.
func (s *scanner) quoted(from int, q byte) (string, int) {
	limit := s.nextOutline(from)
	first := -1
	for i, seen := from, 0; seen < maxQuotes; i++ {
		j := bytes.IndexByte(s.src[i:limit], q)
		if j < 0 {
			break
		}
		if i += j; first < 0 {
			first = i
		}
		seen++
		if !s.endsValue(i + 1) {
			continue
		}
		if i > first && bytes.Contains(bytes.ToLower(s.src[first:i]), []byte("url=")) {
			break
		}
		return string(s.src[from:i]), i + 1
	}
	if first >= 0 {
		return string(s.src[from:first]), first + 1
	}
	// Never closed: the value ends with its line or its tag.
	end := limit
	if j := bytes.IndexAny(s.src[from:limit], "\n>"); j >= 0 {
		end = from + j
	}
	return string(s.src[from:end]), end
}

// nextOutline is where the next outline begins or ends, at or behind from. One
// search serves all attributes of a tag.
func (s *scanner) nextOutline(from int) int {
	if s.outline >= from {
		return s.outline
	}
	i := from
	for i < len(s.src) {
		j := bytes.IndexByte(s.src[i:], '<')
		if j < 0 {
			i = len(s.src)
			break
		}
		i += j
		if bounds(s.src[i+1:]) {
			break
		}
		i++
	}
	s.outline = i
	return i
}

// bounds tells whether b, which follows a <, is an outline, or what holds outlines,
// with or without a namespace prefix.
func bounds(b []byte) bool {
	b = bytes.TrimPrefix(b[:min(len(b), 32)], []byte("/"))
	n := 0
	for n < len(b) && isName(b[n]) {
		n++
	}
	switch strings.ToLower(string(b[bytes.LastIndexByte(b[:n], ':')+1 : n])) {
	case "outline", "body", "opml", "head":
		return true
	}
	return false
}

// endsValue tells whether what stands at i may follow a value: the end of the tag,
// the next one, or a name and an equals sign.
func (s *scanner) endsValue(i int) bool {
	j := s.blanks(i)
	if j >= len(s.src) {
		return true
	}
	switch s.src[j] {
	case '<':
		return bounds(s.src[j+1:])
	case '/':
		j = s.blanks(j + 1)
		return j < len(s.src) && s.src[j] == '>' && s.endsTag(j)
	case '>':
		return s.endsTag(j)
	}
	from := j
	for j < len(s.src) && isName(s.src[j]) && j-from < 64 {
		j++
	}
	if j == from {
		return false
	}
	j = s.blanks(j)
	return j < len(s.src) && s.src[j] == '='
}

// endsTag tells whether the > at i is the tag's and not that of markup which
// somebody put into a value as it was (description="at <a href="x">Y</a>"): between
// outlines there is no text.
func (s *scanner) endsTag(i int) bool {
	j := s.blanks(i + 1)
	return j >= len(s.src) || s.src[j] == '<' && (bounds(s.src[j+1:]) || j+1 < len(s.src) && s.src[j+1] == '!')
}

func (s *scanner) blanks(i int) int {
	for i < len(s.src) && isBlank(s.src[i]) {
		i++
	}
	return i
}

// text is what stands between pos and the next tag, comments and CDATA marks
// taken out.
func (s *scanner) text() string {
	var b strings.Builder
	rest := s.src[s.pos:]
	for {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		b.WriteString(unescape(string(rest[:i])))
		rest = rest[i:]
		if !bytes.HasPrefix(rest, []byte("<![CDATA[")) {
			return b.String()
		}
		rest = rest[len("<![CDATA["):]
		end := bytes.Index(rest, []byte("]]>"))
		if end < 0 {
			return b.String()
		}
		b.Write(rest[:end])
		rest = rest[end+3:]
	}
}

// unescape resolves the five entities of XML, those of HTML and character numbers,
// each once and only with their semicolon: the & of a query string stays.
func unescape(s string) string {
	at := strings.IndexByte(s, '&')
	if at < 0 {
		return s
	}
	var b strings.Builder
	for at >= 0 {
		b.WriteString(s[:at])
		s = s[at:]
		end := strings.IndexByte(s[:min(len(s), 40)], ';')
		if end < 2 || strings.ContainsAny(s[1:end], "& \t\r\n=<>\"'/?") {
			b.WriteByte('&')
			s = s[1:]
		} else {
			b.WriteString(html.UnescapeString(s[:end+1]))
			s = s[end+1:]
		}
		at = strings.IndexByte(s, '&')
	}
	b.WriteString(s)
	return b.String()
}

// findTag gives where <name begins in low, which is in lower case, or -1.
func findTag(low []byte, name string) int {
	for from := 0; ; {
		i := bytes.Index(low[from:], []byte(name))
		if i < 0 {
			return -1
		}
		i += from
		before := bytes.LastIndexByte(low[max(0, i-40):i], '<')
		prefix := low[i:i]
		if before >= 0 {
			prefix = low[max(0, i-40)+before+1 : i]
		}
		if before >= 0 && (len(prefix) == 0 || prefix[len(prefix)-1] == ':' && !bytes.ContainsAny(prefix, " \t\r\n>\"'=")) {
			return i - len(prefix) - 1
		}
		from = i + len(name)
	}
}

func isBlank(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
func isName(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':' || c >= 0x80
}
