//go:build soak

package search

import (
	"context"
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

	"diurna/reader/words"
	"diurna/store"
)

var manyTexts = flag.Int("texts", 50_000, "how many texts of 2 KB TestFindAtSize indexes")

// written is a library of texts that are written as they are asked for.
type written struct {
	shelf
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
		out[i] = store.Item{ID: id, FirstSeen: time.Unix(int64(id.N())*600, 0)}
	}
	return out, nil
}

func (w *written) Bodies(_ context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error {
	for _, id := range ids {
		visit(id, store.Body{HTML: w.text(id)})
	}
	return nil
}

// TestFindAtSize measures queries of one and two words, of a phrase and of a beginning
// over many texts against a scan of the same texts, and the index's size:
//
//	go test -tags soak -v -run TestFindAtSize ./reader/search -texts 500000
func TestFindAtSize(t *testing.T) {
	w := &written{n: *manyTexts}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60_000 {
		w.words = append(w.words, "w"+strings.Repeat("x", r.IntN(5))+fmt.Sprint(i))
	}
	dir := t.TempDir()
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
	fi, err := os.Stat(filepath.Join(dir, "cache.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts in %v; heap %d MB at most; cache.db %d MB, %.3f of the texts", w.n, time.Since(began).Round(time.Second), peak>>20, fi.Size()>>20,
		float64(fi.Size())/(float64(size)/1000*float64(w.n)))
	end()

	// The scan reads a sample of the texts, as long as they lie in memory.
	sample := make([]string, min(w.n, 20_000))
	for i := range sample {
		sample[i] = w.text(store.MakeItemID(1, uint32(1+r.IntN(w.n))))
	}
	zipf := rand.NewZipf(r, 1.1, 3, uint64(len(w.words)-1))
	word := func() string { return w.words[zipf.Uint64()] }
	phrase := func(text string, open bool) Expr { return &Phrase{words.PhraseOf(text, open), Anywhere} }
	kinds := []struct {
		name string
		ask  func() (string, bool)
		expr func(string, bool) Expr
	}{
		{"one word", func() (string, bool) { return word(), false }, phrase},
		{"two words", func() (string, bool) { return word() + " " + word(), false }, func(text string, _ bool) Expr {
			a, b, _ := strings.Cut(text, " ")
			return All{phrase(a, false), phrase(b, false)}
		}},
		{"a phrase", func() (string, bool) { return word() + " " + word(), false }, phrase},
		{"a beginning", func() (string, bool) { w := word(); return w[:1+r.IntN(len(w)-1)], true }, phrase},
	}
	p95 := func(list []time.Duration) time.Duration {
		slices.Sort(list)
		return list[len(list)*95/100]
	}
	for _, k := range kinds {
		var first, warm, scan []time.Duration
		for range 100 {
			text, open1 := k.ask()
			e := k.expr(text, open1)
			ix, end := open()
			for _, to := range []*[]time.Duration{&first, &warm} {
				began := time.Now()
				if _, _, err := ix.Find(t.Context(), e, time.Now(), 20); err != nil {
					t.Fatal(err)
				}
				*to = append(*to, time.Since(began))
			}
			end()
			p := words.PhraseOf(text, open1)
			began, part := time.Now(), sample[:len(sample)/10]
			for _, s := range part {
				_ = p.In(s)
			}
			scan = append(scan, time.Since(began)*time.Duration(w.n)/time.Duration(len(part)))
		}
		a, b, c := p95(first), p95(warm), p95(scan)
		t.Logf("%-12s p95 first %v, warm %v, scan %v: %.3f of it", k.name, a.Round(time.Microsecond), b.Round(time.Microsecond), c.Round(time.Microsecond), float64(b)/float64(c))
	}
}
