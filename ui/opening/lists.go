package opening

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/info"
	"diurna/ui/list"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Lists opens lists of the items of feeds, and what is wrong with one.
type Lists struct {
	host  view.Host
	lib   info.Mender
	on    *stack.Stack
	plans info.Planner
	lists *list.Source
}

// NewLists opens the lists of a library.
func NewLists(h view.Host, lib info.Mender, on *stack.Stack) *Lists {
	return &Lists{host: h, lib: lib, on: on}
}

// Attach says which lists there are, and who says when feeds are fetched.
func (o *Lists) Attach(lists *list.Source, plans info.Planner) { o.lists, o.plans = lists, plans }

// show shows a list.
func (o *Lists) show(l *list.View) tea.Cmd {
	o.on.Push(l)
	return l.Load(o.host)
}

// OpenFeed shows the items of one feed, read and unread.
func (o *Lists) OpenFeed(id reader.FeedID) tea.Cmd {
	return o.show(o.itemsIn(o.host.Screen().FeedTitle(id), map[reader.FeedID]bool{id: true}, true, 0, reader.Query{}))
}

// OpenFeeds shows the items of several feeds under a name; nil: of all.
func (o *Lists) OpenFeeds(name string, only map[reader.FeedID]bool, saved reader.Query) tea.Cmd {
	return o.show(o.itemsIn(name, only, false, 0, saved))
}

// OpenTrouble shows what is wrong with a feed or a page.
func (o *Lists) OpenTrouble(id reader.FeedID) tea.Cmd {
	return info.OpenTrouble(o.host, o.lib, o, o.plans, id)
}

// newest is how many items Newest asks for: as many as a screen has rows for.
const newest = 100

// Newest lists the newest items of some feeds without showing the list, and asks for
// them.
func (o *Lists) Newest(name string, only map[reader.FeedID]bool, one bool) (view.View, tea.Cmd) {
	l := o.itemsIn(name, only, one, newest, reader.Query{})
	return l, l.Load(o.host)
}

// itemsIn makes a list of the items of some feeds: the newest, or with 0 all.
func (o *Lists) itemsIn(name string, only map[reader.FeedID]bool, one bool, most int, saved reader.Query) *list.View {
	q, feed, kind := reader.Query{}, reader.FeedID(0), list.Several
	if one {
		kind = list.OneFeed
		for id := range only {
			feed, q = id, query.OfFeed(id)
		}
	}
	return o.lists.New(list.Of{Kind: kind, Name: name, Query: q, Only: only, Days: !one, Feed: feed, Most: most, Saved: saved,
		Empty: func(s *view.Scene) string {
			if f := s.Feeds[feed]; f != nil && f.InTrouble() {
				return view.SayFeed(f, s.Now)
			}
			return name + " has no items yet."
		}})
}

// Next shows what is unread in the next feed that has any, by the order of Feeds; from
// an article it opens the first of it. Previous goes the other way.
func (o *Lists) Next(h view.Host) tea.Cmd { return o.beside(h, 1) }

func (o *Lists) Previous(h view.Host) tea.Cmd { return o.beside(h, -1) }

func (o *Lists) beside(h view.Host, d int) tea.Cmd {
	_, reading := h.Top().(view.Opened)
	feeds := h.Screen().Order
	l, at := o.on.Items(), -1
	if l != nil && l.Feed() != 0 || reading {
		id := reader.FeedID(0)
		if r := h.Top().Row(); r != nil {
			id = r.ID.Feed()
		} else if l != nil {
			id = l.Feed()
		}
		at = slices.IndexFunc(feeds, func(f reader.Feed) bool { return f.Key == id })
	}
	n := len(feeds)
	if at < 0 && d < 0 {
		at = n
	}
	for i := at + d; i >= 0 && i < n; i += d {
		f := &feeds[i]
		if f.Unread == 0 || f.Hidden {
			continue
		}
		if reading {
			o.on.Pop()
		}
		if top := o.on.TopItems(); top != nil && top.Feed() != 0 && len(o.on.Over) > 0 {
			o.on.Pop() // lists of feeds stand beside each other, not above
		}
		return o.showUnread(f, reading)
	}
	h.Say("No other feed with unread items in that direction.")
	return nil
}

// showUnread opens a list of what is unread in a feed, and the first of it.
func (o *Lists) showUnread(f *reader.Feed, open bool) tea.Cmd {
	name, all := f.Title, query.OfFeed(f.Key)
	return o.show(o.lists.New(list.Of{Kind: list.Unread, Name: name, Query: all, Unread: query.Unread().And(all), Only: map[reader.FeedID]bool{f.Key: true}, Feed: f.Key, Start: open,
		Empty: func(*view.Scene) string { return name + " has no items yet." }}))
}

// Why says when the feed of the chosen row is fetched, or what is wrong.
func (o *Lists) Why(h view.Host) tea.Cmd {
	if cmd, ok := h.Top().Why(h); ok {
		return cmd
	}
	if r := h.Top().Row(); r != nil {
		id, s := r.ID.Feed(), h.Screen()
		f, pg := s.Feeds[id], s.Watched(id)
		switch {
		case pg != nil && view.Broken(pg), pg == nil && f != nil && f.InTrouble():
			return o.OpenTrouble(id)
		case f != nil:
			h.Say(view.SayFeed(f, s.Now))
		}
	}
	return nil
}
