package info

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Trouble is the view of what is wrong with a feed or a watched page: since when, what
// was tried, what its server answered, and the keys that may mend it. It says what is
// known now, also after a key has changed that.
type Trouble struct {
	view.Scrolling
	lib   Mender
	desk  Desk
	plans Planner
	from  view.View // what it was opened from
	feed  reader.FeedID
	asked uint64 // of the address that is awaited
	was   string // its address before it was given another one here, "" if it was not
}

// Desk is what it asks of the screen: to list the items of a feed.
type Desk interface {
	OpenFeed(id reader.FeedID) tea.Cmd
}

// Planner says when a feed is fetched, and why.
type Planner interface {
	AskPlan(h view.Host, feed reader.FeedID, sums bool) tea.Cmd
}

// Mender is what the view asks of the library.
type Mender interface {
	Library
	Unsubscribe(ctx context.Context, ids []reader.FeedID) (reader.Done, error)
}

// addressMsg brings an address with its secrets, to be edited.
type addressMsg struct {
	gen   uint64
	whole string
	err   error
}

// OpenTrouble shows what is wrong with a feed or a watched page.
func OpenTrouble(h view.Host, lib Mender, desk Desk, plans Planner, feed reader.FeedID) tea.Cmd {
	h.Push(&Trouble{lib: lib, desk: desk, plans: plans, from: under(h), feed: feed})
	return nil
}

func (t *Trouble) Beside() (from view.View, wide bool) { return t.from, true }

func (t *Trouble) Context() view.Context { return view.CtxTrouble }

// of is what is known of the feed or the page, nil if it is unsubscribed.
func (t *Trouble) of(s *view.Scene) (f *reader.Feed, pg *reader.Page) {
	if pg = s.Watched(t.feed); pg == nil {
		return s.Feeds[t.feed], nil
	}
	one := pg.Feed
	one.Error = cmp.Or(pg.Error, pg.State.String())
	return &one, pg
}

// troubled reports whether there is trouble now.
func troubled(f *reader.Feed, pg *reader.Page) bool {
	return pg != nil && view.Broken(pg) || pg == nil && f.InTrouble()
}

func (t *Trouble) Title(s *view.Scene, _ int) (string, string) {
	what := "Feed: "
	switch f, pg := t.of(s); {
	case f == nil:
	case troubled(f, pg):
		what = "Trouble: "
	case pg != nil:
		what = "Page: "
	}
	return what + s.FeedTitle(t.feed), ""
}

func (t *Trouble) Feeds() ([]reader.FeedID, bool) { return []reader.FeedID{t.feed}, false }

func (t *Trouble) About() (reader.FeedID, string) { return t.feed, "" }

// Why says when the feed is fetched.
func (t *Trouble) Why(h view.Host) (tea.Cmd, bool) { return t.plans.AskPlan(h, t.feed, false), true }

// The columns of the labels and of the keys.
const (
	labelCells = 13
	keyCells   = 7
)

func (t *Trouble) Lines(s *view.Scene, w, h int) []string {
	t.Text = t.Text[:0]
	f, pg := t.of(s)
	if f == nil {
		t.Text = s.Wrap("Unsubscribed. u undoes.", 1, w)
		return t.Window(s, w, h)
	}
	blank := s.Th.Fit("", w)
	if t.was != "" && f.URL != t.was {
		t.Text = append(s.Wrap("Done: from now on it is fetched from "+f.Address()+". u undoes.", 1, w), blank)
	}
	switch {
	case !troubled(f, pg):
		t.Text = append(t.Text, s.Wrap(view.SayFeed(f, s.Now), 1, w)...)
		if !f.Piped() {
			t.Text = append(t.Text, blank)
			t.put(s, "address", f.Address(), labelCells, w)
		}
	case pg != nil:
		t.Text = append(t.Text, s.Wrap(pg.Title+": "+view.PageTrouble(pg, s.Now)+".", 1, w)...)
	default:
		t.Text = append(t.Text, s.Wrap(view.SayFeed(f, s.Now), 1, w)...)
	}
	t.Text = append(t.Text, blank)
	if troubled(f, pg) {
		for _, l := range reader.Explain(f, s.Now) {
			if pg != nil && l.Label == "items" {
				l.Label, l.Text = "kept", wording.Plural(pg.Revisions, "revision")
			}
			t.put(s, l.Label, l.Text, labelCells, w)
		}
		t.Text = append(t.Text, blank)
	}
	for _, k := range t.acts(f) {
		t.put(s, k.key, k.does, keyCells, w)
	}
	return t.Window(s, w, h)
}

// put adds a label and a text beside it, which is wrapped there.
func (t *Trouble) put(s *view.Scene, label, text string, cells, w int) {
	for i, line := range s.Wrap(text, cells+1, w) {
		if i == 0 {
			line = s.Th.Fit(" "+label, cells+1) + strings.TrimPrefix(line, strings.Repeat(" ", cells+1))
		}
		t.Text = append(t.Text, line)
	}
}

// act is a key that may mend a feed.
type act struct{ key, hint, does string }

