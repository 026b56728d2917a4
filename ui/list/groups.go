package list

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// The groups of an order: days where rows stand by time, first letters where they
// stand by title, feeds where they stand by feed. { and } go through them, and where
// they say more than the rows do they have headings.

// grouper tells where groups begin, asked about rows one after the other.
type grouper struct {
	s        *view.Scene
	by       reader.Order
	begun    bool
	from, to int64 // the day
	feed     reader.FeedID
	initial  rune
}

// named are the groups in words, "" for an order without.
func (g *grouper) named() string {
	switch g.by {
	case reader.Newest, reader.Oldest:
		return "day"
	case reader.ByTitle:
		return "letter"
	case reader.ByFeed:
		return "feed"
	}
	return ""
}

// begins reports whether a row begins another group than the one before it.
func (g *grouper) begins(r *reader.Row) bool {
	first := !g.begun
	g.begun = true
	switch g.by {
	case reader.Newest, reader.Oldest:
		if !first && r.At >= g.from && r.At < g.to {
			return false
		}
		day := wording.Midnight(g.s.Local(r.At))
		g.from, g.to = day.Unix(), day.AddDate(0, 0, 1).Unix()
		return true
	case reader.ByTitle:
		was := g.initial
		g.initial = reader.Initial(r.Title)
		return first || g.initial != was
	case reader.ByFeed:
		was := g.feed
		g.feed = r.ID.Feed()
		return first || g.feed != was
	}
	return false
}

// heading is that of the group that a row is in.
func (g *grouper) heading(r *reader.Row) string {
	switch g.by {
	case reader.ByTitle:
		switch g.initial {
		case -1:
			return "no title"
		case 0:
			return "0-9"
		}
		return strings.ToUpper(string(g.initial))
	case reader.ByFeed:
		return g.s.FeedTitle(r.ID.Feed())
	}
	return view.DayHead(g.s.Local(r.At), g.s.Now)
}

// headed reports whether the groups of an order have headings in a list.
func (o *Of) headed(by reader.Order) bool {
	switch by.Forward() {
	case reader.Newest, reader.Oldest:
		return o.Days
	case reader.ByTitle:
		return true
	case reader.ByFeed:
		return o.Feed == 0
	}
	return false
}

// headings are the shown rows with a heading above them, and those.
func (s *rows) headings(scene *view.Scene, of *Of) (at []int, texts []string) {
	if !of.headed(s.by()) {
		return nil, nil
	}
	g := grouper{s: scene, by: s.by().Forward()}
	for i := range s.len() {
		if r := s.at(i); !s.below(i) && g.begins(r) {
			at, texts = append(at, i), append(texts, g.heading(r))
		}
	}
	return at, texts
}

// nextGroup goes to the first row of the next group, or of the one before.
func (t *table) nextGroup(h view.Host, d int) tea.Cmd {
	t.moved = true
	g := grouper{s: h.Screen(), by: t.rows.by().Forward()}
	if g.named() == "" {
		h.Say("{ and } go from group to group; rows in this order have none. = sorts them.")
		return nil
	}
	to := -1
	for i := range t.List.N {
		if t.rows.below(i) || !g.begins(t.rows.at(i)) {
			continue
		}
		if d > 0 && i > t.List.Cur {
			to = i
			break
		}
		if d < 0 && i < t.List.Cur {
			to = i
		}
	}
	switch {
	case to >= 0:
		t.GoRow(to)
	case d > 0:
		h.Say("No " + g.named() + " below in " + t.of.Name + ".")
	default:
		h.Say("No " + g.named() + " above in " + t.of.Name + ".")
	}
	return nil
}
