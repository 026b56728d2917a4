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
	return len(l.table.rows.hits(s, text)), true
}

// hits are the rows that a text typed for a find fits; Misread says what is wrong
// with it.
func (s *rows) hits(scene *view.Scene, text string) []int32 {
	if q, err := query.ParseTyping(text, scene.Now, scene.Queries...); err == nil && text != "" && !q.IsDeep() {
		return s.search(scene, q)
	}
	return nil
}

// Misread says why no find can go by a text.
func (l *View) Misread(s *view.Scene, text string) error {
	q, err := query.ParseTyped(text, s.Now, s.Queries...)
	if err == nil && q.IsDeep() {
		return &query.Error{Query: text, Why: "use Tab or & to search links and texts"}
	}
	return err
}

func (l *View) Find(h view.Host, text string) {
	l.table.moved = true
	if i := l.table.found.Stand(h, text, l.table.rows.hits(h.Screen(), text), l.table.List.Cur, "Nothing in "+l.table.of.Name); i >= 0 {
		l.table.GoRow(i)
	}
}

// narrowing is what a list is narrowed by where the library has to answer.
type narrowing struct {
	src    *Source
	table  *table
	asked  string // what the library is asked about
	askGen uint64 // of that answer; 0: none is awaited
}

// ask opens the box for a narrowing with a text in it.
func (n *narrowing) ask(h view.Host, text string) (*view.Prompt, tea.Cmd) {
	was, chosen := n.table.narrow, n.table.chosenID()
	p := &view.Prompt{Name: "narrow", Label: "& ", Do: n.to, Check: func(h view.Host, text string) error {
		_, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...)
		return err
	}}
	p.Left = func(h view.Host) tea.Cmd {
		n.says(h, was, was, chosen)
		return nil
	}
	p.Says = func(h view.Host, text string) string { return n.says(h, text, was, chosen) }
	p.Set(text)
	return p, view.Batch(h.Ask(p), n.src.untitled(h, n.table.rows.each))
}

// says narrows the list while the text is typed, and says what Enter will do.
// As long as nothing can be shown of it, the list stays as it was.
func (n *narrowing) says(h view.Host, text, was string, chosen reader.ItemID) string {
	q, err := query.ParseTyping(text, h.Screen().Now, h.Screen().Queries...)
	shown := text
	if err != nil || q.WantsRead() && n.table.hides || q.IsDeep() {
		shown = was
	}
	if n.table.rows.base == nil && n.table.narrow != shown { // what the library was asked for stays
		n.table.narrow = shown
		n.table.reshow(h.Screen())
		n.table.List.Cur = 0
		n.table.settle(h.Screen(), chosen)
	}
	if text == "" {
		return "words, unread, saved, feed: folder: #tag newer: older:"
	}
	switch {
	case err != nil:
		return view.Unclear(err)
	case q.WantsRead() && n.table.hides:
		return "Enter searches the whole library"
	case q.IsDeep():
		return "Enter reads the texts of all rows"
	}
	if n.table.rows.base != nil {
		return "Enter shows the matches"
	}
	return fmt.Sprintf("Enter shows %s of %s", wording.Count(n.table.List.N+n.table.rows.folding.folded), wording.Count(len(n.table.rows.all)))
}

// Narrow narrows the list by a query; "" ends that.
func (l *View) Narrow(h view.Host, text string) tea.Cmd { return l.narrowing.to(h, text) }

func (n *narrowing) to(h view.Host, text string) tea.Cmd {
	q, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...)
	if err != nil { // given to :narrow, without the box
		p, cmd := n.ask(h, text)
		p.Refuse(h, err)
		return cmd
	}
	n.table.moved, n.table.found, n.askGen = true, view.Found{}, 0
	if text == "" {
		n.end(h.Screen())
		return nil
	}
	if read := q.WantsRead() && n.table.hides; read || q.IsDeep() {
		if !read { // no more than the list itself holds
			q = n.table.of.asks(n.table.hides).And(q)
		}
		n.asked, n.askGen = text, h.Gen()
		return n.src.ask(h, n.askGen, q, &n.table.of, n.table.hides && !read)
	}
	n.table.rows.widen()
	keep := n.table.chosenID()
	n.table.narrow = text
	n.table.reshow(h.Screen())
	n.table.List.Cur = 0
	n.table.settle(h.Screen(), keep)
	return nil
}

// end shows all rows again.
func (n *narrowing) end(s *view.Scene) {
	keep := n.table.chosenID()
	n.table.rows.widen()
	n.table.narrow, n.askGen = "", 0
	n.table.reshow(s)
	n.table.settle(s, keep)
}

// got shows the library's answer to a narrowing.
func (n *narrowing) got(h view.Host, msg rowsMsg) {
	n.askGen = 0
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return
	}
	n.table.narrow = n.asked
	n.table.rows.answer(msg.shown)
	n.table.rows.fold()
	n.table.List.Cur, n.table.List.Top = 0, 0
	n.table.settle(h.Screen(), 0)
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
	say := fmt.Sprintf("No row matches \"%s\".", scene.Th.Measure.Cut(narrow, 200))
	if q, err := query.ParseTyping(narrow, scene.Now, scene.Queries...); err == nil {
		if less, last := q.Without(); last != "" && !less.Empty() {
			say += fmt.Sprintf(" %s match without the last word.", wording.Count(len(s.fit(scene, less))))
		}
	}
	return say + fmt.Sprintf(" Esc shows all %s.", wording.Count(len(s.all)))
}
