package ui

import (
	"context"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/editall"
	"diurna/ui/jobs"
	"diurna/ui/notes"
	"diurna/ui/outside"
	"diurna/ui/rounds"
	"diurna/ui/view"
)

// effects holds the library for the router and its views. Every call stands inside
// a tea.Cmd: it runs beside the event loop and brings back a message. Nothing in
// this file assigns to the model.
type effects struct {
	ctx   context.Context
	stop  context.CancelFunc
	lib   Library
	wait  time.Duration // acts within it share one transaction
	queue *jobs.Queue
	notes *notes.Notes

	out   *outside.Programs
	duty  *rounds.Rounds
	ranks newest
	calm  bool                  // nothing waits for the world: the linear form asks by itself
	seen  <-chan uint64         // commits of other processes; nil: not watched
	halt  func(whole bool) bool // stops the process for a while; nil: nothing does
}

// together is how long acts are collected: a key repeats every 30 ms.
const together = 50 * time.Millisecond

func newEffects(ctx context.Context, lib Library, wait time.Duration) *effects {
	e := &effects{lib: lib, wait: wait}
	if wait == 0 {
		e.wait = together
	}
	e.ctx, e.stop = context.WithCancel(ctx)
	e.out = outside.New(e.ctx, lib)
	e.notes = notes.New(e.ctx, lib)
	e.queue = jobs.New(e.ctx, lib, lib.Ranker, e.wait)
	e.duty = rounds.New(e.ctx, lib)
	e.ranks = make(newest, 1)
	return e
}

func (e *effects) feeds(gen uint64) tea.Cmd {
	return func() tea.Msg { return e.readFeeds(gen) }
}

func (e *effects) readFeeds(gen uint64) feedsMsg {
	feeds, err := e.lib.Feeds(e.ctx)
	msg := feedsMsg{gen: gen, feeds: feeds, err: err}
	if slices.ContainsFunc(feeds, func(f reader.Feed) bool { return f.Watched }) && err == nil {
		msg.pages, msg.err = e.lib.Pages.List(e.ctx)
	}
	if err == nil && msg.err == nil {
		msg.saved, msg.err = e.lib.Queries.List(e.ctx)
	}
	return msg
}

// fewItems is up to how many items are read one by one; beyond that all rows
// of the library are read in one go, which costs 30 ms for 100,000.
const fewItems = 200

// states reads what items say now.
func (e *effects) states(ids []reader.ItemID) tea.Cmd {
	return func() tea.Msg { return e.readStates(ids) }
}

func (e *effects) readStates(ids []reader.ItemID) itemsMsg {
	if _, none := e.queue.Settled(); !none {
		time.Sleep(e.wait) // what is on its way is done first
	}
	acts, none := e.queue.Settled()
	if !none {
		acts = -1
	}
	now := make(map[reader.ItemID]reader.Row, len(ids))
	if len(ids) > fewItems {
		rows, err := e.lib.Rows(e.ctx, reader.Query{}.WithHidden(), 0)
		for _, r := range rows {
			now[r.ID] = r
		}
		return itemsMsg{ids, acts, now, err}
	}
	items, err := e.lib.Items(e.ctx, ids)
	for i := range items {
		now[items[i].Key] = view.RowOf(&items[i])
	}
	return itemsMsg{ids, acts, now, err}
}

func (e *effects) importFile(ctx context.Context, gen uint64, path, name string, ch chan reader.Progress) tea.Cmd {
	return func() tea.Msg {
		defer close(ch)
		doc, err := editall.ReadSmall(path)
		if err != nil {
			return importedMsg{gen: gen, err: err}
		}
		var failed []string
		tell := latest(ch)
		report, err := e.lib.Import(ctx, doc, reader.ImportOptions{Name: name, Path: path}, func(p reader.Progress) {
			if p.Result != nil && p.Result.Outcome == reader.OutcomeFailed {
				failed = append(failed, p.Result.Title)
			}
			tell(p)
		})
		return importedMsg{gen, report, failed, err}
	}
}

func (e *effects) fetch(ctx context.Context, gen uint64, q reader.FetchRequest, ch chan reader.Progress) tea.Cmd {
	return func() tea.Msg {
		defer close(ch)
		report, err := e.lib.Fetch(ctx, q, latest(ch))
		return fetchedMsg{gen, q.Feeds, report, err}
	}
}

// latest keeps only the newest progress in ch, so that a slow screen never
// slows a fetch.
func latest(ch chan reader.Progress) func(reader.Progress) {
	var mu sync.Mutex
	return func(p reader.Progress) {
		mu.Lock()
		defer mu.Unlock()
		select {
		case <-ch:
		default:
		}
		ch <- p
	}
}

// progress waits for the next word of a fetch.
func (e *effects) progress(gen uint64, ch chan reader.Progress) tea.Cmd {
	return func() tea.Msg {
		p, ok := <-ch
		if !ok {
			return nil
		}
		return progressMsg{gen, p}
	}
}

// rounds waits for the next word of the fetcher.
func (e *effects) rounds() tea.Cmd {
	if e.calm {
		return nil
	}
	return e.duty.Next()
}

// changes waits until the library has something new, by this process or by
// another one.
func (e *effects) changes() tea.Cmd {
	ch := e.lib.Changes()
	if ch == nil && e.seen == nil || e.calm {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-ch:
			return view.ChangedMsg{}
		case <-e.seen:
			return view.ChangedMsg{}
		case <-e.ctx.Done():
			return nil
		}
	}
}

// midnight is the one timer that waits for no key: day headings turn once a day.
func (e *effects) midnight(now time.Time) tea.Cmd {
	if e.calm {
		return nil
	}
	return tea.Tick(wording.Midnight(now).AddDate(0, 0, 1).Sub(now)+time.Second, func(time.Time) tea.Msg { return view.MidnightMsg{} })
}
