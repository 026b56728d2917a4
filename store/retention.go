package store

import (
	"bytes"
	"context"
	"time"

	"diurna/store/record"
)

// RetentionKey is what Meta reads the retention by that a library was made with: after
// how many days texts may be removed. One made by an older program has none.
const (
	RetentionKey = "retention"
	newRetention = "365"
)

// removeAtOnce is how many texts are removed in one transaction, for which everybody
// waits.
const removeAtOnce = 64

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
		err := s.lib.do(ctx, &job{write: true, fn: func(t *txn) (err error) {
			some, err = t.removeTexts(now, group, lead)
			return err
		}})
		if err != nil {
			return gone, err
		}
		gone = append(gone, some...)
	}
	return gone, nil
}

func (t *txn) removeTexts(now time.Time, ids []ItemID, lead func(ItemID, Body) Body) (gone []ItemID, err error) {
	for _, id := range ids {
		removed, err := t.removeText(now, id, lead)
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
	return gone, t.appendFact(&Fact{Kind: TextRemoved, At: now, Feed: soleFeed(gone), Items: gone})
}

func (t *txn) removeText(now time.Time, id ItemID, lead func(ItemID, Body) Body) (bool, error) {
	var st record.State
	ok, err := t.state(id, &st)
	if err != nil || !ok || st.Flags&(FlagRead|FlagSaved) != FlagRead || len(st.Tags) > 0 {
		return false, err
	}
	var it record.ItemRecord
	if err := t.item(id, &it); err != nil || it.TextRemoved != 0 {
		return false, err
	}
	body, err := t.bodyOf(id)
	if err != nil {
		return false, err
	}
	rest := lead(id, body)
	it.TextRemoved, it.BodySize = record.Millis(now), len(rest.HTML)+len(rest.Summary)
	if err := t.replaceBody(id, rest); err != nil {
		return false, err
	}
	if err := t.removeRevisions(id); err != nil {
		return false, err
	}
	if err := t.Delete(record.PageNotes, record.IDKey(id.Feed(), NoteOfText(id))); err != nil {
		return false, err
	}
	return true, t.putItem(id, &it)
}

// removeRevisions removes what an item said before its edits.
func (t *txn) removeRevisions(id ItemID) error {
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
