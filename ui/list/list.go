// Package list is the view of a list of items: River, Ranked, Saved, what is in a
// feed, what was found. A Source makes them, Keys and MarkKeys are what keys do.
package list

import (
	"fmt"
	"strings"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/prose"
	"diurna/ui/view"
)

// View is a list of items: River, Saved, what is in a feed. Its rows stay as
// they were drawn until it is left: what a fetch brings waits beside it.
type View struct {
	src *Source
	of  Of
	view.Listing
	gen   uint64 // of the load that is awaited
	busy  bool   // a load is under way
	again bool   // something came meanwhile: load once more
	acts  int    // how many acts there were when the load began, -1: some were under way
	force bool   // the next answer replaces the rows, whatever moved
	whole bool   // all rows were loaded at least once
	moved bool   // a key has moved in it since it was entered
	rows  rows
	heads []string // texts of list.heads

	narrow string // what the list is narrowed by, "" for nothing
	sought string // what a Finder was asked for last
	asked  string // the narrowing that the library is asked about
	askGen uint64
	found  view.Found

	selected map[reader.ItemID]bool

	manner           // how the rows are arranged
	lead   string    // stands above the rows: why they are not ordered as asked
	askOrd uint64    // of the order that is awaited
	since  uint64    // how many keys were pressed when it was asked for
	panel  *whyPanel // of the chosen row; nil: closed
}

func (l *View) Context() view.Context { return view.CtxItems }

func (l *View) Row() *reader.Row { return l.chosen() }

func (l *View) Origin() view.View { return l }

// Beside: the panel of why needs more cells than a preview leaves.
func (l *View) Beside() (view.View, bool) { return nil, l.panel != nil }

// At gives the i-th shown row.
func (l *View) At(i int) *reader.Row { return l.rows.at(i) }

// chosen is the row under the cursor, nil in an empty list.
//
//go:noinline // 20 places
func (l *View) chosen() *reader.Row {
	if l.List.N == 0 {
		return nil
	}
	return l.rows.at(l.List.Cur)
}

// settle recounts what is shown after rows came or went, and keeps the chosen
// item chosen and as high on the screen as it was.
func (l *View) settle(s *view.Scene, keep reader.ItemID) {
	above := l.List.Line(l.List.Cur) - l.List.Top
	l.List.N = l.rows.len()
	if l.List.Heads, l.heads = l.rows.headings(s, &l.of); l.of.By != nil {
		l.List.Heads, l.List.Below = l.rows.snippets(l.of.By, twoLines(s)), twoLines(s)
	}
	if l.found.Text != "" {
		l.found.Hits = l.rows.hits(s, l.found.Text)
	}
	if keep != 0 {
		i := l.rows.index(l.List.Cur, keep)
		if i < 0 {
			i = l.rows.stand(keep)
		}
		if i >= 0 {
			l.List.Cur = i
			l.List.Top = l.List.Line(i) - above
		}
	}
	l.List.Set(l.List.Cur, max(1, l.High))
}

// take makes rows the list: at the start, on entering it and on g.
func (l *View) take(s *view.Scene, rows []reader.Row) {
	var keep reader.ItemID
	if r := l.chosen(); r != nil && l.moved {
		keep = r.ID
	}
	l.rows.set(rows)
	l.rows.fresh = nil
	l.rows.regroup()
	if l.of.By != nil {
		l.rows.rank(l.of.By)
		if keep == 0 {
			l.List.Cur, l.List.Top = 0, 0
		}
	}
	l.reshow(s)
	l.settle(s, keep)
}

// widen ends the narrowing.
func (l *View) widen(s *view.Scene) {
	keep := l.ChosenID()
	l.rows.widen()
	l.narrow, l.askGen = "", 0
	l.reshow(s)
	l.settle(s, keep)
}

// arrive takes in what the library says now. As long as no key has moved in
// the list the rows appear by themselves; after that they wait, but rows below
// the last one known (the first frame held only the newest) join the end.
func (l *View) arrive(s *view.Scene, rows []reader.Row) {
	l.busy = false
	if l.rows.base != nil {
		return // an answer from the library is shown; Esc loads the list again
	}
	if !l.moved || len(l.rows.all) == 0 || l.force {
		l.whole, l.force = true, false
		l.take(s, rows)
		return
	}
	if !l.whole {
		l.whole = true
		have := l.rows.all
		last := have[len(have)-1]
		for i := range rows {
			if newer(&last, &rows[i]) {
				l.rows.set(append(have[:len(have):len(have)], rows[i:]...))
				break
			}
		}
		keep := l.chosen().ID
		l.reshow(s)
		l.settle(s, keep)
	}
	l.rows.fresh = missing(l.rows.all, rows)
}

