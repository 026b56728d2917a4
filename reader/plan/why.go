package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/reader/wording"
	"diurna/scheduler"
	"diurna/store"
)

// PlannedFetch is one fetch of the plan with its reason. Its JSON form is
// {at,feed_id,nth,of,expected_new,reason,not_before,not_before_by}.
type PlannedFetch struct {
	At          time.Time
	Key         store.FeedID
	Feed        string
	Nth, Of     int
	Expected    float64 // new items by then
	Reason      string  // look, window, daily, open, first, retry, asked
	Why         string  // the reason in words: "you look at 11:00"
	NotBefore   time.Time
	NotBeforeBy store.Wait

	slot    scheduler.Slot // what Words are made of
	trouble string
}

// Plan is the fetches of the next 24 hours and the day's budget.
type Plan struct {
	Fetches []PlannedFetch
	Waiting []model.Feed // in trouble or gone: not in the plan but for a retry
	Feeds   int          // that are fetched
	Later   int          // of them, healthy and with nothing planned within 24 hours
	Used    int          // fetches made today
	PerDay  int          // the budget
	Kept    int          // of it, reserved for when the screen is opened
	Unpaid  []string
	Needed  int // the budget that would pay every floor, 0 when this one does
}

// Plan says what the running fetcher will do, through the same call.
func (p *Planner) Plan(ctx context.Context, now time.Time) (Plan, error) {
	tx := p.lib.Tx(ctx)
	feeds, err := p.lib.Feeds(ctx)
	if err != nil {
		return Plan{}, fmt.Errorf("read the feeds: %w", err)
	}
	asked, err := p.Requested(ctx, feeds, now)
	if err != nil {
		return Plan{}, err
	}
	s, err := p.Schedule(ctx, feeds, asked, tx, now)
	if err != nil {
		return Plan{}, err
	}
	out := Plan{Used: s.Used, PerDay: s.PerDay, Kept: s.Kept}
	planned := make(map[string]bool, len(feeds))
	for i := range s.Slots {
		planned[s.Slots[i].ID] = true
	}
	titles, polls := map[string]model.Feed{}, map[string]*store.Poll{}
	for i := range feeds {
		f := p.describe(&feeds[i], now)
		titles[f.Key.String()], polls[f.Key.String()] = f, &feeds[i].Poll
		if !feeds[i].Poll.Gone && !model.IsPiped(feeds[i].URL) {
			out.Feeds++
		}
		if f.InTrouble() {
			out.Waiting = append(out.Waiting, f)
		} else if _, ok := planned[feeds[i].ID.String()]; !ok && !feeds[i].Poll.Gone && !model.IsPiped(feeds[i].URL) {
			out.Later++
		}
	}
	for _, slot := range s.Slots {
		f := titles[slot.ID]
		if !Stands(&slot, polls[slot.ID], now) {
			continue
		}
		out.Fetches = append(out.Fetches, PlannedFetch{
			At: slot.At, Key: f.Key, Feed: f.Title, Nth: slot.Nth, Of: slot.Of, Expected: slot.Expected,
			Reason: string(slot.Reason), Why: reasonWords(&slot, f.Error, wording.Clock{Now: now}), slot: slot, trouble: f.Error, NotBefore: slot.NotBefore, NotBeforeBy: store.ParseWait(slot.NotBeforeBy),
		})
	}
	if len(s.Unpaid) > 0 {
		out.Needed = s.Needed
	}
	return out, nil
}

// reasonWords says in a few words why a slot is where it is.
func reasonWords(s *scheduler.Slot, trouble string, c wording.Clock) string {
	words := map[scheduler.Reason]string{
		scheduler.ReasonDaily: "at least once a day", scheduler.ReasonOpen: "you opened the screen",
		scheduler.ReasonFirst: "never fetched before", scheduler.ReasonAsked: "asked for",
	}[s.Reason]
	switch s.Reason {
	case scheduler.ReasonLook:
		words = "before you look"
		if !s.Look.IsZero() {
			words = "you look at " + clock(s.Look, c)
		}
	case scheduler.ReasonWindow:
		words = fmt.Sprintf("its window would be %d %% full", int(math.Round(100*s.Fill)))
	case scheduler.ReasonRetry:
		words = "tried again: " + trouble
	case scheduler.ReasonDaily:
		if s.Of > 1 {
			words = "evenly spaced"
		}
	}
	if s.NotBefore.IsZero() {
		return words
	}
	at := clock(s.NotBefore, c)
	switch by := store.ParseWait(s.NotBeforeBy); by.Cause {
	case store.WaitServer:
		words += "; server says not before " + at
	case store.WaitStatus:
		words += "; after " + by.String() + " not before " + at
	}
	return words
}

// clock is a time of the next 24 hours: the bare clock, for programs the stamp.
func clock(t time.Time, c wording.Clock) string {
	if c.Exact {
		return wording.Stamp(t)
	}
	return t.Local().Format("15:04")
}

