//go:build soak

package stories

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"diurna/ranking/topics"
	"diurna/store"
)

var many = flag.Int("items", 50_000, "how many items TestAtSize groups")

// TestAtSize measures how long it takes to group many items of 300 feeds over four weeks,
// and a hundred more, against taking the same texts apart:
//
//	go test -tags soak -v -run TestAtSize ./reader/stories -items 50000
func TestAtSize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 3, 59_999)
	s := newFakeLibrary(t)
	text := func(bytes int) string {
		var b strings.Builder
		for b.Len() < bytes {
			fmt.Fprintf(&b, "%s%d ", []string{"harbour", "council", "kernel", "the", "and", "storms"}[r.IntN(6)][:3], zipf.Uint64())
		}
		return b.String()
	}
	const perDay = 1800
	make := func(n int) (items []Item) {
		for range n {
			i := len(s.items)
			it := Item{ID: store.MakeItemID(store.FeedID(1+i%300), uint32(1+i/300)), At: 1_790_000_000 + int64(i)*daySeconds/perDay,
				Link: fmt.Sprintf("https://e.example/%d", i), Title: text(50), Text: text(1200)}
			if i%10 == 9 {
				was := s.items[store.MakeItemID(store.FeedID(1+(i-5)%300), uint32(1+(i-5)/300))]
				it.Title, it.Text = was.Title+" "+text(8), was.Text[:600]+text(600)
			}
			s.items[it.ID] = it
			items = append(items, it)
		}
		return items
	}
	cpu := func() time.Duration {
		var ru syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
			t.Fatal(err)
		}
		return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	}
	for len(s.items) < *many {
		s.note(store.Arrived, make(min(200, *many-len(s.items)))...)
		s.facts[len(s.facts)-1].At = time.Unix(1_790_000_000+int64(len(s.items))*daySeconds/perDay, 0)
	}
	at := cpu()
	for _, it := range s.items {
		topics.Words(it.Title + "\n" + it.Text)
	}
	cut := cpu() - at
	at = cpu()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g := groupsOf(t, s)
	all := cpu() - at
	runtime.ReadMemStats(&after)
	dir, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Path()), "cache.db"))
	size := int64(0)
	for _, name := range dir {
		fi, _ := os.Stat(name)
		size += fi.Size()
	}
	t.Logf("%d items, %d stories: %v, taken apart %v: %.2f; %d µs an item; heap %d MB taken from the system; cache %d bytes an item", len(s.items), g.Len(), all, cut,
		float64(all)/float64(cut), all.Microseconds()/int64(len(s.items)), (after.HeapSys-before.HeapSys)>>20, size/int64(len(s.items)))
	s.note(store.Arrived, make(100)...)
	at = cpu()
	groupsOf(t, s)
	t.Logf("100 more: %v", cpu()-at)
	k := New(s, time.Now)
	at = cpu()
	if _, err := k.Groups(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("the groups read: %v", cpu()-at)
	at = cpu()
	if _, err := k.Groups(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("and again: %v", cpu()-at)
}
