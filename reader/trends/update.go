package trends

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sort"
	"time"

	"diurna/store"
	"diurna/store/codec"
)

// Bucket is where the tables lie in the cache.
const Bucket = "trends"

const (
	version = 3  // of the tables; others are made again
	keep    = 60 // days of tables
	headKey = "head"
)

// The records beside the head: a day, and a note that an item changed without a fact.
const (
	kindDay     = 'd'
	kindTouched = 't'
)

var (
	errSpoilt = errors.New("a table of trends does not decode")
	errRaced  = errors.New("the tables of trends were changed by another process")
)

// head tells what the tables hold.
type head struct {
	Version int    `json:"version"`
	Library string `json:"library"` // which library they are of
	Fact    uint64 `json:"fact"`    // what happened up to here is in them
	Build   string `json:"build"`   // the process that makes them all, while it does; else ""
}

func dayKey(day int64) string {
	return string(binary.BigEndian.AppendUint32([]byte{kindDay}, uint32(day)))
}

func touchedKey(id store.ItemID) string {
	return string(binary.BigEndian.AppendUint64([]byte{kindTouched}, uint64(id)))
}

// Touched notes in a cache that titles of items changed without a fact: the next Update
// counts them again. A note that cannot be kept costs no more than a word's right number.
func Touched(ctx context.Context, cache *store.Cache, ids []store.ItemID) {
	if len(ids) == 0 {
		return
	}
	if h, err := cache.Get(ctx, Bucket, headKey); err != nil || h == nil {
		return
	}
	vals := make(map[string][]byte, len(ids))
	for _, id := range ids {
		vals[touchedKey(id)] = []byte(rand.Text())
	}
	if err := cache.Put(ctx, Bucket, vals); err != nil {
		slog.Debug("changed titles could not be noted", "error", err)
	}
}

// head reads the head, and the notes of what was touched.
func (k *Keeper) head(ctx context.Context) (h head, touched map[store.ItemID]string, err error) {
	touched = map[store.ItemID]string{}
	err = k.lib.Cache().View(ctx, Bucket, func(x *store.CacheTx) error {
		v, err := x.Get(headKey)
		if err != nil || v == nil {
			return err
		}
		if json.Unmarshal(v, &h) != nil {
			return errSpoilt
		}
		for from := string(rune(kindTouched)); ; {
			key, val, err := x.Next(from)
			if err != nil || len(key) != 9 || key[0] != kindTouched {
				return err
			}
			touched[store.ItemID(binary.BigEndian.Uint64([]byte(key[1:])))] = string(val)
			from = key + "\x00"
		}
	})
	return h, touched, err
}