// Words says why the fetch is planned then.
func (p *PlannedFetch) Words(c wording.Clock) string {
	if c.Exact && !p.slot.At.IsZero() {
		return reasonWords(&p.slot, p.trouble, c)
	}
	return p.Why
}

// FeedPlan is what `why` tells of a feed.
type FeedPlan struct {
	Feed    model.Feed
	Fetches []PlannedFetch // its next ones
	Share   int            // of the day's fetches
	PerDay  int            // the whole budget
	Posts   int            // posts learned from
	PerWeek float64
	Window  int
	Weight  float64     // what one of its items is worth in the plan; 0: too little was opened, all feeds weigh the same
	Opened  int         // items opened, of
	Shown   int         // so many shown, ever
	Shape   string      // even, peaks or waves; "" with fewer than 120 posts in 84 days
	Hours   [24]float64 // posts expected in each local hour
	Last    LastFetch
	At      time.Time // when this was asked
	// Rule is what forbids a fetch at this moment, in words, Earliest how long.
	Rule     string
	Earliest time.Time
}

// WhyFeed says when a feed is fetched next and what that was learned from.
func (p *Planner) WhyFeed(ctx context.Context, id store.FeedID, now time.Time) (FeedPlan, error) {
	all, err := p.Plan(ctx, now)
	if err != nil {
		return FeedPlan{}, err
	}
	stored, err := p.lib.Feeds(ctx)
	if err != nil {
		return FeedPlan{}, fmt.Errorf("read the feeds: %w", err)
	}
	i := slices.IndexFunc(stored, func(f store.Feed) bool { return f.ID == id })
	if i < 0 {
		return FeedPlan{}, model.NoFeed(id.String())
	}
	out := FeedPlan{Feed: p.describe(&stored[i], now), PerDay: all.PerDay, At: now, Window: stored[i].Poll.Window}
	rule, until := p.barred(&stored[i], now)
	out.Rule, out.Earliest = rule.Why, until
	for _, s := range all.Fetches {
		if s.Key == id {
			out.Fetches = append(out.Fetches, s)
			out.Share = s.Of
		}
	}
	if err := p.worth(ctx, &out); err != nil {
		return FeedPlan{}, err
	}
	if _, out.Last, err = p.FetchesOf(ctx, id); err != nil {
		return out, err
	}
	l := p.Learned(id, model.DayBegins(now.Local()), now)
	out.Posts, out.PerWeek, out.Hours, out.Shape = l.Posts, l.PerWeek, l.Hours, l.Shape
	return out, nil
}

// barred is what forbids a fetch by the plan at this moment, in words, and how long.
func (p *Planner) barred(f *store.Feed, now time.Time) (rule model.Rule, until time.Time) {
	rule, until = p.rules.Early(f, now, false)
	if at := f.Poll.LastFetch.Add(poll.BareWait); at.After(until) && model.IntervalOf(f) == 0 && p.rules.Floor(f) >= poll.BareWait {
		return poll.BareRule, at
	}
	return rule, until
}

// longBarred is how long a rule must forbid a fetch to be what is said of it: a
// shorter one is the planner's to heed.
const longBarred = 23 * time.Hour

