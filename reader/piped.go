package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

// Take files a document that the user's own program wrote as the feed name,
// which is subscribed to when it is not yet.
func (r *Reader) Take(ctx context.Context, name string, doc []byte) (Subscribed, error) {
	name = plain.Line(name, 200)
	if name == "" {
		return Subscribed{}, errors.New("a piped feed needs a name")
	}
	h := web.Answer{At: r.now(), Asked: model.PipedScheme + name, Hash: model.Hash(doc)}
	h.Doc, h.Err = web.ReadDocument(feed.Input{Body: doc, Now: h.At})
	if h.Err != nil {
		return Subscribed{}, h.Err
	}
	// The program is the user's own: a missing end is no habit of a publisher's.
	if h.Doc.Partial = h.Doc.Partial || h.Doc.Open; h.Doc.Partial && len(h.Doc.Items) == 0 {
		return Subscribed{}, errors.New("the document ends before any item is complete; nothing was filed")
	}
	h.Result = fetch.Result{Status: 200, URL: h.Asked, WireBytes: int64(len(doc))}
	done, err := r.store.Act(ctx, r.now(), "", store.Change{Kind: store.Subscribed,
		Sub: &store.Subscription{URL: h.Asked, Title: name}})
	if err != nil {
		return Subscribed{}, fmt.Errorf("take %s: %w", name, err)
	}
	out := Subscribed{Step: done.Step}
	all, err := r.store.Feeds(ctx)
	if err != nil {
		return out, fmt.Errorf("read the feeds: %w", err)
	}
	i := slices.IndexFunc(all, func(f store.Feed) bool { return f.URL == h.Asked })
	if i < 0 {
		return out, fmt.Errorf("take %s: the library does not have it", name)
	}
	g := pendingResult{job: job{feed: &all[i], first: all[i].Items == 0}, h: h}
	if err := r.refresh.file(ctx, []pendingResult{g}, func(res FetchResult) { out.Items = res.New }); err != nil {
		return out, err
	}
	out.Feed, err = r.FindFeed(ctx, all[i].ID.String())
	out.Unread = out.Feed.Unread
	return out, err
}