func (l *View) Title(*view.Scene, int) (string, string) { return l.of.Name, "" }

// Over names the list in row 1. A view of that row is named there already: only
// how it is arranged is added.
func (l *View) Over() (string, bool) {
	words := l.manner.words(l.of.Kind)
	if !kinds[l.of.Kind].view {
		words = append([]string{l.of.Name}, words...)
	}
	if by := l.of.By; by != nil && by.Text() != "" {
		words = append(words, by.Text())
	}
	return strings.Join(words, ", "), true
}

// fact is the right end of row 1.
func (l *View) Fact() string {
	if l.of.By != nil {
		return l.of.By.Fact(l.List.Cur, l.List.N)
	}
	if n := len(l.rows.fresh); n > 0 {
		return wording.Count(n) + " new"
	}
	return ""
}

func (l *View) Lines(s *view.Scene, w, h int) []string {
	panel := l.panel.lines(s, w, h/2)
	var lead []string
	if f := s.Feeds[l.of.Feed]; f != nil && f.InTrouble() && !f.Watched {
		lead = s.Wrap("! "+view.Reason(f, s.Now)+". w says more.", 1, w)
	}
	if l.lead != "" {
		lead = append(lead, s.Wrap(l.lead, 1, w)...)
	}
	lead = lead[:min(len(lead), max(0, h-1))]
	l.Above = len(lead)
	h -= len(panel) + len(lead)
	return append(append(lead, l.drawRows(s, w, h)...), panel...)
}

// rows draws the rows alone.
func (l *View) drawRows(s *view.Scene, w, h int) []string {
	if l.FitTo(h); l.of.By != nil && l.List.Below != twoLines(s) {
		l.settle(s, 0)
	}
	if l.List.N == 0 {
		return s.Fill(l.nothing(s, w), w, h)
	}
	lines := make([]string, 0, h)
	for y := l.List.Top; y < l.List.Lines() && len(lines) < h; y++ {
		row, head := l.List.At(y)
		if head >= 0 && l.of.By != nil {
			lines = append(lines, drawSnippet(s, l.of.By, l.rows.at(row-1).ID, w))
			continue
		}
		if head >= 0 {
			lines = append(lines, s.Th.In(s.Th.Head, s.Th.Rule(l.heads[head], w)))
			continue
		}
		lines = append(lines, l.drawRow(s, row, w))
	}
	return s.Fill(lines, w, h)
}

