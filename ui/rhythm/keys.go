package rhythm

import (
	"context"
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

// What keys do in Rhythm, and the calls to the library behind them: each is a
// command that returns a message.

// rhythmMsg brings what the view shows.
type rhythmMsg struct {
	gen  uint64
	data reader.Rhythm
	err  error
}

// feedWhyMsg brings what a feed's plan is made of.
type feedWhyMsg struct {
	gen  uint64
	plan reader.FeedPlan
	sums bool // with its fetches and hours
	err  error
}

// budgetMsg says what setting the budget did.
type budgetMsg struct {
	done reader.BudgetChange
	err  error
}

// Stats counts what the view shows.
type Stats interface {
	Rhythm(ctx context.Context, feed reader.FeedID, at, now time.Time) (reader.Rhythm, error)
}

// Planner says when feeds are fetched and why, and keeps the budget.
type Planner interface {
	WhyFeed(ctx context.Context, id reader.FeedID, now time.Time) (reader.FeedPlan, error)
	SetBudget(ctx context.Context, perDay int, now time.Time) (reader.BudgetChange, error)
}

// Keys are what keys do in Rhythm alone.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("/", "choose the feed", "search find", view.On((*View).askFeed)),
		view.Bind("<", "the day before, after", "yesterday other day", view.By((*View).otherDay, -1)),
		view.Bind(">", view.Ditto, "tomorrow", view.By((*View).otherDay, 1)),
		view.Bind("B", "budget: fetches a day", "limit how often", view.On((*View).askBudget)),
	}
}

// load asks for what the view shows now.
func (r *View) load(h view.Host) tea.Cmd {
	r.gen = h.Gen()
	gen, feed, at := r.gen, r.feed, h.Screen().Now.AddDate(0, 0, r.day)
	return func() tea.Msg {
		data, err := r.stats.Rhythm(h.Life(), feed, at, time.Now())
		return rhythmMsg{gen, data, err}
	}
}

func (r *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rhythmMsg:
		switch {
		case msg.gen != r.gen:
		case msg.err != nil:
			h.Say(view.Sentence(msg.err))
		default:
			r.data, r.ready = msg.data, true
		}
	case budgetMsg:
		if msg.err != nil {
			h.Say(view.Sentence(msg.err))
			return nil
		}
		h.Say(sayBudgetSet(&msg.done))
		return r.load(h)
	case feedWhyMsg:
		showPlan(h, &msg)
	case view.ChangedMsg:
		return r.load(h)
	case view.SettingMsg:
		if msg.Undone && h.IsBase(r) {
			return r.load(h) // a budget, or an interval
		}
	}
	return nil
}

// showPlan shows the lines of `why FEED`; behind Rhythm with the fetches planned
// and the posts expected.
func showPlan(h view.Host, msg *feedWhyMsg) {
	switch {
	case !h.Answers(msg.gen):
		return
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
		return
	}
	p, now := &msg.plan, h.Screen().Now
	rows := []string{plain.Line(p.Feed.Title, 300) + "  " + p.Feed.Key.String() + "  " + plain.Line(p.Feed.Address(), 0)}
	for _, l := range p.Lines(wording.Clock{Now: now}) {
		rows = append(rows, fmt.Sprintf("%-13s %s", l.Label, plain.Line(l.Text, 0)))
	}
	if msg.sums {
		rows = append(rows, sumRows(p, now)...)
	}
	h.Push(view.NewColumns("Why: "+p.Feed.Title, rows, 14))
}

// sumRows are the quantities behind a feed's plan.
func sumRows(p *reader.FeedPlan, now time.Time) []string {
	rows := []string{"", "planned       expected by then, and why then"}
	cells := 13
	for _, f := range p.Fetches {
		cells = max(cells, len(wording.Due(f.At, now)))
	}
	for _, f := range p.Fetches {
		row := fmt.Sprintf("%-*s %4.1f  %s", cells, wording.Due(f.At, now), f.Expected, plain.Line(f.Why, 0))
		if f.NotBefore.After(now) && !f.NotBeforeBy.ByServer() { // else the reason says so already
			row += "; not before " + wording.Due(f.NotBefore, now) + " (" + plain.Line(f.NotBeforeBy.String(), 100) + ")"
		}
		rows = append(rows, row)
	}
	if p.Posts == 0 {
		return rows
	}
	rows = append(rows, "", "posts expected in each hour of a day")
	for h := 0; h < 24; h += 6 {
		row := fmt.Sprintf("%02d-%02d        ", h, h+6)
		for _, n := range p.Hours[h : h+6] {
			row += fmt.Sprintf(" %5.2f", n)
		}
		rows = append(rows, row)
	}
	return rows
}

