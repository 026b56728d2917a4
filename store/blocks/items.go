package blocks

import (
	"encoding/binary"
	"sort"

	"diurna/store/codec"
	"diurna/store/db"
	"diurna/store/record"
)

// Items are the items in the blocks of a library, as a transaction reads and writes them.
type Items struct {
	tx     *db.Tx
	packer *record.Packer
	// Blocks that were read, unpacked: whoever goes through a list asks for many of each.
	open      map[record.ItemID][]record.PackedItem
	last      []record.PackedItem // the block that was found last
	lastFirst record.ItemID       // its first item
	first     record.ItemID       // of leads
	leads     []record.Tombstone
}

// openAtOnce blocks are some MB.
const openAtOnce = 64

// NewItems are the items in blocks of the library of a transaction.
func NewItems(tx *db.Tx, packer *record.Packer) *Items {
	return &Items{tx: tx, packer: packer, open: map[record.ItemID][]record.PackedItem{}}
}

// Of finds an item in the blocks of its feed; nil if it is not there.
func (s *Items) Of(id record.ItemID) (*record.PackedItem, error) {
	list, i, _, err := s.find(id)
	if i < 0 {
		return nil, err
	}
	return &list[i], nil
}

// find finds the block of an item and its place there; -1 if it is in none.
func (s *Items) find(id record.ItemID) (list []record.PackedItem, i int, first record.ItemID, err error) {
	// Its neighbours are asked for next: the block is not looked for, and its checksum not made, for each.
	list, first = s.last, s.lastFirst
	if len(list) == 0 || first.Feed() != id.Feed() || id < first || id.N() > list[len(list)-1].N() {
		k, payload, err := blockOf(s.tx, record.Items, id.Feed(), uint64(id.N()))
		if k == nil {
			return nil, -1, 0, err
		}
		if list, err = s.unpack(k, payload); err != nil {
			return nil, -1, 0, err
		}
		first = firstIn(k)
		s.last, s.lastFirst = list, first
	}
	i = sort.Search(len(list), func(i int) bool { return list[i].N() >= id.N() })
	if i == len(list) || list[i].N() != id.N() {
		i = -1
	}
	return list, i, first, nil
}

func (s *Items) unpack(k, payload []byte) ([]record.PackedItem, error) {
	first := firstIn(k)
	if list := s.open[first]; list != nil {
		return list, nil
	}
	list, ok := s.packer.UnpackItems(payload)
	if !ok || list[0].N() != first.N() {
		return nil, record.Items.Damage(k, "block does not decode")
	}
	if len(s.open) >= openAtOnce {
		clear(s.open)
	}
	s.open[first] = list
	return list, nil
}

// texts reads the texts of the block of first, which holds n.
func (s *Items) texts(first record.ItemID, n int) ([]record.Tombstone, error) {
	if s.first == first {
		return s.leads, nil
	}
	k := leadsOf(first)
	v, err := s.tx.Get(record.Bodies, k)
	if err != nil {
		return nil, err
	}
	leads, ok := s.packer.UnpackLeads(v)
	if !ok || len(leads) != n || leads[0].N != first.N() {
		return nil, record.Bodies.Damage(k, "block does not decode")
	}
	s.first, s.leads = first, leads
	return leads, nil
}

// firstIn is the first item of the block under k.
func firstIn(k []byte) record.ItemID {
	return record.MakeItemID(record.FeedID(record.Uint32(k))&^record.InBlocks, uint32(record.Uint64(k[4:])))
}

func keyOf(first record.ItemID) []byte {
	return record.IDKey(first.Feed()|record.InBlocks, uint64(first.N()))
}

func leadsOf(first record.ItemID) []byte {
	return record.IDKey(first.Feed()|record.InBlocks, record.AboveTombstones|uint64(first.N()))
}

// loose tells whether an item has records of its own. For such a one no block is read, which may be
// damaged.
func (s *Items) loose(id record.ItemID) (bool, error) {
	v, err := s.tx.Get(record.States, record.Key8(uint64(id)))
	return v != nil, err
}

// Lead is what stays of the text of an item, as Body.Kept; false if it is in no block.
func (s *Items) Lead(id record.ItemID) (text string, ok bool, err error) {
	if loose, err := s.loose(id); loose || err != nil {
		return "", false, err
	}
	list, i, first, err := s.find(id)
	if i < 0 {
		return "", false, err
	}
	leads, err := s.texts(first, len(list))
	if err != nil {
		return "", false, err
	}
	return leads[i].Text, true, nil
}

// Count is how many items of a feed are in blocks.
func (s *Items) Count(feed record.FeedID) (n int, err error) {
	_, err = visit(s.tx, record.Items, feed, 0, 1<<32-1, func(_, payload []byte) error {
		r := codec.Reader{B: payload}
		n += int(r.Uvarint())
		return nil
	})
	return n, err
}

// Blocks visits the blocks of a feed. Their items are without their texts.
func (s *Items) Blocks(feed record.FeedID, see func(first record.ItemID, list []record.PackedItem) error) error {
	_, err := visit(s.tx, record.Items, feed, 0, 1<<32-1, func(k, payload []byte) error {
		list, err := s.unpack(k, payload)
		if err != nil {
			return err
		}
		return see(firstIn(k), list)
	})
	return err
}

// Put puts items, ascending, into the blocks of a feed. They are in none.
func (s *Items) Put(feed record.FeedID, items []record.PackedItem) error {
	if len(items) == 0 {
		return nil
	}
	old, places, err := s.within(feed, items[0].N(), items[len(items)-1].N())
	if err != nil {
		return err
	}
	return s.rewrite(feed, places, append(old, items...))
}

