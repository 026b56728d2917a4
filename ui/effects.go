package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/outside"
	"diurna/ui/view"
)

// effects holds the library for the router and its views. Every call is made inside a
// tea.Cmd: it runs beside the event loop and returns a message. Nothing in this file
// assigns to the model.
type effects struct {
	ctx  context.Context
	stop context.CancelFunc
	lib  Library
	wait time.Duration // acts within it share one transaction

	out  *outside.Programs
	calm bool          // nothing waits for the world: the linear form asks by itself
	seen <-chan uint64 // commits of other processes; nil: not watched
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

// changes waits until this process or another one has changed the library.
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

// midnight is the only timer that waits for no key: day headings change once a day.
func (e *effects) midnight(now time.Time) tea.Cmd {
	if e.calm {
		return nil
	}
	return tea.Tick(wording.Midnight(now).AddDate(0, 0, 1).Sub(now)+time.Second, func(time.Time) tea.Msg { return view.MidnightMsg{} })
}
