package reader

import (
	"time"

	"diurna/reader/feed"
	"diurna/reader/model"
	"diurna/scheduler"
	"diurna/store"
)

// lossesOf are the losses of the 28 days before now.
func lossesOf(p *store.Poll, now time.Time) []Loss {
	var out []Loss
	for _, l := range p.Lost {
		if t := time.Unix(l.At, 0); now.Sub(t) < statDays*24*time.Hour && !t.After(now.Add(time.Hour)) {
			out = append(out, Loss{Known: time.Unix(l.Known, 0), At: t})
		}
	}
	return out
}

// mostLosses bounds what is remembered: the planner's room shrinks to its least
// after five.
const mostLosses = 16

// noteLoss remembers a fetch whose document holds nothing that was known before
// (Horincar 2012, section 6.2). A document of one item says nothing: it is
// replaced by the next post, lost or not. What a program pipes in is not fetched
// more often for it.
func noteLoss(p *store.Poll, g *gathered, f *store.Filing) {
	if g.h.err != nil || g.h.same || g.job.first || len(g.h.doc.Items) < 2 || model.IsPiped(g.job.feed.URL) {
		return
	}
	shown := len(f.New)
	if g.overlap {
		shown++ // at least one was known
	}
	if !scheduler.Saturated(shown, len(f.New), g.job.feed.Items) {
		return
	}
	list := append(lossesOf(p, g.h.at), Loss{Known: g.job.feed.Poll.LastOK, At: g.h.at})
	p.Lost = nil
	for _, l := range list[max(0, len(list)-mostLosses):] {
		p.Lost = append(p.Lost, store.Loss{Known: l.Known.Unix(), At: l.At.Unix()})
	}
	g.lost = true
}

// leftOutOf says how many items of the last document were beyond the most that are
// read, "" if none were.
func leftOutOf(p *store.Poll) string {
	if p.LeftOut <= 0 {
		return ""
	}
	return feed.BeyondMost(p.LeftOut)
}
