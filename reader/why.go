package reader

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/plan"
	"diurna/reader/poll"
	"diurna/reader/wording"
	"diurna/scheduler"
	"diurna/store"
)

// PlannedFetch is one fetch of the plan with its reason. Its JSON form is
// {at,feed_id,nth,of,expected_new,reason,not_before,not_before_by}.
type PlannedFetch struct {
	At          time.Time
	Key         FeedID
	Feed        string
	Nth, Of     int
	Expected    float64 // new items by then
	Reason      string  // look, window, daily, open, first, retry, asked
	Why         string  // the reason in words: "you look at 11:00"
	NotBefore   time.Time
	NotBeforeBy store.Wait
}

// Plan is the fetches of the next 24 hours and the day's budget.
type Plan struct {
	Fetches []PlannedFetch
	Waiting []Feed // in trouble or gone: not in the plan but for a retry
	Feeds   int    // that are fetched
	Later   int    // of them, healthy and with nothing planned within 24 hours
	Used    int    // fetches made today
	PerDay  int    // the budget
	Kept    int    // of it, kept for when the screen is opened
	Unpaid  []string
	Needed  int // the budget that would pay every floor, 0 when this one does
}

// Plan says what the running fetcher will do, through the same call.
func (r *Reader) Plan(ctx context.Context) (Plan, error) {
	tx := r.store.Tx(ctx)
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return Plan{}, fmt.Errorf("read the feeds: %w", err)
	}
	asked, err := r.plan.Requested(ctx, feeds, r.now())
	if err != nil {
		return Plan{}, err
	}
	now := r.now()
	s, err := r.plan.Schedule(ctx, feeds, asked, tx, now)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Used: s.Used, PerDay: s.PerDay, Kept: s.Kept}
	planned := make(map[string]bool, len(feeds))
	for i := range s.Slots {
		planned[s.Slots[i].ID] = true
	}
	titles, polls := map[string]Feed{}, map[string]*store.Poll{}
	for i := range feeds {
		f := r.asFeed(&feeds[i])
		titles[f.Key.String()], polls[f.Key.String()] = f, &feeds[i].Poll
		if !feeds[i].Poll.Gone && !model.IsPiped(feeds[i].URL) {
			p.Feeds++
		}
		if f.InTrouble() {
			p.Waiting = append(p.Waiting, f)
		} else if _, ok := planned[feeds[i].ID.String()]; !ok && !feeds[i].Poll.Gone && !model.IsPiped(feeds[i].URL) {
			p.Later++
		}
	}
	for _, slot := range s.Slots {
		f := titles[slot.ID]
		if !plan.Stands(&slot, polls[slot.ID], now) {
			continue
		}
		p.Fetches = append(p.Fetches, PlannedFetch{
			At: slot.At, Key: f.Key, Feed: f.Title, Nth: slot.Nth, Of: slot.Of, Expected: slot.Expected,
			Reason: string(slot.Reason), Why: reasonWords(&slot, &f), NotBefore: slot.NotBefore, NotBeforeBy: store.ParseWait(slot.NotBeforeBy),
		})
	}
	if len(s.Unpaid) > 0 {
		p.Needed = s.Needed
	}
	return p, nil
}

// reasonWords says in a few words why a slot is where it is.
func reasonWords(s *scheduler.Slot, f *Feed) string {
	words := map[scheduler.Reason]string{
		scheduler.ReasonDaily: "at least once a day", scheduler.ReasonOpen: "you opened the screen",
		scheduler.ReasonFirst: "never fetched before", scheduler.ReasonAsked: "asked for",
	}[s.Reason]
	switch s.Reason {
	case scheduler.ReasonLook:
		words = "before you look"
		if !s.Look.IsZero() {
			words = "you look at " + s.Look.Format("15:04")
		}
	case scheduler.ReasonWindow:
		words = fmt.Sprintf("its window would be %d %% full", int(math.Round(100*s.Fill)))
	case scheduler.ReasonRetry:
		words = "tried again: " + f.Error
	case scheduler.ReasonDaily:
		if s.Of > 1 {
			words = "evenly spaced"
		}
	}
	if s.NotBefore.IsZero() {
		return words
	}
	at := s.NotBefore.Local().Format("15:04")
	switch by := store.ParseWait(s.NotBeforeBy); by.Cause {
	case store.WaitServer:
		words += "; server says not before " + at
	case store.WaitStatus:
		words += "; after " + by.String() + " not before " + at
	}
	return words
}

// FeedPlan is what `why` tells of a feed.
type FeedPlan struct {
	Feed    Feed
	Fetches []PlannedFetch // its next ones
	Share   int            // of the day's fetches
	PerDay  int            // the whole budget
	Posts   int            // posts learned from
	PerWeek float64
	Window  int
	Weight  float64     // what one of its items is worth in the plan; 0: too little was opened, all feeds weigh the same
	Opened  int         // items opened, of
	Shown   int         // so many shown, ever
	Shape   string      // uniform, peaks or waves; "" with fewer than 120 posts
	Hours   [24]float64 // posts expected in each local hour
	Last    LastFetch
	At      time.Time // when this was asked
	// Rule is what forbids a fetch at this moment, in words, Earliest how long.
	Rule     string
	Earliest time.Time
}

