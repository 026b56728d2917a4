// Package xmlscan reads XML as publishers write it: tags, names and their
// namespaces, attributes, references, CDATA sections and xml:base. It never
// fails, and costs time linear in the length of a document. What the elements
// mean is for package feed to say. HTML is read by reader/markup, whose rules
// are others: there an end tag may be left out, and a CDATA section is none.
package xmlscan

import "bytes"

// Limits of what is read of a document.
const (
	MaxURL        = 4 << 10 // bytes of an address
	MaxAttributes = 256     // attributes of an element
	MaxDepth      = 256     // nested elements
)

// noName is read in place of an element's name where b is the content of one:
// sections that never end reach to its end.
var noName = []byte{0}

// A Scanner walks over XML as it is found, not as it should be. It knows tags,
// CDATA sections, comments and instructions, never fails, keeps no stack (so
// nesting costs nothing) and hands out slices of the document.
type Scanner struct {
	B   []byte
	Pos int
	In  []byte // name of the element that is read to its end, nil if none

	// The next end of each kind of markup, found once: looking again for one that
	// is far away, or not there at all, costs time that grows with the square of
	// the document.
	ends          [3]end
	noDeclaration bool

	Recovered bool // it read over something that is not well formed
}

// Within returns a scanner of the content of one element.
func Within(b []byte) Scanner { return Scanner{B: b, In: noName} }

// end is where the next end of a kind of markup stands.
type end struct {
	known bool
	from  int // where it was looked for
	at    int // len(b): there is none
	// leave is the last place before it at which an item ends and such markup
	// begins again: what began before that never ended. 0: there is none.
	leave int
}

// Tag is a start or end tag.
type Tag struct {
	Name       []byte // as written, with its prefix
	Attrs      []byte // everything between name and ">"
	Start, End int    // in the document
	Closing    bool   // </name>
	Empty      bool   // <name/>
}

// Next returns the next tag, skipping text, CDATA, comments and instructions.
// ok is false at the end; cut tells that the document ends inside a construct.
func (s *Scanner) Next() (t Tag, ok bool) {
	for s.Pos < len(s.B) {
		i := bytes.IndexByte(s.B[s.Pos:], '<')
		if i < 0 || s.Pos+i+1 >= len(s.B) {
			break
		}
		s.Pos += i
		switch c := s.B[s.Pos+1]; {
		case c == '!' || c == '?':
			s.Pos += s.markup()
		case c == '/' || nameStart(c):
			if t, ok = readTag(s.B, s.Pos); ok {
				s.Pos = t.End
				return t, true
			}
			s.Pos, s.Recovered = t.End, true
		default: // a bare "<" in text
			s.Pos++
			s.Recovered = true
		}
	}
	s.Pos = len(s.B)
	return Tag{}, false
}

// Kinds of markup whose end is looked for, with how they begin and end.
const (
	section = iota
	comment
	instruction
)

var marks = [...]struct{ begin, end []byte }{
	section: {[]byte("<![CDATA["), []byte("]]>")}, comment: {[]byte("<!--"), []byte("-->")}, instruction: {[]byte("<?"), []byte("?>")},
}

// markup returns the length of the comment, CDATA section, declaration or
// instruction at pos. One that never ends would swallow whole items: it ends with
// its own tag or before the next, a CDATA section before the end of its element.
func (s *Scanner) markup() int {
	b := s.B[s.Pos:]
	n := 0
	switch {
	case bytes.HasPrefix(b, marks[section].begin):
		if n = s.until(section); n == 0 && len(s.In) > 0 {
			n = openSection(b, s.In)
		}
	case bytes.HasPrefix(b, marks[comment].begin):
		n = s.until(comment)
	case bytes.HasPrefix(b, []byte("<?xml ")): // ends at its ">", though its "?" be missing
	case b[1] == '?':
		n = s.until(instruction)
	case !s.noDeclaration:
		n = declarationLen(b)
		s.noDeclaration = n == 0
	}
	if n == 0 {
		n = openMarkup(b)
		s.Recovered = true
	}
	return n
}

