package store

import (
	"context"
	"fmt"

	"diurna/store/record"
)

// Falsify makes one piece of state wrong behind the program's back, with a valid
// checksum: the proof that Check (and doctor) would notice. It is for tests; no
// fact is written and no list follows. what is "read", "saved" or "tag" (of the
// item's state), "title" (of its row in a list), "counter" (unread items of its
// feed), "total" (unread items of the library), "feed title", "secret" (the value
// of one in its feed's address is lost), or "revision"
// (what is packed of the one that the item tells of; its reader will notice).
func (s *Store) Falsify(ctx context.Context, what string, id ItemID) error {
	return s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		switch what {
		case "read", "saved", "tag", "title":
			return t.falsifyItem(what, id)
		case "counter":
			c, err := t.count(id.Feed())
			if err != nil || c == nil {
				return t.missing(id)
			}
			c.Unread++
			t.touch(id.Feed())
			return nil
		case "total":
			t.head.Unread++
			return nil
		case "revision":
			return t.falsifyRevision(id)
		case "secret":
			r, err := t.feed(id.Feed())
			if err != nil || r == nil {
				return t.missing(id)
			}
			_, ref, _ := nextRef(r.URL)
			return t.Delete(record.Secrets, []byte(ref))
		case "feed title":
			return t.setField(id.Feed(), "title", "falsified")
		}
		return fmt.Errorf("%w: falsify %q", ErrInvalid, what)
	}})
}

func (t *txn) falsifyItem(what string, id ItemID) error {
	var st record.State
	ok, err := t.state(id, &st)
	if err != nil {
		return err
	}
	if !ok {
		return t.missing(id)
	}
	switch what {
	case "read":
		st.Flags ^= FlagRead
	case "saved":
		st.Flags ^= FlagSaved
	case "tag":
		st.Tags = append(st.Tags, "\U0010fffffalsified") // sorts last
	case "title":
		key := record.RowKey(st.At, id)
		v, err := t.Get(listOf(st.Flags), key)
		var w record.Row
		if err != nil || !w.Decode(v) {
			return listOf(st.Flags).Damage(key, "row does not decode")
		}
		w.Title += " (falsified)"
		return t.Put(listOf(st.Flags), key, w.Encode(nil))
	}
	return t.putState(id, &st)
}

func (t *txn) falsifyRevision(id ItemID) error {
	list, err := t.pageRevisions(id.Feed())
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.Item != id.N() {
			continue
		}
		if r, err = t.pageRevision(id.Feed(), r.No); err != nil {
			return err
		}
		r.Packed[len(r.Packed)-1] ^= 0x55
		return t.Put(record.Pages, record.PageKey(id.Feed(), r.No), r.Encode())
	}
	return t.missing(id)
}
