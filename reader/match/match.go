// Package match says which stored item each entry of a document is, and which are
// new. Start with Entries, then Items.
package match

import (
	"context"
	"fmt"
	"time"

	"diurna/reader/feed"
	"diurna/reader/plain"
	"diurna/store"
)

// bulkShare is the percentage of a fetch under new ids before they are taken for
// the old ones.
const bulkShare = 60

// Store is what is read of the library.
type Store interface {
	Match(ctx context.Context, id store.FeedID, keys []uint64) (store.Matched, error)
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Item(ctx context.Context, id store.ItemID) (store.Item, error)
	Body(ctx context.Context, id store.ItemID) (store.Body, error)
	Bodies(ctx context.Context, ids []store.ItemID, each func(store.ItemID, store.Body)) error
	Revisions(ctx context.Context, id store.ItemID) ([]store.Revision, error)
}

// Options of Items.
type Options struct {
	At          time.Time                          // when the document came
	None        bool                               // the feed has no items, so the library need not be asked
	TitlesTaken bool                               // titles were taken over with the last document: what differs is an edit
	Imported    bool                               // what is stored another program kept: what differs is no edit
	Plain       func(html string, most int) string // plain.FromHTML, where it is nil
}

// Items sorts the entries of f.Feed into f.New, f.Edited, f.Corrected and f.Rekey,
// and sets f.Next. It returns how many of them are known. The errors are the
// library's.
func Items(ctx context.Context, s Store, f *store.Filing, entries []Entry, o Options) (known int, err error) {
	l := library{s, f.Feed}
	stored := store.Matched{Next: 1}
	if !o.None {
		if stored, err = s.Match(ctx, f.Feed, allKeys(entries)); err != nil {
			return 0, fmt.Errorf("look up the items: %w", err)
		}
	}
	f.Next = stored.Next
	if o.Plain == nil {
		o.Plain = plain.FromHTML
	}
	err = matchItems(f, entries, &stored, o.At, &storedTexts{
		plain: o.Plain,
		said:  func() ([]candidate, error) { return l.candidates(ctx) },
		near:  func(titles map[string]bool) ([]twin, error) { return l.twins(ctx, titles) },
	})
	if err != nil {
		return 0, fmt.Errorf("look up the texts: %w", err)
	}
	known = len(entries) - len(f.New)
	acceptTitles(f, known, o.TitlesTaken, o.At)
	if o.Imported {
		for i := range f.Edited {
			e := &f.Edited[i]
			e.Quiet, e.KeepRevision, e.MakeUnread = true, false, false
		}
	} else if err := l.compareEdits(ctx, f, known, o.At); err != nil {
		return 0, err
	}
	collapseNoise(f, o.At, func(e *store.EditedItem) bool { return !e.KeepRevision && !e.MakeUnread })
	return known, nil
}

// New is the items of a document of which nothing is stored, oldest first.
func New(doc *feed.Document, at time.Time) []store.NewItem {
	var f store.Filing
	_ = matchItems(&f, Entries(doc, ""), &store.Matched{Next: 1}, at, nil) // asks nothing, so it cannot fail
	return f.New
}

// library reads the stored items of one feed.
type library struct {
	Store
	feed store.FeedID
}

// Entry is an item of a document with the names it may be known by.
type Entry struct {
	item *feed.Entry
	keys identity
}

func allKeys(entries []Entry) []uint64 {
	keys := make([]uint64, 0, 3*len(entries))
	for i := range entries {
		keys = entries[i].keys.lookups(keys)
	}
	return keys
}

// newItem is the stored form of an Entry.
func newItem(a *Entry, now time.Time) store.NewItem {
	it := a.item
	n := store.NewItem{
		Item: store.Item{
			IDRaw: it.IDRaw, Title: it.Title, Link: plain.Outside(it.Link), Author: it.Author,
			Published: it.Published, Updated: it.Updated, FirstSeen: now,
			Categories: it.Categories, Words: it.Words, Hash: a.keys.body,
		},
		Body:   store.Body{HTML: it.ContentHTML, Summary: it.SummaryHTML},
		Keys:   a.keys.appendTo(nil),
		Unread: true,
	}
	if u, ok := plain.URL(it.Link); ok {
		n.Link = u // spaces and quotes come out encoded
	}
	if n.Published.IsZero() {
		n.Published = it.Updated // an Atom entry need not say more
	}
	for _, e := range it.Enclosures {
		n.Enclosures = append(n.Enclosures, store.Enclosure(e))
	}
	return n
}
