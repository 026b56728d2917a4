package ranking

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// world is a small library: its items as Beliefs see them.
func world(b *Beliefs) []Candidate {
	var out []Candidate
	for i := range 24 {
		it := Item{ID: uint64(i + 1), Feed: fmt.Sprint("feed", i%6), Author: fmt.Sprint("author", i%4)}
		if i%6 < 4 {
			it.Folder = fmt.Sprint("folder", i%2)
		}
		for j := range i % 3 {
			it.Categories = append(it.Categories, fmt.Sprint("category", (i+j)%5))
		}
		it.Topics = []Weighted{{fmt.Sprint("topic", i%4), .3 + float64(i%5)/10}, {"everywhere", .2}, {"hardly", .1}}
		for j := range 2 + i%6 {
			it.Words = append(it.Words, fmt.Sprint("word", (i*j+j)%11))
		}
		out = append(out, Candidate{ID: it.ID, At: int64(i), Item: b.Vector(it)})
	}
	return out
}

// drawLog draws a log; steps are pairs of events.
func drawLog(t *rapid.T, items []Candidate, most int, wild bool) []Event {
	n := rapid.IntRange(0, most).Draw(t, "events")
	r := rapid.Custom(func(t *rapid.T) Event {
		c := items[rapid.IntRange(0, len(items)-1).Draw(t, "item")]
		e := Event{ID: c.ID, Item: c.Item, Row: rapid.IntRange(1, 12).Draw(t, "row")}
		kinds := []Kind{Looked, Shown, Shown, Shown, Opened, Saved, Starred, WasRead}
		if wild {
			kinds = append(kinds, Trained)
		}
		e.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
		if e.Kind == Trained {
			l := &Feedback{Act: Act(rapid.IntRange(1, 13).Draw(t, "act")), Subject: Subject(rapid.IntRange(0, 6).Draw(t, "subject")),
				Name: fmt.Sprint("feed", rapid.IntRange(0, 7).Draw(t, "name")), A: 2, B: 1}
			l.Since = rapid.Int64Range(0, 40).Draw(t, "since")
			e.Feedback = l
		}
		return e
	})
	var out []Event
	for i := range n {
		e := r.Draw(t, "event")
		e.No, e.At = uint64(i+1), int64(i)
		e.Step = e.No &^ 1
		out = append(out, e)
	}
	return out
}

// fingerprint is everything a user can see of beliefs.
func fingerprint(b *Beliefs, items []Candidate) string {
	out := b.Table() + fmt.Sprint(b.Setting(), b.Opens(), b.Shows(), b.Frozen())
	for _, c := range items {
		out += fmt.Sprintf("%+v\n", b.Explain(c.Item))
	}
	return out + fmt.Sprint(b.Rank(items, RankOptions{Order: Ranked, Rows: 7}))
}

// feed takes in events one by one as a program does, folding again when told to.
func feed(t *rapid.T, b *Beliefs, all []Event, from int) {
	for i := from; i < len(all); i++ {
		switch err := b.Apply(all[i]); err {
		case nil:
		case ErrRefold:
			b.Refold(all[:i+1])
		default:
			t.Fatal(err)
		}
	}
}

// TestUndoLeavesNoTrace: a log with steps taken back is the log without them.
func TestUndoLeavesNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, plain := NewBeliefs(), NewBeliefs()
		items := world(b)
		world(plain)
		log := drawLog(t, items, 60, true)
		gone := map[uint64]bool{}
		full := append([]Event(nil), log...)
		no := uint64(len(log))
		for range rapid.IntRange(0, 4).Draw(t, "undos") {
			if len(log) == 0 {
				break
			}
			ref := log[rapid.IntRange(0, len(log)-1).Draw(t, "which")].No
			no++
			kind := Undone
			if gone[ref] {
				kind = Redone
			}
			gone[ref] = kind == Undone
			full = append(full, Event{No: no, Kind: kind, Ref: ref})
		}
		feed(t, b, full, 0)
		var kept []Event
		for _, e := range log {
			if !gone[e.No] && !(e.Step != 0 && gone[e.Step]) {
				kept = append(kept, e)
			}
		}
		plain.Refold(kept)
		if x, y := fingerprint(b, items), fingerprint(plain, items); x != y {
			t.Fatalf("with undo:\n%s\nwithout the steps:\n%s", x, y)
		}
	})
}

