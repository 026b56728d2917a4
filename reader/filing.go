package reader

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"diurna/reader/feed"
	"diurna/reader/match"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/scheduler"
	"diurna/store"
)

// filings turns answers into what the store keeps. With look, items are matched against the
// library even for feeds that seemed empty.
func (r *refresher) filings(ctx context.Context, group []pendingResult, look bool) ([]store.Filing, error) {
	out := make([]store.Filing, 0, len(group))
	stored := sync.OnceValues(func() ([]store.Feed, error) { return r.store.Feeds(ctx) })
	for i := range group {
		g := &group[i]
		f := store.Filing{Feed: g.job.feed.ID}
		if g.stopped {
			p := g.job.feed.Poll
			p.LastFetch = g.h.At
			f.Poll = &p
			out = append(out, f)
			continue
		}
		if watch.Is(g.job.feed) {
			p, reweighed, err := r.pages.File(ctx, &f, g.visit, look)
			if err != nil {
				return nil, err
			}
			if reweighed {
				g.h = g.visit.Answer()
			}
			g.overlap = g.visit.Overlap
			r.finish(&f, g, &p)
			out = append(out, f)
			continue
		}
		if g.h.Err == nil && !g.h.Same {
			if err := r.fillFiling(ctx, &f, g, look); err != nil {
				return nil, err
			}
			foreign, err := foreign(g, stored)
			if err != nil {
				return nil, err
			}
			if foreign {
				g.h.Err = &said{"the address now serves another feed (" + model.Host(cmp.Or(g.h.Doc.Self, g.h.Result.URL)) + ")", feed.ErrNotFeed}
				f = store.Filing{Feed: f.Feed}
			}
		}
		p := poll.Next(g.job.feed.Poll, g.h.Polled(), g.job.feed.ID, r.opts.rules())
		if g.lost = showsNothingKnown(g, &f); g.lost {
			poll.NoteLoss(&p, g.job.feed.Poll.LastOK, g.h.At)
		}
		if g.h.Err == nil && !g.h.Same && !g.h.Doc.Partial {
			for i := range f.New {
				f.Present = append(f.Present, f.Next+uint32(i))
			}
			p.Present = store.Runs(f.Present)
		}
		r.finish(&f, g, &p)
		out = append(out, f)
	}
	for i := range out {
		g := &group[i]
		feed := r.asFeed(g.job.feed)
		var err error
		if g.called, err = r.rules.Ask(ctx, &out[i], &feed, g.job.first, r.now()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// finish puts the poll into the filing, with any trouble or move that it found.
func (r *refresher) finish(f *store.Filing, g *pendingResult, p *store.Poll) {
	f.Poll = p
	if g.job.opened {
		poll.NoteOpened(p, g.h.At)
	}
	if g.h.Err != nil && p.Err != g.job.feed.Poll.Err {
		f.Outcome = g.h.Outcome(store.AnswerFailed, g.job.look) // trouble begins or changes: a fact; one more 404 is not
	}
	if g.forceFull { // whatever came of it, not again for another two weeks
		p.ReadAt = g.h.At.Unix()
	}
	if p.MovedSeen > 1 {
		r.web.Hide(g.h.Moved) // once may be a server that makes an address for each answer
	}
	decideMove(p, g)
	g.poll = p
}

// foreign reports whether the answer is another feed's document: it shares no item with
// this feed, and it came by a redirect from an address that never answered for this feed,
// or gives another title and link than before, or is byte for byte what another feed
// brought last. Its items must not be filed here. A document that has only new items, after
// a long silence, is not foreign.
func foreign(g *pendingResult, stored func() ([]store.Feed, error)) (bool, error) {
	if g.looksForeign() {
		return true, nil
	}
	if g.job.feed.Items == 0 || g.overlap || g.items() == 0 || !g.job.feed.Poll.Answered() {
		return false, nil
	}
	// Not every document names its feed; a cache that mixes two up gives the same bytes for
	// both. One feed under two addresses has one title.
	feeds, err := stored()
	if err != nil {
		return false, fmt.Errorf("read the feeds: %w", err)
	}
	for i := range feeds {
		if f := &feeds[i]; !f.Removed && f.FeedTitle != g.job.feed.FeedTitle && f.Poll.BodyHash == g.h.Hash {
			return true, nil
		}
	}
	return false, nil
}

// looksForeign judges by the document and its redirects alone.
func (g *pendingResult) looksForeign() bool {
	f := g.job.feed
	if f.Items == 0 || g.overlap || g.h.Doc.Partial && g.items() == 0 || !g.job.feed.Poll.Answered() {
		return false
	}
	res := &g.h.Result
	if len(res.Hops) > 0 && !model.SameHost(res.URL, f.URL) && !model.SameHost(res.URL, f.Poll.ValidatorsFor) ||
		res.Permanent != "" && web.Key(res.Permanent) != web.Key(f.URL) && res.Permanent != f.Poll.ValidatorsFor {
		return true
	}
	self, before := web.Masked(plain.Outside(g.h.Doc.Self)), f.Poll.Self
	return self != "" && web.Key(self) != web.Key(f.URL) && web.Key(self) != web.Key(before)
}

func (r *refresher) fillFiling(ctx context.Context, f *store.Filing, g *pendingResult, look bool) error {
	doc := &g.h.Doc
	f.Outcome, f.Format, f.Site = g.h.Outcome(store.AnswerNew, g.job.look), doc.Format, plain.Outside(doc.Link)
	f.FeedTitle = cmp.Or(plain.Line(doc.Title, 300), model.Name(g.job.feed.URL))
	known, err := match.Items(ctx, r.store, f, g.arriving(), match.Options{At: g.h.At, None: g.job.first && !look, TitlesTaken: g.job.feed.Poll.TitlesTaken, Imported: !g.job.feed.Poll.Answered(), Plain: r.texts.Plain})
	if err != nil {
		return fmt.Errorf("tell apart the items of %s: %w", f.FeedTitle, err)
	}
	g.overlap = known > 0
	if g.job.first && !g.job.all {
		match.FirstUnread(f.New, g.h.At)
	}
	return nil
}

// showsNothingKnown reports whether a document holds no item that was known before
// (Horincar 2012, section 6.2), which means that items were probably lost between two
// fetches. A document of one item proves nothing: the next post replaces it. A program's
// piped output is not fetched more often for it. At an address that never answered nothing
// is known to be lost.
func showsNothingKnown(g *pendingResult, f *store.Filing) bool {
	if g.h.Err != nil || g.h.Same || g.job.first || len(g.h.Doc.Items) < 2 || g.job.feed.Poll.ValidatorsFor == "" || model.IsPiped(g.job.feed.URL) || !g.job.feed.Poll.Answered() {
		return false
	}
	shown := len(f.New)
	if g.overlap {
		shown++ // at least one was known
	}
	return scheduler.Saturated(shown, len(f.New), g.job.feed.Items)
}
