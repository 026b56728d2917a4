package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/reader/plan"
	"diurna/reader/poll"
	"diurna/reader/query"
	"diurna/reader/texts"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/store"
)

// Snapshot reads the first screen: the newest n rows of River with their feeds, and totals.
// Its cost does not depend on the size of the library. A library that does not exist yet
// gives an empty one, no error.
func (r *Reader) Snapshot(ctx context.Context, n int) (Snapshot, error) {
	s, err := r.store.Front(ctx, n)
	if errors.Is(err, store.ErrNone) {
		return Snapshot{Empty: true}, nil
	}
	if err != nil {
		return Snapshot{}, fmt.Errorf("read the library: %w", err)
	}
	t := s.Totals
	return Snapshot{
		Rows: s.Rows, Feeds: fromStore(s.Feeds, r.now()), Tx: t.Tx, Partial: len(s.Feeds) < t.Feeds || len(s.Rows) < t.Unread-t.Hidden,
		Totals: Totals{Feeds: t.Feeds, Items: t.Items, Unread: t.Unread - t.Hidden, Saved: t.Saved},
		Empty:  t.Feeds == 0 && t.Facts == 0,
	}, nil
}

// hiddenFeeds are those that lists of everything leave out, and how many unread
// items are in them.
func hiddenFeeds(feeds []Feed) (map[FeedID]bool, int) {
	ids, unread := map[FeedID]bool{}, 0
	for i := range feeds {
		if feeds[i].Hidden {
			ids[feeds[i].Key] = true
			unread += feeds[i].Unread
		}
	}
	return ids, unread
}

// Totals counts the library from its counters, in one small read.
func (r *Reader) Totals(ctx context.Context) (Totals, error) {
	t, err := r.store.Totals(ctx)
	if errors.Is(err, store.ErrNone) {
		return Totals{}, nil
	}
	if err != nil {
		return Totals{}, fmt.Errorf("count the library: %w", err)
	}
	return Totals{Feeds: t.Feeds, Items: t.Items, Unread: t.Unread - t.Hidden, Saved: t.Saved}, nil
}

// Feeds lists the subscriptions by folder and title.
func (r *Reader) Feeds(ctx context.Context) ([]Feed, error) {
	list, err := r.store.Feeds(ctx)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the feeds: %w", err)
	}
	feeds := fromStore(list, r.now())
	plan := r.plan.Noted(ctx)
	for i := range feeds {
		feeds[i] = planned(feeds[i], plan)
	}
	return feeds, nil
}

// planned is f with its next fetch by the current plan.
func planned(f Feed, plan map[string]plan.Noted) Feed {
	if p, ok := plan[f.Key.String()]; ok && f.State != FeedGone && p.At > f.LastFetch.Unix() {
		f.NextFetch, f.NextReason = time.Unix(p.At, 0).UTC(), store.ParseSlotReason(string(p.Reason))
	}
	return f
}

// fromStore turns stored feeds into those of a snapshot, by folder, then title; feeds
// without a folder come last.
func fromStore(list []store.Feed, now time.Time) []Feed {
	feeds := make([]Feed, 0, len(list))
	for i := range list {
		feeds = append(feeds, describeFeed(&list[i], now))
	}
	sort.SliceStable(feeds, func(i, j int) bool {
		a, b := &feeds[i], &feeds[j]
		return cmp.Or(model.CompareBool(a.Folder == "", b.Folder == ""),
			cmp.Compare(strings.ToLower(a.Folder), strings.ToLower(b.Folder)),
			cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)), cmp.Compare(a.Key, b.Key)) < 0
	})
	return feeds
}

