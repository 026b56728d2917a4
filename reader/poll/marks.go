package poll

import (
	"slices"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// lately is how far back fetches are kept: the longest local day has 25 hours.
const lately = 26 * time.Hour

// keepMarks keeps them, without those that no day reaches back to and those
// that a clock gone wrong dated a day or more ahead.
func keepMarks(p *store.Poll, list []store.FetchMark, now time.Time) {
	p.Fetches = slices.DeleteFunc(list, func(m store.FetchMark) bool {
		ago := now.Unix() - m.At
		return ago >= int64(lately/time.Second) || ago <= -int64(lately/time.Second)
	})
}

// NoteFetch counts n fetches at a moment.
func NoteFetch(p *store.Poll, at time.Time, n int) {
	list := slices.Clone(p.Fetches)
	if i := slices.IndexFunc(list, func(m store.FetchMark) bool { return m.At == at.Unix() }); i >= 0 {
		list[i].N += n
	} else {
		list = append(list, store.FetchMark{At: at.Unix(), N: n})
	}
	keepMarks(p, list, at)
}

// NoteOpened says of the fetch at a moment that opening the screen caused it.
func NoteOpened(p *store.Poll, at time.Time) {
	list := slices.Clone(p.Fetches)
	for i := range list {
		if list[i].At == at.Unix() {
			list[i].Opened = true
		}
	}
	keepMarks(p, list, at)
}

// FetchedToday is how often a feed was fetched since the reader's local midnight,
// and how many of these were tokens. A moment that lies ahead, because the clock
// was set back since, counts as well.
func FetchedToday(p *store.Poll, now time.Time) (fetched, opened int) {
	from, to := model.DayBegins(now).Unix(), now.Add(lately).Unix()
	for _, v := range p.Fetches {
		if v.At < from || v.At >= to {
			continue
		}
		fetched += v.N
		if v.Opened {
			opened++
		}
	}
	return fetched, opened
}
