package record

import (
	"slices"
	"sort"
	"strconv"
	"time"
)

// Kind says what a Fact tells. The numbers are on disk: never change one.
type Kind uint8

// The kinds of facts.
const (
	Subscribed   Kind = 1
	Unsubscribed Kind = 2
	Adjusted     Kind = 3 // a feed's field: title, folder, tags (one a line), url, hidden, allow_private, or a name of your own; of feed 0 the library's value of that name
	Fetched      Kind = 4
	Arrived      Kind = 5
	Edited       Kind = 6 // by the publisher
	Shown        Kind = 7
	Looked       Kind = 8
	Opened       Kind = 9 // makes read; no step
	MarkedRead   Kind = 10
	MarkedUnread Kind = 11
	Saved        Kind = 12
	Unsaved      Kind = 13
	Tagged       Kind = 14
	Untagged     Kind = 15
	Undone       Kind = 16
	Redone       Kind = 17
	Asked        Kind = 18 // somebody wants a feed fetched
	Trained      Kind = 19 // the evidence was adjusted by hand
	Forgotten    Kind = 20 // an opening that is not remembered as one: its items are read
	Placed       Kind = 21 // items that stand elsewhere in the lists than their arrival says: a clock was wrong
	TextRemoved  Kind = 22 // by retention; older programs know nothing of it and show what is left of the text
	RowRemoved   Kind = 23 // by retention: the items are gone from the lists, and nothing brings them back
)

// kindNames are what a Kind is called in reports, by number.
var kindNames = [...]string{
	"", "subscribed", "unsubscribed", "adjusted", "fetched", "arrived", "edited", "shown", "looked", "opened",
	"marked read", "marked unread", "saved", "unsaved", "tagged", "untagged", "undone", "redone", "asked", "taught", "forgotten", "placed", "text removed", "row removed",
}

// String is the kind in words: "marked read".
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return "kind " + strconv.Itoa(int(k))
	}
	return kindNames[k]
}

// Dateless stands in Fact.Nums of an Arrived fact for an item without a date.
const Dateless = int64(-1 << 62)

// Fact is one thing that happened. Facts are only ever appended.
type Fact struct {
	No    uint64    // 1, 2, 3, ...
	Kind  Kind      //
	At    time.Time // to the millisecond, in the writer's UTC offset, so that local time of day can be learned
	Step  uint64    // No of the first fact of its step; 0: no deliberate act
	Feed  FeedID    // 0: of no single feed
	Items []ItemID  // ascending; for a deliberate act only those it really changed
	Ref   uint64    // Undone, Redone: the step; Fetched: the Looked fact that started the fetch, 0 for none
	// Field, Old and New: of Adjusted the field's name and its values, of Tagged,
	// Untagged and Trained the word in New, of Subscribed the address in New. Of
	// Fetched Field is the outcome's kind and New the feed's own title where it
	// changed.
	Field, Old, New string
	Scope           string  // first fact of a step: "River", "folder:comics older:1w", "import feeds.opml"
	Nums            []int64 // Arrived: published minus At in s, an item each, or Dateless; Placed: the place minus At in s, an item each; Fetched: see Fetch; else the writer's
	Unread          []bool  // Arrived: which came unread; Edited: which were made unread again
}

// Clone is a copy of f that does not share memory with a reader.
func (f *Fact) Clone() Fact {
	g := *f
	g.Items = append([]ItemID(nil), f.Items...)
	g.Nums = append([]int64(nil), f.Nums...)
	g.Unread = append([]bool(nil), f.Unread...)
	return g
}

// SortItems puts Items in order, and Nums and Unread with them where they are of
// the items.
func (f *Fact) SortItems() {
	n := len(f.Items)
	if slices.IsSorted(f.Items) {
		return
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return CompareRows(0, f.Items[order[i]], 0, f.Items[order[j]]) < 0 })
	items, nums, unread := make([]ItemID, n), make([]int64, n), make([]bool, n)
	for to, from := range order {
		items[to] = f.Items[from]
		if len(f.Nums) == n {
			nums[to] = f.Nums[from]
		}
		if len(f.Unread) == n {
			unread[to] = f.Unread[from]
		}
	}
	if len(f.Nums) == n {
		f.Nums = nums
	}
	if len(f.Unread) == n {
		f.Unread = unread
	}
	f.Items = items
}

// ArrivedChanged stands in the Field of an Arrived fact whose items are changes
// of a watched page.
const ArrivedChanged = "changed"

// ArrivalFlags is how an item comes; the fold does the same.
func ArrivalFlags(field string, unread bool) Flags {
	return Flags(0).With(FlagRead, !unread).With(FlagChanged, field == ArrivedChanged)
}

// ArrivedAt is where item i of an Arrived fact stands unless a Placed fact says
// otherwise.
func ArrivedAt(f *Fact, i int) int64 {
	at := f.At.Unix()
	if f.Nums[i] != Dateless {
		at = min(at, at+f.Nums[i])
	}
	return at
}

// IsPageChange reports whether f tells of changes of a watched page.
func (f *Fact) IsPageChange() bool { return f.Kind == Arrived && f.Field == ArrivedChanged }

// EditedQuietly stands in the Field of an Edited fact of quiet edits.
const EditedQuietly = "quiet"

// EditFlags is what an edit makes of an item's flags; the fold does the same.
func EditFlags(was Flags, makeUnread, quiet bool) Flags {
	if was&FlagRead == 0 || quiet {
		return was
	}
	return was.With(FlagChanged, true).With(FlagRead, !makeUnread)
}

// Fetch is what a Fetched fact says of the fetch.
type Fetch struct {
	Answer                              Answer
	Status, Bytes, Millis, New, Changed int64
	Checks                              []int64 // unix s of checks since the last Fetched fact that brought nothing
}

// Fetch reads a Fetched fact.
func (f *Fact) Fetch() Fetch {
	var n [5]int64
	k := copy(n[:], f.Nums)
	out := Fetch{parseAnswer(f.Field), n[0], n[1], n[2], n[3], n[4], nil}
	for _, rel := range f.Nums[k:] {
		out.Checks = append(out.Checks, f.At.Unix()+rel)
	}
	return out
}
