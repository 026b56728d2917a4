// Package rhythm is the view of when the reader looks, when feeds post and are
// fetched, and whether that helped. New makes it, Keys is what its keys do.
package rhythm

import (
	"fmt"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// View is the view of when the reader looks, when one feed posts and is
// fetched, what the budget is and whether all of it helped.
type View struct {
	stats Stats
	plan  Planner
	desk  Desk
	view.Scrolling
	data  reader.Rhythm
	feed  reader.FeedID // the chosen one, 0: the one that posts most
	day   int           // the day shown, counted from today
	gen   uint64
	ready bool
}

// New makes the view; it asks for what it shows when it is entered.
func New(s Stats, p Planner, d Desk) *View { return &View{stats: s, plan: p, desk: d} }

// Desk is what the view asks of the screen: to list the newest items of a feed without
// showing the list.
type Desk interface {
	Newest(name string, only map[reader.FeedID]bool, one bool) (view.View, tea.Cmd)
}

// Peek names the feed that is shown and lists what it posted.
func (r *View) Peek() (of string, show func(view.Host) (view.View, tea.Cmd)) {
	id := r.chosenFeed()
	if id == 0 {
		return "", nil
	}
	name := r.data.Feed.Title
	return id.String(), func(view.Host) (view.View, tea.Cmd) {
		return r.desk.Newest(name, map[reader.FeedID]bool{id: true}, true)
	}
}

// maxBack is how many days back `<` goes: as far as habits are shown.
const maxBack = 28

func (r *View) Context() view.Context { return view.CtxRhythm }

func (r *View) Title(s *view.Scene, _ int) (string, string) { return "Rhythm", r.fact(s) }

func (r *View) Over() (string, bool) { return "", true }

// Shown asks for today.
func (r *View) Shown(h view.Host, entered bool) tea.Cmd {
	if !entered {
		return nil
	}
	r.day, r.Top = 0, 0
	return r.load(h)
}

// Ends goes to the last line, or to the first: then all is asked for again.
func (r *View) Ends(h view.Host, d int) tea.Cmd {
	r.Scrolling.Ends(h, d)
	if d > 0 {
		return nil
	}
	return r.load(h)
}

// chosenFeed is the feed shown, 0 for none.
func (r *View) chosenFeed() reader.FeedID {
	if !r.ready {
		return 0
	}
	return r.data.Feed.Key
}

func (r *View) Feeds() ([]reader.FeedID, bool) {
	if id := r.chosenFeed(); id != 0 {
		return []reader.FeedID{id}, false
	}
	return nil, false
}

func (r *View) About() (reader.FeedID, string) { return r.chosenFeed(), "" }

func (r *View) Why(h view.Host) (tea.Cmd, bool) {
	if id := r.chosenFeed(); id != 0 {
		return r.AskPlan(h, id, true), true
	}
	return nil, false
}

// fact stands at the right end of row 1: the day.
func (r *View) fact(s *view.Scene) string {
	if r.day == 0 {
		return s.Now.Format("Mon 15:04")
	}
	return s.Now.AddDate(0, 0, r.day).Format("Mon 2 Jan")
}

func (r *View) Lines(s *view.Scene, w, h int) []string {
	r.Text = r.draw(s, w)
	return r.Window(s, w, h)
}

func (r *View) Status(*view.Scene, int) view.Status {
	hints := []string{"/ choose feed", "< > other day", "B budget", "w sums"}
	if len(r.Text) > r.High {
		hints = append(hints, "j k scroll")
	}
	return view.Status{Keys: append(hints, "q back", "?")}
}

// draw makes the whole text for a width.
func (r *View) draw(s *view.Scene, w int) []string {
	if !r.ready {
		return []string{s.Th.Fit("", w)}
	}
	if r.data.Feeds == 0 && r.data.Feed.Key == 0 {
		return append([]string{s.Th.Fit("", w)}, s.Wrap(view.SayNothingSubscribed, 1, w)...)
	}
	t := r.table(s, w)
	t.looks()
	if r.data.Feed.Key != 0 {
		t.posts()
		t.today()
	}
	t.gap()
	t.sentences()
	return t.out
}

// hourTable draws what has a column group for each hour.
type hourTable struct {
	*View
	s    *view.Scene
	w    int
	cell int // cells an hour: 3, 2 or 1
	out  []string
}

// hourLabel is what stands before the hours: " Mon  ".
const hourLabel = 6

func (r *View) table(s *view.Scene, w int) *hourTable {
	return &hourTable{View: r, s: s, w: w, cell: max(1, min((w-hourLabel)/24, 3))}
}

func (t *hourTable) put(line string) { t.out = append(t.out, t.s.Th.Fit(line, t.w)) }

func (t *hourTable) gap() { t.put("") }

// head is a heading and, if it fits, a fact beside it; else below it.
func (t *hourTable) head(title, fact string) {
	m := t.s.Th.Measure
	left := " " + m.Cut(title, t.w-2)
	if pad := 26 - m.Width(left); pad > 0 {
		left += strings.Repeat(" ", pad)
	} else {
		left += "  "
	}
	if m.Width(left)+m.Width(fact) < t.w {
		t.out = append(t.out, t.s.Th.In(t.s.Th.Head, t.s.Th.Fit(left+fact, t.w)))
		return
	}
	t.out = append(t.out, t.s.Th.In(t.s.Th.Head, t.s.Th.Fit(left, t.w)))
	for _, l := range t.s.Wrap(fact, 3, t.w) {
		t.put(l)
	}
}

// shades are six steps of darkness.
var shades = [2][6]string{{" ", ".", ":", "+", "*", "#"}, {" ", "·", "░", "▒", "▓", "█"}}

// shade is the sign of a share of the darkest: nothing is blank, and anything at
// all is not.
func shade(s *view.Scene, share float64) string {
	set := shades[0]
	if !s.Th.Mono && !s.Th.Measure.ASCII {
		set = shades[1]
	}
	return set[min(int(math.Ceil(max(share, 0)*5)), 5)]
}

// hours draws a row of 24 values.
func (t *hourTable) hours(label string, value func(hour int) float64, most float64) {
	var b strings.Builder
	b.WriteString(t.s.Th.Fit(label, hourLabel))
	for h := range 24 {
		sign := " "
		if most > 0 {
			sign = shade(t.s, value(h)/most)
		}
		b.WriteString(strings.Repeat(sign, max(1, t.cell-1)))
		if t.cell > 1 {
			b.WriteByte(' ')
		}
	}
	t.put(b.String())
}

// clockRow numbers the hours: every third where there is room, else every sixth.
func (t *hourTable) clockRow() {
	step := 3
	if t.cell == 1 {
		step = 6
	}
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", hourLabel))
	for h := 0; h < 24; h += step {
		b.WriteString(t.s.Th.Fit(fmt.Sprintf("%02d", h), step*t.cell))
	}
	t.put(b.String())
}

var weekdays = [7]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

// looks is the heat map of when the reader looks.
func (t *hourTable) looks() {
	t.head("When you look", fmt.Sprintf("%s in 28 days; a look = first key after 10 min", wording.Plural(t.data.Looks, "look")))
	t.clockRow()
	most := 0
	for _, day := range t.data.ByHour {
		for _, n := range day {
			most = max(most, n)
		}
	}
	for d, name := range weekdays {
		t.hours(" "+name, func(h int) float64 { return float64(t.data.ByHour[d][h]) }, float64(most))
	}
	t.gap()
}

// posts is the curve of when the chosen feed posts.
func (t *hourTable) posts() {
	d := &t.data
	facts := []string{perWeek(d.PerWeek)}
	if d.Shape != "" {
		facts = append(facts, d.Shape)
	}
	facts = append(facts, wording.Plural(d.Posts, "post")+" seen")
	t.head("When "+d.Feed.Title+" posts", strings.Join(facts, " "+t.s.Th.Dot+" "))
	most := 0.0
	for _, n := range d.Hours {
		most = max(most, n)
	}
	// The rate is never nothing; what is far below the mean is drawn as that.
	t.hours("", func(h int) float64 { return d.Hours[h] - d.PerWeek/7/24/4 }, most)
}

// perWeek is "9 a week", ".4 a week".
func perWeek(n float64) string {
	if n >= 9.5 {
		return wording.Count(int(math.Round(n))) + " a week"
	}
	return fmt.Sprintf("%.2g a week", n)
}

// today is a day's fetches on a line of time.
func (t *hourTable) today() {
	d := &t.data
	name := "today"
	if t.day != 0 {
		name = "on " + d.Day.Format("Mon 2 Jan")
	}
	t.head(d.Feed.Title+" "+name, ". fetched   ^ planned   = server says not before")
	wide := 24 * t.cell
	row := []byte(strings.Repeat(" ", wide))
	end := d.Day.AddDate(0, 0, 1)
	at := func(tm time.Time) int { // by the clock, so that a day of 23 hours fits too
		tm = tm.In(d.Day.Location())
		return (tm.Hour()*60 + tm.Minute()) * wide / (24 * 60)
	}
	inside := func(tm time.Time) bool { return !tm.Before(d.Day) && tm.Before(end) }
	if nb := d.Feed.NotBefore; nb.After(t.s.Now) && d.Feed.NotBeforeBy.Cause != reader.WaitStatus {
		from := t.s.Now
		if from.Before(d.Day) {
			from = d.Day
		}
		for x := from; x.Before(nb) && inside(x); x = x.Add(5 * time.Minute) {
			row[at(x)] = '='
		}
	}
	for _, f := range d.Fetched {
		row[at(f)] = '.'
	}
	for _, p := range d.Planned {
		if inside(p.At) {
			row[at(p.At)] = '^'
		}
	}
	t.put(strings.Repeat(" ", hourLabel) + string(row))
}

// sentences say the same in words, with the quantities.
func (t *hourTable) sentences() {
	d := &t.data
	if d.Feed.Key != 0 {
		t.say(d.Feed.Title, sayRhythmFeed(t.s, d))
	}
	t.say("All feeds", sayBudget(d))
	t.say("Did it help?", sayHelped(&d.Freshness))
}

// nameCells is the width of the column before the sentences: the feed's name is whole
// in it, unless it takes the room of the sentences.
func (t *hourTable) nameCells() int {
	return min(max(16, t.s.Th.Measure.Width(t.data.Feed.Title)+3), max(16, min(t.w/3, 32)))
}

// say puts a sentence beside its name, or below it on a narrow screen.
func (t *hourTable) say(name, text string) {
	in := t.nameCells()
	if t.w < view.Wide {
		t.out = append(t.out, t.s.Th.In(t.s.Th.Head, t.s.Th.Fit(" "+name, t.w)))
		in = 3
	}
	for i, l := range t.s.Wrap(text, in, min(t.w, 96)) {
		if i == 0 && t.w >= view.Wide {
			l = t.s.Th.Fit(" "+t.s.Th.Measure.Cut(name, in-2), in) + strings.TrimPrefix(l, strings.Repeat(" ", in))
		}
		t.put(l)
	}
}

// sayRhythmFeed tells the last fetch, the next and why then.
func sayRhythmFeed(s *view.Scene, d *reader.Rhythm) string {
	f := &d.Feed
	if f.InTrouble() {
		return view.TroubleOf(f, s.Now) + ". w: the sums"
	}
	say := "not fetched yet"
	if !f.LastFetch.IsZero() {
		say = "last fetch " + strings.TrimPrefix(wording.When(f.LastFetch, s.Now), "today ")
		switch {
		case d.Last.Same:
			say += ", not changed"
		case !d.Last.At.IsZero():
			say += fmt.Sprintf(", %s new", wording.Count(d.Last.New))
		}
	}
	say += ". "
	if len(d.Planned) == 0 {
		return say + "None is planned in the next 24 hours. w: the sums"
	}
	p := &d.Planned[0]
	say += fmt.Sprintf("Next %s: %.1f posts expected by then; %s. ", wording.Due(p.At, s.Now), p.Expected, p.Why)
	if len(d.Planned) > 1 {
		var then []string
		for _, p := range d.Planned[1:min(len(d.Planned), 4)] {
			then = append(then, wording.Due(p.At, s.Now))
		}
		say += "Then " + strings.Join(then, ", ") + ". "
	}
	if l := f.LossSentence(wording.Clock{Now: s.Now}); l != "" {
		say += strings.ToUpper(l[len(f.Title)+2:len(f.Title)+3]) + l[len(f.Title)+3:] + " "
	}
	return say + "w: the sums"
}

// sayBudget tells what of the day's fetches is used, and what would be needed.
func sayBudget(d *reader.Rhythm) string {
	b := &d.Budget
	say := fmt.Sprintf("%s of %s fetches used today", wording.Count(b.Used), wording.Count(b.PerDay))
	switch usual := d.Feeds * d.Each; {
	case d.Own:
		say += fmt.Sprintf(" (set by B; else %s x %d)", wording.Count(d.Feeds), d.Each)
	case usual == b.PerDay:
		say += fmt.Sprintf(" (%s x %d)", wording.Count(d.Feeds), d.Each)
	}
	say += fmt.Sprintf(", %s reserved for when you open the screen; hourly would be %s", wording.Count(b.Kept), wording.Count(d.Hourly))
	if b.Needed > 0 {
		say += ". " + sayUnpaid(b.PerDay, b.Needed)
	}
	return say
}

// sayUnpaid names the budget that pays every floor.
func sayUnpaid(perDay, needed int) string {
	return fmt.Sprintf("%s a day is not enough for one fetch per feed and for what its window needs; %s would.", wording.Count(perDay), wording.Count(needed))
}

// sayHelped tells what was missing at looks, beside the yardsticks.
func sayHelped(f *reader.Freshness) string {
	switch {
	case f.Looks == 0:
		return "nothing to count yet: you have not looked in 28 days"
	case f.New == 0:
		return "nothing to count yet: no new item came in 28 days"
	}
	return fmt.Sprintf("Of %s new items in 28 days, %s were not here when you looked; %s were still missing after the refresh that a look starts. With as many fetches, evenly spaced, %.0f would have been missing when you looked; with hourly polling %.0f, for %s fetches instead of %s. See diurna stats",
		wording.Count(f.New), wording.Count(f.Missed), wording.Count(f.MissedAfter), f.Evenly, f.Hourly, wording.Count(f.HourlyRequests), wording.Count(f.Requests))
}
