package filing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"diurna/store/library"
	"diurna/store/record"
)

// Match finds the stored items of a feed, a removed one too, that have any of keys.
func (b *Inbox) Match(ctx context.Context, feed record.FeedID, keys []uint64) (Matched, error) {
	out := Matched{ByKey: make(map[uint64]record.Match)}
	err := b.Lib.Read(ctx, func(t *library.Txn) error {
		c, err := t.Count(feed)
		if err != nil {
			return err
		}
		if c == nil {
			return fmt.Errorf("%w: %s", library.ErrUnknown, feed)
		}
		out.Next = c.Next
		found := make(map[uint32]record.Match)
		sorted := slices.Clone(keys)
		slices.Sort(sorted)
		for _, k := range slices.Compact(sorted) {
			n, err := t.Owner(feed, k)
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			m, ok := found[n]
			if !ok {
				if m, err = matched(t, record.MakeItemID(feed, n)); err != nil {
					return err
				}
				found[n] = m
			}
			out.ByKey[k] = m
		}
		return nil
	})
	return out, err
}

func matched(t *library.Txn, id record.ItemID) (record.Match, error) {
	var st record.State
	var it record.ItemRecord
	ok, err := t.State(id, &st)
	if err != nil {
		return record.Match{}, err
	}
	if !ok {
		return record.Match{}, t.Missing(id)
	}
	if err := t.ItemOrGone(id, &st, &it); err != nil {
		return record.Match{}, err
	}
	whole := it.Item(id, &st)
	if st.Flags&record.FlagGone != 0 {
		whole.Hash = cmp.Or(st.Hash, whole.Hash) // the record may be gone as well
	}
	return whole.Match(), nil
}

// Matched is the answer to Match.
type Matched struct {
	Next  uint32 // number the feed's next item will get
	ByKey map[uint64]record.Match
}
