package interest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/fnv"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"diurna/ranking"
	"diurna/ranking/topics"
	"diurna/reader/sweep"
	"diurna/store"
	"diurna/store/codec"
)

// The cache of interest is one bucket, so that one read sees one state of it. Only
// the process that holds fetch.lock writes it. The keys before the vectors sort
// before them.
const (
	interestBucket = "interest"
	keyHead        = "1 head"
	keyBeliefs     = "2 beliefs"
	keyTopics      = "3 topics"
	keyWeights     = "4 weights"
	keyVectors     = "v" // and the feed
)

// keptFor is how long the descriptions made for a ranking are kept, so that leaving
// Ranked and coming back, or asking why, does not wait for them again.
const keptFor = 20 * time.Second

// withLearned calls do with what the facts say now, one caller after the other.
// do may describe items and change nothing else.
func (r *Ranker) withLearned(ctx context.Context, do func(*learned) error) error {
	r.using.Lock()
	defer r.using.Unlock()
	defer r.sweepLater()
	in := r.kept
	if r.kept = nil; in == nil || r.stale.Swap(false) {
		in = r.read(ctx, vectorized)
	}
	in, err := r.fold(ctx, in)
	if err != nil {
		return err
	}
	err = do(in)
	r.kept = in
	if r.drop == nil {
		r.drop = time.AfterFunc(keptFor, r.dropKept)
	} else {
		r.drop.Reset(keptFor)
	}
	return err
}

// dropKept lets go of what no ranking has used for a while.
func (r *Ranker) dropKept() {
	r.using.Lock()
	r.kept = nil
	r.using.Unlock()
	r.sweepLater()
}

// depth is how much of the cache is read.
type depth uint8

const (
	bare       depth = iota // no vectors
	vectorized              // with the vectors of what was unread when it was written
	owned                   // and with what tells whether they changed: for who writes it
)

// load is what the facts say now: the checkpoint, if it counts, and the
// tail.
func (r *Ranker) load(ctx context.Context, d depth) (*learned, error) {
	defer r.sweepLater()
	in := r.read(ctx, d)
	return r.fold(ctx, in)
}

// read reads the cache; one that cannot be used is as good as none.
func (r *Ranker) read(ctx context.Context, d depth) *learned {
	in := newLearned(nil, 0, 0)
	bad := false
	err := r.lib.Cache().Scan(ctx, interestBucket, "", func(key string, val []byte) bool {
		var err error
		switch {
		case key == keyHead:
			head := checkpoint{}
			if err = json.Unmarshal(val, &head); err == nil && head.Version == checkpointVersion {
				in.head = head
			} else {
				bad = true
			}
		case key == keyBeliefs:
			in.b, err = ranking.Resume(val)
		case key == keyTopics:
			in.model, err = topics.Unpack(val)
		case strings.HasPrefix(key, keyVectors):
			if d == bare {
				return false
			}
			err = in.readVectors(key, val, d == owned)
		}
		bad = bad || err != nil
		return !bad
	})
	if err != nil || bad || in.head.Last == 0 || in.head.Fit > 0 && in.model == nil {
		if err != nil {
			slog.Debug("the cache of interest could not be read", "error", err)
		}
		return newLearned(nil, 0, 0)
	}
	if in.head.Opens == nil {
		in.head.Opens = map[store.ItemID]openings{}
	}
	if in.head.TakenBy == nil {
		in.head.TakenBy = map[uint64][]uint64{}
	}
	if in.head.Shown == nil {
		in.head.Shown = map[store.FeedID][]byte{}
	}
	if in.head.Seen == nil {
		in.head.Seen = map[store.FeedID][]byte{}
	}
	return in
}

var errVectors = errors.New("not a list of vectors")

// readVectors reads a feed's vectors: of each item its number, a length, and the
// vector.
func (in *learned) readVectors(key string, val []byte, own bool) error {
	feed, ok := store.ParseFeedID(strings.TrimPrefix(key, keyVectors))
	if !ok {
		return errVectors
	}
	if in.raw[feed] = 0; own {
		in.raw[feed] = hashOf(val)
	}
	for r := (codec.Reader{B: val}); len(r.B) > 0; {
		n, vector := r.Uvarint(), r.Bytes()
		if r.Bad || n == 0 || n > math.MaxUint32 {
			return errVectors
		}
		v, err := in.b.ReadVector(vector)
		if err != nil {
			return err
		}
		in.vec.put(store.MakeItemID(feed, uint32(n)), v)
	}
	return nil
}

