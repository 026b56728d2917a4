package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"diurna/reader/model"
	"diurna/reader/texts"
	"diurna/store"
)

// Library is what the index is made of.
type Library interface {
	Totals(ctx context.Context) (store.Totals, error)
	Descent(ctx context.Context, path string) (store.Descent, error)
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (uint64, error)
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	texts.Store
}

// Index is the index of a library.
type Index struct {
	lib    Library
	cache  Cache
	recent *texts.Recent
}

// New is the index of lib that lies in cache.
func New(lib Library, cache Cache) *Index { return &Index{lib, cache, texts.NewRecent()} }

// readGroup is how many items are read at once: others wait meanwhile.
const readGroup = 128

// errRaced says that another process has changed the index meanwhile.
var errRaced = errors.New("the index was changed by another process")

// Pending is how many facts the index does not know yet; none tells that there is no
// index at all.
func (ix *Index) Pending(ctx context.Context) (facts uint64, none bool, err error) {
	s, err := ix.state(ctx)
	if err != nil {
		return 0, false, err
	}
	return s.facts - s.head.Fact, len(s.head.Segments) == 0, nil
}

// state is the index against the library.
type state struct {
	head  head   // to go on from: an empty one where the index is another library's, or ahead of this one
	was   head   // as it lies in the cache
	facts uint64 // number of the library's newest fact
}

func (ix *Index) state(ctx context.Context) (s state, err error) {
	t, err := ix.lib.Totals(ctx)
	if err != nil {
		return s, err
	}
	d, err := ix.lib.Descent(ctx, "")
	if err != nil {
		return s, err
	}
	s.facts = t.Facts
	err = ix.cache.View(ctx, Bucket, func(x *store.CacheTx) (err error) {
		s.was, err = readHead(x)
		return err
	})
	library := fmt.Sprintf("%d/%x", d.Began.UnixMilli(), d.Line)
	if s.head = s.was; s.was.Version != version || s.was.Library != library || s.was.Fact > t.Facts || s.was.Goal > t.Facts {
		s.head = head{Version: version, Library: library, begin: true}
	}
	return s, err
}

// Update brings the index up to date. progress, if not nil, hears how many of how many
// texts are done. What was done before ctx ends stays.
func (ix *Index) Update(ctx context.Context, progress func(done, all int)) error {
	for tries := 0; ; {
		done, err := ix.update(ctx, progress)
		switch {
		case errors.Is(err, errSpoilt) && tries < 3:
			if err := ix.cache.Delete(ctx, Bucket); err != nil {
				return err
			}
		case errors.Is(err, errRaced) && tries < 100:
		case err != nil || done:
			return err
		}
		tries++
	}
}

// update goes one step: to the goal of a step that was broken off, or to the newest
// fact. done tells that there is nothing more to do.
func (ix *Index) update(ctx context.Context, progress func(done, all int)) (done bool, err error) {
	s, err := ix.state(ctx)
	if err != nil {
		return false, err
	}
	if s.head.begin {
		ix.recent.Forget() // another library's items may have the same numbers
	}
	if s.was.Version != version && s.was.Version != 0 {
		return false, ix.cache.Delete(ctx, Bucket)
	}
	again := &notes{}
	if s.head.Goal == 0 {
		if again, err = ix.notes(ctx); err != nil {
			return false, err
		}
		s.head.Goal = s.facts
	}
	if s.head.Fact == s.head.Goal && again.empty() {
		return true, ix.mergeAll(ctx)
	}
	todo, err := ix.changed(ctx, &s.head, again)
	if err != nil {
		return false, err
	}
	return false, ix.add(ctx, s, todo, again, progress)
}

// work is the items whose texts are to be indexed, ascending, and which of them may
// have been before.
type work struct {
	items []store.ItemID
	known map[store.ItemID]bool
}

// changed reads from the facts what is new since the head.
func (ix *Index) changed(ctx context.Context, h *head, again *notes) (work, error) {
	w := work{known: make(map[store.ItemID]bool)}
	enough := errors.New("enough")
	_, err := ix.lib.Facts(ctx, h.Fact, func(f *store.Fact) error {
		if f.No > h.Goal {
			return enough
		}
		switch f.Kind {
		case store.Arrived:
			w.items = append(w.items, f.Items...)
		case store.Edited, store.TextRemoved, store.RowRemoved:
			w.items = append(w.items, f.Items...)
			for _, id := range f.Items {
				w.known[id] = true
			}
		}
		return nil
	})
	if err != nil && err != enough {
		return w, err
	}
	again.each(func(id store.ItemID) {
		w.items = append(w.items, id)
		w.known[id] = true
	})
	slices.Sort(w.items)
	w.items = slices.Compact(w.items)
	if h.After != 0 {
		at, _ := slices.BinarySearch(w.items, store.ItemID(h.After)+1)
		w.items = w.items[at:]
	}
	return w, nil
}

// add indexes items, a segment at a time.
func (ix *Index) add(ctx context.Context, s state, w work, again *notes, progress func(done, all int)) error {
	all := len(w.items)
	h, b := s.head, newBuilder(all)
	for rest := w.items; ; {
		n := min(readGroup, len(rest))
		if err := ix.read(ctx, rest[:n], b, w.known); err != nil {
			return err
		}
		rest = rest[n:]
		if len(rest) > 0 && !b.full() {
			continue
		}
		if len(rest) == 0 {
			h.Fact, h.Goal, h.After = h.Goal, 0, 0
		} else {
			h.After = uint64(rest[0]) - 1
		}
		if err := ix.write(ctx, &s.was, &h, b, w.known); err != nil {
			return err
		}
		s.was = h
		if progress != nil {
			progress(all-len(rest), all)
		}
		if len(rest) == 0 {
			return ix.forget(ctx, again)
		}
		b = newBuilder(len(rest))
	}
}

// read adds the texts of items, which ascend. Those of known may be others than they were;
// of the others what came with them needs no reading.
func (ix *Index) read(ctx context.Context, ids []store.ItemID, b *builder, known map[store.ItemID]bool) error {
	came, rest := make(map[store.ItemID]texts.Came, len(ids)), ids[:0:0]
	for _, id := range ids {
		if c, ok := ix.recent.Item(id); ok && !known[id] {
			came[id] = c
		} else {
			rest = append(rest, id)
		}
	}
	var items []store.Item
	of := make(map[store.ItemID][]string, len(rest))
	if len(rest) > 0 {
		var err error
		if items, err = ix.lib.Items(ctx, rest); err != nil {
			return err
		}
		if err = ix.recent.Of(ctx, ix.lib, rest, func(id store.ItemID, list []string) { of[id] = list }); err != nil {
			return err
		}
	}
	for _, id := range ids {
		c, ok := came[id]
		if ok {
			of[id] = []string{c.Text}
		} else {
			it := &items[0]
			items = items[1:]
			if it.Flags&store.FlagGone != 0 {
				b.gone = append(b.gone, id)
				continue
			}
			c = texts.Came{Title: it.Title, Author: it.Author, Link: it.Link, Published: it.Published, FirstSeen: it.FirstSeen}
		}
		at := c.FirstSeen
		if !c.Published.IsZero() && c.Published.Before(at) {
			at = c.Published
		}
		b.add(&Doc{Item: id, At: at.Unix(), Title: c.Title, Author: c.Author, Texts: of[id], Link: model.ShownLink(c.Link)})
	}
	return nil
}
