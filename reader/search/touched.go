package search

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"

	"diurna/reader/texts"
	"diurna/store"
)

// Texts may change without a fact: a title or author was corrected, the whole text of an
// item was fetched, a page has another revision or lost one. Of the former Touch makes a note, the latter is seen by which
// revisions were read.

// Touch has the texts of items indexed again with the next Update, where no fact
// tells that they changed.
func (ix *Index) Touch(ctx context.Context, ids []store.ItemID) error {
	if len(ids) == 0 {
		return nil
	}
	return ix.cache.Update(ctx, Bucket, func(x *store.CacheTx) error {
		for _, id := range ids {
			// No two notes are alike, so that an update that read the texts before this one
			// does not take it for the one that it followed.
			if err := x.Put(touchedKey(id), []byte(rand.Text())); err != nil {
				return err
			}
		}
		return nil
	})
}

// The records of these: an item that was touched, and which note that is; a page and
// which item tells of each of its revisions.
const (
	kindTouched = 'c'
	kindPage    = 'r'
)

func touchedKey(id store.ItemID) string {
	return string(binary.BigEndian.AppendUint64([]byte{kindTouched}, uint64(id)))
}

func pageKey(id store.FeedID) string {
	return string(binary.BigEndian.AppendUint32([]byte{kindPage}, uint32(id)))
}

// notes is what is to be indexed again.
type notes struct {
	touched map[store.ItemID]string // with its record
	pages   map[store.FeedID][]byte // the records to be written; nil removes one
	items   []store.ItemID          // of the pages
}

func (n *notes) empty() bool { return len(n.touched) == 0 && len(n.pages) == 0 }

func (n *notes) each(visit func(store.ItemID)) {
	for id := range n.touched {
		visit(id)
	}
	for _, id := range n.items {
		visit(id)
	}
}

// notes reads what was touched, and compares the pages with what was read of them.
func (ix *Index) notes(ctx context.Context) (*notes, error) {
	n := &notes{touched: map[store.ItemID]string{}, pages: map[store.FeedID][]byte{}}
	read := map[store.FeedID][]byte{}
	err := ix.cache.View(ctx, Bucket, func(x *store.CacheTx) error {
		err := each(x, kindTouched, 9, func(k string, v []byte) {
			n.touched[store.ItemID(binary.BigEndian.Uint64([]byte(k[1:])))] = string(v)
		})
		if err != nil {
			return err
		}
		return each(x, kindPage, 5, func(k string, v []byte) {
			read[store.FeedID(binary.BigEndian.Uint32([]byte(k[1:])))] = bytes.Clone(v)
		})
	})
	if err != nil {
		return nil, err
	}
	heads, err := ix.lib.PageHeads(ctx)
	if err != nil {
		return nil, err
	}
	for feed, h := range heads {
		was, ok := read[feed]
		delete(read, feed)
		if ok && bytes.HasPrefix(was, headOf(h)) {
			continue
		}
		list, err := ix.lib.PageRevisions(ctx, feed)
		if err != nil {
			return nil, err
		}
		owners := texts.Owners(list)
		n.pages[feed] = headOf(h)
		for i := range list {
			no := list[i].No
			n.pages[feed] = binary.AppendUvarint(binary.AppendUvarint(n.pages[feed], uint64(no)), uint64(owners[no]))
		}
		n.differing(feed, was, owners)
	}
	for feed, was := range read {
		n.pages[feed] = nil
		n.differing(feed, was, nil)
	}
	return n, nil
}

func headOf(h store.PageHead) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(h.Count)), uint64(h.Last))
}

// differing notes the items of a page that tell of other revisions than they did.
func (n *notes) differing(feed store.FeedID, was []byte, owners map[uint32]uint32) {
	items := map[uint32]bool{}
	old := map[uint32]uint32{}
	for i := 0; len(was) > 0; i++ {
		no, k := binary.Uvarint(was)
		item, l := binary.Uvarint(was[max(k, 0):])
		if k <= 0 || l <= 0 {
			break // all of them are read again
		}
		if was = was[k+l:]; i > 0 {
			old[uint32(no)] = uint32(item)
		}
	}
	for no, item := range owners {
		if old[no] != item {
			items[item], items[old[no]] = true, true
		}
	}
	for no, item := range old {
		if owners[no] != item {
			items[item] = true
		}
	}
	delete(items, 0)
	for item := range items {
		n.items = append(n.items, store.MakeItemID(feed, item))
	}
}

// each visits the records of a kind whose keys have so many bytes.
func each(x *store.CacheTx, kind byte, size int, visit func(k string, v []byte)) error {
	for key := string(rune(kind)); ; key += "\x00" {
		k, v, err := x.Next(key)
		if err != nil || len(k) != size || k[0] != kind {
			return err
		}
		visit(k, v)
		key = k
	}
}

// forget removes the notes that were followed, but those made again meanwhile.
func (ix *Index) forget(ctx context.Context, n *notes) error {
	if n.empty() {
		return nil
	}
	return ix.cache.Update(ctx, Bucket, func(x *store.CacheTx) error {
		for id, was := range n.touched {
			v, err := x.Get(touchedKey(id))
			if err != nil {
				return err
			}
			if v != nil && string(v) == was {
				if err := x.Delete(touchedKey(id)); err != nil {
					return err
				}
			}
		}
		for feed, v := range n.pages {
			err := x.Delete(pageKey(feed))
			if v != nil {
				err = x.Put(pageKey(feed), v)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
