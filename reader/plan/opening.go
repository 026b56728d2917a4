package plan

import (
	"context"
	"encoding/json"
	"log/slog"

	"diurna/scheduler"
)

// openingKey names in the bucket "plan" the newest fetch before a usual look.
const openingKey = "opening"

// keptOpening is such a fetch as it is kept, in unix s.
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

// NoteOpening notes when a feed was fetched, in unix s, before a usual look.
// Failing to note it costs one line on the screen.
func (p *Planner) NoteOpening(ctx context.Context, fetched, look int64) {
	b, err := json.Marshal(keptOpening{fetched, look})
	if err == nil {
		err = p.lib.Cache().Put(ctx, planBucket, map[string][]byte{openingKey: b})
	}
	if err != nil {
		slog.Debug("the fetch before a look could not be noted", "error", err)
	}
}

// NotedOpening returns what NoteOpening noted last; zeros: nothing.
func (p *Planner) NotedOpening(ctx context.Context) (fetched, look int64, err error) {
	b, err := p.lib.Cache().Get(ctx, planBucket, openingKey)
	var kept keptOpening
	if err != nil || b == nil || json.Unmarshal(b, &kept) != nil {
		return 0, 0, err
	}
	return kept.Fetched, kept.Look, nil
}