// AskPlan asks for the plan of a feed.
func (r *View) AskPlan(h view.Host, feed reader.FeedID, sums bool) tea.Cmd {
	gen := h.Wonder()
	return func() tea.Msg {
		plan, err := r.plan.WhyFeed(h.Life(), feed, time.Now())
		return feedWhyMsg{gen, plan, sums, err}
	}
}

func (r *View) otherDay(h view.Host, d int) tea.Cmd {
	if day := r.day + d; day >= -maxBack && day <= 1 {
		r.day = day
		return r.load(h)
	}
	h.Say("Rhythm shows the last 28 days, and tomorrow as far as it is planned.")
	return nil
}

// askFeed chooses the feed by words of its title.
func (r *View) askFeed(h view.Host) tea.Cmd {
	return h.Ask(&view.Prompt{Name: "find", Label: "/", Says: func(_ view.Host, text string) string {
		if f := feedNamed(h.Screen(), text); f != nil {
			return "Enter shows " + f.Title
		}
		return "no such feed"
	}, Do: func(_ view.Host, text string) tea.Cmd {
		f := feedNamed(h.Screen(), text)
		if f == nil {
			h.Say(fmt.Sprintf("There is no feed %q.", text))
			return nil
		}
		r.feed = f.Key
		return r.load(h)
	}})
}

// feedNamed is the first feed, in the order of Feeds, whose title or folder holds
// all words.
func feedNamed(s *view.Scene, text string) *reader.Feed {
	words := strings.Fields(strings.ToLower(text))
	for i := range s.Order {
		low := strings.ToLower(s.Order[i].Folder + " " + s.Order[i].Title)
		fits := true
		for _, w := range words {
			fits = fits && strings.Contains(low, w)
		}
		if fits {
			return &s.Order[i]
		}
	}
	return nil
}

// askBudget shows the budget and changes it.
func (r *View) askBudget(h view.Host) tea.Cmd {
	d := &r.data
	if !r.ready {
		return nil
	}
	p := &view.Prompt{Label: "fetches a day: ", Says: func(_ view.Host, text string) string {
		usual := fmt.Sprintf("empty: %s feeds x %d = %s", wording.Count(d.Feeds), d.Each, wording.Count(d.Feeds*d.Each))
		switch n, err := strconv.Atoi(text); {
		case text == "":
			return usual
		case err != nil || n < 1:
			return "a number; " + usual
		case n < d.Feeds:
			return fmt.Sprintf("below one a feed and day (%s); Enter keeps it", wording.Count(d.Feeds))
		}
		return "Enter keeps it; " + usual
	}}
	p.Do = func(_ view.Host, text string) tea.Cmd {
		if text == "" {
			return r.setBudget(h, 0)
		}
		n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil || n < 1 {
			h.Say(fmt.Sprintf("%q is not a number of fetches a day.", text))
			return nil
		}
		return r.setBudget(h, n)
	}
	p.Set(strconv.Itoa(d.Budget.PerDay))
	return h.Ask(p)
}

//go:noinline // two closures would be copied
func (r *View) setBudget(h view.Host, perDay int) tea.Cmd {
	return func() tea.Msg {
		done, err := r.plan.SetBudget(h.Life(), perDay, time.Now())
		return budgetMsg{done, err}
	}
}

// sayBudgetSet says what the budget is now.
func sayBudgetSet(b *reader.BudgetChange) string {
	say := fmt.Sprintf("%s fetches a day, before %s. u undoes.", wording.Count(b.PerDay), wording.Count(b.Before))
	if !b.Own {
		say = fmt.Sprintf("%s fetches a day (%s x %d), before %s. u undoes.", wording.Count(b.PerDay), wording.Count(b.Feeds), b.Each, wording.Count(b.Before))
	}
	if b.Step == 0 {
		say = fmt.Sprintf("%s fetches a day, as before.", wording.Count(b.PerDay))
	}
	if b.Needed > 0 {
		say += " " + sayUnpaid(b.PerDay, b.Needed)
	}
	return say
}
