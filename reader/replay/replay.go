// Package replay replays traces and synthetic readers through the policies, for
// simulate.
//
// Call [Schedule]: it learns from the past of each week, plans with every policy
// of the comparison, and counts on the week itself what a reader would have
// missed and how long posts waited. The report prints itself ([ScheduleReport.WriteText])
// or as JSON. Traces come from [ReadPosts] and [ReadAccesses], or from
// [Synthetic].
package replay

import (
	"time"

	"diurna/scheduler"
)

// Source is when one feed posted: Unix seconds, ascending.
type Source struct {
	ID    string
	Posts []int64
}

// Person is when somebody was at the keyboard, ascending.
type Person struct {
	ID    string
	Looks []scheduler.Event
}

// TraceFetch is one fetch of a plan over a trace, in the form of `plan --json`.
type TraceFetch struct {
	At          time.Time  `json:"at"`
	Source      string     `json:"feed_id"`
	Nth         int        `json:"nth"`
	Of          int        `json:"of"`
	Expected    float64    `json:"expected_new"` // new items by then, since the fetch before
	Reason      string     `json:"reason"`       // look, window, daily or first
	NotBefore   *time.Time `json:"not_before"`
	NotBeforeBy *string    `json:"not_before_by"`
}

// TracePlan is the fetches of 24 hours and the budget they are made of.
type TracePlan struct {
	Fetches []TraceFetch
	PerDay  int // the budget, of all sources
	Kept    int // of it, reserved for when the screen is opened
	Needed  int // the budget that would pay every floor, 0 when this one does
}

// Policies are the names of the comparison, in the order of the tables:
//
//	uniform            the same for every feed, evenly spaced, averaged over 24 phases
//	retrieval          the same for every feed, placed by when it posts (Sia 2009, Theorem 4)
//	allocation         by √λ, evenly spaced (Sia 2009, Theorem 1)
//	combined           by √λ, placed optimally
//	data-only          placed by when the feed posts, as if the reader looked at any time
//	printed            placed by posts and looks, learned by the paper's recipe
//	ours               placed by posts and looks, learned by ours
//	cgm03              by least expected age (Cho and Garcia-Molina 2003), evenly spaced
//	rate-proportional  by rate, as Miniflux does, evenly spaced
//	refresh-on-open    the day's first looks wait for a fetch; what they leave is spent at midnight
//	tokens             ours with one fetch kept for a look, which does not wait
//	hindsight          the best daily plan for what then happened
//	clairvoyant        the best fetches for what then happened, chosen day by day
func Policies() []string { return append([]string(nil), policyNames...) }

// ScheduleOptions chooses what Schedule compares.
type ScheduleOptions struct {
	Posts    []Source          // none, and no People: Synthetic(Seed)
	People   []Person          //
	Policies []string          // names of Policies; none: all
	Budgets  []int             // fetches per feed and day in the miss table, 1 to 24; none: 2 to 5
	Seed     uint64            // of the sample and the synthetic trace
	Until    time.Time         // weeks that end after it are left out, on the common axis; zero: all
	Full     bool              // all pairs of a source and a person, however long that takes
	Pairs    int               // the size of the sample; 0: DefaultPairs
	PlanFor  scheduler.PlanFor // of the as-run table
	Samples  int               // of the as-run table; 0: 5, below 0: none
	LookGap  time.Duration     // idle time before a sign counts as a look; 0: 10 minutes
}

// DefaultPairs keeps the default run over 229 sources and 31 people near 40 s of
// processor time, half of that on two idle cores.
const DefaultPairs = 1600

// MissRow is one policy at one number of fetches per feed and day.
type MissRow struct {
	Policy  string  `json:"policy"`
	PerDay  int     `json:"fetches_per_day"`
	Fewer   float64 `json:"fewer_missed_than_uniform_pct"`  // mean over people of the share over all their feeds
	CI95    float64 `json:"ci95"`                           // half width, in points
	Pooled  float64 `json:"pooled_pct"`                     // of the sums over people
	Once    float64 `json:"posts_missed_pct"`               // fewer posts missed at their first look (Eq. 2.1), mean over people
	Missed  float64 `json:"missed"`                         // posts not yet here, summed over looks
	Looks   int     `json:"looks"`                          // pairs of a look and a feed
	Posts   int     `json:"posts"`                          // pairs of a post and a person
	Fetches int     `json:"fetches"`                        // made in the replay, over all pairs
	Opens   float64 `json:"opens_refreshing_pct,omitempty"` // looks that set off a fetch
}

// DelayRow is one policy at one mean interval between fetches of a feed.
type DelayRow struct {
	Policy  string  `json:"policy"`
	Hours   int     `json:"interval_hours"`
	Minutes float64 `json:"minutes"`          // mean over posts
	PerFeed float64 `json:"per_feed_minutes"` // mean over feeds of their posts' mean
	Fetches int     `json:"fetches"`
}

// WeekRow is one policy in one week of the common axis.
type WeekRow struct {
	Week    int     `json:"week"` // the first evaluated is 1: week 0 is for learning
	Policy  string  `json:"policy"`
	PerDay  int     `json:"fetches_per_day"`
	Missed  float64 `json:"missed"`
	Uniform float64 `json:"uniform_missed"`
}

// ColdRow is a new reader's day: day 0 is the first with the program.
type ColdRow struct {
	Day   int     `json:"day"`
	Fewer float64 `json:"fewer_missed_than_uniform_pct"` // over all people, three fetches a day
}

// AsRunRow is the running planner, replayed for one sample: eight people with six
// feeds each, weeks 5 to 8 of the trace. It learns habits again each day and a feed's
// posts after each fetch too, as the program does, fetches what is due and refreshes at
// each look. Beside it the same number of fetches evenly spaced, and hourly polling.
type AsRunRow struct {
	PerDay         int     `json:"fetches_per_feed_and_day"`
	Sample         int     `json:"sample"`
	Shared         bool    `json:"shared_feeds"` // all people have the same feeds; else each their own
	Missed         int     `json:"missed"`       // posts out and not here, summed over looks
	MissedAfter    int     `json:"missed_after"` // after the refresh that the look starts
	Uniform        float64 `json:"uniform_missed"`
	Hourly         float64 `json:"hourly_missed"`
	Requests       int     `json:"requests"`
	Allowed        int     `json:"requests_allowed"`
	MostADay       int     `json:"over_budget_on_a_day"` // above 0: a day's budget was exceeded by so many
	HourlyRequests int     `json:"hourly_requests"`
}

// ScheduleReport is what Schedule found. The same options give the same report.
type ScheduleReport struct {
	Seed    uint64     `json:"seed"`
	Sources int        `json:"sources"`
	People  int        `json:"people"`
	Pairs   int        `json:"pairs"`
	OfPairs int        `json:"of_pairs"` // more than Pairs: a sample
	Weeks   int        `json:"weeks"`
	Aligned bool       `json:"aligned"` // moved by whole weeks to a common axis
	Miss    []MissRow  `json:"miss_penalty"`
	Delay   []DelayRow `json:"delay"`
	Weekly  []WeekRow  `json:"weekly"`
	Cold    []ColdRow  `json:"cold_start"`
	AsRun   []AsRunRow `json:"as_run"`
}
