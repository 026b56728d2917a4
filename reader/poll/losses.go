package poll

import (
	"time"

	"diurna/reader/feed"
	"diurna/reader/model"
	"diurna/store"
)

// Losses are the losses of the 28 days before now.
func Losses(p *store.Poll, now time.Time) []model.Loss {
	var out []model.Loss
	for _, l := range p.Lost {
		if t := time.Unix(l.At, 0); now.Sub(t) < lossDays*24*time.Hour && !t.After(now.Add(time.Hour)) {
			out = append(out, model.Loss{Known: time.Unix(l.Known, 0), At: t})
		}
	}
	return out
}

// lossDays is how many days a loss is remembered.
const lossDays = 28

// maxLosses bounds what is remembered: the planner's room shrinks to its least
// after five.
const maxLosses = 16

// NoteLoss remembers a fetch at a time that showed nothing of what was known at
// the last whole answer.
func NoteLoss(p *store.Poll, lastOK, at time.Time) {
	list := append(Losses(p, at), model.Loss{Known: lastOK, At: at})
	p.Lost = nil
	for _, l := range list[max(0, len(list)-maxLosses):] {
		p.Lost = append(p.Lost, store.Loss{Known: l.Known.Unix(), At: l.At.Unix()})
	}
}

// LeftOut says how many items of the last document were beyond the most that are
// read, "" if none were.
func LeftOut(p *store.Poll) string {
	if p.LeftOut <= 0 {
		return ""
	}
	return feed.BeyondMost(p.LeftOut)
}

// Today is FetchedToday of a feed.
func (r Rules) Today(f *store.Feed, now time.Time) (fetched, opened int) {
	return FetchedToday(&f.Poll, now)
}

// Lost counts the losses of a feed.
func (r Rules) Lost(f *store.Feed, now time.Time) int { return len(Losses(&f.Poll, now)) }
