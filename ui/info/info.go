// Package info is the view of what is known of an item and its feed; it holds the
// settings of the feed; and of what is wrong with a feed that is in trouble. Open and
// OpenTrouble show one, Keys and TroubleKeys are what their keys do.
package info

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// View says what is known of an item and its feed, and holds the settings of
// the feed, each changed in place with Enter.
type View struct {
	lib Library
	view.Listing
	from    view.View // what it was opened from, nil where that has a view of its own beside it
	feed    reader.FeedID
	item    *reader.Item // nil: of the feed alone
	stats   *reader.FeedStats
	gen     uint64
	entries []infoRow
}

// infoRow is one fact; with a field it is a setting.
type infoRow struct {
	label, value string
	field        string // what Adjust calls it; "": not to be changed
	raw          string // the value as it is edited
	toggle       bool
	does         string // what Enter does to a toggle, if it is no yes or no
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
}

// infoMsg brings an item, or how feeds are read.
type infoMsg struct {
	gen   uint64
	item  *reader.Item
	stats []reader.FeedStats
	err   error
}

// wholeMsg brings an address with its secrets, to be edited.
type wholeMsg struct {
	gen     uint64
	setting infoRow
	whole   string
	err     error
}

// Open shows what is known of a feed, and of an item of it unless that is 0.
func Open(h view.Host, lib Library, stats Stats, feed reader.FeedID, item reader.ItemID) tea.Cmd {
	in := &View{lib: lib, gen: h.Gen(), feed: feed}
	gen := in.gen
	cmds := []tea.Cmd{func() tea.Msg {
		st, err := stats.Stats(h.Life(), time.Now())
		return infoMsg{gen: gen, stats: st.PerFeed, err: err}
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
	return tea.Batch(cmds...)
}

// Got takes in the item, how its feed is read, and an address to edit.
func (in *View) Got(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case infoMsg:
		if msg.gen == in.gen && in.gen != 0 {
			in.gotFacts(h, &msg)
		}
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

func (in *View) gotFacts(h view.Host, msg *infoMsg) {
	if msg.err != nil {
		h.Say(view.Sentence(msg.err))
		return
	}
	if msg.item != nil {
		in.item = msg.item
	}
	for i := range msg.stats {
		if msg.stats[i].Feed.Key == in.feed {
			in.stats = &msg.stats[i]
		}
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
	in.entries = in.entries[:0]
	if in.item != nil {
		in.itemFacts(s)
	}
	if f := s.Feeds[in.feed]; f != nil {
		in.feedFacts(s, f)
		pg := s.Watched(in.feed)
		var own []infoRow
		switch {
		case pg != nil:
			in.pageFacts(pg, s)
			own = in.pageSettings(pg)
		case f.InTrouble():
			in.facts(fact{"trouble", view.TroubleOf(f, s.Now)})
		}
		in.settings(f, own)
	} else {
		in.facts(fact{"feed", "not subscribed any more"})
	}
	in.List.N = len(in.entries)
	in.GoRow(in.List.Cur)
}

// fact is a row that is only read.
type fact struct{ label, value string }

// facts adds those that say something.
func (in *View) facts(of ...fact) {
	for _, f := range of {
		if f.value != "" {
			in.entries = append(in.entries, infoRow{label: f.label, value: f.value})
		}
	}
}

// feedFacts are what is known of the feed.
func (in *View) feedFacts(s *view.Scene, f *reader.Feed) {
	in.entries = append(in.entries, infoRow{label: "address", value: f.Address(), raw: f.URL})
	in.facts(fact{"site", plain.Redact(f.Site)}, fact{"format", f.Format},
		fact{"items", fmt.Sprintf("%s, %s unread, %s saved", wording.Count(f.Items), wording.Count(f.Unread), wording.Count(f.Saved))})
	if st := in.stats; st != nil {
		requests := ""
		if st.Requests > 0 {
			requests = fmt.Sprintf("%s in 28 days, %s answered \"not changed\"", wording.Count(st.Requests), wording.Count(st.NotChanged))
		}
		in.facts(fact{"posts", fmt.Sprintf("%.3g a week", st.PostsPerWeek)},
			fact{"you opened", fmt.Sprintf("%s of %s shown", wording.Count(st.Opened), wording.Count(st.Shown))},
			fact{"last opened", wording.When(st.LastOpened, s.Now)}, fact{"requests", requests})
	}
	due, least := wording.Due(f.NextFetch, s.Now), ""
	if due != "" && f.NextReason != "" {
		due += " (" + f.NextReason + ")"
	}
	if f.NotBefore.After(s.Now) {
		if least = wording.Due(f.NotBefore, s.Now); f.NotBeforeBy != (reader.Wait{}) {
			least += " (" + f.NotBeforeBy.String() + ")"
		}
	}
	in.facts(fact{"last post", wording.When(f.LastPost, s.Now)}, fact{"last fetch", wording.When(f.LastFetch, s.Now)},
		fact{"next fetch", due}, fact{"not before", least}, fact{"subscribed", wording.When(f.Subscribed, s.Now)})
}

// itemFacts are what is known of the item.
func (in *View) itemFacts(s *view.Scene) {
	it := in.item
	in.facts(fact{"item", it.Key.String() + " " + s.Th.Dot + " " + view.TitleOr(it.Title, it.Lead)}, fact{"link", it.Link}, fact{"author", it.Author})
	if !it.Published.IsZero() {
		in.facts(fact{"published", view.Stamp(it.Published, s.Now)})
	}
	if !it.FirstSeen.IsZero() {
		in.facts(fact{"came", view.Stamp(it.FirstSeen, s.Now)})
	}
	if it.Words > 0 {
		in.facts(fact{"length", wording.Plural(it.Words, "word")})
	}
	in.facts(fact{"tags of it", strings.Join(it.Tags, " ")}, fact{"categories", strings.Join(it.Categories, ", ")})
	if n := len(it.Enclosures); n > 0 {
		in.facts(fact{"enclosures", wording.Plural(n, "file")})
	}
	if it.Edits > 0 {
		in.facts(fact{"edited", wording.Plural(it.Edits, "time")})
	}
	in.facts(fact{"feed", s.FeedTitle(it.FeedKey)})
}

// settings are what Enter changes.
func (in *View) settings(f *reader.Feed, page []infoRow) {
	every := "by the plan"
	if f.Settings.Interval > 0 {
		every = "every " + f.Settings.Text("interval")
	}
	given := f.Given
	if given == "" {
		given = f.Title + " (its own)"
	}
	in.entries = append(in.entries,
		infoRow{label: "title", value: given, field: "title", raw: f.Given},
		infoRow{label: "folder", value: orNone(f.Folder), field: "folder", raw: f.Folder},
		infoRow{label: "tags", value: orNone(strings.Join(f.Tags, " ")), field: "tags", raw: strings.Join(f.Tags, " ")},
		infoRow{label: "fetched", value: every, field: "interval", raw: f.Settings.Text("interval")},
	)
	in.entries = append(in.entries, page...)
	in.entries = append(in.entries,
		infoRow{label: "hidden", value: yesNo(f.Hidden), field: "hidden", raw: strconv.FormatBool(!f.Hidden), toggle: true},
		infoRow{label: "read by titles", value: yesNo(f.Settings.ByTitles), field: "by_titles", raw: strconv.FormatBool(!f.Settings.ByTitles), toggle: true},
		infoRow{label: "in Ranked", value: learningOf(f), field: "learning", raw: f.Settings.Learning.String()},
		infoRow{label: "private network", value: privateOf(f), field: "allow_private", raw: strconv.FormatBool(!f.AllowPrivate), toggle: true},
		infoRow{label: "its address", value: f.Address(), field: "url", raw: f.URL})
}

// learningOf says how a feed stands to Ranked.
func learningOf(f *reader.Feed) string {
	if how := f.Settings.Learning; how != reader.LearnedFrom {
		return how.String()
	}
	return "learned from"
}

// privateOf says where a feed may be fetched though the address is private.
func privateOf(f *reader.Feed) string {
	if !f.AllowPrivate {
		return "no"
	}
	return "yes, at " + f.HostPort() + " only"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// infoCells is the column of the labels.
const infoCells = 17

func (in *View) Lines(s *view.Scene, w, h int) []string {
	in.build(s)
	in.FitTo(h)
	in.List.Heads = in.List.Heads[:0]
	if i := in.firstSetting(); i > 0 {
		in.List.Heads = append(in.List.Heads, i)
	}
	in.List.Show(h)
	lines := make([]string, 0, h)
	for y := in.List.Top; y < in.List.Lines() && len(lines) < h; y++ {
		i, head := in.List.At(y)
		if head >= 0 {
			lines = append(lines, s.Th.In(s.Th.Head, s.Th.Rule(in.settingsHead(s), w)))
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
	case r.toggle:
		return view.Status{State: r.label + ": " + r.value, Keys: []string{cmp.Or(r.does, "Enter changes it"), "q back", "?"}}
	case r.field != "":
		return view.Status{State: r.label + ": " + r.value, Keys: []string{"Enter edits", "q back", "?"}}
	}
	r := &in.entries[in.List.Cur] // whole, also where its row has no room for it
	return view.Status{State: r.label + ": " + r.value, Keys: []string{"j k choose", "y copy", "q back", "?"}}
}

// changeSetting edits the chosen setting in the last row, or turns it over.
func (in *View) change(h view.Host) tea.Cmd {
	if in.List.Cur >= len(in.entries) || in.entries[in.List.Cur].field == "" {
		return nil
	}
	r := in.entries[in.List.Cur]
	if r.toggle {
		return in.set(h, r.label, r.field, r.raw)
	}
	if r.field == "url" && plain.Redact(r.raw) != r.raw { // edited whole
		gen := h.Wonder()
		return func() tea.Msg {
			whole, err := revealed(h.Life(), in.lib, r.raw)
			return wholeMsg{gen, r, whole, err}
		}
	}
	return in.edit(h, &r, r.raw)
}

// revealed is an address with its secrets, "" where they are lost: then it is typed
// again.
func revealed(ctx context.Context, lib Library, address string) (string, error) {
	whole, err := lib.Reveal(ctx, address)
	if errors.Is(err, reader.ErrSecretLost) {
		return "", nil
	}
	return whole, err
}

// edit opens the box for a setting.
func (in *View) edit(h view.Host, r *infoRow, was string) tea.Cmd {
	p := &view.Prompt{Label: r.label + ": ", Do: func(h view.Host, text string) tea.Cmd {
		if text == was {
			return nil
		}
		return in.set(h, r.label, r.field, text)
	}, Says: func(view.Host, string) string {
		switch r.field {
		case "interval":
			return "such as 2h or 30m; empty: by the plan"
		case "title":
			return "empty: its own title"
		case "learning":
			return "pinned, left out, or empty: learned from"
		}
		return cmp.Or(pageSays(r.field), "Enter keeps it")
	}}
	p.Set(was)
	return h.Ask(p)
}

// leastInterval is the shortest time between two fetches that a person may set.
const leastInterval = 15 * time.Minute

// set changes one setting of the feed.
func (in *View) set(h view.Host, label, field, value string) tea.Cmd {
	if field == "interval" && value != "" {
		d, err := time.ParseDuration(value)
		if err != nil || d < leastInterval {
			h.Say(fmt.Sprintf("%q is not a time such as 2h; the shortest is 15m.", value))
			return nil
		}
	}
	return h.Change(view.Change{
		Say: label + " of " + h.Screen().FeedTitle(in.feed) + " changed. u undoes.",
		Do:  func(ctx context.Context) (reader.Done, error) { return in.lib.Adjust(ctx, in.feed, field, value) },
	})
}

// copyInfo copies the chosen fact.
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
		view.Bind("enter l right", "change this setting", "edit rename title folder tags interval hidden", view.On((*View).change)),
		view.Bind("y", "copy this fact", "yank clipboard", view.On((*View).copy)),
	}
}
