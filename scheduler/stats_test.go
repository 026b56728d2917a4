package scheduler

import (
	"math"
	"testing"
)

func TestNotHere(t *testing.T) {
	posts := []int64{10, 20, 30, 40, 50}
	for _, c := range []struct {
		fetches, looks []int64
		want           int
	}{
		{[]int64{25, 60}, []int64{24}, 2},        // 10 and 20 came with the fetch after the look
		{[]int64{25, 60}, []int64{26}, 0},        // nothing new since the fetch
		{[]int64{25, 60}, []int64{45, 46}, 2},    // 30 and 40, once although looked for twice
		{[]int64{20}, []int64{21, 55}, 3},        // a fetch at the moment of the post has it
		{[]int64{25, 60}, []int64{25}, 2},        // the fetch that a look starts comes after it
		{nil, []int64{100}, 5},                   // never fetched
		{[]int64{5, 15, 25, 35, 45, 55}, nil, 0}, // never looked
	} {
		if got := notHere(posts, c.fetches, c.looks); got != c.want {
			t.Errorf("fetches %v, looks %v: %d, want %d", c.fetches, c.looks, got, c.want)
		}
	}
}

// One post an hour and one look a day: with n fetches a day a look finds half of
// the posts between two fetches missing.
func TestNotHereEvenly(t *testing.T) {
	var posts, looks []int64
	for h := range int64(24 * 60) {
		posts = append(posts, h*3600)
	}
	for d := range int64(60) {
		looks = append(looks, d*day+50000)
	}
	for _, n := range []int{2, 6, 24} {
		got := NotHereEvenly(posts, looks, 0, 60*day, n*60)
		if want := 60 * 24 / float64(n) / 2; math.Abs(got-want) > 0.06*want+30 {
			t.Errorf("%d a day: %v, want about %v", n, got, want)
		}
	}
	if NotHereEvenly(posts, looks, 0, 60*day, 60*4) <= NotHereEvenly(posts, looks, 0, 60*day, 60*24) {
		t.Error("hourly polling is no better")
	}
}

func TestHeat(t *testing.T) {
	// Monday 5 January 2026, 23:30 UTC: Tuesday 0:30 an hour further east.
	const late = 1_767_655_800
	got := Heat([]Event{{Unix: late}, {Unix: late, Offset: 3600}, {Unix: late - 9*day}}, late-day, late+1)
	if got[0][23] != 1 || got[1][0] != 1 {
		t.Errorf("%v", got)
	}
	sum := 0
	for _, d := range got {
		for _, n := range d {
			sum += n
		}
	}
	if sum != 2 {
		t.Errorf("%d looks counted", sum)
	}
}
