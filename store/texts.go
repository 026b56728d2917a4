package store

import (
	"bytes"
	"context"
	"time"

	"diurna/store/bodies"
	"diurna/store/library"
	"diurna/store/record"
)

// removeAtOnce is how many texts are removed in one transaction, for which everybody
// waits.
const removeAtOnce = 64

// Body reads one item's text.
func (s *Store) Body(ctx context.Context, id ItemID) (Body, error) {
	var out Body
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		var st record.State
		ok, err := t.State(id, &st)
		if err != nil {
			return err
		}
		if !ok {
			return t.Missing(id)
		}
		var it record.ItemRecord
		if err := t.Item(id, &it); err != nil {
			return err
		}
		if out, err = t.Texts.Of(id); err != nil {
			return err
		}
		if len(out.HTML)+len(out.Summary) != it.BodySize {
			return record.Bodies.Damage(record.Key8(uint64(id)), "the body has another size")
		}
		return nil
	})
	if err != nil {
		return Body{}, err
	}
	return out, nil
}

// Revisions reads what an item said before its edits, oldest first.
func (s *Store) Revisions(ctx context.Context, id ItemID) ([]Revision, error) {
	var out []Revision
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		prefix := record.Key8(uint64(id))
		return t.Scan(record.Revisions, prefix, prefix, func(k, v []byte) error {
			rev, ok := t.Lib.Packer.Revision(v)
			if !ok {
				return record.Revisions.Damage(k, "revision does not decode")
			}
			out = append(out, rev)
			return nil
		})
	})
	return out, err
}

// Bodies calls visit with the text of each of ids, in their order. Ascending ids
// are read fastest. visit must not block, nor call the Store; the group of 512
// around a failed read may be visited again.
//
// It reads the texts of several items: neighbours lie in one record, which is
// unpacked once.
func (s *Store) Bodies(ctx context.Context, ids []ItemID, visit func(ItemID, Body)) error {
	const most = 512 // items a transaction: others wait meanwhile
	for len(ids) > 0 {
		n := min(most, len(ids))
		group := ids[:n]
		err := s.lib.Read(ctx, func(t *library.Txn) error {
			var chunk []record.Entry
			var feed FeedID
			for _, id := range group {
				at := bodies.EntryAt(chunk, id.N())
				if feed != id.Feed() || at < 0 {
					var err error
					if _, chunk, err = t.Texts.ChunkAt(id); err != nil {
						return err
					}
					if feed, at = id.Feed(), bodies.EntryAt(chunk, id.N()); at < 0 {
						return t.Missing(id)
					}
				}
				visit(id, chunk[at].Body)
			}
			return nil
		})
		if err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// NoteOfText is the key of the note that keeps another text of an item, of its page:
// twice the number of the item. What watched pages keep has odd keys, or 0.
func NoteOfText(id ItemID) uint64 { return uint64(id.N()) << 1 }

// RemoveTexts removes the texts of items and returns those of ids, ascending, whose
// text it removed. An item that is unread, saved or tagged keeps its text. lead says
// what of a text stays; it may be called more than once and must not call the Store.
// An item keeps its row, its keys and its hash: it comes neither as new nor as edited.
// The texts that it had before edits of its publisher go as well, and what is kept
// under NoteOfText.
//
// Each group of some dozens is one transaction, so that others hardly wait.
func (s *Store) RemoveTexts(ctx context.Context, now time.Time, ids []ItemID, lead func(ItemID, Body) Body) ([]ItemID, error) {
	var gone []ItemID
	ids = record.SortedIDs(ids)
	for len(ids) > 0 {
		group := ids[:min(removeAtOnce, len(ids))]
		ids = ids[len(group):]
		var some []ItemID
		err := s.lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) (err error) {
			some, err = removeTexts(t, now, group, lead)
			return err
		}})
		if err != nil {
			return gone, err
		}
		gone = append(gone, some...)
	}
	return gone, nil
}

func removeTexts(t *library.Txn, now time.Time, ids []ItemID, lead func(ItemID, Body) Body) (gone []ItemID, err error) {
	for _, id := range ids {
		removed, err := removeText(t, now, id, lead)
		if err != nil {
			return nil, err
		}
		if removed {
			gone = append(gone, id)
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	return gone, t.Log.Append(&Fact{Kind: TextRemoved, At: now, Feed: record.SoleFeed(gone), Items: gone})
}

func removeText(t *library.Txn, now time.Time, id ItemID, lead func(ItemID, Body) Body) (bool, error) {
	var st record.State
	ok, err := t.State(id, &st)
	if err != nil || !ok || st.Flags&(FlagRead|FlagSaved) != FlagRead || len(st.Tags) > 0 {
		return false, err
	}
	var it record.ItemRecord
	if err := t.Item(id, &it); err != nil || it.TextRemoved != 0 {
		return false, err
	}
	body, err := t.Texts.Of(id)
	if err != nil {
		return false, err
	}
	rest := lead(id, body)
	it.TextRemoved, it.BodySize = record.Millis(now), len(rest.HTML)+len(rest.Summary)
	if err := t.Texts.Replace(id, rest); err != nil {
		return false, err
	}
	if err := removeRevisions(t, id); err != nil {
		return false, err
	}
	if err := t.Delete(record.PageNotes, record.IDKey(id.Feed(), NoteOfText(id))); err != nil {
		return false, err
	}
	return true, t.PutItem(id, &it)
}

// removeRevisions removes what an item said before its edits.
func removeRevisions(t *library.Txn, id ItemID) error {
	var keys [][]byte
	prefix := record.Key8(uint64(id))
	err := t.Scan(record.Revisions, prefix, prefix, func(k, _ []byte) error {
		keys = append(keys, bytes.Clone(k))
		return nil
	})
	for _, k := range keys {
		if err == nil {
			err = t.Delete(record.Revisions, k)
		}
	}
	return err
}
