package feed

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A mender reads JSON as generators write it that put it together by hand, and
// writes down what they meant: control characters inside strings as escapes,
// escapes that JSON does not have as the character, NaN as null, commas where
// they belong. Everything is read once, but for items that never end (resync).
type mender struct {
	b     []byte
	pos   int
	out   []byte // the value that was read last, mended
	stack []byte // brackets that are open in it
	after byte   // the last token written: an opening bracket, ':', ',' or 'v' for a value
	wants bool   // a comma is due before the next token
	text  bool   // the last string does not end
	cut   bool   // the document ends inside an item
	shut  bool   // a brace stood after the last item: the document's own, its bracket is missing
}

// maxResync bounds how often reading begins anew after an item that never ends.
const maxResync = 16

// blank reports what stands between tokens and means nothing.
func blank(c byte) bool { return c <= ' ' || c == 0x7f }

// peek gives the next byte that is not blank, 0 at the end; pos stands on it.
func (m *mender) peek() byte {
	for m.pos < len(m.b) && blank(m.b[m.pos]) {
		m.pos++
	}
	if m.pos >= len(m.b) {
		return 0
	}
	return m.b[m.pos]
}

// value reads one value and leaves it mended in out. It is false where the value
// does not end, or where a bracket closes what is not open in it; pos then stands
// there.
func (m *mender) value() bool {
	m.out, m.stack, m.after, m.wants = m.out[:0], m.stack[:0], '[', false
	for {
		c := m.peek()
		switch c {
		case 0:
			return false
		case '{', '[':
			m.put(c)
			m.stack = append(m.stack, c)
			m.after = c
			m.pos++
		case '}', ']':
			if !m.close(c) {
				return false
			}
		case ',':
			if len(m.stack) == 0 {
				return false
			}
			m.comma()
			m.pos++
		case ':':
			m.out, m.after, m.wants = append(m.out, c), c, false
			m.pos++
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
func (m *mender) put(c byte) {
	if m.wants {
		m.out = append(m.out, ',')
		m.wants = false
	}
	if c != 0 {
		m.out = append(m.out, c)
	}
}

// comma notes that one is due: only after a value, so one too many goes.
func (m *mender) comma() {
	if m.after == ':' { // "a":, has no value
		m.out, m.after, m.wants = append(m.out, "null"...), 'v', true
	}
}

func (m *mender) close(c byte) bool {
	if len(m.stack) == 0 || m.stack[len(m.stack)-1]+2 != c { // '{'+2 is '}', '['+2 is ']'
		return false
	}
	m.comma()
	m.stack = m.stack[:len(m.stack)-1]
	m.out, m.after, m.wants = append(m.out, c), 'v', true
	m.pos++
	return true
}

// word reads a number or a bare word: what JSON does not know is null, but a
// number in a foreign form stays as text, since it may be an id.
func (m *mender) word() {
	from := m.pos
	for m.pos++; m.pos < len(m.b) && !blank(m.b[m.pos]) && strings.IndexByte(`{}[]",:`, m.b[m.pos]) < 0; {
		m.pos++
	}
	w := m.b[from:m.pos]
	switch digit := bytes.ContainsAny(w, "0123456789"); {
	case json.Valid(w):
		m.out = append(m.out, w...)
	case digit:
		m.out = append(append(append(m.out, '"'), bytes.ReplaceAll(w, []byte(`\`), nil)...), '"')
	default:
		m.out = append(m.out, "null"...)
	}
}

// str reads the string that begins at pos; false if it does not end.
func (m *mender) str() bool {
	m.out = append(m.out, '"')
	m.text = true
	for m.pos++; m.pos < len(m.b); m.pos++ {
		switch c := m.b[m.pos]; {
		case c == '"' && m.ends():
			m.pos++
			m.text = false
			m.out = append(m.out, c)
			return true
		case c == '"':
			m.out = append(m.out, '\\', '"')
		case c == '\\':
			m.escape()
		default:
			m.char(c)
		}
	}
	return false
}

// char writes a byte of a string, escaped where JSON demands it.
func (m *mender) char(c byte) {
	const hex = "0123456789abcdef"
	if c < ' ' {
		m.out = append(m.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		return
	}
	m.out = append(m.out, c)
}

// escape reads the escape at pos and leaves pos on its last byte.
func (m *mender) escape() {
	rest := m.b[m.pos+1:]
	hex := func(from, to int) bool {
		return len(rest) >= to && len(bytes.Trim(rest[from:to], "0123456789abcdefABCDEF")) == 0
	}
	switch {
	case len(rest) == 0:
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		m.out = append(m.out, '\\', rest[0])
		m.pos++
	case rest[0] == 'u' && hex(1, 5):
		m.out = append(append(m.out, '\\'), rest[:5]...)
		m.pos += 5
	case rest[0] == 'x' && hex(1, 3): // JavaScript's
		m.out = append(append(m.out, `\u00`...), rest[1:3]...)
		m.pos += 3
	}
	// Any other stands for the character after it, which comes next.
}

// ends reports whether the quote at pos ends its string: what follows must be
// what can follow one. Quotes that were not escaped are text.
func (m *mender) ends() bool {
	n := mender{b: m.b, pos: m.pos + 1}
	switch c := n.peek(); c {
	case 0, ':', '}', ']':
		return true
	case '"': // a comma is missing
		return n.pos > m.pos+1
	case ',':
		n.pos++
		if c = n.peek(); c == 0 || c == '-' || c >= '0' && c <= '9' || strings.IndexByte(`"{}[],`, c) >= 0 {
			return true
		}
		from := n.pos
		n.pos = min(n.pos+8, len(n.b))
		word := n.b[from:n.pos]
		for _, w := range []string{"true", "false", "null", "NaN", "Infinity"} {
			if bytes.HasPrefix(word, []byte(w)) {
				return true
			}
		}
	}
	return false
}

// mendJSON reads a JSON Feed that is no JSON.
func (p *parser) mendJSON(b []byte) error {
	m := &mender{b: bytes.TrimRight(b, " \t\r\n"), pos: 1}
	top := fields{}
	found, open := m.members(p, top)
	if i := bytes.Index(m.b, []byte(`"items"`)); !found && i >= 0 { // lost in what stands before it
		m.pos = i + 7
		if m.list() {
			found = true
			p.mendItems(m)
			_, open = m.members(p, fields{})
		}
	}
	version := top.str("version")
	if !found && !strings.Contains(version, "jsonfeed.org") {
		return ErrNotFeed
	}
	if m.cut || open && !m.shut {
		p.endsEarly()
	} else {
		p.problem("it is no valid JSON; its items were read one by one")
	}
	p.jsonFeed(top.feed())
	return nil
}

// list steps over the colon and the bracket before the items.
func (m *mender) list() bool {
	if m.peek() != ':' {
		return false
	}
	m.pos++
	if m.peek() != '[' {
		return false
	}
	m.pos++
	return true
}

// members reads the document's own members; open tells that no brace ends them.
func (m *mender) members(p *parser, top fields) (found, open bool) {
	for {
		c := m.peek()
		if c == 0 || c == '}' {
			return found, c == 0
		}
		if c != '"' { // a comma, or what belongs nowhere
			m.pos++
			continue
		}
		if !m.value() {
			return found, true
		}
		var name string
		_ = json.Unmarshal(m.out, &name) // what is no name names nothing
		at := m.pos
		if name == "items" && m.list() {
			found = true
			p.mendItems(m)
			continue
		}
		m.pos = at
		if m.peek() != ':' {
			continue
		}
		m.pos++
		if m.value() && json.Valid(m.out) && len(top) < MaxAttributes {
			top[name] = bytes.Clone(m.out)
		}
	}
}

// mendItems reads the items up to the bracket after them.
func (p *parser) mendItems(m *mender) {
	resyncs := 0
	for {
		switch m.peek() {
		case 0:
			return
		case ']':
			m.pos++
			if m.peek() != ',' || !m.objectNext() { // else one that a lost item left over
				return
			}
			continue
		case '{':
		case ',', ':', '}':
			m.shut = m.shut || m.b[m.pos] == '}'
			m.pos++
			continue
		default: // no item
			p.badItem++
			if at := m.pos; !m.value() && m.pos == at {
				m.pos++
			}
			continue
		}
		m.shut = false
		from := m.pos
		whole := m.value()
		if m.cut = m.pos == len(m.b) && !whole && (!m.text || m.b[m.pos-1] != '}'); m.cut {
			return
		}
		var f fields
		switch {
		case !whole || json.Unmarshal(m.out, &f) != nil:
			p.badItem++
			if resyncs++; resyncs > maxResync {
				break
			}
			if next := nextItem(m.b[:m.pos], from+1); next > 0 {
				m.pos = next
			}
		case resyncs > 0 && !f.isItem(): // perhaps an attachment of the lost one
			p.badItem++
		case len(p.doc.Items) >= p.maxItems:
			p.dropped++
		default:
			p.jsonItem(f.item())
		}
	}
}

// objectNext reports whether an object follows the comma at pos.
func (m *mender) objectNext() bool {
	n := mender{b: m.b, pos: m.pos + 1}
	return n.peek() == '{'
}

// isItem reports whether an object has what only items have.
func (f fields) isItem() bool {
	for _, name := range []string{"id", "content_html", "content_text", "date_published"} {
		if len(f[name]) > 0 {
			return true
		}
	}
	return false
}

// nextItem is where the next object stands that a comma precedes and a name
// follows, 0 if none does.
func nextItem(b []byte, from int) int {
	for i := from; ; i++ {
		n := bytes.IndexByte(b[min(i, len(b)):], ',')
		if n < 0 {
			return 0
		}
		i += n
		m := mender{b: b, pos: i}
		if !m.objectNext() {
			continue
		}
		m.pos++
		m.peek()
		at := m.pos
		m.pos++
		if m.peek() == '"' {
			return at
		}
	}
}
