// Package trends is the view of what the feeds talk about: links, new words, steady ones.
// New makes it, Keys is what its keys do.
package trends

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/stories"
	"diurna/reader/trends"
	"diurna/reader/wording"
	"diurna/ui/list"
	"diurna/ui/queries"
	"diurna/ui/view"
)

// Library says what the feeds talk about: *trends.Keeper.
type Library interface {
	Update(ctx context.Context, now time.Time, progress func(done, all int)) error
	Top(ctx context.Context, since time.Duration, now time.Time, limit int) (trends.Report, error)
	Portrait(ctx context.Context, feed reader.FeedID, groups *stories.Groups) (trends.Portrait, error)
}

// About says what a feed is about, by the stories that are known now.
func About(lib Library, keeper list.Stories) func(context.Context, reader.FeedID) ([]trends.Line, error) {
	return func(ctx context.Context, feed reader.FeedID) ([]trends.Line, error) {
		var groups *stories.Groups
		if keeper != nil {
			groups, _ = keeper.Groups(ctx) // who reads can do without
		}
		p, err := lib.Portrait(ctx, feed, groups)
		return p.Lines(), err
	}
}

// Rules makes rules: *rules.Keeper.
type Rules interface {
	Add(ctx context.Context, r reader.Rule, later bool, now time.Time) (reader.Rule, reader.Done, error)
}

// View is the view.
type View struct {
	lib   Library
	rules Rules
	lists *list.Source
	saved *queries.Saved
	view.Listing
	report trends.Report
	heads  []string
	span   int    // place in spans
	gen    uint64 // of the question that is open
	ready  bool
}

// spans are the times that < and > choose from.
var spans = []struct {
	length time.Duration
	name   string
}{{24 * time.Hour, "24 hours"}, {7 * 24 * time.Hour, "7 days"}, {30 * 24 * time.Hour, "30 days"}}

// limit is how many trends are listed.
const limit = 60

// New makes the view; it asks for what it shows when it is entered.
func New(lib Library, rules Rules, lists *list.Source, saved *queries.Saved) *View {
	return &View{lib: lib, rules: rules, lists: lists, saved: saved, span: 1}
}

// Keys are what keys do in Trends.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("enter l right", "the items", "open show list", view.On((*View).open)),
		view.Bind("<", "a shorter, longer time", "day week month since", view.By((*View).otherSpan, -1)),
		view.Bind(">", view.Ditto, "day week month since", view.By((*View).otherSpan, 1)),
		view.Bind("F", "save it as a query in Feeds", "smart folder keep filter", view.On((*View).save)),
		view.Bind("I", "mute it", "ignore filter kill hide rule", view.On((*View).mute)),
		view.Bind("o", "open the link in the browser", "web", view.On((*View).browse)),
		view.Bind("y", "copy the link or word", "yank clipboard url", view.On((*View).copy)),
	}
}

func (t *View) Context() view.Context { return view.CtxTrends }

func (t *View) Title(*view.Scene, int) (string, string) { return "Trends", spans[t.span].name }

func (t *View) Over() (string, bool) { return "", true }

// Shown asks for the trends of today when the view is entered.
func (t *View) Shown(h view.Host, entered bool) tea.Cmd {
	if !entered {
		return nil
	}
	return t.load(h)
}

// Ends goes to the last row, or to the first: then all is asked for again.
func (t *View) Ends(h view.Host, d int) tea.Cmd {
	t.Listing.Ends(h, d)
	if d > 0 {
		return nil
	}
	return t.load(h)
}

// onMsg brings trends.
type onMsg struct {
	gen    uint64
	report trends.Report
	err    error
}

// load asks beside the event loop: the first time all words are counted.
func (t *View) load(h view.Host) tea.Cmd {
	t.gen = h.Gen()
	gen, since := t.gen, spans[t.span].length
	return func() tea.Msg {
		now := time.Now()
		r := trends.Report{Missing: true}
		var err error
		for try := 0; try < 2 && r.Missing && err == nil; try++ { // damaged tables are made again
			if err = t.lib.Update(h.Life(), now, nil); err == nil {
				r, err = t.lib.Top(h.Life(), since, now, limit)
			}
		}
		return onMsg{gen, r, err}
	}
}

