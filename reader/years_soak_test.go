//go:build soak && unix

package reader

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"diurna/reader/interest"
	"diurna/reader/retention"
	"diurna/store"

	bolt "go.etcd.io/bbolt"
)

// TestYears lives for three years with 100 feeds that post once a day, 2 KB each, with
// texts and rows going after twelve months, and prints each quarter how large the library
// is and how much CPU it takes to begin: the first screen's read and the counters. After the
// first year as many items go as come, and neither may grow (DIURNA_YEARS_FEEDS=20 is a smaller life of
// the same shape, DIURNA_YEARS_DAYS=728 a shorter one). What the library keeps of
// an item that is gone (its keys, its facts, and for the 40 % that stood on the screen what
// Ranked learns from) may be, in a year, no more than a ninth of what the first one brought.
//
// With DIURNA_YEARS_ROWS=kept rows stay. Then a year may add no more than a fifth of what the
// first brought, and each year's end is followed by what lies in which bucket.
func TestYears(t *testing.T) {
	const window = 5
	days, feeds, kept := 3*365, 100, os.Getenv("DIURNA_YEARS_ROWS") == "kept"
	for of, name := range map[*int]string{&days: "DAYS", &feeds: "FEEDS"} {
		if n, err := strconv.Atoi(os.Getenv("DIURNA_YEARS_" + name)); err == nil {
			*of = n
		}
	}
	ctx, web, rnd := t.Context(), newFakeWeb(), rand.New(rand.NewPCG(3, 3))
	began := time.Now().AddDate(0, 0, -days)
	r := newLibrary(t, web)
	r.opts.Retention = retention.Ages{Text: 365 * 24 * time.Hour, Rows: 365 * 24 * time.Hour}
	if kept {
		r.opts.Retention.Rows = 0
	}
	var words []string
	for range 4000 {
		b := make([]byte, 3+rnd.IntN(8))
		for i := range b {
			b[i] = byte('a' + rnd.IntN(26))
		}
		words = append(words, string(b))
	}
	says := func(seed uint64, n int) string {
		text := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(words[int(text.ExpFloat64()*400)%len(words)] + " ")
		}
		return b.String()
	}
	address := func(i int) string { return fmt.Sprintf("https://f%d.example/feed", i) }
	serve := func(day int) {
		for i := range feeds {
			var items []string
			for d := max(0, day-window+1); d <= day; d++ {
				seed := uint64(d*feeds + i)
				items = append(items, fmt.Sprintf("i%d|%s|%s|%s", d, says(seed, 40), began.AddDate(0, 0, d).Add(-time.Duration(i)*time.Minute).UTC().Format(time.RFC1123Z), says(seed+1<<40, 2000)))
			}
			web.serve(address(i), "application/rss+xml", rssOf(fmt.Sprint("Feed ", i), items...))
		}
	}
	serve(0)
	for i := range feeds {
		add(t, r.At(began), address(i), SubscribeOptions{})
	}
	type quarter struct {
		size          int64
		first, totals time.Duration
	}
	var quarters []quarter
	var years []*store.Store // copies of the library
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	least := func(do func() error) time.Duration {
		best := time.Hour
		for range 15 {
			from := cpu()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			best = min(best, cpu()-from)
		}
		return best
	}
	for day := 1; day <= days; day++ {
		now := began.AddDate(0, 0, day).Add(time.Hour)
		x := r.At(now)
		serve(day)
		if rep, err := x.Fetch(ctx, FetchRequest{All: true}, nil); err != nil || rep.New != feeds {
			t.Fatalf("day %d: %+v, %v", day, rep, err)
		}
		if err := x.Looked(ctx); err != nil {
			t.Fatal(err)
		}
		rows, err := x.Rows(ctx, mustQuery(t, "unread"), 120)
		if err != nil {
			t.Fatal(err)
		}
		var read []ItemID
		var shown []interest.Impression
		for i, row := range rows {
			if i < feeds*2/5 {
				shown = append(shown, interest.Impression{ID: row.ID, Row: i%20 + 1})
			}
			if i < max(feeds/20, 1) {
				if _, err := x.Open(ctx, row.ID); err != nil {
					t.Fatal(err)
				}
			}
			if i < feeds {
				read = append(read, row.ID)
			}
		}
		if err := x.Ranker().Shown(ctx, now, now, shown); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Mark(ctx, MarkRead, "River", read, ""); err != nil {
			t.Fatal(err)
		}
		if day%3 == 0 {
			if _, err := x.Mark(ctx, Save, "", read[:1], ""); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := x.Retain(ctx); err != nil {
			t.Fatal(err)
		}
		if day%364 == 0 {
			logBuckets(t, r.store.Path())
			years = append(years, copyOf(t, r.store))
		}
		if day%91 != 0 {
			continue
		}
		rep, err := r.store.Check(ctx, false, nil)
		if err != nil || len(rep.Findings) > 0 {
			t.Fatalf("%v, %+v", err, rep.Findings[:min(len(rep.Findings), 3)])
		}
		q := quarter{rep.Size - rep.Free, least(func() error { _, err := r.Snapshot(ctx, 100); return err }), least(func() error { _, err := r.Totals(ctx); return err })}
		quarters = append(quarters, q)
		tot, err := r.Totals(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("after %4d days: %.1f MB in a file of %.1f, %d items of %d that came; first screen %.2f ms, counters %.2f ms", day, float64(q.size)/1e6, float64(rep.Size)/1e6, tot.Items, (day+1)*feeds,
			q.first.Seconds()*1e3, q.totals.Seconds()*1e3)
	}
	rep, err := r.store.Check(ctx, true, nil)
	if err != nil || len(rep.Findings) > 0 {
		t.Fatalf("%v, %+v", err, rep.Findings[:min(len(rep.Findings), 3)])
	}
	before, after := years[0], years[len(years)-1]
	for name, read := range map[string]func(s *store.Store) error{
		"first screen": func(s *store.Store) error {
			_, err := s.Snapshot(ctx, store.All, 100)
			return err
		},
		"unread and counters": func(s *store.Store) error {
			_, err := s.Rows(ctx, store.RowQuery{})
			if err == nil {
				_, err = s.Totals(ctx)
			}
			return err
		},
		"all rows": func(s *store.Store) error {
			_, err := s.Rows(ctx, store.RowQuery{Which: store.All})
			return err
		},
	} {
		took := map[*store.Store]time.Duration{}
		for range 20 {
			for _, s := range years { // in turn: whatever else the machine does hits all alike
				if d := least(func() error { return read(s) }); took[s] == 0 || d < took[s] {
					took[s] = d
				}
			}
		}
		for i, s := range years {
			t.Logf("%s after %d years: %.3f ms", name, i+1, took[s].Seconds()*1e3)
		}
		if name != "all rows" && took[after] > took[before]*11/10 {
			t.Errorf("%s grows", name)
		}
	}
	if len(quarters) < 12 {
		return
	}
	largest := func(of []quarter) int64 {
		return slices.MaxFunc(of, func(a, b quarter) int { return int(a.size - b.size) }).size
	}
	first, more := largest(quarters[:4]), largest(quarters[8:])-largest(quarters[4:8])
	most := first / 9
	if kept {
		most = first / 5
	}
	if more > most {
		t.Errorf("the third year adds %d bytes, the first %d", more, first)
	}
}

// copyOf is a library as it is now.
func copyOf(t *testing.T, s *store.Store) *store.Store {
	dir := t.TempDir()
	if home := os.Getenv("DIURNA_YEARS_COPIES"); home != "" { // to stay
		var err error
		if dir, err = os.MkdirTemp(home, "year"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Backup(t.Context(), dir+"/diurna.db"); err != nil {
		t.Fatal(err)
	}
	c, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// logBuckets prints what takes how much of a library.
func logBuckets(t *testing.T, path string) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			keys, values := 0, 0
			err := b.ForEach(func(k, v []byte) error {
				keys, values = keys+len(k), values+len(v)
				return nil
			})
			if s := b.Stats(); s.KeyN > 0 {
				t.Logf("%-8s %6d records: keys %8d, values %8d; pages %9d, of which %3.0f %% are full", name, s.KeyN, keys, values, s.LeafAlloc+s.BranchAlloc,
					100*float64(s.LeafInuse)/float64(max(s.LeafAlloc, 1)))
			}
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
