// Package adding opens the add box and goes where it leads, and imports subscription
// lists.
package adding

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
	"diurna/ui/editall"
	"diurna/ui/fetching"
	"diurna/ui/list"
	"diurna/ui/opening"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Library is what is asked of *reader.Reader.
type Library interface {
	add.Library
	Import(ctx context.Context, doc []byte, o reader.ImportOptions, progress func(reader.Progress)) (reader.ImportReport, error)
}

// Lines keeps lines in the histories of boxes.
type Lines interface {
	KeepLine(name, text string) tea.Cmd
}

// Feeds and Pages are the views that the box leads to.
type (
	Feeds interface{ Take(s *view.Scene) }
	Pages interface {
		// Added shows a page that is watched from now on.
		Added(h view.Host, w reader.Watched) tea.Cmd
	}
)

// Adding adds to one library. It is the program as the add box knows it.
type Adding struct {
	*stack.Questions
	Lines

	Host    view.Host
	Lib     Library
	Finder  add.Finder
	Watcher add.Pages
	Home    string // what ~ stands for; "": nothing
	Fetch   *fetching.Fetching
	Nav     *stack.Mover
	Lists   *opening.Lists
	River   *list.View
	Feeds   Feeds
	Pages   Pages
	Leave   func() tea.Cmd

	demo bool
}

// DemoChosen reports whether the demo was chosen: whoever started the screen runs it.
func (a *Adding) DemoChosen() bool { return a.demo }

// Open opens the box.
func (a *Adding) Open(view.Host) tea.Cmd {
	a.At("")
	return nil
}

// At opens it with an address in it.
func (a *Adding) At(address string) *add.Box {
	b := add.New(a.Lib, a.Finder, a.Watcher, a)
	if address != "" {
		b.Set(address)
	}
	a.Nav.Push(b)
	return b
}

// First opens the box of an empty library.
func (a *Adding) First(found []add.Choice, demo bool) {
	a.Nav.Push(add.First(a.Lib, a.Finder, a.Watcher, a, found, demo))
}

// Box is the box if it is on top, else nil.
func (a *Adding) Box() *add.Box {
	b, _ := a.Nav.Top().(*add.Box)
	return b
}

// Add is :add, Watch :watch ADDRESS, ImportFile :import FILE.
func (a *Adding) Add(h view.Host, address string) tea.Cmd {
	if b := a.At(address); address != "" {
		return b.Enter(h)
	}
	return nil
}

func (a *Adding) Watch(h view.Host, address string) tea.Cmd {
	if address == "" {
		h.Say(":watch needs the address of a page.")
		return nil
	}
	return a.At(address).Watch(h)
}

func (a *Adding) ImportFile(h view.Host, path string) tea.Cmd {
	if path == "" {
		h.Say(":import needs the path of an OPML or urls file.")
		return nil
	}
	if b := a.Box(); b != nil {
		return b.Import(path)
	}
	_, cmd := a.Import(path)
	return cmd
}

// Clear empties the last row.
func (a *Adding) Clear() { a.Nav.Last.Done() }

// Stop stops an import or a look; see fetching.Stop.
func (a *Adding) Stop(gen uint64) bool { return a.Fetch.Stop(gen) }

// OpenFeed leaves the box for the items of a feed.
func (a *Adding) OpenFeed(id reader.FeedID) tea.Cmd {
	a.Nav.Over, a.Nav.At = a.Nav.Over[:0], stack.Feeds
	a.Feeds.Take(a.Host.Screen())
	return a.Lists.OpenFeed(id)
}

// ShowRiver leaves everything for River, ShowPage for a page that is watched from now
// on, Demo for the demo.
func (a *Adding) ShowRiver() tea.Cmd { return a.Nav.Go(a.Host, stack.River) }

func (a *Adding) ShowPage(w reader.Watched) tea.Cmd {
	return view.Batch(a.Nav.Go(a.Host, stack.Pages), a.Pages.Added(a.Host, w))
}

