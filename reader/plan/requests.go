package plan

import (
	"context"
	"diurna/store"
	"errors"
	"fmt"
	"sync"
	"time"
)

// requests remembers which feeds were asked for, and up to which fact it has read.
type requests struct {
	mu    sync.Mutex
	seen  uint64
	asked map[store.FeedID]time.Time
	look  bool // the reader came to the screen; not answered yet
}

// NoteLook remembers that the reader came to the screen.
func (p *Planner) NoteLook() {
	w := p.requests
	w.mu.Lock()
	defer w.mu.Unlock()
	w.look = true
}

// TakeLook reports whether the reader came to the screen since the last call.
func (p *Planner) TakeLook() bool {
	w := p.requests
	w.mu.Lock()
	defer w.mu.Unlock()
	look := w.look
	w.look = false
	return look
}

func newRequests() *requests { return &requests{asked: map[store.FeedID]time.Time{}} }

// Requested returns the feeds that some process asked to be fetched and that
// have no newer result yet.
func (p *Planner) Requested(ctx context.Context, feeds []store.Feed, now time.Time) (map[store.FeedID]bool, error) {
	last := map[store.FeedID]time.Time{}
	for i := range feeds {
		last[feeds[i].ID] = feeds[i].Poll.LastFetch
	}
	w := p.requests
	w.mu.Lock()
	defer w.mu.Unlock()
	seen, err := p.lib.Facts(ctx, w.seen, func(f *store.Fact) error {
		if f.Kind == store.Asked && !f.At.After(now.Add(time.Hour)) { // a fact dated by a clock that was ahead would count for years
			for _, n := range f.Nums {
				w.asked[store.FeedID(n)] = f.At
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, fmt.Errorf("read what was asked for: %w", err)
	}
	w.seen = max(seen, w.seen)
	open := map[store.FeedID]bool{}
	for id, at := range w.asked {
		if t, ok := last[id]; !ok || t.After(at) {
			delete(w.asked, id)
			continue
		}
		open[id] = true
	}
	return open, nil
}
