package plan

import (
	"cmp"
	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/scheduler"
	"diurna/store"
	"math"
	"time"
)

func (p *Planner) planOptions() scheduler.Options {
	o := &p.opts
	return scheduler.Options{PlanFor: o.PlanFor, Memory: &p.habits.daily, MinPoll: max(o.MinPoll, time.Second),
		MinManual: max(o.MinManual, time.Second), HostGap: max(o.HostGap, 1)} // 0 would mean the default
}

func feedOf(s *scheduler.Source) store.FeedID {
	id, _ := store.ParseFeedID(s.ID)
	return id
}

// sources describes the feeds as the planner sees them. A feed that is gone is
// no source. A feed without a weight of its own, as a new one, gets the mean.
func (p *Planner) sources(feeds []store.Feed, asked map[store.FeedID]bool, weights map[string]float64, now time.Time) []scheduler.Source {
	var list []scheduler.Source
	usual := MeanWeight(weights)
	for i := range feeds {
		f, state := &feeds[i], &feeds[i].Poll
		if state.Gone && !asked[f.ID] || model.IsPiped(f.URL) {
			continue
		}
		s := scheduler.Source{
			ID: f.ID.String(), Host: model.HostKey(f.URL), Window: state.Window, LastFetch: state.LastFetch,
			NotBefore: state.NotBefore, NotBeforeBy: state.NotBeforeBy.String(),
			SkipHours: poll.Mask(state.SkipHours, 24), SkipDays: uint8(poll.Mask(state.SkipDays, 7)),
			Interval: model.IntervalOf(f), Asked: asked[f.ID], Weight: cmp.Or(weights[f.ID.String()], usual),
			Lost: p.rules.Lost(f, now),
		}
		// A clock that was wrong once must not bind for ever.
		s.LastFetch = lastFetch(state, now)
		if s.NotBefore.After(now.Add(model.MaxServerWait)) {
			s.NotBefore, s.NotBeforeBy = time.Time{}, ""
		}
		if bare := s.LastFetch.Add(p.rules.Floor(f)); s.Interval == 0 && p.rules.Floor(f) >= poll.BareWait && bare.After(s.NotBefore) {
			s.NotBefore, s.NotBeforeBy = bare, store.Wait{Cause: store.WaitNoValidators}.String()
		}
		if s.Interval == 0 {
			s.MinPoll = p.rules.Floor(f)
		}
		s.Fetched, _ = p.rules.Today(f, now)
		if state.Tries > 0 && !s.Asked {
			s.Retry = state.NextFetch
			if s.Retry.After(now.Add(model.MaxServerWait)) {
				s.Retry = now
			}
			if state.NoNetwork {
				s.LastFetch = s.Retry.Add(-24 * time.Hour) // the last try cost nobody anything
			}
		}
		list = append(list, s)
	}
	return list
}

// MeanWeight is the mean of the learned weights, 0 if there are none.
func MeanWeight(weights map[string]float64) float64 {
	sum := 0
	for _, w := range weights {
		sum += int(math.Round(100 * w)) // whole hundredths add up the same in any order
	}
	if sum == 0 {
		return 0
	}
	return math.Round(float64(sum)/float64(len(weights))) / 100
}

// lastFetch is when a feed was fetched last; what lies in the future, by a clock
// that was wrong, counts as two days ago: overdue, and spread out with the
// others that are.
func lastFetch(p *store.Poll, now time.Time) time.Time {
	if p.LastFetch.After(now.Add(time.Hour)) {
		return now.Add(-48 * time.Hour)
	}
	return p.LastFetch
}
