//go:build linux

package store

import (
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"
)

// soaker lives with 200 feeds, day by day.
type soaker struct {
	t     *testing.T
	s     *Store
	r     *rand.Rand
	feeds []FeedID
	now   time.Time
	items []ItemID // of the last days
}

// day is four rounds of fetches, some twenty acts and a backup. Some feeds post
// five times a day, most once a week; an eighth of what comes is an edit.
func (w *soaker) day() {
	ctx := w.t.Context()
	for range 4 {
		w.now = w.now.Add(6 * time.Hour)
		for i := 0; i < len(w.feeds); i += 10 {
			var group []Filing
			for _, f := range w.feeds[i : i+10] {
				group = append(group, w.filing(f))
			}
			for _, d := range must(w.s.File(ctx, w.now, group))(w.t) {
				if d.Err != nil {
					w.t.Fatal(d.Err)
				}
				w.items = append(w.items, d.Items...)
			}
		}
		w.items = w.items[max(0, len(w.items)-500):]
		w.acts()
	}
	if err := w.s.Backup(ctx, w.s.Path()+".backup"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *soaker) filing(f FeedID) Filing {
	p := &Poll{ETag: w.now.String(), LastFetch: w.now, Status: 304, Outcome: AnswerSame, Checks: []int64{w.now.Unix()}}
	often := 28
	if f%20 == 0 {
		often = 1
	}
	if w.r.IntN(often) > 0 {
		return Filing{Feed: f, Poll: p}
	}
	next := must(w.s.Match(w.t.Context(), f, nil))(w.t).Next
	g := Filing{Feed: f, Next: next, New: arrivals(w.r, 1, 1500, true), Poll: p, Outcome: &Outcome{Kind: AnswerNew, Status: 200, Bytes: 30_000}}
	if next > 1 && w.r.IntN(8) == 0 {
		g.Edited = []EditedItem{{N: 1 + w.r.Uint32N(next-1), NewItem: arrivals(w.r, 1, 1500, false)[0], KeepRevision: true}}
	}
	return g
}

func (w *soaker) acts() {
	ctx := w.t.Context()
	for range 5 {
		c := Change{Kind: []Kind{MarkedRead, MarkedRead, Saved, Tagged, Unsaved}[w.r.IntN(5)], Value: words[w.r.IntN(9)]}
		for range 1 + w.r.IntN(8) {
			c.Items = append(c.Items, w.items[w.r.IntN(len(w.items))])
		}
		d := must(w.s.Act(ctx, w.now, "River", c))(w.t)
		if d.Step != 0 && w.r.IntN(6) == 0 {
			must(w.s.Undo(ctx, w.now, d.Step, 0))(w.t)
		}
	}
	if err := w.s.Note(ctx, w.now, Fact{Kind: Opened, Items: w.items[len(w.items)-1:]}, Fact{Kind: Shown, Items: w.items[len(w.items)-1:], Nums: []int64{0}}); err != nil {
		w.t.Fatal(err)
	}
	must(w.s.Snapshot(ctx, Unread, 60))(w.t)
	must(w.s.Body(ctx, w.items[0]))(w.t)
}

// used is the heap in bytes, the descriptors and the goroutines of this process.
func used(t *testing.T) (heap, files, routines int) {
	t.Helper()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc), len(must(os.ReadDir("/proc/self/fd"))(t)), runtime.NumGoroutine()
}

// Weeks of life leave nothing behind in memory, and little in the file that is
// not the library's. DIURNA_SOAK=1 lives 24 weeks, else it is one.
func TestSoak(t *testing.T) {
	days := 7
	if os.Getenv("DIURNA_SOAK") != "" {
		days = 24 * 7
	}
	w := &soaker{t: t, s: newStore(t), r: rand.New(rand.NewPCG(24, 7)), now: day}
	w.feeds = subscribe(t, w.s, 200)
	w.day() // what is made once is made
	heap, files, routines := used(t)
	maxHeap := heap
	for n := 1; n < days; n++ {
		w.day()
		if n%7 == 0 {
			h, f, r := used(t)
			maxHeap = max(maxHeap, h)
			if f > files || r > routines+2 {
				t.Errorf("day %d: %d descriptors, %d at first; %d goroutines, %d at first", n, f, files, r, routines)
			}
		}
	}
	h, f, _ := used(t)
	if grown := max(h, maxHeap) - heap; grown > 10<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if f != files {
		t.Errorf("%d descriptors, %d at first", f, files)
	}
	rep := sound(t, w.s, true)
	live := rep.Size - rep.Free
	if days > 28 && rep.Size > 2*live {
		t.Errorf("the file is %d bytes for %d of live pages", rep.Size, live)
	}
	t.Logf("%d days: %d items, %d facts, file %.1f MB (%.1f live, %d bytes an item), heap %.1f -> %.1f MB (most %.1f), %d descriptors",
		days, rep.Items, rep.Facts, float64(rep.Size)/1e6, float64(live)/1e6, live/int64(max(rep.Items, 1)), float64(heap)/1e6, float64(h)/1e6, float64(maxHeap)/1e6, f)
}
