// Package advice decides whether to suggest a change of a watch's settings: the game of
// Saeyor & Ishizuka, fed with what is known of the watch. Start with Suggest.
package advice

import (
	"fmt"
	"math"
)

// Rate is how often something went well of how often it was tried.
type Rate struct{ Good, Of int }

// Watched is what is known of one watch when a suggestion is considered.
type Watched struct {
	Fetches, Changed int    // fetches, and those with a changed word
	Reported, Opened int    // changes reported, and looked at
	Restless         string // the rule of a block that changes every time, see page.Restless
	DaysSince        int    // days since the last suggestion; negative for never

	Alone    Rate // improved by itself: p0
	Unasked  Rate // improved after the reader adjusted unasked: p1
	Declined Rate // improved although a suggestion was declined: p2
	Accepted Rate // improved after a suggestion was followed: p3
	Adjusts  Rate // how often the reader adjusts at all
}

// Kind is what can be suggested.
type Kind string

// The kinds of advice.
const (
	RaiseInterval  Kind = "interval"
	RaiseThreshold Kind = "threshold"
	IgnoreBlock    Kind = "ignore"
	AlwaysChanges  Kind = "always"
)

// Verdict is the outcome of the game: P are p0..p3, Improve the chance of
// improvement, Interior whether the mixed equilibrium exists.
type Verdict struct {
	P        [4]float64
	Improve  float64
	Interior bool
	Suggest  bool
}

// Suggestion is one piece of advice with its reason.
type Suggestion struct {
	Kind    Kind
	Rule    string // IgnoreBlock: the rule
	Reason  string
	Verdict Verdict
}

// Play decides the game of Saeyor & Ishizuka (section 4) with the guards it
// needs, for pay-offs and a rate of adjusting from 0 to 1. The closed form is the value of the mixed equilibrium and holds only
// if both mixing probabilities lie in [0, 1]; otherwise the largest pay-off is
// the one pure equilibrium. At the mixed point the value is the same with and
// without a suggestion, so the observed rate of adjusting decides whether
// suggesting is the better move.
func Play(p [4]float64, adjusts float64) Verdict {
	v := Verdict{P: p}
	for _, x := range append([]float64{adjusts}, p[:]...) {
		if math.IsNaN(x) || x < 0 || x > 1 {
			return v
		}
	}
	if den := p[0] + p[3] - p[1] - p[2]; math.Abs(den) > 1e-9 {
		pa, pu := (p[0]-p[1])/den, (p[0]-p[2])/den
		if pa >= 0 && pa <= 1 && pu >= 0 && pu <= 1 {
			v.Interior = true
			v.Improve = min(max((p[1]*p[2]-p[0]*p[3])/-den, 0), 1) // rounding
			with := adjusts*p[3] + (1-adjusts)*p[2]
			without := adjusts*p[1] + (1-adjusts)*p[0]
			v.Suggest = v.Improve > 0.5 && with > without
			return v
		}
	}
	best := 0
	for i, x := range p {
		if x > p[best] {
			best = i
		}
	}
	v.Improve = p[best]
	v.Suggest = best >= 2 && v.Improve > 0.5
	return v
}

// Priors of the four pay-offs, worth priorWeight observations: nothing
// improves much by itself, adjusting helps as often as not; p3 starts from how
// significant the request is, as the paper proposes.
const (
	priorWeight = 4
	prior0      = 0.25
	prior1      = 0.5
	prior2      = 0.25
	priorPu     = 0.3
)

func (r Rate) smoothed(prior float64) float64 {
	n := max(r.Of, 0)
	good := min(max(r.Good, 0), n)
	return (float64(good) + priorWeight*prior) / (float64(n) + priorWeight)
}

// The evidence a suggestion needs before it is thought of.
const (
	leastReported = 5   // reported changes, before the threshold is questioned
	leastFetches  = 20  // fetches, before the interval is
	seldom        = .05 // changed in fewer fetches than this: poll less
	always        = .9  // changed in more than this: it always changes
	suggestEvery  = 7   // days between suggestions for one watch
)

// Suggest returns the advice to offer for a watch, if the game favours asking
// and the last one is a week old.
func Suggest(w Watched) (Suggestion, bool) {
	if w.DaysSince >= 0 && w.DaysSince < suggestEvery {
		return Suggestion{}, false
	}
	s, weight := candidate(w)
	if s.Kind == "" {
		return Suggestion{}, false
	}
	p := [4]float64{w.Alone.smoothed(prior0), w.Unasked.smoothed(prior1), w.Declined.smoothed(prior2), w.Accepted.smoothed(weight)}
	s.Verdict = Play(p, w.Adjusts.smoothed(priorPu))
	return s, s.Verdict.Suggest
}

// candidate picks what to suggest and how significant it is, 0 to 1.
func candidate(w Watched) (Suggestion, float64) {
	share := func(a, b int) float64 { return float64(a) / float64(max(b, 1)) }
	changed := share(w.Changed, w.Fetches)
	switch {
	case w.Restless != "":
		return Suggestion{Kind: IgnoreBlock, Rule: w.Restless,
			Reason: fmt.Sprintf("%q changes nearly every time", w.Restless)}, .9
	case w.Reported >= leastReported && share(w.Opened, w.Reported) < .25:
		return Suggestion{Kind: RaiseThreshold,
			Reason: fmt.Sprintf("you looked at %d of %d reported changes", w.Opened, w.Reported)}, 1 - share(w.Opened, w.Reported)
	case w.Fetches >= leastFetches && changed > always:
		return Suggestion{Kind: AlwaysChanges,
			Reason: fmt.Sprintf("this page always changes: %d of %d fetches", w.Changed, w.Fetches)}, changed
	case w.Fetches >= leastFetches && changed < seldom:
		return Suggestion{Kind: RaiseInterval,
			Reason: fmt.Sprintf("changed in %d of %d fetches", w.Changed, w.Fetches)}, 1 - changed
	}
	return Suggestion{}, 0
}
