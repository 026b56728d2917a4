package filing

import (
	"diurna/store/bodies"
	"diurna/store/record"
)

// Filing is the result of fetching one feed.
type Filing struct {
	Feed                    record.FeedID
	Next                    uint32 // Matched.Next when the items were told apart; 0: do not check (nothing new)
	New                     []record.NewItem
	Edited                  []record.EditedItem
	Rekey                   []record.Rekey
	Corrected               []record.Correction
	Present                 []uint32        // stored items that the document has; not kept by itself, see Poll.Present
	Poll                    *record.Poll    // nil: left as it is
	FeedTitle, Site, Format string          // empty: left as they are
	Outcome                 *record.Outcome // nil (not changed): only the poll record is written
	Page                    *PageFiling     // of a watched page, whose items come changed
	Rules                   *record.Ruling  // nil: rules were not asked
	packed                  []bodies.Chunk  // the texts of New, which has none then; see Pack
}

// Pack packs the texts of a feed's first items ahead of File, and drops them: many
// filings can then be gathered in little memory. What is packed cannot be filed under
// another Next. Of other filings nothing is packed.
func (f *Filing) Pack(p *record.Packer) error {
	if f.packed != nil {
		return nil
	}
	if err := f.check(); err != nil {
		return err
	}
	var err error
	if f.packed, err = f.pack(p); err != nil || f.packed == nil {
		return err
	}
	for i := range f.New {
		n := &f.New[i]
		n.BodySize, n.Body = n.Body.Size(), record.Body{}
	}
	return nil
}

// pack packs the bodies of a filing of a feed that never had an item: their
// chunks depend on nothing stored. So this happens before the library is locked.
func (f *Filing) pack(p *record.Packer) (packed []bodies.Chunk, err error) {
	if f.packed != nil || f.Next != 1 || len(f.New) == 0 {
		return f.packed, nil
	}
	err = record.Chunks(nil, bodiesOf(f, 1), func(chunk []record.Entry) error {
		c, err := bodies.Pack(p, chunk)
		packed = append(packed, c)
		return err
	})
	return packed, err
}

// bodiesOf are the bodies of a filing's new items, numbered from first on.
func bodiesOf(f *Filing, first uint32) []record.Entry {
	list := make([]record.Entry, len(f.New))
	for i := range f.New {
		list[i] = record.Entry{N: first + uint32(i), Body: f.New[i].Body}
	}
	return list
}
