package ranking

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// wordy is a reader whose openings hang on an item's feed and subject, of which its
// category and most of its words tell the same again. It is a log of weeks of five
// sessions a day, newest first.
func wordy(b *Beliefs, seed uint64, weeks int) []Event {
	r := rand.New(rand.NewPCG(seed, 7))
	feeds, subjects := make([]float64, 30), make([]float64, 20)
	for i := range feeds {
		feeds[i] = r.NormFloat64() * .8
	}
	for i := range subjects {
		subjects[i] = r.NormFloat64() * 1.3
	}
	base := -3 + r.Float64()*1.5
	var out []Event
	id := uint64(0)
	for session := range weeks * 35 {
		at := int64(session) * 7 * 24 * 3600 / 35
		out = append(out, Event{Kind: Looked, At: at})
		for row := 1; row <= 15; row++ {
			id++
			feed, subject := r.IntN(len(feeds)), r.IntN(len(subjects))
			it := Item{ID: id, Feed: fmt.Sprint("feed", feed), Folder: fmt.Sprint("folder", feed%5)}
			if r.IntN(10) < 7 {
				it.Categories = []string{fmt.Sprint("category", subject)}
			}
			for w := range 9 {
				word := fmt.Sprintf("word%d-%d", subject, r.IntN(12))
				if w >= 6 {
					word = fmt.Sprint("common", r.IntN(200))
				}
				it.Words = append(it.Words, word)
			}
			v := b.Vector(it)
			out = append(out, Event{Kind: Shown, Row: row, ID: id, Item: v, At: at + int64(row)})
			p := 1 / (1 + math.Exp(-(base + feeds[feed] + subjects[subject])))
			if r.Float64() < DefaultReading(row)*p {
				out = append(out, Event{Kind: Opened, ID: id, Item: v, At: at + int64(row)})
			}
		}
	}
	for i := range out {
		out[i].No = uint64(i + 1)
	}
	return out
}

// TestCalibration: of rows of weeks not learned from, said to be opened with chance p if
// read, p are, though words of one title say the same again and again.
func TestCalibration(t *testing.T) {
	sum, worst := 0., 0.
	const readers = 12
	for seed := range uint64(readers) {
		b := NewBeliefs()
		log := wordy(b, seed, 8)
		opens := 0
		for i := range log {
			if log[i].Kind == Opened && log[i].At >= 4*weekSeconds {
				opens++
			}
		}
		h := b.Replay(log, nil, 20, opens)
		if h.Rows < 2000 {
			t.Errorf("reader %d: %d rows", seed, h.Rows)
		}
		sum, worst = sum+h.Error/readers, max(worst, h.Error)
	}
	t.Logf("expected calibration error %.3f, at most %.3f", sum, worst)
	if sum > .03 {
		t.Errorf("the chances are off by %.3f", sum)
	}
}

// TestNotCalibrated: what the terms add up to without the map is off by far: that is what
// it is for.
func TestNotCalibrated(t *testing.T) {
	b := NewBeliefs()
	b.Refold(wordy(b, 1, 8))
	if b.cur.cal.slope > .6 {
		t.Errorf("slope %v: words that say the same again are believed", b.cur.cal.slope)
	}
}

// TestPassedOver: where items that were shown and left are never opened later, the map
// learns that, and such an item has a smaller chance than one that just came.
func TestPassedOver(t *testing.T) {
	b := NewBeliefs()
	r := rand.New(rand.NewPCG(9, 9))
	var log []Event
	v := b.Vector(Item{ID: 1, Feed: "a"})
	for i := range 2000 {
		if i%20 == 0 {
			log = append(log, Event{Kind: Looked})
		}
		again := i%2 == 0
		log = append(log, Event{Kind: Shown, Row: 1, ID: uint64(i), Item: v.Again(again)})
		if !again && r.IntN(2) == 0 {
			log = append(log, Event{Kind: Opened, ID: uint64(i), Item: v})
		}
	}
	for i := range log {
		log[i].No = uint64(i + 1)
	}
	b.Refold(log)
	fresh, old := b.Explain(v), b.Explain(v.Again(true))
	if b.cur.cal.again > -2.5 || old.Chance > .1 || fresh.Chance < .35 || fresh.Passed != 0 || old.Passed != b.cur.cal.again {
		t.Errorf("again %v: %v and %v", b.cur.cal.again, fresh.Chance, old.Chance)
	}
	last := uint64(1999) // shown in the session that is under way, for the first time
	if b.ShownBefore(last, true) || !b.ShownBefore(1998, true) || !b.ShownBefore(5000, true) {
		t.Error("an item is passed over in the session in which it came")
	}
}

// TestGain: an order that puts first what is opened gains, with an interval above 0; one
// where chance alone opens does not.
func TestGain(t *testing.T) {
	for _, known := range []bool{true, false} {
		r := rand.New(rand.NewPCG(5, 6))
		b := NewBeliefs()
		var log []Event
		var stays []Stay
		no := uint64(0)
		for session := range int64(60) {
			at := session * 20000
			var came []Candidate
			for i := range 30 {
				no++
				c := Candidate{ID: no, At: at - int64(i) - 1, Item: b.Vector(Item{ID: no, Feed: fmt.Sprint("feed", i%6)})}
				came = append(came, c)
				stays = append(stays, Stay{Candidate: c, Until: at + 10000})
			}
			log = append(log, Event{Kind: Looked, At: at})
			for row, c := range came {
				log = append(log, Event{Kind: Shown, Row: row + 1, ID: c.ID, Item: c.Item, At: at})
				if chance := r.Float64(); known && c.ID%6 == 0 && chance < .7 || !known && chance < .12 {
					log = append(log, Event{Kind: Opened, ID: c.ID, Item: c.Item, At: at})
				}
			}
		}
		for i := range log {
			log[i].No = uint64(i + 1)
		}
		h := b.Replay(log, stays, 10, 100)
		if h.Looks < 10 || (h.Low > 0) != known || h.High < h.Low || math.Abs(h.NDCG-h.NDCGNewest-h.Gain) > 1e-9 {
			t.Errorf("known %v: %+v", known, h)
		}
	}
}
