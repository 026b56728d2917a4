// Package search is the view of what was searched for by the words of the texts: a list
// of ui/list whose rows a Finder brings while the query is being typed, and beside the
// event loop the index is brought up to date. New makes the list.
package search

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/list"
	"diurna/ui/view"
)

// Library is what the view asks of the library: *search.Searcher.
type Library interface {
	Update(ctx context.Context, progress func(done, all int)) error
	Search(ctx context.Context, q reader.Query, now time.Time, limit int) (reader.SearchResult, error)
}

// limit is how many rows are read at most: the best. The number in row 1 is of all. While
// the query is typed no more are read than a large terminal shows: each needs its text for the
// snippet, and the next key another.
const (
	limit       = 300
	typingLimit = 60
)

// finder finds the rows of the list.
type finder struct {
	lib  Library
	text string // the query as it was typed
	q    reader.Query
	most int                // rows that are read
	stop context.CancelFunc // ends the search under way; nil: there was none

	count int
	found map[reader.ItemID]hit

	missing   bool      // the last search found no index
	mended    bool      // it was made again since
	steps     chan step // how far the index is, nil: it is not being made
	now, last step      // the latest, and the one at which was searched again
}

// hit is what is known of a row beside the row.
type hit struct {
	place int
	text  string
	marks [][2]int
}

// step says how many of how many texts are in the index.
type step struct{ done, all int }

// stepMsg brings a step, endMsg the end.
type (
	stepMsg struct {
		from *finder
		step
	}
	endMsg struct {
		from *finder
		err  error
	}
)

// New makes the view Search.
func New(lists *list.Source, lib Library) *list.View {
	f := &finder{lib: lib}
	return lists.New(list.Of{Kind: list.Search, Name: "Search", By: f, Empty: f.empty})
}

// Enter opens the box, but not for somebody who goes from view to view.
func (f *finder) Enter(h view.Host, l *list.View) tea.Cmd {
	key, _ := h.Pressed()
	if key == "tab" || key == "shift+tab" {
		return view.Batch(f.index(h), l.Load(h))
	}
	if key == "" { // drawn once, or as it was left: nothing is read for that
		return f.Ask(h, l)
	}
	return view.Batch(f.index(h), f.Ask(h, l))
}

// Ask opens the box with the query in it.
func (f *finder) Ask(h view.Host, l *list.View) tea.Cmd {
	p := &view.Prompt{Name: "search", Label: "search: ", Typing: f.typing(l, typingLimit), Do: f.typing(l, limit), Says: says, Check: func(h view.Host, text string) error {
		_, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...)
		return err
	}}
	p.Left = func(h view.Host) tea.Cmd { return f.typing(l, limit)(h, f.text) }
	p.Set(f.text)
	return h.Ask(p)
}

// says is what the box says of its text.
func says(h view.Host, text string) string {
	if _, err := query.ParseTyped(text, h.Screen().Now, h.Screen().Queries...); err != nil {
		return view.Unclear(err)
	}
	if text == "" {
		return "words, \"phrases\", title: feed: newer: unread"
	}
	return "Enter goes to the rows"
}

// typing searches for a text, for as many rows. One that is not understood, or not yet, changes
// nothing.
func (f *finder) typing(l *list.View, rows int) func(view.Host, string) tea.Cmd {
	return func(h view.Host, text string) tea.Cmd {
		q, err := query.ParseTyping(text, h.Screen().Now, h.Screen().Queries...)
		if err != nil || text == f.text && (rows <= f.most || text == "") && l.Whole() {
			return nil
		}
		f.text, f.q, f.most = text, q, rows
		return view.Batch(f.index(h), l.Load(h))
	}
}

