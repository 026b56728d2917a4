package reader

import (
	"context"
	"fmt"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

// Subscribe adds a filled candidate with its items, as one step.
func (r *Reader) Subscribe(ctx context.Context, c Candidate, o SubscribeOptions) (Subscribed, error) {
	if c.Known != 0 {
		f, err := r.FindFeed(ctx, c.Known.String())
		if err != nil {
			return Subscribed{}, err
		}
		return Subscribed{}, &KnownError{f}
	}
	if c.Answer == nil || c.Answer.Err != nil {
		return Subscribed{}, &said{"this feed was not read yet; preview it first", ErrNoFeed}
	}
	pages, err := r.Pages().List(ctx)
	if err != nil {
		return Subscribed{}, err
	}
	for i := range pages {
		if pages[i].URL == c.URL { // a source has its address to itself
			return Subscribed{}, &said{"watched as a page already, as " + pages[i].Feed.KnownAs() + "; unwatch it to subscribe to it", ErrKnown}
		}
	}
	var tags []string
	for _, t := range o.Tags {
		if t = model.TagName(t); t != "" {
			tags = append(tags, t)
		}
	}
	sub := store.Subscription{
		URL: c.URL, Title: plain.Line(o.Title, 300),
		Folder: plain.Line(o.Folder, 300), Tags: tags, AllowPrivate: c.AllowPrivate,
	}
	changes, err := r.Pages().SubscribeChanges(ctx, &sub)
	if err != nil {
		return Subscribed{}, err
	}
	done, err := r.store.Act(ctx, r.now(), "", changes...)
	if err != nil {
		return Subscribed{}, fmt.Errorf("subscribe: %w", err)
	}
	if len(done.Feeds) != 1 {
		return Subscribed{}, fmt.Errorf("subscribe to %s: the library took %d feeds", c.URL, len(done.Feeds))
	}
	out := Subscribed{Step: done.Step}
	then := context.WithoutCancel(ctx) // what is begun is taken back, or reported, even if it is stopped
	if err := r.refresh.keepFirst(ctx, done.Feeds[0], c.Answer, o.AllUnread); err != nil {
		// All or nothing: what was begun is taken back.
		if _, undo := r.store.Undo(then, r.now(), done.Step, 0); undo != nil {
			// Not wrapped: "the disk is full" is followed by "nothing was changed".
			return out, fmt.Errorf("subscribed to %s, but its items could not be stored (%v); diurna fetch gets them once that is fixed", model.Host(c.URL), err)
		}
		return Subscribed{}, err
	}
	out.Feed, err = r.FindFeed(then, done.Feeds[0].String())
	out.Items, out.Unread = out.Feed.Items, out.Feed.Unread
	return out, err
}

// keepFirst files the items of a feed that was just subscribed to.
func (r *refresher) keepFirst(ctx context.Context, id FeedID, got *web.Answer, allUnread bool) error {
	all, err := r.store.Feeds(ctx)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	for i := range all {
		if all[i].ID == id {
			g := pendingResult{job: job{feed: &all[i], first: all[i].Items == 0, all: allUnread}, h: *got}
			return r.file(ctx, []pendingResult{g}, func(FetchResult) {})
		}
	}
	return nil
}

// Import subscribes to what an OPML or urls document names, as one step; known feeds stay
// as they are. The first fetch follows unless NoFetch is set.
func (r *Reader) Import(ctx context.Context, doc []byte, o ImportOptions, progress func(Progress)) (ImportReport, error) {
	rep, err := r.Subscriptions().Import(ctx, doc, o, r.now())
	if err != nil || o.NoFetch || o.DryRun || len(rep.Added) == 0 {
		return rep, err
	}
	if _, err = r.refresh.fetch(ctx, FetchRequest{Feeds: rep.Added}, progress); err != nil && ctx.Err() == nil {
		err = fmt.Errorf("the feeds were added, but not all of their items (%v); diurna fetch gets the rest", err)
	}
	return rep, err
}
