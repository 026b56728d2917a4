package plan

import (
	"diurna/reader/model"
	"diurna/store"
	"testing"
	"time"
)

// allowed are rules that forbid nothing.
type allowed struct{}

func (allowed) Early(*store.Feed, time.Time, bool) (model.Rule, time.Time) {
	return model.Rule{}, time.Time{}
}
func (allowed) Floor(*store.Feed) time.Duration         { return time.Minute }
func (allowed) Today(*store.Feed, time.Time) (int, int) { return 0, 0 }
func (allowed) Lost(*store.Feed, time.Time) int         { return 0 }

// A feed whose time went by makes the next step plan again at once while the day's
// budget pays it, else half an hour later and not at each step.
func TestSpentBudgetRests(t *testing.T) {
	p := New(nil, allowed{}, nil, nil, Options{})
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.Local)
	f := store.Feed{ID: 7, URL: "https://harbour.example/f"}
	f.Poll.LastFetch = now.Add(-5 * time.Hour)
	old := bookings{f.ID.String(): now.Add(-time.Hour).Unix()}
	for left, want := range map[int]time.Time{1: now, 0: now.Add(ReplanAfter), -1: now.Add(ReplanAfter)} {
		list, until := p.book(old, nil, []store.Feed{f}, left, now)
		if !until.Equal(want) || list[f.ID.String()] != old[f.ID.String()] {
			t.Errorf("%d left: until %v, want %v; booked %v", left, until, want, list)
		}
	}
}