// until is the length of the markup at pos up to its own end, 0 if it has none:
// there is no end any more, or it is that of another one, which begins before it
// and in another item.
func (s *Scanner) until(kind int) int {
	mark, e := &marks[kind], &s.ends[kind]
	from := min(s.Pos+len(mark.begin), len(s.B))
	if !e.known || from < e.from || e.at < from { // it may have gone back
		*e = s.nextEnd(from, kind)
	}
	if e.at == len(s.B) {
		return 0
	}
	n := e.at + len(mark.end) - s.Pos
	if kind != section || len(s.In) == 0 {
		if s.Pos < e.leave {
			return 0
		}
		return n
	}
	inside, after := s.B[from:e.at], s.B[s.Pos+n:]
	if bytes.HasSuffix(inside, []byte("]]")) && bytes.HasPrefix(after, []byte("<![CDATA[>")) {
		return n // how a section is written inside a section
	}
	if i := openSection(inside, s.In); i < len(inside) && bytes.Contains(inside[i:], mark.begin) {
		s.Recovered = true
		return from + i - s.Pos
	}
	return n
}

// nextEnd finds the next end of a kind of markup.
func (s *Scanner) nextEnd(from, kind int) end {
	e := end{known: true, from: from, at: len(s.B)}
	i := bytes.Index(s.B[from:], marks[kind].end)
	if i < 0 {
		return e
	}
	e.at = from + i
	at := max(lastIndex(s.B[from:e.at], marks[kind].begin), 0)
	for at > 0 && e.leave == 0 {
		if at = bytes.LastIndex(s.B[from:from+at], []byte("</")); at < 0 {
			break
		}
		name := s.B[from+at+2 : min(from+at+66, e.at)]
		if n := bytes.IndexAny(name, "> \t\r\n"); n > 0 && IsContainer(name[:n]) {
			e.leave = from + at
		}
	}
	return e
}

// lastIndex is bytes.LastIndex for what is hardly ever there: looking forward is
// ten times as fast.
func lastIndex(b, sep []byte) int {
	last := -1
	for {
		i := bytes.Index(b[last+1:], sep)
		if i < 0 {
			return last
		}
		last += 1 + i
	}
}

// openMarkup is the length of markup that never ends: up to its ">" or the next
// tag.
func openMarkup(b []byte) int {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == '>':
			return i + 1
		case b[i] == '<' && i+1 < len(b) && (b[i+1] == '/' || nameStart(b[i+1])):
			return i
		}
	}
	return len(b)
}

// openSection is the length of a CDATA section that never ends: up to the end tag
// of the element it stands in.
func openSection(b, name []byte) int {
	end := append([]byte("</"), name...)
	for from := 0; ; {
		i := bytes.Index(b[from:], end)
		if i < 0 {
			return len(b)
		}
		from += i
		if rest := b[from+len(end):]; len(rest) > 0 && (rest[0] == '>' || IsSpace(rest[0])) {
			return from
		}
		from += len(end)
	}
}

// declarationLen is the length of the declaration at the start of b, 0 if it does
// not end.
func declarationLen(b []byte) int {
	// A declaration: quotes and the brackets of an internal subset may hold ">".
	quote, depth := byte(0), 0
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && depth == 0:
			quote = c
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case c == '<' && depth == 0 && i > 2:
			return i // never closed: the next tag begins
		case c == '>' && depth == 0:
			return i + 1
		}
	}
	return 0
}

// readTag reads the tag at b[at], minding ">" in quoted attribute values.
func readTag(b []byte, at int) (Tag, bool) {
	t := Tag{Start: at}
	i := at + 1
	if b[i] == '/' {
		t.Closing = true
		i++
	}
	from := i
	for i < len(b) && !IsSpace(b[i]) && b[i] != '>' && b[i] != '/' && b[i] != '<' {
		i++
	}
	t.Name = b[from:i]
	from = i
	for i < len(b) {
		switch c := b[i]; c {
		case '>':
			t.End = i + 1
			if !t.Closing && i > from && b[i-1] == '/' {
				t.Empty = true
				i--
			}
			t.Attrs = b[from:i]
			return t, len(t.Name) > 0
		case '"', '\'':
			if afterEquals(b[from:i]) {
				if n := bytes.IndexByte(b[i+1:], c); n >= 0 {
					i += n + 1
				}
			}
		case '<': // never closed: the next tag begins here
			t.End = i
			return t, false
		}
		i++
	}
	t.End = len(b)
	return t, false
}

