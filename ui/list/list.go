// Package list is the view of a list of items: River, Ranked, Saved, what is in a
// feed, what was found. A Source makes them, Keys and MarkKeys are what keys do.
package list

import (
	"fmt"
	"strings"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// View is a list of items: River, Saved, what is in a feed. Its rows stay as
// they were drawn until it is left: what a fetch brings waits beside it.
type View struct {
	lib  Library
	rank Ranker
	desk Desk
	view.Listing
	name    string                     // "River": stands in row 1, in messages and in the log
	query   reader.Query               // what the whole list asks the library for
	only    map[reader.FeedID]bool     // nil: of all feeds
	days    bool                       // day headings, and clocks below them
	one     bool                       // of one feed: its name is not repeated on each row
	feed    reader.FeedID              // which one
	part    string                     // "unread": what it holds of that feed; "": everything
	start   bool                       // the first row is opened as soon as it is there
	empty   func(s *view.Scene) string // the sentence for a list without rows
	gen     uint64                     // of the load that is awaited
	busy    bool                       // a load is under way
	again   bool                       // something came meanwhile: load once more
	acts    int                        // how many acts there were when the load began, -1: some were under way
	force   bool                       // the next answer replaces the rows, whatever moved
	whole   bool                       // all rows were loaded at least once
	moved   bool                       // a key has moved in it since it was entered
	all     []reader.Row               // every row
	fitting []int32                    // the rows that fit the narrowing, nil: all
	fresh   []reader.Row               // what came and waits for g, in order
	heads   []string                   // texts of list.heads

	narrow string       // what the list is narrowed by, "" for nothing
	base   []reader.Row // the list itself, while all holds the answer to a narrowing that asked the library
	asked  string       // the narrowing that the library is asked about
	askGen uint64
	found  view.Found

	selected map[reader.ItemID]bool

	searched bool // by words in the whole library: what is opened says nothing about interest

	order     reader.Order
	perm      []int32 // rows of all in that order; nil: as they are, newest first
	past      []int32 // the order that was turned from, for turning back
	pastOrder reader.Order
	finding   map[reader.ItemID]bool // placed where they are to find out
	lead      string                 // stands above the rows: why they are not ordered as asked
	askOrd    uint64                 // of the order that is awaited
	panel     *whyPanel              // of the chosen row; nil: closed
}

func (l *View) Context() view.Context { return view.CtxItems }

func (l *View) Row() *reader.Row { return l.chosen() }

func (l *View) Origin() view.View { return l }

func (l *View) Beside() view.View { return nil }

// row gives the i-th shown row.
func (l *View) At(i int) *reader.Row {
	if l.fitting != nil {
		return &l.all[l.fitting[i]]
	}
	return &l.all[i]
}

// chosen is the row under the cursor, nil in an empty list.
func (l *View) chosen() *reader.Row {
	if l.List.N == 0 {
		return nil
	}
	return l.At(l.List.Cur)
}

// each calls do with every row the list knows, shown or not.
func (l *View) each(do func(*reader.Row)) {
	for _, rows := range [][]reader.Row{l.all, l.base, l.fresh} {
		for i := range rows {
			do(&rows[i])
		}
	}
}

// touch calls do with the row of one item in every part of the list, without
// a walk through the list where it is the chosen one: keys must cost the same
// in a list of any length.
func (l *View) touch(id reader.ItemID, do func(*reader.Row)) {
	chosen := l.chosen()
	if chosen != nil && chosen.ID == id {
		do(chosen)
	}
	for k, rows := range [][]reader.Row{l.all, l.base, l.fresh} {
		if k == 0 && chosen != nil && chosen.ID == id {
			continue
		}
		for i := range rows {
			if rows[i].ID == id {
				do(&rows[i])
				break
			}
		}
	}
}

// index finds a shown row by its item, -1 if it is not there.
func (l *View) index(id reader.ItemID) int {
	if l.List.Cur < l.List.N && l.At(l.List.Cur).ID == id {
		return l.List.Cur
	}
	for i := range l.List.N {
		if l.At(i).ID == id {
			return i
		}
	}
	return -1
}

// settle recounts what is shown after rows came or went, and keeps the chosen
// item chosen and as high on the screen as it was.
func (l *View) settle(s *view.Scene, keep reader.ItemID) {
	above := l.List.Line(l.List.Cur) - l.List.Top
	l.List.N = len(l.all)
	if l.fitting != nil {
		l.List.N = len(l.fitting)
	}
	l.List.Heads, l.heads = l.List.Heads[:0], l.heads[:0]
	if l.days && !l.ordered() {
		// Rows descend in time, so the day changes where its midnight is passed.
		var midnight int64
		for i := range l.List.N {
			if at := l.At(i).At; i == 0 || at < midnight {
				day := s.Local(at)
				midnight = wording.Midnight(day).Unix()
				l.List.Heads = append(l.List.Heads, i)
				l.heads = append(l.heads, view.DayHead(day, s.Now))
			}
		}
	}
	if l.found.Text != "" {
		l.found.Hits = l.search(s, l.found.Text)
	}
	if keep != 0 {
		if i := l.index(keep); i >= 0 {
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
	l.setAll(rows)
	l.fresh = nil
	l.reshow(s)
	l.settle(s, keep)
}

// arrive takes in what the library says now. As long as no key has moved in
// the list the rows appear by themselves; after that they wait, but rows below
// the last one known (the first frame held only the newest) join the end.
func (l *View) arrive(s *view.Scene, rows []reader.Row) {
	l.busy = false
	if l.base != nil {
		return // an answer from the library is shown; Esc loads the list again
	}
	if !l.moved || len(l.all) == 0 || l.force {
		l.whole, l.force = true, false
		l.take(s, rows)
		return
	}
	if !l.whole {
		l.whole = true
		last := l.all[len(l.all)-1]
		for i := range rows {
			if newer(&last, &rows[i]) {
				l.setAll(append(l.all[:len(l.all):len(l.all)], rows[i:]...))
				break
			}
		}
		keep := l.chosen().ID
		l.reshow(s)
		l.settle(s, keep)
	}
	l.fresh = missing(l.all, rows)
}

// newer reports whether a stands above b in a list: by time, then by id.
func newer(a, b *reader.Row) bool {
	return a.At > b.At || a.At == b.At && a.ID > b.ID
}

// missing gives the rows of fresh that have lacks, nil for none. Both are in
// order. The rows are copied with their texts: a load cuts them from one piece
// of memory, which a few rows that wait must not keep alive.
func missing(have, fresh []reader.Row) []reader.Row {
	var lacks []reader.Row
	i := 0
	for j := range fresh {
		for i < len(have) && newer(&have[i], &fresh[j]) {
			i++
		}
		if i == len(have) || have[i].ID != fresh[j].ID {
			r := fresh[j]
			r.Title, r.Author, r.Was = strings.Clone(r.Title), strings.Clone(r.Author), strings.Clone(r.Was)
			lacks = append(lacks, r)
		}
	}
	return lacks
}

// narrowBy shows only the rows that fit; the text was parsed before.
func (l *View) narrowBy(s *view.Scene, text string) int {
	q, err := query.Parse(text, s.Now)
	if err != nil {
		return 0
	}
	l.narrow = text
	l.fitting = l.arranged(l.fit(s, q))
	return len(l.fitting)
}

// fit gives the rows of the whole list that a query fits, never nil.
func (l *View) fit(s *view.Scene, q reader.Query) []int32 {
	fits := []int32{}
	q = q.WithHidden() // what stands in the list may stay
	for i := range l.all {
		if q.Match(&l.all[i], s.Feeds[l.all[i].ID.Feed()]) {
			fits = append(fits, int32(i))
		}
	}
	return fits
}

// widen ends the narrowing.
func (l *View) widen(s *view.Scene) {
	var keep reader.ItemID
	if r := l.chosen(); r != nil {
		keep = r.ID
	}
	if l.base != nil {
		l.all, l.base = l.base, nil
	}
	l.narrow, l.askGen = "", 0
	l.reshow(s)
	l.settle(s, keep)
}

// find gives the shown rows that hold all words of text, in title, author or
// the name of the feed. What a feed's name holds is looked up once a feed, not
// once a row: a find over 100,000 rows runs between two keys.
func (l *View) search(s *view.Scene, text string) []int32 {
	var hits []int32
	left := make(map[reader.FeedID]string, len(s.Feeds)) // the words that a feed's name lacks
	for i := range l.List.N {
		r := l.At(i)
		id := r.ID.Feed()
		words, ok := left[id]
		if !ok {
			for w := range strings.FieldsSeq(text) {
				if f := s.Feeds[id]; f == nil || !query.Find(&reader.Row{}, f, w) {
					words += " " + w
				}
			}
			left[id] = words
		}
		if words == "" || query.Find(r, nil, words) {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// seek gives the next row after from (d > 0) or before it for which is holds,
// -1 if there is none.
func (l *View) seek(from, d int, is func(*reader.Row) bool) int {
	for i := from + d; i >= 0 && i < l.List.N; i += d {
		if is(l.At(i)) {
			return i
		}
	}
	return -1
}

func unread(r *reader.Row) bool { return r.Flags&reader.FlagRead == 0 }

func (l *View) Title(*view.Scene, int) (string, string) { return l.name, "" }

func (l *View) Over() (string, bool) {
	if l.part != "" {
		return l.name + ", " + l.part, true
	}
	return l.name, true
}

// fact is the right end of row 1.
func (l *View) Fact() string {
	if n := len(l.fresh); n > 0 {
		return wording.Count(n) + " new"
	}
	return ""
}

func (l *View) Lines(s *view.Scene, w, h int) []string {
	panel := l.panel.lines(s, w, h/2)
	var lead []string
	if l.lead != "" {
		lead = s.Wrap(l.lead, 1, w)
		lead = lead[:min(len(lead), max(0, h-1))]
	}
	h -= len(panel) + len(lead)
	return append(append(lead, l.drawRows(s, w, h)...), panel...)
}

// rows draws the rows alone.
func (l *View) drawRows(s *view.Scene, w, h int) []string {
	l.FitTo(h)
	if l.List.N == 0 {
		return s.Fill(l.nothing(s, w), w, h)
	}
	lines := make([]string, 0, h)
	for y := l.List.Top; y < l.List.Lines() && len(lines) < h; y++ {
		row, head := l.List.At(y)
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
		return append([]string{blank}, s.Wrap(l.noFit(s), 1, w)...)
	}
	if !l.whole {
		return nil
	}
	return append([]string{blank}, s.Wrap(l.empty(s), 1, w)...)
}

// noFit tells what would fit without the last word of the narrowing.
func (l *View) noFit(s *view.Scene) string {
	say := fmt.Sprintf("No row fits \"%s\".", l.narrow)
	if q, err := query.Parse(l.narrow, s.Now); err == nil {
		if less, last := q.Without(); last != "" && !less.Empty() {
			say += fmt.Sprintf(" Without the last word %s fit.", wording.Count(len(l.fit(s, less))))
		}
	}
	return say + fmt.Sprintf(" Esc shows all %s.", wording.Count(len(l.all)))
}

// feedCells is enough to know a feed by its shape.
const feedCells = 16

// drawRow draws one item in w cells.
func (l *View) drawRow(s *view.Scene, i, w int) string {
	r := l.At(i)
	th := &s.Th
	pointer, bullet, saved, changed := " ", " ", " ", " "
	if i == l.List.Cur {
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
	} else if l.ordered() && l.finding[r.ID] {
		changed = "?"
	}
	at := s.Local(r.At)
	when := view.Clock(at)
	if !l.days || l.ordered() {
		when = view.Short(at, s.Now)
	}
	mark := " "
	if l.selected[r.ID] {
		mark = "+"
	}
	left := th.Fit(when, 5) + "  "
	if w >= view.Wide && !l.one {
		left += th.Fit(s.FeedTitle(r.ID.Feed()), feedCells) + "  "
	}
	room := w - 5 - th.Measure.Width(left)
	if room < 1 {
		return th.Row(th.Fit(strings.Repeat(" ", 4)+mark+left, w), i == l.List.Cur)
	}
	title := th.Measure.Cut(rowTitle(r), room)
	pad := th.Fit("", room-th.Measure.Width(title))
	// The chosen row is a bar: quieter colours would be patches in it.
	chosen := i == l.List.Cur
	switch {
	case unread(r):
		title = th.In(th.Unread, title)
	case !chosen:
		title = th.In(th.Read, title)
	}
	if !chosen {
		left = th.In(th.Quiet, left)
	}
	return th.Row(pointer+bullet+saved+changed+mark+left+title+pad, chosen)
}

func (l *View) Status(s *view.Scene, _ int) (string, []string) {
	r := l.chosen()
	if r == nil {
		return "", []string{"a add", "?"}
	}
	say := l.stateWords(r) + " " + s.Th.Dot + " " + s.FeedTitle(r.ID.Feed())
	if r.Words > 0 {
		say += " " + s.Th.Dot + " " + wording.Plural(int(r.Words), "word")
	}
	if pg := s.Watched(r.ID.Feed()); pg != nil && pg.LastItem == r.ID {
		say += fmt.Sprintf(" %s score %.1f: %s", s.Th.Dot, pg.Score, pg.Why)
	}
	if len(r.Tags) > 0 {
		say += " " + s.Th.Dot + " #" + strings.Join(r.Tags, " #")
	}
	switch {
	case len(l.selected) > 0:
		return wording.Count(len(l.selected)) + " selected", []string{"m read", "s save", "t tag", "y copy", "v select", "Esc ends", "?"}
	case l.found.Text != "":
		say = l.found.Say(l.List.Cur) + " " + s.Th.Dot + " " + say
	case l.narrow != "":
		say = fmt.Sprintf("& %s: %s of %s", l.narrow, wording.Count(l.List.N), wording.Count(len(l.all))) + " " + s.Th.Dot + " " + say
	}
	if l.panel != nil {
		return "", []string{"+ more", "- less", "P pin feed", "X leave feed out", ":evidence", "S newest", "q back"}
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
	if l.order == reader.Ranked && l.ordered() {
		hints = []string{"Enter open", m, sv, "w why", "S newest", "?"}
	}
	return say, hints
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
func rowTitle(r *reader.Row) string {
	title := view.TitleOf(r.Title)
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
			return l.noFit(s)
		}
		return l.empty(s)
	}
	state := l.stateWords(r)
	text := fmt.Sprintf("%s, row %d of %s. %s%s. %s, %s.", l.name, l.List.Cur+1, wording.Count(l.List.N),
		strings.ToUpper(state[:1]), state[1:], s.FeedTitle(r.ID.Feed()), s.Local(r.At).Format("Monday 2 January 15:04"))
	if l.selected[r.ID] {
		text += " Selected."
	}
	if n := len(l.fresh); n > 0 {
		text += fmt.Sprintf(" %s new above, g takes them in.", wording.Count(n))
	}
	text += "\n" + s.Th.Measure.Cut(rowTitle(r), 400) + "."
	if r.Words > 0 {
		text += " " + wording.Plural(int(r.Words), "word") + "."
	}
	if l.panel != nil && l.panel.got.ID != "" {
		text += "\n" + l.panel.words()
	}
	return text
}
