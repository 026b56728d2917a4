package filing

import (
	"diurna/store/bodies"
	"diurna/store/library"
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
}

// packFirst packs the bodies of each filing of a feed that never had an item: their
// chunks depend on nothing stored. So this happens before the library is locked. One
// encoder does it, while the next feeds are read: a second one saved no time and cost 2 MB.
func packFirst(l *library.Library, filings []Filing) ([][]bodies.Chunk, error) {
	packed := make([][]bodies.Chunk, len(filings))
	for i := range filings {
		f := &filings[i]
		if f.Next != 1 || len(f.New) == 0 {
			continue
		}
		err := record.Chunks(nil, bodiesOf(f, 1), func(chunk []record.Entry) error {
			c, err := bodies.Pack(&l.Packer, chunk)
			packed[i] = append(packed[i], c)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return packed, nil
}

// bodiesOf are the bodies of a filing's new items, numbered from first on.
func bodiesOf(f *Filing, first uint32) []record.Entry {
	list := make([]record.Entry, len(f.New))
	for i := range f.New {
		list[i] = record.Entry{N: first + uint32(i), Body: f.New[i].Body}
	}
	return list
}
