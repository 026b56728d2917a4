// Package jsonscan reads JSON as hand-written generators produce it, and writes what they
// meant. Package feed knows what the members mean.
package jsonscan

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A Mender reads JSON as hand-written generators produce it, and writes what
// they meant: control characters inside strings as escapes,
// escapes that JSON does not have as the character, NaN as null, commas where
// they belong. Everything is read once, except for items that never end (resync).
type Mender struct {
	B     []byte // the document
	Pos   int    // where it reads on
	Out   []byte // the value that was read last, mended
	stack []byte // brackets that are open in it
	after byte   // the last token written: an opening bracket, ':', ',' or 'v' for a value
	wants bool   // a comma is due before the next token
	Text  bool   // the last string does not end
}

// blank reports whether a byte between tokens means nothing.
func blank(c byte) bool { return c <= ' ' || c == 0x7f }

// Peek gives the next byte that is not blank, 0 at the end; Pos stands on it.
func (m *Mender) Peek() byte {
	for m.Pos < len(m.B) && blank(m.B[m.Pos]) {
		m.Pos++
	}
	if m.Pos >= len(m.B) {
		return 0
	}
	return m.B[m.Pos]
}

// Value reads one value and leaves it mended in Out. It is false where the value
// does not end, or where a bracket closes what is not open in it; Pos then stands
// there.
func (m *Mender) Value() bool {
	m.Out, m.stack, m.after, m.wants = m.Out[:0], m.stack[:0], '[', false
	for {
		c := m.Peek()
		switch c {
		case 0:
			return false
		case '{', '[':
			m.put(c)
			m.stack = append(m.stack, c)
			m.after = c
			m.Pos++
		case '}', ']':
			if !m.close(c) {
				return false
			}
		case ',':
			if len(m.stack) == 0 {
				return false
			}
			m.comma()
			m.Pos++
		case ':':
			m.Out, m.after, m.wants = append(m.Out, c), c, false
			m.Pos++
		case '"':
			m.put(0)
			if !m.str() {
				return false
			}
			m.after, m.wants = 'v', true
		default:
			m.put(0)
			m.word()
			m.after, m.wants = 'v', true
		}
		if len(m.stack) == 0 && m.after == 'v' {
			return true
		}
	}
}

// put writes the comma that is due, and c unless it is 0.
func (m *Mender) put(c byte) {
	if m.wants {
		m.Out = append(m.Out, ',')
		m.wants = false
	}
	if c != 0 {
		m.Out = append(m.Out, c)
	}
}

// comma notes that one is due: only after a value, so an extra one is dropped.
func (m *Mender) comma() {
	if m.after == ':' { // "a":, has no value
		m.Out, m.after, m.wants = append(m.Out, "null"...), 'v', true
	}
}

func (m *Mender) close(c byte) bool {
	if len(m.stack) == 0 || m.stack[len(m.stack)-1]+2 != c { // '{'+2 is '}', '['+2 is ']'
		return false
	}
	m.comma()
	m.stack = m.stack[:len(m.stack)-1]
	m.Out, m.after, m.wants = append(m.Out, c), 'v', true
	m.Pos++
	return true
}

// word reads a number or a bare word: what JSON does not know is null, but a
// number in a foreign form stays as text, since it may be an id.
func (m *Mender) word() {
	from := m.Pos
	for m.Pos++; m.Pos < len(m.B) && !blank(m.B[m.Pos]) && strings.IndexByte(`{}[]",:`, m.B[m.Pos]) < 0; {
		m.Pos++
	}
	w := m.B[from:m.Pos]
	switch digit := bytes.ContainsAny(w, "0123456789"); {
	case json.Valid(w):
		m.Out = append(m.Out, w...)
	case digit:
		m.Out = append(append(append(m.Out, '"'), bytes.ReplaceAll(w, []byte(`\`), nil)...), '"')
	default:
		m.Out = append(m.Out, "null"...)
	}
}

// str reads the string that begins at pos; false if it does not end.
func (m *Mender) str() bool {
	m.Out = append(m.Out, '"')
	m.Text = true
	for m.Pos++; m.Pos < len(m.B); m.Pos++ {
		switch c := m.B[m.Pos]; {
		case c == '"' && m.ends():
			m.Pos++
			m.Text = false
			m.Out = append(m.Out, c)
			return true
		case c == '"':
			m.Out = append(m.Out, '\\', '"')
		case c == '\\':
			m.escape()
		default:
			m.char(c)
		}
	}
	return false
}

// char writes a byte of a string, escaped where JSON demands it.
func (m *Mender) char(c byte) {
	const hex = "0123456789abcdef"
	if c < ' ' {
		m.Out = append(m.Out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		return
	}
	m.Out = append(m.Out, c)
}

// escape reads the escape at pos and leaves pos on its last byte.
func (m *Mender) escape() {
	rest := m.B[m.Pos+1:]
	hex := func(from, to int) bool {
		return len(rest) >= to && len(bytes.Trim(rest[from:to], "0123456789abcdefABCDEF")) == 0
	}
	switch {
	case len(rest) == 0:
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		m.Out = append(m.Out, '\\', rest[0])
		m.Pos++
	case rest[0] == 'u' && hex(1, 5):
		m.Out = append(append(m.Out, '\\'), rest[:5]...)
		m.Pos += 5
	case rest[0] == 'x' && hex(1, 3): // JavaScript's
		m.Out = append(append(m.Out, `\u00`...), rest[1:3]...)
		m.Pos += 3
	}
	// Any other stands for the character after it, which comes next.
}

// ends reports whether the quote at pos ends its string: what follows must be
// what can follow one. Quotes that were not escaped are text.
func (m *Mender) ends() bool {
	n := Mender{B: m.B, Pos: m.Pos + 1}
	switch c := n.Peek(); c {
	case 0, ':', '}', ']':
		return true
	case '"': // a comma is missing
		return n.Pos > m.Pos+1
	case ',':
		n.Pos++
		if c = n.Peek(); c == 0 || c == '-' || c >= '0' && c <= '9' || strings.IndexByte(`"{}[],`, c) >= 0 {
			return true
		}
		from := n.Pos
		n.Pos = min(n.Pos+8, len(n.B))
		word := n.B[from:n.Pos]
		for _, w := range []string{"true", "false", "null", "NaN", "Infinity"} {
			if bytes.HasPrefix(word, []byte(w)) {
				return true
			}
		}
	}
	return false
}

// List steps over the colon and the bracket before the items.
func (m *Mender) List() bool {
	if m.Peek() != ':' {
		return false
	}
	m.Pos++
	if m.Peek() != '[' {
		return false
	}
	m.Pos++
	return true
}

// ObjectNext reports whether an object follows the comma at Pos.
func (m *Mender) ObjectNext() bool {
	n := Mender{B: m.B, Pos: m.Pos + 1}
	return n.Peek() == '{'
}

// NextItem is where the next object stands that a comma precedes and a name
// follows, 0 if none does.
func NextItem(b []byte, from int) int {
	for i := from; ; i++ {
		n := bytes.IndexByte(b[min(i, len(b)):], ',')
		if n < 0 {
			return 0
		}
		i += n
		m := Mender{B: b, Pos: i}
		if !m.ObjectNext() {
			continue
		}
		m.Pos++
		m.Peek()
		at := m.Pos
		m.Pos++
		if m.Peek() == '"' {
			return at
		}
	}
}
