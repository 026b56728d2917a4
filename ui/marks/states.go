package marks

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/lastrow"
	"diurna/ui/view"
)

// StatesMsg brings what some items say now, after a step was taken back.
type StatesMsg struct {
	ids   []reader.ItemID
	acts  int                          // how many acts there were when they were asked for
	items map[reader.ItemID]reader.Row // flags and tags are filled
	err   error
}

// fewItems is up to how many items are read one by one; beyond that all rows
// of the library are read in one go, which costs 30 ms for 100,000.
const fewItems = 200

// states reads what items say now.
func (m *Marks) states(ids []reader.ItemID) tea.Cmd {
	return func() tea.Msg { return m.readStates(ids) }
}

func (m *Marks) readStates(ids []reader.ItemID) StatesMsg {
	if _, none := m.queue.Settled(); !none {
		time.Sleep(m.wait) // what is on its way is done first
	}
	acts, none := m.queue.Settled()
	if !none {
		acts = -1
	}
	now := make(map[reader.ItemID]reader.Row, len(ids))
	if len(ids) > fewItems {
		rows, err := m.lib.Rows(m.ctx, reader.Query{}.WithHidden(), 0)
		for _, r := range rows {
			now[r.ID] = r
		}
		return StatesMsg{ids, acts, now, err}
	}
	items, err := m.lib.Items(m.ctx, ids)
	for i := range items {
		now[items[i].Key] = view.RowOf(&items[i])
	}
	return StatesMsg{ids, acts, now, err}
}

// Refresh asks again for all that something else than a key may have changed, and what
// the items that lists hold say now.
func (m *Marks) Refresh() tea.Cmd {
	var ids []reader.ItemID
	m.amend(nil, func(r *reader.Row) { ids = append(ids, r.ID) })
	slices.Sort(ids)
	return view.Batch(m.host.Reload(), m.views.Deliver(view.SettingMsg{Undone: true}), m.explain(m.host), m.states(slices.Compact(ids)))
}

// onStates takes in what items say after an undo.
func (m *Marks) onStates(h view.Host, msg StatesMsg) tea.Cmd {
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return nil
	}
	if acts, none := m.queue.Settled(); !none || acts != msg.acts {
		return m.states(msg.ids) // what was done meanwhile may not be in it
	}
	gone := make(map[reader.ItemID]bool)
	for _, id := range msg.ids {
		if _, ok := msg.items[id]; !ok {
			gone[id] = true
		}
	}
	if len(gone) > 0 && len(msg.items) == 0 && !m.on.Last.Has(lastrow.Message) {
		h.Say("This is not in the library any more. Nothing was changed.")
	}
	m.amend(nil, func(r *reader.Row) {
		if now, ok := msg.items[r.ID]; ok {
			r.Flags, r.Tags = now.Flags, now.Tags
		} else if gone[r.ID] {
			r.Flags, r.Tags = reader.FlagRead, nil
		}
	})
	// What came back unread may be missing from the list: it waits like new rows.
	if l := m.on.Items(); l != nil {
		return l.Load(h)
	}
	return nil
}
