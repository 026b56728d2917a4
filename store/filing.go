package store

// This file is the face of filing: what fetches brought, in one transaction.

// Filing is the result of fetching one feed.
type Filing struct {
	Feed                    FeedID
	Next                    uint32 // Matched.Next when the items were told apart; 0: do not check (nothing new)
	New                     []NewItem
	Edited                  []EditedItem
	Rekey                   []Rekey
	Corrected               []Correction
	Present                 []uint32    // stored items that the document has; not kept by itself, see Poll.Present
	Poll                    *Poll       // nil: left as it is
	FeedTitle, Site, Format string      // empty: left as they are
	Outcome                 *Outcome    // nil (not changed): only the poll record is written
	Page                    *PageFiling // of a watched page, whose items come changed
	Rules                   *Ruling     // nil: rules were not asked
}

// Matched is the answer to Match.
type Matched struct {
	Next  uint32 // number the feed's next item will get
	ByKey map[uint64]Match
}
