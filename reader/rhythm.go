package reader

import (
	"diurna/reader/plan"
	"time"
)

// The face of rhythm: what the view Rhythm shows, and the day's budget.

// BudgetChange tells what setting the budget did.
type BudgetChange struct {
	Step   uint64 // what undo takes back; 0: nothing changed
	PerDay int    // fetches a day, over all feeds
	Before int
	Own    bool // set by hand; else Feeds times Each
	Feeds  int
	Each   int // fetches per feed and day, where none is set
	Needed int // the smallest budget that pays every floor; 0 when this one does
}

// LastFetch is how a feed's last fetch went.
type LastFetch = plan.LastFetch

// Rhythm is when the reader looks and when one feed posts and is fetched, on one
// day. Times of day are local.
type Rhythm struct {
	Looks  int        // of the last 28 days
	ByHour [7][24]int // looks by weekday, Monday first, and hour, of the same days
	Day    time.Time  // midnight of the day shown

	Feed    Feed // Key 0: there is none
	Posts   int  // posts learned from
	PerWeek float64
	Shape   string      // uniform, peaks or waves; "" with fewer than 120 posts
	Hours   [24]float64 // posts expected in each hour of the day
	Window  int         // items its document holds, 0: unknown
	Fetched []time.Time // fetches of Day
	Last    LastFetch
	Planned []PlannedFetch // of the next 24 hours
	Share   int            // of the day's fetches

	Feeds     int
	Budget    Plan // Fetches is empty
	Own       bool // the budget was set by hand
	Each      int  // fetches per feed and day, where none is set
	Hourly    int  // requests a day that hourly polling would send
	Freshness Freshness
}

// FeedLine is one line of what `why` says of a feed.
type FeedLine struct{ Label, Text string }

// Lines says it in words: past and due write a time that was and one to come.
func (p *FeedPlan) Lines(past, due func(time.Time) string) []FeedLine { return p.lines(past, due) }
