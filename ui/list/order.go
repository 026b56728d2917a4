package list

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// The order of a list. Its rows lie newest first; another order is a permutation
// of them, made once and kept until the list is left or g takes in what waits, so
// that nothing moves under the reader's eyes.

// ordered reports whether the list stands in an order of its own.
func (l *View) ordered() bool { return l.perm != nil && l.base == nil }

// isSearch reports whether the rows were searched for in the whole library: what is
// opened from them says nothing about what a list should show first.
func (l *View) IsSearch() bool { return l != nil && (l.searched || l.base != nil) }

// reshow makes the shown rows again from the narrowing and the order.
func (l *View) reshow(s *view.Scene) {
	l.fitting = nil
	if l.narrow != "" && l.base == nil {
		l.narrowBy(s, l.narrow)
		return
	}
	l.fitting = l.arranged(nil)
}

// arranged puts the rows that fit (nil: all) in the list's order; nil stands for
// all rows as they are.
func (l *View) arranged(fits []int32) []int32 {
	if !l.ordered() {
		return fits
	}
	if fits == nil {
		return l.perm
	}
	is := make([]bool, len(l.all))
	for _, i := range fits {
		is[i] = true
	}
	out := fits[:0]
	for _, i := range l.perm {
		if is[i] {
			out = append(out, i)
		}
	}
	return out
}

// setAll replaces the rows; those that were in order stay so, the others follow
// at the end until the order is made again.
func (l *View) setAll(rows []reader.Row) {
	l.past = nil
	if l.perm == nil {
		l.all = rows
		return
	}
	at := make(map[reader.ItemID]int32, len(rows))
	for i := range rows {
		at[rows[i].ID] = int32(i)
	}
	perm := make([]int32, 0, len(rows))
	for _, i := range l.perm {
		if j, ok := at[l.all[i].ID]; ok {
			perm = append(perm, j)
			delete(at, l.all[i].ID)
		}
	}
	for i := range rows {
		if _, left := at[rows[i].ID]; left {
			perm = append(perm, int32(i))
		}
	}
	l.all, l.perm = rows, perm
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
	if l.order == reader.Newest || l.base != nil || len(l.all) == 0 {
		return nil
	}
	l.askOrd = h.Gen()
	return l.rankRows(h, reader.Spots(l.all))
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
	case !l.sameRows(msg.spots):
		return l.arrange(h) // rows came meanwhile
	default:
		l.desk.CountSights()
		l.taken(h.Screen(), &msg.got)
		l.desk.Resume(l)
	}
	return nil
}

func (l *View) sameRows(spots []reader.Spot) bool {
	if len(spots) != len(l.all) {
		return false
	}
	for i := range spots {
		if spots[i].ID != l.all[i].ID {
			return false
		}
	}
	return true
}

// taken shows the rows in the order that came.
func (l *View) taken(s *view.Scene, a *reader.Arrangement) {
	keep := reader.ItemID(0)
	if l.List.Cur > 0 {
		keep = l.ChosenID()
	}
	l.lead, l.perm, l.past, l.finding = "", a.Index, nil, nil
	if a.Early() {
		l.perm = nil
		l.lead = fmt.Sprintf("Ranked needs %d opened items to learn from; you have opened %d. Until then this is newest first.", reader.OpensNeeded, a.Opens)
	}
	for i, finding := range a.Finding {
		if finding && l.perm != nil {
			if l.finding == nil {
				l.finding = make(map[reader.ItemID]bool)
			}
			l.finding[l.all[a.Index[i]].ID] = true
		}
	}
	l.reshow(s)
	l.settle(s, keep)
}

// toggleOrder turns a list from newest first to Ranked, or back.
func (l *View) toggleOrder(h view.Host) tea.Cmd {
	if l.order == reader.Newest {
		return l.SetOrder(h, reader.Ranked)
	}
	return l.SetOrder(h, reader.Newest)
}

func (l *View) SetOrder(h view.Host, o reader.Order) tea.Cmd {
	if l.base != nil {
		h.Say("What was found in the library stands newest first.")
		return nil
	}
	was, perm := l.order, l.perm
	l.order, l.panel = o, nil
	switch {
	case o == reader.Newest:
		// An order is made once for each stay in the list: turned back to, it is the
		// same.
		l.past, l.pastOrder = perm, was
		l.perm, l.lead, l.askOrd = nil, "", 0
	case o == l.pastOrder && len(l.past) == len(l.all) && len(l.past) > 0:
		l.perm = l.past
	default:
		return tea.Batch(l.arrange(h), l.desk.KeepOrder())
	}
	keep := reader.ItemID(0)
	if l.List.Cur > 0 {
		keep = l.ChosenID()
	}
	l.reshow(h.Screen())
	l.settle(h.Screen(), keep)
	return l.desk.KeepOrder()
}

// stateWords says in words what the signs of a row say.
func (l *View) stateWords(r *reader.Row) string {
	say := stateWords(r)
	if l.ordered() && l.finding[r.ID] {
		say += ", placed here to find out"
	}
	return say
}
