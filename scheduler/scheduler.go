// Package scheduler says when each source is worth a fetch, given when it posts
// and when the user looks.
//
// Call [Plan] first: it takes what was learned about the reader (a [Profile] of
// looks), the sources with their profiles and what their servers ask for, the
// day's budget and the present moment, and returns the fetches of the next 24
// hours with the reason for each:
//
//	func Plan(reader *Profile, sources []Source, b Budget, o Options, now time.Time) Schedule
//
// It is the exact optimum of the learned rates. [Refresh] says which sources to fetch when the screen is opened.
// Profiles come from [LearnPosts] with [ForecastPosts] and from [LearnLooks].
//
// Everything here is arithmetic: values and now in, values out. Nothing is
// random but the jitter, which is a hash of Options.Seed and the source's ID.
package scheduler

import "time"

// Slots is the number of slots of a day, each SlotLength long.
const Slots = 288

// SlotLength is the resolution of profiles and plans.
const SlotLength = 24 * time.Hour / Slots

// Event is a moment and the zone it was felt in.
type Event struct {
	Unix   int64 // seconds since 1970, UTC
	Offset int32 // seconds east of UTC at that moment
}

// Profile is a rate over the 24 hours of a day: posts of a source by UTC time of
// day, or looks of the reader by local time of day.
type Profile struct {
	Rate   [Slots]float64 // expected events per slot, never 0 once learned
	Events int            // events it was learned from
	Days   float64        // days of observation behind it, at most 28
	Width  time.Duration  // kernel width chosen; 0: flat, no rhythm was found
}

// Source is one feed or page as the planner sees it.
type Source struct {
	ID     string   // opaque, unique within one call
	Host   string   // requests to one host are kept apart; "": a host of its own
	Posts  *Profile // when it posts; nil: nothing known, one post a day is assumed
	Weight float64  // what one of its items is worth to the reader; 0 counts as 1
	Window int      // items its document holds; 0: unknown
	Lost   int      // fetches of the last 28 days that Saturated: each makes the window count for less

	LastFetch time.Time // zero: never fetched, and so to be fetched at once
	Fetched   int       // fetches since the budget day began

	NotBefore   time.Time // the server's word (Retry-After, max-age, ttl); zero: none
	NotBeforeBy string    // who said so, handed through to the slots
	SkipHours   uint32    // bit h set: not in UTC hour h (RSS skipHours); all 24 count as none
	SkipDays    uint8     // bit d set: not on UTC weekday d, Sunday 0; all 7 count as none

	MinPoll  time.Duration // least time between polls of this source, where longer than Options.MinPoll; NotBefore must hold it after the last
	Interval time.Duration // set by hand; replaces δ and the plan; below 15 minutes counts as 15; 0: none
	Retry    time.Time     // in trouble: the one moment to try again; zero: healthy
	Asked    bool          // the reader asked for it now: as soon as MinManual, the server and the budget permit
}

// Budget is the day's allowance over all sources. It is never exceeded.
type Budget struct {
	PerDay  int       // M: fetches a day, those for an opened screen included
	Used    int       // of them made since the day began
	DayEnds time.Time // when Used starts again at 0; zero: 24 h from now
}

// DefaultPerSource is the number of fetches a day and source.
const DefaultPerSource = 6

// DailyBudget is perSource fetches a day for each of n sources.
func DailyBudget(n, perSource int) Budget { return Budget{PerDay: n * perSource} }

// PlanFor says what the budget is for: to have posts here before the reader
// looks, or to bring them when the screen is opened.
type PlanFor uint8

const (
	// PlanForOpening keeps a third of the budget for opening the screen, in
	// proportion to the looks still expected today, and counts what such a
	// refresh brings as much as what was here before.
	PlanForOpening PlanFor = iota
	// PlanForBoth keeps a sixth, and counts it a third as much.
	PlanForBoth
	// PlanForLooks plans the whole budget before the looks.
	PlanForLooks
)

