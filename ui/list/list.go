// Package list is the view of a list of items: River, Ranked, Saved, what is in a
// feed, what was found. A Source makes them, Keys and MarkKeys are what keys do.
package list

import (
	"fmt"
	"strings"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// View is a list of items: River, Saved, what is in a feed. Its rows stay as
// they were drawn until it is left: what a fetch brings waits beside it. Each part
// has its state to itself: table the rows, load the answers that bring them, ord
// their order, narrowing what the library is asked for narrowing them, why the
// panel below them.
type View struct {
	src *Source
	view.Base
	List      *view.List // where the reader is among the rows of table
	table     table
	load      loading
	ord       ordering
	narrowing narrowing
	why       whyPanel
}

func (l *View) Context() view.Context { return view.CtxItems }

func (l *View) Row() *reader.Row { return l.table.chosen() }

func (l *View) Origin() view.View { return l }

// Beside: the panel of why needs more cells than a preview leaves.
func (l *View) Beside() (view.View, bool) { return nil, l.why.open }

// At gives the i-th shown row.
func (l *View) At(i int) *reader.Row { return l.table.rows.at(i) }

func (l *View) Title(*view.Scene, int) (string, string) { return l.table.of.Name, "" }

// Over names the list in row 1. A view of that row is named there already: only
// how it is arranged is added.
func (l *View) Over() (string, bool) {
	words := l.table.manner.words(l.table.of.Kind)
	if !kinds[l.table.of.Kind].view {
		words = append([]string{l.table.of.Name}, words...)
	}
	if by := l.table.of.By; by != nil && by.Text() != "" {
		words = append(words, by.Text())
	}
	return strings.Join(words, ", "), true
}

// Fact is the right end of row 1.
func (l *View) Fact() string {
	if l.table.of.By != nil {
		return l.table.of.By.Fact(l.table.List.Cur, l.table.List.N)
	}
	if n := len(l.table.rows.fresh); n > 0 {
		return wording.Count(n) + " new"
	}
	return ""
}

func (l *View) Lines(s *view.Scene, w, h int) []string {
	panel := l.why.lines(s, w, h/2)
	var lead []string
	if f := s.Feeds[l.table.of.Feed]; f != nil && f.InTrouble() && !f.Watched {
		lead = s.Wrap("! "+view.Reason(f, s.Now)+". w says more.", 1, w)
	}
	if l.ord.lead != "" {
		lead = append(lead, s.Wrap(l.ord.lead, 1, w)...)
	}
	lead = lead[:min(len(lead), max(0, h-1))]
	l.table.Above = len(lead)
	h -= len(panel) + len(lead)
	return append(append(lead, l.table.drawRows(s, w, h)...), panel...)
}

func (l *View) Status(s *view.Scene, _ int) view.Status {
	r := l.table.chosen()
	if r == nil {
		return view.Status{Keys: []string{"a add", "?"}}
	}
	say := l.table.rows.stateWords(r) + " " + s.Th.Dot + " " + s.FeedTitle(r.ID.Feed())
	if also := l.src.stories.also(s, r.ID); also != "" {
		say += " " + s.Th.Dot + " also in " + also
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
	case len(l.table.selected) > 0:
		return view.Status{State: wording.Count(len(l.table.selected)) + " selected", Keys: []string{"m read", "s save", "t tag", "y copy", "v select", "Esc ends", "?"}, About: view.AboutKeys}
	case l.table.found.Text != "":
		about = view.AboutKeys
		say = l.table.found.Say(l.table.List.Cur) + " " + s.Th.Dot + " " + say
	case l.table.narrow != "":
		about = view.AboutKeys
		say = fmt.Sprintf("& %s: %s of %s", s.Th.Measure.Cut(l.table.narrow, 40), wording.Count(l.table.List.N+l.table.rows.folding.folded), wording.Count(len(l.table.rows.all))) + " " + s.Th.Dot + " " + say
	}
	if l.why.open {
		return view.Status{Keys: []string{"+ more", "- less", "P pin feed", "X leave feed out", ":evidence", "S " + l.table.before.String(), "q back"}, About: view.AboutKeys}
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
	if l.table.narrow != "" {
		hints = []string{"Enter open", m, "Esc shows all", "?"}
	}
	if l.table.order == reader.Ranked && l.table.rows.ordered() {
		hints = []string{"Enter open", m, sv, "w why", "S " + l.table.before.String(), "?"}
	}
	return view.Status{State: say, Keys: hints, About: about}
}

// Speak says what the chosen row of a list is.
func (l *View) Speak(s *view.Scene) string {
	r := l.table.chosen()
	if r == nil {
		if l.table.narrow != "" {
			return l.table.rows.noFit(s, l.table.narrow)
		}
		return l.table.of.sayEmpty(s, l.table.hides)
	}
	state := l.table.rows.stateWords(r)
	name := strings.Join(append([]string{l.table.of.Name}, l.table.manner.words(l.table.of.Kind)...), ", ")
	text := fmt.Sprintf("%s, row %d of %s. %s%s. %s, %s.", name, l.table.List.Cur+1, wording.Count(l.table.List.N),
		strings.ToUpper(state[:1]), state[1:], s.FeedTitle(r.ID.Feed()), s.Local(r.At).Format("Monday 2 January 15:04"))
	if l.table.selected[r.ID] {
		text += " Selected."
	}
	if also := l.src.stories.also(s, r.ID); also != "" {
		text += " Also in " + also + "."
	}
	if n := len(l.table.rows.fresh); n > 0 {
		text += fmt.Sprintf(" %s new above, g shows them.", wording.Count(n))
	}
	text += "\n" + strings.TrimSuffix(s.Th.Measure.Cut(rowTitle(r, l.src.leads[r.ID]), 400), ".") + "."
	if r.Words > 0 {
		text += " " + wording.Plural(int(r.Words), "word") + "."
	}
	if len(r.Tags) > 0 {
		text += " Tags: " + strings.Join(r.Tags, ", ") + "."
	}
	if l.why.open && l.why.got.ID != "" {
		text += "\n" + l.why.words()
	}
	return text
}
