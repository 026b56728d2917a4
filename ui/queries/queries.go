// Package queries has the saved queries on the screen: their rows in Feeds with what is
// unread in each, the lists of what fits, and the box that saves the query of a list. New
// makes it.
package queries

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/queries"
	"diurna/reader/query"
	"diurna/ui/list"
	"diurna/ui/view"
)

// Library is what the screen asks of the saved queries: *queries.Queries.
type Library interface {
	List(ctx context.Context) ([]reader.SavedQuery, error)
	Counts(ctx context.Context) ([]reader.QueryCount, error)
	Add(ctx context.Context, name, text string) (reader.Done, error)
	Edit(ctx context.Context, name, text string) (reader.Done, error)
	Rename(ctx context.Context, name, to string) (reader.Done, error)
	Move(ctx context.Context, name string, to int) (reader.Done, error)
	Remove(ctx context.Context, name string) (reader.Done, error)
}

// Saved are the saved queries on one screen.
type Saved struct {
	lib    Library
	lists  *list.Source
	unread map[reader.SavedQuery]int // what was counted last
	seen   bool                      // their rows were drawn since
	busy   bool                      // they are being counted
	again  bool                      // something came meanwhile: count once more
}

// New gives those of a library, of which nothing is counted yet.
func New(lib Library, lists *list.Source) *Saved { return &Saved{lib: lib, lists: lists} }

// Unread is how many items of a saved query are unread, as they were counted last.
func (s *Saved) Unread(q *reader.SavedQuery) int { return s.unread[*q] }

// Seen tells that the numbers are on the screen.
func (s *Saved) Seen() { s.seen = true }

// CountedMsg brings the numbers.
type CountedMsg struct {
	counts []reader.QueryCount
	err    error
}

// Count counts again beside the event loop, one count at a time. It does nothing while
// the numbers are not looked at, unless they are about to be.
func (s *Saved) Count(h view.Host, shown bool) tea.Cmd {
	if len(h.Screen().Queries) == 0 || !s.seen && !shown {
		return nil
	}
	if s.busy {
		s.again = true
		return nil
	}
	s.busy, s.again, s.seen = true, false, false
	return func() tea.Msg {
		counts, err := s.lib.Counts(h.Life())
		return CountedMsg{counts, err}
	}
}

// OnMsg takes the numbers in, and counts again where something came meanwhile.
func (s *Saved) OnMsg(h view.Host, msg CountedMsg) tea.Cmd {
	s.busy = false
	if msg.err != nil {
		if h.Life().Err() == nil {
			h.Say(view.Sentence(msg.err))
		}
		return nil
	}
	s.unread = make(map[reader.SavedQuery]int, len(msg.counts))
	for i := range msg.counts {
		s.unread[msg.counts[i].Named] = msg.counts[i].Unread
	}
	if s.again {
		return s.Count(h, true)
	}
	return nil
}

// Ask reads a saved query; where it is not understood that is said.
func Ask(h view.Host, q *reader.SavedQuery) (reader.Query, bool) {
	s := h.Screen()
	asks, err := query.Parse(q.Query, s.Now, s.Queries...)
	if err != nil {
		h.Say(fmt.Sprintf("%s is not understood: %s. e edits it.", q.Name, err))
	}
	return asks, err == nil
}

// Open lists what fits a saved query.
func (s *Saved) Open(h view.Host, q *reader.SavedQuery) tea.Cmd {
	asks, ok := Ask(h, q)
	if !ok {
		return nil
	}
	l := s.lists.New(list.Of{Kind: list.OfQuery, Name: q.Name, Query: asks,
		Empty: func(*view.Scene) string { return fmt.Sprintf("Nothing in the library matches %q.", q.Query) }})
	h.Push(l)
	return l.Load(h)
}

// Save asks for a name under which the query of the list on top is kept.
func (s *Saved) Save(h view.Host) tea.Cmd {
	l, ok := h.Top().(*list.View)
	if !ok {
		h.Say("F saves the query of a list.")
		return nil
	}
	text := textOf(h.Screen(), l)
	if text == "" {
		h.Say("This list is of all items; & narrows it, then F saves the query.")
		return nil
	}
	return s.SaveAs(h, text, "")
}