// Update brings the tables up to date. progress, if not nil, hears how many of how many
// items were counted; it must not block.
func (k *Keeper) Update(ctx context.Context, now time.Time, progress func(done, all int)) error {
	if !k.lib.Exists() {
		return nil
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	for tries := 0; ; tries++ {
		err := k.update(ctx, now, progress)
		switch {
		case tries >= 5:
			return err
		case errors.Is(err, errSpoilt):
			if err := k.lib.Cache().Delete(ctx, Bucket); err != nil {
				return err
			}
		case !errors.Is(err, errRaced):
			return err
		}
	}
}

// step is one update: from which head, to which fact.
type step struct {
	k       *Keeper
	was     head
	now     head
	oldest  int64 // day
	touched map[store.ItemID]string
	place   map[store.ItemID]int64 // where items that came, or were placed, stand
	changed map[store.ItemID]bool  // known items with another text or place
	gone    map[store.ItemID]bool  // of them those that stand before the first table
	done    int
	tell    func(done, all int)
}

func (k *Keeper) update(ctx context.Context, now time.Time, progress func(done, all int)) error {
	s := &step{k: k, tell: progress, oldest: dayOf(now.Unix()) - keep, place: map[store.ItemID]int64{}, changed: map[store.ItemID]bool{}, gone: map[store.ItemID]bool{}}
	t, err := k.lib.Totals(ctx)
	if err != nil {
		return err
	}
	d, err := k.lib.Descent(ctx, "")
	if err != nil {
		return err
	}
	if s.was, s.touched, err = k.head(ctx); err != nil {
		return err
	}
	s.now = head{Version: version, Library: fmt.Sprintf("%d/%x", d.Began.UnixMilli(), d.Line), Fact: t.Facts}
	whole := s.was.Version != version || s.was.Library != s.now.Library || s.was.Fact > t.Facts || s.was.Build != ""
	if !whole && s.was.Fact == t.Facts && len(s.touched) == 0 {
		return nil
	}
	from := s.was.Fact
	if whole {
		if from = 0; s.was != (head{}) {
			if err := k.lib.Cache().Delete(ctx, Bucket); err != nil {
				return err
			}
		}
		s.was = head{Version: version, Library: s.now.Library, Build: rand.Text()}
		if err := k.lib.Cache().Update(ctx, Bucket, func(x *store.CacheTx) error { return putHead(x, &s.was) }); err != nil {
			return err
		}
	}
	if err := s.readFacts(ctx, from, t.Facts); err != nil {
		return err
	}
	for id := range s.touched {
		s.changed[id] = true
	}
	return s.write(ctx, whole)
}

// readFacts reads what happened to items.
func (s *step) readFacts(ctx context.Context, after, to uint64) error {
	enough := errors.New("enough")
	_, err := s.k.lib.Facts(ctx, after, func(f *store.Fact) error {
		if f.No > to {
			return enough
		}
		switch f.Kind {
		case store.Arrived:
			for i, id := range f.Items {
				at := f.At.Unix()
				if i < len(f.Nums) && f.Nums[i] != store.Dateless {
					at += min(f.Nums[i], 0)
				}
				s.at(id, at)
			}
		case store.Placed:
			for i, id := range f.Items[:min(len(f.Items), len(f.Nums))] {
				s.at(id, f.At.Unix()+f.Nums[i])
				s.changed[id] = true
			}
		case store.RowRemoved:
			for _, id := range f.Items {
				delete(s.place, id)
				s.gone[id], s.changed[id] = true, true
			}
		case store.Edited, store.TextRemoved:
			for _, id := range f.Items {
				s.changed[id] = true
			}
		}
		return nil
	})
	if err == enough {
		return nil
	}
	return err
}

// at notes where an item stands.
func (s *step) at(id store.ItemID, at int64) {
	if dayOf(at) >= s.oldest {
		s.place[id] = at
		delete(s.gone, id)
		return
	}
	delete(s.place, id)
	s.gone[id] = true
}

// write makes the tables again in which something changed. All of them are written one
// after the other; what is left of a day or two in one transaction.
func (s *step) write(ctx context.Context, whole bool) error {
	adds := map[int64][]doc{}
	for id, at := range s.place {
		adds[dayOf(at)] = append(adds[dayOf(at)], doc{id, at})
	}
	days, err := s.days(ctx, adds)
	if err != nil {
		return err
	}
	all := 0
	for _, list := range adds {
		all += len(list)
	}
	vals := map[string][]byte{}
	for _, day := range days {
		b, err := s.table(ctx, day, adds[day], all)
		if err != nil {
			return err
		}
		if vals[dayKey(day)] = b; whole {
			if err := s.put(ctx, vals, nil); err != nil {
				return err
			}
			vals = map[string][]byte{}
		}
	}
	return s.put(ctx, vals, &s.now)
}

// days are the days whose tables have to be made again, the newest first.
func (s *step) days(ctx context.Context, adds map[int64][]doc) ([]int64, error) {
	want := map[int64]bool{}
	for day := range adds {
		want[day] = true
	}
	if len(s.changed) > 0 && s.was.Build == "" {
		bad := false
		err := s.k.lib.Cache().Scan(ctx, Bucket, string(rune(kindDay)), func(key string, val []byte) bool {
			if len(key) != 5 || key[0] != kindDay {
				return false
			}
			day := int64(binary.BigEndian.Uint32([]byte(key[1:])))
			r := codec.Reader{B: val}
			for _, d := range readDocs(&r, day) {
				if s.changed[d.item] {
					want[day] = true
					break
				}
			}
			bad = bad || r.Bad
			return true
		})
		if err != nil {
			return nil, err
		}
		if bad {
			return nil, errSpoilt
		}
	}
	list := make([]int64, 0, len(want))
	for day := range want {
		list = append(list, day)
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list, nil
}

// table makes the table of a day: what it was, without what changed, and with what came.
func (s *step) table(ctx context.Context, day int64, adds []doc, all int) ([]byte, error) {
	b, err := s.k.lib.Cache().Get(ctx, Bucket, dayKey(day))
	if err != nil {
		return nil, err
	}
	var was table
	if ok := true; b != nil {
		if was, ok = decode(b, day); !ok {
			return nil, errSpoilt
		}
	}
	had := counted(was.docs)
	stays := make([]bool, len(was.docs)) // with its terms
	next := table{}
	for i, d := range was.docs {
		if _, comes := s.place[d.item]; !comes && !s.gone[d.item] {
			next.docs = append(next.docs, d)
			stays[i] = !s.changed[d.item]
		}
	}
	next.docs = append(next.docs, adds...)
	sort.Slice(next.docs, func(i, j int) bool { return next.docs[i].item < next.docs[j].item })
	counts := counted(next.docs)
	to := make(map[store.ItemID]uint32, len(next.docs))
	for i, d := range next.docs {
		to[d.item] = uint32(i)
	}
	kept := make([]int64, len(was.docs))
	var read []store.ItemID
	known := make(map[store.ItemID]bool, len(was.docs))
	for i, d := range was.docs {
		kept[i] = -1
		if n, ok := to[d.item]; ok && stays[i] && had[i] && counts[n] {
			kept[i], known[d.item] = int64(n), true
		}
	}
	for i, d := range next.docs {
		if counts[i] && !known[d.item] {
			read = append(read, d.item)
		}
	}
	next.pairs = make([]pair, 0, len(was.pairs)+len(read)*64)
	for _, p := range was.pairs {
		if n := kept[p.No]; n >= 0 {
			next.pairs = append(next.pairs, pair{p.Key, uint32(n)})
		}
	}
	if err := s.count(ctx, &next, read, to); err != nil {
		return nil, err
	}
	s.done += len(adds)
	s.tell(s.done, all)
	return next.encode(day), nil
}

// readGroup is how many items are read at once: others wait meanwhile.
const readGroup = 128

// count adds the terms of items, whose ids ascend.
func (s *step) count(ctx context.Context, t *table, ids []store.ItemID, to map[store.ItemID]uint32) error {
	for group := range slices.Chunk(ids, readGroup) {
		docs, err := readItems(ctx, s.k.lib, group)
		if err != nil {
			return err
		}
		for i, id := range group {
			n := to[id]
			docs[i].terms(func(hash uint64, _ string) { t.pairs = append(t.pairs, pair{hash, n}) })
		}
	}
	return nil
}

// readItems reads items as they are counted.
func readItems(ctx context.Context, lib Library, ids []store.ItemID) ([]*Doc, error) {
	items, err := lib.Items(ctx, ids)
	if err != nil {
		return nil, err
	}
	bodies := make(map[store.ItemID]store.Body, len(ids))
	if err := lib.Bodies(ctx, ids, func(id store.ItemID, b store.Body) { bodies[id] = b }); err != nil {
		return nil, err
	}
	docs := make([]*Doc, len(ids))
	for i := range items {
		docs[i] = DocOf(&items[i], bodies[items[i].ID])
	}
	return docs, nil
}

// put writes tables, if nobody else did meanwhile; with a head they are complete: what
// is too old goes, and so do the notes that were followed.
func (s *step) put(ctx context.Context, vals map[string][]byte, last *head) error {
	return s.k.lib.Cache().Update(ctx, Bucket, func(x *store.CacheTx) error {
		var h head
		v, err := x.Get(headKey)
		if err != nil {
			return err
		}
		if v == nil || json.Unmarshal(v, &h) != nil || h != s.was {
			return errRaced
		}
		for key, val := range vals {
			if err := x.Put(key, val); err != nil {
				return err
			}
		}
		if last == nil {
			return nil
		}
		for id, note := range s.touched {
			v, err := x.Get(touchedKey(id))
			if err != nil {
				return err
			}
			if string(v) == note {
				if err := x.Delete(touchedKey(id)); err != nil {
					return err
				}
			}
		}
		for {
			key, _, err := x.Next(string(rune(kindDay)))
			if err != nil {
				return err
			}
			if len(key) != 5 || key[0] != kindDay || key >= dayKey(s.oldest) {
				break
			}
			if err := x.Delete(key); err != nil {
				return err
			}
		}
		return putHead(x, last)
	})
}

func putHead(x *store.CacheTx, h *head) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return x.Put(headKey, b)
}
