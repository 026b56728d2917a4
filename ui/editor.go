package ui

import (
	"strings"
	"unicode"

	"diurna/ui/cells"
)

// editor is one line of text with readline's keys. It works on clusters, what
// a reader takes for one character.
type editor struct {
	text    []string
	cur     int
	killed  string
	history []string // oldest first
	back    int      // how far back in history; 0: the line being typed
	draft   string
}

func (e *editor) String() string { return strings.Join(e.text, "") }

// set replaces the line.
func (e *editor) set(s string) {
	e.text = clusters(s)
	e.cur = len(e.text)
}

// insert puts typed or pasted text at the cursor: one line, no controls.
func (e *editor) insert(s string) {
	add := clusters(s)
	e.text = append(e.text[:e.cur:e.cur], append(add, e.text[e.cur:]...)...)
	e.cur += len(add)
}

// maxTyped bounds a line; a paste beyond it is cut.
const maxTyped = 4096

func clusters(s string) []string {
	if len(s) > maxTyped {
		s = strings.ToValidUTF8(s[:maxTyped], "")
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c':
			return -1
		}
		return r
	}, s)
	var out []string
	var m cells.Measure
	for s != "" {
		c, _ := m.Next(s)
		out = append(out, c)
		s = s[len(c):]
	}
	return out
}

// key does what readline would; false when the key means nothing to it.
func (e *editor) key(k string) bool {
	switch k {
	case "left", "ctrl+b":
		e.cur = max(0, e.cur-1)
	case "right", "ctrl+f":
		e.cur = min(len(e.text), e.cur+1)
	case "home", "ctrl+a":
		e.cur = 0
	case "end", "ctrl+e":
		e.cur = len(e.text)
	case "backspace", "ctrl+h":
		e.cut(max(0, e.cur-1), e.cur, false)
	case "delete", "ctrl+d":
		e.cut(e.cur, min(len(e.text), e.cur+1), false)
	case "ctrl+k":
		e.cut(e.cur, len(e.text), true)
	case "ctrl+u":
		e.cut(0, e.cur, true)
	case "ctrl+w":
		e.cut(e.word(), e.cur, true)
	case "ctrl+y":
		e.insert(e.killed)
	case "up", "ctrl+p":
		e.past(1)
	case "down", "ctrl+n":
		e.past(-1)
	default:
		return false
	}
	return true
}

// cut takes text[from:to] out; kept for ^y when keep is set.
func (e *editor) cut(from, to int, keep bool) {
	if keep {
		e.killed = strings.Join(e.text[from:to], "")
	}
	e.text = append(e.text[:from:from], e.text[to:]...)
	e.cur = from
}

// word is where the word before the cursor starts.
func (e *editor) word() int {
	i := e.cur
	for i > 0 && e.text[i-1] == " " {
		i--
	}
	for i > 0 && e.text[i-1] != " " {
		i--
	}
	return i
}

// past goes d lines back in the history, forth when negative.
func (e *editor) past(d int) {
	to := e.back + d
	if to < 0 || to > len(e.history) {
		return
	}
	if e.back == 0 {
		e.draft = e.String()
	}
	e.back = to
	if to == 0 {
		e.set(e.draft)
		return
	}
	e.set(e.history[len(e.history)-to])
}

// draw gives the part of the line around the cursor in at most w cells, and
// the cell of the cursor in it.
func (e *editor) draw(m cells.Measure, w int) (string, int) {
	if w < 2 {
		return "", 0
	}
	from, used := e.cur, 0
	for from > 0 {
		n := m.Width(e.text[from-1])
		if used+n > w-1 {
			break
		}
		used += n
		from--
	}
	return m.Cut(strings.Join(e.text[from:], ""), w), used
}

// remember adds a line to a history without doubling it.
func remember(history []string, line string) []string {
	if line == "" {
		return history
	}
	kept := history[:0:0]
	for _, h := range history {
		if h != line {
			kept = append(kept, h)
		}
	}
	kept = append(kept, line)
	if len(kept) > maxHistory {
		kept = kept[len(kept)-maxHistory:]
	}
	return kept
}

// maxHistory is how many lines of a box are kept between sittings.
const maxHistory = 100
