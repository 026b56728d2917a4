// Package subscriptions writes the feeds and pages of a library as lists (OPML, a
// newsboat urls file) and as text for an editor, and makes the library what such a list says.
//
// Start with New, then Import and Export.
package subscriptions

import (
	"context"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

// Store is what the lists need of the store.
type Store interface {
	Meta(ctx context.Context, key string) ([]byte, error)
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
	Reveal(ctx context.Context, address string) (string, error)
}

// Library reads feeds and items as people know them.
type Library interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
	Rows(ctx context.Context, q query.Query, limit int) ([]store.Row, error)
	Items(ctx context.Context, ids []store.ItemID) ([]model.Item, error)
}

// Addresses keeps the secrets of addresses.
type Addresses interface {
	Hide(address string) string
	Exported(ctx context.Context, kept string, secrets bool) (out string, cut bool, err error)
}

// PageSettings says how watched pages stand in a list.
type PageSettings interface {
	// Outline returns what an entry says of a page.
	Outline(f *model.Feed) map[string]string
	// Attrs returns the settings that an entry brings, as far as they make sense.
	Attrs(outline map[string]string) map[string]string
	// Key is what two entries share that mean the same part of a page; "": it is no page.
	Key(address string, s *model.Settings) string
	// Twin is the address under which the nth watch of one address is kept.
	Twin(address string, n int) string
}

// Lists writes and reads the subscriptions of a library. Its methods are safe for
// use by several goroutines.
type Lists struct {
	store Store
	lib   Library
	web   Addresses
	pages PageSettings
	moved func(ctx context.Context, ids ...store.FeedID) error
}

// New returns Lists. It reads nothing. moved is called for feeds that got another
// address, after the change.
func New(s Store, lib Library, web Addresses, pages PageSettings, moved func(ctx context.Context, ids ...store.FeedID) error) *Lists {
	return &Lists{s, lib, web, pages, moved}
}

// ImportOptions say how a subscription list is taken over.
type ImportOptions struct {
	Name    string         // file name, for the step's scope and the report
	Path    string         // of the file, "" where it is none
	NoFetch bool           // the caller fetches what is new, unless this is set
	DryRun  bool           // say what would be done, and do nothing
	Also    []store.Change // done in the same step
	// First is what another program knows of a feed, by web.Key of its address as it is
	// kept: its title and site until a fetch tells them. nil: nothing.
	First  map[string][2]string
	Mirror bool // make the library what the list says: unsubscribe from what it does not name
}

// ImportReport tells what became of each line.
type ImportReport struct {
	Step     uint64
	Feeds    int // outlines or lines with an address
	Tags     int // different ones
	Titles   int // feeds that the list gives a title
	Hidden   int
	Fresh    int            // feeds that were not there
	Added    []store.FeedID // these, but for a dry run
	Known    int
	Already  []model.Feed // of these, the feeds that were there before
	Removed  int          // with Mirror: unsubscribed
	ListCut  bool         // with Mirror: nothing was, as the list may be cut short
	Refused  []string     // "line 12: exec: is not taken; …"
	Cron     []string     // for refused commands: the crontab line that pipes them into take
	Problems []string
	Queries  int // query feeds and saved queries of the list
	Saved    int // of these, those that are saved queries now
	NewSaved int // of these, those that were none before
}

// LeftOut counts what an export does not carry.
type LeftOut struct {
	Secrets []string // titles and addresses of the feeds whose address lost a password or token
	Taken   int      // feeds filed by Take: no address leads to them
	Queries []string // names of saved queries that the list cannot say, and why
	Pages   int      // watched pages, where the list has no place for them
}

// EditReport tells what an edited text changed.
type EditReport struct {
	Step                           uint64
	Added, Removed, Moved, Changed int
	New                            []store.FeedID // not fetched yet
	Refused                        []string       // lines that cannot be; then nothing was applied
}
