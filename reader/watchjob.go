package reader

import (
	"context"
	"fmt"
	"sync"

	"diurna/reader/fetch"
	"diurna/reader/web"
	"diurna/store"
)

// flights are the requests of one round of fetching by address: what several
// watches want is asked for once and shared (Saeyor & Ishizuka, section 4).
type flights struct {
	mu   sync.Mutex
	by   map[string]*flight
	held int // bytes of pages that wait for another one to want them
}

// mostHeld bounds them; what comes after that is fetched again if it is wanted
// again.
const mostHeld = 16 << 20

type flight struct {
	done chan struct{}
	v    validators // asked with
	h    web.Answer
}

func newFlights() *flights { return &flights{by: map[string]*flight{}} }

// page is getPage through the flights. A "not changed" is only shared by those
// who know the same page. A rider only takes what another one fetched; ok is
// then false if there is nothing to take.
func (fl *flights) page(ctx context.Context, r *Reader, address string, v validators, allow, rider bool) (h web.Answer, ok bool) {
	key := fmt.Sprint(allow, " ", requestAddress(address))
	fl.mu.Lock()
	f := fl.by[key]
	if f == nil && !rider {
		mine := &flight{done: make(chan struct{}), v: v}
		fl.by[key] = mine
		fl.mu.Unlock()
		mine.h = r.getPage(ctx, address, v, allow)
		close(mine.done)
		fl.mu.Lock()
		defer fl.mu.Unlock()
		if n := len(mine.h.Body); fl.held+n > mostHeld && n > 0 {
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
	if rider {
		return h, false
	}
	return r.getPage(ctx, address, v, allow), true
}

// riders are the live watches of an address that is fetched anyway although
// they are not due: what comes is theirs too. They are claimed like jobs.
func (r *Reader) riders(jobs []job, feeds []store.Feed) []job {
	going := map[FeedID]bool{}
	wanted := map[string]bool{}
	for _, j := range jobs {
		going[j.feed.ID] = true
		if isPage(j.feed) {
			wanted[fmt.Sprint(j.feed.AllowPrivate, requestAddress(j.feed.URL))] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var list []job
	for i := range feeds {
		f := &feeds[i]
		if isPage(f) && !going[f.ID] && !f.Poll.Gone && wanted[fmt.Sprint(f.AllowPrivate, requestAddress(f.URL))] {
			list = append(list, job{feed: f, first: f.Poll.LastOK.IsZero() && f.Items == 0, rider: true})
		}
	}
	mine, _ := r.shift.claim(list)
	return mine
}

// watchJob fetches a watched page and, where the watch goes deeper, some of its
// child pages, and weighs what came. ok is false for a rider without a flight.
func (r *Reader) watchJob(ctx context.Context, g *pendingResult, fl *flights) (ok bool) {
	f := g.job.feed
	notes, err := r.notesOf(ctx, f.ID)
	if err != nil {
		g.broken = err
		return true
	}
	root := watchTarget{note: notes[0]}
	v := validatorsOf(&f.Poll)
	stale := root.note.When != f.Attrs[attrWhen] // another condition has not seen the page yet
	if g.doubted || root.note.Shrunk || stale {
		v = validators{}
	}
	if root.h, ok = fl.page(ctx, r, f.URL, v, f.AllowPrivate, g.job.rider); !ok {
		return false
	}
	if h := &root.h; h.Err == nil && !h.Same && h.Hash == f.Poll.BodyHash && f.Poll.Err == "" && !stale {
		h.Same = true
	}
	root.got = root.h
	g.h = root.h
	if g.broken = r.weigh(ctx, f, &root); g.broken != nil {
		return true
	}
	g.h, g.targets = root.h, []watchTarget{root}
	if depth := number(f.Attrs[attrDepth], mostDepth); depth > 0 && root.h.Err == nil && !g.job.rider {
		g.broken = r.descend(ctx, g, notes, depth, fl)
	}
	return true
}

// notesOf reads what is remembered of the addresses of a watch.
func (r *Reader) notesOf(ctx context.Context, id FeedID) (map[uint64]targetState, error) {
	notes := map[uint64]targetState{}
	if id == 0 {
		return notes, nil
	}
	raw, err := r.store.PageNotes(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read what is remembered of a page: %w", err)
	}
	for key, b := range raw {
		n, err := decodeNote(b)
		if err != nil {
			continue // begun anew
		}
		notes[key] = n
	}
	return notes, nil
}
