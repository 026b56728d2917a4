package texts

import (
	"cmp"
	"hash/maphash"
	"sync"

	"diurna/reader/plain"
	"diurna/store"
)

// maxRecent bounds what a Recent keeps, in bytes.
const maxRecent = 4 << 20

// Recent keeps what plain.FromHTML made of markup a moment ago: an item that comes is
// compared by its text, and soon after is indexed by it. It is safe for use by several
// goroutines. The zero value keeps nothing.
type Recent struct {
	mu     sync.Mutex
	seed   maphash.Seed
	of     map[uint64]string // by the hash of the markup
	ofItem map[store.ItemID]string
	size   int
}

// NewRecent returns an empty one.
func NewRecent() *Recent {
	return &Recent{seed: maphash.MakeSeed(), of: map[uint64]string{}, ofItem: map[store.ItemID]string{}}
}

// Plain is plain.FromHTML.
func (r *Recent) Plain(html string, most int) string {
	text, whole := plain.WholeFromHTML(html, most)
	if whole {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.size+len(text) > maxRecent {
			r.forget()
		}
		r.size += len(text)
		r.of[maphash.String(r.seed, html)] = text
	}
	return text
}

// Filed tells which item came with a body.
func (r *Recent) Filed(id store.ItemID, b *store.Body) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := maphash.String(r.seed, cmp.Or(b.HTML, b.Summary))
	if text, ok := r.of[key]; ok {
		delete(r.of, key)
		r.ofItem[id] = text
	}
}

// takeItem is what an item came with, if it is kept, and forgets it.
func (r *Recent) takeItem(id store.ItemID) (text string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, ok = r.ofItem[id]; ok {
		delete(r.ofItem, id)
		r.size -= len(text)
	}
	return text, ok
}

// take is plain.FromHTML, and forgets what was kept of it.
func (r *Recent) take(html string) string {
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
	return plain.FromHTML(html, 0)
}

// Forget empties it.
func (r *Recent) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget()
}

func (r *Recent) forget() {
	clear(r.of)
	clear(r.ofItem)
	r.size = 0
}
