package record

import "time"

// NewItem is an item to be filed. ID, FirstSeen, Flags, Tags, Edits, Resurfaced,
// ResurfacedAt and BodySize of Item are the store's to fill. Keys are 64-bit hashes of whatever identifies
// it; the first to use a key within a feed keeps it for good.
type NewItem struct {
	Item
	Body   Body
	Keys   []uint64
	Takes  uint64 // a key that becomes its own although another item has it; 0: none
	Unread bool
}

// EditedItem is a stored item that its publisher changed. A Quiet edit, of which
// a reader sees nothing, leaves the item's flags alone. With SameText the stored
// body stays, and Body says nothing.
type EditedItem struct {
	N uint32
	NewItem
	MakeUnread, KeepRevision, Quiet, SameText bool
}

// Correction is what a publisher newly says of a stored item beside its text:
// title, link, author, categories and enclosures are taken over. It leaves no
// fact, no revision and no flag.
type Correction struct {
	N uint32
	Item
	Retitled bool // the title is another
}

// Rekey gives a stored item more keys; they replace older owners of the same keys.
// Of an item that has more than MostKeys then, others than Keys and those that it
// bears now are forgotten.
type Rekey struct {
	N              uint32
	Keys           []uint64
	PreviouslyUsed []uint64
}

// MostKeys is how many keys an item is known by at most.
const MostKeys = 64

// Outcome is what the Fetched fact of a filing says.
type Outcome struct {
	Kind   Answer // AnswerNew or AnswerFailed
	Status int
	Bytes  int64
	Took   time.Duration
	Look   uint64 // No of the Looked fact that started the fetch; 0: none did
}

// Filed is what became of a Filing. Err is ErrUnknown (unsubscribed meanwhile)
// or ErrStale: then nothing of this one feed was filed.
type Filed struct {
	Feed    FeedID
	New     int
	Changed int
	Items   []ItemID // the new ones, in the order of Filing.New
	Err     error
}
