package library

import (
	"diurna/store/lists"
	"diurna/store/record"
)

// Loosen takes those of ids, ascending, that are in blocks out of them, for them to be changed: each
// has its own records again.
func (t *Txn) Loosen(ids []record.ItemID) error {
	for len(ids) > 0 {
		feed := ids[0].Feed()
		var ns []uint32
		for len(ids) > 0 && ids[0].Feed() == feed {
			ns, ids = append(ns, ids[0].N()), ids[1:]
		}
		if err := t.loosen(feed, ns); err != nil {
			return err
		}
	}
	return nil
}

// loosen takes items of a feed out of their blocks; without ns all.
func (t *Txn) loosen(feed record.FeedID, ns []uint32) error {
	taken, err := t.Packed.Take(feed, ns)
	if err == nil && len(taken) > 0 {
		err = t.Raise(record.LeadsSchema) // what is left of the blocks was written
	}
	if err != nil || len(taken) == 0 {
		return err
	}
	var it record.ItemRecord
	var rows []lists.Placed
	var texts []record.Entry
	for i := range taken {
		p := &taken[i]
		id := record.MakeItemID(feed, p.N())
		if !p.Item(&it) {
			return record.Items.Damage(record.Key8(uint64(id)), "item does not decode")
		}
		st := p.State()
		if err := t.PutItem(id, &it); err != nil {
			return err
		}
		if err := t.PutState(id, &st); err != nil {
			return err
		}
		rows = append(rows, lists.Placed{ID: id, At: st.At, Row: lists.RowOf(&it, &st)})
		texts = append(texts, record.Entry{N: p.N(), Body: record.BodyOf(p.Lead)})
	}
	if err := t.Texts.Insert(feed, texts); err != nil {
		return err
	}
	return lists.Put(t.Tx, rows)
}
