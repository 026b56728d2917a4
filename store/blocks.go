package store

import (
	"bytes"
	"context"
	"math"
	"slices"

	"diurna/store/blocks"
	"diurna/store/codec"
	"diurna/store/library"
	"diurna/store/record"
)

const (
	// packAfter is how many items of a feed must be gone for what is left of them to be
	// moved into blocks, which are rewritten for that: as many as make it worth while, and one
	// for packShare of those that are in blocks, so that each is rewritten so often at most.
	packAfter = 32
	packShare = 64
	// packAtOnce is how many records are moved in one transaction.
	packAtOnce = 512
)

// loose is a record that is to be an entry of a block.
type loose struct {
	pair     record.Pair
	key, val []byte
}

// pack moves what is left of the items of a feed that are gone into blocks, where there are enough of
// them: their keys, what Ranked keeps of them and their states. With texts, it does so with items up
// to last that are there, read, neither saved nor tagged, and without their texts: with their keys and
// all else. States come last: whoever dies here leaves some of all where they were, they are found in
// either place, and the next one goes on.
func (s *Store) pack(ctx context.Context, last ItemID, texts bool) error {
	var keys, states []loose
	feed := last.Feed()
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		some := map[uint32]bool{}
		var st record.State
		var it record.ItemRecord
		prefix := record.Key4(uint32(feed))
		see := func(k, v []byte) error {
			l := loose{key: bytes.Clone(k), val: bytes.Clone(v)}
			if len(k) == 8 {
				id, ok := ItemID(record.Uint64(k)), st.Decode(v)
				switch {
				case !ok || texts && (id > last || !packable(&st)) || !texts && st.Flags&FlagGone == 0:
					return nil
				case texts:
					if err := t.Item(id, &it); err != nil || it.TextRemoved == 0 {
						return err
					}
				}
				l.pair, some[id.N()] = st.InBlock(id.N()), true
				states = append(states, l)
				return nil
			}
			r := codec.Reader{B: v}
			if n := uint32(r.Uvarint()); some[n] {
				l.pair = record.Pair{Key: record.Uint64(k[4:]), Value: int64(n)}
				keys = append(keys, l)
			}
			return nil
		}
		err := t.Scan(record.States, prefix, prefix, see)
		if err != nil || len(states) < s.packAfter {
			return err
		}
		packed := 0
		if texts {
			packed, err = t.Packed.Count(feed)
		} else {
			var pairs []record.Pair
			pairs, _, err = blocks.Pairs(t.Tx, record.States, feed, 0, math.MaxUint64)
			packed = len(pairs)
		}
		if len(states) < packed/packShare {
			states = nil
		}
		if err != nil || states == nil {
			return err
		}
		return t.Scan(record.IDs, prefix, prefix, see)
	})
	if err != nil || len(states) < s.packAfter {
		return err
	}
	if err := moveIn(ctx, s.lib, record.IDs, feed, keys); err != nil {
		return err
	}
	if err := packItems(ctx, s.lib, feed, states, texts); err != nil || texts {
		return err
	}
	return moveIn(ctx, s.lib, record.States, feed, states)
}

// packable tells whether an item in a state may lie in a block.
func packable(st *record.State) bool { return st.Flags == FlagRead && len(st.Tags) == 0 }

// packItems moves the items of states into blocks, or what Ranked keeps of those that are gone.
func packItems(ctx context.Context, lib *library.Library, feed FeedID, states []loose, texts bool) error {
	for group := range slices.Chunk(states, packAtOnce) {
		err := lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
			if c, err := t.Count(feed); err != nil || texts && !c.Live {
				return err
			}
			r := remover{t: t}
			var tombs []record.Tombstone
			var items []record.PackedItem
			for i := range group {
				id := MakeItemID(feed, uint32(group[i].pair.Key))
				if texts {
					one, ok, err := r.lift(id)
					if err != nil {
						return err
					}
					if ok {
						items = append(items, one)
					}
					continue
				}
				one, ok, err := r.bury(id)
				if err != nil {
					return err
				}
				if ok {
					tombs = append(tombs, one)
				}
			}
			if len(tombs)+len(items) == 0 {
				return nil
			}
			if err := r.putChunk(); err != nil {
				return err
			}
			// First, for without it no blocks are looked for.
			schema := byte(record.RowsSchema)
			if texts {
				schema = record.LeadsSchema
			}
			if err := t.Raise(schema); err != nil {
				return err
			}
			if err := t.Tombs.Put(feed, tombs); err != nil {
				return err
			}
			return t.Packed.Put(feed, items)
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveIn moves records, ascending, into the blocks of a feed, but for those that are not what they
// were any more: another item may have taken a key over.
func moveIn(ctx context.Context, lib *library.Library, b *record.Bucket, feed FeedID, all []loose) error {
	for len(all) > 0 {
		group := all[:min(packAtOnce, len(all))]
		all = all[len(group):]
		err := lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
			var pairs []record.Pair
			for i := range group {
				l := &group[i]
				v, err := t.Get(b, l.key)
				if err == nil && bytes.Equal(v, l.val) {
					err = t.Delete(b, l.key)
					pairs = append(pairs, l.pair)
				}
				if err != nil {
					return err
				}
			}
			if err := blocks.PutPairs(t.Tx, b, feed, pairs); err != nil {
				return err
			}
			return t.Raise(record.RowsSchema)
		}})
		if err != nil {
			return err
		}
	}
	return nil
}
