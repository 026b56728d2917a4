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
	mark := func(what int) func(view.Host) tea.Cmd {
		return onTable((*table).markRows, what)
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

// Scope names the list with what it is narrowed by: a mass mark touches no more.
func (l *View) Scope() string { return l.table.scope() }

func (t *table) scope() string {
	if t.narrow != "" {
		return t.of.Name + " & " + t.narrow
	}
	return t.of.Name
}

func (l *View) Amend(ids map[reader.ItemID]bool, do func(*reader.Row)) {
	switch {
	case ids != nil && len(ids) == 0:
		return
	case len(ids) == 1:
		for id := range ids {
			l.table.rows.touch(l.table.chosen(), id, do)
		}
		return
	}
	l.table.rows.each(func(r *reader.Row) {
		if ids == nil || ids[r.ID] {
			do(r)
		}
	})
}

// markRows marks the unread ones of the shown rows that a letter means: exactly
// rows that were drawn or could have been scrolled to.
func (t *table) markRows(h view.Host, what int) tea.Cmd {
	is := operand(h.Screen(), t.List.Cur, t.chosen(), what)
	var ids []reader.ItemID
	for i := range t.List.N {
		if r := t.rows.at(i); unread(r) && is(i, r) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		h.Say("Nothing unread there.")
		return nil
	}
	t.moved = true
	return t.src.desk.MarkRows(t.scope(), t.src.stories.twins(h.Screen(), ids))
}

// operand gives the rows that a letter after M means where a row is chosen.
func operand(s *view.Scene, at int, cur *reader.Row, what int) func(i int, r *reader.Row) bool {
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
func (t *table) markWhat(h view.Host, _ int) tea.Cmd {
	if t.List.N == 0 {
		return nil
	}
	counts := make(map[byte]int)
	const operands = "jkdfwma"
	var is [len(operands)]func(int, *reader.Row) bool
	for k := range operands {
		is[k] = operand(h.Screen(), t.List.Cur, t.chosen(), int(operands[k]))
	}
	behind := t.rows.behind()
	for i := range t.List.N {
		if r := t.rows.at(i); unread(r) {
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
	t.src.desk.Await(view.CtxMark, strings.TrimSpace(say))
	return nil
}

// selectRow takes the chosen row into the selection, or out of it, and goes on
// to the next.
func (t *table) selectRow(h view.Host, d int) tea.Cmd {
	r := t.chosen()
	if r == nil {
		return nil
	}
	view.Flip(&t.selected, r.ID)
	t.moved = true
	return t.Listing.Move(h, d)
}

// Rows are the items that keys act on: those selected, else the chosen one.
func (l *View) Rows() []*reader.Row {
	if len(l.table.selected) > 0 {
		var rows []*reader.Row
		for i := range l.table.List.N {
			if r := l.table.rows.at(i); l.table.selected[r.ID] {
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

// Unselect ends a selection; false when there is none.
func (l *View) Unselect() bool { return view.Emptied(&l.table.selected) }
