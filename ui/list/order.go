package list

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/view"
)

// The order that a list is asked for, and asks for.

// SortKeys are the letters after =.
func SortKeys() []view.Binding {
	sort := func(key, help string, o reader.Order) view.Binding {
		return view.Bind(key, help, "", view.On(func(l *View, h view.Host) tea.Cmd { return l.SetOrder(h, o) }))
	}
	return []view.Binding{
		sort("n d", "newest", reader.Newest), sort("o", "oldest", reader.Oldest), sort("t", "title", reader.ByTitle),
		sort("f", "feed", reader.ByFeed), sort("r", "ranked", reader.Ranked),
	}
}

// IsSearch reports whether the rows were searched for in the whole library: what is
// opened from them says nothing about what a list should show first.
func (l *View) IsSearch() bool { return l != nil && (l.of.Kind >= Found || l.rows.base != nil) }

// reshow makes the shown rows again from the narrowing and the order.
func (l *View) reshow(s *view.Scene) {
	l.rows.folding.groups = l.src.told.groups
	if l.narrow != "" && l.rows.base == nil {
		if q, err := query.ParseTyping(l.narrow, s.Now, s.Queries...); err == nil {
			l.rows.show(l.rows.fit(s, q))
			return
		}
	}
	l.rows.show(nil)
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
func (l *View) arrange(h view.Host) tea.Cmd {
	if l.order == reader.Newest || l.rows.base != nil || len(l.rows.all) == 0 {
		return nil
	}
	if l.askOrd == 0 {
		_, l.since = h.Pressed()
	}
	l.askOrd = h.Gen()
	return l.src.arrange(h, l.askOrd, l.order, reader.Spots(l.rows.all, h.Screen().FeedTitle))
}

// gotOrder shows the rows in the order that was asked for.
func (l *View) gotOrder(h view.Host, msg ArrangedMsg) tea.Cmd {
	if l.askOrd != msg.gen {
		return nil
	}
	if msg.err == nil && !l.rows.same(msg.spots) {
		again := l.arrange(h) // rows came meanwhile
		if again == nil {
			l.askOrd = 0
		}
		return again
	}
	l.askOrd = 0
	switch {
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
	default:
		l.src.desk.CountSights()
		keep := l.below()
		if _, keys := h.Pressed(); keys != l.since {
			keep = l.ChosenID() // also at the top: a key chose it while the order was made
		}
		l.taken(h.Screen(), &msg.got, keep)
		l.src.desk.Resume(l)
	}
	return nil
}

// taken shows the rows in the order that came.
func (l *View) taken(s *view.Scene, a *reader.Arrangement, keep reader.ItemID) {
	l.lead = ""
	l.rows.arrange(a)
	if a.Early() {
		l.lead = fmt.Sprintf("Ranked needs %d opened items to learn from; you have opened %d. Until then this is newest first.", reader.OpensNeeded, a.Opens)
	}
	l.reshow(s)
	l.settle(s, keep)
}

// askOrder asks for the letter after =.
func askOrder(desk Desk) {
	desk.Await(view.CtxSort, view.SayLetters("=", SortKeys()))
}

// ranked turns a list to Ranked, or back to the order it had.
func (l *View) ranked(h view.Host) tea.Cmd {
	if l.order == reader.Ranked {
		return l.SetOrder(h, l.before)
	}
	return l.SetOrder(h, reader.Ranked)
}

// SetOrder puts the rows in another order, which the kind of list keeps. An order is
// made once for each stay in the list: turned back to, it is the same.
func (l *View) SetOrder(h view.Host, o reader.Order) tea.Cmd {
	if l.of.By != nil {
		h.Say("In Search the best stands first.")
		return nil
	}
	if l.rows.base != nil {
		h.Say("What was found in the library stands newest first.")
		return nil
	}
	if o != l.order {
		l.before = l.order
	}
	l.order, l.panel, l.lead, l.askOrd = o, nil, "", 0
	l.src.note(l.of.Kind, l.manner)
	if l.rows.by() != o && !l.rows.turn(o) {
		return view.Batch(l.arrange(h), l.src.desk.KeepOrder())
	}
	keep := l.below()
	l.reshow(h.Screen())
	l.settle(h.Screen(), keep)
	return l.src.desk.KeepOrder()
}

// below is the chosen item, 0 for the first: there the eyes are on what comes first.
func (l *View) below() reader.ItemID {
	if l.List.Cur == 0 {
		return 0
	}
	return l.ChosenID()
}

// hideRead hides what is read, or shows it.
func (l *View) hideRead(h view.Host) tea.Cmd {
	if l.of.By != nil || l.rows.base != nil {
		h.Say("What was found in the library is shown, read or not. Esc leads back.")
		return nil
	}
	l.hides, l.moved = !l.hides, true
	l.src.note(l.of.Kind, l.manner)
	return l.ask(h)
}

// ask shows what the list holds from now on, as far as it is here, and asks for it.
func (l *View) ask(h view.Host) tea.Cmd {
	if l.hides {
		keep := l.ChosenID()
		if i := l.rows.seek(l.List.Cur-1, 1, unread); i >= 0 {
			keep = l.rows.at(i).ID
		}
		l.rows.drop(func(r *reader.Row) bool { return !unread(r) })
		l.reshow(h.Screen())
		l.settle(h.Screen(), keep)
	}
	l.force = true
	l.gen, l.busy = 0, false // an answer on its way is to the other question
	return l.Load(h)
}
