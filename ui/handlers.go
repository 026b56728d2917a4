package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/help"
	"diurna/ui/pages"
	"diurna/ui/panes"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Handlers of the messages that commands return, and of the keys that start the longer
// requests.

func (m *model) onFeeds(msg feedsMsg) tea.Cmd {
	if msg.gen != m.feedsGen || msg.gen == 0 {
		return nil
	}
	m.feedsGen = 0
	var rest tea.Cmd
	if m.late {
		m.late, rest = false, m.loadLists()
	}
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return rest
	}
	m.Scene.SetFeeds(msg.feeds)
	m.Scene.Queries = msg.saved
	m.feedz.Take(&m.Scene)
	var changed []string
	if m.paged {
		changed = pages.Reported(&m.Scene, msg.pages)
	}
	m.Scene.Pages, m.paged = msg.pages, true
	m.pagez.Take(msg.pages)
	tree := m.At == stack.Feeds && len(m.Over) == 0 || m.Scene.W >= panes.Three // it stands on the screen
	return view.Batch(m.fetch.Begin(m), m.fetch.Ring(m, changed, "%d pages changed: %s"), m.queries.Count(m, tree), rest)
}

// onNews reloads what is on the screen, after a fetch or at midnight.
func (m *model) onNews(msg tea.Msg) tea.Cmd {
	if _, night := msg.(view.MidnightMsg); night {
		return view.Batch(m.Deliver(msg), m.Reload(), m.eff.midnight(m.Scene.Now))
	}
	return view.Batch(m.eff.changes(), m.LoadShown(m, false), m.Base().OnMsg(m, msg))
}

func (m *model) showHelp() tea.Cmd {
	name := view.ContextName(m.Top().Context())
	if l := m.TopItems(); l != nil {
		name, _ = l.Title(&m.Scene, 0)
	}
	m.Push(help.New(m.Top().Context(), name, m.keys))
	return nil
}

func redraw(view.Host) tea.Cmd { return tea.ClearScreen }

// paste is never read as keys: in a box it is text, elsewhere an address opens
// the add box and anything else find.
func (m *model) paste(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if m.Box != nil {
		return m.boxes.Insert(m, text)
	}
	if w, ok := m.Top().(view.Writer); ok {
		w.Paste(m, text)
		return nil
	}
	if text == "" || m.Scene.Tiny() {
		return nil
	}
	if isAddress(text) {
		m.adding.At(text)
		return nil
	}
	m.finder.Ask(m)
	return m.boxes.Insert(m, text)
}

// isAddress guesses whether a pasted text is one: a scheme, or a name with a
// dot in it and no blank.
func isAddress(s string) bool {
	if strings.ContainsAny(s, " \t\n") {
		return false
	}
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "feed:") {
		return true
	}
	host, _, _ := strings.Cut(s, "/")
	dot := strings.LastIndexByte(host, '.')
	return dot > 0 && dot < len(host)-2
}
