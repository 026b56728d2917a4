package texts

import (
	"cmp"
	"context"
	"hash/maphash"
	"sync"

	"diurna/reader/plain"
	"diurna/store"
)

// maxRecent bounds what a Recent keeps, in bytes.
const maxRecent = 4 << 20

// Recent keeps what plain.FromHTML made of markup a moment ago: an item that comes is
// compared by its text, and soon after is indexed by it. It is safe for use by several
// goroutines.
type Recent struct {
	mu   sync.Mutex
	seed maphash.Seed
	of   map[uint64]string // by the hash of the markup
	size int
}

// NewRecent returns an empty one.
func NewRecent() *Recent { return &Recent{seed: maphash.MakeSeed(), of: map[uint64]string{}} }

// Plain is plain.FromHTML.
func (r *Recent) Plain(html string, most int) string {
	text, whole := plain.WholeFromHTML(html, most)
	if whole {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.size += len(text); r.size > maxRecent {
			clear(r.of)
			r.size = len(text)
		}
		r.of[maphash.String(r.seed, html)] = text
	}
	return text
}

// take is plain.FromHTML, and forgets what was kept of it.
func (r *Recent) take(html string) string {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.of) > 0 {
			key := maphash.String(r.seed, html)
			if text, ok := r.of[key]; ok {
				delete(r.of, key)
				r.size -= len(text)
				return text
			}
		}
	}
	return plain.FromHTML(html, 0)
}

// Forget empties it.
func (r *Recent) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.of)
	r.size = 0
}

// Of is the function Of.
func (r *Recent) Of(ctx context.Context, lib Store, ids []store.ItemID, visit func(id store.ItemID, texts []string)) error {
	return of(ctx, lib, ids, r, visit)
}

func (r *Recent) ofBody(b store.Body) string { return r.take(cmp.Or(b.HTML, b.Summary)) }
