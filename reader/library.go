package reader

import (
	"diurna/reader/doctor"
	"diurna/reader/subscriptions"
	"diurna/reader/watch"
)

// What subscription lists say and what became of them.
type (
	ImportOptions = subscriptions.ImportOptions
	ImportReport  = subscriptions.ImportReport
	LeftOut       = subscriptions.LeftOut
	EditReport    = subscriptions.EditReport
)

// Subscriptions writes the feeds as lists and text, and takes them back.
func (r *Reader) Subscriptions() *subscriptions.Lists {
	return subscriptions.New(r.store, r, r.web, watch.ListSettings{}, r.startAnew)
}

// What doctor finds.
type (
	Diagnosis = doctor.Diagnosis
	Problem   = doctor.Problem
	Trouble   = doctor.Trouble
)

// Aside is the advice to move a file out of the way, and what then happens.
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
func (r *Reader) Maintenance() *doctor.Maintenance {
	return doctor.NewMaintenance(r.store, r, r.plan, r.opts.Role, r.now)
}
