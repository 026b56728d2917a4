package feed

import (
	"bytes"
	"encoding/json"
	"strings"

	"diurna/reader/feed/jsonscan"
)

// A jsonMender reads a feed that is no JSON.
type jsonMender struct {
	jsonReader
	jsonscan.Mender
	cut  bool // the document ends inside an item
	shut bool // a brace stood after the last item: the document's own, its bracket is missing
}

// maxResync bounds how often reading begins again after an item that never ends.
const maxResync = 16

// mend reads a JSON Feed that is no JSON.
func (r jsonReader) mend(b []byte) error {
	m := &jsonMender{jsonReader: r, Mender: jsonscan.Mender{B: bytes.TrimRight(b, " \t\r\n"), Pos: 1}}
	top := fields{}
	found, open := m.members(top)
	if i := bytes.Index(m.B, []byte(`"items"`)); !found && i >= 0 { // lost in what stands before it
		m.Pos = i + 7
		if m.List() {
			found = true
			m.mendItems()
			_, open = m.members(fields{})
		}
	}
	version := top.str("version")
	if !found && !strings.Contains(version, "jsonfeed.org") {
		return ErrNotFeed
	}
	if m.cut || open && !m.shut {
		r.p.endsEarly()
	} else {
		r.p.problem("invalid JSON; its items were read one by one")
	}
	r.feed(top.feed())
	return nil
}

// members reads the document's own members; open tells that no brace ends them.
func (m *jsonMender) members(top fields) (found, open bool) {
	for {
		c := m.Peek()
		if c == 0 || c == '}' {
			return found, c == 0
		}
		if c != '"' { // a comma, or what belongs nowhere
			m.Pos++
			continue
		}
		if !m.Value() {
			return found, true
		}
		var name string
		_ = json.Unmarshal(m.Out, &name) // what is no name names nothing
		at := m.Pos
		if name == "items" && m.List() {
			found = true
			m.mendItems()
			continue
		}
		m.Pos = at
		if m.Peek() != ':' {
			continue
		}
		m.Pos++
		if m.Value() && json.Valid(m.Out) && len(top) < MaxAttributes {
			top[name] = bytes.Clone(m.Out)
		}
	}
}

// mendItems reads the items up to the bracket after them.
func (m *jsonMender) mendItems() {
	resyncs := 0
	for {
		switch m.Peek() {
		case 0:
			return
		case ']':
			m.Pos++
			if m.Peek() != ',' || !m.ObjectNext() { // else one that a lost item left over
				return
			}
			continue
		case '{':
		case ',', ':', '}':
			m.shut = m.shut || m.B[m.Pos] == '}'
			m.Pos++
			continue
		default: // no item
			m.p.badItem++
			if at := m.Pos; !m.Value() && m.Pos == at {
				m.Pos++
			}
			continue
		}
		m.shut = false
		from := m.Pos
		whole := m.Value()
		if m.cut = m.Pos == len(m.B) && !whole && (!m.Text || m.B[m.Pos-1] != '}'); m.cut {
			return
		}
		var f fields
		switch {
		case !whole || json.Unmarshal(m.Out, &f) != nil:
			m.p.badItem++
			if resyncs++; resyncs > maxResync {
				break
			}
			if next := jsonscan.NextItem(m.B[:m.Pos], from+1); next > 0 {
				m.Pos = next
			}
		case resyncs > 0 && !f.isItem(): // perhaps an attachment of the lost one
			m.p.badItem++
		case len(m.p.doc.Items) >= m.p.maxItems:
			m.p.dropped++
		default:
			m.item(f.item())
		}
	}
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