// Options are the constants of a plan; zero values mean the defaults.
type Options struct {
	PlanFor   PlanFor       // what the budget is spent on
	Seed      uint64        // of the jitter: the same for one library, different between libraries
	MinPoll   time.Duration // δ between polls of one URL; default 60 minutes
	MinManual time.Duration // δ for what the reader asked for; default 10 minutes
	HostGap   time.Duration // between requests to one host; default 5 seconds
	CatchUp   time.Duration // what was missed while asleep is spread over this; default 30 minutes
	Memory    *Memory       // of earlier calls for the same library; nil: none
}

// Memory holds what calls of Plan and Refresh have in common while the facts of a
// day stay: the price of later days' fetches, a third of the work. It saves time and
// changes no result. The zero value is empty; one call at a time may use it.
type Memory struct {
	key   uint64
	price float64
}

// Reason says why a fetch is planned.
type Reason string

// The reasons of a slot.
const (
	ReasonLook   Reason = "look"   // before the reader is expected to look
	ReasonWindow Reason = "window" // before the feed's window fills up and items are lost
	ReasonDaily  Reason = "daily"  // at least once a day, or evenly spaced
	ReasonOpen   Reason = "open"   // the screen was opened
	ReasonFirst  Reason = "first"  // never fetched before
	ReasonRetry  Reason = "retry"  // in trouble, tried again
	ReasonAsked  Reason = "asked"  // the reader asked, now or by setting an interval
)

// Slot is one planned fetch.
type Slot struct {
	At          time.Time // in now's location
	Source      int       // index into the sources given to Plan
	ID          string    // of that source
	Nth, Of     int       // the nth of the source's fetches of its day
	Expected    float64   // new items expected at that time, since the fetch before
	Reason      Reason
	Look        time.Time // the look it stands before (reason look), on the profile's grid; zero: no rhythm known
	Fill        float64   // share of the source's window that will be new, 0 when unknown
	NotBefore   time.Time // no earlier than this, zero: free
	NotBeforeBy string    // who says so: the source's NotBeforeBy, or "min_poll"
	Gain        float64   // expected weighted misses that this fetch avoids, those beside it staying
}

// Schedule is the answer of Plan.
type Schedule struct {
	Slots  []Slot // of the next 24 hours, by time
	Shares []int  // fetches a day of each source, in the order given
	PerDay int    // the budget kept
	Used   int    // of it used before now
	Kept   int    // of what is left today, kept for opening the screen
	Unpaid []int  // sources whose floor (interval, window or one a day) the budget cannot pay
	Needed int    // the smallest budget that pays every floor
}

// Next returns the source's first planned slot.
func (s *Schedule) Next(source int) (Slot, bool) {
	for _, slot := range s.Slots {
		if slot.Source == source {
			return slot, true
		}
	}
	return Slot{}, false
}

// Plan returns the fetches of the 24 hours after now. reader may be nil.
//
// What is planned until the budget's day ends is the best for what is left of
// the budget: PerDay − Used − what is kept for opening the screen, which is
// released as the looks expected today pass. Fetches are dealt out at one price,
// in expected misses, over all sources and moments: the price at which just so
// many are used.
//
// Precedence: the server's rules, δ, the budget, intervals set by hand, the
// publication window (expected new items stay below 60 % of it), one fetch a
// day, expected gain. With unchanged facts a later call returns the same slots.
// Call it again after every fetch, look or change.
func Plan(reader *Profile, sources []Source, b Budget, o Options, now time.Time) Schedule {
	return newPlanner(reader, sources, b, o, now).plan()
}

// Refresh returns what to fetch because the screen was opened at now: the sources
// for which a fetch now saves more misses than the price that Plan deals out
// fetches at, what the reader sees at once included, best first. Server rules, δ
// and the budget hold. The slots are not part of the plan, which is to be made
// again.
func Refresh(reader *Profile, sources []Source, b Budget, o Options, now time.Time) []Slot {
	return newPlanner(reader, sources, b, o, now).refresh()
}