// describeFeed is a feed with the name and state that users see.
func describeFeed(s *store.Feed, now time.Time) Feed {
	f := Feed{
		Key: s.ID, URL: s.URL, Title: cmp.Or(s.Title, s.Attrs[model.SettingTitle]), Given: s.GivenTitle, Folder: s.Folder, Tags: s.Tags,
		Unread: s.Unread, Saved: s.Saved, Items: s.Items, LastPost: s.LastPost,
		LastFetch: s.Poll.LastFetch,
		Site:      s.Site, Format: s.Format, Hidden: s.Hidden, AllowPrivate: s.AllowPrivate,
		Subscribed: s.Subscribed, NotBefore: s.Poll.NotBefore, NotBeforeBy: s.Poll.NotBeforeBy,
		Tries: s.Poll.Tries, Status: s.Poll.Status, Settings: model.SettingsOf(s.Attrs), MovedTo: s.Poll.MovedTo, MovedSince: s.Poll.MovedSince, MovedSeen: s.Poll.MovedSeen, Losses: poll.Losses(&s.Poll, now), LeftOut: poll.LeftOut(&s.Poll),
	}
	if f.Watched = watch.Is(s); f.Watched {
		f.URL = watch.RequestAddress(s.URL)
	}
	if model.IsPiped(f.URL) && f.Given == "" {
		// Also after it was unsubscribed: the given title is then its only name.
		f.Title = strings.TrimPrefix(f.URL, model.PipedScheme)
	}
	f.Untitled = f.Title == ""
	if f.Untitled {
		f.Title = model.Name(f.URL)
	}
	if f.Site == "" {
		f.Site = f.Settings.Site
	}
	f.NextFetch, f.NextReason = plan.NextFetch(s, &s.Poll)
	f.State, f.Error, f.Since = stateOf(&s.Poll)
	f.Trouble = s.Poll.Trouble
	if f.State == FeedGone || model.IsPiped(s.URL) {
		f.NextFetch = time.Time{}
	}
	return f
}

// stateOf says in a word and a sentence how a feed is doing.
func stateOf(p *store.Poll) (state FeedState, sentence string, since time.Time) {
	switch {
	case p.Gone:
		return FeedGone, "410 gone", p.Since
	case p.MovedTo != "" && p.MoveWaits:
		return FeedMoved, "moved, waits for you", p.MovedSince
	case p.Err != "":
		return FeedFailing, p.Err, p.Since
	case p.LastFetch.IsZero():
		return FeedNew, "", time.Time{}
	}
	return FeedOK, "", time.Time{}
}

func (r *Reader) feedsByKey(ctx context.Context) (map[FeedID]*Feed, error) {
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	m := make(map[FeedID]*Feed, len(feeds))
	for i := range feeds {
		m[feeds[i].Key] = &feeds[i]
	}
	return m, nil
}

// FindFeed finds the feed that s names: its short id, its address, or a unique part of its
// title. An *AmbiguousError lists the feeds that match.
func (r *Reader) FindFeed(ctx context.Context, s string) (Feed, error) {
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return Feed{}, err
	}
	if id, ok := ParseFeedID(s); ok {
		for _, f := range feeds {
			if f.Key == id {
				return f, nil
			}
		}
	}
	address := web.Masked(s)
	for _, f := range feeds {
		if f.URL == address {
			return f, nil
		}
	}
	switch fits := query.FeedsNamed(feeds, s); len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		return Feed{}, model.NoFeed(s)
	default:
		return Feed{}, &AmbiguousError{Name: s, Feeds: fits}
	}
}

// Items returns the whole items of ids, in their order.
func (r *Reader) Items(ctx context.Context, ids []ItemID) ([]Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return nil, err
	}
	got, err := r.store.Items(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the items: %w", err)
	}
	items := make([]Item, 0, len(got))
	for i := range got {
		it := model.ItemOf(&got[i])
		if f := feeds[it.FeedKey]; f != nil {
			it.Feed = f.Title
		}
		items = append(items, it)
	}
	texts.Lead(ctx, r.store, items)
	return items, nil
}