func (a *Adding) Demo() tea.Cmd {
	a.demo = true
	return a.Leave()
}

// ImportedMsg ends an import.
type ImportedMsg struct {
	Gen    uint64
	report reader.ImportReport
	failed []string // titles of feeds that could not be fetched
	err    error
}

// Import takes over a subscription list; its first fetch is counted in row 1 while
// River fills.
func (a *Adding) Import(path string) (gen uint64, cmd tea.Cmd) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && a.Home != "" {
		path = filepath.Join(a.Home, rest) // no shell does it here
	}
	return a.Fetch.Run(a.Host, "import", func(ctx context.Context, gen uint64, progress func(reader.Progress)) tea.Msg {
		doc, err := editall.ReadSmall(path)
		if err != nil {
			return ImportedMsg{Gen: gen, err: err}
		}
		var failed []string
		report, err := a.Lib.Import(ctx, doc, reader.ImportOptions{Name: filepath.Base(path), Path: path}, func(p reader.Progress) {
			if p.Result != nil && p.Result.Outcome == reader.OutcomeFailed {
				failed = append(failed, p.Result.Title)
			}
			progress(p)
		})
		return ImportedMsg{gen, report, failed, err}
	})
}

// OnMsg shows River filling, and sums an import up at its end.
func (a *Adding) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case fetching.ProgressMsg:
		if b := a.Box(); b != nil && b.Imports(msg.Gen) && a.Fetch.Runs(msg.Gen) {
			return a.ShowRiver() // the feeds are there
		}
	case ImportedMsg:
		if a.Fetch.Ended(msg.Gen) {
			return a.imported(h, &msg)
		}
	}
	return nil
}

// importing is the box that waits for an import, nil for none.
func (a *Adding) importing(gen uint64) *add.Box {
	for _, l := range a.Nav.Over {
		if b, ok := l.(*add.Box); ok && b.Imports(gen) {
			return b
		}
	}
	return nil
}

func (a *Adding) imported(h view.Host, msg *ImportedMsg) tea.Cmd {
	b := a.importing(msg.Gen)
	boxed := b != nil
	r, stopped := &msg.report, errors.Is(msg.err, context.Canceled)
	switch {
	case stopped && r.Step == 0:
		if boxed {
			b.Imported("")
		}
		h.Say(view.SayStopped)
		return nil
	case msg.err != nil && boxed && r.Step == 0:
		b.Imported(view.Sentence(msg.err))
		return nil
	}
	cmd := a.showImported(h, boxed)
	if msg.err != nil && !stopped {
		h.Say(view.Sentence(msg.err))
		return cmd
	}
	say := fmt.Sprintf("Imported %s", wording.Plural(len(r.Added), "feed"))
	if r.Known > 0 {
		say += fmt.Sprintf(", %s already known", wording.Count(r.Known))
	}
	if len(r.Refused) > 0 {
		say += fmt.Sprintf(", %s not taken", wording.Count(len(r.Refused)))
	}
	if stopped {
		say += ", not all of them fetched"
	}
	if n := len(msg.failed); n > 0 {
		say += fmt.Sprintf(". %s failed: %s (w in Feeds says why)", wording.Count(n), wording.Some(msg.failed))
	}
	if say += "."; r.Step != 0 { // else u would take back something else
		say += " u undoes."
	}
	h.Say(say)
	return cmd
}

// showImported shows River where the box waited for it; who is elsewhere by then stays
// there.
func (a *Adding) showImported(h view.Host, boxed bool) tea.Cmd {
	if boxed {
		a.Nav.Over = a.Nav.Over[:0]
	}
	if boxed || a.Nav.At == stack.River && len(a.Nav.Over) == 0 && !a.River.Moved() {
		return a.Nav.Enter(h, stack.River)
	}
	return a.Nav.LoadShown(h, false)
}
