package db

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"sort"

	"diurna/store/codec"
	"diurna/store/lock"
	"diurna/store/record"
)

// While the library is being compacted, every transaction of every process notes
// which records it wrote or deleted, so that the copy can be brought up to date.
// The notes lie in a bucket of their own, which is only there meanwhile, and are
// part of the transaction they tell of.

// CompactLockName is the lock file of whoever compacts, in Dir.
const CompactLockName = "compact.lock"

// written is a record that was written or deleted.
type written struct {
	b   *record.Bucket
	key string
}

// startNotes has this transaction note its changes if somebody is compacting. What
// one that was killed has left is removed.
func (t *Tx) startNotes() error {
	if !t.Write || t.Bolt.Bucket(record.Changes.Name) == nil {
		return nil
	}
	if t.db.File == "" && t.db.compacting() {
		t.changed = make(map[written]bool)
		return nil
	}
	t.Bucket(record.Changes).Walk() // bbolt does
	delete(t.open, record.Changes)
	return t.Bolt.DeleteBucket(record.Changes.Name)
}

// compacting tells whether a process compacts. It must be called under a lock of
// the library: a compacting process takes compact.lock under the exclusive one,
// so that asking never keeps it from doing so.
func (l *DB) compacting() bool {
	f, err := lock.Open(l.In(CompactLockName), os.O_RDWR)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(lock.Lock(f, lock.Shared|lock.Try), ErrBusy)
}

// note remembers a change, for noteChanges.
func (t *Tx) note(b *record.Bucket, key []byte) {
	if t.changed != nil {
		t.changed[written{b, string(key)}] = true
	}
}

// noteChanges is the last thing that a transaction writes. One that changed
// nothing notes that, so that none can be missing unseen.
func (t *Tx) noteChanges() error {
	if t.changed == nil {
		return nil
	}
	all := make([]written, 0, len(t.changed))
	for w := range t.changed {
		all = append(all, w)
	}
	sort.Slice(all, func(i, j int) bool {
		return cmp.Or(bytes.Compare(all[i].b.Name, all[j].b.Name), cmp.Compare(all[i].key, all[j].key)) < 0
	})
	t.changed = nil
	v := binary.AppendUvarint(nil, uint64(len(all)))
	for _, c := range all {
		v = codec.AppendString(codec.AppendString(v, string(c.b.Name)), c.key)
	}
	return t.Put(record.Changes, record.Key8(uint64(t.Bolt.ID())), v)
}

// Changes visits what transaction no has changed. False: it has not noted that,
// so it was not one of ours.
func (t *Tx) Changes(no uint64, visit func(b *record.Bucket, key []byte) error) (noted bool, err error) {
	v, err := t.Get(record.Changes, record.Key8(no))
	if v == nil || err != nil {
		return false, err
	}
	r := codec.Reader{B: v}
	for range r.Count(1) {
		name, key := r.Bytes(), r.Bytes()
		i := slices.IndexFunc(t.db.Buckets, func(b *record.Bucket) bool { return bytes.Equal(b.Name, name) })
		if r.Bad || i < 0 {
			return false, record.Changes.Damage(record.Key8(no), "the changes do not decode")
		}
		if err := visit(t.db.Buckets[i], key); err != nil {
			return false, err
		}
	}
	if !r.Done() {
		return false, record.Changes.Damage(record.Key8(no), "the changes do not decode")
	}
	return true, nil
}