// acts are the keys that mean something for a feed, and what each does to it.
func (t *Trouble) acts(f *reader.Feed) []act {
	var list []act
	if f.MovedTo != "" {
		list = append(list, act{"a", "adopt", "adopt the new address, " + plain.Redact(f.MovedTo)})
	}
	if f.Refused() {
		list = append(list, act{"i", "allow", "allow its private address, in its settings"})
	}
	if !f.Piped() {
		list = append(list, act{"r", "try again", "try again now"}, act{"e", "edit", "edit the address"})
	}
	switch {
	case f.Watched:
		list = append(list, act{"D", "unwatch", "unwatch"})
	default:
		list = append(list, act{"D", "unsubscribe", "unsubscribe"})
	}
	switch {
	case f.Items > 0 && f.Watched:
		list = append(list, act{"Enter", "changes", "its changes so far"})
	case f.Items > 0:
		list = append(list, act{"Enter", "items", "its items"})
	}
	return list
}

func (t *Trouble) Status(s *view.Scene, _ int) view.Status {
	f, _ := t.of(s)
	if f == nil {
		return view.Status{Keys: []string{"u undo", "q back", "?"}}
	}
	var hints []string
	for _, k := range t.acts(f) {
		hints = append(hints, k.key+" "+k.hint)
	}
	return view.Status{State: f.Title, Keys: append(hints, "q back", "?")}
}

// adopt takes the address that the feed's server names.
func (t *Trouble) adopt(h view.Host) tea.Cmd {
	f, _ := t.of(h.Screen())
	if f == nil || f.MovedTo == "" {
		h.Say("Its server has announced no other address. e edits it.")
		return nil
	}
	return t.move(h, f.MovedTo)
}

// move has the feed fetched from another address from now on.
func (t *Trouble) move(h view.Host, address string) tea.Cmd {
	if f, _ := t.of(h.Screen()); f != nil {
		t.was = f.URL
	}
	say := fmt.Sprintf("From now on %s is fetched from %s. u undoes.", h.Screen().FeedTitle(t.feed), plain.Redact(address))
	return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) {
		return t.lib.Adjust(ctx, t.feed, "url", address)
	}})
}

// edit opens a box with the address, whole.
func (t *Trouble) edit(h view.Host) tea.Cmd {
	f, _ := t.of(h.Screen())
	if f == nil || f.Piped() {
		h.Say("It has no address.")
		return nil
	}
	if plain.Redact(f.URL) == f.URL {
		return t.ask(h, f.URL)
	}
	gen, address := h.Wonder(), f.URL
	t.asked = gen
	return func() tea.Msg {
		whole, err := revealed(h.Life(), t.lib, address)
		return addressMsg{gen, whole, err}
	}
}

func (t *Trouble) ask(h view.Host, was string) tea.Cmd {
	p := &view.Prompt{Label: "address: ", Do: func(h view.Host, text string) tea.Cmd {
		if text == was || text == "" {
			return nil
		}
		return t.move(h, text)
	}, Says: func(view.Host, string) string { return "Enter keeps it" }}
	p.Set(was)
	return h.Ask(p)
}

func (t *Trouble) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	m, ok := msg.(addressMsg)
	switch {
	case !ok || m.gen != t.asked || !h.Answers(m.gen):
	case m.err != nil:
		h.Say(view.Sentence(m.err))
	default:
		return t.ask(h, m.whole)
	}
	return nil
}

func (t *Trouble) unsubscribe(h view.Host) tea.Cmd {
	f, _ := t.of(h.Screen())
	if f == nil {
		return nil
	}
	say := "Unsubscribed from " + f.Title + ". u undoes."
	if f.Watched {
		say = "No longer watched: " + f.Title + ". u undoes."
	}
	return h.Change(view.Change{Say: say,
		Do: func(ctx context.Context) (reader.Done, error) {
			return t.lib.Unsubscribe(ctx, []reader.FeedID{t.feed})
		},
		Then: func() tea.Cmd {
			if h.IsTop(t) {
				h.Pop()
			}
			return nil
		}})
}

// copy copies the address, which a narrow screen cuts.
func (t *Trouble) copy(h view.Host) tea.Cmd {
	if f, _ := t.of(h.Screen()); f != nil && !f.Piped() {
		return h.Copy(f.URL, "")
	}
	h.Say("It has no address.")
	return nil
}

func (t *Trouble) open(view.Host) tea.Cmd { return t.desk.OpenFeed(t.feed) }

// TroubleKeys are what keys do in the view of a feed in trouble alone.
func TroubleKeys() []view.Binding {
	return []view.Binding{
		view.Bind("a", "adopt its new address", "accept move moved redirect", view.On((*Trouble).adopt)),
		view.Bind("e", "edit the address", "url change", view.On((*Trouble).edit)),
		view.Bind("y", "copy the address", "yank clipboard url", view.On((*Trouble).copy)),
		view.Bind("D", "unsubscribe, unwatch", "delete remove", view.On((*Trouble).unsubscribe)),
		view.Bind("enter l right", "its items", "open show", view.On((*Trouble).open)),
	}
}
