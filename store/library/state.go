package library

import (
	"fmt"
	"sort"

	"diurna/store/fold"
	"diurna/store/lists"
	"diurna/store/record"
)

// SetProp sets a property of items (ascending) and returns those that changed.
// For an act, unknown items are an error and those of removed feeds left alone;
// undo, redo and notes set everything. Items whose rows were removed stay as they are.
func (t *Txn) SetProp(ids []record.ItemID, p fold.Prop, act bool) (changed []record.ItemID, err error) {
	var moves []lists.Moved
	var states []record.State
	for _, id := range ids {
		var st record.State
		c, err := t.Count(id.Feed())
		if err != nil {
			return nil, err
		}
		if c == nil {
			return nil, fmt.Errorf("%w: %s", ErrUnknown, id)
		}
		if act && !c.Live {
			continue
		}
		ok, err := t.State(id, &st)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("%w: %s", ErrUnknown, id)
		}
		flags, tags, diff := p.Apply(st.Flags, st.Tags)
		if !diff || st.Flags&record.FlagGone != 0 {
			continue
		}
		moves = append(moves, lists.Moved{ID: id, At: st.At, Was: st.Flags, Now: flags, Tags: tags, Tagged: p.What == 't'})
		changed = append(changed, id)
		st.Flags, st.Tags = flags, tags
		states = append(states, st)
	}
	if err := t.Loosen(changed); err != nil {
		return nil, err
	}
	for i, id := range changed {
		if err := t.PutState(id, &states[i]); err != nil {
			return nil, err
		}
	}
	return changed, t.Follow(moves)
}

// Follow brings counters and rows after the state.
func (t *Txn) Follow(moves []lists.Moved) error {
	for i := range moves {
		m := &moves[i]
		c, err := t.Count(m.ID.Feed())
		if err != nil {
			return err
		}
		unread := record.Bit(m.Now&record.FlagRead == 0) - record.Bit(m.Was&record.FlagRead == 0)
		saved := record.Bit(m.Now&record.FlagSaved != 0) - record.Bit(m.Was&record.FlagSaved != 0)
		c.Unread += unread
		c.Saved += saved
		t.Touch(m.ID.Feed())
		if c.Live {
			t.Head.Unread += unread
			t.Head.Saved += saved
		}
	}
	// In the order of the rows: bbolt's pages then fill from one end, which is
	// many times faster than inserting in the middle.
	sort.Slice(moves, func(i, j int) bool { return record.CompareRows(moves[i].At, moves[i].ID, moves[j].At, moves[j].ID) < 0 })
	for i := range moves {
		if c, err := t.Count(moves[i].ID.Feed()); err != nil || !c.Live {
			if err != nil {
				return err
			}
			continue // the rows of a removed feed are not there
		}
		if err := lists.Move(t.Tx, &moves[i]); err != nil {
			return err
		}
	}
	return nil
}

// FeedRows gathers a feed's rows; whole with what they show, else only where
// they stand.
func (t *Txn) FeedRows(f record.FeedID, whole bool) (rows []lists.Placed, err error) {
	prefix := record.Key4(uint32(f))
	var st record.State
	var it record.ItemRecord
	c, err := t.Count(f)
	if err != nil {
		return nil, err
	}
	err = t.Scan(record.States, prefix, prefix, func(k, v []byte) error {
		id := record.ItemID(record.Uint64(k))
		if !st.Decode(v) {
			return record.States.Damage(k, "state does not decode")
		}
		if st.Flags&record.FlagGone != 0 {
			return nil
		}
		p := lists.Placed{ID: id, At: st.At, Row: record.Row{Flags: st.Flags}}
		if whole {
			if err := t.Item(id, &it); err != nil {
				return err
			}
			p.Row = lists.RowOf(&it, &st)
		}
		rows = append(rows, p)
		return nil
	})
	if err == nil && len(rows) != c.Items {
		err = record.States.Damage(prefix, fmt.Sprintf("%d items of %d are there", len(rows), c.Items))
	}
	return rows, err
}

// expected is how many rows the counters promise.
func (t *Txn) expected(q lists.RowQuery) (int, error) {
	c := &record.Count{Items: t.Head.Items, Unread: t.Head.Unread, Saved: t.Head.Saved}
	if q.Feed != 0 {
		var err error
		if c, err = t.Count(q.Feed); err != nil {
			return 0, err
		}
		if c == nil {
			return 0, fmt.Errorf("%w: %s", ErrUnknown, q.Feed)
		}
		if !c.Live {
			return 0, nil
		}
	}
	switch q.Which {
	case lists.Unread:
		return c.Unread, nil
	case lists.SavedRows:
		return c.Saved, nil
	case lists.ReadRows:
		return c.Items - c.Unread, nil
	}
	return c.Items, nil
}

// Place moves an item of a live feed to another place in its lists.
func (t *Txn) Place(id record.ItemID, at int64) error {
	if err := t.Loosen([]record.ItemID{id}); err != nil {
		return err
	}
	var st record.State
	var it record.ItemRecord
	ok, err := t.State(id, &st)
	if err != nil {
		return err
	}
	if !ok {
		return t.Missing(id)
	}
	if err := t.Item(id, &it); err != nil {
		return err
	}
	row := lists.Placed{ID: id, At: st.At, Row: lists.RowOf(&it, &st)}
	if err := lists.Drop(t.Tx, row); err != nil {
		return err
	}
	row.At, st.At = at, at
	if err := t.PutState(id, &st); err != nil {
		return err
	}
	return lists.Put(t.Tx, []lists.Placed{row})
}

// Rows reads a list and counts it against the counters.
func (t *Txn) Rows(q lists.RowQuery) ([]lists.Row, error) {
	if q.Which > lists.ReadRows {
		return nil, fmt.Errorf("%w: list %d", ErrInvalid, q.Which)
	}
	want, err := t.expected(q)
	if err != nil {
		return nil, err
	}
	return lists.Read(t.Tx, t.Packed, q, want)
}
