package view

import (
	"strings"
	"unicode"

	"diurna/ui/cells"
)

// Editor is one line of text with readline's keys. It works on clusters, what
// a reader takes for one character.
type Editor struct {
	Text    []string
	cur     int
	killed  string
	History []string // oldest first
	back    int      // how far back in history; 0: the line being typed
	draft   string
}

//go:noinline // 13 places
func (e *Editor) String() string { return strings.Join(e.Text, "") }

// Set replaces the line.
//
//go:noinline // 22 places
func (e *Editor) Set(s string) {
	e.Text = clusters(s)
	e.cur = len(e.Text)
}

// Insert puts typed or pasted text at the cursor: one line, no controls.
func (e *Editor) Insert(s string) {
	add := clusters(s)
	e.Text = append(e.Text[:e.cur:e.cur], append(add, e.Text[e.cur:]...)...)
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

// Key does what readline would; false when the key means nothing to it.
func (e *Editor) Key(k string) bool {
	switch k {
	case "left", "ctrl+b":
		e.cur = max(0, e.cur-1)
	case "right", "ctrl+f":
		e.cur = min(len(e.Text), e.cur+1)
	case "home", "ctrl+a":
		e.cur = 0
	case "end", "ctrl+e":
		e.cur = len(e.Text)
	case "backspace", "ctrl+h":
		e.cut(max(0, e.cur-1), e.cur, false)
	case "delete", "ctrl+d":
		e.cut(e.cur, min(len(e.Text), e.cur+1), false)
	case "ctrl+k":
		e.cut(e.cur, len(e.Text), true)
	case "ctrl+u":
		e.cut(0, e.cur, true)
	case "ctrl+w":
		e.cut(e.word(), e.cur, true)
	case "ctrl+y":
		e.Insert(e.killed)
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
func (e *Editor) cut(from, to int, keep bool) {
	if keep {
		e.killed = strings.Join(e.Text[from:to], "")
	}
	e.Text = append(e.Text[:from:from], e.Text[to:]...)
	e.cur = from
}

// word is where the word before the cursor starts.
func (e *Editor) word() int {
	i := e.cur
	for i > 0 && e.Text[i-1] == " " {
		i--
	}
	for i > 0 && e.Text[i-1] != " " {
		i--
	}
	return i
}

// past goes d lines back in the history, forth when negative.
func (e *Editor) past(d int) {
	to := e.back + d
	if to < 0 || to > len(e.History) {
		return
	}
	if e.back == 0 {
		e.draft = e.String()
	}
	e.back = to
	if to == 0 {
		e.Set(e.draft)
		return
	}
	e.Set(e.History[len(e.History)-to])
}

// Draw gives the part of the line around the cursor in at most w cells, and
// the cell of the cursor in it.
func (e *Editor) Draw(m cells.Measure, w int) (string, int) {
	if w < 2 {
		return "", 0
	}
	from, used := e.cur, 0
	for from > 0 {
		n := m.Width(e.Text[from-1])
		if used+n > w-1 {
			break
		}
		used += n
		from--
	}
	return m.Cut(strings.Join(e.Text[from:], ""), w), used
}

// Remember adds a line to a history without doubling it.
func Remember(history []string, line string) []string {
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

// maxHistory is how many lines of a box are kept between sessions.
const maxHistory = 100
