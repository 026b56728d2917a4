package blocks

import (
	"sort"

	"diurna/store/db"
	"diurna/store/record"
)

// Tombstones are the tombstones of a library, as a transaction reads and writes them.
type Tombstones struct {
	tx     *db.Tx
	packer *record.Packer
	// The block that was read last, unpacked: whoever asks for one tombstone mostly asks for its
	// neighbours next.
	feed  record.FeedID
	first uint64
	list  []record.Tombstone
}

// New is the tombstones of the library of a transaction.
func New(tx *db.Tx, packer *record.Packer) *Tombstones { return &Tombstones{tx: tx, packer: packer} }

// Of finds the tombstone of an item in the blocks of its feed; nil if it is not there.
func (s *Tombstones) Of(id record.ItemID) (*record.Tombstone, error) {
	k, payload, err := blockOf(s.tx, record.Bodies, id.Feed(), uint64(id.N()))
	if k == nil {
		return nil, err
	}
	if first := record.Uint64(k[4:]); s.feed != id.Feed() || s.first != first {
		list, err := s.unpack(k, payload)
		if err != nil {
			return nil, err
		}
		s.feed, s.first, s.list = id.Feed(), first, list
	}
	list := s.list
	i := sort.Search(len(list), func(i int) bool { return list[i].N >= id.N() })
	if i == len(list) || list[i].N != id.N() {
		return nil, nil
	}
	return &list[i], nil
}

func (s *Tombstones) unpack(k, payload []byte) ([]record.Tombstone, error) {
	list, ok := s.packer.UnpackTombstones(payload)
	if !ok || uint64(list[0].N) != record.Uint64(k[4:]) {
		return nil, record.Bodies.Damage(k, "block does not decode")
	}
	return list, nil
}

// In reads the tombstones in the blocks of a feed; from, to and the keys as in Pairs.
func (s *Tombstones) In(feed record.FeedID, from, to uint64) (all []record.Tombstone, keys [][]byte, err error) {
	keys, err = visit(s.tx, record.Bodies, feed, from, min(to, record.AboveTombstones-1), func(k, payload []byte) error {
		list, err := s.unpack(k, payload)
		all = append(all, list...)
		return err
	})
	return all, keys, err
}

// Put puts tombstones, ascending, into the blocks of a feed.
func (s *Tombstones) Put(feed record.FeedID, add []record.Tombstone) error {
	if len(add) == 0 {
		return nil
	}
	from, err := firstOf(s.tx, record.Bodies, feed, uint64(add[0].N))
	if err != nil {
		return err
	}
	old, keys, err := s.In(feed, from, uint64(add[len(add)-1].N))
	if err != nil {
		return err
	}
	if err := deleteAll(s.tx, record.Bodies, keys); err != nil {
		return err
	}
	s.feed, s.list = 0, nil
	all := append(old, add...)
	s.tx.Bucket(record.Bodies).FillPercent = 0.9
	sort.Slice(all, func(i, j int) bool { return all[i].N < all[j].N })
	for len(all) > 0 {
		block, n, err := s.packer.PackTombstones(all)
		if err != nil {
			return err
		}
		if err := s.tx.Put(record.Bodies, record.IDKey(feed|record.InBlocks, uint64(all[0].N)), block); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}
