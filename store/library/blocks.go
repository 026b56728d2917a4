package library

import (
	"bytes"
	"errors"
	"sort"

	"diurna/store/db"
	"diurna/store/record"
)

// inBlock finds the entry of a key in the blocks of a feed. p.Key is 0 if there is none.
func (t *Txn) inBlock(b *record.Bucket, feed record.FeedID, key uint64) (p record.Pair, err error) {
	if t.Schema < uint64(record.RowsSchema) {
		return p, nil // it has none
	}
	at := record.IDKey(feed|record.InBlocks, key)
	k, payload, err := t.Floor(b, at)
	if err != nil || len(k) != len(at) || !bytes.Equal(k[:4], at[:4]) {
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

// InBlocks reads the blocks of a feed from the one of key from on, which is the first key of
// one, to the one of key to.
func InBlocks(t *db.Tx, b *record.Bucket, feed record.FeedID, from, to uint64) (all []record.Pair, keys [][]byte, err error) {
	at := record.IDKey(feed|record.InBlocks, from)
	err = t.Scan(b, at, at[:4], func(k, payload []byte) (err error) {
		if record.Uint64(k[4:]) > to {
			return errEnough
		}
		keys = append(keys, bytes.Clone(k))
		d := record.ReadPairs(record.Uint64(k[4:]), payload)
		for d.Next() {
			all = append(all, d.Pair)
		}
		if !d.Sound() {
			err = b.Damage(k, "block does not decode")
		}
		return err
	})
	if err == errEnough {
		err = nil
	}
	return all, keys, err
}

var errEnough = errors.New("enough")

// PutInBlocks puts pairs, ascending, into the blocks of a feed, over those with the same
// keys. It rewrites the blocks between the first and the last of them.
func (t *Txn) PutInBlocks(b *record.Bucket, feed record.FeedID, add []record.Pair) error {
	if len(add) == 0 {
		return nil
	}
	from := add[0].Key
	at := record.IDKey(feed|record.InBlocks, from)
	k, _, err := t.Floor(b, at)
	if err != nil {
		return err
	}
	if len(k) == len(at) && bytes.Equal(k[:4], at[:4]) {
		from = record.Uint64(k[4:])
	}
	old, keys, err := InBlocks(t.Tx, b, feed, from, add[len(add)-1].Key)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := t.Delete(b, k); err != nil {
			return err
		}
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
	return t.Raise(record.RowsSchema)
}
