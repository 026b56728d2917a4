package ui

import (
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

// What keys do in Rhythm, and the calls to the reader behind them: like those in
// effects.go each stands in a command and brings back a message.

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

// budgetMsg tells what setting the budget did.
type budgetMsg struct {
	done reader.BudgetChange
	err  error
}

func (e *effects) rhythm(gen uint64, feed reader.FeedID, at time.Time) tea.Cmd {
	return func() tea.Msg {
		data, err := e.lib.Rhythm(e.ctx, feed, at)
		return rhythmMsg{gen, data, err}
	}
}

func (e *effects) whyFeed(gen uint64, feed reader.FeedID, sums bool) tea.Cmd {
	return func() tea.Msg {
		plan, err := e.lib.WhyFeed(e.ctx, feed)
		return feedWhyMsg{gen, plan, sums, err}
	}
}

func (e *effects) setBudget(perDay int) tea.Cmd {
	return func() tea.Msg {
		done, err := e.lib.SetBudget(e.ctx, perDay)
		return budgetMsg{done, err}
	}
}

func rhythmKeys() []view.Binding {
	return []view.Binding{
		view.Bind("/", "choose the feed", "search find", on((*rhythm).askFeed)),
		view.Bind("<", "the day before, after", "yesterday other day", by((*rhythm).otherDay, -1)),
		view.Bind(">", view.Ditto, "tomorrow", by((*rhythm).otherDay, 1)),
		view.Bind("B", "budget: fetches a day", "limit how often", on((*rhythm).askBudget)),
	}
}

// load asks for what the view shows now.
func (r *rhythm) load(m *model) tea.Cmd {
	r.gen = m.Gen()
	return m.eff.rhythm(r.gen, r.feed, m.Now.AddDate(0, 0, r.day))
}

func (r *rhythm) Got(h view.Host, msg tea.Msg) tea.Cmd {
	m := of(h)
	switch msg := msg.(type) {
	case rhythmMsg:
		switch {
		case msg.gen != r.gen:
		case msg.err != nil:
			m.Say(view.Sentence(msg.err))
		default:
			r.data, r.ready = msg.data, true
		}
	case budgetMsg:
		if msg.err != nil {
			m.Say(view.Sentence(msg.err))
			return nil
		}
		m.Say(sayBudgetSet(&msg.done))
		return r.load(m)
	case changedMsg:
		return r.load(m)
	case settingMsg:
		if msg.undone && m.base() == r {
			return r.load(m) // a budget, or an interval
		}
	}
	return nil
}

// gotFeedWhy shows the lines of `why FEED`; behind Rhythm with the fetches planned
// and the posts expected.
func (m *model) gotFeedWhy(msg feedWhyMsg) tea.Cmd {
	if !m.Answers(msg.gen) {
		return nil
	}
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return nil
	}
	p := &msg.plan
	rows := []string{plain.Line(p.Feed.Title, 300) + "  " + p.Feed.Key.String() + "  " + plain.Line(p.Feed.Address(), 0)}
	past := func(t time.Time) string { return wording.When(t, m.Now) }
	for _, l := range p.Lines(past, func(t time.Time) string { return wording.Due(t, m.Now) }) {
		rows = append(rows, fmt.Sprintf("%-13s %s", l.Label, plain.Line(l.Text, 0)))
	}
	if msg.sums {
		rows = append(rows, sumRows(p, m.Now)...)
	}
	m.Push(view.NewColumns("Why: "+p.Feed.Title, rows, 14))
	return nil
}

// sumRows are the quantities behind a feed's plan.
func sumRows(p *reader.FeedPlan, now time.Time) []string {
	rows := []string{"", "planned       expected by then, and why then"}
	for _, f := range p.Fetches {
		row := fmt.Sprintf("%-13s %4.1f  %s", wording.Due(f.At, now), f.Expected, plain.Line(f.Why, 0))
		if f.NotBefore.After(now) && !strings.Contains(f.Why, "not before ") { // the reason may say it already
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

// whyOf asks for the plan of a feed.
func (m *model) whyOf(feed reader.FeedID, sums bool) tea.Cmd {
	return m.eff.whyFeed(m.Wonder(), feed, sums)
}

func (r *rhythm) otherDay(m *model, d int) tea.Cmd {
	if day := r.day + d; day >= -mostBack && day <= 1 {
		r.day = day
		return r.load(m)
	}
	m.Say("Rhythm shows 28 days back, and tomorrow as far as it is planned.")
	return nil
}

// askFeed chooses the feed by words of its title.
func (r *rhythm) askFeed(m *model) tea.Cmd {
	return m.Ask(&view.Prompt{Name: "find", Label: "/", Says: func(_ view.Host, text string) string {
		if f := m.feedNamed(text); f != nil {
			return "Enter shows " + f.Title
		}
		return "no feed is called that"
	}, Do: func(_ view.Host, text string) tea.Cmd {
		f := m.feedNamed(text)
		if f == nil {
			m.Say(fmt.Sprintf("No feed is called %q.", text))
			return nil
		}
		r.feed = f.Key
		return r.load(m)
	}})
}

// feedNamed is the first feed, in the order of Feeds, whose title or folder holds
// all words.
func (m *model) feedNamed(text string) *reader.Feed {
	words := strings.Fields(strings.ToLower(text))
	for i := range m.Order {
		low := strings.ToLower(m.Order[i].Folder + " " + m.Order[i].Title)
		fits := true
		for _, w := range words {
			fits = fits && strings.Contains(low, w)
		}
		if fits {
			return &m.Order[i]
		}
	}
	return nil
}

// askBudget shows the budget and changes it.
func (r *rhythm) askBudget(m *model) tea.Cmd {
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
			return m.eff.setBudget(0)
		}
		n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil || n < 1 {
			m.Say(fmt.Sprintf("%q is not a number of fetches a day.", text))
			return nil
		}
		return m.eff.setBudget(n)
	}
	p.Set(strconv.Itoa(d.Budget.PerDay))
	return m.Ask(p)
}

// sayBudgetSet tells what the budget is now.
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
