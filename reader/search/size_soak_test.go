//go:build soak && linux

package search

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"diurna/reader/words"
	"diurna/store"
)

var (
	manyTexts = flag.Int("texts", 50_000, "how many texts of 2 KB TestFindAtSize indexes")
	manyAsked = flag.Int("queries", 100, "how many queries of each kind TestFindAtSize asks")
	keptIndex = flag.String("index", "", "the folder in which TestFindAtSize keeps the index for its next run")
)

// written is a library of texts that are written as they are asked for.
type written struct {
	fakeLibrary
	words []string
	n     int
}

func (w *written) Totals(context.Context) (store.Totals, error) {
	return store.Totals{Facts: 1}, nil
}

func (w *written) Facts(_ context.Context, after uint64, visit func(*store.Fact) error) (uint64, error) {
	f := store.Fact{No: 1, Kind: store.Arrived}
	for i := range w.n {
		f.Items = append(f.Items, store.MakeItemID(1, uint32(i+1)))
	}
	if after == 0 {
		if err := visit(&f); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

func (w *written) text(id store.ItemID) string {
	r := rand.New(rand.NewPCG(uint64(id), 5))
	zipf := rand.NewZipf(r, 1.1, 3, uint64(len(w.words)-1))
	var b strings.Builder
	for b.Len() < 2048 {
		b.WriteString(w.words[zipf.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

func (w *written) Items(_ context.Context, ids []store.ItemID) ([]store.Item, error) {
	out := make([]store.Item, len(ids))
	for i, id := range ids {
		title := w.text(id)[1000:1060]
		out[i] = store.Item{ID: id, Title: title, Author: strings.Fields(title)[1], FirstSeen: time.Unix(int64(id.N())*600, 0)}
	}
	return out, nil
}

func (w *written) Bodies(_ context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error {
	for _, id := range ids {
		visit(id, store.Body{HTML: w.text(id)})
	}
	return nil
}

// TestFindAtSize measures queries of one to four words, of phrases, of beginnings and of
// fields over many texts against a scan of the same texts, and the index's size. Cold is
// the first one of a process with nothing of the index in memory.
//
//	go test -tags soak -v -run TestFindAtSize ./reader/search -texts 500000
func TestFindAtSize(t *testing.T) {
	w := &written{n: *manyTexts}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60_000 {
		w.words = append(w.words, "w"+strings.Repeat("x", r.IntN(5))+fmt.Sprint(i))
	}
	dir := *keptIndex
	if dir == "" {
		dir = t.TempDir()
	}
	file := filepath.Join(dir, "cache.db")
	open := func() (*Index, func() error) {
		s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		return New(w, s.Cache()), s.Close
	}
	ix, end := open()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak, began := uint64(0), time.Now()
	err := ix.Update(t.Context(), func(int, int) {
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapAlloc)
	})
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for i := range 1000 {
		size += len(w.text(store.MakeItemID(1, uint32(i+1))))
	}
	fi, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts in %v; heap %d MB at most; cache.db %d MB, %.3f of the texts", w.n, time.Since(began).Round(time.Second), peak>>20, fi.Size()>>20,
		float64(fi.Size())/(float64(size)/1000*float64(w.n)))
	end()

	// The scan reads a sample of the texts, as long as they lie in memory.
	sample := make([]string, min(w.n, 2000))
	for i := range sample {
		sample[i] = w.text(store.MakeItemID(1, uint32(1+r.IntN(w.n))))
	}
	zipf := rand.NewZipf(r, 1.1, 3, uint64(len(w.words)-1))
	word := func() string { return w.words[zipf.Uint64()] }
	one := func(text string, open bool, in Fields) sought {
		p := words.PhraseOf(text, open)
		return sought{&Phrase{p, in}, p.In}
	}
	beginning := func() sought {
		w := word()
		return one(w[:1+r.IntN(len(w)-1)], true, Anywhere)
	}
	all := func(n int) func() sought {
		return func() sought {
			s := one(word(), false, Anywhere)
			for range n - 1 {
				s = s.and(one(word(), false, Anywhere))
			}
			return s
		}
	}
	kinds := []struct {
		name string
		ask  func() sought
	}{
		{"one word", all(1)}, {"two words", all(2)}, {"three words", all(3)}, {"four words", all(4)},
		{"one of two", func() sought { return one(word(), false, Anywhere).or(one(word(), false, Anywhere)) }},
		{"a phrase", func() sought { return one(word()+" "+word(), false, Anywhere) }},
		{"a beginning", beginning},
		{"a word and a beginning", func() sought { return all(1)().and(beginning()) }},
		{"in the title", func() sought { return one(word(), false, Title) }},
		{"in the text", func() sought { return one(word(), false, Text) }},
		{"in the author", func() sought { return one(word(), false, Author) }},
	}
	var sums [4][]time.Duration
	for _, k := range kinds {
		var cold, warm, cpu, scan []time.Duration
		for n := range *manyAsked {
			asked := k.ask()
			ix, end := open()
			if n%5 == 0 {
				end()
				dropFromMemory(t, file)
				ix, end = open()
				cold = append(cold, timeOf(t, ix, asked.expr))
			}
			_ = timeOf(t, ix, asked.expr)
			began := cpuTime()
			warm = append(warm, timeOf(t, ix, asked.expr))
			cpu = append(cpu, cpuTime()-began)
			end()
			start := time.Now()
			for _, s := range sample {
				_ = asked.fits(s)
			}
			scan = append(scan, time.Since(start)*time.Duration(w.n)/time.Duration(len(sample)))
		}
		for i, list := range [][]time.Duration{cold, warm, cpu, scan} {
			sums[i] = append(sums[i], list...)
		}
		report(t, k.name, cold, warm, cpu, scan)
	}
	report(t, "all of them", sums[0], sums[1], sums[2], sums[3])
}

// sought is a query and what it means to a scan.
type sought struct {
	expr Expr
	fits func(text string) bool
}

func (s sought) and(o sought) sought {
	return sought{All{s.expr, o.expr}, func(text string) bool { return s.fits(text) && o.fits(text) }}
}

func (s sought) or(o sought) sought {
	return sought{Any{s.expr, o.expr}, func(text string) bool { return s.fits(text) || o.fits(text) }}
}

// timeOf is how long the best 20 take.
func timeOf(t *testing.T, ix *Index, e Expr) time.Duration {
	t.Helper()
	began := time.Now()
	if _, _, err := ix.Find(t.Context(), e, time.Now(), 20); err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

// cpuTime is the time that this process computed.
func cpuTime() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}

// dropFromMemory has a file lie on the disk alone.
func dropFromMemory(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)); err != nil {
		t.Fatal(err)
	}
}

// report prints a line of milliseconds.
func report(t *testing.T, name string, cold, warm, cpu, scan []time.Duration) {
	t.Helper()
	at := func(list []time.Duration, part int) float64 {
		slices.Sort(list)
		return float64(list[len(list)*part/100].Microseconds()) / 1000
	}
	t.Logf("%-23s warm %6.2f ms at p50, %6.2f at p95 (%6.2f of CPU); cold %6.1f, %6.1f; scan %6.0f: %.4f of it", name,
		at(warm, 50), at(warm, 95), at(cpu, 95), at(cold, 50), at(cold, 95), at(scan, 95), at(warm, 95)/at(scan, 95))
}
