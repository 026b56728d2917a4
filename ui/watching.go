package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
)

// What watches a page from the add box. The calls to the reader are like those in
// effects.go: each stands in a command and brings back a message.

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

// watch watches the page at an address itself, from the add box.
func (m *model) watch(b *addBox) tea.Cmd {
	b.stage, b.wrong, b.watches = addKeeping, "", false
	b.gen = m.Gen()
	return m.eff.watch(m.beginLook(b.gen), b.gen, b.Link(), reader.WatchOptions{Title: b.opts.Title, Tags: b.opts.Tags})
}

// watchCommand is :watch ADDRESS.
func (m *model) watchCommand(address string) tea.Cmd {
	if address == "" {
		m.Say(":watch needs the address of a page.")
		return nil
	}
	for _, word := range strings.Fields(address)[1:] {
		if strings.HasPrefix(word, "-") {
			m.Say("Here :watch takes an address alone; i in Pages sets the rest. With flags it is the shell's: diurna watch " + address)
			return nil
		}
	}
	return m.watch(m.addAt(address))
}

// watch is w where an address brought feeds.
func (b *addBox) watch(m *model) tea.Cmd { return m.watch(b) }

// gotWatched shows the page that is watched now.
func (b *addBox) gotWatched(m *model, msg watchedMsg) tea.Cmd {
	m.endLook(msg.gen)
	switch {
	case errors.Is(msg.err, context.Canceled):
		b.stage = addTyping
		m.Say(sayStopped)
		return nil
	case msg.err != nil:
		b.stage = addTyping
		b.wrong, b.known = m.addError(msg.err)
		return nil
	}
	m.stack = m.stack[:0]
	cmd := m.enter(viewPages)
	m.pagez.Want(msg.got.Page.Key)
	m.Say(fmt.Sprintf("Watching %s: %s. u undoes. i holds what is looked at.", msg.got.Page.Title, wording.Plural(msg.got.Words, "word")))
	if msg.got.Second <= 0 {
		return cmd
	}
	return tea.Batch(cmd, m.eff.second(msg.got))
}

// gotSecond says what changes by itself on a page that was just added. Other
// outcomes are shown on its row.
func (m *model) gotSecond(msg secondMsg) tea.Cmd {
	if msg.err == nil && msg.second.Outcome == reader.SecondDiffers {
		m.Say(fmt.Sprintf("%s: %s differed at a second fetch.", msg.title, wording.Plural(msg.second.Places, "place")))
	}
	return m.Reload()
}
