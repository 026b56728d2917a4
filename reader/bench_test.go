package reader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"diurna/reader/align/aligntest"
	"diurna/reader/watch"
	"diurna/store"
)

// prose returns n bytes of made-up HTML text.
func prose(n, seed int) string {
	words := strings.Fields("the harbour lamp was out for eleven minutes last night and nobody on the pier saw it but the ferry crew who wrote it down")
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		if i%40 == 0 {
			b.WriteString("&lt;p&gt;")
		}
		seed = seed*1103515245 + 12345
		fmt.Fprintf(&b, "%s%d ", words[(seed>>16&0x7fff)%len(words)], seed>>20&7)
	}
	return b.String()
}

// BenchmarkImport subscribes to 1,000 feeds of a list, without fetching them; in
// the second form each has a password and a token.
func BenchmarkImport(b *testing.B) {
	for _, of := range []struct{ name, line string }{{"plain", "https://h%d.example/feed\n"}, {"secret", "https://u:p%d@h%[1]d.example/feed?token=t%[1]d\n"}} {
		b.Run(of.name, func(b *testing.B) {
			var list strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&list, of.line, i)
			}
			for b.Loop() {
				s, err := store.Open(store.Options{Dir: b.TempDir()})
				if err != nil {
					b.Fatal(err)
				}
				rep, err := New(s, Options{}).Import(b.Context(), []byte(list.String()), ImportOptions{NoFetch: true}, nil)
				if err != nil || len(rep.Added) != 1000 {
					b.Fatal(len(rep.Added), err)
				}
				s.Close()
			}
		})
	}
}

// BenchmarkColdFetch subscribes to 100 feeds of 20 items of 4 KB each and
// fetches them from a publisher inside the process.
func BenchmarkColdFetch(b *testing.B) {
	web := newFakeWeb()
	var urls strings.Builder
	for f := range 100 {
		var items []string
		for i := range 20 {
			items = append(items, fmt.Sprintf("g%d-%d|Title number %d of feed %d|%s|%s", f, i, i, f, ago(time.Duration(i)*time.Hour), prose(4000, f*20+i)))
		}
		u := fmt.Sprintf("https://h.example/f%d", f)
		web.serve(u, "application/rss+xml", rssOf(fmt.Sprintf("Feed %d", f), items...))
		fmt.Fprintln(&urls, u)
	}
	for b.Loop() {
		s, err := store.Open(store.Options{Dir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		r := New(s, Options{Version: "test", Transport: web, Net: Net{PerHost: 32, MinHostInterval: -1}})
		rep, err := r.Import(b.Context(), []byte(urls.String()), ImportOptions{}, nil)
		if err != nil || len(rep.Added) != 100 {
			b.Fatalf("%+v, %v", rep, err)
		}
		if t, err := r.Totals(b.Context()); err != nil || t.Items != 2000 {
			b.Fatalf("%+v, %v", t, err)
		}
		r.Close()
		s.Close()
	}
}

// BenchmarkDiffBehindLargePages reads a diff while eight large pages, new all
// over, are weighed in the background without end: how long a user waits, and
// how long one such page takes.
func BenchmarkDiffBehindLargePages(b *testing.B) {
	pub := newFakeWeb()
	s, err := store.Open(store.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	r := New(s, Options{Version: "test", Transport: pub, Net: Net{MinHostInterval: -1}})
	watched := func(address, body string) *store.Feed {
		pub.serve(address, "text/html", body)
		w, err := r.Pages().Watch(b.Context(), address, watch.Options{})
		if err != nil {
			b.Fatal(err)
		}
		feeds, err := r.store.Feeds(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		f := &feeds[slices.IndexFunc(feeds, func(f store.Feed) bool { return f.ID == w.Page.Key })]
		return f
	}
	small, large := watched(pier, timetable(summer, "3")), watched("https://x.example/", aligntest.OneBlock(0, 1<<21))
	pub.serve(pier, "text/html", timetable(winter, "3"))
	if _, err := r.At(time.Now().Add(day)).Fetch(b.Context(), FetchRequest{Feeds: []FeedID{small.ID}}, nil); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var weighed atomic.Int64
	var pages sync.WaitGroup
	begin := time.Now()
	for n := range 8 {
		pages.Go(func() {
			address := fmt.Sprintf("https://x.example/%d", n) // as its own feed would be fetched
			for seed := uint64(1); ctx.Err() == nil; seed++ {
				pub.serve(address, "text/html", aligntest.OneBlock(seed, 1<<21))
				f := *large
				f.URL = address
				g := pendingResult{job: job{feed: &f}}
				if r.refresh.fetchPage(ctx, &g, watch.NewRound()); g.broken == nil {
					weighed.Add(1)
				}
			}
		})
	}
	time.Sleep(time.Second) // they stand in line
	for b.Loop() {
		if _, err := r.Pages().Change(b.Context(), small.ID, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(time.Since(begin).Seconds()/float64(weighed.Load()), "s/page")
	stop()
	pages.Wait()
}
