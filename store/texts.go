package store

import (
	"cmp"
	"context"
	"fmt"

	"diurna/store/bodies"
	"diurna/store/library"
	"diurna/store/record"
)

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
		if st.Flags&FlagGone != 0 {
			return fmt.Errorf("%w: %s", ErrUnknown, id)
		}
		var it record.ItemRecord
		if err := t.Item(id, &it); err != nil {
			return err
		}
		lead, packed, err := t.Packed.Lead(id)
		if err != nil {
			return err
		}
		if out = record.BodyOf(lead); !packed {
			if out, err = t.Texts.Of(id); err != nil {
				return err
			}
		}
		if out.Size() != it.BodySize {
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
// are read fastest. One that is gone has none. visit must not block, nor call the
// Store; the group of 512 around a failed read may be visited again.
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
					var st record.State
					ok, err := t.State(id, &st)
					if err != nil || !ok {
						return cmp.Or(err, t.Missing(id))
					}
					gone := st.Flags&FlagGone != 0
					if gone {
						if left, err := t.Tombs.Of(id); err != nil {
							return err
						} else if left != nil {
							visit(id, record.BodyOf(left.Text))
							continue
						}
					}
					if lead, ok, err := t.Packed.Lead(id); err != nil {
						return err
					} else if ok {
						visit(id, record.BodyOf(lead))
						continue
					}
					if _, chunk, err = t.Texts.ChunkAt(id); err != nil {
						return err
					}
					if feed, at = id.Feed(), bodies.EntryAt(chunk, id.N()); at < 0 && !gone {
						return t.Missing(id)
					} else if at < 0 {
						visit(id, Body{})
						continue
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
