package reader

import (
	"diurna/reader/discover"
	"diurna/reader/model"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/store"
)

// What can go wrong with the library, for errors.Is. Commands turn them into
// exit codes: busy 4, damaged and newer 5.
var (
	ErrNone     = store.ErrNone     // there is no library yet
	ErrBusy     = store.ErrBusy     // others held it for longer than we wait
	ErrDamaged  = store.ErrDamaged  // a record does not check
	ErrNewer    = store.ErrNewer    // written by a newer program
	ErrOlder    = store.ErrOlder    // written before the first release
	ErrFull     = store.ErrFull     // no room on the disk
	ErrReadOnly = store.ErrReadOnly // may not be written
	ErrNothing  = store.ErrNothing  // nothing to undo
	ErrDepends  = store.ErrDepends  // a later act builds on this one
	ErrUnknown  = store.ErrUnknown  // no step, item or feed of that number

	ErrNotBackup     = store.ErrNotBackup     // the file to restore is something else
	ErrBackupDamaged = store.ErrBackupDamaged // the file to restore does not check
	ErrIsLibrary     = store.ErrIsLibrary     // the file to restore is the library
	ErrReplaced      = store.ErrReplaced      // while it was being compacted
)

// BusyError and DamagedError are whole sentences for a user.
type (
	BusyError    = store.BusyError
	DamagedError = store.DamagedError
)

// Salvaged is what can still be read of a damaged library; Lost is what a replaced library
// held that the present one lacks.
type (
	Salvaged = store.Salvaged
	Lost     = store.Lost
	// Descent tells copies of libraries apart.
	Descent = store.Descent
)

// Errors about what a user named.
var (
	// ErrNotFound: no feed or item of that name.
	ErrNotFound = model.ErrNotFound
	// ErrAddress: not an address.
	ErrAddress = web.ErrAddress
	// ErrSetting: not a value for that setting.
	ErrSetting = model.ErrSetting
	// ErrNoFeed: the address answers, but serves no feed.
	ErrNoFeed = discover.ErrNoFeed
	// ErrRefused: nothing takes connections at the address.
	ErrRefused = web.ErrRefused
	// RefuseWeb is the error of an Options.Transport that sends no requests.
	RefuseWeb = web.Refuse
	// ErrPrivate: the address is private and was not allowed.
	ErrPrivate = web.ErrPrivate
	// ErrNotWatched: what was named is no watched page.
	ErrNotWatched = watch.ErrNotWatched
	// ErrKnown: already subscribed; the *KnownError in the chain says as what.
	ErrKnown = model.ErrKnown
)

// AmbiguousError says that a name fits several feeds.
type AmbiguousError = model.AmbiguousError

// KnownError says as what an address is already subscribed to.
type KnownError struct{ Feed Feed }

func (e *KnownError) Error() string {
	return "already subscribed as " + e.Feed.KnownAs()
}

// Unwrap makes errors.Is(err, ErrKnown) hold.
func (e *KnownError) Unwrap() error { return ErrKnown }

// said joins a sentence for a user with a sentinel for errors.Is; only the sentence is
// printed.
type said struct {
	sentence string
	is       error
}

func (e *said) Error() string { return e.sentence }
func (e *said) Unwrap() error { return e.is }
