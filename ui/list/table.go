package list

import (
	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/view"
)

// table is the rows of a list as they stand on the screen: which are shown, in what
// order and under which headings, which one is chosen and which are selected.
type table struct {
	src *Source
	of  Of
	view.Listing
	manner   // how the rows are arranged
	rows     rows
	heads    []string // texts of List.Heads
	narrow   string   // what they are narrowed by, "" for nothing
	found    view.Found
	selected map[reader.ItemID]bool
	whole    bool // all rows were loaded at least once
	moved    bool // a key has moved in it since the list was entered
}

// chosen is the row under the cursor, nil in an empty list.
//
//go:noinline // 20 places
func (t *table) chosen() *reader.Row {
	if t.List.N == 0 {
		return nil
	}
	return t.rows.at(t.List.Cur)
}

// settle recounts what is shown after rows came or went, and keeps the chosen
// item chosen and as high on the screen as it was.
func (t *table) settle(s *view.Scene, keep reader.ItemID) {
	above := t.List.Line(t.List.Cur) - t.List.Top
	t.List.N = t.rows.len()
	if t.List.Heads, t.heads = t.rows.headings(s, &t.of); t.of.By != nil {
		t.List.Heads, t.List.Below = t.rows.snippets(t.of.By, twoLines(s)), twoLines(s)
	}
	if t.found.Text != "" {
		t.found.Hits = t.rows.hits(s, t.found.Text)
	}
	if keep != 0 {
		i := t.rows.index(t.List.Cur, keep)
		if i < 0 {
			i = t.rows.stand(keep)
		}
		if i >= 0 {
			t.List.Cur = i
			t.List.Top = t.List.Line(i) - above
		}
	}
	t.List.Set(t.List.Cur, max(1, t.High))
}

// take makes rows the list: at the start, on entering it and on g.
func (t *table) take(s *view.Scene, rows []reader.Row) {
	var keep reader.ItemID
	if r := t.chosen(); r != nil && t.moved {
		keep = r.ID
	}
	t.rows.set(rows)
	t.rows.fresh = nil
	t.rows.regroup()
	if t.of.By != nil {
		t.rows.rank(t.of.By)
		if keep == 0 {
			t.List.Cur, t.List.Top = 0, 0
		}
	}
	t.reshow(s)
	t.settle(s, keep)
}

// reshow makes the shown rows again from the narrowing and the order.
func (t *table) reshow(s *view.Scene) {
	t.rows.folding.groups = t.src.stories.groups
	if t.narrow != "" && t.rows.base == nil {
		if q, err := query.ParseTyping(t.narrow, s.Now, s.Queries...); err == nil {
			t.rows.show(t.rows.fit(s, q))
			return
		}
	}
	t.rows.show(nil)
}

// below is the chosen item, 0 for the first: there the eyes are on what comes first.
func (t *table) below() reader.ItemID {
	if t.List.Cur == 0 {
		return 0
	}
	return t.chosenID()
}

//go:noinline // 11 places
func (t *table) chosenID() reader.ItemID {
	if r := t.chosen(); r != nil {
		return r.ID
	}
	return 0
}
