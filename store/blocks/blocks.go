// Package blocks keeps items whose texts were removed, and what is left of those whose rows were, many
// in one record of their feed: pairs, which are keys and states, items and tombstones. record/pairs.go,
// record/packeditems.go and record/tombstones.go say what is in a block.
//
// Start with Pair, Items and Tombstones.
package blocks

import (
	"bytes"
	"errors"
	"sort"

	"diurna/store/db"
	"diurna/store/record"
)

// blockOf finds the block of a feed in which a key is, if it is in one; nil if there is none.
func blockOf(t *db.Tx, b *record.Bucket, feed record.FeedID, key uint64) (k, payload []byte, err error) {
	if t.Schema < uint64(record.RowsSchema) {
		return nil, nil, nil // it has none
	}
	at := record.IDKey(feed|record.InBlocks, key)
	k, payload, err = t.Floor(b, at)
	if err != nil || len(k) != len(at) || !bytes.Equal(k[:4], at[:4]) {
		return nil, nil, err
	}
	return k, payload, nil
}

// Pair finds the entry of a key in the blocks of a feed; its Key is 0 if there is none.
func Pair(t *db.Tx, b *record.Bucket, feed record.FeedID, key uint64) (p record.Pair, err error) {
	k, payload, err := blockOf(t, b, feed, key)
	if k == nil {
		return p, err
	}
	d := record.ReadPairs(record.Uint64(k[4:]), payload)
	for d.Next() && d.Key <= key { // half of a block on average: nothing is allocated
		if d.Key == key {
			return d.Pair, nil
		}
	}
	if !d.Sound() {
		err = b.Damage(k, "block does not decode")
	}
	return p, err
}

// visit calls see for the blocks of a feed from the one of key from on, which is the first key of one,
// to the one of key to, and returns their keys.
func visit(t *db.Tx, b *record.Bucket, feed record.FeedID, from, to uint64, see func(k, payload []byte) error) (keys [][]byte, err error) {
	at := record.IDKey(feed|record.InBlocks, from)
	err = t.Scan(b, at, at[:4], func(k, payload []byte) error {
		if record.Uint64(k[4:]) > to {
			return errEnough
		}
		keys = append(keys, bytes.Clone(k))
		return see(k, payload)
	})
	if err == errEnough {
		err = nil
	}
	return keys, err
}

// Pairs reads the pairs in the blocks of a feed from the block of key from on, which is the first
// key of one, to the one of key to, and returns the keys of these blocks.
func Pairs(t *db.Tx, b *record.Bucket, feed record.FeedID, from, to uint64) (all []record.Pair, keys [][]byte, err error) {
	keys, err = visit(t, b, feed, from, to, func(k, payload []byte) error {
		d := record.ReadPairs(record.Uint64(k[4:]), payload)
		for d.Next() {
			all = append(all, d.Pair)
		}
		if !d.Sound() {
			return b.Damage(k, "block does not decode")
		}
		return nil
	})
	return all, keys, err
}

var errEnough = errors.New("enough")

// PutPairs puts pairs, ascending, into the blocks of a feed, over those with the same
// keys. It rewrites the blocks between the first and the last of them.
func PutPairs(t *db.Tx, b *record.Bucket, feed record.FeedID, add []record.Pair) error {
	if len(add) == 0 {
		return nil
	}
	from, err := firstOf(t, b, feed, add[0].Key)
	if err != nil {
		return err
	}
	old, keys, err := Pairs(t, b, feed, from, add[len(add)-1].Key)
	if err != nil {
		return err
	}
	if err := deleteAll(t, b, keys); err != nil {
		return err
	}
	pairs := append(add[:len(add):len(add)], old...)
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].Key < pairs[j].Key })
	t.Bucket(b).FillPercent = 0.95 // blocks are as large as fits
	for len(pairs) > 0 {
		block, n := record.AppendPairs(nil, pairs[0].Key, pairs)
		if err := t.Put(b, record.IDKey(feed|record.InBlocks, pairs[0].Key), block); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}

// firstOf is where the block begins in which a key is; the key where it is in none.
func firstOf(t *db.Tx, b *record.Bucket, feed record.FeedID, key uint64) (uint64, error) {
	k, _, err := blockOf(t, b, feed, key)
	if k != nil {
		key = record.Uint64(k[4:])
	}
	return key, err
}

func deleteAll(t *db.Tx, b *record.Bucket, keys [][]byte) error {
	for _, k := range keys {
		if err := t.Delete(b, k); err != nil {
			return err
		}
	}
	return nil
}
