package reader

import "diurna/reader/doctor"

// This file is the face of the library as a whole: subscriptions in and out as
// lists and as text, and how the library itself is looked after.

// ImportOptions say how a subscription list is taken over.
type ImportOptions struct {
	Name    string // file name, for the step's scope and the report
	NoFetch bool
	Mirror  bool // make the library what the list says: unsubscribe from what it does not name
}

// ImportReport tells what became of each line.
type ImportReport struct {
	Step     uint64
	Feeds    int // outlines or lines with an address
	Tags     int // different ones
	Titles   int // feeds that the list gives a title
	Hidden   int
	Added    []FeedID
	Known    int
	KnownAs  []string // of these, the feeds that were there before: "sea/Harbour Gazette since 3 Mar"
	Removed  int      // with Mirror: unsubscribed
	Spared   bool     // with Mirror: nothing was, as the list may be cut short
	Refused  []string // "line 12: exec: is not taken; …"
	Cron     []string // for refused commands: the crontab line that pipes them into take
	Problems []string
	Queries  int
}

// What doctor finds.
type (
	Diagnosis = doctor.Diagnosis
	Problem   = doctor.Problem
	Trouble   = doctor.Trouble
)

// Aside is the advice to move a file out of the way, and what then happens.
func Aside(path, then string) string { return doctor.Aside(path, then) }

// LeftOut counts what an export does not carry.
type LeftOut struct {
	Secrets []string // titles and addresses of the feeds whose address lost a password or token
	Taken   int      // feeds filed by Take: no address leads to them
	Pages   int      // watched pages, where the list has no place for them
}

// AtomExport says which items an Atom file holds.
type AtomExport struct {
	Page    FeedID // the reported changes of a watched page; 0: the items that fit Query
	Query   Query
	Limit   int  // the newest so many; 0: all
	Secrets bool // leave passwords and tokens in the items' addresses
}

// AtomReport counts what an Atom file holds.
type AtomReport struct {
	Entries int
	Secrets int // entries of which an address lost a password or token
}

// EditReport tells what an edited text changed.
type EditReport struct {
	Step                           uint64
	Added, Removed, Moved, Changed int
	New                            []FeedID // not fetched yet
	Refused                        []string // lines that cannot be; then nothing was applied
}

// Maintenance checks, copies and restores the library.
func (r *Reader) Maintenance() *doctor.Maintenance {
	return doctor.NewMaintenance(r.store, r, r.plan, r.opts.Role, r.now)
}
