package filing

import (
	"encoding/binary"
	"slices"
	"sort"

	"diurna/store/record"
)

func (w *filer) rekey(f *Filing) error {
	for _, r := range f.Rekey {
		for _, k := range r.Keys {
			if err := w.t.Put(record.IDs, record.IDKey(f.Feed, k), binary.AppendUvarint(nil, uint64(r.N))); err != nil {
				return err
			}
		}
	}
	if len(f.Rekey) == 0 {
		return nil
	}
	return w.forgetKeys(f)
}

// forgetKeys takes keys away from items with too many: a publisher who makes up
// new ids with every fetch would add keys without end. Half of the allowed
// number is kept, so that this is rarely needed. Which half does not matter: a
// publisher that returns to an old id returns to the latest one.
func (w *filer) forgetKeys(f *Filing) error {
	names := map[uint32][]uint64{}
	for _, r := range f.Rekey {
		names[r.N] = nil
	}
	prefix := record.IDKey(f.Feed, 0)[:4]
	err := w.t.Scan(record.IDs, prefix, prefix, func(k, v []byte) error {
		if n, size := binary.Uvarint(v); size > 0 {
			if keys, asked := names[uint32(n)]; asked {
				names[uint32(n)] = append(keys, binary.BigEndian.Uint64(k[4:]))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range f.Rekey {
		left := len(names[r.N])
		if left <= record.MostKeys {
			continue
		}
		for _, k := range names[r.N] {
			if left > record.MostKeys/2 && !slices.Contains(r.Keys, k) && !slices.Contains(r.PreviouslyUsed, k) {
				if err := w.t.Delete(record.IDs, record.IDKey(f.Feed, k)); err != nil {
					return err
				}
				left--
			}
		}
		names[r.N] = nil // an item may be named twice
	}
	return nil
}

// addKeys gives an item its keys, but none that another item has.
func (w *filer) addKeys(feed record.FeedID, n uint32, keys []uint64) error {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		owner, err := w.t.Owner(feed, k)
		if err != nil {
			return err
		}
		if owner != 0 {
			continue
		}
		if err := w.t.Put(record.IDs, record.IDKey(feed, k), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	return nil
}

// takeKeys gives new items, numbered from first on, the keys that they take over
// and those of theirs that nobody has.
func (w *filer) takeKeys(f *Filing, first uint32) error {
	type named struct {
		key uint64
		n   uint32
	}
	list := make([]named, 0, 3*len(f.New))
	stored := first > 1
	for i := range f.New {
		n := first + uint32(i)
		if key := f.New[i].Takes; key != 0 {
			stored = true
			if err := w.t.Put(record.IDs, record.IDKey(f.Feed, key), binary.AppendUvarint(nil, uint64(n))); err != nil {
				return err
			}
		}
		for _, key := range f.New[i].Keys {
			list = append(list, named{key, n})
		}
	}
	// In the order of the keys they come to the same pages one after the other.
	sort.Slice(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.key < b.key || a.key == b.key && a.n < b.n
	})
	var number []byte
	for i, k := range list {
		if i > 0 && k.key == list[i-1].key {
			continue // the first item has it
		}
		if stored {
			if owner, err := w.t.Owner(f.Feed, k.key); err != nil {
				return err
			} else if owner != 0 {
				continue
			}
		}
		number = binary.AppendUvarint(number[:0], uint64(k.n))
		if err := w.t.Put(record.IDs, record.IDKey(f.Feed, k.key), number); err != nil {
			return err
		}
	}
	return nil
}