// Find searches, and ends the search before.
func (f *finder) Find(h view.Host) func() ([]reader.Row, func() tea.Cmd, error) {
	if f.stop != nil {
		f.stop()
	}
	ctx, stop := context.WithCancel(h.Life())
	f.stop = stop
	q, empty, now, most := f.q, f.text == "", h.Screen().Now, f.most
	return func() ([]reader.Row, func() tea.Cmd, error) {
		var got reader.SearchResult
		var err error
		if !empty {
			got, err = f.lib.Search(ctx, q, now, most)
		}
		found, rows := make(map[reader.ItemID]hit, len(got.Items)), make([]reader.Row, len(got.Items))
		for i, it := range got.Items {
			rows[i], found[it.Row.ID] = it.Row, hit{i, it.Snippet, it.Marks}
		}
		return rows, func() tea.Cmd {
			f.found, f.count = found, got.Count
			return f.mend(h, got.Missing)
		}, err
	}
}

// mend has the index made again where a search found none: it was damaged. One that is
// not there afterwards either cannot be kept.
func (f *finder) mend(h view.Host, missing bool) tea.Cmd {
	f.missing = missing
	f.mended = f.mended && missing
	if !missing || f.mended || f.steps != nil {
		return nil
	}
	f.mended = true
	return f.index(h)
}

// index brings the index up to date beside the event loop. It ends with the program.
func (f *finder) index(h view.Host) tea.Cmd {
	if f.steps != nil {
		return nil
	}
	steps := make(chan step, 1)
	f.steps, f.now, f.last = steps, step{}, step{}
	ctx := h.Life()
	return view.Batch(func() tea.Msg {
		defer close(steps)
		return endMsg{f, f.lib.Update(ctx, func(done, all int) {
			select {
			case <-steps: // an older one
			default:
			}
			steps <- step{done, all}
		})}
	}, f.wait(steps))
}

// wait waits for the next step.
func (f *finder) wait(steps chan step) tea.Cmd {
	return func() tea.Msg {
		if s, ok := <-steps; ok {
			return stepMsg{f, s}
		}
		return nil
	}
}

// again is after how many more texts is searched again.
const again = 2000

// OnMsg follows the index, and searches again in what came into it.
func (f *finder) OnMsg(h view.Host, l *list.View, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stepMsg:
		if f.steps == nil { // it came after the end
			return nil
		}
		f.now = msg.step
		if f.now.done-f.last.done < again {
			return f.wait(f.steps)
		}
		f.last = f.now
		return view.Batch(f.wait(f.steps), l.Load(h))
	case endMsg:
		more := f.now.all > 0 || f.missing
		f.steps, f.now = nil, step{}
		if msg.err != nil && h.Life().Err() == nil {
			h.Say(view.Sentence(msg.err))
		}
		if more {
			return l.Load(h)
		}
	case view.ChangedMsg:
		if f.text != "" {
			return f.index(h)
		}
	}
	return nil
}

func (f *finder) Text() string { return f.text }

func (f *finder) Place(id reader.ItemID) int {
	if hit, ok := f.found[id]; ok {
		return hit.place
	}
	return limit
}

func (f *finder) Snippet(id reader.ItemID) (string, [][2]int) {
	hit := f.found[id]
	return hit.text, hit.marks
}

// Fact is which of how many found items is chosen, or how far the index is.
func (f *finder) Fact(cur, n int) string {
	switch {
	case f.now.all > 0:
		return "indexing " + wording.Count(f.now.done) + "/" + wording.Count(f.now.all)
	case n == 0:
		return ""
	}
	return wording.Count(cur+1) + " of " + wording.Count(f.count)
}

// empty says why there are no rows.
func (f *finder) empty(*view.Scene) string {
	switch {
	case f.now.all > 0:
		return fmt.Sprintf("Indexing the texts: %s/%s.", wording.Count(f.now.done), wording.Count(f.now.all))
	case f.text == "":
		return "Type words to find them in the titles and texts of all items, read or not. / opens the box."
	}
	return fmt.Sprintf("Nothing in the library matches %q.", f.text)
}
