package ui

import (
	"cmp"
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

// info says what is known of an item and its feed, and holds the settings of
// the feed, each changed in place with Enter.
type info struct {
	view.Listing
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

func (in *info) Context() view.Context { return view.CtxInfo }

func (in *info) Title(s *view.Scene, _ int) (string, string) {
	return "Info: " + s.FeedTitle(in.feed), ""
}

// showInfo opens the facts about the chosen feed, or the chosen item and its.
func (m *model) showInfo() tea.Cmd {
	in := &info{gen: m.Gen()}
	cmds := []tea.Cmd{m.eff.stats(in.gen)}
	feed, none := m.Top().About()
	r := m.chosenRow()
	switch {
	case none != "":
		m.Say(none)
		return nil
	case feed != 0:
		in.feed = feed
	case r == nil:
		return nil
	default:
		in.feed = r.ID.Feed()
		cmds = append(cmds, m.eff.item(in.gen, r.ID))
	}
	in.build(&m.Scene)
	in.List.Cur = in.firstSetting()
	m.Push(in)
	return tea.Batch(cmds...)
}

// got takes in the item, and how its feed is read.
func (in *info) Got(h view.Host, answer tea.Msg) tea.Cmd {
	m := of(h)
	msg, ok := answer.(infoMsg)
	if !ok || msg.gen != in.gen || in.gen == 0 {
		return nil
	}
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return nil
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
	in.build(&m.Scene)
	in.choose(label)
	return nil
}

func (in *info) firstSetting() int {
	for i := range in.entries {
		if in.entries[i].field != "" {
			return i
		}
	}
	return 0
}

// choose keeps the cursor on a row when others came above it.
func (in *info) choose(label string) {
	for i := range in.entries {
		if in.entries[i].label == label {
			in.GoRow(i)
		}
	}
}

// build makes the rows from what is known now.
func (in *info) build(s *view.Scene) {
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
func (in *info) facts(of ...fact) {
	for _, f := range of {
		if f.value != "" {
			in.entries = append(in.entries, infoRow{label: f.label, value: f.value})
		}
	}
}

// feedFacts are what is known of the feed.
func (in *info) feedFacts(s *view.Scene, f *reader.Feed) {
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
func (in *info) itemFacts(s *view.Scene) {
	it := in.item
	in.facts(fact{"item", it.Key.String() + " " + s.Th.Dot + " " + view.TitleOf(it.Title)}, fact{"link", it.Link}, fact{"author", it.Author})
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
func (in *info) settings(f *reader.Feed, page []infoRow) {
	every := "by the plan"
	if d, err := time.ParseDuration(f.Attrs["interval"]); err == nil && d > 0 {
		every = "every " + f.Attrs["interval"]
	}
	given := f.Given
	if given == "" {
		given = f.Title + " (its own)"
	}
	in.entries = append(in.entries,
		infoRow{label: "title", value: given, field: "title", raw: f.Given},
		infoRow{label: "folder", value: orNone(f.Folder), field: "folder", raw: f.Folder},
		infoRow{label: "tags", value: orNone(strings.Join(f.Tags, " ")), field: "tags", raw: strings.Join(f.Tags, " ")},
		infoRow{label: "fetched", value: every, field: "interval", raw: f.Attrs["interval"]},
	)
	in.entries = append(in.entries, page...)
	in.entries = append(in.entries,
		infoRow{label: "hidden", value: yesNo(f.Hidden), field: "hidden", raw: strconv.FormatBool(!f.Hidden), toggle: true},
		infoRow{label: "read by titles", value: yesNo(f.Attrs["by_titles"] == "true"), field: "by_titles", raw: strconv.FormatBool(f.Attrs["by_titles"] != "true"), toggle: true},
		infoRow{label: "in Ranked", value: learningOf(f), field: "learning", raw: f.Attrs["learning"]},
		infoRow{label: "private network", value: yesNo(f.AllowPrivate), field: "allow_private", raw: strconv.FormatBool(!f.AllowPrivate), toggle: true},
		infoRow{label: "its address", value: f.Address(), field: "url", raw: f.URL})
}

// learningOf says how a feed stands to Ranked.
func learningOf(f *reader.Feed) string {
	if how := f.Attrs["learning"]; how != "" {
		return how
	}
	return "learned from"
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

func (in *info) Lines(s *view.Scene, w, h int) []string {
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
		lines = append(lines, pointer+s.Th.Fit("  "+s.Th.Fit(r.label, infoCells)+" "+r.value, w-1))
	}
	return s.Fill(lines, w, h)
}

func (in *info) Status(*view.Scene, int) (string, []string) {
	if in.List.Cur >= len(in.entries) {
		return "", []string{"q back"}
	}
	switch r := &in.entries[in.List.Cur]; {
	case r.toggle:
		return r.label + ": " + r.value, []string{cmp.Or(r.does, "Enter changes it"), "q back", "?"}
	case r.field != "":
		return r.label + ": " + r.value, []string{"Enter edits", "q back", "?"}
	}
	return "", []string{"j k choose", "y copy", "q back", "?"}
}

// changeSetting edits the chosen setting in the last row, or turns it over.
func (in *info) change(m *model) tea.Cmd {
	if in.List.Cur >= len(in.entries) || in.entries[in.List.Cur].field == "" {
		return nil
	}
	r := in.entries[in.List.Cur]
	if r.toggle {
		return in.set(m, r.label, r.field, r.raw)
	}
	was := r.raw
	p := &view.Prompt{Label: r.label + ": ", Do: func(_ view.Host, text string) tea.Cmd {
		if text == was {
			return nil
		}
		return in.set(m, r.label, r.field, text)
	}, Says: func(view.Host, string) string {
		switch r.field {
		case "interval":
			return "such as 2h or 30m; empty: by the plan"
		case "title":
			return "empty: its own title"
		case "learning":
			return "pinned, left out, or empty: learned from"
		}
		if say := pageSays(r.field); say != "" {
			return say
		}
		return "Enter keeps it"
	}}
	if r.field == "url" && plain.Redact(r.raw) != r.raw { // edited whole
		return m.eff.reveal(m.Wonder(), r.raw, func(m *model, whole string) tea.Cmd {
			was = whole
			p.Set(whole)
			return m.Ask(p)
		})
	}
	p.Set(r.raw)
	return m.Ask(p)
}

// leastInterval is the shortest time between two fetches that a person may set.
const leastInterval = 15 * time.Minute

// set changes one setting of the feed.
func (in *info) set(m *model, label, field, value string) tea.Cmd {
	if field == "interval" && value != "" {
		d, err := time.ParseDuration(value)
		if err != nil || d < leastInterval {
			m.Say(fmt.Sprintf("%q is not a time such as 2h; the shortest is 15m.", value))
			return nil
		}
	}
	return m.adjust(in.feed, field, value, label+" of "+m.FeedTitle(in.feed)+" changed. u undoes.")
}

// copyInfo copies the chosen fact.
func (in *info) copy(m *model) tea.Cmd {
	if in.List.Cur >= len(in.entries) {
		return nil
	}
	row := &in.entries[in.List.Cur]
	if row.raw != "" && plain.Redact(row.raw) == row.value {
		return m.Copy(row.raw, "") // an address is shown without its secrets, and copied whole
	}
	return m.Copy(row.value, "")
}