// Limits binds where the fetches of a day may stand. The zero value binds
// nothing. Gaps are in slots and circular.
type Limits struct {
	MinGap    int     // at least so many slots between fetches (δ)
	MaxGap    int     // at most so many; 0: no limit
	MaxItems  float64 // expected new items between two fetches stay at or below; 0: no limit
	Forbidden []bool  // slots in which no fetch may stand (skipHours); nil: none
}

// Cost prices a day's fetches of one source: the expected number of posts a
// reader misses, or the waiting time of posts.
//
// Between consecutive fetches a < b the miss penalty is the double integral of
// λ(x)·u(t) over a <= x <= t <= b (Sia 2009, Lemma 2); delay is the case of
// constant u (Lemma 1). A Cost reuses its buffers and is not safe for concurrent
// use.
type Cost struct {
	n          int
	lam, cum   []float64 // Λ and U before each slot, over three days
	x, y, z, v []float64 // arc(a,b) = x[b] + y[a] + z[a]*v[b]
	table      []float32 // arc by first slot and length, where no product form exists
	solve      *solver   // buffers of Optimal
}

// Miss is the miss penalty (Sia 2009, Lemma 2) over len(lambda) equal slots:
// lambda posts and looks per slot, both at least 0 and of the same length >= 1.
func Miss(lambda, looks []float64) *Cost { return new(Cost).Reset(lambda, looks) }

// Reset makes c the miss penalty of other rates, reusing its memory, and returns
// it. The zero Cost may be reset.
func (c *Cost) Reset(lambda, looks []float64) *Cost {
	c.fill(lambda, looks)
	return c
}

// Delay is the expected waiting time of posts (Sia 2009, Lemma 1), in the unit
// of slot, the length of one slot.
func Delay(lambda []float64, slot float64) *Cost {
	looks := make([]float64, len(lambda))
	for k := range looks {
		looks[k] = slot
	}
	return Miss(lambda, looks)
}

// Coupled is the miss penalty of what really happened on many days: pairs[x*n+d]
// counts the pairs of a post in slot x and a look d slots later, 0 <= d < n. Its
// optimum is the best daily plan in hindsight.
func Coupled(n int, pairs []float32) *Cost {
	c := &Cost{}
	c.couple(n, pairs)
	return c
}

// Optimal returns the cheapest m >= 1 fetches a day and their cost (the exact
// circular optimum of Sia 2009, Theorems 4 and 5). Where no schedule keeps the
// limits it returns one that violates them least; ask Keeps.
func (c *Cost) Optimal(m int, in Limits) ([]int, float64) {
	if c.solve == nil {
		c.solve = newSolver(c, in)
	}
	c.solve.in, c.solve.lim = in, c.prepare(in)
	fetches, _ := c.solve.optimal(m)
	return fetches, c.Of(fetches)
}

// Shape is how a feed's posts lie in the day.
type Shape uint8

// The shapes of Horincar 2012, section 5.
const (
	ShapeUnknown Shape = iota // fewer than 120 posts
	ShapeUniform              // the hours differ by no more than chance
	ShapePeaks                // a few hours hold most, as a robot posts
	ShapeWaves                // the rest: a user's day
)

// ShapeOf classifies counts by hour: uniform if min(1, 280/n)·χ² with 23 degrees
// of freedom is below 35.2; peaks if at least 16 hours lie outside half to twice
// the mean, at most 6 above it, and the top three hold 40 %.
func ShapeOf(hours [24]float64) Shape { return classify(&hours) }

// Saturated says that items were lost: of the shown items of a fetch none was
// known, although the source had known items before (Horincar 2012, section 6.2).
func Saturated(shown, fresh, known int) bool { return known > 0 && shown > 0 && fresh >= shown }
