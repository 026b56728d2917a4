package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"diurna/store/pages"
	"diurna/store/record"
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
	look := func(name string, b []byte) Remains {
		path := t.TempDir() + "/hurt"
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(name, err)
		}
		return must(s.Remains(ctx, path))(t)
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
	zeroed := bytes.Clone(whole)
	r := rand.New(rand.NewPCG(4, 4))
	for range len(zeroed) / 4096 / 10 {
		p := 2 + r.IntN(len(zeroed)/4096-2)
		clear(zeroed[p*4096 : (p+1)*4096])
	}
	some := look("zeroed", zeroed)
	if some == all || some.Items+some.Bodies == 0 || some.Items > all.Items || some.Facts+some.Missing > facts {
		t.Errorf("with a tenth of the pages zeroed: %+v", some)
	}
	if got := look("letter", bytes.Repeat([]byte("Dear reader. "), 9000)); got != (Remains{}) {
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

// TestRemainsOfShortBucket: an element whose damaged length leaves less than a
// page's head of its bucket is passed over.
func TestRemainsOfShortBucket(t *testing.T) {
	for length := range uint32(16 + pages.HeadSize + 1) {
		b := make([]byte, pages.HeadSize+pages.ElementSize+16+pages.HeadSize)
		pages.Native.PutUint16(b[10:], 1)
		e := b[pages.HeadSize:]
		pages.Native.PutUint32(e, pages.BucketLeaf)
		pages.Native.PutUint32(e[4:], uint32(len(b)-pages.HeadSize)-length)
		pages.Native.PutUint32(e[12:], length)
		g := &salvage{runs: map[uint64][]byte{}, seen: map[*record.Bucket]map[uint64]bool{}}
		if good := pages.Records(b, g.record); good != 0 {
			t.Errorf("a bucket of %d bytes: %d records", length, good)
		}
	}
}

// FuzzRemains: no file makes the reading of remains fail or run away.
func FuzzRemains(f *testing.F) {
	f.Add([]byte("leaf"), uint16(3), uint16(2))
	f.Fuzz(func(t *testing.T, page []byte, count, flags uint16) {
		b := make([]byte, 3*4096)
		copy(b[2*4096+pages.HeadSize:], page)
		pages.Native.PutUint16(b[2*4096+8:], flags)
		pages.Native.PutUint16(b[2*4096+10:], count)
		g := &salvage{runs: map[uint64][]byte{}, seen: map[*record.Bucket]map[uint64]bool{}}
		pages.Records(b[2*4096:], g.record)
		g.count(nil)
	})
}
