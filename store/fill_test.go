package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/record"
)

// TestPagesAreFull: keys and facts are most of what stays of an item whose text and row
// are gone. Feeds that bring an item a day leave their pages as full as random keys can
// (bbolt's halves: 69 %), and facts fill theirs, as do the rows of what is read day by day.
func TestPagesAreFull(t *testing.T) {
	s, rnd := newStore(t), rand.New(rand.NewPCG(1, 2))
	const feeds, days = 50, 100
	var subs []Change
	for i := range feeds {
		subs = append(subs, Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://f%d.example/", i)}})
	}
	ids := must(s.Act(t.Context(), day, "", subs...))(t).Feeds
	for d := range days {
		now := day.Add(time.Duration(d) * 24 * time.Hour)
		var list []Filing
		for _, f := range ids {
			list = append(list, Filing{Feed: f, Next: uint32(d + 1), Outcome: &Outcome{Kind: AnswerNew, Status: 200},
				New: []NewItem{{Item: Item{Title: "x", Published: now}, Keys: []uint64{rnd.Uint64() | 1, rnd.Uint64() | 1, rnd.Uint64() | 1}}}})
		}
		var came []ItemID
		for _, f := range must(s.File(t.Context(), now, list))(t) {
			if f.Err != nil {
				t.Fatal(f.Err)
			}
			came = append(came, f.Items...)
		}
		must(s.Act(t.Context(), now, "River", Change{Kind: MarkedRead, Items: came}))(t)
	}
	db := must(bolt.Open(s.Path(), 0o600, &bolt.Options{ReadOnly: true}))(t)
	defer db.Close()
	err := db.View(func(tx *bolt.Tx) error {
		for of, least := range map[*record.Bucket]float64{record.IDs: .6, record.Facts: .85, record.ReadRows: .8} {
			st := tx.Bucket(of.Name).Stats()
			if full := float64(st.LeafInuse) / float64(st.LeafAlloc); full < least {
				t.Errorf("the pages of %s are full by %.2f, want %.2f", of.Name, full, least)
			} else {
				t.Logf("%s: %.2f of %d pages", of.Name, full, st.LeafPageN+st.LeafOverflowN)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
