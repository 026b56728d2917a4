package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/store"
)

// ItemEdit is what a publisher changed in an item of a feed.
type ItemEdit struct {
	Item Item
	Old  string    // the title as it was
	At   time.Time // when the edit was fetched
	No   int       // 1: the first edit
	Of   int       // how many edits are kept
	page.ItemChange
}

// ItemChange compares what an item of a feed says now (back 0), or said after its edit
// number of-back, with what it said before that edit. ErrNotFound: its publisher never
// changed it, or not that often.
func (r *Reader) ItemChange(ctx context.Context, id ItemID, back int) (ItemEdit, error) {
	now, err := r.Article(ctx, id)
	if err != nil {
		return ItemEdit{}, err
	}
	kept, err := r.store.Revisions(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return ItemEdit{}, fmt.Errorf("read what %s said before: %w", id, err)
	}
	i := len(kept) - 1 - back
	if back < 0 || i < 0 {
		say := fmt.Sprintf("only %[2]d edits of %[1]s are kept", id, len(kept))
		switch {
		case len(kept) == 0 && now.Edits > 0:
			say = fmt.Sprintf("%s was not edited since it was read; what it said before is not kept", id)
		case len(kept) == 0:
			say = fmt.Sprintf("%s was not edited since it came", id)
		}
		return ItemEdit{}, &model.UserError{Sentence: say, Kind: ErrNotFound, Try: "diurna items changed lists the items that were"}
	}
	old := page.Item{Title: kept[i].Title, HTML: cmp.Or(kept[i].Body.HTML, kept[i].Body.Summary)}
	next := page.Item{Title: now.Title, HTML: now.HTML}
	if back > 0 {
		next = page.Item{Title: kept[i+1].Title, HTML: cmp.Or(kept[i+1].Body.HTML, kept[i+1].Body.Summary)}
	}
	return ItemEdit{Item: now.Item, Old: old.Title, At: kept[i].Until, No: i + 1, Of: len(kept),
		ItemChange: page.CompareItem(old, next, 0)}, nil
}
