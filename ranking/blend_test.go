package ranking

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// independent is a log of sessions whose rows are opened by their feed and four categories
// that say nothing of each other, which is what naive Bayes believes. It returns the chances too.
func independent(b *Beliefs, sessions int) (log []Event, chances []float64) {
	r := rand.New(rand.NewPCG(4, 4))
	effects := make([]float64, 60)
	for i := range effects {
		effects[i] = r.NormFloat64()
	}
	for session := range sessions {
		log = append(log, Event{Kind: Looked, At: int64(session)})
		for row := 1; row <= 10; row++ {
			feed := r.IntN(20)
			it, z := Item{ID: uint64(len(log)), Feed: fmt.Sprint(feed)}, effects[feed]-2
			for range 4 {
				c := 20 + r.IntN(40)
				it.Categories = append(it.Categories, fmt.Sprint(c))
				z += effects[c]
			}
			p := 1 / (1 + math.Exp(-z))
			v := b.Vector(it)
			log, chances = append(log, Event{Kind: Shown, Row: row, ID: it.ID, Item: v}), append(chances, p)
			if r.Float64() < p*DefaultReading(row) {
				log = append(log, Event{Kind: Opened, ID: it.ID, Item: v})
			}
		}
	}
	for i := range log {
		log[i].No = uint64(i + 1)
	}
	return log, chances
}

// TestBlend: where naive Bayes predicts better the log gives it weight, and the chances are
// nearer to the truth than without. Every step of an explanation goes on where the last ended.
func TestBlend(t *testing.T) {
	off := func() (off float64, b *Beliefs) {
		b = NewBeliefs()
		log, chances := independent(b, 600)
		n := 0
		for i := range log {
			if log[i].Kind == Shown {
				if n++; n > 3000 {
					d := b.Explain(log[i].Item).Chance - chances[n-1]
					off += d * d / 3000
				}
			}
			if err := b.Apply(log[i]); err != nil {
				t.Fatal(err)
			}
		}
		return math.Sqrt(off), b
	}
	with, b := off()
	log, _ := independent(b, 1)
	e := b.Explain(log[1].Item)
	prior, drift := calPrior[3], calDrift[3]
	calPrior[3], calDrift[3] = 0, 0
	without, _ := off()
	calPrior[3], calDrift[3] = prior, drift
	t.Logf("off by %.3f, without naive Bayes by %.3f; weight %.2f, slope %.2f", with, without, e.Blend, e.Slope)
	if with > .95*without || e.Blend < .05 {
		t.Errorf("off by %.3f, without naive Bayes by %.3f; its weight is %.2f", with, without, e.Blend)
	}
	for i := range log {
		if v := &log[i].Item; v.made && math.Abs(b.view().naive(v)-b.cur.naiveLogit(v)) > 1e-9 {
			t.Errorf("naive Bayes predicted %v and scores %v", b.cur.naiveLogit(v), b.view().naive(v))
		}
	}
	at := e.Start
	steps := e.Steps()
	for _, s := range steps {
		if math.Abs(s.From-at) > 1e-12 {
			t.Errorf("%s begins at %v, the step before ends at %v", s.Term.Kind, s.From, at)
		}
		at = s.To
	}
	if last := steps[len(steps)-1]; at != e.Chance || last.Term.Kind != NaiveBayes || last.Term.Weight != e.Blend {
		t.Errorf("%+v ends at %v, the chance is %v", last, at, e.Chance)
	}
}
