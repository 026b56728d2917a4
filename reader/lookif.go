package reader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/store"
)

// LookAfter is how long a reader must have been away for the next sign of them to count as
// a new look.
const LookAfter = 10 * time.Minute

// LookedIfAway notes that the reader saw a list or an article outside the screen, unless a
// look, or something shown or opened, is less than LookAfter ago.
func (r *Reader) LookedIfAway(ctx context.Context) error {
	here, err := r.hereSince(ctx, r.now().Add(-LookAfter))
	if err != nil || here {
		return err
	}
	return r.Looked(ctx)
}

// hereSince reports whether a fact later than since, and not ahead of the clock, shows a
// reader: a look, an item shown or one opened. It reads back from the newest fact to the
// first that is older, for a refresh of many feeds puts hundreds of facts behind a look.
func (r *Reader) hereSince(ctx context.Context, since time.Time) (bool, error) {
	t, err := r.store.Totals(ctx)
	if errors.Is(err, store.ErrNone) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the log: %w", err)
	}
	now := r.now()
	for n := uint64(64); ; n *= 4 {
		after := t.Facts - min(n, t.Facts)
		here, older := false, after == 0
		_, err := r.store.Facts(ctx, after, func(f *store.Fact) error {
			switch f.Kind {
			case store.Looked, store.Shown, store.Opened:
				here = here || f.At.After(since) && !f.At.After(now)
			}
			older = older || !f.At.After(since)
			return nil
		})
		if err != nil {
			return false, fmt.Errorf("read the log: %w", err)
		}
		if here || older {
			return here, nil
		}
	}
}
