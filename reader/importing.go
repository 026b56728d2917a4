package reader

import (
	"context"
	"fmt"

	"diurna/reader/newsboat"
)

// Import subscribes to what an OPML or urls document names, as one step; what
// is known stays as it is. The first fetch follows unless NoFetch is set.
func (r *Reader) Import(ctx context.Context, doc []byte, o ImportOptions, progress func(Progress)) (ImportReport, error) {
	rep, err := r.Subscriptions().Import(ctx, doc, o, r.now())
	if err != nil || o.NoFetch || o.DryRun || len(rep.Added) == 0 {
		return rep, err
	}
	if _, err = r.refresh.fetch(ctx, FetchRequest{Feeds: rep.Added}, progress); err != nil && ctx.Err() == nil {
		err = fmt.Errorf("the feeds are kept, but not all that they brought (%v); diurna fetch brings the rest", err)
	}
	return rep, err
}

// NewsboatMover imports a whole newsboat into a library.
func NewsboatMover(r *Reader) *newsboat.Mover {
	return newsboat.New(r.store, r.store.RuleBook(), r.Subscriptions(), r.rules, r.web.Hide, r.refresh.news.tell)
}
