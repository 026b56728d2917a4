package feeds

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/queries"
	"diurna/ui/view"
)

// withQueries puts the saved queries below the top row. A narrowed tree is of feeds alone.
func withQueries(rows []node, s *view.Scene, saved *queries.Saved, narrowed bool) []node {
	if len(s.Queries) == 0 || narrowed {
		return rows
	}
	more := make([]node, len(s.Queries))
	for i := range s.Queries {
		q := &s.Queries[i]
		more[i] = node{kind: nodeQuery, name: q.Name, query: q, unread: saved.Unread(q)}
	}
	return append(rows[:1:1], append(more, rows[1:]...)...)
}

// asks is what a row of feeds means in a query; only are those feeds.
func (n *node) asks(only map[reader.FeedID]bool) reader.Query {
	switch {
	case only == nil:
		return reader.Query{}
	case n.kind == nodeFolder && !n.tag:
		return query.OfFolder(n.path)
	case n.kind == nodeFolder && n.path != "#":
		return query.OfTag(strings.TrimPrefix(n.path, "#"))
	}
	return query.OfFeeds(slices.Sorted(maps.Keys(only)))
}

// queryKeys are what keys do to a saved query.
func queryKeys() []view.Binding {
	on := func(key string, do func(s *queries.Saved, h view.Host, q *reader.SavedQuery) tea.Cmd) func(view.Host) tea.Cmd {
		return view.On(func(t *View, h view.Host) tea.Cmd {
			if n := t.chosen(); n != nil && n.kind == nodeQuery {
				return do(t.saved, h, n.query)
			}
			h.Say(key + " is for saved queries. F in a list saves one.")
			return nil
		})
	}
	move := func(d int) func(*queries.Saved, view.Host, *reader.SavedQuery) tea.Cmd {
		return func(s *queries.Saved, h view.Host, q *reader.SavedQuery) tea.Cmd { return s.Move(h, q, d) }
	}
	return []view.Binding{
		view.Bind("e", "saved query: edit, rename", "smart folder filter change", on("e", (*queries.Saved).Edit)),
		view.Bind("T", view.Ditto, "title name", on("T", (*queries.Saved).Rename)),
		view.Bind("<", "saved query: up, down", "order move", on("<", move(-1))),
		view.Bind(">", view.Ditto, "order move", on(">", move(1))),
	}
}
