package reader

import (
	"context"
	"maps"

	"diurna/reader/discover"
	"diurna/reader/downloads"
	"diurna/reader/fulltext"
	"diurna/reader/history"
	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/reader/newsboat"
	"diurna/reader/plan"
	"diurna/reader/rules"
	"diurna/reader/search"
	"diurna/reader/settings"
	"diurna/reader/stats"
	"diurna/reader/stories"
	"diurna/reader/trends"
	"diurna/reader/watch"
)

// What ranking takes and gives.
type (
	Order       = interest.Order
	Arrangement = interest.Arrangement
	Spot        = interest.Spot
	Term        = interest.Term
	ReasonStep  = interest.ReasonStep
	ItemWhy     = interest.ItemWhy
	WhyLine     = interest.WhyLine
	Feedback    = interest.Feedback
	Impression  = interest.Impression
	Hindsight   = interest.Hindsight
	Evidence    = interest.Evidence
)

// What the plan and the counts give.
type (
	Plan         = plan.Plan
	PlannedFetch = plan.PlannedFetch
	FeedPlan     = plan.FeedPlan
	BudgetChange = plan.BudgetChange
	LastFetch    = plan.LastFetch
	Stats        = stats.Stats
	FeedStats    = stats.FeedStats
	Attention    = stats.Attention
	FeedOrder    = stats.FeedOrder
	Freshness    = stats.Freshness
	Rhythm       = stats.Rhythm
)

// The orders.
const (
	Newest  = interest.Newest
	Oldest  = interest.Oldest
	Ranked  = interest.Ranked
	Rare    = interest.Rare
	Paper   = interest.Paper
	ByTitle = interest.ByTitle
	ByFeed  = interest.ByFeed

	TitleBack = interest.TitleBack
	FeedBack  = interest.FeedBack
)

// OpensNeeded is how many opened items Ranked needs.
const OpensNeeded = interest.OpensNeeded

// ParseOrder reads the word for an order; Orders are those words.
func ParseOrder(s string) (Order, bool) { return interest.ParseOrder(s) }
func Orders() string                    { return interest.Orders() }
func OrderNames() []string              { return interest.OrderNames() }

// ParseFeedOrder reads the word for an order of `stats --feeds`; FeedOrders are those
// words.
func ParseFeedOrder(s string) (FeedOrder, bool) { return stats.ParseFeedOrder(s) }
func FeedOrders() []string                      { return stats.FeedOrders() }

// MeanShare is how much was opened of all that feeds offered.
func MeanShare(all map[FeedID]*Attention) float64 { return stats.MeanShare(maps.Values(all)) }

// Spots are the spots of rows; feed gives the title of a feed.
func Spots(rows []Row, feed func(FeedID) string) []Spot { return interest.Spots(rows, feed) }

// SortKey is what titles are compared by, Initial the group of one in that order.
func SortKey(title string) string { return interest.SortKey(title) }
func Initial(title string) rune   { return interest.Initial(title) }

// Thousandths writes a chance in thousandths: ".114".
func Thousandths(p float64) string { return interest.Thousandths(p) }

// Finder finds out what an address brings.
func (r *Reader) Finder() *discover.Finder { return discover.New(r.web, r) }

// Planner says when feeds are fetched and why, and keeps the day's budget.
func (r *Reader) Planner() *plan.Planner { return r.plan }

// FullTexts fetches the pages of items and keeps their articles.
func (r *Reader) FullTexts() *fulltext.Texts {
	return fulltext.New(r.store, r.web, r.now, r.texts.Touched)
}

// Stats counts what was fetched, shown and opened.
func (r *Reader) Stats() *stats.Counter { return stats.New(r.store, r, r.Pages(), r.plan) }

// Ranker orders items, says why one stands where it stands, and takes the
// reader's feedback on it.
func (r *Reader) Ranker() *interest.Ranker { return r.interest }

// What a search finds.
type (
	SearchResult = search.Result
	SearchHit    = search.Found
	FoundItem    = model.FoundItem
)

// Searcher finds items by the words of their texts.
func (r *Reader) Searcher() *search.Searcher { return r.texts }

// OpenFound is Open for an item that was searched for: it says nothing about what
// a list should show first.
func (r *Reader) OpenFound(ctx context.Context, id ItemID) (Article, error) {
	return r.openAs(ctx, id, interest.FromSearch)
}

// CheckSetting says what is wrong with a value that Adjust is to give a setting.
func CheckSetting(field, value string) error { return settings.Check(field, value) }

// Stories says which items of different feeds tell one story, Trends what feeds talk about.
func Stories(r *Reader) *stories.Keeper { return r.refresh.stories }
func Trends(r *Reader) *trends.Keeper   { return trends.New(r.store, r, r.interest) }

// What rules are, what they would do and did.
type (
	Rule        = rules.Rule
	RuleCall    = rules.Call
	RuleFailure = rules.Failure
)

// Rules has the rules that items meet when they come.
func (r *Reader) Rules() *rules.Keeper { return r.rules }

// Files downloads the files of r's items.
func Files(r *Reader) *downloads.Downloader { return downloads.New(r, r.web, r.store.Cache()) }

// History is the log that history.Visit reads.
func History(r *Reader) history.Log { return r.store }

// Pages are the watched pages: what is known of them, and how one is watched.
func (r *Reader) Pages() *watch.Pages { return r.refresh.pages }

// The types of watched pages; see package watch.
type (
	Pages        = watch.Pages
	Page         = watch.Page
	Revision     = watch.Revision
	Change       = watch.Change
	Ignored      = watch.Ignored
	Notification = watch.Notification
	WatchOptions = watch.Options
	Watched      = watch.Watched
	Suggestion   = watch.Suggestion
	Seen         = watch.Seen
	Second       = watch.Second
)

// How the second fetch of a new watch ended; see package watch.
const (
	SecondSame    = watch.SecondSame
	SecondDiffers = watch.SecondDiffers
	SecondCopy    = watch.SecondCopy
	SecondFailed  = watch.SecondFailed
)

// NewsboatMover imports a whole newsboat into a library.
func NewsboatMover(r *Reader) *newsboat.Mover {
	return newsboat.New(r.store, r.store.RuleBook(), r.Subscriptions(), r.rules, r.web.Hide, r.refresh.news.tell)
}
