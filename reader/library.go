package reader

import (
	"time"

	"diurna/reader/doctor"
	"diurna/reader/queries"
	"diurna/reader/query"
	"diurna/reader/subscriptions"
	"diurna/reader/watch"
)

// Lists of subscriptions, and what their import brought.
type (
	ImportOptions = subscriptions.ImportOptions
	ImportReport  = subscriptions.ImportReport
	LeftOut       = subscriptions.LeftOut
	EditReport    = subscriptions.EditReport
)

// Subscriptions writes the feeds as lists and text, and takes them back.
//
//go:noinline // 9 places
func (r *Reader) Subscriptions() *subscriptions.Lists {
	return subscriptions.New(r.store, r, r.web, watch.ListSettings{}, r.resetPoll)
}

// A saved query, and what is known of it once it was counted.
type (
	SavedQuery = query.Named
	QueryCount = queries.Count
)

// Queries are the saved queries.
//
//go:noinline // 13 places
func (r *Reader) Queries() *queries.Queries { return queries.New(r.store, r, r.now) }

// What doctor finds.
type (
	Diagnosis = doctor.Diagnosis
	Problem   = doctor.Problem
	Trouble   = doctor.Trouble
)

// Reason says in a few words what is wrong with a feed in trouble.
func Reason(f *Feed) string { return doctor.Reason(f) }

// Explain says of a feed in trouble what is wrong, since when, what was tried and what may
// help, as lines of a label and a text.
func Explain(f *Feed, now time.Time) []doctor.Line { return doctor.Explain(f, now) }

// Aside is the advice to move a file away, and what happens then.
func Aside(path, then string) string { return doctor.Aside(path, then) }

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

// Maintenance checks, copies and restores the library.
//
//go:noinline // 16 places
func (r *Reader) Maintenance() *doctor.Maintenance {
	return doctor.NewMaintenance(r.store, r, r.plan, r.opts.Role, r.now)
}
