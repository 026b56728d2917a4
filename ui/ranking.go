package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/lastrow"
	"diurna/ui/list"
)

// The order of lists: what is kept of it, and the offer of Ranked.

func (m *model) gotArranged(msg list.ArrangedMsg) tea.Cmd {
	again := m.deliver(msg)
	if !m.awaitsOrder() {
		m.ranks = ""
	}
	return again
}

// orderName is under what the order of River is kept, for stats.
const orderName = "order"

// KeepOrder notes whether the river is ranked, when that changed.
func (m *model) KeepOrder() tea.Cmd {
	if m.kept == m.river.Order() {
		return nil
	}
	m.kept = m.river.Order()
	cmd := m.notes.Keep(orderName, []byte(m.kept.String()))
	if m.kept == reader.Ranked && m.last.Has(lastrow.Offer) {
		return tea.Batch(cmd, m.answerOffer())
	}
	return cmd
}

// orderBy is :order.
func (m *model) orderBy(text string) tea.Cmd {
	l := m.TopItems()
	o, known := reader.ParseOrder(text)
	switch {
	case l == nil:
		m.Say("Sorting works in lists of items.")
		return nil
	case !known:
		m.Say(":order needs " + reader.Orders() + ": rare is rare feeds first, paper the printed model.")
		return nil
	}
	return l.SetOrder(m, o)
}

// offeredName is under what is kept that Ranked was offered, or how many opens
// there were when it was not worth it, and why.
const offeredName = "ranked-offer"

// offerMsg: Ranked would have been better than River, by the reader's own log, or
// what is lacking for that to be known.
type offerMsg struct {
	past reader.Hindsight
	lack string
}

// gotOffer says so, once in a library's life: until it was read or answered.
func (m *model) gotOffer(msg offerMsg) tea.Cmd {
	switch m.lack = msg.lack; {
	case msg.past.Low <= 0:
		return nil
	case m.river.Order() == reader.Ranked:
		return m.answerOffer()
	}
	// Only what decides is said: the first screens may hold the same.
	ranked, newest := msg.past.Means()
	m.last.Put(lastrow.Offer, fmt.Sprintf("Ranked would have put what you opened higher: nDCG %s, River %s. 3 shows it.", ranked, newest))
	return nil
}

// answerOffer notes that Ranked need not be offered any more.
func (m *model) answerOffer() tea.Cmd {
	m.last.Put(lastrow.Offer, "")
	return m.notes.Keep(offeredName, []byte("yes"))
}
