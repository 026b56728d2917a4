package reader

import (
	"context"
	"time"
)

// Opening is a fetch that the plan made before a usual look.
type Opening struct {
	Fetched time.Time // zero: there is none to tell of
	Look    time.Time // the usual look, on the grid of the habit model
}

// openingFor is how long after the usual look the fetch is shown.
const openingFor = time.Hour

// keepOpening notes the newest fetch that the plan made before a usual look and that did
// not fail. If that cannot be written, one line on the screen is missing.
func (r *refresher) keepOpening(ctx context.Context, jobs []job, results []FetchResult) {
	before := map[FeedID]int64{}
	for i := range jobs {
		if j := &jobs[i]; j.before != 0 && j.look == 0 && !j.byHand && !j.opened {
			before[j.feed.ID] = j.before
		}
	}
	now := r.now().Unix()
	var look int64
	for i := range results {
		res := &results[i]
		if at := before[res.Feed]; at > now && res.Outcome != OutcomeFailed && res.Outcome != OutcomeEarly {
			look = at
		}
	}
	if look != 0 {
		r.plan.NoteOpening(context.WithoutCancel(ctx), now, look)
	}
}

// Opening returns the fetch that the plan made before the usual look that begins now; the
// zero Opening where there is none, or the reader looked since.
func (r *Reader) Opening(ctx context.Context) (Opening, error) {
	fetched, look, err := r.plan.NotedOpening(ctx)
	if err != nil || look == 0 {
		return Opening{}, err
	}
	now := r.now()
	o := Opening{time.Unix(fetched, 0), time.Unix(look, 0)}
	if now.Before(o.Fetched) || now.After(o.Look.Add(openingFor)) {
		return Opening{}, nil
	}
	here, err := r.hereSince(ctx, o.Fetched)
	if err != nil || here {
		return Opening{}, err
	}
	return o, nil
}