func (t *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case onMsg:
		switch {
		case msg.gen != t.gen:
		case msg.err != nil:
			if h.Life().Err() == nil {
				h.Say(view.Sentence(msg.err))
			}
		default:
			t.take(msg.report)
		}
	case view.SettingMsg: // a rule came or went
		if t.ready && h.IsBase(t) {
			return t.load(h)
		}
	}
	return nil
}

// kinds are the headings.
var kinds = [...]string{trends.Link: "Links that several feeds point to", trends.Emerging: "New words", trends.Steady: "Words used as much as before"}

// take takes in trends and keeps the chosen one chosen.
func (t *View) take(r trends.Report) {
	was := t.chosen()
	t.report, t.ready = r, true
	t.List.N, t.List.Heads, t.heads = len(r.Trends), t.List.Heads[:0], t.heads[:0]
	cur := 0
	for i := range r.Trends {
		if i == 0 || r.Trends[i].Kind != r.Trends[i-1].Kind {
			t.List.Heads = append(t.List.Heads, i)
			t.heads = append(t.heads, kinds[r.Trends[i].Kind])
		}
		if was != nil && was.Kind == r.Trends[i].Kind && was.What == r.Trends[i].What {
			cur = i
		}
	}
	t.List.Set(cur, max(1, t.High))
}

func (t *View) chosen() *trends.Trend {
	if t.List.Cur < len(t.report.Trends) {
		return &t.report.Trends[t.List.Cur]
	}
	return nil
}

// open lists the items.
func (t *View) open(h view.Host) tea.Cmd {
	c := t.chosen()
	if c == nil {
		return nil
	}
	ids := make([]string, len(c.Newest))
	for i, id := range c.Newest {
		ids[i] = id.String()
	}
	q, err := query.Parse(strings.Join(ids, " "), h.Screen().Now)
	if err != nil {
		h.Say(view.Sentence(err))
		return nil
	}
	means, _ := query.Parse(c.Query(), h.Screen().Now)
	l := t.lists.New(list.Of{Kind: list.OfQuery, Name: c.What, Query: q, Means: means, Empty: func(*view.Scene) string { return "These items are gone." }})
	h.Push(l)
	return l.Load(h)
}

func (t *View) otherSpan(h view.Host, d int) tea.Cmd {
	if n := t.span + d; n >= 0 && n < len(spans) {
		t.span = n
		return t.load(h)
	}
	h.Say("Trends cover 24 hours, 7 days or 30 days.")
	return nil
}

// asked is the chosen row and its query; nil where there is none, which is said.
func (t *View) asked(h view.Host) *trends.Trend {
	c := t.chosen()
	if c != nil && c.Query() == "" {
		h.Say("This address has a password or token, which a query cannot hold; Enter lists its items.")
		return nil
	}
	return c
}

// save keeps the word or link as a query.
func (t *View) save(h view.Host) tea.Cmd {
	c := t.asked(h)
	if c == nil {
		return nil
	}
	_, name, isLink := strings.Cut(c.What, "://")
	if !isLink {
		name = c.What
	}
	return t.saved.SaveAs(h, c.Query(), plain.Line(name, 60))
}

// mute makes a rule of the word or link.
func (t *View) mute(h view.Host) tea.Cmd {
	c := t.asked(h)
	if c == nil {
		return nil
	}
	return h.Change(view.Change{Say: "Muted " + strconv.Quote(c.What) + ". u undoes.", Then: func() tea.Cmd { return t.load(h) }, Do: func(ctx context.Context) (reader.Done, error) {
		_, done, err := t.rules.Add(ctx, reader.Rule{Query: c.Query(), Mute: true}, false, time.Now())
		return done, err
	}})
}

func (t *View) browse(h view.Host) tea.Cmd {
	c := t.chosen()
	if c == nil || c.Kind != trends.Link {
		h.Say("o opens links; Enter lists the items of a word.")
		return nil
	}
	return h.OpenURL(c.What)
}

func (t *View) copy(h view.Host) tea.Cmd {
	if c := t.chosen(); c != nil {
		return h.Copy(c.What, "")
	}
	return nil
}

const feedCells = 7 // of the count of feeds

// columns says how wide the columns are in w cells: what, times, days and
// the feed that was first. The first one gets what is left; 0: there is no room.
func columns(w int) (what, times, days, first int) {
	if w >= 72 {
		times, days = 8, trends.Days+2
	}
	if w >= 110 {
		first = 36
	}
	return w - 2 - 6 - feedCells - times - days - first, times, days, first
}