// TestCheckpointIsTheFold: fold(checkpoint, tail) = fold(all), whatever way the
// log was taken in, and wherever it was cut.
func TestCheckpointIsTheFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := NewBeliefs()
		items := world(all)
		// Long enough to move the base several times.
		times := rapid.IntRange(1, 20).Draw(t, "times")
		part := drawLog(t, items, 60, true)
		var log []Event
		for range times {
			for _, e := range part {
				e.No, e.At = uint64(len(log)+1), int64(len(log))
				e.Step = e.No
				log = append(log, e)
			}
		}
		if len(log) > 3 && rapid.Bool().Draw(t, "undo") {
			log[len(log)-1] = Event{No: uint64(len(log)), Kind: Undone, Ref: log[len(log)-3].No}
		}
		all.Refold(log)
		one := NewBeliefs()
		world(one)
		cut := rapid.IntRange(0, len(log)).Draw(t, "cut")
		feed(t, one, log[:cut], 0)
		data := one.Checkpoint()
		two, err := Resume(data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(two.Checkpoint(), data) {
			t.Fatal("a checkpoint read back is another")
		}
		feed(t, two, log, cut)
		if x, y := fingerprint(all, items), fingerprint(two, items); x != y {
			t.Fatalf("all at once:\n%s\ncheckpoint and tail:\n%s", x, y)
		}
		if all.Last() != two.Last() {
			t.Fatalf("last is %d and %d", all.Last(), two.Last())
		}
	})
}

// TestScoreFromTerms: the terms alone give the score, to the last bit, of every
// item, and every item is ranked once.
func TestScoreFromTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBeliefs()
		items := world(b)
		b.Refold(drawLog(t, items, 200, true))
		rows := b.Rank(items, RankOptions{Order: Ranked, Rows: 5})
		seen := map[int]bool{}
		for _, r := range rows {
			seen[r.Index] = true
			e := b.Explain(items[r.Index].Item)
			score, chance, bonus := e.Recompute()
			if score != r.Score || chance != r.Chance || bonus != r.Bonus || e.Score != r.Score {
				t.Fatalf("row %+v, explained as %+v", r, e)
			}
			// The steps end at the chance, but for the clamp on the way.
			if steps := e.Steps(); len(steps) > 0 {
				if d := steps[len(steps)-1].To - chance; d > 1e-9 || d < -1e-9 {
					t.Fatalf("the steps end at %v, the chance is %v", steps[len(steps)-1].To, chance)
				}
			}
			if score != chance+bonus || chance < 0 || chance > 1 || score < 0 || score > 1 {
				t.Fatalf("score %v of chance %v and bonus %v", score, chance, bonus)
			}
		}
		if len(seen) != len(items) {
			t.Fatalf("%d of %d items are ranked", len(seen), len(items))
		}
	})
}

func FuzzResume(f *testing.F) {
	b := NewBeliefs()
	items := world(b)
	b.Refold([]Event{{No: 1, Kind: Shown, Row: 1, ID: 1, Item: items[0].Item}, {No: 2, Kind: Trained, Feedback: &Feedback{Act: Pin, Name: "feed1"}}})
	f.Add(b.Checkpoint())
	f.Add([]byte{codecVersion})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range [][]byte{data, sealed(data)} {
			if b, err := Resume(d); err == nil {
				b.Rank([]Candidate{{Item: b.Vector(Item{Feed: "x"})}}, RankOptions{Order: Ranked})
				b.Table()
			}
		}
	})
}
