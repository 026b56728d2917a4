package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/add"
	"diurna/ui/help"
	"diurna/ui/lastrow"
	"diurna/ui/pages"
	"diurna/ui/view"
)

// What becomes of the facts that commands bring back, and the keys that ask
// for the bigger ones.

func (m *model) gotFeeds(msg feedsMsg) tea.Cmd {
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
	m.SetFeeds(msg.feeds)
	m.Queries = msg.saved
	m.feedz.Take(&m.Scene)
	var rung []string
	if m.paged {
		rung = pages.Rung(&m.Scene, msg.pages)
	}
	m.Pages, m.paged = msg.pages, true
	m.pagez.Take(msg.pages)
	return view.Batch(m.begin(), m.ring(rung, "%d pages changed: %s"), m.queries.Count(m, false), rest)
}

// gotNews asks again for what is on the screen, after a fetch or at midnight.
func (m *model) gotNews(msg tea.Msg) tea.Cmd {
	if _, night := msg.(view.MidnightMsg); night {
		return view.Batch(m.deliver(msg), m.Reload(), m.eff.midnight(m.Now))
	}
	return view.Batch(m.eff.changes(), m.LoadShown(m, false), m.Base().Got(m, msg))
}

// run starts what ^c stops and row 1 counts.
func (m *model) run(what string, start func(ctx context.Context, gen uint64, ch chan reader.Progress) tea.Cmd) tea.Cmd {
	if m.runCh != nil {
		m.Say("A fetch is running. ^c stops it.")
		return nil
	}
	ctx, cancel := context.WithCancel(m.eff.ctx)
	m.cancel = cancel
	ch := make(chan reader.Progress, 1)
	m.runGen, m.runs, m.runCh = m.Gen(), what, ch
	return view.Batch(start(ctx, m.runGen, ch), m.eff.progress(m.runGen, ch))
}

func (m *model) fetchAll() tea.Cmd {
	if len(m.Order) == 0 {
		m.Say(view.SayNothingSubscribed)
		return nil
	}
	return m.fetch(reader.FetchRequest{All: true})
}

// fetchOne fetches the chosen feed, or the feeds of the chosen folder.
func (m *model) fetchOne() tea.Cmd {
	ids, all := m.Top().Feeds()
	if all {
		return m.fetchAll()
	}
	if r := m.chosenRow(); len(ids) == 0 && r != nil {
		ids = []reader.FeedID{r.ID.Feed()}
	}
	if len(ids) == 0 {
		m.Say("No feed is chosen. R fetches all of them.")
		return nil
	}
	return m.fetch(reader.FetchRequest{Feeds: ids})
}

func (m *model) fetch(q reader.FetchRequest) tea.Cmd {
	return m.run("fetch", func(ctx context.Context, gen uint64, ch chan reader.Progress) tea.Cmd {
		return m.eff.fetch(ctx, gen, q, ch)
	})
}

// Import takes over a subscription list; its first fetch is counted in row 1 while
// River fills.
func (m *model) Import(path string) (gen uint64, cmd tea.Cmd) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && m.Env("HOME") != "" {
		path = filepath.Join(m.Env("HOME"), rest) // no shell does it here
	}
	cmd = m.run("import", func(ctx context.Context, gen uint64, ch chan reader.Progress) tea.Cmd {
		return m.eff.importFile(ctx, gen, path, filepath.Base(path), ch)
	})
	return m.runGen, cmd
}

// gotFetch counts what a fetch or an import has done so far, and sums it up at
// the end.
func (m *model) gotFetch(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case progressMsg:
		if msg.gen != m.runGen || m.runCh == nil {
			return nil
		}
		if msg.Total > 0 {
			m.runs = fmt.Sprintf("fetch %d/%d", msg.Done, msg.Total)
		}
		next := m.eff.progress(msg.gen, m.runCh)
		if b := m.addBox(); b != nil && b.Imports(msg.gen) {
			return view.Batch(next, m.ShowRiver()) // the feeds are there: show River filling
		}
		return next
	case importedMsg:
		return m.gotImported(msg)
	case fetchedMsg:
		if msg.gen != m.runGen {
			return nil
		}
		m.halt()
		switch {
		case errors.Is(msg.err, context.Canceled):
			m.Say(fmt.Sprintf("Stopped: %s fetched, %s new.", wording.Count(msg.report.Fetched), wording.Count(msg.report.New)))
		case msg.err != nil:
			m.Say(view.Sentence(msg.err))
		default:
			m.Say(lastrow.Fetched(&msg.report, len(msg.byHand) == 1, m.Feeds, m.Now))
		}
		return m.LoadShown(m, false)
	}
	return nil
}

// interrupt stops what runs; with nothing running it says how to leave, and
// the second time within two seconds leaves.
func (m *model) interrupt() tea.Cmd {
	if m.StopLook() {
		m.Say("Stopped.")
		return nil
	}
	if m.cancel != nil {
		// What was done so far comes back with the answer.
		m.cancel()
		m.Say("Stopping.")
		return nil
	}
	if m.Now.Sub(m.lastC).Seconds() < 2 {
		return m.Leave()
	}
	m.lastC = m.Now
	m.Say("Q quits")
	return nil
}

func (m *model) showHelp() tea.Cmd {
	name := view.ContextName(m.Top().Context())
	if l := m.TopItems(); l != nil {
		name, _ = l.Title(&m.Scene, 0)
	}
	m.Push(help.New(m.Top().Context(), name, m.keys))
	return nil
}

func (m *model) zed() tea.Cmd {
	m.Awaited = view.CtxZ
	return nil
}

func (m *model) redraw() tea.Cmd { return tea.ClearScreen }

func (m *model) add() tea.Cmd {
	m.addAt("")
	return nil
}

// addAt opens the add box with an address in it.
func (m *model) addAt(address string) *add.Box {
	b := add.New(m.eff.lib, m.eff.lib.Finder, m.eff.lib.Pages, m)
	if address != "" {
		b.Set(address)
	}
	m.Push(b)
	return b
}

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
	if text == "" || m.tiny() {
		return nil
	}
	if isAddress(text) {
		m.addAt(text)
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

// Edited tells what became of the feeds that were edited as text, and fetches new ones.
func (m *model) Edited(r *reader.EditReport) tea.Cmd {
	m.Say(fmt.Sprintf("Feeds: %s added, %s removed, %s moved, %s changed. u undoes.",
		wording.Count(r.Added), wording.Count(r.Removed), wording.Count(r.Moved), wording.Count(r.Changed)))
	cmd := m.LoadShown(m, true)
	if len(r.New) > 0 && m.runCh == nil {
		said := m.last.Last(lastrow.Message)
		cmd = view.Batch(cmd, m.fetch(reader.FetchRequest{Feeds: r.New}))
		m.Say(said)
	}
	return cmd
}
