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

func (l *View) Matches(s *view.Scene, text string) (int, bool) {
	return len(l.rows.hits(s, text)), true
}

// hits are the rows that a text typed for a find fits; Misread says what is wrong
// with it.
func (s *rows) hits(scene *view.Scene, text string) []int32 {
	if q, err := query.ParseTyping(text, scene.Now, scene.Queries...); err == nil && text != "" && !deep(q) {
		return s.search(scene, q)
	}
	return nil
}

// Misread says why no find can go by a text.
func (l *View) Misread(s *view.Scene, text string) error {
	q, err := query.ParseTyped(text, s.Now, s.Queries...)
	if err == nil && deep(q) {
		return &query.Error{Query: text, Why: "links and texts are looked up by Tab here, or by &"}
	}
	return err
}

// deep reports whether rows are not enough to answer.
func deep(q reader.Query) bool { return q.NeedsLink() || q.NeedsText() }

func (l *View) Find(h view.Host, text string) {
	l.moved = true
	if i := l.found.Stand(h, text, l.rows.hits(h.Screen(), text), l.List.Cur, "Nothing in "+l.of.Name); i >= 0 {
		l.GoRow(i)
	}
}

// askNarrow opens the box for a narrowing with a text in it.
func (l *View) askNarrow(h view.Host, text string) (*view.Prompt, tea.Cmd) {
	was, chosen := l.narrow, l.ChosenID()
	p := &view.Prompt{Name: "narrow", Label: "& ", Do: l.Narrow, Check: func(h view.Host, text string) error {
		_, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...)
		return err
	}}
	p.Left = func(h view.Host) { l.saysNarrow(h, was, was, chosen) }
	p.Says = func(h view.Host, text string) string { return l.saysNarrow(h, text, was, chosen) }
	p.Set(text)
	return p, view.Batch(h.Ask(p), l.src.Untitled(h, l))
}

// saysNarrow narrows the list while the text is typed, and says what Enter will do.
// As long as nothing can be shown of it, the list stays as it was.
func (l *View) saysNarrow(h view.Host, text, was string, chosen reader.ItemID) string {
	q, err := query.ParseTyping(text, h.Screen().Now, h.Screen().Queries...)
	shown := text
	if err != nil || q.WantsRead() && l.hides || deep(q) {
		shown = was
	}
	if l.rows.base == nil && l.narrow != shown { // what the library was asked for stays
		l.narrow = shown
		l.reshow(h.Screen())
		l.List.Cur = 0
		l.settle(h.Screen(), chosen)
	}
	if text == "" {
		return "words, unread, saved, feed: folder: #tag newer: older:"
	}
	switch {
	case err != nil:
		return view.Unclear(err)
	case q.WantsRead() && l.hides:
		return "Enter asks the whole library"
	case deep(q):
		return "Enter reads the texts of all rows"
	}
	if l.rows.base != nil {
		return "Enter shows what fits"
	}
	return fmt.Sprintf("Enter shows %s of %s", wording.Count(l.List.N+l.rows.folding.folded), wording.Count(len(l.rows.all)))
}

func (l *View) Narrow(h view.Host, text string) tea.Cmd {
	q, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...)
	if err != nil { // given to :narrow, without the box
		p, cmd := l.askNarrow(h, text)
		p.Refuse(h, err)
		return cmd
	}
	l.moved, l.found, l.askGen = true, view.Found{}, 0
	if text == "" {
		l.widen(h.Screen())
		return nil
	}
	if read := q.WantsRead() && l.hides; read || deep(q) {
		if !read { // no more than the list itself holds
			q = l.of.asks(l.hides).And(q)
		}
		l.asked, l.askGen = text, h.Gen()
		return l.src.ask(h, l.askGen, q, &l.of, l.hides && !read)
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
	l.rows.answer(msg.shown)
	l.rows.fold()
	l.List.Cur, l.List.Top = 0, 0
	l.settle(h.Screen(), 0)
}

// fit gives the rows of the whole list that a query fits, newest first, never nil.
func (s *rows) fit(scene *view.Scene, q reader.Query) []int32 {
	fits := []int32{}
	match := matcher(scene, q, s.leads)
	for i := range s.all {
		if match(&s.all[i]) {
			fits = append(fits, int32(i))
		}
	}
	return fits
}

// search gives the shown rows that a query fits: a find over 100,000 rows runs
// between two keys.
func (s *rows) search(scene *view.Scene, q reader.Query) []int32 {
	var hits []int32
	fits := matcher(scene, q, s.leads)
	for i := range s.len() {
		if fits(s.at(i)) {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// matcher gives what says whether a row fits: what stands in a list may stay, also
// of a hidden feed. A row without a title is known by what stands for one.
func matcher(scene *view.Scene, q reader.Query, known leads) func(*reader.Row) bool {
	m := q.WithHidden().Matcher()
	return func(r *reader.Row) bool {
		if r.Title == "" {
			named := *r
			named.Title = view.TitleOr("", known[r.ID])
			r = &named
		}
		return m.Answer(query.Item{Row: r, Feed: scene.Feeds[r.ID.Feed()]}) == query.Yes
	}
}

// noFit tells what would fit without the last word of a narrowing.
func (s *rows) noFit(scene *view.Scene, narrow string) string {
	say := fmt.Sprintf("No row fits \"%s\".", scene.Th.Measure.Cut(narrow, 200))
	if q, err := query.ParseTyping(narrow, scene.Now, scene.Queries...); err == nil {
		if less, last := q.Without(); last != "" && !less.Empty() {
			say += fmt.Sprintf(" Without the last word %s fit.", wording.Count(len(s.fit(scene, less))))
		}
	}
	return say + fmt.Sprintf(" Esc shows all %s.", wording.Count(len(s.all)))
}
