package scheduler

import "slices"

// notHere counts the posts of one source that were out and not yet here at some look
// (Sia 2009, Eq. 2.1); posts, fetches and looks ascend.
func notHere(posts, fetches, looks []int64) int {
	n := 0
	for _, p := range posts {
		// The first look at or after the post, and the first fetch that
		// brings it: missed if the look came first. A fetch at the moment of
		// the look is one that the look finds under way.
		l, _ := slices.BinarySearch(looks, p)
		f, _ := slices.BinarySearch(fetches, p)
		if l < len(looks) && (f == len(fetches) || looks[l] <= fetches[f]) {
			n++
		}
	}
	return n
}

// NotHereEvenly is what n evenly spaced fetches in [from, to) would have left of
// the posts that were out and not yet here at some look, averaged over 24 phases; with
// n = one an hour it is what hourly polling would. All times in one unit, ascending.
func NotHereEvenly(posts, looks []int64, from, to int64, n int) float64 {
	const phases = 24
	if n < 1 || to <= from {
		return float64(notHere(posts, nil, looks))
	}
	step := float64(to-from) / float64(n)
	fetches := make([]int64, 0, n+2)
	sum := 0
	for phase := range phases {
		fetches = fetches[:0]
		// One before and one after the period: even spacing has no edges.
		for k := -1; k <= n; k++ {
			fetches = append(fetches, from+int64((float64(k)+float64(phase)/phases)*step))
		}
		sum += notHere(posts, fetches, looks)
	}
	return float64(sum) / phases
}

// Heat counts looks in [since, now) by local weekday, Monday first, and hour.
func Heat(looks []Event, since, now int64) (out [7][24]int) {
	for _, l := range looks {
		if l.Unix < since || l.Unix >= now {
			continue
		}
		local := l.Unix + int64(l.Offset)
		d := (local - ((local%day)+day)%day) / day
		// Day 0 of the epoch was a Thursday; rows begin with Monday.
		out[((d+3)%7+7)%7][(local-d*day)/3600]++
	}
	return out
}
