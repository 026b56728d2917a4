package list

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// What becomes of the answers that a list waits for.

// OnMsg takes in rows, an order, an explanation; and the day's turn.
func (l *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	if l.table.of.By != nil {
		if cmd := l.table.of.By.OnMsg(h, l, msg); cmd != nil {
			return cmd
		}
	}
	switch msg := msg.(type) {
	case rowsMsg:
		if msg.gen == 0 { // lists that wait for nothing have this number
			return nil
		}
		switch msg.gen {
		case l.load.gen:
			l.src.desk.CountImpressions() // the rows that stood there until now
			return l.onRows(h, msg)
		case l.narrowing.askGen:
			l.src.desk.CountImpressions()
			l.narrowing.got(h, msg)
		}
	case storiesMsg:
		if msg.update {
			l.src.stories.busy = false
		}
		if msg.groups != nil {
			l.src.stories.groups = msg.groups
			if keep := l.table.chosenID(); msg.at || !l.table.moved { // else when the list is made again
				if !msg.at {
					l.table.rows.regroup()
				}
				l.table.reshow(h.Screen())
				l.table.settle(h.Screen(), keep)
			}
		}
	case leadsMsg:
		l.src.leads.take(msg.items)
	case ArrangedMsg:
		again, shown := l.ord.got(h, msg)
		if shown {
			l.src.desk.Resume(l)
		}
		return again
	case whyMsg:
		l.why.take(h, msg)
		if h.Top() == view.View(l) {
			return l.Explain(h) // of the row that is chosen by now
		}
	case filesMsg:
		if msg.from == l {
			return msg.show(h)
		}
	case view.SettingMsg:
		if msg.Undone && h.Top() == view.View(l) && l.src.stories.lib != nil {
			return l.src.stories.again(h) // a story may be together again
		}
	case view.MidnightMsg:
		l.table.settle(h.Screen(), l.table.chosenID())
	}
	return nil
}

// loading is the answer with the rows that a list awaits.
type loading struct {
	table  *table
	gen    uint64 // of the load that is awaited
	busy   bool   // a load is under way
	again  bool   // something came meanwhile: load once more
	acts   int    // how many acts there were when the load began, -1: some were under way
	force  bool   // the next answer replaces the rows, whatever moved
	sought string // what a Finder was asked for last
}

// onRows takes in the rows that the list waits for.
func (l *View) onRows(h view.Host, msg rowsMsg) tea.Cmd {
	l.load.gen = 0
	open := l.table.of.Start // now or never
	l.table.of.Start = false
	if msg.err != nil {
		l.load.busy = false
		h.Say(view.Sentence(msg.err))
		return nil
	}
	if acts, none := l.src.desk.Settled(); none && acts == l.load.acts {
		if l.table.whole {
			l.table.rows.refresh(msg.rows, &l.table.of, l.table.hides)
		}
	} else if l.table.moved {
		l.load.again = true // the answer may be older than what was done here
	}
	if msg.groups != nil {
		l.src.stories.groups = msg.groups
	}
	was := len(l.table.rows.all)
	var more, again, order tea.Cmd
	if msg.took != nil {
		more = msg.took()
	}
	l.load.arrive(h.Screen(), msg.shown)
	if l.table.order != reader.Newest && (len(l.table.rows.all) != was || l.table.rows.perm == nil && l.ord.askOrd == 0 && l.ord.lead == "") {
		order = l.ord.arrange(h)
	}
	l.src.desk.Resume(l)
	if l.load.again {
		again = l.Load(h)
	}
	if open && h.IsTop(l) {
		again = view.Batch(again, l.open(h))
	}
	return view.Batch(more, again, order, l.src.stories.follow(h))
}

// arrive takes in what the library says now. As long as no key has moved in
// the list the rows appear by themselves; after that they wait, but rows below
// the last one known (the first frame held only the newest) join the end.
func (q *loading) arrive(s *view.Scene, rows []reader.Row) {
	q.busy = false
	if q.table.rows.base != nil {
		return // an answer from the library is shown; Esc loads the list again
	}
	if !q.table.moved || len(q.table.rows.all) == 0 || q.force {
		q.table.whole, q.force = true, false
		q.table.take(s, rows)
		return
	}
	if !q.table.whole {
		q.table.whole = true
		have := q.table.rows.all
		last := have[len(have)-1]
		for i := range rows {
			if newer(&last, &rows[i]) {
				q.table.rows.set(append(have[:len(have):len(have)], rows[i:]...))
				break
			}
		}
		keep := q.table.chosen().ID
		q.table.reshow(s)
		q.table.settle(s, keep)
	}
	q.table.rows.fresh = missing(q.table.rows.all, rows)
}
