// Package info is the view of the settings of a feed and what is known of it and of an
// item, and that of what is wrong with a feed that is in trouble. Open and OpenTrouble
// show one, Keys and TroubleKeys are what their keys do.
package info

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/trends"
	"diurna/ui/view"
)

// View holds the settings of a feed, each changed in place with Enter, and says what
// is known of the feed and of the item it was opened for.
type View struct {
	lib   Library
	texts Texts
	view.Listing
	from   view.View // what it was opened from, nil where that has a view of its own beside it
	feed   reader.FeedID
	item   *reader.Item // nil: of the feed alone
	also   string       // the other feeds that tell the item's story
	stats  *reader.FeedStats
	rhythm *reader.Rhythm
	about  []trends.Line // what the feed is about
	rules  Rules         // nil: there are none to be had
	ruled  []reader.Rule
	pages  Places
	places []reader.Ignored // of a page, whose changes are not reported
	gen    uint64

	rulesGen, placesGen uint64

	entries []infoRow
	heads   []heading
}

// infoRow is one fact; with a field it is a setting.
type infoRow struct {
	label, value string
	field        string // what Adjust calls it; "": not to be changed
	raw          string // the value as it is edited
	toggle       bool
	does         string // what Enter does to a toggle, if it is no yes or no
	rule         int    // the number of the rule that Enter removes
	mute         bool   // Enter asks what to mute
	place        *reader.Ignored
}

// heading stands above a row.
type heading struct {
	row  int
	text string
}

func (in *View) Context() view.Context { return view.CtxInfo }

// Beside: facts are long, so only what they are about stands beside them.
func (in *View) Beside() (from view.View, wide bool) { return in.from, true }

// under is the view that something is opened from; of what stands beside another
// view itself, that.
func under(h view.Host) view.View {
	top := h.Top()
	if a, ok := top.(view.Aside); ok {
		if from, _ := a.Beside(); from != nil {
			return from
		}
	}
	return top
}

func (in *View) Title(s *view.Scene, _ int) (string, string) {
	return "Info: " + s.FeedTitle(in.feed), ""
}

// Library is what the view asks of the library.
type Library interface {
	Items(ctx context.Context, ids []reader.ItemID) ([]reader.Item, error)
	Adjust(ctx context.Context, id reader.FeedID, field, value string) (reader.Done, error)
	Reveal(ctx context.Context, address string) (string, error)
}

// Stats counts how feeds are read.
type Stats interface {
	Stats(ctx context.Context, now time.Time) (reader.Stats, error)
	Rhythm(ctx context.Context, id reader.FeedID, at, now time.Time) (reader.Rhythm, error)
}

// Texts fetches the whole texts of a feed's newest items, and counts those that are there.
type Texts interface {
	Newest(ctx context.Context, feed reader.FeedID) (texts, items int, err error)
}

// Portraits say what feeds are about, in lines.
type Portraits func(ctx context.Context, feed reader.FeedID) ([]trends.Line, error)

// infoMsg brings an item, how feeds are read, or what the feed is about.
type infoMsg struct {
	about  []trends.Line
	gen    uint64
	item   *reader.Item
	stats  []reader.FeedStats
	rhythm *reader.Rhythm
	err    error
}

// wholeMsg brings an address with its secrets, to be edited.
type wholeMsg struct {
	gen     uint64
	setting infoRow
	whole   string
	err     error
}

// Open shows what is known of a feed, and of an item of it unless that is 0; also names the
// other feeds that tell its story.
func Open(h view.Host, lib Library, texts Texts, stats Stats, about Portraits, rules Rules, pages Places, feed reader.FeedID, item reader.ItemID, also string) tea.Cmd {
	in := &View{lib: lib, texts: texts, rules: rules, pages: pages, gen: h.Gen(), feed: feed, also: also}
	gen := in.gen
	cmds := []tea.Cmd{func() tea.Msg {
		st, err := stats.Stats(h.Life(), time.Now())
		return infoMsg{gen: gen, stats: st.PerFeed, err: err}
	}, func() tea.Msg {
		now := time.Now()
		d, err := stats.Rhythm(h.Life(), feed, now, now)
		return infoMsg{gen: gen, rhythm: &d, err: err}
	}, func() tea.Msg {
		lines, err := about(h.Life(), feed)
		return infoMsg{gen: gen, about: lines, err: err}
	}}
	if item != 0 {
		cmds = append(cmds, func() tea.Msg {
			items, err := lib.Items(h.Life(), []reader.ItemID{item})
			if err != nil || len(items) == 0 {
				return infoMsg{gen: gen, err: err}
			}
			return infoMsg{gen: gen, item: &items[0]}
		})
	}
	in.build(h.Screen())
	in.List.Cur = in.firstSetting()
	in.from = under(h)
	h.Push(in)
	return tea.Batch(append(cmds, in.askRules(h), in.askPlaces(h))...)
}

