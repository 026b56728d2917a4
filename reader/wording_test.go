package reader

import (
	"testing"
	"time"

	"diurna/reader/plan"
	"diurna/reader/poll"
	"diurna/reader/watch"
	"diurna/store"
)

func TestAStepNamesTagsAsPeopleWriteThem(t *testing.T) {
	s := store.Step{No: 1, Kind: store.Adjusted, Feed: 7, Count: 1, Field: "tags", New: "sea\nslow ships"}
	want := `Tide Tables: tags changed to "sea, slow ships"`
	if got := describe(&s, map[FeedID]*Feed{7: {Title: "Tide Tables"}}).What; got != want {
		t.Errorf("%s\nwant: %s", got, want)
	}
}

func TestAnswersToAdviceAreWords(t *testing.T) {
	for kept, want := range map[string]string{
		"1795287691 declined ignore": "Pier: advice to ignore a block declined", "1795287691 accepted interval": "Pier: advice to fetch it less often accepted",
	} {
		s := store.Step{No: 1, Kind: store.Adjusted, Feed: 7, Count: 1, Field: watch.AdviceAttr, New: kept}
		if got := describe(&s, map[FeedID]*Feed{7: {Title: "Pier"}}).What; got != want {
			t.Errorf("%s\nwant: %s", got, want)
		}
	}
}

func TestAStepTellsPagesFromFeeds(t *testing.T) {
	feeds := map[FeedID]*Feed{7: {Title: "Pier", Watched: true}, 8: {Title: "Tide Tables"}}
	for want, s := range map[string]store.Step{
		"began to watch Pier":           {Kind: store.Subscribed, Feed: 7, Count: 1},
		"stopped watching Pier":         {Kind: store.Unsubscribed, Feed: 7, Count: 1},
		"subscribed to Tide Tables":     {Kind: store.Subscribed, Feed: 8, Count: 1},
		"unsubscribed from Tide Tables": {Kind: store.Unsubscribed, Feed: 8, Count: 1},
		"unsubscribed from 2 feeds":     {Kind: store.Unsubscribed, Feed: 7, Count: 2},
	} {
		if got := describe(&s, feeds).What; got != want {
			t.Errorf("%s\nwant: %s", got, want)
		}
	}
}

func TestCutShortCountsInWords(t *testing.T) {
	for n, want := range map[int]string{
		0:  "the feed was cut short; 0 complete items were kept",
		1:  "the feed was cut short; 1 complete item was kept",
		17: "the feed was cut short; 17 complete items were kept",
	} {
		if got := poll.CutShort(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// A fetch that another process serves says the same next time as the list does:
// that of the plan which is being carried out.
func TestPlannedFetchIsShown(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 31, 0, 0, time.UTC)
	f := Feed{Key: 7, State: FeedOK, LastFetch: at, NextFetch: at.Add(4 * time.Hour)}
	for _, c := range []struct {
		name  string
		state FeedState
		next  time.Time // in the plan
		want  time.Time
	}{
		{"planned", FeedOK, at.Add(5 * time.Hour), at.Add(5 * time.Hour)},
		{"a slot that is over", FeedOK, at.Add(-time.Hour), at.Add(4 * time.Hour)},
		{"gone", FeedGone, at.Add(5 * time.Hour), at.Add(4 * time.Hour)},
	} {
		f.State = c.state
		got := planned(f, map[string]plan.Noted{f.Key.String(): {At: c.next.Unix(), Reason: "look"}}).NextFetch
		if !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
