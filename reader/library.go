package reader

import (
	"context"
	"diurna/reader/doctor"
	"fmt"
)

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

// Doctor checks the library whole: checksums, state against facts, feeds in
// trouble. Progress may be nil.
func (r *Reader) Doctor(ctx context.Context, progress func(what string, done, total int)) (Diagnosis, error) {
	d, err := doctor.CheckLibrary(ctx, r.store, r.opts.Role, progress)
	if err != nil || d.Library != "" {
		return d, err
	}
	feeds, err := r.Feeds(ctx)
	if err != nil {
		if d.Damaged() {
			return d, nil // the damage is the message; a list of feeds can wait
		}
		return d, err
	}
	now := r.now()
	if !d.Damaged() {
		if err := r.checkRevisions(ctx, feeds, &d); err != nil {
			return d, err
		}
	}
	if !d.Damaged() {
		if err := d.CheckClock(ctx, r.store, now); err != nil {
			return d, err
		}
	}
	if d.Fetcher == "" && !d.Damaged() {
		p, is, err := r.abandoned(ctx, now)
		if err != nil {
			return d, err
		}
		if is {
			d.Problems = append(d.Problems, p)
		}
	}
	d.CheckFeeds(feeds, now)
	return d, nil
}

// Descent tells which library the backup at path holds and how far it goes; "" is
// this library.
func (r *Reader) Descent(ctx context.Context, path string) (Descent, error) {
	return r.store.Descent(ctx, path)
}

// Backup writes a verified copy of the library to path.
func (r *Reader) Backup(ctx context.Context, path string) error {
	if err := r.store.Backup(ctx, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

// Restore puts a backup in the library's place; what was there is set aside
// under the returned path.
func (r *Reader) Restore(ctx context.Context, path string) (aside string, err error) {
	aside, err = r.store.Restore(ctx, r.now(), path)
	if err != nil {
		return "", fmt.Errorf("restore %s: %w", path, err)
	}
	return aside, nil
}

// Lost counts what a file that was set aside holds and the library does not.
func (r *Reader) Lost(ctx context.Context, aside string) (Lost, error) {
	return r.store.Lost(ctx, aside)
}

// Quarantine sets a damaged library aside, under the returned path; afterwards
// there is none.
func (r *Reader) Quarantine(ctx context.Context) (aside string, err error) {
	return r.store.Quarantine(ctx, r.now())
}

// Compact gives the library's free pages back to the disk: bytes before, after.
func (r *Reader) Compact(ctx context.Context) (before, after int64, err error) {
	before, after, err = r.store.Compact(ctx)
	if err != nil {
		err = fmt.Errorf("compact: %w", err)
	}
	return before, after, err
}
