package list

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Finding in a list, and narrowing it.

func (l *View) Matches(s *view.Scene, text string) (int, bool) { return len(l.hits(s, text)), true }

// hits are the rows that a text typed for a find fits; Misread says what is wrong
// with it.
func (l *View) hits(s *view.Scene, text string) []int32 {
	if q, err := query.ParseTyped(text, s.Now); err == nil && text != "" && !deep(q) {
		return l.rows.search(s, q)
	}
	return nil
}

// Misread says why no find can go by a text.
func (l *View) Misread(s *view.Scene, text string) error {
	q, err := query.ParseTyped(text, s.Now)
	if err == nil && deep(q) {
		return &query.Error{Query: text, Why: "links and texts are looked up by Tab here, or by &"}
	}
	return err
}

// deep reports whether rows are not enough to answer.
func deep(q reader.Query) bool { return q.NeedsLink() || q.NeedsText() }

func (l *View) Find(h view.Host, text string) {
	l.moved = true
	if i := l.found.Stand(h, text, l.hits(h.Screen(), text), l.List.Cur, "Nothing in "+l.of.Name); i >= 0 {
		l.GoRow(i)
	}
}

func (l *View) askNarrow(h view.Host) tea.Cmd {
	p := l.narrowBox()
	p.Set(l.narrow)
	return h.Ask(p)
}

func (l *View) narrowBox() *view.Prompt {
	return &view.Prompt{Name: "narrow", Label: "& ", Says: l.saysNarrow, Do: l.Narrow, Check: func(h view.Host, text string) error {
		_, err := query.ParseTyped(text, h.Screen().Now)
		return err
	}}
}

// saysNarrow counts, while typing, what Enter will show.
func (l *View) saysNarrow(h view.Host, text string) string {
	if text == "" {
		return "words, unread, saved, feed: folder: #tag newer: older:"
	}
	q, err := query.ParseTyped(text, h.Screen().Now)
	switch {
	case err != nil:
		return view.Unclear(err)
	case q.WantsRead():
		return "Enter asks the whole library"
	case deep(q):
		return "Enter reads the texts of all rows"
	}
	if l.rows.base != nil {
		return "Enter shows what fits"
	}
	return fmt.Sprintf("Enter shows %s of %s", wording.Count(len(l.rows.fit(h.Screen(), q))), wording.Count(len(l.rows.all)))
}

func (l *View) Narrow(h view.Host, text string) tea.Cmd {
	q, err := query.ParseTyped(text, h.Screen().Now)
	if err != nil { // given to :narrow, without the box
		p := l.narrowBox()
		p.Set(text)
		cmd := h.Ask(p)
		p.Refuse(h, err)
		return cmd
	}
	l.moved, l.found, l.askGen = true, view.Found{}, 0
	if text == "" {
		l.widen(h.Screen())
		return nil
	}
	if q.WantsRead() || deep(q) {
		if !q.WantsRead() { // no more than the list itself holds
			q = l.of.Query.And(q)
		}
		l.asked, l.askGen = text, h.Gen()
		return l.src.ask(h, l.askGen, q, &l.of)
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
