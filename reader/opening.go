package reader

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"diurna/scheduler"
)

// Opening is a fetch that the plan made before a usual look.
type Opening struct {
	Fetched time.Time // zero: there is none to tell of
	Look    time.Time // the usual look, on the grid of the habit model
}

// openingKey names in the bucket "plan" the newest such fetch.
const openingKey = "opening"

// openingFor is how long after the usual look the fetch is still told of.
const openingFor = time.Hour

// keptOpening is an Opening as it is kept, in unix s.
type keptOpening struct {
	Fetched int64 `json:"fetched"`
	Look    int64 `json:"look"`
}

// lookOf is the usual look that a slot stands before, unix s; 0: none.
func lookOf(s *scheduler.Slot) int64 {
	if s.Reason != scheduler.ReasonLook || s.Look.IsZero() {
		return 0
	}
	return s.Look.Unix()
}

// keepOpening notes the newest of these fetches that the plan made before a usual
// look and that did not fail. Failing to note it costs one line on the screen.
func (r *Reader) keepOpening(ctx context.Context, jobs []job, results []FetchResult) {
	before := map[FeedID]int64{}
	for i := range jobs {
		if j := &jobs[i]; j.before != 0 && j.look == 0 && !j.byHand && !j.opened {
			before[j.feed.ID] = j.before
		}
	}
	now := r.now().Unix()
	var newest keptOpening
	for i := range results {
		res := &results[i]
		if look := before[res.Feed]; look > now && res.Outcome != OutcomeFailed && res.Outcome != OutcomeEarly {
			newest = keptOpening{now, look}
		}
	}
	if newest.Look == 0 {
		return
	}
	b, err := json.Marshal(newest)
	if err == nil {
		err = r.store.Cache().Put(context.WithoutCancel(ctx), planBucket, map[string][]byte{openingKey: b})
	}
	if err != nil {
		slog.Debug("the fetch before a look could not be noted", "error", err)
	}
}

// opening is the fetch to tell of now: nobody looked since, and its usual look is
// at most openingFor ago.
func (r *Reader) opening(ctx context.Context) (Opening, error) {
	b, err := r.store.Cache().Get(ctx, planBucket, openingKey)
	var kept keptOpening
	if err != nil || b == nil || json.Unmarshal(b, &kept) != nil {
		return Opening{}, err
	}
	now := r.now()
	o := Opening{time.Unix(kept.Fetched, 0), time.Unix(kept.Look, 0)}
	if now.Before(o.Fetched) || now.After(o.Look.Add(openingFor)) {
		return Opening{}, nil
	}
	here, err := r.hereSince(ctx, o.Fetched)
	if err != nil || here {
		return Opening{}, err
	}
	return o, nil
}
