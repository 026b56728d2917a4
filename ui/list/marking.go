package list

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Marking and selecting rows.

// MarkKeys are what keys do after M.
func MarkKeys() []view.Binding {
	mark := func(what byte) func(view.Host) tea.Cmd {
		return view.On(func(l *View, h view.Host) tea.Cmd { return l.markRows(h, what) })
	}
	return []view.Binding{
		view.Bind("j", "this row and below", "", mark('j')),
		view.Bind("k", "this row and above", "", mark('k')),
		view.Bind("d", "this day", "", mark('d')),
		view.Bind("f", "this feed", "", mark('f')),
		view.Bind("w", "older than a week", "", mark('w')),
		view.Bind("m", "older than a month", "", mark('m')),
		view.Bind("a", "all", "", mark('a')),
	}
}

// scope names the list with what it is narrowed by: a mass mark touches no more.
func (l *View) Scope() string {
	if l.narrow != "" {
		return l.of.Name + " & " + l.narrow
	}
	return l.of.Name
}

func (l *View) Amend(ids map[reader.ItemID]bool, do func(*reader.Row)) {
	switch {
	case ids != nil && len(ids) == 0:
		return
	case len(ids) == 1:
		for id := range ids {
			l.rows.touch(l.chosen(), id, do)
		}
		return
	}
	l.rows.each(func(r *reader.Row) {
		if ids == nil || ids[r.ID] {
			do(r)
		}
	})
}

// markRows marks the unread ones of the shown rows that a letter means: exactly
// rows that were drawn or could have been scrolled to.
func (l *View) markRows(h view.Host, what byte) tea.Cmd {
	is := operand(h.Screen(), l.List.Cur, l.chosen(), what)
	var ids []reader.ItemID
	for i := range l.List.N {
		if r := l.rows.at(i); unread(r) && is(i, r) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		h.Say("Nothing unread there.")
		return nil
	}
	l.moved = true
	return l.src.desk.MarkRows(l.Scope(), l.src.told.twins(h.Screen(), ids))
}

// operand gives the rows that a letter after M means where a row is chosen.
func operand(s *view.Scene, at int, cur *reader.Row, what byte) func(i int, r *reader.Row) bool {
	if cur == nil {
		return func(int, *reader.Row) bool { return false }
	}
	day, week, month := wording.Midnight(s.Local(cur.At)), s.Now.AddDate(0, 0, -7).Unix(), s.Now.AddDate(0, -1, 0).Unix()
	from, to := day.Unix(), day.AddDate(0, 0, 1).Unix()
	switch what {
	case 'j':
		return func(i int, _ *reader.Row) bool { return i >= at }
	case 'k':
		return func(i int, _ *reader.Row) bool { return i <= at }
	case 'd':
		return func(_ int, r *reader.Row) bool { return r.At >= from && r.At < to }
	case 'f':
		return func(_ int, r *reader.Row) bool { return r.ID.Feed() == cur.ID.Feed() }
	case 'w':
		return func(_ int, r *reader.Row) bool { return r.At < week }
	case 'm':
		return func(_ int, r *reader.Row) bool { return r.At < month }
	}
	return func(int, *reader.Row) bool { return true }
}

// markWhat asks for the second key of M and says how many each would mark.
func (l *View) markWhat(h view.Host) tea.Cmd {
	if l.List.N == 0 {
		return nil
	}
	counts := make(map[byte]int)
	const operands = "jkdfwma"
	var is [len(operands)]func(int, *reader.Row) bool
	for k := range operands {
		is[k] = operand(h.Screen(), l.List.Cur, l.chosen(), operands[k])
	}
	behind := l.rows.behind()
	for i := range l.List.N {
		if r := l.rows.at(i); unread(r) {
			n := 1 + behind(r)
			for k := range operands {
				if is[k](i, r) {
					counts[operands[k]] += n
				}
			}
		}
	}
	names := [len(operands)]string{"below", "above", "day", "feed", "older week", "older month", "all"}
	say := "M:"
	for k := range operands {
		say += " " + string(operands[k])
		if h.Screen().W >= view.Wide {
			say += " " + names[k]
		}
		say += " " + wording.Count(counts[operands[k]]) + " "
	}
	l.src.desk.Await(view.CtxMark, strings.TrimSpace(say))
	return nil
}

// selectRow takes the chosen row into the selection, or out of it, and goes on
// to the next.
func (l *View) selectRow(h view.Host) tea.Cmd {
	r := l.Row()
	if r == nil {
		return nil
	}
	view.Flip(&l.selected, r.ID)
	return l.Move(h, 1)
}

// rows are the items that keys act on: those selected, else the chosen one.
func (l *View) Rows() []*reader.Row {
	if len(l.selected) > 0 {
		var rows []*reader.Row
		for i := range l.List.N {
			if r := l.rows.at(i); l.selected[r.ID] {
				rows = append(rows, r)
			}
		}
		return rows
	}
	if r := l.Row(); r != nil {
		return []*reader.Row{r}
	}
	return nil
}

// unselect ends a selection; false when there is none.
func (l *View) Unselect() bool { return view.Emptied(&l.selected) }
