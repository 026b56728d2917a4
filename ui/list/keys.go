package list

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// What keys do in lists: moving, finding, narrowing.

// Keys are what keys do in a list of items.
func Keys() []view.Binding {
	story := storyKeys()
	return []view.Binding{
		view.Bind("enter l right", "open", "read show", view.On((*View).open)),
		view.Bind("n", "next, previous unread, match", "", onTable((*table).nextHit, 1)),
		view.Bind("N", view.Ditto, "", onTable((*table).nextHit, -1)),
		view.Bind("p", view.Ditto, "", onTable((*table).nextUnread, -1)),
		view.Bind("J", "next, previous row", "", view.Moves(1)),
		view.Bind("K", view.Ditto, "", view.Moves(-1)),
		view.Bind("}", "next, previous day or group", "letter feed heading", onTable((*table).nextGroup, 1)),
		view.Bind("{", view.Ditto, "", onTable((*table).nextGroup, -1)),
		view.Bind("] ctrl+n", "next, previous unread feed", "only unread of a feed", view.Does(view.NextFeed)),
		view.Bind("[ ctrl+p", view.Ditto, "", view.Does(view.PreviousFeed)),
		view.Bind("m", "read or unread", "mark toggle seen", view.Does(view.ToggleRead)),
		view.Bind("M", "mark read: j below k above", "catch up day feed week month older", onTable((*table).markWhat, 0)),
		view.Bind("A", "mark all here read", "catch up", onTable((*table).markRows, 'a')),
		view.Bind("s", "save, tag", "star favourite flag bookmark keep later", view.Does(view.ToggleSaved)),
		view.Bind("t", view.Ditto, "label category tag", view.Does(view.AskTag)),
		view.Bind("v", "select rows; unfold, split +2", "visual mark several bulk", onTable((*table).selectRow, 1)),
		story[0], story[1],
		view.Bind("=", "sort; ranked; hide read", "order newest oldest title feed", view.On(func(l *View, h view.Host) tea.Cmd {
			askOrder(l.src.desk)
			return nil
		})),
		view.Bind("S", view.Ditto, "sort order score newest", view.On(func(l *View, h view.Host) tea.Cmd { return l.SetOrder(h, l.table.ranked()) })),
		view.Bind(".", view.Ditto, "filter unread only all show read", view.On((*View).hideRead)),
		view.Bind("+", "more, less like this", "like train score thumbs up", view.Does(view.TrainMore)),
		view.Bind("-", view.Ditto, "dislike train thumbs down", view.Does(view.TrainLess)),
		view.Bind("P", "with w open: pin, leave out", "top always", view.On(func(l *View, h view.Host) tea.Cmd { return l.why.setLearning(h, reader.Pinned) })),
		view.Bind("X", view.Ditto, "exclude ignore mute", view.On(func(l *View, h view.Host) tea.Cmd { return l.why.setLearning(h, reader.Excluded) })),
		view.Bind("d", "what changed; enclosures", "diff edited updated revision", view.Does(view.ShowEdits)),
		view.Bind("e", view.Ditto, "podcast audio attachment download enclosures", view.On((*View).showFiles)),
		view.Bind("o", "browser; and next; unread", "web link url open", view.Does(view.Browse)),
		view.Bind("O", view.Ditto, "web link url", view.On(func(l *View, h view.Host) tea.Cmd { return view.Batch(h.Do(view.Browse), l.table.nextUnread(h, 1)) })),
		view.Bind("ctrl+o", view.Ditto, "web link url", view.Does(view.BrowseOnly)),
		view.Bind("y", "copy link; title and link", "yank clipboard url", view.Does(view.CopyLink)),
		view.Bind("Y", view.Ditto, "", view.Does(view.CopyBoth)),
		view.Bind("/", "find here, narrow list", "search", view.On(func(l *View, h view.Host) tea.Cmd {
			if l.table.of.By != nil {
				return l.table.of.By.Ask(h, l)
			}
			return h.Do(view.AskFind)
		})),
		view.Bind("&", view.Ditto, "narrow filter query search limit", view.On(func(l *View, h view.Host) tea.Cmd {
			_, cmd := l.narrowing.ask(h, l.table.narrow)
			return cmd
		})),
		view.Bind("D", "", "", sayOnly("D unsubscribes, on rows of Feeds. Here: m read, A all read.")),
	}
}

// onTable makes a binding of what a key does among the rows.
func onTable(do func(*table, view.Host, int) tea.Cmd, d int) func(view.Host) tea.Cmd {
	return view.On(func(l *View, h view.Host) tea.Cmd { return do(&l.table, h, d) })
}

// sayOnly makes a binding of a key that means something elsewhere.
func sayOnly(sentence string) func(view.Host) tea.Cmd {
	return func(h view.Host) tea.Cmd {
		h.Say(sentence)
		return nil
	}
}

func (l *View) Move(h view.Host, d int) tea.Cmd {
	l.table.moved = true // from now on nothing moves in it by itself
	return l.table.Listing.Move(h, d)
}

