package stories

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"diurna/reader/plain"
	"diurna/store"
)

// Library is what the groups are made of.
type Library interface {
	Exists() bool
	Totals(ctx context.Context) (store.Totals, error)
	Descent(ctx context.Context, path string) (store.Descent, error)
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (uint64, error)
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Bodies(ctx context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error
	PageHeads(ctx context.Context) (map[store.FeedID]store.PageHead, error)
	Meta(ctx context.Context, key string) ([]byte, error)
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
	Cache() *store.Cache
}

// Keeper follows a library and keeps in its cache which items tell one story. Several
// goroutines may use it, and several processes one cache.
type Keeper struct {
	lib Library
	now func() time.Time

	updating sync.Mutex
	mu       sync.Mutex // of what follows
	known    head       // of groups
	apart    string
	groups   *Groups
}

// New follows lib. It reads nothing.
func New(lib Library, now func() time.Time) *Keeper { return &Keeper{lib: lib, now: now} }

const (
	bucket  = "stories" // in the cache
	headKey = "head"
	version = 1 // of what lies there; another one is made again

	readGroup = 128  // items are read at once: others wait meanwhile
	saveGroup = 4096 // items are grouped before what is known is written
)

// oldAfter is how long before it came an item was published that is compared by its address
// alone: a new feed brings what nobody talks about any more.
const oldAfter = 30 * 24 * time.Hour

// head says up to where the library was followed. It changes with every writing.
type head struct {
	Version int    `json:"version"`
	Library string `json:"library"`
	Fact    uint64 `json:"fact"`
	Items   int    `json:"items"` // of those after Fact that are grouped too
}

var errRaced = errors.New("the groups were changed by another process")

func readHead(x *store.CacheTx) (head, error) {
	h := head{}
	v, err := x.Get(headKey)
	if err == nil && v != nil && json.Unmarshal(v, &h) != nil {
		err = errSpoilt
	}
	return h, err
}

// Update takes in what came to the library since the last time, a few thousand items at a
// time; what was done before ctx ends stays. changed tells that something came.
func (k *Keeper) Update(ctx context.Context) (changed bool, err error) {
	if !k.lib.Exists() {
		return false, nil
	}
	k.updating.Lock()
	defer k.updating.Unlock()
	for tries := 0; ; {
		done, some, err := k.step(ctx)
		changed = changed || some
		switch {
		case errors.Is(err, errSpoilt) && tries < 3:
			if err := k.lib.Cache().Delete(ctx, bucket); err != nil {
				return changed, err
			}
			tries++
		case errors.Is(err, errRaced) && tries < 100:
			tries++
		case err != nil:
			return changed, fmt.Errorf("group stories: %w", err)
		case done:
			return changed, nil
		}
	}
}

// Keep is Update for those who can do without.
func (k *Keeper) Keep(ctx context.Context) {
	if _, err := k.Update(ctx); err != nil && ctx.Err() == nil {
		slog.Debug("stories could not be grouped", "error", err)
	}
}

// came is an item that came or was edited.
type came struct {
	id    store.ItemID
	at    time.Time
	known bool
}

// step takes in up to saveGroup items.
func (k *Keeper) step(ctx context.Context) (done, changed bool, err error) {
	totals, err := k.lib.Totals(ctx)
	if err != nil {
		return false, false, err
	}
	library, err := k.library(ctx)
	if err != nil {
		return false, false, err
	}
	was := head{}
	read := func(key string) (out []byte, err error) { return k.lib.Cache().Get(ctx, bucket, key) }
	if err := k.lib.Cache().View(ctx, bucket, func(x *store.CacheTx) (err error) {
		was, err = readHead(x)
		return err
	}); err != nil {
		return false, false, err
	}
	now := was
	if was.Version != version || was.Library != library || was.Fact > totals.Facts {
		if was.Version != 0 {
			if err := k.lib.Cache().Delete(ctx, bucket); err != nil {
				return false, false, err
			}
		}
		was, now = head{}, head{Version: version, Library: library}
	}
	if now.Fact == totals.Facts && now.Items == 0 {
		return true, false, nil
	}
	list, last, rest, err := k.since(ctx, now)
	if err != nil {
		return false, false, err
	}
	now.Fact, now.Items = last, rest
	var g *Grouper
	if len(list) > 0 {
		if g, err = NewGrouper(read); err == nil {
			err = k.group(ctx, g, list)
		}
		if err != nil {
			return false, false, err
		}
	}
	return rest == 0 && last == totals.Facts, len(list) > 0, k.write(ctx, was, now, g)
}

// library names the library that the cache is of.
func (k *Keeper) library(ctx context.Context) (string, error) {
	d, err := k.lib.Descent(ctx, "")
	return fmt.Sprintf("%d/%x", d.Began.UnixMilli(), d.Line), err
}

// since are the items that came after what is known, at most saveGroup; last and rest say
// what is known with them.
func (k *Keeper) since(ctx context.Context, h head) (list []came, last uint64, rest int, err error) {
	pages, err := k.lib.PageHeads(ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	enough := errors.New("enough")
	seen, before := 0, h.Fact // items of the facts after h.Fact; the last fact that is known whole
	end, err := k.lib.Facts(ctx, h.Fact, func(f *store.Fact) error {
		if f.Kind == store.Arrived || f.Kind == store.Edited {
			for i, id := range f.Items {
				if seen++; seen <= h.Items {
					continue
				}
				if len(list) == saveGroup {
					rest = i
					return enough
				}
				if pages[id.Feed()].Count == 0 { // a page's changes are no stories
					list = append(list, came{id, f.At, f.Kind == store.Edited})
				}
			}
		}
		before = f.No
		return nil
	})
	if err == enough {
		return list, before, rest, nil
	}
	return list, max(end, before), 0, err
}

// group gives items to a Grouper.
func (k *Keeper) group(ctx context.Context, g *Grouper, list []came) error {
	for part := range slices.Chunk(list, readGroup) {
		ids := make([]store.ItemID, len(part))
		for i := range part {
			ids[i] = part[i].id
		}
		items, err := k.lib.Items(ctx, ids)
		if err != nil {
			return err
		}
		texts := make(map[store.ItemID]string, len(ids))
		sorted := slices.Clone(ids)
		slices.Sort(sorted)
		if err := k.lib.Bodies(ctx, slices.Compact(sorted), func(id store.ItemID, b store.Body) {
			texts[id] = plain.LeadText(b.HTML, b.Summary, TextBytes)
		}); err != nil {
			return err
		}
		for i := range items {
			it := &items[i]
			if it.Flags&store.FlagGone != 0 {
				continue
			}
			at := it.FirstSeen
			if !it.Published.IsZero() && it.Published.Before(at) {
				at = it.Published
			}
			if err := g.Add(&Item{ID: it.ID, At: at.Unix(), Link: it.Link, Title: it.Title, Text: texts[it.ID],
				Old: at.Before(part[i].at.Add(-oldAfter))}, part[i].known); err != nil {
				return err
			}
		}
	}
	return nil
}

// write keeps what a Grouper knows, unless another process was quicker.
func (k *Keeper) write(ctx context.Context, was, now head, g *Grouper) error {
	var shards map[string][]byte
	if g != nil {
		shards = g.Changed(false)
	}
	value, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return k.lib.Cache().Update(ctx, bucket, func(x *store.CacheTx) error {
		if there, err := readHead(x); err != nil || there != was {
			if err == nil {
				err = errRaced
			}
			return err
		}
		for key, v := range shards {
			if err := x.Put(key, v); err != nil {
				return err
			}
		}
		return x.Put(headKey, value)
	})
}

// Groups are the stories that are known now, without those that were taken apart. It costs
// a look at the cache unless something came since the last time.
func (k *Keeper) Groups(ctx context.Context) (*Groups, error) {
	if !k.lib.Exists() {
		return nil, nil
	}
	apart, err := k.lib.Meta(ctx, Field)
	if err != nil && !errors.Is(err, store.ErrUnknown) && !errors.Is(err, store.ErrNone) {
		return nil, fmt.Errorf("read the stories taken apart: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var raw []byte
	h := head{}
	err = k.lib.Cache().View(ctx, bucket, func(x *store.CacheTx) error {
		var err error
		if h, err = readHead(x); err != nil || h == k.known && string(apart) == k.apart && k.groups != nil {
			return err
		}
		raw, err = x.Get(storiesKey)
		raw = slices.Clone(raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the stories: %w", err)
	}
	if h == k.known && string(apart) == k.apart && k.groups != nil {
		return k.groups, nil
	}
	var list [][]Member
	if h.Version == version && raw != nil {
		stories, _, err := decodeStories(raw)
		if err != nil {
			return nil, nil // the next Update makes them again
		}
		list = members(stories)
	}
	k.known, k.apart, k.groups = h, string(apart), NewGroups(list, apartIDs(string(apart)))
	return k.groups, nil
}
