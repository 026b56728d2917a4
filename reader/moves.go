package reader

import (
	"context"
	"errors"
	"fmt"

	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/store"
)

// movedScope marks the steps that a publisher's move makes, which are undone by
// number only: "undo" takes back what the user did.
const movedScope = "moved by its publisher"

// adopt follows permanent redirects that can be trusted: http to https on the same host at
// once, others after five sightings in seven days if the document there is this feed. The
// user decides about all others.
func (r *refresher) adopt(ctx context.Context, group []pendingResult) error {
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

func (r *refresher) adoptOne(ctx context.Context, g *pendingResult, to string) error {
	feeds, err := r.store.Feeds(ctx)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return fmt.Errorf("read the feeds: %w", err)
	}
	taken := subscribedElsewhere(feeds, g.job.feed.ID, to)
	if !taken {
		_, err = r.store.Act(ctx, r.now(), movedScope, web.Readdress(g.job.feed.ID, g.job.feed.URL, r.web.Hide(g.h.Moved), g.job.feed.AllowPrivate)...)
		if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrTaken) {
			return nil // unsubscribed, or subscribed to there, a moment ago
		}
		if err != nil {
			return err
		}
	}
	// Remembered, so that a move that was undone is not made again. A redirect must not
	// make two subscriptions one: the user decides that.
	g.poll.Adopted = to
	g.poll.MoveWaits = g.poll.MoveWaits || taken
	_, err = r.store.File(ctx, r.now(), []store.Filing{{Feed: g.job.feed.ID, Poll: g.poll}})
	return err
}

// decideMove leaves a trusted move to the user, because the document there is not
// recognised as this feed or the user undid the move.
func decideMove(p *store.Poll, g *pendingResult) {
	p.MoveWaits = p.MovedTo != "" && poll.Trusted(p, g.h.At) && (!g.recognised() || p.Adopted == p.MovedTo)
}

// recognised reports whether the document at the new address is the feed of the old one:
// not changed at all, or sharing items with the library.
func (g *pendingResult) recognised() bool { return g.h.Same || g.overlap }

// upgrade reports whether a move only adds the s of https.
func upgrade(from, to string) bool {
	return len(from) > 7 && from[:7] == "http://" && to == "https://"+from[7:]
}

func subscribedElsewhere(feeds []store.Feed, id FeedID, address string) bool {
	for i := range feeds {
		f := &feeds[i]
		at := f.URL
		if watch.Is(f) {
			at = watch.RequestAddress(at)
		}
		if f.ID != id && web.Same(at, address) {
			return true
		}
	}
	return false
}
