package ranking

import (
	"fmt"
	"testing"
)

// TestLongStepTakenBack: a step of more facts than the tail holds, such as a table
// that was edited as a whole, is taken back as a whole: folded one by one, folded
// again, and after a checkpoint; and nothing that came after it is lost.
func TestLongStepTakenBack(t *testing.T) {
	for _, n := range []int{1, tailKeep - 1, tailKeep + 1, 2*tailKeep - 1, 2 * tailKeep, 3*tailKeep + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := NewBeliefs()
			items := world(b)
			log := []Event{{No: 1, Step: 1, At: 10, Kind: Opened, ID: items[0].ID, Item: items[0].Item}}
			b.Refold(log)
			for i := range n {
				l := &Feedback{Act: SetPairs, Subject: Word, Name: fmt.Sprint("w", i%7), A: float64(i % 50), B: 3}
				log = append(log, Event{No: uint64(2 + i), Step: 2, At: 20, Kind: Trained, Feedback: l})
			}
			after := Event{No: uint64(2 + n), Step: uint64(2 + n), At: 30, Kind: Opened, ID: items[1].ID, Item: items[1].Item}
			undo := Event{No: uint64(3 + n), Step: uint64(3 + n), Ref: 2, At: 40, Kind: Undone}
			want := NewBeliefs()
			world(want)
			want.Refold([]Event{log[0], after})
			log = append(log, after, undo)
			for _, e := range log[1:] {
				if err := b.Apply(e); err != nil {
					b.Refold(log[:e.No])
				}
			}
			if got, want := fingerprint(b, items), fingerprint(want, items); got != want {
				t.Errorf("one by one:\n%s\nwant\n%s", got, want)
			}
			b.Refold(log)
			if got, want := fingerprint(b, items), fingerprint(want, items); got != want {
				t.Errorf("again:\n%s\nwant\n%s", got, want)
			}
			again, err := Resume(b.Checkpoint())
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fingerprint(again, items), fingerprint(want, items); got != want {
				t.Errorf("from a checkpoint:\n%s\nwant\n%s", got, want)
			}
		})
	}
}
