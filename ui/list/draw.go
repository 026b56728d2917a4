package list

import (
	"strings"

	"diurna/reader"
	"diurna/ui/cells"
	"diurna/ui/prose"
	"diurna/ui/view"
)

// drawRows draws the rows alone.
func (t *table) drawRows(s *view.Scene, w, h int) []string {
	if t.FitTo(h); t.of.By != nil && t.List.Below != twoLines(s) {
		t.settle(s, 0)
	}
	if t.List.N == 0 {
		return s.Fill(t.nothing(s, w), w, h)
	}
	lines := make([]string, 0, h)
	for y := t.List.Top; y < t.List.Lines() && len(lines) < h; y++ {
		row, head := t.List.At(y)
		if head >= 0 && t.of.By != nil {
			lines = append(lines, drawSnippet(s, t.of.By, t.rows.at(row-1).ID, w))
			continue
		}
		if head >= 0 {
			lines = append(lines, s.Th.In(s.Th.Head, s.Th.Rule(t.heads[head], w)))
			continue
		}
		lines = append(lines, t.drawRow(s, row, w))
	}
	return s.Fill(lines, w, h)
}

// nothing says why there is no row.
func (t *table) nothing(s *view.Scene, w int) []string {
	blank := s.Th.Fit("", w)
	if t.narrow != "" {
		return append([]string{blank}, s.Wrap(t.rows.noFit(s, t.narrow), 1, w)...)
	}
	if !t.whole {
		return nil
	}
	return append([]string{blank}, s.Wrap(t.of.sayEmpty(s, t.hides), 1, w)...)
}

// feedCells is the column of the feeds' names in a list of w cells: 16 are enough to
// know a feed by its shape. A wide screen has room for all of it, up to 28, as long
// as titles can be told apart. A longer name gets what a short title leaves beside it.
func feedCells(s *view.Scene, w int) int {
	const least, most, title = 16, 28, 24
	if s.W < view.Beside {
		return least
	}
	return max(least, min(s.Longest, most, w-5-7-2-title))
}

// drawRow draws one item in w cells.
func (t *table) drawRow(s *view.Scene, i, w int) string {
	r := t.rows.at(i)
	th := &s.Th
	pointer, bullet, saved, changed := " ", " ", " ", " "
	chosen := i == t.List.Cur && !s.Still
	if chosen {
		pointer = th.In(th.Pointer, ">")
	}
	if unread(r) {
		bullet = th.In(th.Unread, th.Bullet)
	}
	if r.Flags&reader.FlagSaved != 0 {
		saved = th.In(th.Saved, "s")
	}
	if r.Flags&reader.FlagChanged != 0 {
		changed = th.In(th.Changed, "~")
	} else if t.rows.ordered() && t.rows.finding[r.ID] {
		changed = "?"
	}
	at := s.Local(r.At)
	when := view.Clock(at)
	if by := t.rows.by(); !t.of.Days || by != reader.Newest && by != reader.Oldest {
		when = view.Short(at, s.Now)
	}
	mark := " "
	if t.selected[r.ID] {
		mark = "+"
	}
	title := rowTitle(r, t.src.leads[r.ID])
	if t.rows.below(i) {
		title = "  " + title
	}
	left, room := th.Fit(when, 5)+"  ", w-5-7
	also := t.src.stories.sign(s, r.ID)
	if room -= len(also); room < 16 {
		room, also = room+len(also), ""
	}
	turned := prose.RightToLeft(title)
	if turned {
		room-- // for the blank at its end
	}
	if w >= view.Wide && t.of.Feed == 0 {
		name, n := s.FeedTitle(r.ID.Feed()), feedCells(s, w)
		if full := th.Measure.Width(name); full > n { // it gets what the title leaves
			n = min(full, max(n, room-2-th.Measure.Width(title)))
		}
		room -= n + 2
		name, used := th.Measure.CutCells(name, n)
		before, behind := cells.Turn(left, th.Fit("", n-used+2), prose.RightToLeft(name))
		left = before + name + behind
	}
	if room < 1 {
		return th.Row(th.Fit(strings.Repeat(" ", 4)+mark+left, w), chosen)
	}
	title, used := th.Measure.CutCells(title, room)
	pad := th.Fit("", room-used)
	if turned {
		left, pad = cells.Turn(left, pad+" ", true)
	}
	lead := "" // of the text: no title, and not as loud as one
	if cut := len(view.NoTitle); r.Title == "" && len(title) > cut {
		title, lead = title[:cut], title[cut:]
	}
	// The chosen row is a bar: quieter colours would be patches in it.
	switch {
	case unread(r):
		title = th.In(th.Unread, title)
	case !chosen:
		title = th.In(th.Read, title)
	}
	if !chosen {
		left, lead, also = th.In(th.Quiet, left), th.In(th.Quiet, lead), th.In(th.Quiet, also)
	}
	return th.Row(pointer+bullet+saved+changed+mark+left+title+lead+pad+also, chosen)
}

// stateWords says in words what the signs of a row say.
func stateWords(r *reader.Row) string {
	say := "unread"
	if !unread(r) {
		say = "read"
	}
	if r.Flags&reader.FlagSaved != 0 {
		say += ", saved"
	}
	if r.Flags&reader.FlagChanged != 0 {
		say += ", changed"
	}
	return say
}

// rowTitle is the title on a row, with the one it had when it was read.
func rowTitle(r *reader.Row, lead string) string {
	title := view.TitleOr(r.Title, lead)
	if r.Flags&reader.FlagChanged != 0 && r.Was != "" {
		title += " (was: " + r.Was + ")"
	}
	return title
}
