package store

import (
	"context"
	"fmt"

	"diurna/store/library"
	"diurna/store/lists"
	"diurna/store/record"
	"diurna/store/secrets"
	"diurna/store/webpages"
)

// CorruptForTest makes one piece of state wrong behind the program's back, with a valid
// checksum: the proof that Check (and doctor) would notice. It is for tests; no
// fact is written and no list follows. what is "read", "saved" or "tag" (of the
// item's state), "title" (of its row in a list), "counter" (unread items of its
// feed), "total" (unread items of the library), "feed title", "secret" (the value
// of one in its feed's address is lost), or "revision"
// (what is packed of the one that the item tells of; its reader will notice).
func (s *Store) CorruptForTest(ctx context.Context, what string, id ItemID) error {
	return s.lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		switch what {
		case "read", "saved", "tag", "title":
			return corruptItem(t, what, id)
		case "counter":
			c, err := t.Count(id.Feed())
			if err != nil || c == nil {
				return t.Missing(id)
			}
			c.Unread++
			t.Touch(id.Feed())
			return nil
		case "total":
			t.Head.Unread++
			return nil
		case "revision":
			return corruptRevision(t, id)
		case "secret":
			r, err := t.Feed(id.Feed())
			if err != nil || r == nil {
				return t.Missing(id)
			}
			_, ref, _ := secrets.Next(r.URL)
			return t.Delete(record.Secrets, []byte(ref))
		case "feed title":
			return t.SetField(id.Feed(), "title", "falsified")
		}
		return fmt.Errorf("%w: falsify %q", ErrInvalid, what)
	}})
}

func corruptItem(t *library.Txn, what string, id ItemID) error {
	var st record.State
	ok, err := t.State(id, &st)
	if err != nil {
		return err
	}
	if !ok {
		return t.Missing(id)
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
		v, err := t.Get(lists.Of(st.Flags), key)
		var w record.Row
		if err != nil || !w.Decode(v) {
			return lists.Of(st.Flags).Damage(key, "row does not decode")
		}
		w.Title += " (falsified)"
		return t.Put(lists.Of(st.Flags), key, w.Encode(nil))
	}
	return t.PutState(id, &st)
}

func corruptRevision(t *library.Txn, id ItemID) error {
	list, err := webpages.Revisions(t.Tx, id.Feed())
	if err != nil {
		return err
	}
	for _, r := range list {
		if r.Item != id.N() {
			continue
		}
		if r, err = webpages.Revision(t.Tx, id.Feed(), r.No); err != nil {
			return err
		}
		r.Packed[len(r.Packed)-1] ^= 0x55
		return t.Put(record.Pages, record.PageKey(id.Feed(), r.No), r.Encode())
	}
	return t.Missing(id)
}
