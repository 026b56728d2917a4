package plan

import (
	"testing"

	"diurna/reader/wording"
)

// TestLearnedWords: of a feed that never posted no window is told to last a
// century, and nothing is shown finer than it is known.
func TestLearnedWords(t *testing.T) {
	for _, c := range []struct {
		p    FeedPlan
		want string
	}{
		{FeedPlan{PerWeek: .0018, Window: 10}, "no post so far; window of 10 items"},
		{FeedPlan{Posts: 3, PerWeek: .0018, Window: 10}, "3 posts, 0.0 a week; window of 10 items lasts over a year"},
		{FeedPlan{Posts: 9, PerWeek: 9, Window: 20}, "9 posts, 9.0 a week; window of 20 items lasts 2 weeks"},
		{FeedPlan{Posts: 9, PerWeek: 20, Window: 1}, "9 posts, 20.0 a week; window of 1 item lasts 0.3 days"},
	} {
		if got := c.p.learnedWords(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestShareWords: opens and showings are said as such: an item may be shown many times.
func TestShareWords(t *testing.T) {
	p := FeedPlan{Share: 2, PerDay: 1200, Weight: .55, Opened: 1, Shown: 46}
	const want = "2 of 1,200 fetches a day; weight .55 (opened 1 time, shown 46 times)"
	for _, l := range p.Lines(wording.Clock{}) {
		if l.Label == "share" && l.Text == want {
			return
		}
	}
	t.Errorf("%q is not in %v", want, p.Lines(wording.Clock{}))
}