// nothing says why there is no row.
func (l *View) nothing(s *view.Scene, w int) []string {
	blank := s.Th.Fit("", w)
	if l.narrow != "" {
		return append([]string{blank}, s.Wrap(l.rows.noFit(s, l.narrow), 1, w)...)
	}
	if !l.whole {
		return nil
	}
	return append([]string{blank}, s.Wrap(l.of.sayEmpty(s, l.hides), 1, w)...)
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
func (l *View) drawRow(s *view.Scene, i, w int) string {
	r := l.rows.at(i)
	th := &s.Th
	pointer, bullet, saved, changed := " ", " ", " ", " "
	chosen := i == l.List.Cur && !s.Still
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
	} else if l.rows.ordered() && l.rows.finding[r.ID] {
		changed = "?"
	}
	at := s.Local(r.At)
	when := view.Clock(at)
	if by := l.rows.by(); !l.of.Days || by != reader.Newest && by != reader.Oldest {
		when = view.Short(at, s.Now)
	}
	mark := " "
	if l.selected[r.ID] {
		mark = "+"
	}
	title := rowTitle(r, l.src.leads[r.ID])
	if l.rows.below(i) {
		title = "  " + title
	}
	left, room := th.Fit(when, 5)+"  ", w-5-7
	also := l.src.told.sign(s, r.ID)
	if room -= len(also); room < 16 {
		room, also = room+len(also), ""
	}
	turned := prose.RightToLeft(title)
	if turned {
		room-- // for the blank at its end
	}
	if w >= view.Wide && l.of.Feed == 0 {
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

func (l *View) Status(s *view.Scene, _ int) view.Status {
	r := l.chosen()
	if r == nil {
		return view.Status{Keys: []string{"a add", "?"}}
	}
	say := l.rows.stateWords(r) + " " + s.Th.Dot + " " + s.FeedTitle(r.ID.Feed())
	if also := l.src.told.also(s, r.ID); also != "" {
		say += " " + s.Th.Dot + " " + also
	}
	if r.Words > 0 {
		say += " " + s.Th.Dot + " " + wording.Plural(int(r.Words), "word")
	}
	if pg := s.Watched(r.ID.Feed()); pg != nil && pg.LastItem == r.ID {
		say += fmt.Sprintf(" %s score %.1f: %s", s.Th.Dot, pg.Score, pg.Why)
	}
	if len(r.Tags) > 0 {
		say += " " + s.Th.Dot + " #" + strings.Join(r.Tags, " #")
	}
	about := view.AboutRow
	switch {
	case len(l.selected) > 0:
		return view.Status{State: wording.Count(len(l.selected)) + " selected", Keys: []string{"m read", "s save", "t tag", "y copy", "v select", "Esc ends", "?"}, About: view.AboutKeys}
	case l.found.Text != "":
		about = view.AboutKeys
		say = l.found.Say(l.List.Cur) + " " + s.Th.Dot + " " + say
	case l.narrow != "":
		about = view.AboutKeys
		say = fmt.Sprintf("& %s: %s of %s", s.Th.Measure.Cut(l.narrow, 40), wording.Count(l.List.N+l.rows.folding.folded), wording.Count(len(l.rows.all))) + " " + s.Th.Dot + " " + say
	}
	if l.panel != nil {
		return view.Status{Keys: []string{"+ more", "- less", "P pin feed", "X leave feed out", ":evidence", "S " + l.before.String(), "q back"}, About: view.AboutKeys}
	}
	m := "m read"
	if !unread(r) {
		m = "m unread"
	}
	sv := "s save"
	if r.Flags&reader.FlagSaved != 0 {
		sv = "s unsave"
	}
	hints := []string{"Enter open", m, sv, "?"}
	if l.narrow != "" {
		hints = []string{"Enter open", m, "Esc shows all", "?"}
	}
	if l.order == reader.Ranked && l.rows.ordered() {
		hints = []string{"Enter open", m, sv, "w why", "S " + l.before.String(), "?"}
	}
	return view.Status{State: say, Keys: hints, About: about}
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

// speak says what the chosen row of a list is.
func (l *View) Speak(s *view.Scene) string {
	r := l.chosen()
	if r == nil {
		if l.narrow != "" {
			return l.rows.noFit(s, l.narrow)
		}
		return l.of.sayEmpty(s, l.hides)
	}
	state := l.rows.stateWords(r)
	name := strings.Join(append([]string{l.of.Name}, l.manner.words(l.of.Kind)...), ", ")
	text := fmt.Sprintf("%s, row %d of %s. %s%s. %s, %s.", name, l.List.Cur+1, wording.Count(l.List.N),
		strings.ToUpper(state[:1]), state[1:], s.FeedTitle(r.ID.Feed()), s.Local(r.At).Format("Monday 2 January 15:04"))
	if l.selected[r.ID] {
		text += " Selected."
	}
	if also := l.src.told.also(s, r.ID); also != "" {
		text += " A" + also[1:] + "."
	}
	if n := len(l.rows.fresh); n > 0 {
		text += fmt.Sprintf(" %s new above, g takes them in.", wording.Count(n))
	}
	text += "\n" + strings.TrimSuffix(s.Th.Measure.Cut(rowTitle(r, l.src.leads[r.ID]), 400), ".") + "."
	if r.Words > 0 {
		text += " " + wording.Plural(int(r.Words), "word") + "."
	}
	if len(r.Tags) > 0 {
		text += " Tags: " + strings.Join(r.Tags, ", ") + "."
	}
	if l.panel != nil && l.panel.got.ID != "" {
		text += "\n" + l.panel.words()
	}
	return text
}
