package store

import (
	"bytes"
	"context"
	"slices"
	"time"

	"diurna/store/bodies"
	"diurna/store/library"
	"diurna/store/lists"
	"diurna/store/record"
)

// removeAtOnce is how many texts or rows are removed in one transaction, for which
// everybody waits.
const removeAtOnce = 64

// NoteOfText is the key of the note that keeps another text of an item, of its page:
// twice the number of the item. What watched pages keep has odd keys, or 0.
func NoteOfText(id ItemID) uint64 { return uint64(id.N()) << 1 }

// Remove removes the texts of items (TextRemoved), or their rows and texts (RowRemoved),
// and returns those of ids, ascending, of which it removed one. An item that is unread,
// saved or tagged stays as it is. lead says what of a text stays, and of an item without
// its row whether anything does; it may be called more than once and must not call the
// Store. With a text go those that the item had before edits of its publisher, and what is
// kept under NoteOfText.
//
// Without its text an item keeps its row, its keys and its hash: it comes neither as new
// nor as edited. Without its row it keeps its keys and its facts, and where anything is to
// stay, title, author and categories, which Items reads with FlagGone; an older program
// reads the library no more. An item of a feed that was removed keeps its row.
//
// Each group of some dozens is one transaction, so that others hardly wait.
func (s *Store) Remove(ctx context.Context, now time.Time, what Kind, ids []ItemID, lead func(id ItemID, title string, text Body) (Body, bool)) ([]ItemID, error) {
	var gone []ItemID
	for group := range slices.Chunk(record.SortedIDs(ids), removeAtOnce) {
		var some []ItemID
		err := s.lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
			r := remover{t: t, now: now, rows: what == RowRemoved, lead: lead}
			if r.rows {
				if err := t.Loosen(group); err != nil {
					return err
				}
			}
			for _, id := range group {
				if err := r.remove(id); err != nil {
					return err
				}
			}
			some = r.gone
			return r.finish(what)
		}})
		if err != nil {
			return gone, err
		}
		gone = append(gone, some...)
	}
	for i, id := range gone { // ascending
		if i+1 < len(gone) && gone[i+1].Feed() == id.Feed() {
			continue
		}
		if err := s.pack(ctx, id, what == TextRemoved); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// remover removes texts or rows in one transaction. Neighbours lie in one chunk, which
// is packed once.
type remover struct {
	t     *library.Txn
	now   time.Time
	rows  bool
	lead  func(id ItemID, title string, text Body) (Body, bool)
	gone  []ItemID
	first ItemID // of chunk, as it is stored
	chunk []record.Entry
}

func (r *remover) remove(id ItemID) error {
	t := r.t
	var st record.State
	ok, err := t.State(id, &st)
	if err != nil || !ok || st.Flags&(FlagRead|FlagSaved|FlagGone) != FlagRead || len(st.Tags) > 0 {
		return err
	}
	c, err := t.Count(id.Feed())
	if err != nil || r.rows && (c == nil || !c.Live) {
		return err
	}
	var it record.ItemRecord
	if err := t.Item(id, &it); err != nil || !r.rows && it.TextRemoved != 0 {
		return err
	}
	if it.IDRaw != "" {
		st.Hash = 0 // of an item with an id, nothing asks for it once the row is gone
	}
	if err := r.text(id, &it); err != nil {
		return err
	}
	r.gone = append(r.gone, id)
	if !r.rows {
		return nil
	}
	c.Items--
	t.Head.Items--
	t.Touch(id.Feed())
	if err := lists.Drop(t.Tx, lists.Placed{ID: id, At: st.At, Row: record.Row{Flags: st.Flags}}); err != nil {
		return err
	}
	st.Flags |= FlagGone
	return t.PutState(id, &st)
}

// text removes an item's texts and, with its row, its record, but for what is to stay.
func (r *remover) text(id ItemID, it *record.ItemRecord) error {
	t, key := r.t, record.Key8(uint64(id))
	at, err := r.entry(id)
	if err != nil {
		return err
	}
	if at < 0 {
		return record.Bodies.Damage(key, "the body is missing")
	}
	rest, some := r.lead(id, it.Title, r.chunk[at].Body)
	if r.rows && !some {
		r.chunk = slices.Delete(r.chunk, at, at+1)
		err = t.Delete(record.Items, key)
	} else {
		if r.rows {
			*it = record.ItemRecord{Title: it.Title, Author: it.Author, Categories: it.Categories, Edits: it.Edits}
		} else {
			it.TextRemoved = record.Millis(r.now)
		}
		it.BodySize = rest.Size()
		r.chunk[at].Body = rest
		err = t.PutItem(id, it)
	}
	if err == nil {
		err = removeRevisions(t, id)
	}
	if err != nil {
		return err
	}
	return t.Delete(record.PageNotes, record.IDKey(id.Feed(), NoteOfText(id)))
}

// entry finds the text of an item in its chunk, which it reads after the one before was
// written; -1 if it is not there.
func (r *remover) entry(id ItemID) (int, error) {
	at := bodies.EntryAt(r.chunk, id.N())
	if r.first.Feed() == id.Feed() && at >= 0 {
		return at, nil
	}
	err := r.putChunk()
	if err == nil {
		r.first, r.chunk, err = r.t.Texts.ChunkAt(id)
	}
	return bodies.EntryAt(r.chunk, id.N()), err
}

// bury takes what is left of an item without its row out of its records; false where it is not
// there, or more than a block holds.
func (r *remover) bury(id ItemID) (left record.Tombstone, ok bool, err error) {
	var st record.State
	var it record.ItemRecord
	key := record.Key8(uint64(id))
	v, err := r.t.Get(record.Items, key)
	if err != nil || v == nil {
		return left, false, err
	}
	if ok, err = r.t.State(id, &st); err != nil || !ok || st.Flags&FlagGone == 0 {
		return left, false, err
	}
	if err = r.t.Item(id, &it); err != nil {
		return left, false, err
	}
	at, err := r.entry(id)
	if err != nil || at < 0 {
		return left, false, err
	}
	body := r.chunk[at].Body
	left = record.Tombstone{N: id.N(), Title: it.Title, Author: it.Author, Categories: it.Categories, Edits: it.Edits, Text: body.Kept()}
	if it = left.Item(); body.HTML != "" || left.Size() > record.MaxTombstone || !bytes.Equal(it.Encode(nil), v) {
		return left, false, nil // it says more
	}
	r.chunk = slices.Delete(r.chunk, at, at+1)
	return left, true, r.t.Delete(record.Items, key)
}

// lift takes an item without its text out of its records; false if it is not one for a block.
func (r *remover) lift(id ItemID) (p record.PackedItem, ok bool, err error) {
	var st record.State
	var it record.ItemRecord
	key := record.Key8(uint64(id))
	if v, err := r.t.Get(record.States, key); err != nil || !st.Decode(v) || !packable(&st) {
		return p, false, err
	}
	if err := r.t.Item(id, &it); err != nil {
		return p, false, err
	}
	at, err := r.entry(id)
	if err != nil || at < 0 {
		return p, false, err
	}
	if p, ok = record.NewPackedItem(id.N(), &st, &it, &r.chunk[at].Body); !ok {
		return p, false, nil
	}
	r.chunk = slices.Delete(r.chunk, at, at+1)
	if err = r.t.Delete(record.Items, key); err == nil {
		err = r.t.Delete(record.States, key)
	}
	if err == nil {
		err = lists.Drop(r.t.Tx, lists.Placed{ID: id, At: st.At, Row: record.Row{Flags: st.Flags}})
	}
	return p, true, err
}

// putChunk writes what is left of a chunk.
func (r *remover) putChunk() error {
	if r.first == 0 {
		return nil
	}
	return r.t.Texts.Rewrite(r.first, r.chunk)
}

func (r *remover) finish(what Kind) error {
	if len(r.gone) == 0 {
		return nil
	}
	if err := r.putChunk(); err != nil {
		return err
	}
	if r.rows {
		if err := r.t.Raise(record.RowsSchema); err != nil {
			return err
		}
	}
	return r.t.Log.Append(&Fact{Kind: what, At: r.now, Feed: record.SoleFeed(r.gone), Items: r.gone})
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
