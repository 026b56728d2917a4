package xmlscan

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decoder decodes what stands in a document, with the entities that the document
// defines itself.
type Decoder struct {
	entities map[string]string // simple internal entities
}

// Defines reports whether the document defines entities.
func (d *Decoder) Defines() bool { return len(d.entities) > 0 }

// Value decodes the content of an element. Where that is text, references are
// decoded and CDATA sections opened; markup is false then. Where real elements
// stand in it, it is markup already and its references stay; CDATA sections in
// it are opened if lax (RSS, where they hold HTML) and escaped if not (XHTML).
func (d *Decoder) Value(b []byte, strict bool) (s string, markup bool) {
	s, markup = d.Decoded(b, strict)
	return Mended(s, markup), markup
}

// Mended is decoded text without the marks and the encoding that it has twice.
func Mended(s string, markup bool) string {
	if !markup {
		s = unsection(s)
	}
	return Undouble(s)
}

// unsection takes off a CDATA section's marks around a whole text, which were
// escaped as if they were text.
func unsection(s string) string {
	if i := strings.IndexByte(s, '<'); i < 0 || !strings.HasPrefix(s[i:], "<![CDATA[") {
		return s
	}
	t := strings.TrimSpace(s)
	in, begins := strings.CutPrefix(t, "<![CDATA[")
	in, ends := strings.CutSuffix(in, "]]>")
	if !begins || !ends {
		return s
	}
	return in
}

// Undouble repairs text that was UTF-8, was taken for Latin-1 and encoded once
// more: if all its characters are bytes and these bytes are valid UTF-8, they
// are what was meant. Honest Latin-1 text hardly ever is valid UTF-8.
func Undouble(s string) string {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			for i++; len(s)-i >= 8 && asciiWord(s[i:i+8]); i += 8 {
			}
			continue
		}
		if s[i] > 0xC3 || s[i] < 0xC2 || i+1 >= len(s) {
			return s
		}
		// The first of them must begin a sequence, which honest text shows at once.
		if n == 0 && (s[i] == 0xC2 || i+3 >= len(s) || s[i+2] != 0xC2) {
			return s
		}
		n++
		i += 2
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	if !utf8.Valid(b) {
		return s
	}
	return string(b)
}

// asciiWord reports whether 8 bytes are all ASCII.
func asciiWord(w string) bool {
	v := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
	return v&0x8080808080808080 == 0
}

// Decoded is value before that repair.
func (d *Decoder) Decoded(b []byte, strict bool) (s string, markup bool) {
	amp := bytes.IndexByte(b, '&') >= 0
	if bytes.IndexByte(b, '<') < 0 {
		if !amp {
			return string(b), false
		}
		return string(d.references(make([]byte, 0, len(b)), b)), false
	}
	markup = strict || HasElements(b)
	out := make([]byte, 0, len(b))
	for sc := Within(b); sc.Pos < len(b); {
		rest := b[sc.Pos:]
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		if markup {
			out = d.expand(out, rest[:i])
		} else {
			out = d.references(out, rest[:i])
		}
		sc.Pos += i
		if rest = rest[i:]; len(rest) == 0 {
			break
		}
		n := 1
		switch {
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			n = sc.markup()
			section := bytes.TrimSuffix(rest[9:n], []byte("]]>"))
			if strict {
				out = append(out, html.EscapeString(string(section))...)
			} else {
				out = append(out, section...)
			}
		case len(rest) > 1 && (rest[1] == '!' || rest[1] == '?'):
			n = sc.markup()
		default:
			out = append(out, '<')
		}
		sc.Pos += n
	}
	return string(out), markup
}

// HasElements reports whether a real tag stands in the content of an element.
func HasElements(b []byte) bool {
	s := Within(b)
	_, ok := s.Next()
	return ok
}

// references appends b with its character references decoded: those of XML and
// HTML and the simple ones the document defines itself. What is none stays.
func (d *Decoder) references(out, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i]...)
		b = b[i:]
		end := bytes.IndexByte(b[:min(len(b), 34)], ';')
		if end < 2 {
			out = append(out, '&')
			b = b[1:]
			continue
		}
		if s, ok := d.entity(string(b[1:end])); ok {
			out = append(out, s...)
			b = b[end+1:]
			continue
		}
		out = append(out, '&')
		b = b[1:]
	}
}

// entity returns what a reference stands for.
func (d *Decoder) entity(name string) (string, bool) {
	switch name {
	case "amp":
		return "&", true
	case "lt":
		return "<", true
	case "gt":
		return ">", true
	case "quot":
		return `"`, true
	case "apos":
		return "'", true
	}
	if name[0] == '#' {
		return Numeric(name[1:])
	}
	if s, ok := d.entities[name]; ok {
		return s, true
	}
	ref := "&" + name + ";"
	s := html.UnescapeString(ref)
	// "&notit;" decodes to "¬it;": only whole names count.
	return s, s != ref && !strings.HasSuffix(s, ";")
}

// Numeric returns the character of a numeric reference without its "#". What is
// no character becomes nothing; control characters are left to reader/plain.
func Numeric(s string) (string, bool) {
	base := 10
	if len(s) > 1 && (s[0] == 'x' || s[0] == 'X') {
		s, base = s[1:], 16
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return "", false
	}
	if n > utf8.MaxRune || n >= 0xD800 && n <= 0xDFFF {
		return "", true
	}
	return string(rune(n)), true
}

// expand appends markup with only the document's own entities expanded.
func (d *Decoder) expand(out, b []byte) []byte {
	if len(d.entities) == 0 {
		return append(out, b...)
	}
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i]...)
		b = b[i:]
		if end := bytes.IndexByte(b[:min(len(b), 34)], ';'); end > 1 {
			if s, ok := d.entities[string(b[1:end])]; ok {
				out = append(out, s...)
				b = b[end+1:]
				continue
			}
		}
		out = append(out, '&')
		b = b[1:]
	}
}

// Simple internal entities: bounded in number and size and never expanded in
// one another, so that neither bombs nor files can be built of them.
const (
	maxEntities    = 256
	maxEntityValue = 1024
)

// Declare reads the internal entities of a document type before the root.
func (d *Decoder) Declare(prologue []byte) {
	for len(d.entities) < maxEntities {
		i := bytes.Index(prologue, []byte("<!ENTITY"))
		if i < 0 {
			return
		}
		prologue = prologue[i+8:]
		name, rest := word(prologue)
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if name == "" || name == "%" || len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		end := bytes.IndexByte(rest[1:], rest[0])
		if end < 0 || end > maxEntityValue {
			continue
		}
		if d.entities == nil {
			d.entities = map[string]string{}
		}
		if _, again := d.entities[name]; !again {
			own := d.entities
			d.entities = nil // the value is decoded without the others
			v := string(d.references(nil, rest[1:1+end]))
			own[name] = v
			d.entities = own
		}
	}
}

func word(b []byte) (string, []byte) {
	b = bytes.TrimLeft(b, " \t\r\n")
	i := 0
	for i < len(b) && i < 64 && !IsSpace(b[i]) && b[i] != '"' && b[i] != '>' {
		i++
	}
	return string(b[:i]), b[i:]
}

// Attr returns the decoded value of an attribute, by its name with or without
// prefix, bounded like an address.
func (d *Decoder) Attr(attrs []byte, want string) string {
	value := ""
	EachAttr(attrs, func(name, v []byte) {
		if value == "" && strings.EqualFold(string(name), want) && len(v) <= MaxURL {
			value, _ = d.Value(v, false)
		}
	})
	return strings.TrimSpace(value)
}