// Take takes those of the items numbered ns, ascending, that are in blocks of a feed out of them;
// without ns all.
func (s *Items) Take(feed record.FeedID, ns []uint32) (taken []record.PackedItem, err error) {
	if s.tx.Schema < uint64(record.RowsSchema) {
		return nil, nil
	}
	from, to, every := uint32(0), uint32(1<<32-1), len(ns) == 0
	if !every {
		var packed []uint32
		for _, n := range ns {
			loose, err := s.loose(record.MakeItemID(feed, n))
			if err != nil {
				return nil, err
			}
			if !loose {
				packed = append(packed, n)
			}
		}
		if ns = packed; len(ns) == 0 {
			return nil, nil
		}
		from, to = ns[0], ns[len(ns)-1]
	}
	all, places, err := s.within(feed, from, to)
	if err != nil {
		return nil, err
	}
	var stay []record.PackedItem
	for i := range all {
		into := &stay
		for len(ns) > 0 && ns[0] < all[i].N() {
			ns = ns[1:]
		}
		if every || len(ns) > 0 && ns[0] == all[i].N() {
			into = &taken
		}
		*into = append(*into, all[i])
	}
	if len(taken) == 0 {
		return nil, nil
	}
	return taken, s.rewrite(feed, places, stay)
}

// within reads the blocks of a feed from the one of item from to the one of item to, with texts.
func (s *Items) within(feed record.FeedID, from, to uint32) (all []record.PackedItem, places []Place, err error) {
	first, err := firstOf(s.tx, record.Items, feed, uint64(from))
	if err != nil {
		return nil, nil, err
	}
	_, err = visit(s.tx, record.Items, feed, first, uint64(to), func(k, payload []byte) error {
		list, err := s.unpack(k, payload)
		if err != nil {
			return err
		}
		leads, err := s.texts(firstIn(k), len(list))
		places = append(places, placeOf(firstIn(k), list))
		for i := range leads {
			all = append(all, list[i])
			all[len(all)-1].Lead = leads[i].Text
		}
		return err
	})
	return all, places, err
}

// rewrite puts blocks of items in the place of others.
func (s *Items) rewrite(feed record.FeedID, old []Place, items []record.PackedItem) error {
	clear(s.open)
	s.first, s.last = 0, nil
	for _, p := range old {
		err := s.tx.Delete(record.Items, keyOf(p.First))
		if err == nil {
			err = s.tx.Delete(record.Bodies, leadsOf(p.First))
		}
		if err == nil {
			err = s.tx.Delete(record.ReadRows, p.key())
		}
		if err != nil {
			return err
		}
	}
	sort.Slice(items, func(i, j int) bool { return items[i].N() < items[j].N() })
	for _, b := range []*record.Bucket{record.Items, record.Bodies} {
		s.tx.Bucket(b).FillPercent = 0.9
	}
	for len(items) > 0 {
		block, leads, n, err := s.packer.PackItems(items)
		if err != nil {
			return err
		}
		p := placeOf(record.MakeItemID(feed, items[0].N()), items[:n])
		if err = s.tx.Put(record.Items, keyOf(p.First), block); err == nil {
			err = s.tx.Put(record.Bodies, leadsOf(p.First), leads)
		}
		if err == nil {
			err = s.tx.Put(record.ReadRows, p.key(), p.encode())
		}
		if err != nil {
			return err
		}
		items = items[n:]
	}
	return nil
}

// Place is where a block stands among the rows of read items: at its newest, and down to Oldest.
type Place struct {
	At     int64
	Newest record.ItemID
	Oldest int64
	First  record.ItemID // of the block
}

func placeOf(first record.ItemID, list []record.PackedItem) Place {
	p := Place{First: first}
	for i := range list {
		id := record.MakeItemID(first.Feed(), list[i].N())
		if i == 0 || record.CompareRows(p.At, p.Newest, list[i].At(), id) < 0 {
			p.At, p.Newest = list[i].At(), id
		}
		if i == 0 || list[i].At() < p.Oldest {
			p.Oldest = list[i].At()
		}
	}
	return p
}

// key is below the keys of all rows.
func (p *Place) key() []byte { return append(record.Key8(0), record.RowKey(p.At, p.Newest)...) }

func (p *Place) encode() []byte {
	return binary.AppendUvarint(binary.AppendVarint(nil, p.Oldest), uint64(p.First.N()))
}

// IsPlace tells whether a key in ReadRows is that of a block.
func IsPlace(k []byte) bool { return len(k) == 24 && record.Uint64(k) == 0 }

// AfterPlaces is above the keys of all places, and below those of rows.
var AfterPlaces = record.Key8(1)

// PlacesAfter is where the places of blocks begin that have an item later than at.
func PlacesAfter(at int64) []byte { return append(record.Key8(0), record.RowKey(at+1, 0)...) }

// ReadPlace reads the place under k, for which IsPlace is true.
func ReadPlace(k, payload []byte) (p Place, err error) {
	p.At, p.Newest = record.SplitRowKey(k[8:])
	r := codec.Reader{B: payload}
	p.Oldest, p.First = r.Varint(), record.MakeItemID(p.Newest.Feed(), uint32(r.Uvarint()))
	if !r.Done() {
		err = record.ReadRows.Damage(k, "place of a block does not decode")
	}
	return p, err
}

// At reads the block that stands at a place.
func (s *Items) At(p Place) ([]record.PackedItem, error) {
	k := keyOf(p.First)
	v, err := s.tx.Get(record.Items, k)
	if err == nil && v == nil {
		err = record.Items.Damage(k, "a block is missing")
	}
	if err != nil {
		return nil, err
	}
	list, err := s.unpack(k, v)
	if err == nil && placeOf(p.First, list) != p {
		err = record.Items.Damage(k, "the block stands elsewhere")
	}
	return list, err
}
