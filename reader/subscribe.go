package reader

import (
	"context"
	"errors"
	"fmt"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/reader/web"
	"diurna/store"
)

// Subscribe keeps a filled candidate with the items it brought, as one step.
func (r *Reader) Subscribe(ctx context.Context, c Candidate, o SubscribeOptions) (Subscribed, error) {
	if c.Known != 0 {
		f, err := r.FindFeed(ctx, c.Known.String())
		if err != nil {
			return Subscribed{}, err
		}
		return Subscribed{}, &KnownError{f}
	}
	if c.Answer == nil || c.Answer.Err != nil {
		return Subscribed{}, &said{"this feed was not read; look at it first", ErrNoFeed}
	}
	pages, err := r.Pages().List(ctx)
	if err != nil {
		return Subscribed{}, err
	}
	for i := range pages {
		if pages[i].URL == c.URL { // a source has its address to itself
			return Subscribed{}, &said{"watched as a page already, as " + pages[i].Feed.KnownAs() + "; what is not watched any more can be subscribed to", ErrKnown}
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
		Folder: plain.Line(o.Folder, 300), Tags: tags, AllowPrivate: o.AllowPrivate,
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
	then := context.WithoutCancel(ctx) // what is begun is taken back, or told of, though it be stopped
	if err := r.keepFirst(ctx, done.Feeds[0], c.Answer, o.AllUnread); err != nil {
		// Half a subscription is none: what was begun is taken back.
		if _, undo := r.store.Undo(then, r.now(), done.Step, 0); undo != nil {
			// Not wrapped: who reads "the disk is full" adds "nothing was changed".
			return out, fmt.Errorf("subscribed to %s, but its items could not be kept (%v); diurna fetch brings them once that is mended", model.Host(c.URL), err)
		}
		return Subscribed{}, err
	}
	out.Feed, err = r.FindFeed(then, done.Feeds[0].String())
	out.Items, out.Unread = out.Feed.Items, out.Feed.Unread
	return out, err
}

// keepFirst files what a feed that was just subscribed to brought before.
func (r *Reader) keepFirst(ctx context.Context, id FeedID, got *web.Answer, allUnread bool) error {
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

// movedScope marks the steps that a publisher's move makes, which are undone by
// number only: "undo" takes back what the person did.
const movedScope = "moved by its publisher"

// adopt follows permanent redirects that are trusted by now: http to https on
// the same host at once, others after five sightings in seven days if what is
// served there is this feed. All else waits for the person.
func (r *Reader) adopt(ctx context.Context, group []pendingResult) error {
	for i := range group {
		g := &group[i]
		to := g.h.Result.Permanent
		if g.h.Err != nil || to == "" || to == g.job.feed.URL || g.poll == nil || g.poll.Adopted == to {
			continue
		}
		if !upgrade(g.job.feed.URL, to) && !(poll.Trusted(g.poll, g.h.At) && g.recognised()) {
			continue
		}
		if err := r.adoptOne(ctx, g, to); err != nil {
			return fmt.Errorf("follow %s to its new address: %w", plain.Redact(g.job.feed.URL), err)
		}
	}
	return nil
}

func (r *Reader) adoptOne(ctx context.Context, g *pendingResult, to string) error {
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return err
	}
	taken := subscribedElsewhere(feeds, g.job.feed.ID, to) != nil
	if !taken {
		_, err = r.store.Act(ctx, r.now(), movedScope, store.Change{Kind: store.Adjusted, Feed: g.job.feed.ID, Field: "url", Value: r.web.Hide(g.h.Moved)})
		if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrTaken) {
			return nil // unsubscribed, or subscribed to there, a moment ago
		}
		if err != nil {
			return err
		}
	}
	// Remembered, so that a move that was undone is not made again; and two
	// subscriptions must not become one by a redirect: that is the person's.
	g.poll.Adopted = to
	g.poll.MoveWaits = g.poll.MoveWaits || taken
	_, err = r.store.File(ctx, r.now(), []store.Filing{{Feed: g.job.feed.ID, Poll: g.poll}})
	return err
}

// decideMove marks a trusted move that is not followed by itself, because what
// lives there now is not recognised as this feed or the person took the move
// back, as the person's to decide.
func decideMove(p *store.Poll, g *pendingResult) {
	p.MoveWaits = p.MovedTo != "" && poll.Trusted(p, g.h.At) && (!g.recognised() || p.Adopted == p.MovedTo)
}

// recognised reports whether the document at the new address is the feed that
// lived at the old one: not changed at all, or sharing items with the library.
func (g *pendingResult) recognised() bool { return g.h.Same || g.overlap }

// upgrade reports whether a move only adds the s of https.
func upgrade(from, to string) bool {
	return len(from) > 7 && from[:7] == "http://" && to == "https://"+from[7:]
}

func subscribedElsewhere(feeds []Feed, id FeedID, address string) *Feed {
	for i := range feeds {
		if feeds[i].Key != id && web.Same(feeds[i].URL, address) {
			return &feeds[i]
		}
	}
	return nil
}
