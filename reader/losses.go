package reader

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"diurna/reader/feed"
	"diurna/reader/model"
	"diurna/scheduler"
	"diurna/store"
)

// extraLost names in Poll.Extra the fetches of the last 28 days that showed
// nothing known: "known-at known-at", unix seconds.
const extraLost = "lost"

// lossesOf reads them, those of the 28 days before now.
func lossesOf(p *store.Poll, now time.Time) []Loss {
	var out []Loss
	for _, word := range strings.Fields(p.Extra[extraLost]) {
		var known, at int64
		if _, err := fmt.Sscanf(word, "%d-%d", &known, &at); err != nil {
			continue
		}
		if t := time.Unix(at, 0); now.Sub(t) < statDays*24*time.Hour && !t.After(now.Add(time.Hour)) {
			out = append(out, Loss{Known: time.Unix(known, 0), At: t})
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
	var words []string
	for _, l := range list[max(0, len(list)-mostLosses):] {
		words = append(words, fmt.Sprintf("%d-%d", l.Known.Unix(), l.At.Unix()))
	}
	p.Extra = withExtra(p.Extra, extraLost, strings.Join(words, " "))
	g.lost = true
}

// leftOutOf says how many items of the last document were beyond the most that are
// read, "" if none were.
func leftOutOf(p *store.Poll) string {
	n, err := strconv.Atoi(p.Extra[extraLeftOut])
	if err != nil || n <= 0 {
		return ""
	}
	return feed.BeyondMost(n)
}
