// Package history lists what a reader did, act by act, for exports: Visit.
package history

import (
	"context"
	"errors"
	"fmt"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/store"
)

// Log has everything that happened.
type Log interface {
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (last uint64, err error)
	FeedsAll(ctx context.Context) ([]store.Feed, error)
}

// Act is one thing that was done to items, a feed or the library.
type Act struct {
	No    uint64         `json:"no"` // rises by time
	At    wording.Moment `json:"at"`
	Kind  string         `json:"kind"` // "subscribed", "opened", "marked read", "saved", "tagged", "undone", ...
	Step  *uint64        `json:"step"` // acts of one step were done together
	Feed  *string        `json:"feed_id"`
	URL   *string        `json:"feed_url"`
	Items []string       `json:"items"`
	Field *string        `json:"field"` // of adjusted: what was changed
	Old   *string        `json:"old"`
	New   *string        `json:"new"`   // also the tag
	Scope *string        `json:"scope"` // what the items were found by
	Of    *uint64        `json:"of"`    // of undone and redone: the step
}

// Visit visits all acts of the reader in order, without those of fetches and rules, and
// without secrets.
func Visit(ctx context.Context, log Log, visit func(*Act) error) error {
	feeds, err := log.FeedsAll(ctx)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	urls := map[store.FeedID]string{}
	for i := range feeds {
		urls[feeds[i].ID] = feeds[i].URL
	}
	_, err = log.Facts(ctx, 0, func(f *store.Fact) error {
		if !own(f) {
			return nil
		}
		said := func(s string) *string { return model.OrNull(plain.Redact(plain.Line(s, 0))) }
		a := Act{No: f.No, At: wording.Moment{Time: f.At}, Kind: f.Kind.String(), Items: []string{}, Field: said(f.Field), Old: said(f.Old), New: said(f.New), Scope: said(f.Scope)}
		if f.Step != 0 {
			a.Step = &f.Step
		}
		if f.Ref != 0 {
			a.Of = &f.Ref
		}
		if f.Feed != 0 {
			id := f.Feed.String()
			a.Feed, a.URL = &id, said(urls[f.Feed])
		}
		for _, id := range f.Items {
			a.Items = append(a.Items, id.String())
		}
		return visit(&a)
	})
	return err
}

// own reports whether a fact is an act of the reader.
func own(f *store.Fact) bool {
	switch f.Kind {
	case store.Opened, store.Undone, store.Redone, store.Trained, store.Forgotten:
		return true
	case store.Subscribed, store.Unsubscribed, store.Adjusted, store.MarkedRead, store.MarkedUnread, store.Saved, store.Unsaved, store.Tagged, store.Untagged:
		return f.Step != 0
	}
	return false
}