func (l *View) Click(h view.Host, x, y int) int {
	l.table.moved = true
	return l.table.Listing.Click(h, x, y)
}

func (l *View) Page(h view.Host, d, part int) tea.Cmd {
	l.table.moved = true
	return l.table.Listing.Page(h, d, part)
}

// Ends goes to the last row, or to the first: then what waits is taken in.
func (l *View) Ends(h view.Host, d int) (again tea.Cmd) {
	l.table.moved = true
	if d < 0 {
		if l.table.rows.fresh != nil {
			l.table.take(h.Screen(), merge(l.table.rows.all, l.table.rows.fresh))
		}
		l.table.rows.past = nil
		again = l.ord.arrange(h)
	}
	l.table.Listing.Ends(h, d)
	return again
}

// nextHit goes to the next match while a find stands, else to the next unread.
func (t *table) nextHit(h view.Host, d int) tea.Cmd {
	if t.found.Text == "" {
		return t.nextUnread(h, d)
	}
	if i := t.found.Step(t.List.Cur, d); i >= 0 {
		t.GoRow(i)
	}
	return nil
}

// nextUnread chooses the next unread row.
func (t *table) nextUnread(h view.Host, d int) tea.Cmd {
	t.moved = true
	i := t.rows.seek(t.List.Cur, d, unread)
	if i < 0 {
		h.Say(t.sayNoUnread(h.Screen(), d))
		return nil
	}
	t.GoRow(i)
	return nil
}

// sayNoUnread says that a list ends, and in one of a feed the key that goes on.
func (t *table) sayNoUnread(s *view.Scene, d int) string {
	if d < 0 {
		return "No unread item above in " + t.of.Name + "."
	}
	say := "No unread item below in " + t.of.Name
	if i := slices.IndexFunc(s.Order, func(f reader.Feed) bool { return f.Key == t.of.Feed }); i >= 0 &&
		slices.ContainsFunc(s.Order[i+1:], func(f reader.Feed) bool { return f.Unread > 0 && !f.Hidden }) {
		say += "; ] goes to the next feed"
	}
	return say + "."
}

func (l *View) Shown(h view.Host, entered bool) tea.Cmd {
	if !entered {
		return nil
	}
	if l.table.of.By != nil {
		return l.table.of.By.Enter(h, l)
	}
	return view.Batch(l.enterList(h), l.src.desk.KeepOrder())
}

// enterList shows what is known of a list at once and asks for the rest.
func (l *View) enterList(h view.Host) tea.Cmd {
	l.table.manner = l.src.manner(l.table.of.Kind)
	l.table.narrow, l.table.found, l.ord.lead = "", view.Found{}, ""
	l.why.close()
	l.ord.askOrd, l.narrowing.askGen = 0, 0
	q := l.table.of.asks(l.table.hides)
	if l.table.of.Only != nil {
		q = q.WithHidden()
	}
	l.table.rows.renew(func(r *reader.Row) bool {
		return (!l.table.hides || unread(r)) && q.Match(r, h.Screen().Feeds[r.ID.Feed()])
	})
	l.table.moved = false
	l.table.reshow(h.Screen())
	l.table.List.Cur, l.table.List.Top = 0, 0
	l.table.settle(h.Screen(), 0)
	load, order := l.Load(h), l.ord.arrange(h)
	if load == nil || order == nil {
		return view.Batch(load, order)
	}
	// The rows in memory are put in order before fresh ones are read: both at once
	// take twice as long to the first rows that stand where they belong.
	done := make(chan struct{})
	return view.Batch(func() tea.Msg {
		defer close(done)
		return order()
	}, func() tea.Msg {
		<-done
		return load()
	})
}

// Load asks for all rows of a list; one request at a time.
func (l *View) Load(h view.Host) tea.Cmd {
	if by := l.table.of.By; by != nil && by.Text() != l.load.sought { // an answer on its way is to another question
		l.load.sought, l.table.narrow, l.table.found, l.narrowing.askGen, l.table.moved, l.load.busy = by.Text(), "", view.Found{}, 0, false, false
		l.table.rows.widen()
	}
	if l.load.busy {
		l.load.again = true
		return nil
	}
	l.load.busy, l.load.again = true, false
	l.load.gen = h.Gen()
	l.load.acts = -1
	if acts, none := l.src.desk.Settled(); none {
		l.load.acts = acts
	}
	if l.table.of.By != nil {
		return l.src.find(h, l.load.gen, l.table.of.By)
	}
	return l.src.ask(h, l.load.gen, l.table.of.asks(l.table.hides), &l.table.of, l.table.hides)
}

func (l *View) Back(h view.Host) view.Backing {
	switch {
	case l.Unselect():
	case l.why.open:
		l.why.close()
	case l.table.found.End():
	case l.table.narrow != "" || l.narrowing.askGen != 0:
		l.narrowing.end(h.Screen())
	default:
		return view.BackOut
	}
	return view.BackWithin
}