// Article reads an item with its text and changes nothing.
func (r *Reader) Article(ctx context.Context, id ItemID) (Article, error) {
	items, err := r.Items(ctx, []ItemID{id})
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone) || err == nil && (len(items) == 0 || items[0].Gone) {
		return Article{}, model.NoItem(id)
	}
	if err != nil {
		return Article{}, err
	}
	body, err := r.store.Body(ctx, id)
	if err != nil {
		return Article{}, fmt.Errorf("read the text of %s: %w", id, err)
	}
	a := Article{Item: items[0], HTML: body.HTML, Base: web.Base(items[0].Address())}
	if a.HTML == "" {
		a.HTML = body.Summary
	}
	if !a.TextRemoved.IsZero() {
		a.HTML = "<p><em>The text was removed on " + a.TextRemoved.In(r.now().Location()).Format("2 Jan 2006") +
			" (retention); o opens it on the web.</em></p>" + a.HTML
	}
	a.Full, _ = r.FullTexts().Of(ctx, id) // who reads can do without
	if a.Edits > 0 {
		kept, _ := r.store.Revisions(ctx, id) // who reads can do without
		a.Kept = len(kept)
	}
	return a, nil
}

// Open reads an item for the reader: it notes the fact and marks it read, which is no step
// that undo would take back.
func (r *Reader) Open(ctx context.Context, id ItemID) (Article, error) {
	return r.openAs(ctx, id, "")
}

// openAs opens an item; how says from where, if that matters.
func (r *Reader) openAs(ctx context.Context, id ItemID, how string) (Article, error) {
	a, err := r.Article(ctx, id)
	if err != nil {
		return a, err
	}
	if err := r.store.Note(ctx, r.now(), store.Fact{Kind: store.Opened, Feed: id.Feed(), Items: []ItemID{id}, Field: how}); err != nil {
		return a, fmt.Errorf("note that %s was opened: %w", id, err)
	}
	a.Unread, a.Changed = false, false
	return a, nil
}

// Looked notes that the reader came to the screen.
func (r *Reader) Looked(ctx context.Context) error {
	if !r.store.Exists() {
		return nil // a look at nothing teaches nothing, and makes no library
	}
	if err := r.store.Note(ctx, r.now(), store.Fact{Kind: store.Looked}); err != nil {
		return fmt.Errorf("note the look: %w", err)
	}
	r.plan.NoteLook()
	r.refresh.nudge()
	return nil
}

// Keep and Recall store small things between sessions (the last view, the
// history of boxes) under a name.
func (r *Reader) Keep(ctx context.Context, name string, value []byte) error {
	if !r.store.Exists() {
		return nil // where nothing was ever kept, how it looked is not worth a library
	}
	return r.store.SetMeta(ctx, "ui/"+name, value)
}

// Recall returns what Keep stored, nil if there is nothing.
func (r *Reader) Recall(ctx context.Context, name string) ([]byte, error) {
	b, err := r.store.Meta(ctx, "ui/"+name)
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrUnknown) {
		return nil, nil
	}
	return b, err
}

// NewSinceLook counts the unread items that came since the reader last looked.
func (r *Reader) NewSinceLook(ctx context.Context) (int, error) {
	came := map[ItemID]bool{}
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		switch f.Kind {
		case store.Looked:
			clear(came)
		case store.Arrived:
			for i, id := range f.Items {
				if f.Unread[i] {
					came[id] = true
				}
			}
		}
		return nil
	})
	if errors.Is(err, store.ErrNone) || err == nil && len(came) == 0 {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the log: %w", err)
	}
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return 0, err
	}
	hidden, _ := hiddenFeeds(feeds)
	maps.DeleteFunc(came, func(id ItemID, _ bool) bool { return hidden[id.Feed()] })
	n, err := r.store.UnreadAmong(ctx, slices.Collect(maps.Keys(came)))
	if err != nil {
		return 0, fmt.Errorf("count what came: %w", err)
	}
	return n, nil
}
