package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.FixedZone("", 3600))

// newStore opens a store on a folder of its own, without fsync: what happens in
// a power cut is not these tests' matter.
func newStore(tb testing.TB) *Store {
	tb.Helper()
	return openStore(tb, Options{Dir: filepath.Join(tb.TempDir(), "lib"), NoSync: true, Role: "test"})
}

func openStore(tb testing.TB, o Options) *Store {
	tb.Helper()
	s, err := Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// words are of our own making; text of them packs about as well as prose.
var words = strings.Fields(`harbour lantern slate copper meadow signal ferry ledger orchard kettle compass gravel
window paper thread engine river market winter letter garden bridge candle number station pocket mirror the a of and to
in is was for with that from by on at as it its had were which when where after before under over between without`)

func prose(r *rand.Rand, bytes int) string {
	var b strings.Builder
	b.WriteString("<p>")
	for b.Len() < bytes {
		b.WriteString(words[r.IntN(len(words))])
		if r.IntN(12) == 0 {
			fmt.Fprintf(&b, " %d,", r.IntN(10000))
		}
		if r.IntN(60) == 0 {
			fmt.Fprintf(&b, `</p><p><a href="https://%s.example/%x">`, words[r.IntN(len(words))], r.Uint64())
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// subscribe adds n feeds in one step.
func subscribe(tb testing.TB, s *Store, n int) []FeedID {
	tb.Helper()
	changes := make([]Change, n)
	for i := range changes {
		changes[i] = Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://site%d.example/feed.xml", i), Folder: words[i%20], Tags: []string{words[i%7]}}}
	}
	d := must(s.Act(tb.Context(), day, "import", changes...))(tb)
	return d.Feeds
}

// arrivals are n new items of about size bytes each; every third is dateless.
func arrivals(r *rand.Rand, n, size int, unread bool) []NewItem {
	out := make([]NewItem, n)
	for i := range out {
		it := &out[i]
		it.Title = strings.ToUpper(words[r.IntN(len(words))]) + " " + words[r.IntN(len(words))] + " and " + words[r.IntN(len(words))] + " 日本"
		it.Author = words[r.IntN(len(words))]
		it.Link = fmt.Sprintf("https://site.example/%x", r.Uint64())
		it.IDRaw = it.Link
		it.Words = size / 6
		it.Hash = r.Uint64()
		it.Categories = []string{words[r.IntN(len(words))]}
		if i%3 != 2 {
			it.Published = day.Add(-time.Duration(r.IntN(90*86400)) * time.Second)
		}
		it.Body.HTML = prose(r, size)
		it.Keys = []uint64{r.Uint64(), r.Uint64()}
		it.Unread = unread
	}
	return out
}

// fill makes a library of feeds with items each, in groups as a fetch files them.
func fill(tb testing.TB, s *Store, feeds, items, size int) []FeedID {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	ids := subscribe(tb, s, feeds)
	const group = 10 // 200 items
	for i := 0; i < len(ids); i += group {
		var fs []Filing
		for _, f := range ids[i:min(i+group, len(ids))] {
			fs = append(fs, Filing{Feed: f, Next: 1, New: arrivals(r, items, size, true), FeedTitle: "Feed " + f.String(),
				Poll: &Poll{ETag: `"x"`, Status: 200, LastFetch: day, Outcome: AnswerNew}, Outcome: &Outcome{Kind: AnswerNew, Status: 200, Bytes: 4000}})
		}
		for _, d := range must(s.File(tb.Context(), day, fs))(tb) {
			if d.Err != nil {
				tb.Fatal(d.Err)
			}
		}
	}
	return ids
}

// sound fails unless Check finds nothing.
func sound(tb testing.TB, s *Store, full bool) Report {
	tb.Helper()
	rep := must(s.Check(tb.Context(), full, nil))(tb)
	if len(rep.Findings) > 0 {
		tb.Fatalf("check: %+v", rep.Findings[:min(5, len(rep.Findings))])
	}
	return rep
}
