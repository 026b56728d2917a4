package list

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// The order that a list is asked for, and asks for.

// SortKeys are the letters after =.
func SortKeys() []view.Binding {
	return []view.Binding{
		sorts("n d", "newest", reader.Newest), sorts("o", "oldest", reader.Oldest), sorts("t", "title", reader.ByTitle),
		sorts("f", "feed", reader.ByFeed), sorts("r", "ranked", reader.Ranked),
		view.Bind("=", "reversed", "descending", view.On(func(l *View, _ view.Host) tea.Cmd {
			l.src.desk.Await(view.CtxSortBack, view.SayLetters("==", BackKeys()))
			return nil
		})),
	}
}

// BackKeys are the letters after = =, which sort from the end.
func BackKeys() []view.Binding {
	return []view.Binding{sorts("n d", "oldest", reader.Oldest), sorts("t", "title", reader.TitleBack), sorts("f", "feed", reader.FeedBack)}
}

func sorts(key, help string, o reader.Order) view.Binding {
	return view.Bind(key, help, "", view.On(func(l *View, h view.Host) tea.Cmd { return l.SetOrder(h, o) }))
}

// IsSearch reports whether the rows were searched for in the whole library: what is
// opened from them says nothing about what a list should show first.
func (l *View) IsSearch() bool {
	return l != nil && (l.table.of.Kind >= Found || l.table.rows.base != nil)
}

// ordering is the order that a list awaits, and why it is not in the one it was asked
// for.
type ordering struct {
	src    *Source
	table  *table
	lead   string // stands above the rows: why they are not ordered as asked
	askOrd uint64 // of the order that is awaited
	since  uint64 // how many keys were pressed when it was asked for
}

// ArrangedMsg brings the order of a list's rows.
type ArrangedMsg struct {
	gen   uint64
	spots []reader.Spot
	got   reader.Arrangement
	err   error
}

// arrange asks for the order of a list; nil where it is newest first. The rows go
// along as a copy: those of the list may change meanwhile.
func (o *ordering) arrange(h view.Host) tea.Cmd {
	if o.table.order == reader.Newest || o.table.rows.base != nil || len(o.table.rows.all) == 0 {
		return nil
	}
	if o.askOrd == 0 {
		_, o.since = h.Pressed()
	}
	o.askOrd = h.Gen()
	return o.src.arrange(h, o.askOrd, o.table.order, reader.Spots(o.table.rows.all, h.Screen().FeedTitle))
}

// got shows the rows in the order that was asked for; shown is false where that is
// still awaited, or failed.
func (o *ordering) got(h view.Host, msg ArrangedMsg) (again tea.Cmd, shown bool) {
	if o.askOrd != msg.gen {
		return nil, false
	}
	if msg.err == nil && !o.table.rows.same(msg.spots) {
		again := o.arrange(h) // rows came meanwhile
		if again == nil {
			o.askOrd = 0
		}
		return again, false
	}
	o.askOrd = 0
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return nil, false
	}
	o.src.desk.CountImpressions()
	keep := o.table.below()
	if _, keys := h.Pressed(); keys != o.since {
		keep = o.table.chosenID() // also at the top: a key chose it while the order was made
	}
	o.taken(h.Screen(), &msg.got, keep)
	return nil, true
}

// taken shows the rows in the order that came.
func (o *ordering) taken(s *view.Scene, a *reader.Arrangement, keep reader.ItemID) {
	o.lead = ""
	o.table.rows.arrange(a)
	if a.Early() {
		o.lead = fmt.Sprintf("Ranked needs %d opened items to learn from; you have opened %d. Until then this is newest first.", reader.OpensNeeded, a.Opens)
	}
	o.table.reshow(s)
	o.table.settle(s, keep)
}

// askOrder asks for the letter after =.
func askOrder(desk Desk) {
	desk.Await(view.CtxSort, view.SayLetters("=", SortKeys()))
}

// ranked is the order that S turns to: Ranked, or back to the one before.
func (m manner) ranked() reader.Order {
	if m.order == reader.Ranked {
		return m.before
	}
	return reader.Ranked
}

// SetOrder puts the rows in another order, which the kind of list keeps. An order is
// made once for each stay in the list: turned back to, it is the same.
func (l *View) SetOrder(h view.Host, o reader.Order) tea.Cmd {
	if l.table.of.By != nil {
		h.Say("Search shows the best match first.")
		return nil
	}
	if l.table.rows.base != nil {
		h.Say("Matches from the library are shown newest first.")
		return nil
	}
	if o != l.table.order {
		l.table.before = l.table.order
	}
	l.table.order, l.ord.lead, l.ord.askOrd = o, "", 0
	l.why.close()
	l.src.note(l.table.of.Kind, l.table.manner)
	if l.table.rows.by() != o && !l.table.rows.turn(o) {
		return view.Batch(l.ord.arrange(h), l.src.desk.KeepOrder())
	}
	keep := l.table.below()
	l.table.reshow(h.Screen())
	l.table.settle(h.Screen(), keep)
	return l.src.desk.KeepOrder()
}

// hideRead hides what is read, or shows it.
func (l *View) hideRead(h view.Host) tea.Cmd {
	if l.table.of.By != nil || l.table.rows.base != nil {
		h.Say("Matches from the library are shown, read or not. Esc goes back.")
		return nil
	}
	l.table.hides, l.table.moved = !l.table.hides, true
	l.src.note(l.table.of.Kind, l.table.manner)
	return l.ask(h)
}

// ask shows what the list holds from now on, as far as it is here, and asks for it.
func (l *View) ask(h view.Host) tea.Cmd {
	if l.table.hides {
		keep := l.table.chosenID()
		if i := l.table.rows.seek(l.table.List.Cur-1, 1, unread); i >= 0 {
			keep = l.table.rows.at(i).ID
		}
		l.table.rows.drop(func(r *reader.Row) bool { return !unread(r) })
		l.table.reshow(h.Screen())
		l.table.settle(h.Screen(), keep)
	}
	l.load.force = true
	l.load.gen, l.load.busy = 0, false // an answer on its way is to the other question
	return l.Load(h)
}
