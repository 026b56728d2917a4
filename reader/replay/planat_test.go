package replay

import (
	"testing"
	"time"

	"diurna/scheduler"
)

// Shifting everything by three hours shifts every slot by exactly that.
func TestPlanAtShifts(t *testing.T) {
	const shift = 3 * 3600
	posts, people := Synthetic(1)
	people = people[1:2]
	at := time.Unix(syntheticStart+40*daySeconds+51_000, 0).UTC()
	b := scheduler.DefaultBudget(len(posts))
	a := PlanAt(posts, people, at, b, scheduler.Options{})
	for i := range posts {
		for k := range posts[i].Posts {
			posts[i].Posts[k] += shift
		}
	}
	for i := range people {
		for k := range people[i].Looks {
			people[i].Looks[k].Unix += shift
		}
	}
	moved := PlanAt(posts, people, at.Add(shift*time.Second), b, scheduler.Options{})
	if len(a.Slots) != len(moved.Slots) || len(a.Slots) < 50 {
		t.Fatalf("%d and %d slots", len(a.Slots), len(moved.Slots))
	}
	for k, s := range a.Slots {
		if d := moved.Slots[k].At.Sub(s.At); d != shift*time.Second || moved.Slots[k].ID != s.ID || moved.Slots[k].Reason != s.Reason {
			t.Errorf("slot %d of %s moved by %v", k, s.ID, d)
		}
	}
}
