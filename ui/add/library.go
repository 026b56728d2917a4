package add

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// Library is what the box asks of the library.
type Library interface {
	Subscribe(ctx context.Context, c reader.Candidate, o reader.SubscribeOptions) (reader.Subscribed, error)
}

// Pages is what the box asks of the watched pages.
type Pages interface {
	Watch(ctx context.Context, address string, o reader.WatchOptions) (reader.Watched, error)
}

// Finder finds out what an address brings.
type Finder interface {
	Look(ctx context.Context, address string, allowPrivate bool) (reader.Found, error)
	Fill(ctx context.Context, c reader.Candidate) (reader.Candidate, error)
}

// Program is what the box asks of the screen besides what all views do.
type Program interface {
	// Clear empties the last row.
	Clear()
	// BeginLook gives the context of a question that ^c stops, EndLook ends it.
	// Stop stops it, or the import with this number; false where there is none.
	BeginLook(gen uint64) context.Context
	EndLook(gen uint64) bool
	Stop(gen uint64) bool
	// Import takes over a list; gen numbers its answer. cmd is nil while a fetch is
	// under way.
	Import(path string) (gen uint64, cmd tea.Cmd)
	// KeepLine keeps a line in the history of a box.
	KeepLine(name, text string) tea.Cmd
	// OpenFeed, ShowRiver and ShowPage leave the box for what it brought; Demo
	// leaves the program for the demo.
	OpenFeed(id reader.FeedID) tea.Cmd
	ShowRiver() tea.Cmd
	ShowPage(w reader.Watched) tea.Cmd
	Demo() tea.Cmd
}

// FoundMsg brings what is at an address.
type FoundMsg struct {
	gen   uint64
	found reader.Found
	Err   error
}

type filledMsg struct {
	gen uint64
	at  int
	c   reader.Candidate
	err error
}

type subscribedMsg struct {
	gen uint64
	got reader.Subscribed
	err error
}

// watchedMsg brings the page that is watched from now on.
type watchedMsg struct {
	gen uint64
	got reader.Watched
	err error
}

// asker asks for what the box waits for, beside the event loop.
type asker struct {
	lib   Library
	find  Finder
	pages Pages
}

func (a *asker) look(ctx context.Context, gen uint64, address string, private bool) tea.Cmd {
	return func() tea.Msg {
		found, err := a.find.Look(ctx, address, private)
		return FoundMsg{gen, found, err}
	}
}

func (a *asker) fill(h view.Host, gen uint64, at int, c reader.Candidate) tea.Cmd {
	return func() tea.Msg {
		c, err := a.find.Fill(h.Life(), c)
		return filledMsg{gen, at, c, err}
	}
}

//go:noinline // 5 places, each with a closure of its own
func (a *asker) keep(ctx context.Context, gen uint64, c reader.Candidate, o reader.SubscribeOptions) tea.Cmd {
	return func() tea.Msg {
		got, err := a.lib.Subscribe(ctx, c, o)
		return subscribedMsg{gen, got, err}
	}
}

func (a *asker) watch(ctx context.Context, gen uint64, address string, o reader.WatchOptions) tea.Cmd {
	return func() tea.Msg {
		got, err := a.pages.Watch(ctx, address, o)
		return watchedMsg{gen, got, err}
	}
}
