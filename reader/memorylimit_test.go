package reader

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"diurna/reader/page"
)

// oneBlock is a page of n letters without a repeated line, all one block.
func oneBlock(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := []byte("<!doctype html><title>Pier</title><p>")
	for range n {
		b = append(b, 'a'+byte(rng.IntN(26)), ' ')
	}
	return string(b)
}

// TestPageThatIsNewEachTime watches a large page of which nothing stays: what is
// kept of each visit has a bound, and each revision comes back byte for byte.
func TestPageThatIsNewEachTime(t *testing.T) {
	const letters = 80_000
	s := newShore(t)
	s.web.serve(pier, "text/html", oneBlock(0, letters))
	s.watch(pier, WatchOptions{})
	for n := uint64(1); n <= 4; n++ {
		s.web.serve(pier, "text/html", oneBlock(n, letters))
		s.later(day)
	}
	list, err := s.r.store.PageRevisions(context.Background(), s.id)
	if err != nil || len(list) != 5 {
		t.Fatalf("%d revisions, %v", len(list), err)
	}
	for i := range list {
		k, err := s.r.Pages().restore1(context.Background(), s.id, list[i].No)
		if err != nil || string(k.body) != oneBlock(uint64(i), letters) {
			t.Fatalf("revision %d is another: %v", i, err)
		}
		if limit := longChain + 3*len(k.body); k.packed > limit {
			t.Errorf("restoring revision %d takes %d bytes of deltas", i, k.packed)
		}
	}
	if most := debug.SetMemoryLimit(-1); most != math.MaxInt64 {
		t.Errorf("a limit of %d bytes is left behind", most)
	}
}

// TestTextOfAHugeChange bounds the item that tells of a change.
func TestTextOfAHugeChange(t *testing.T) {
	if testing.Short() {
		t.Skip("megabytes are compared, by one goroutine")
	}
	for _, c := range []struct{ name, a, b string }{
		{"one block", oneBlock(1, 4e5), oneBlock(2, 4e5)},
		{"moved", "<p>first of all</p><p>" + oneBlock(1, 4e5), oneBlock(1, 4e5) + "</p><p>first of all"},
		{"paragraphs", strings.ReplaceAll(oneBlock(1, 1e5), " ", "<p>"), strings.ReplaceAll(oneBlock(2, 1e5), " ", "<p>")},
	} {
		d, err := page.Compare([]byte(c.a), []byte(c.b), page.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(changeHTML(&d)); n > 3*mostText {
			t.Errorf("%s: the item of the change has %d bytes", c.name, n)
		}
		if title := changeTitle(&d); len(title) > 1000 {
			t.Errorf("%s: its title has %d bytes", c.name, len(title))
		}
	}
}

// TestPagesHeldForOthers keeps what was fetched for whoever wants it too, up to
// a bound.
func TestPagesHeldForOthers(t *testing.T) {
	s := newShore(t)
	fl := newFlights()
	ask := func(n int) {
		t.Helper()
		address := fmt.Sprintf("https://pier.example/%d", n)
		s.web.serve(address, "text/html", oneBlock(uint64(n), 2<<20))
		if h, ok := fl.page(context.Background(), s.r.Pages(), address, validators{}, false, false); !ok || h.Err != nil {
			t.Fatalf("page %d: %v", n, h.Err)
		}
	}
	for n := range 6 {
		ask(n)
		ask(0)
	}
	held := 0
	for _, f := range fl.by {
		held += len(f.h.Body)
	}
	if held != fl.held || held > mostHeld || held < mostHeld/2 {
		t.Errorf("%d bytes are held, counted %d, of %d", held, fl.held, mostHeld)
	}
	if n := strings.Count(strings.Join(s.web.requests(), "\n"), "/0"); n != 1 {
		t.Errorf("the page that is held was asked for %d times", n)
	}
}
