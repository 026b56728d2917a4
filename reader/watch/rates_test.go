package watch

import (
	"testing"
	"time"

	"diurna/reader/advice"
	"diurna/reader/model"
	"diurna/store"
)

// TestRates: a week with a change that nobody opened counts by what was done about it,
// as good if the next week had fewer.
func TestRates(t *testing.T) {
	const day = 24 * time.Hour
	begin := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	id := store.FeedID(7)
	l := &watchLog{reported: map[store.ItemID]time.Time{}, opened: map[store.ItemID]bool{}}
	for n, at := range []time.Duration{0, day, 7 * day, 8 * day, 14 * day, 21 * day} { // two, two, one, one, none
		l.reported[store.MakeItemID(id, uint32(n+1))] = begin.Add(at + time.Hour)
	}
	answered := map[uint64]bool{}
	for no, f := range []store.Fact{
		{At: begin.Add(2 * day), Field: AdviceAttr, New: "0 declined interval"},
		{At: begin.Add(9 * day), Field: AdviceAttr, New: "0 accepted threshold"},
		{At: begin.Add(9 * day), Field: attrThreshold, New: "2"},
		{At: begin.Add(22 * day), Field: attrThreshold, New: "3"},
	} {
		f.No = uint64(no + 1)
		if f.Step = f.No; no == 2 {
			f.Step = 2 // what the accepted advice set
		}
		l.adjust(&f, answered)
	}
	p := Page{Feed: model.Feed{Key: id, Subscribed: begin}}
	w := rates([]Page{p}, map[store.FeedID]*watchLog{id: l}, begin.Add(35*day))
	want := advice.Watched{Declined: advice.Rate{Of: 1}, Accepted: advice.Rate{Good: 1, Of: 1}, Alone: advice.Rate{Of: 1}, Unasked: advice.Rate{Good: 1, Of: 1}, Adjusts: advice.Rate{Good: 2, Of: 4}}
	if w != want {
		t.Errorf("%+v, want %+v", w, want)
	}
}
