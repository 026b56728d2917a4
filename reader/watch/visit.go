package watch

import (
	"context"
	"fmt"
	"sync"

	"diurna/reader/fetch"
	"diurna/reader/web"
	"diurna/store"
)

// Round are the requests of one round of fetching by address: what several
// watches want is asked for once and shared (Saeyor & Ishizuka, section 4).
type Round struct {
	mu   sync.Mutex
	by   map[string]*sharedRequest
	held int // bytes of pages that wait for another one to want them
}

// maxHeld bounds them; what comes after that is fetched again if it is wanted
// again.
const maxHeld = 16 << 20

type sharedRequest struct {
	done chan struct{}
	v    validators // asked with
	h    web.Answer
}

// NewRound begins a round.
func NewRound() *Round { return &Round{by: map[string]*sharedRequest{}} }

// page is getPage through the round. A "not changed" is only shared by those
// who know the same page. A waiter only takes what another one fetched; ok is
// then false if there is nothing to take.
func (fl *Round) page(ctx context.Context, ps *Pages, address string, v validators, allow, waiter bool) (h web.Answer, ok bool) {
	key := fmt.Sprint(allow, " ", RequestAddress(address))
	fl.mu.Lock()
	f := fl.by[key]
	if f == nil && !waiter {
		mine := &sharedRequest{done: make(chan struct{}), v: v}
		fl.by[key] = mine
		fl.mu.Unlock()
		mine.h = ps.getPage(ctx, address, v, allow)
		close(mine.done)
		fl.mu.Lock()
		defer fl.mu.Unlock()
		if n := len(mine.h.Body); fl.held+n > maxHeld && n > 0 {
			delete(fl.by, key)
		} else {
			fl.held += n
		}
		return mine.h, true
	}
	fl.mu.Unlock()
	if f != nil {
		select {
		case <-f.done:
		case <-ctx.Done():
			return web.Answer{Err: &fetch.Error{Kind: fetch.KindCanceled, Err: ctx.Err()}}, true
		}
		if !f.h.Result.NotModified || f.v == v {
			h = f.h
			h.Shared = true
			return h, true
		}
	}
	if waiter {
		return h, false
	}
	return ps.getPage(ctx, address, v, allow), true
}

// Riders are the live watches of an address that is fetched anyway although
// they are not due: what comes is theirs too. going are the feeds to be fetched.
func Riders(going []*store.Feed, feeds []store.Feed) []*store.Feed {
	fetched := map[store.FeedID]bool{}
	wanted := map[string]bool{}
	for _, f := range going {
		fetched[f.ID] = true
		if Is(f) {
			wanted[fmt.Sprint(f.AllowPrivate, RequestAddress(f.URL))] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var list []*store.Feed
	for i := range feeds {
		f := &feeds[i]
		if Is(f) && !fetched[f.ID] && !f.Poll.Gone && wanted[fmt.Sprint(f.AllowPrivate, RequestAddress(f.URL))] {
			list = append(list, f)
		}
	}
	return list
}

// A Visit is one fetch of a watched page and of some of its child pages, on the way
// to the library.
type Visit struct {
	Full    bool   // ask without validators, to see whether "not changed" is true
	Waiter  bool   // only take what another watch fetches
	Look    uint64 // number of the fact of the look that started it, 0 for none
	Err     error  // the library's: the fetch ends
	Overlap bool   // what was served is this page, wherever it was served

	feed    *store.Feed
	h       web.Answer
	targets []watchTarget          // the page first, then the child pages fetched with it
	notes   map[uint64]targetState // of its child pages and their hosts; nil: they were not looked at
	forget  []uint64               // child pages that are linked no more
	extra   int                    // further requests
	robots  int                    // the fetches that these belong to
}

// NewVisit returns a visit of the page f, to be fetched.
func NewVisit(f *store.Feed) *Visit { return &Visit{feed: f} }

// Feed is the page, as it was read from the library.
func (g *Visit) Feed() *store.Feed { return g.feed }

// Answer is what came of the page itself.
func (g *Visit) Answer() web.Answer { return g.h }

// Bytes is how much of its pages it holds.
func (g *Visit) Bytes() int {
	n := 0
	for i := range g.targets {
		n += len(g.targets[i].got.Body)
	}
	return n
}

// Fetch fetches a watched page and, where the watch goes deeper, some of its
// child pages, and weighs what came. ok is false for a waiter without a shared request.
func (ps *Pages) Fetch(ctx context.Context, g *Visit, fl *Round) (ok bool) {
	f := g.feed
	notes, err := ps.notesOf(ctx, f.ID)
	if err != nil {
		g.Err = err
		return true
	}
	root := watchTarget{note: notes[0]}
	v := validatorsOf(&f.Poll)
	stale := root.note.When != settingsOf(f).When // another condition has not seen the page yet
	if g.Full || root.note.Shrunk || stale {
		v = validators{}
	}
	if root.h, ok = fl.page(ctx, ps, f.URL, v, f.AllowPrivate, g.Waiter); !ok {
		return false
	}
	if h := &root.h; h.Err == nil && !h.Same && h.Hash == f.Poll.BodyHash && f.Poll.Err == "" && !stale {
		h.Same = true
	}
	root.got = root.h
	g.h = root.h
	if g.Err = ps.weigh(ctx, f, &root); g.Err != nil {
		return true
	}
	g.h, g.targets = root.h, []watchTarget{root}
	if depth := min(settingsOf(f).Depth, maxDepth); depth > 0 && root.h.Err == nil && !g.Waiter {
		g.Err = ps.descend(ctx, g, notes, depth, fl)
	}
	return true
}

// notesOf reads what is remembered of the addresses of a watch.
func (ps *Pages) notesOf(ctx context.Context, id store.FeedID) (map[uint64]targetState, error) {
	notes := map[uint64]targetState{}
	if id == 0 {
		return notes, nil
	}
	raw, err := ps.store.PageNotes(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read what is remembered of a page: %w", err)
	}
	for key, b := range raw {
		n, err := decodeNote(b)
		if err != nil {
			continue // begun again
		}
		notes[key] = n
	}
	return notes, nil
}
