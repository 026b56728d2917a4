package plan

import (
	"net/http"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// On a host, who failed last is asked last: the answer of a feed that is refused
// with 429 or 503 closes the host for hours, so where fetches are hours apart it
// would keep the healthy feeds beside it from ever being asked.

// yieldMost is how long past its time a refused feed waits for the healthy ones,
// which a rule of their own may hold back.
const yieldMost = 24 * time.Hour

// hostOrder is, by host, when the healthy feed that was asked longest ago was asked.
type hostOrder map[string]time.Time

func orderOnHosts(feeds []store.Feed, now time.Time) hostOrder {
	o := hostOrder{}
	for i := range feeds {
		f := &feeds[i]
		if f.Poll.Tries > 0 || f.Poll.Gone || model.IsPiped(f.URL) {
			continue
		}
		host, at := model.HostKey(f.URL), lastFetch(&f.Poll, now)
		if old, ok := o[host]; !ok || at.Before(old) {
			o[host] = at
		}
	}
	return o
}

// yields reports whether a feed lets healthy feeds of its host go first.
func (o hostOrder) yields(f *store.Feed, now time.Time) bool {
	p := &f.Poll
	if p.Tries == 0 || p.Status != http.StatusTooManyRequests && p.Status != http.StatusServiceUnavailable {
		return false
	}
	oldest, ok := o[model.HostKey(f.URL)]
	return ok && !oldest.After(lastFetch(p, now)) && now.Before(p.NextFetch.Add(yieldMost))
}
