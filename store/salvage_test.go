package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// What is left of a library is counted whatever was done to its file: whole,
// cut, with zeroed pages, without its tree.
func TestRemains(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	ids := fill(t, s, 10, 30, 1500)
	backup := t.TempDir() + "/backup"
	if err := s.Backup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	must(s.File(ctx, day, []Filing{{Feed: ids[0], Next: 31, New: arrivals(rand.New(rand.NewPCG(5, 5)), 7, 900, true)}}))(t)
	for i := range uint32(40) {
		must(s.Act(ctx, day, "River", Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(ids[i%10], 1+i/10)}}))(t)
	}
	must(s.Undo(ctx, day, 0, 0))(t)
	facts := must(s.Totals(ctx))(t).Facts
	whole := must(os.ReadFile(s.Path()))(t)
	look := func(name string, b []byte) Salvaged {
		path := t.TempDir() + "/hurt"
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(name, err)
		}
		return must(s.Salvaged(ctx, path))(t)
	}
	all := look("whole", whole)
	if all.Feeds != 10 || all.Items != 307 || all.Facts != facts || all.Missing != 0 || !all.Last.Equal(day) {
		t.Fatalf("of a whole library: %+v", all)
	}
	headless := bytes.Clone(whole)
	clear(headless[:8192])
	if got := look("headless", headless); got != all {
		t.Errorf("without its first pages: %+v", got)
	}
	half := look("cut", whole[:len(whole)/2])
	if half == all || half.Items+half.Bodies == 0 || half.Items > all.Items || half.Bodies > all.Bodies { // where what lies is chance
		t.Errorf("of half a library: %+v", half)
	}
	some := all
	for seed := uint64(4); some == all && seed < 30; seed++ { // some pages hold nothing, and where they lie is chance
		zeroed := bytes.Clone(whole)
		r := rand.New(rand.NewPCG(seed, 4))
		for range len(zeroed) / 4096 / 10 {
			p := 2 + r.IntN(len(zeroed)/4096-2)
			clear(zeroed[p*4096 : (p+1)*4096])
		}
		some = look("zeroed", zeroed)
	}
	if some == all || some.Items+some.Bodies == 0 || some.Items > all.Items || some.Facts+some.Missing > facts {
		t.Errorf("with a tenth of the pages zeroed: %+v", some)
	}
	if got := look("letter", bytes.Repeat([]byte("Dear reader. "), 9000)); got != (Salvaged{}) {
		t.Errorf("of a letter: %+v", got)
	}
	aside := must(s.Restore(ctx, day, backup))(t)
	if got := must(s.Lost(ctx, aside))(t); got != (Lost{Until: got.Until, Acts: 41, Items: 7, Related: true}) || !got.Until.Equal(day) {
		t.Errorf("after restoring: %+v", got)
	}
	must(s.Act(ctx, day.Add(1), "", Change{Kind: Saved, Items: []ItemID{MakeItemID(ids[0], 3)}}))(t)
	now := must(s.Restore(ctx, day, aside))(t)
	if got := must(s.Lost(ctx, now))(t); !got.Related || got.Items != 0 || got.Acts > 1 {
		t.Errorf("after restoring again: %+v", got)
	}
	if got := must(newStoreOf(t).Lost(ctx, aside))(t); got.Related {
		t.Errorf("of another library: %+v", got)
	}
	t.Logf("half: %+v; zeroed: %+v", half, some)
}

// newStoreOf is another library, an hour younger.
func newStoreOf(t *testing.T) *Store {
	s := newStore(t)
	must(s.Act(t.Context(), day.Add(time.Hour), "", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://other.example"}}))(t)
	return s
}