func afterEquals(b []byte) bool {
	b = bytes.TrimRight(b, " \t\r\n")
	return len(b) > 0 && b[len(b)-1] == '='
}

// Inner scans for the end of the element whose start tag was t and returns its
// content. Elements of the same name may be nested in it. Where the end tag is
// missing, the end tag of a container ends it as well, and is not consumed.
func (s *Scanner) Inner(t Tag) (content []byte, closed bool) { return s.InnerOf(t, false) }

// InnerOf is inner; with nested, containers may stand in the element whole: then
// only its own end tag closes it.
func (s *Scanner) InnerOf(t Tag, nested bool) (content []byte, closed bool) {
	if t.Empty {
		return nil, true
	}
	from, depth, open, held := s.Pos, 0, 0, false
	s.In = t.Name
	defer func() { s.In = nil }()
	for {
		n, ok := s.Next()
		switch {
		case !ok:
			return s.B[from:], false
		case SameName(n.Name, t.Name):
			if !n.Closing {
				if !n.Empty {
					depth++
				}
				continue
			}
			if depth == 0 {
				return s.B[from:n.Start], true
			}
			depth--
		case !IsContainer(n.Name):
		case nested && !n.Closing && !n.Empty:
			open++
			held = true
		case open > 0 && n.Closing:
			open--
		case n.Closing:
			s.Pos = n.Start
			return s.B[from:n.Start], !held
		}
	}
}

// SameName tells whether two tags are of one element; slips in letter case are
// the publisher's.
func SameName(a, b []byte) bool {
	return len(a) == len(b) && (bytes.Equal(a, b) || bytes.EqualFold(a, b))
}

// IsContainer reports whether a name is that of an element that holds items, or
// of an item.
func IsContainer(name []byte) bool {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	switch len(name) {
	case 3:
		return bytes.EqualFold(name, []byte("rss")) || bytes.EqualFold(name, []byte("rdf"))
	case 4:
		return bytes.EqualFold(name, []byte("item")) || bytes.EqualFold(name, []byte("feed"))
	case 5:
		return bytes.EqualFold(name, []byte("entry"))
	case 7:
		return bytes.EqualFold(name, []byte("channel"))
	}
	return false
}

// EachAttr calls f with every attribute of a tag: name as written, value still
// encoded. It tolerates missing quotes and stops after MaxAttributes.
func EachAttr(b []byte, f func(name, value []byte)) {
	for range MaxAttributes {
		b = bytes.TrimLeft(b, " \t\r\n/")
		if len(b) == 0 {
			return
		}
		i := 0
		for i < len(b) && !IsSpace(b[i]) && b[i] != '=' {
			i++
		}
		name := b[:i]
		b = bytes.TrimLeft(b[i:], " \t\r\n")
		if len(b) == 0 || b[0] != '=' {
			if i == 0 {
				return
			}
			f(name, nil)
			continue
		}
		b = bytes.TrimLeft(b[1:], " \t\r\n")
		end, rest := 0, 0
		if len(b) > 0 && (b[0] == '"' || b[0] == '\'') {
			q := b[0]
			b = b[1:]
			if end = bytes.IndexByte(b, q); end < 0 {
				end = len(b)
			}
			rest = min(end+1, len(b))
		} else {
			for end < len(b) && !IsSpace(b[end]) {
				end++
			}
			rest = end
		}
		f(name, b[:end])
		b = b[rest:]
	}
}

// IsSpace reports whether a byte is white space of XML.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func nameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

// LocalName is a name without its prefix.
func LocalName(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// IsLetter reports whether a byte is a letter of ASCII.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
