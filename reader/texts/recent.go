package texts

import (
	"cmp"
	"hash/maphash"
	"sync"
	"time"

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
	ofItem map[store.ItemID]Came
	size   int
}

// Came is what is indexed of an item as it came.
type Came struct {
	Title, Author, Link, Text string
	Published, FirstSeen      time.Time
}

func (c *Came) size() int { return len(c.Title) + len(c.Author) + len(c.Link) + len(c.Text) }

// NewRecent returns an empty one.
func NewRecent() *Recent {
	return &Recent{seed: maphash.MakeSeed(), of: map[uint64]string{}, ofItem: map[store.ItemID]Came{}}
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

// Filed tells as which item a new one was filed, and when. One of a watched page, whose
// texts are its revisions too, is none of those.
func (r *Recent) Filed(id store.ItemID, n *store.NewItem, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := maphash.String(r.seed, cmp.Or(n.Body.HTML, n.Body.Summary))
	if text, ok := r.of[key]; ok {
		delete(r.of, key)
		came := Came{n.Title, n.Author, n.Link, text, n.Published, now}
		r.ofItem[id] = came
		r.size += came.size() - len(text)
	}
}

// Item is an item as it came, if it is kept, and forgets it.
func (r *Recent) Item(id store.ItemID) (came Came, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if came, ok = r.ofItem[id]; ok {
		delete(r.ofItem, id)
		r.size -= came.size()
	}
	return came, ok
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
