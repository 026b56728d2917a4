package plan

import (
	"diurna/reader/model"
	"diurna/store"
	"time"
)

// NextFetch is when a feed is fetched next, and why, as far as that follows from
// what is remembered of its fetching: an interval set by hand, since the last fetch
// perhaps, counts from there.
func NextFetch(f *store.Feed, p *store.Poll) (at time.Time, reason store.SlotReason) {
	every := model.IntervalOf(f)
	if every == 0 || p.Tries > 0 || p.LastFetch.IsZero() {
		return p.NextFetch, p.NextReason
	}
	if at = p.LastFetch.Add(every); at.Before(p.NotBefore) {
		at = p.NotBefore
	}
	return at, store.SlotAsked
}
