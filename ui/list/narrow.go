package list

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Finding in a list, and narrowing it.

func (l *View) Matches(s *view.Scene, text string) (int, bool) {
	if text == "" {
		return 0, true
	}
	return len(l.rows.search(s, text)), true
}

func (l *View) Find(h view.Host, text string) {
	l.moved = true
	if i := l.found.Stand(h, text, l.rows.search(h.Screen(), text), l.List.Cur, "Nothing in "+l.of.Name); i >= 0 {
		l.GoRow(i)
	}
}

func (l *View) askNarrow(h view.Host) tea.Cmd {
	p := l.narrowBox()
	p.Set(l.narrow)
	return h.Ask(p)
}

func (l *View) narrowBox() *view.Prompt {
	return &view.Prompt{Name: "narrow", Label: "& ", Says: l.saysNarrow, Do: l.Narrow}
}

// saysNarrow counts, while typing, what Enter will show.
func (l *View) saysNarrow(h view.Host, text string) string {
	if text == "" {
		return "words, unread, saved, feed: folder: #tag newer: older:"
	}
	q, err := query.Parse(text, h.Screen().Now)
	switch {
	case err != nil:
		return ""
	case asksLibrary(text):
		return "Enter asks the whole library"
	}
	if l.rows.base != nil {
		return "Enter shows what fits"
	}
	return fmt.Sprintf("Enter shows %s of %s", wording.Count(len(l.rows.fit(h.Screen(), q))), wording.Count(len(l.rows.all)))
}

// asksLibrary reports whether a narrowing wants rows that a list of unread
// items does not hold.
func asksLibrary(text string) bool {
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if w == "read" || w == "-unread" {
			return true
		}
	}
	return false
}

func (l *View) Narrow(h view.Host, text string) tea.Cmd {
	q, err := query.Parse(text, h.Screen().Now)
	if err != nil {
		at := 0
		var qe *query.Error
		if errors.As(err, &qe) {
			at = utf8.RuneCountInString(text[:min(qe.At, len(text))])
		}
		p := l.narrowBox()
		p.Set(text)
		cmd := h.Ask(p)
		p.Reject(at, err.Error())
		return cmd
	}
	l.moved, l.found, l.askGen = true, view.Found{}, 0
	if text == "" {
		l.widen(h.Screen())
		return nil
	}
	if asksLibrary(text) {
		l.asked, l.askGen = text, h.Gen()
		return l.src.ask(h, l.askGen, q, l.of.Only)
	}
	l.rows.widen()
	keep := l.ChosenID()
	l.narrow = text
	l.reshow(h.Screen())
	l.List.Cur = 0
	l.settle(h.Screen(), keep)
	return nil
}

// gotNarrow shows the library's answer to a narrowing.
func (l *View) gotNarrow(h view.Host, msg rowsMsg) {
	l.askGen = 0
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return
	}
	l.narrow = l.asked
	l.rows.answer(msg.rows)
	l.List.Cur, l.List.Top = 0, 0
	l.settle(h.Screen(), 0)
}