// SaveAs asks for a name under which a query is kept, with one to begin with.
func (s *Saved) SaveAs(h view.Host, text, name string) tea.Cmd {
	shown := text
	if len(text) > 44 { // the name needs room
		shown = plain.Line(text, 41) + "…"
	}
	p := &view.Prompt{Name: "query name", Label: "save " + shown + " as: ",
		Says:  func(view.Host, string) string { return "a name for Feeds" },
		Check: func(h view.Host, name string) error { return check(h, name, text, "") },
		Do: func(h view.Host, name string) tea.Cmd {
			return change(h, fmt.Sprintf("Saved in Feeds, and as %s. u undoes.", query.Reference(name)), func(ctx context.Context) (reader.Done, error) { return s.lib.Add(ctx, name, text) })
		}}
	p.Set(name)
	return h.Ask(p)
}

// check says at once what the library would refuse. own is the name that the query has
// already, "" for none.
func check(h view.Host, name, text, own string) error {
	names := h.Screen().Queries
	n, err := queries.Checked(name, text, h.Screen().Now, names)
	if err == nil && query.Key(n.Name) != query.Key(own) {
		err = queries.Reserved(n.Name)
	}
	if err != nil {
		return err
	}
	if have := query.Find(names, n.Name); have != nil && query.Key(have.Name) != query.Key(own) {
		return fmt.Errorf("%s already exists: %s", have.Name, have.Query)
	}
	return nil
}

// change sends a change on its way; the rows follow.
func change(h view.Host, say string, do func(context.Context) (reader.Done, error)) tea.Cmd {
	return h.Change(view.Change{Say: say, Do: do, Then: h.Reload})
}

// Edit asks for another query.
func (s *Saved) Edit(h view.Host, q *reader.SavedQuery) tea.Cmd {
	p := &view.Prompt{Name: "saved query", Label: q.Name + ": ", Says: func(view.Host, string) string { return "Enter keeps it" },
		Check: func(h view.Host, text string) error {
			if _, err := query.Parse(text, h.Screen().Now, h.Screen().Queries...); err != nil {
				return err
			}
			return check(h, q.Name, text, q.Name)
		},
		Do: func(h view.Host, text string) tea.Cmd {
			return change(h, q.Name+" changed. u undoes.", func(ctx context.Context) (reader.Done, error) { return s.lib.Edit(ctx, q.Name, text) })
		}}
	p.Set(q.Query)
	return h.Ask(p)
}

// Rename asks for another name.
func (s *Saved) Rename(h view.Host, q *reader.SavedQuery) tea.Cmd {
	p := &view.Prompt{Name: "query name", Label: "name of " + q.Name + ": ", Says: func(view.Host, string) string { return "Enter keeps it" },
		Check: func(h view.Host, name string) error { return check(h, name, q.Query, q.Name) },
		Do: func(h view.Host, name string) tea.Cmd {
			return change(h, "Renamed. u undoes.", func(ctx context.Context) (reader.Done, error) { return s.lib.Rename(ctx, q.Name, name) })
		}}
	p.Set(q.Name)
	return h.Ask(p)
}

// Move moves a query d places down.
func (s *Saved) Move(h view.Host, q *reader.SavedQuery, d int) tea.Cmd {
	to := slices.Index(h.Screen().Queries, *q) + d
	if to < 0 || to >= len(h.Screen().Queries) {
		h.Say("No saved query in that direction.")
		return nil
	}
	return change(h, q.Name+" moved. u undoes.", func(ctx context.Context) (reader.Done, error) { return s.lib.Move(ctx, q.Name, to) })
}

// Remove takes a query away.
func (s *Saved) Remove(h view.Host, q *reader.SavedQuery) tea.Cmd {
	return change(h, fmt.Sprintf("Removed the saved query %s. u undoes.", q.Name), func(ctx context.Context) (reader.Done, error) { return s.lib.Remove(ctx, q.Name) })
}

// textOf is the query whose items a list shows, "" for all there are.
func textOf(s *view.Scene, l *list.View) string {
	of, narrow, found, hides := l.Asks()
	q := of.Query
	switch {
	case !of.Means.Empty():
		q = of.Means
	case of.By != nil:
		q, _ = query.ParseTyping(of.By.Text(), s.Now, s.Queries...)
		q = q.AlsoInTexts()
	case of.Kind == list.Unread && !hides: // all of its feed
	case hides && !of.Unread.Empty():
		q = of.Unread
	case hides:
		q = query.Unread().And(q)
	}
	q = q.And(of.Saved)
	for _, text := range []string{narrow, found} {
		if more, err := query.ParseTyping(text, s.Now, s.Queries...); err == nil {
			q = q.And(more)
		}
	}
	return q.Canonical()
}
