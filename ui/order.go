package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// The order of a list. Its rows lie newest first; another order is a permutation
// of them, made once and kept until the list is left or g takes in what waits, so
// that nothing moves under the reader's eyes.

// ordered reports whether the list stands in an order of its own.
func (l *items) ordered() bool { return l.perm != nil && l.base == nil }

// isSearch reports whether the rows were searched for in the whole library: what is
// opened from them says nothing about what a list should show first.
func (l *items) isSearch() bool { return l != nil && (l.searched || l.base != nil) }

// reshow makes the shown rows anew from the narrowing and the order.
func (l *items) reshow(s *view.Scene) {
	l.fitting = nil
	if l.narrow != "" && l.base == nil {
		l.narrowBy(s, l.narrow)
		return
	}
	l.fitting = l.arranged(nil)
}

// arranged puts the rows that fit (nil: all) in the list's order; nil stands for
// all rows as they are.
func (l *items) arranged(fits []int32) []int32 {
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
// at the end until the order is made anew.
func (l *items) setAll(rows []reader.Row) {
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

// arrangedMsg brings the order of a list's rows.
type arrangedMsg struct {
	gen   uint64
	spots []reader.Spot
	got   reader.Arrangement
	err   error
}

// arrange asks for the order of a list; nil where it is newest first.
func (m *model) arrange(l *items) tea.Cmd {
	if l.order == reader.Newest || l.base != nil || len(l.all) == 0 {
		return nil
	}
	l.askOrd = m.Gen()
	return m.eff.arrange(l.askOrd, l.order, reader.Spots(l.all), max(0, m.H-2))
}

func (m *model) gotArranged(msg arrangedMsg) tea.Cmd {
	again := m.deliver(msg)
	if !m.awaitsOrder() {
		m.ranks = ""
	}
	return again
}

// gotOrder shows the rows in the order that was asked for.
func (l *items) gotOrder(m *model, msg arrangedMsg) tea.Cmd {
	if l.askOrd != msg.gen {
		return nil
	}
	l.askOrd = 0
	switch {
	case msg.err != nil:
		m.Say(view.Sentence(msg.err))
	case !l.sameRows(msg.spots):
		return m.arrange(l) // rows came meanwhile
	default:
		m.countSights()
		l.taken(&m.Scene, &msg.got)
		m.resume(l)
	}
	return nil
}

func (l *items) sameRows(spots []reader.Spot) bool {
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
func (l *items) taken(s *view.Scene, a *reader.Arrangement) {
	keep := reader.ItemID(0)
	if l.List.Cur > 0 {
		keep = l.chosenID()
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
func (l *items) toggleOrder(m *model) tea.Cmd {
	if l.order == reader.Newest {
		return m.setOrder(l, reader.Ranked)
	}
	return m.setOrder(l, reader.Newest)
}

func (m *model) setOrder(l *items, o reader.Order) tea.Cmd {
	if l.base != nil {
		m.Say("What was found in the library stands newest first.")
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
		return tea.Batch(m.arrange(l), m.keepOrder())
	}
	keep := reader.ItemID(0)
	if l.List.Cur > 0 {
		keep = l.chosenID()
	}
	l.reshow(&m.Scene)
	l.settle(&m.Scene, keep)
	return m.keepOrder()
}

// orderName is under what the order of River is kept, for stats.
const orderName = "order"

// keepOrder notes whether the river is ranked, when that changed.
func (m *model) keepOrder() tea.Cmd {
	if m.kept == m.river.order {
		return nil
	}
	m.kept = m.river.order
	return m.eff.keep(orderName, []byte(m.kept.String()))
}

// orderBy is :order.
func (m *model) orderBy(text string) tea.Cmd {
	l := m.topItems()
	o, known := reader.ParseOrder(text)
	switch {
	case l == nil:
		m.Say("Items are put in order in a list of them.")
		return nil
	case !known:
		m.Say(":order newest, oldest, ranked, rare for rare feeds first, or paper for the printed model.")
		return nil
	}
	return m.setOrder(l, o)
}

// stateWords says in words what the signs of a row say.
func (l *items) stateWords(r *reader.Row) string {
	say := stateWords(r)
	if l.ordered() && l.finding[r.ID] {
		say += ", placed here to find out"
	}
	return say
}

// offeredName is under what is kept that Ranked was offered, or how many opens
// there were when it was not worth it.
const offeredName = "ranked-offer"

// offerMsg: Ranked would have been better than River, by the reader's own log.
type offerMsg struct{ past reader.Hindsight }

// gotOffer says so, once in a library's life: where another sentence stands it
// waits for another sitting.
func (m *model) gotOffer(msg offerMsg) tea.Cmd {
	if m.message != "" || m.view == viewRanked {
		return nil
	}
	m.Say(fmt.Sprintf("Ranked can be tried: of your last %s opens %s would have been on its first screen, %s in River. 3 shows it.",
		wording.Count(msg.past.Opens), wording.Count(msg.past.Ranked), wording.Count(msg.past.Newest)))
	return m.eff.keep(offeredName, []byte("yes"))
}
