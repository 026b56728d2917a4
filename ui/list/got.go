package list

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// What becomes of the answers that a list waits for.

// got takes in rows, an order, an explanation; and the day's turn.
func (l *View) Got(h view.Host, msg tea.Msg) tea.Cmd {
	if l.of.By != nil {
		if cmd := l.of.By.Got(h, l, msg); cmd != nil {
			return cmd
		}
	}
	switch msg := msg.(type) {
	case rowsMsg:
		if msg.gen == 0 { // lists that wait for nothing have this number
			return nil
		}
		switch msg.gen {
		case l.gen:
			l.src.desk.CountSights() // the rows that stood there until now
			return l.gotRows(h, msg)
		case l.askGen:
			l.src.desk.CountSights()
			l.gotNarrow(h, msg)
		}
	case storiesMsg:
		if msg.update {
			l.src.told.busy = false
		}
		if msg.groups != nil {
			l.src.told.groups = msg.groups
			if keep := l.ChosenID(); msg.at || !l.moved { // else when the list is made again
				l.rows.regroup()
				l.reshow(h.Screen())
				l.settle(h.Screen(), keep)
			}
		}
	case leadsMsg:
		l.src.leads.take(msg.items)
	case ArrangedMsg:
		return l.gotOrder(h, msg)
	case whyMsg:
		l.panel.take(h, msg)
		if h.Top() == view.View(l) {
			return l.Explain(h) // of the row that is chosen by now
		}
	case filesMsg:
		if msg.from == l {
			return l.gotFiles(h, msg)
		}
	case view.SettingMsg:
		if msg.Undone && h.Top() == view.View(l) && l.src.told.lib != nil {
			return l.src.told.again(h) // a story may be together again
		}
	case view.MidnightMsg:
		l.settle(h.Screen(), l.ChosenID())
	}
	return nil
}

// gotRows takes in the rows that the list waits for.
func (l *View) gotRows(h view.Host, msg rowsMsg) tea.Cmd {
	l.gen = 0
	open := l.of.Start // now or never
	l.of.Start = false
	if msg.err != nil {
		l.busy = false
		h.Say(view.Sentence(msg.err))
		return nil
	}
	if acts, none := l.src.desk.Settled(); none && acts == l.acts {
		if l.whole {
			l.rows.refresh(msg.rows, &l.of, l.hides)
		}
	} else if l.moved {
		l.again = true // the answer may be older than what was done here
	}
	if msg.told != nil {
		l.src.told.groups = msg.told
	}
	was := len(l.rows.all)
	var more, again, order tea.Cmd
	if msg.took != nil {
		more = msg.took()
	}
	l.arrive(h.Screen(), msg.shown)
	if l.order != reader.Newest && (len(l.rows.all) != was || l.rows.perm == nil && l.askOrd == 0 && l.lead == "") {
		order = l.arrange(h)
	}
	l.src.desk.Resume(l)
	if l.again {
		again = l.Load(h)
	}
	if open && h.IsTop(l) {
		again = view.Batch(again, l.open(h))
	}
	return view.Batch(more, again, order, l.src.told.follow(h))
}

//go:noinline // 11 places
func (l *View) ChosenID() reader.ItemID {
	if r := l.chosen(); r != nil {
		return r.ID
	}
	return 0
}
