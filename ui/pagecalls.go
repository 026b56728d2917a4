package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// The calls to the reader about watched pages: like those in effects.go each
// stands in a command and brings back a message.

// tipsMsg brings the advice about watched pages.
type tipsMsg struct {
	gen  uint64
	tips []reader.Suggestion
	err  error
}

func (e *effects) tips(gen uint64) tea.Cmd {
	return func() tea.Msg {
		tips, err := e.lib.Suggestions(e.ctx)
		return tipsMsg{gen, tips, err}
	}
}

// secondMsg brings what the second fetch of a new page showed.
type secondMsg struct {
	title  string
	second reader.Second
	err    error
}

func (e *effects) second(w reader.Watched) tea.Cmd {
	return func() tea.Msg {
		second, err := e.lib.SecondFetch(e.ctx, w)
		return secondMsg{w.Page.Title, second, err}
	}
}

// watchedMsg brings the page that is watched from now on.
type watchedMsg struct {
	gen uint64
	got reader.Watched
	err error
}

func (e *effects) watch(ctx context.Context, gen uint64, address string, o reader.WatchOptions) tea.Cmd {
	return func() tea.Msg {
		got, err := e.lib.Watch(ctx, address, o)
		return watchedMsg{gen, got, err}
	}
}
