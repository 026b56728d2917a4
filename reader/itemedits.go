package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"diurna/reader/page"
	"diurna/store"
)

// itemChange compares two neighbouring states of an item; back counts edits
// from the newest.
func (r *Reader) itemChange(ctx context.Context, id ItemID, back int) (ItemEdit, error) {
	now, err := r.article(ctx, id)
	if err != nil {
		return ItemEdit{}, err
	}
	kept, err := r.store.Revisions(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return ItemEdit{}, fmt.Errorf("read what %s said before: %w", id, err)
	}
	i := len(kept) - 1 - back
	if back < 0 || i < 0 {
		if len(kept) == 0 {
			return ItemEdit{}, &said{fmt.Sprintf("%s was not edited since it came", id), ErrNotFound}
		}
		return ItemEdit{}, &said{fmt.Sprintf("of %s only %d edits are kept", id, len(kept)), ErrNotFound}
	}
	old := page.Item{Title: kept[i].Title, HTML: cmp.Or(kept[i].Body.HTML, kept[i].Body.Summary)}
	next := page.Item{Title: now.Title, HTML: now.HTML}
	if back > 0 {
		next = page.Item{Title: kept[i+1].Title, HTML: cmp.Or(kept[i+1].Body.HTML, kept[i+1].Body.Summary)}
	}
	return ItemEdit{Item: now.Item, Old: old.Title, At: kept[i].Until, No: i + 1, Of: len(kept),
		ItemChange: page.CompareItem(old, next, 0)}, nil
}

// mostEdits is how many former texts of one item are kept: a publisher who puts
// a counter into the text edits it with every fetch.
const mostEdits = 50

// weighEdits compares what publishers edited with what the reader saw. An edit
// of which nothing can be seen is taken over quietly; one below the threshold
// (page.CompareItem) leaves a mark and its former text; a larger one makes the
// item unread again.
func (r *Reader) weighEdits(ctx context.Context, f *store.Filing) error {
	for i := range f.Edited {
		e := &f.Edited[i]
		if !e.KeepRevision {
			continue // nobody has read it yet
		}
		id := store.MakeItemID(f.Feed, e.N)
		old, err := r.store.Item(ctx, id)
		if err != nil {
			return fmt.Errorf("read %s before its edit: %w", id, err)
		}
		body, err := r.store.Body(ctx, id)
		if err != nil {
			return fmt.Errorf("read the text of %s before its edit: %w", id, err)
		}
		c := page.CompareItem(page.Item{Title: old.Title, HTML: cmp.Or(body.HTML, body.Summary)},
			page.Item{Title: e.Title, HTML: cmp.Or(e.Body.HTML, e.Body.Summary)}, 0)
		seen := c.Title || c.Words.Added+c.Words.Deleted > 0 || c.Told > 0
		e.Quiet, e.KeepRevision, e.MakeUnread = !seen, seen && old.Edits < mostEdits, seen && !c.Minor
		if seen && old.Edits > 0 {
			if err := r.saidBefore(ctx, id, e, old.Title, body.HTML); err != nil {
				return err
			}
		}
	}
	return nil
}

// saidBefore looks whether an item only says again what it said before its last
// edits, as it does where two servers give a feed in two versions by turns: that
// is no news, and what is kept already is not kept twice.
func (r *Reader) saidBefore(ctx context.Context, id store.ItemID, e *store.EditedItem, title, html string) error {
	former, err := r.store.Revisions(ctx, id)
	if err != nil {
		return fmt.Errorf("read what %s said before: %w", id, err)
	}
	for i := range former {
		v := &former[i]
		e.MakeUnread = e.MakeUnread && (v.Title != e.Title || v.Body.HTML != e.Body.HTML)
		e.KeepRevision = e.KeepRevision && (v.Title != title || v.Body.HTML != html)
	}
	return nil
}
