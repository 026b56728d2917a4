package list

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/view"
)

// The order that a list is asked for, and asks for.

// IsSearch reports whether the rows were searched for in the whole library: what is
// opened from them says nothing about what a list should show first.
func (l *View) IsSearch() bool { return l != nil && (l.of.Searched || l.rows.base != nil) }

// reshow makes the shown rows again from the narrowing and the order.
func (l *View) reshow(s *view.Scene) {
	if l.narrow != "" && l.rows.base == nil {
		if q, err := query.ParseTyped(l.narrow, s.Now); err == nil {
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

// arrange asks for the order of a list; nil where it is newest first.
func (l *View) arrange(h view.Host) tea.Cmd {
	if l.order == reader.Newest || l.rows.base != nil || len(l.rows.all) == 0 {
		return nil
	}
	l.askOrd = h.Gen()
	return l.src.arrange(h, l.askOrd, l.order, reader.Spots(l.rows.all))
}

// gotOrder shows the rows in the order that was asked for.
func (l *View) gotOrder(h view.Host, msg ArrangedMsg) tea.Cmd {
	if l.askOrd != msg.gen {
		return nil
	}
	l.askOrd = 0
	switch {
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
	case !l.rows.same(msg.spots):
		return l.arrange(h) // rows came meanwhile
	default:
		l.src.desk.CountSights()
		l.taken(h.Screen(), &msg.got)
		l.src.desk.Resume(l)
	}
	return nil
}

// taken shows the rows in the order that came.
func (l *View) taken(s *view.Scene, a *reader.Arrangement) {
	keep := l.below()
	l.lead, l.past = "", nil
	l.rows.order(a)
	if a.Early() {
		l.lead = fmt.Sprintf("Ranked needs %d opened items to learn from; you have opened %d. Until then this is newest first.", reader.OpensNeeded, a.Opens)
	}
	l.reshow(s)
	l.settle(s, keep)
}

// ranked turns a list from newest first to Ranked, or back.
func (l *View) ranked(h view.Host) tea.Cmd {
	if l.order == reader.Newest {
		return l.SetOrder(h, reader.Ranked)
	}
	return l.SetOrder(h, reader.Newest)
}

func (l *View) SetOrder(h view.Host, o reader.Order) tea.Cmd {
	if l.rows.base != nil {
		h.Say("What was found in the library stands newest first.")
		return nil
	}
	was, perm := l.order, l.rows.perm
	l.order, l.panel = o, nil
	switch {
	case o == reader.Newest:
		// An order is made once for each stay in the list: turned back to, it is the
		// same.
		l.past, l.pastOrder = perm, was
		l.rows.perm, l.lead, l.askOrd = nil, "", 0
	case o == l.pastOrder && len(l.past) == len(l.rows.all) && len(l.past) > 0:
		l.rows.perm = l.past
	default:
		return tea.Batch(l.arrange(h), l.src.desk.KeepOrder())
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