func hashOf(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// save writes the checkpoint and the vectors of rows, which are ascending
// by item.
func (r *Ranker) save(ctx context.Context, in *learned, ids []store.ItemID, now time.Time) error {
	in.prune(now)
	vals := map[string][]byte{}
	packed := map[store.FeedID][]byte{}
	var one []byte
	for _, id := range ids {
		v := in.vec.get(id)
		if v == nil {
			continue
		}
		one = v.Append(one[:0])
		out := binary.AppendUvarint(packed[id.Feed()], uint64(id.N()))
		out = binary.AppendUvarint(out, uint64(len(one)))
		packed[id.Feed()] = append(out, one...)
	}
	for feed, val := range packed {
		if in.raw[feed] != hashOf(val) {
			vals[keyVectors+feed.String()] = val
		}
	}
	for feed := range in.raw {
		if packed[feed] == nil {
			vals[keyVectors+feed.String()] = []byte{}
		}
	}
	head, err := json.Marshal(&in.head)
	if err != nil {
		return err
	}
	weights, err := json.Marshal(in.weights())
	if err != nil {
		return err
	}
	vals[keyHead], vals[keyBeliefs], vals[keyWeights] = head, in.b.Checkpoint(), weights
	if in.model != nil {
		vals[keyTopics] = in.model.Pack()
	}
	return r.lib.Cache().Put(ctx, interestBucket, vals)
}

// weights are the planner's: what an item of each feed is worth, in hundredths, so
// that a single opening does not make the day's plan again. Nil until enough was
// opened.
func (in *learned) weights() map[string]float64 {
	if in.b.Opens() < ranking.OpensNeeded {
		return nil
	}
	keys := make([]string, len(in.feeds))
	for i := range in.feeds {
		keys[i] = in.feeds[i].ID.String()
	}
	out := make(map[string]float64, len(keys))
	for i, w := range in.b.Weights(keys) {
		out[keys[i]] = max(math.Round(w*100)/100, .01)
	}
	return out
}

// Weights reads the planner's weights; nil: all feeds weigh the same.
func (r *Ranker) Weights(ctx context.Context) map[string]float64 {
	b, err := r.lib.Cache().Get(ctx, interestBucket, keyWeights)
	var out map[string]float64
	if err != nil || b == nil || json.Unmarshal(b, &out) != nil {
		return nil
	}
	return out
}

// What must have happened before the cache is worth bringing up to date.
const (
	staleFacts = 256
	staleItems = 48
	warmOpens  = 20 // below it nobody is near to Ranked: no vectors, no topics
)

// sweepLater gives back the memory of what was loaded, a second after the last
// use: nothing else would collect it for hours.
func (r *Ranker) sweepLater() {
	r.swept.Lock()
	defer r.swept.Unlock()
	if r.sweep == nil {
		r.sweep = time.AfterFunc(sweep.After, r.giveBack)
		return
	}
	r.sweep.Reset(sweep.After)
}

func (r *Ranker) giveBack() {
	if again := sweep.Free(sweep.After); again > 0 {
		r.swept.Lock()
		defer r.swept.Unlock()
		r.sweep.Reset(again)
	}
}

// Learn brings the cache of interest up to date, if enough has happened.
// It is called by whoever holds fetch.lock, after work that just ended: nothing
// wakes up for it. Failing costs nothing but the time of the next one who asks.
func (r *Ranker) Learn(ctx context.Context, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	totals, err := r.lib.Totals(ctx)
	if err != nil || totals.Items == 0 {
		return
	}
	if r.facts == 0 {
		r.facts, r.items = r.cachedUpTo(ctx)
	}
	r.items = min(r.items, totals.Items) // rows may have been removed
	if totals.Facts < r.facts+staleFacts && totals.Items < r.items+staleItems {
		return
	}
	if err := r.learnAnyway(ctx, totals, now); err != nil {
		if ctx.Err() == nil {
			slog.Debug("interest could not be learned", "error", err)
		}
		return
	}
	r.facts, r.items = totals.Facts, totals.Items
	r.stale.Store(true)
}

// cachedUpTo says how much of the library the cache has taken in.
func (r *Ranker) cachedUpTo(ctx context.Context) (facts uint64, items int) {
	b, err := r.lib.Cache().Get(ctx, interestBucket, keyHead)
	var head checkpoint
	if err != nil || b == nil || json.Unmarshal(b, &head) != nil || head.Version != checkpointVersion {
		return 0, 0
	}
	return head.Last, head.Items
}

func (r *Ranker) learnAnyway(ctx context.Context, totals store.Totals, now time.Time) error {
	in, err := r.load(ctx, owned)
	if err != nil {
		return err
	}
	in.head.Items = totals.Items
	if in.b.Opens() < warmOpens {
		return r.save(ctx, in, nil, now)
	}
	ever := in.ever()
	if topicsDue(ever, &in.head) {
		model, err := r.fitTopics(ctx, in.model)
		if err != nil {
			return err
		}
		in.head.FitItems = ever
		if model != nil {
			// Other topics make new vectors of every item.
			if in, err = r.fold(ctx, in.unfolded(model, in.head.Fit+1, ever)); err != nil {
				return err
			}
			in.head.Items = totals.Items
		}
	}
	rows, err := r.lib.Rows(ctx, store.RowQuery{Which: store.Unread})
	if err != nil {
		return err
	}
	ids := make([]store.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	slices.Sort(ids)
	if err := in.vectorize(ctx, r.lib, ids); err != nil {
		return err
	}
	return r.save(ctx, in, ids, now)
}
