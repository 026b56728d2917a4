//go:build unix

package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// benchLibrary makes a library once for all benchmarks that ask for the same one.
var libraries = struct {
	sync.Mutex
	dirs map[string]string
}{dirs: map[string]string{}}

func benchLibrary(b *testing.B, feeds, items, size int) *Store {
	b.Helper()
	libraries.Lock()
	defer libraries.Unlock()
	name := fmt.Sprintf("%d-%d-%d", feeds, items, size)
	if libraries.dirs[name] == "" {
		dir, err := os.MkdirTemp("", "diurna-bench-")
		if err != nil {
			b.Fatal(err)
		}
		s, _ := Open(Options{Dir: dir, NoSync: true})
		fill(b, s, feeds, items, size)
		libraries.dirs[name] = dir
	}
	return openStore(b, Options{Dir: libraries.dirs[name]})
}

// cpu reports the processor time of an iteration, of all threads, which a busy
// machine does not stretch as it does the clock. It includes the garbage
// collector's and, where a benchmark stops its timer, what it does meanwhile.
func cpu(b *testing.B) func() {
	used := func() int64 {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	begin := used()
	return func() { b.ReportMetric(float64(used()-begin)/float64(b.N)/1e6, "cpu-ms/op") }
}

// BenchmarkSnapshot is the store's part of a start: the first 40 rows.
func BenchmarkSnapshot(b *testing.B) {
	for _, c := range []struct{ feeds, items int }{{300, 4}, {300, 334}, {1000, 100}} {
		b.Run(fmt.Sprintf("feeds=%d/items=%d", c.feeds, c.feeds*c.items), func(b *testing.B) {
			s := benchLibrary(b, c.feeds, c.items, 300)
			defer cpu(b)()
			for b.Loop() {
				if sh := must(s.Snapshot(b.Context(), Unread, 40))(b); len(sh.Rows) != 40 {
					b.Fatal(len(sh.Rows))
				}
			}
		})
	}
}

func BenchmarkTotals(b *testing.B) {
	s := benchLibrary(b, 1000, 100, 300)
	defer cpu(b)()
	for b.Loop() {
		must(s.Totals(b.Context()))(b)
	}
}

func BenchmarkRows(b *testing.B) {
	s := benchLibrary(b, 1000, 100, 300)
	defer cpu(b)()
	for b.Loop() {
		if rows := must(s.Rows(b.Context(), RowQuery{Which: All}))(b); len(rows) != 100_000 {
			b.Fatal(len(rows))
		}
	}
}

func BenchmarkRowsOfFeed(b *testing.B) {
	s := benchLibrary(b, 1000, 100, 300)
	defer cpu(b)()
	for b.Loop() {
		must(s.Rows(b.Context(), RowQuery{Which: All, Feed: 500}))(b)
	}
}

func BenchmarkBody(b *testing.B) {
	s := benchLibrary(b, 1000, 20, 3800)
	defer cpu(b)()
	for b.Loop() {
		must(s.Body(b.Context(), MakeItemID(500, 15)))(b)
	}
}

// BenchmarkFold visits 365,000 facts: a year of much reading.
func BenchmarkFold(b *testing.B) {
	s := openStore(b, Options{Dir: b.TempDir(), NoSync: true})
	fill(b, s, 100, 100, 50)
	r := rand.New(rand.NewPCG(9, 9))
	now := day
	for range 365 {
		facts := make([]Fact, 1000)
		for i := range facts {
			now = now.Add(time.Duration(r.IntN(170_000)) * time.Millisecond)
			id := MakeItemID(FeedID(1+r.IntN(100)), uint32(1+r.IntN(100)))
			facts[i] = Fact{Kind: []Kind{Opened, Looked, Shown, Opened}[i%4], At: now, Feed: id.Feed(), Items: []ItemID{id}}
			if facts[i].Kind == Shown {
				facts[i].Nums = []int64{int64(r.IntN(30))}
			}
		}
		if err := s.Note(b.Context(), now, facts...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(must(s.Totals(b.Context()))(b).Facts), "facts")
	defer cpu(b)()
	for b.Loop() {
		opened := 0
		var hours [24]int
		if _, err := s.Facts(b.Context(), 0, func(f *Fact) error {
			if f.Kind == Opened {
				opened++
				hours[f.At.Hour()]++
			}
			return nil
		}); err != nil || opened == 0 {
			b.Fatal(opened, err)
		}
	}
}

// BenchmarkFile is a cold fetch: 1,000 feeds with 20 items of 3.8 KB each, in
// groups of 10 feeds a transaction.
func BenchmarkFile(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	batches := make([][]NewItem, 1000)
	for i := range batches {
		batches[i] = arrivals(r, 20, 3800, true)
	}
	defer cpu(b)()
	for b.Loop() {
		b.StopTimer()
		s := openStore(b, Options{Dir: b.TempDir()})
		ids := subscribe(b, s, 1000)
		b.StartTimer()
		for i := 0; i < 1000; i += 10 {
			var fs []Filing
			for j, f := range ids[i : i+10] {
				fs = append(fs, Filing{Feed: f, Next: 1, New: batches[i+j], Poll: &Poll{ETag: `"x"`, Status: 200, LastFetch: day}, Outcome: &Outcome{Kind: AnswerNew, Status: 200}})
			}
			must(s.File(b.Context(), day, fs))(b)
		}
		b.StopTimer()
		rep := sound(b, s, false)
		b.ReportMetric(float64(rep.Size)/20_000, "db-bytes/item")
		b.ReportMetric(float64(rep.Free)/20_000, "free-bytes/item")
		b.StartTimer()
	}
}

// BenchmarkNothingNew is a round of 1,000 feeds that answer 304, in one transaction.
func BenchmarkNothingNew(b *testing.B) {
	s := benchLibrary(b, 1000, 20, 3800)
	fs := make([]Filing, 1000)
	for i := range fs {
		fs[i] = Filing{Feed: FeedID(i + 1), Poll: &Poll{ETag: `"x"`, Status: 304, LastFetch: day, Outcome: AnswerSame, Checks: []int64{day.Unix()}}}
	}
	defer cpu(b)()
	for b.Loop() {
		must(s.File(b.Context(), day, fs))(b)
	}
}

func BenchmarkMark(b *testing.B) {
	for _, n := range []int{1, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := benchLibrary(b, 1000, 100, 300)
			var ids []ItemID
			for _, r := range must(s.Rows(b.Context(), RowQuery{Which: All, Limit: n}))(b) {
				ids = append(ids, r.ID)
			}
			kind := MarkedUnread
			defer cpu(b)()
			for b.Loop() {
				kind = MarkedRead + MarkedUnread - kind
				must(s.Act(b.Context(), day, "", Change{Kind: kind, Items: ids}))(b)
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	s := benchLibrary(b, 1000, 100, 300)
	defer cpu(b)()
	for b.Loop() {
		sound(b, s, true)
	}
}

// How long others wait while a library of DIURNA_MB (300) is compacted. Measured by
// DIURNA_BENCH=1 go test -v -timeout 30m -run TestCompactWaits ./store
func TestCompactWaits(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("a measurement")
	}
	mb, err := strconv.Atoi(os.Getenv("DIURNA_MB"))
	if err != nil {
		mb = 300
	}
	dir := t.TempDir() + "/lib"
	quick := openStore(t, Options{Dir: dir, NoSync: true})
	ids := subscribe(t, quick, 1)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < mb*1_000_000/9_250; i += 200 {
		a := arrivals(r, 200, 100, true)
		for j := range a {
			b := make([]byte, 8000)
			for k := range b {
				b[k] = byte(' ' + r.IntN(90))
			}
			a[j].Body.HTML = string(b)
		}
		must(quick.File(t.Context(), day, []Filing{{Feed: ids[0], Next: uint32(i + 1), New: a, Poll: &Poll{}, Outcome: &Outcome{Kind: AnswerNew}}}))(t)
	}
	s := openStore(t, Options{Dir: dir, Wait: 5 * time.Minute})
	others := map[string]func(*Store) error{
		"unread": func(s *Store) error { return second(s.Totals(t.Context())) },
		"mark": func(s *Store) error {
			id := MakeItemID(ids[0], uint32(1+rand.IntN(1000)))
			return second(s.Act(t.Context(), day, "", Change{Kind: []Kind{MarkedRead, MarkedUnread}[rand.IntN(2)], Items: []ItemID{id}}))
		},
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for name, do := range others {
		other := openStore(t, Options{Dir: dir, Wait: 5 * time.Minute})
		wg.Go(func() {
			var all []time.Duration
			for done := false; !done; {
				select {
				case <-stop:
					done = true
				case <-time.After(5 * time.Millisecond):
				}
				begin := time.Now()
				if err := do(other); err != nil {
					t.Error(err)
				}
				all = append(all, time.Since(begin))
			}
			slices.Sort(all)
			t.Logf("%s: %d times, median %v, 99 of 100 within %v, longest %v", name, len(all), all[len(all)/2], all[len(all)*99/100], all[len(all)-1])
		})
	}
	begin := time.Now()
	before, after, err := s.Compact(t.Context())
	close(stop)
	wg.Wait()
	t.Logf("compacted %d -> %d MB in %v: %v", before>>20, after>>20, time.Since(begin), err)
}