// OnMsg takes in the item, how its feed is read, and an address to edit.
func (in *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case infoMsg:
		if msg.gen == in.gen && in.gen != 0 {
			in.onFacts(h, &msg)
		}
	case rulesMsg:
		in.onRules(h, &msg)
	case placesMsg:
		in.onPlaces(h, &msg)
	case view.SettingMsg:
		return tea.Batch(in.askRules(h), in.askPlaces(h))
	case wholeMsg:
		switch {
		case msg.err != nil:
			h.Say(view.Sentence(msg.err))
		case h.Answers(msg.gen):
			return in.edit(h, &msg.setting, msg.whole)
		}
	}
	return nil
}

func (in *View) onFacts(h view.Host, msg *infoMsg) {
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return
	}
	if msg.item != nil {
		in.item = msg.item
	}
	if msg.about != nil {
		in.about = msg.about
	}
	for i := range msg.stats {
		if msg.stats[i].Feed.Key == in.feed {
			in.stats = &msg.stats[i]
		}
	}
	if msg.rhythm != nil && msg.rhythm.Feed.Key == in.feed {
		in.rhythm = msg.rhythm
	}
	label := in.entries[in.List.Cur].label
	in.build(h.Screen())
	in.choose(label)
}

func (in *View) firstSetting() int {
	for i := range in.entries {
		if in.entries[i].field != "" {
			return i
		}
	}
	return 0
}

// choose keeps the cursor on a row when others came above it.
func (in *View) choose(label string) {
	for i := range in.entries {
		if in.entries[i].label == label {
			in.GoRow(i)
		}
	}
}

// build makes the rows from what is known now.
func (in *View) build(s *view.Scene) {
	in.entries, in.heads = in.entries[:0], in.heads[:0]
	if in.item != nil {
		in.itemFacts(s)
	}
	if f := s.Feeds[in.feed]; f != nil {
		what, pg := "feed", s.Watched(in.feed)
		var own []infoRow
		if pg != nil {
			what, own = "page", in.pageSettings(pg)
		}
		in.head("settings of this " + what)
		in.settings(f, own)
		in.ruleRows(s)
		in.head("about this " + what)
		if pg != nil {
			in.pageFacts(pg, s)
		} else if f.InTrouble() {
			in.facts(fact{"trouble", view.TroubleOf(f, s.Now)})
		}
		in.feedFacts(s, f)
	} else {
		in.facts(fact{"feed", "unsubscribed"})
	}
	in.List.N = len(in.entries)
	in.GoRow(in.List.Cur)
}

// head puts a heading above the next row.
func (in *View) head(text string) { in.heads = append(in.heads, heading{len(in.entries), text}) }

// infoCells is the column of the labels.
const infoCells = 17

func (in *View) Lines(s *view.Scene, w, h int) []string {
	in.build(s)
	in.FitTo(h)
	in.List.Heads = in.List.Heads[:0]
	for _, head := range in.heads {
		in.List.Heads = append(in.List.Heads, head.row)
	}
	in.List.Show(h)
	lines := make([]string, 0, h)
	for y := in.List.Top; y < in.List.Lines() && len(lines) < h; y++ {
		i, head := in.List.At(y)
		if head >= 0 {
			lines = append(lines, s.Th.In(s.Th.Head, s.Th.Rule(in.heads[head].text, w)))
			continue
		}
		pointer := " "
		if i == in.List.Cur {
			pointer = s.Th.In(s.Th.Pointer, ">")
		}
		r := &in.entries[i]
		lines = append(lines, s.Th.Row(pointer+s.Th.Fit("  "+s.Th.Fit(r.label, infoCells)+" "+r.value, w-1), i == in.List.Cur))
	}
	return s.Fill(lines, w, h)
}

// Click chooses a row; no second click changes a setting.
func (in *View) Click(h view.Host, x, y int) int {
	in.Listing.Click(h, x, y)
	return -1
}

func (in *View) Status(*view.Scene, int) view.Status {
	if in.List.Cur >= len(in.entries) {
		return view.Status{Keys: []string{"q back"}}
	}
	switch r := &in.entries[in.List.Cur]; {
	case r.place != nil:
		return view.Status{State: r.label + ": " + r.place.Why, Keys: []string{r.does, "q back", "?"}}
	case r.toggle:
		return view.Status{State: r.label + ": " + r.value, Keys: []string{cmp.Or(r.does, "Enter changes it"), "q back", "?"}}
	case r.field != "" || r.mute:
		return view.Status{State: r.label + ": " + r.value, Keys: []string{"Enter edits", "q back", "?"}}
	}
	r := &in.entries[in.List.Cur] // whole, also where its row has no room for it
	return view.Status{State: r.label + ": " + r.value, Keys: []string{"j k choose", "y copy", "q back", "?"}}
}

// copy copies the chosen fact.
func (in *View) copy(h view.Host) tea.Cmd {
	if in.List.Cur >= len(in.entries) {
		return nil
	}
	row := &in.entries[in.List.Cur]
	if row.raw != "" && plain.Redact(row.raw) == row.value {
		return h.Copy(row.raw, "") // an address is shown without its secrets, and copied whole
	}
	return h.Copy(row.value, "")
}

// Keys are what keys do in info alone.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right", "change this setting", "edit rename title folder tags interval hidden mute rule", view.On((*View).change)),
		view.Bind("y", "copy this fact", "yank clipboard", view.On((*View).copy)),
	}
}