func (t *View) Lines(s *view.Scene, w, h int) []string {
	th := &s.Th
	what, times, days, first := columns(w)
	head := "  " + th.Fit("what", what) + th.Measure.PadLeft("items", 6) + th.Measure.PadLeft("feeds", feedCells)
	if times > 0 {
		head += th.Measure.PadLeft("times", times) + "  " + th.Fit("14 days", days-2)
	}
	if first > 0 {
		head += "  first in"
	}
	lines := []string{th.In(th.Head, th.Fit(head, w))}
	t.Above = len(lines)
	t.FitTo(h - 1)
	if t.List.N == 0 {
		return s.Fill(append(append(lines, th.Fit("", w)), s.Wrap(t.nothing(), 1, w)...), w, h)
	}
	for y := t.List.Top; y < t.List.Lines() && len(lines) < h; y++ {
		row, heading := t.List.At(y)
		if heading >= 0 {
			lines = append(lines, th.In(th.Head, th.Rule(t.heads[heading], w)))
			continue
		}
		lines = append(lines, t.draw(s, row, w))
	}
	return s.Fill(lines, w, h)
}

// nothing says why there is no row.
func (t *View) nothing() string {
	r := &t.report
	last := " in the last " + spans[t.span].name + r.Aside
	switch {
	case !t.ready:
		return "Counting the words of your items."
	case r.Items == 0:
		return "Nothing was posted" + last + ". > shows a longer time."
	case r.Feeds < 2:
		return "One feed alone posted" + last + "; a trend is in several. > shows a longer time."
	}
	return fmt.Sprintf("No link or word is in items of several feeds: %s of %s%s. > shows a longer time.", wording.Plural(r.Items, "item"), wording.Plural(r.Feeds, "feed"), last)
}

// draw draws one row in w cells.
func (t *View) draw(s *view.Scene, i, w int) string {
	th := &s.Th
	c := &t.report.Trends[i]
	what, times, _, first := columns(w)
	pointer := " "
	if i == t.List.Cur && !s.Still {
		pointer = th.In(th.Pointer, ">")
	}
	facts := th.Measure.PadLeft(wording.Count(c.Items), 6) + th.Measure.PadLeft(wording.Count(c.Feeds), feedCells)
	if times > 0 {
		facts += th.Measure.PadLeft(trends.SayTimes(c), times) + "  " + c.Spark()
	}
	if first > 0 {
		facts += "  " + th.Fit(s.FeedTitle(c.First.Feed())+", "+wording.When(c.FirstAt.In(s.Zone), s.Now), first-2)
	}
	facts = th.Fit(facts, w-2-what)
	if i != t.List.Cur {
		facts = th.In(th.Quiet, facts)
	}
	return th.Row(pointer+" "+th.Fit(trends.Say(c), what)+facts, i == t.List.Cur && !s.Still)
}

// Why says all of the chosen row, whose columns are not all drawn where there is little
// room.
func (t *View) Why(h view.Host) (tea.Cmd, bool) {
	if c := t.chosen(); c != nil {
		h.Say(trends.Say(c) + ": " + t.Status(h.Screen(), 0).State + ".")
	} else {
		h.Say(t.nothing())
	}
	return nil, true
}

// About: a word has no settings.
func (t *View) About() (reader.FeedID, string) {
	return 0, "i shows a feed and its settings, on rows of items and feeds."
}

// Status says what the chosen row is.
func (t *View) Status(s *view.Scene, _ int) view.Status {
	st := view.Status{Keys: []string{"Enter items", "< > time", "F save", "I mute", "q back", "?"}}
	c := t.chosen()
	if c == nil {
		st.Keys = []string{"< > time", "q back", "?"}
		return st
	}
	if c.Kind == trends.Link {
		st.Keys = []string{"Enter items", "o browser", "< > time", "F save", "I mute", "q back", "?"}
	}
	st.State = fmt.Sprintf("%s of %s; usual %s; first in %s, %s", wording.Plural(c.Items, "item"), wording.Plural(c.Feeds, "feed"), wording.Tenth(c.Usual),
		s.FeedTitle(c.First.Feed()), wording.When(c.FirstAt.In(s.Zone), s.Now))
	return st
}