// NextFetches is when each feed is fetched next: as the plan has it, or the end of
// what forbids it for long. The plan is made again.
func (p *Planner) NextFetches(ctx context.Context, now time.Time) (map[store.FeedID]time.Time, error) {
	p.Forget()
	all, err := p.Plan(ctx, now)
	if err != nil {
		return nil, err
	}
	feeds, err := p.lib.Feeds(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	next := make(map[store.FeedID]time.Time, len(feeds))
	for i := range feeds {
		if rule, until := p.barred(&feeds[i], now); rule.Forbids() && until.Sub(now) > longBarred {
			next[feeds[i].ID] = until
		}
	}
	for i := len(all.Fetches) - 1; i >= 0; i-- { // the first of several stays
		next[all.Fetches[i].Key] = all.Fetches[i].At
	}
	return next, nil
}

// worth says what the planner takes an item of the feed to be worth, and why.
func (p *Planner) worth(ctx context.Context, out *FeedPlan) error {
	key := out.Feed.Key.String()
	if weights := p.interest.Weights(ctx); weights != nil {
		out.Weight = cmp.Or(weights[key], MeanWeight(weights))
	}
	var err error
	out.Opened, out.Shown, err = p.interest.OpenedOf(ctx, out.Feed.Key, out.Feed.Folder)
	return err
}

// Barred reports whether a rule forbids a fetch for so long that it is what is said
// of the next one.
func (p *FeedPlan) Barred() bool { return p.Rule != "" && p.Earliest.Sub(p.At) > longBarred }

// FeedLine is one line of what `why` says of a feed.
type FeedLine struct{ Label, Text string }

// Lines says it in words, with times as c writes them.
func (p *FeedPlan) Lines(c wording.Clock) []FeedLine {
	past := func(t time.Time) string { return cmp.Or(c.When(t), "-") }
	due := func(t time.Time) string { return cmp.Or(c.Due(t), "-") }
	f := &p.Feed
	out := []FeedLine{{"last fetch", lastWords(f, &p.Last, past)}}
	add := func(label, format string, args ...any) {
		out = append(out, FeedLine{label, fmt.Sprintf(format, args...)})
	}
	if f.InTrouble() {
		add("in trouble", "%s since %s, %s", f.Error, past(f.Since), tries(f.Tries))
	}
	switch {
	case len(p.Fetches) > 0:
		words := make([]string, 0, 4)
		for _, n := range p.Fetches[:min(len(p.Fetches), 4)] {
			words = append(words, due(n.At))
		}
		next := words[0]
		if len(words) > 1 {
			next += "; then " + strings.Join(words[1:], ", ")
		}
		add("next fetch", "%s", next)
		add("because", "%.1f new items expected by then; %s", p.Fetches[0].Expected, p.Fetches[0].Words(c))
	case f.State == model.FeedGone:
		add("next fetch", "none: %s since %s", f.Error, past(f.Since))
	case model.IsPiped(f.URL):
		add("next fetch", "none: a program supplies it, by way of take")
	case p.Barred():
		add("next fetch", "not before %s: %s", due(p.Earliest), p.Rule)
	default:
		add("next fetch", "none in the next 24 hours")
	}
	if f.NotBefore.After(p.At) {
		by := "the server: " + f.NotBeforeBy.String()
		if !poll.ServerAsked(f.NotBeforeBy) {
			by = "after " + f.NotBeforeBy.String()
		}
		add("not before", "%s (%s)", due(f.NotBefore), by)
	}
	share := fmt.Sprintf("%d of %s fetches a day", p.Share, wording.Count(p.PerDay))
	if p.Share == 0 {
		share = fmt.Sprintf("none of the %s fetches of the next 24 hours", wording.Count(p.PerDay))
	}
	if p.Weight > 0 {
		share += fmt.Sprintf("; weight %s (opened %s, shown %s)",
			strings.TrimPrefix(fmt.Sprintf("%.2f", p.Weight), "0"), wording.Plural(p.Opened, "time"), wording.Plural(p.Shown, "time"))
	}
	add("share", "%s", share)
	add("learned from", "%s", p.learnedWords())
	if s := f.LossSentence(wording.Clock{Now: p.At, Exact: c.Exact}); s != "" {
		add("lost items", "%s", strings.TrimPrefix(s, f.Title+": "))
	}
	return out
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}

// lastWords says how the last fetch went.
func lastWords(f *model.Feed, l *LastFetch, past func(time.Time) string) string {
	switch {
	case f.LastFetch.IsZero():
		return "never"
	case l.Same:
		return past(f.LastFetch) + ", not changed"
	case f.Error != "" || l.Bytes == 0:
		return past(f.LastFetch)
	}
	return fmt.Sprintf("%s, %s new, %s KB in %.1f s", past(f.LastFetch), wording.Count(l.New), wording.Count(int(l.Bytes+1023)/1024), l.Took.Seconds())
}

// learnedWords says what the plan of a feed was learned from.
func (p *FeedPlan) learnedWords() string {
	words := "no post so far"
	if p.Posts > 0 {
		words = fmt.Sprintf("%s, %.1f a week", wording.Plural(p.Posts, "post"), p.PerWeek)
	}
	if p.Posts >= fewPosts {
		words += ", most " + busyHours(p.Hours)
	}
	if p.Shape != "" {
		words += ", " + p.Shape
	}
	if p.Window > 0 {
		words += fmt.Sprintf("; window of %d item", p.Window)
		if p.Window > 1 {
			words += "s"
		}
		if p.Posts > 0 && p.PerWeek > 0 {
			words += " lasts " + spanWords(7*float64(p.Window)/p.PerWeek)
		}
	}
	return words
}

// spanWords is how many days something lasts, no finer than it can be known.
func spanWords(days float64) string {
	switch {
	case days < 14:
		return fmt.Sprintf("%.1f days", days)
	case days < 365:
		return fmt.Sprintf("%.0f weeks", days/7)
	}
	return "over a year"
}

// fewPosts is how many say nothing about an hour yet.
const fewPosts = 10

// busyHours names the three hours on end in which most is posted: "7-10".
func busyHours(hours [24]float64) string {
	best, at := -1.0, 0
	for h := range hours {
		if n := hours[h] + hours[(h+1)%24] + hours[(h+2)%24]; n > best {
			best, at = n, h
		}
	}
	return fmt.Sprintf("%d-%d", at, (at+3)%24)
}
