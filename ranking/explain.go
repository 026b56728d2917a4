package ranking

import (
	"math"
	"sort"
)

// Explain says why an item has its score.
func (b *Beliefs) Explain(v Vector) Explanation {
	w := b.view()
	e := Explanation{Start: w.m0, Opened: int(b.cur.opens), Shown: int(b.cur.shows), Explore: w.set.Explore,
		Keep: w.set.Keep, Idle: w.set.Idle, Agreement: w.agreement, Slope: w.cal.slope, Offset: w.cal.offset, Naive: w.naive(&v), Blend: w.cal.bayes, Terms: []Term{}}
	if v.again {
		e.Passed = w.cal.again
	}
	flags := b.cur.flag(v.feed)
	e.Pinned, e.Excluded = flags&pinned != 0, flags&excluded != 0
	if !e.Excluded {
		e.Terms = w.terms(&v)
	}
	e.Score, e.Chance, e.Bonus = e.Recompute()
	return e
}

// terms lists every feature of an item in the order in which score adds them up.
func (w *view) terms(v *Vector) []Term {
	out := []Term{w.term(v.feed, 1)}
	if v.folder >= 0 {
		out = append(out, w.folderTerm(v))
	}
	if v.author >= 0 {
		out = append(out, w.term(v.author, 1))
	}
	for _, id := range v.categories() {
		out = append(out, w.term(id, v.categoryWeight()))
	}
	for i, id := range v.learned() {
		out = append(out, w.term(id, v.soft[i]))
	}
	for _, id := range v.words() {
		out = append(out, w.term(id, v.wordWeight()))
	}
	return out
}

func (w *view) term(id int32, c float64) Term {
	n := w.b.names.list[id]
	t := Term{Subject: n.of, Kind: n.of.String(), Name: n.text, Weight: c, Alpha: w.alpha[id], Beta: w.beta[id]}
	if int(id) < len(w.b.cur.f) {
		f := &w.b.cur.f[id]
		t.Opened, t.Shown = int(f.opened), int(f.shown)
	}
	if w.silent(id) {
		t.Weight = 0
	}
	t.Effect = float64(t.Weight * (math.Log(t.Alpha/t.Beta) - w.logit))
	return t
}

// folderTerm says what the folder's prior did to the feed's term. Its weight is 0:
// the feed's line holds the effect already.
func (w *view) folderTerm(v *Vector) Term {
	s := &w.b.cur
	m := w.priorOf(v.feed)
	p := s.at(v.feed, w.k)
	t := Term{Subject: Folder, Kind: Folder.String(), Name: w.b.names.list[v.folder].text,
		Alpha: w.strength(v.feed) * m, Beta: w.strength(v.feed) * (1 - m)}
	for id, folder := range w.b.names.folder {
		if folder == v.folder && id < len(s.f) {
			t.Opened += int(s.f[id].opened)
			t.Shown += int(s.f[id].shown)
		}
	}
	alone := math.Log((PriorStrength*w.m0 + p.a) / (PriorStrength*(1-w.m0) + p.b))
	t.Effect = math.Log(w.alpha[v.feed]/w.beta[v.feed]) - alone
	return t
}

// Recompute is the score from the numbers of Explanation and the terms' weights and pairs alone,
// bit for bit what Rank uses. It follows score and combine step by step, over the terms instead of a
// vector.
func (e *Explanation) Recompute() (score, chance, bonus float64) {
	logit := math.Log(e.Start / (1 - e.Start))
	if e.Excluded {
		return e.Start, e.Start, 0
	}
	raw, up := logit, 0.
	for _, t := range e.Terms {
		if t.Weight == 0 {
			continue
		}
		raw += float64(t.Weight * (math.Log(t.Alpha/t.Beta) - logit))
		if t.Kind == Feed.String() {
			up = upOf(Setting{Explore: e.Explore, Keep: e.Keep}, e.Start, t.Alpha, t.Beta)
		}
	}
	return combine(&sums{raw, e.Naive, true}, up, &calibration{slope: e.Slope, offset: e.Offset, again: e.Passed, bayes: e.Blend})
}

// Steps are the terms by the size of their effect, a feed's folder right after
// it, each with the chance before and after it; then terms of no weight; at last what
// the calibration made of it and what naive Bayes added, terms of no subject.
func (e Explanation) Steps() []Step {
	var folder *Term
	terms := make([]Term, 0, len(e.Terms))
	for i, t := range e.Terms {
		if t.Kind == Folder.String() {
			folder = &e.Terms[i]
		} else {
			terms = append(terms, t)
		}
	}
	alone := func(t Term) float64 { // a feed's effect without its folder's
		if folder != nil && t.Kind == Feed.String() {
			return t.Effect - folder.Effect
		}
		return t.Effect
	}
	sort.SliceStable(terms, func(i, j int) bool {
		x, y := &terms[i], &terms[j]
		if (x.Weight == 0) != (y.Weight == 0) {
			return y.Weight == 0
		}
		return math.Abs(alone(*x)) > math.Abs(alone(*y))
	})
	raw := math.Log(e.Start / (1 - e.Start))
	plain := calibration{slope: 1}
	out := make([]Step, 0, len(e.Terms))
	step := func(t Term, effect float64) {
		_, from, _ := combine(&sums{raw: raw}, 0, &plain)
		raw += effect
		_, to, _ := combine(&sums{raw: raw}, 0, &plain)
		out = append(out, Step{t, from, to})
	}
	for _, t := range terms {
		step(t, alone(t))
		if folder != nil && t.Kind == Feed.String() {
			step(*folder, folder.Effect)
		}
	}
	if !e.Excluded {
		_, from, _ := combine(&sums{raw: raw}, 0, &plain)
		to := e.Chance
		if e.Blend > 0 {
			_, to, _ = combine(&sums{raw: raw, again: true}, 0, &calibration{slope: e.Slope, offset: e.Offset, again: e.Passed})
		}
		out = append(out, Step{Term{Kind: Calibration, Weight: 1}, from, to})
		if e.Blend > 0 {
			out = append(out, Step{Term{Kind: NaiveBayes, Weight: e.Blend}, to, e.Chance})
		}
	}
	return out
}

// The kinds of the last steps of an explanation: what came of such chances, and the other model.
const (
	Calibration = "calibration"
	NaiveBayes  = "bayes"
)
