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
)

// TestYears lives for three years with 100 feeds that post once a day, 2 KB each, with
// texts and rows going after twelve months, and prints each quarter how large the library
// is and how much CPU it takes to begin: the first screen's read and the counters. After the
// first year as many items go as come, and neither may grow. What the library keeps of
// an item that is gone (its keys, its facts, and for the 40 % that stood on the screen what
// Ranked learns from) may be, in a year, no more than a ninth of what the first one brought.
func TestYears(t *testing.T) {
	const days, window = 3 * 365, 5
	feeds := 100
	if n, err := strconv.Atoi(os.Getenv("DIURNA_YEARS_FEEDS")); err == nil {
		feeds = n // a smaller life of the same shape
	}
	ctx, web, rnd := t.Context(), newFakeWeb(), rand.New(rand.NewPCG(3, 3))
	began := time.Now().AddDate(0, 0, -days)
	r := newLibrary(t, web)
	r.opts.Retention = retention.Ages{Text: 365 * 24 * time.Hour, Rows: 365 * 24 * time.Hour}
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
		t.Logf("after %4d days: %.1f MB, %d items of %d that came; first screen %.2f ms, counters %.2f ms", day, float64(q.size)/1e6, tot.Items, (day+1)*feeds,
			q.first.Seconds()*1e3, q.totals.Seconds()*1e3)
	}
	rep, err := r.store.Check(ctx, true, nil)
	if err != nil || len(rep.Findings) > 0 {
		t.Fatalf("%v, %+v", err, rep.Findings[:min(len(rep.Findings), 3)])
	}
	second, third := quarters[4:8], quarters[8:]
	largest := func(of []quarter, what func(quarter) float64) float64 {
		return what(slices.MaxFunc(of, func(a, b quarter) int { return int(what(a) - what(b)) }))
	}
	size := func(q quarter) float64 { return float64(q.size) }
	if more, first := largest(third, size)-largest(second, size), largest(quarters[:4], size); more > first/9 {
		t.Errorf("the third year adds %.0f bytes, the first %.0f", more, first)
	}
	for name, what := range map[string]func(quarter) float64{"first screen": func(q quarter) float64 { return float64(q.first) }, "counters": func(q quarter) float64 { return float64(q.totals) }} {
		if was, is := largest(second, what), largest(third, what); is > 1.1*was {
			t.Errorf("%s grows: %.0f in the second year, %.0f in the third", name, was, is)
		}
	}
}
