package texts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"diurna/reader/plain"
	"diurna/store"
)

// TestRecent: what was kept is what plain.FromHTML gives, also of a text that was cut, and
// is bounded.
func TestRecent(t *testing.T) {
	r := NewRecent()
	html := func(i int) string { return fmt.Sprintf("<p>%d &amp; %s", i, strings.Repeat("word ", i%900)) }
	for i := range 4000 {
		if got, want := r.Plain(html(i), 4096), plain.FromHTML(html(i), 4096); got != want {
			t.Fatalf("%d: %q, want %q", i, got, want)
		}
		if id := store.ItemID(i); i%8 == 4 {
			r.Filed(id, &store.NewItem{Item: store.Item{Title: html(i)}, Body: store.Body{Summary: html(i)}}, time.Time{})
			if got, ok := r.Item(id); ok != (len(html(i)) < 4096) || ok && (got.Text != plain.FromHTML(html(i), 0) || got.Title != html(i)) {
				t.Fatalf("%d: %v, %v", i, got, ok)
			}
			if _, ok := r.Item(id); ok {
				t.Fatal("what was taken is still there")
			}
		} else if i%8 == 6 {
			r.Filed(id, &store.NewItem{Body: store.Body{HTML: html(i)}}, time.Time{})
		}
		if i%8 == 0 {
			for range 2 { // kept, and taken
				if got, want := r.take(html(i)), plain.FromHTML(html(i), 0); got != want {
					t.Fatalf("%d: %q, want %q", i, got, want)
				}
			}
		}
		if size := sizeOf(r); size > maxRecent {
			t.Fatal(size, "bytes are kept")
		}
	}
	if len(r.of) == 0 || len(r.ofItem) == 0 {
		t.Error("nothing is kept")
	}
	if r.Forget(); len(r.of)+len(r.ofItem) != 0 {
		t.Error("all of it should be forgotten")
	}
}

func sizeOf(r *Recent) (n int) {
	for _, s := range r.of {
		n += len(s)
	}
	for _, c := range r.ofItem {
		n += c.size()
	}
	return n
}