// WhyFeed says when a feed is fetched next and what that was learned from.
func (r *Reader) WhyFeed(ctx context.Context, id FeedID) (FeedPlan, error) {
	p, err := r.Plan(ctx)
	if err != nil {
		return FeedPlan{}, err
	}
	f, err := r.FindFeed(ctx, id.String())
	if err != nil {
		return FeedPlan{}, err
	}
	out := FeedPlan{Feed: f, PerDay: p.PerDay, At: r.now()}
	stored, err := r.store.Feeds(ctx)
	if err != nil {
		return FeedPlan{}, fmt.Errorf("read the feeds: %w", err)
	}
	for i := range stored {
		if stored[i].ID == id {
			out.Window = stored[i].Poll.Window
			rule, until := r.barred(&stored[i], out.At)
			out.Rule, out.Earliest = rule.Why, until
		}
	}
	for _, s := range p.Fetches {
		if s.Key == id {
			out.Fetches = append(out.Fetches, s)
			out.Share = s.Of
		}
	}
	if err := r.worth(ctx, &out); err != nil {
		return FeedPlan{}, err
	}
	if _, out.Last, err = r.plan.FetchesOf(ctx, id); err != nil {
		return out, err
	}
	l := r.plan.Learned(id, plan.DayBegins(out.At.Local()), out.At)
	out.Posts, out.PerWeek, out.Hours, out.Shape = l.Posts, l.PerWeek, l.Hours, l.Shape
	return out, nil
}

// barred is what forbids a fetch by the plan at this moment, in words, and how long.
func (r *Reader) barred(f *store.Feed, now time.Time) (rule model.Rule, until time.Time) {
	rule, until = r.opts.rules().Early(f, now, false)
	if at := f.Poll.LastFetch.Add(plan.BareWait); at.After(until) && model.IntervalOf(f) == 0 && r.opts.rules().Floor(f) >= plan.BareWait {
		return poll.BareRule, at
	}
	return rule, until
}

// longBarred is how long a rule must forbid a fetch to be what is said of it: a
// shorter one is the planner's to heed.
const longBarred = 23 * time.Hour

// nameNext says of what was fetched, or refused, when it is fetched next: as the
// plan has it now that this is known, which is what WhyFeed says. A plan that
// cannot be made is no reason to call the fetch failed.
func (r *Reader) nameNext(ctx context.Context, rep *FetchReport) {
	if len(rep.Results) == 0 {
		return
	}
	r.plan.Forget()
	p, err := r.Plan(ctx)
	if err != nil {
		return
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return
	}
	next := make(map[FeedID]time.Time, len(feeds))
	for i := range feeds {
		if rule, until := r.barred(&feeds[i], r.now()); rule.Forbids() && until.Sub(r.now()) > longBarred {
			next[feeds[i].ID] = until
		}
	}
	for i := len(p.Fetches) - 1; i >= 0; i-- { // the first of several stays
		next[p.Fetches[i].Key] = p.Fetches[i].At
	}
	for i := range rep.Results {
		res := &rep.Results[i]
		if at := next[res.Feed]; !at.IsZero() || res.Outcome != OutcomeEarly {
			res.Next = at
		}
	}
}

// worth says what the planner takes an item of the feed to be worth, and why.
func (r *Reader) worth(ctx context.Context, p *FeedPlan) error {
	key := p.Feed.Key.String()
	if weights := r.interest.Weights(ctx); weights != nil {
		p.Weight = cmp.Or(weights[key], plan.MeanWeight(weights))
	}
	var err error
	p.Opened, p.Shown, err = r.interest.OpenedOf(ctx, p.Feed.Key, p.Feed.Folder)
	return err
}

func (p *FeedPlan) lines(past, due func(time.Time) string) []FeedLine {
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
		add("because", "%.1f new items are expected by then; %s", p.Fetches[0].Expected, p.Fetches[0].Why)
	case f.State == FeedGone:
		add("next fetch", "none: %s since %s", f.Error, past(f.Since))
	case model.IsPiped(f.URL):
		add("next fetch", "none: a program writes it, by way of take")
	case p.Rule != "" && p.Earliest.Sub(p.At) > longBarred:
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
		share += fmt.Sprintf("; weight %s (you opened %s of %s shown)",
			strings.TrimPrefix(fmt.Sprintf("%.2f", p.Weight), "0"), wording.Count(p.Opened), wording.Count(p.Shown))
	}
	add("share", "%s", share)
	add("learned from", "%s", p.learnedWords())
	if s := f.LossSentence(p.At); s != "" {
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
func lastWords(f *Feed, l *LastFetch, past func(time.Time) string) string {
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
