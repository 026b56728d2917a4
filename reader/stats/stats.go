// Package stats counts from the facts: what was fetched, shown and opened, when the
// reader looks, and whether what was fetched was there by then.
//
// Start with New, then Stats, Freshness and Rhythm.
package stats

import (
	"context"
	"fmt"
	"os"
	"time"

	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/plan"
	"diurna/store"
)

// statDays is the period of all rates in stats.
const statDays = 28

// Stats is what `diurna stats` tells. Counts without another period are of the
// last 28 days.
type Stats struct {
	Feeds, Items int // of the library, all time; Feeds without the watched pages
	Pages        int // watched
	// Watches counts the addresses that all watches want, child pages included;
	// Addresses how many different ones they are; Utilisation is (N-M)/M of them.
	Watches, Addresses int
	Utilisation        float64
	Revisions          int // kept of pages
	Bytes              int64
	Looks              int
	LookHours          [24]int // looks by local hour of day
	Opened             int     // items opened
	Shown              int     // items that stood on screen
	Requests           int
	NotChanged         int // of them answered "not changed"
	Hourly             int // requests that hourly polling of the same feeds would have sent
	Trouble            int
	Silent             int // no post for 60 days
	NeverOpened        int
	PerFeed            []FeedStats
}

// FeedStats is one row of `diurna stats --feeds`.
type FeedStats struct {
	Feed         model.Feed
	Attention    Attention
	PostsPerWeek float64
	Opened       int // all time, as Shown
	Shown        int
	LastOpened   time.Time
	Requests     int // 28 days
	NotChanged   int
	KB           int
	Missed       int // new items of 28 days that were not here yet at a look
	MissedAfter  int // of those, not here after the refresh that the look started
}

// Store is what counting needs of the store.
type Store interface {
	Path() string
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (last uint64, err error)
	Feeds(ctx context.Context) ([]store.Feed, error)
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	PageHeads(ctx context.Context) (map[store.FeedID]store.PageHead, error)
}

// Library reads the feeds as people know them.
type Library interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Pages tells of the child pages that are watched with a page.
type Pages interface {
	ChildAddresses(ctx context.Context, page store.FeedID) ([]string, error)
}

// Counter counts. Its methods are safe for use by several goroutines.
type Counter struct {
	store Store
	lib   Library
	pages Pages
	plan  *plan.Planner
}

// New returns a Counter. It reads nothing.
func New(s Store, lib Library, w Pages, p *plan.Planner) *Counter { return &Counter{s, lib, w, p} }

// Stats counts from the log and the counters of fetching.
func (c *Counter) Stats(ctx context.Context, now time.Time) (Stats, error) {
	var s Stats
	feeds, err := c.lib.Feeds(ctx)
	if err != nil || len(feeds) == 0 {
		return s, err
	}
	list, err := c.store.Feeds(ctx)
	if err != nil {
		return s, fmt.Errorf("read the feeds: %w", err)
	}
	rows := make(map[store.FeedID]*FeedStats, len(list))
	for i := range list {
		fs := fetchStats(&list[i], now)
		rows[list[i].ID] = &fs
	}
	news := newsSince(now.AddDate(0, 0, -statDays), now)
	if err := c.countLog(ctx, &s, rows, now, news); err != nil {
		return s, err
	}
	if err := c.finish(ctx, news); err != nil {
		return s, err
	}
	fresh := news.freshness(list)
	for id, n := range fresh.byFeed {
		if fs := rows[id]; fs != nil {
			fs.Missed, fs.MissedAfter = n.atLook, n.after
		}
	}
	if st, err := os.Stat(c.store.Path()); err == nil {
		s.Bytes = st.Size()
	}
	for _, f := range feeds {
		fs := rows[f.Key]
		if fs == nil {
			continue // subscribed to a moment ago
		}
		fs.Feed = f
		s.Items += f.Items
		s.Requests += fs.Requests
		s.NotChanged += fs.NotChanged
		if !model.IsPiped(f.URL) {
			s.Hourly += int(min(now.Sub(f.Subscribed), statDays*24*time.Hour).Hours())
		}
		if f.InTrouble() {
			s.Trouble++
		}
		if f.Watched {
			s.Pages++
			continue // a page may rest for years
		}
		s.Feeds++
		s.PerFeed = append(s.PerFeed, *fs)
		if f.SavesPages() {
			continue // it posts what the reader saved, who had it open before
		}
		if !f.LastPost.IsZero() && now.Sub(f.LastPost) > model.SilentAfter {
			s.Silent++
		}
		if fs.Opened == 0 {
			s.NeverOpened++
		}
	}
	return s, c.countWatches(ctx, &s, feeds)
}

// countWatches counts what the watches want and how many requests serve it.
func (c *Counter) countWatches(ctx context.Context, s *Stats, feeds []model.Feed) error {
	heads, err := c.store.PageHeads(ctx)
	if err != nil {
		return fmt.Errorf("count the revisions: %w", err)
	}
	different := map[string]bool{}
	for i := range feeds {
		f := &feeds[i]
		if !f.Watched {
			continue
		}
		s.Revisions += heads[f.Key].Count
		s.Watches++
		different[f.URL] = true
		children, err := c.pages.ChildAddresses(ctx, f.Key)
		if err != nil {
			return err
		}
		s.Watches += len(children)
		for _, address := range children {
			different[address] = true
		}
	}
	s.Addresses = len(different)
	s.Utilisation = page.Utilisation(s.Watches, s.Addresses)
	return nil
}

// fetchStats sums up the day counters of a feed.
func fetchStats(f *store.Feed, now time.Time) FeedStats {
	var fs FeedStats
	if model.IsPiped(f.URL) {
		return fs // its documents came without a request
	}
	from := int32(now.Unix()/86400) - statDays
	for _, d := range f.Poll.Days {
		if d.Day > from {
			fs.Requests += int(d.Requests)
			fs.NotChanged += int(d.NotChanged)
			fs.KB += int(d.KB)
		}
	}
	return fs
}

// countLog counts looks, opens, showings and posts in the facts, and lets news take
// them in: all in one pass.
func (c *Counter) countLog(ctx context.Context, s *Stats, rows map[store.FeedID]*FeedStats, now time.Time, news *newsLog) error {
	from := now.AddDate(0, 0, -statDays)
	read := attentionSince(from)
	shown := map[store.ItemID]bool{} // in the present session: a better row is noted again
	_, err := c.store.Facts(ctx, 0, func(f *store.Fact) error {
		news.visit(f)
		read.visit(f)
		recent := f.At.After(from)
		switch {
		case f.Kind == store.Looked:
			clear(shown)
			if recent {
				s.Looks++
				s.LookHours[f.At.Hour()]++
			}
		case f.Kind == store.Shown, f.Kind == store.Opened && f.Field != model.FromSearch:
			countItems(f, s, rows, recent, shown)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	for id, a := range read.sum() {
		if fs := rows[id]; fs != nil {
			fs.Attention, fs.PostsPerWeek = *a, float64(a.Posts)*7/statDays
		}
	}
	return nil
}

func countItems(f *store.Fact, s *Stats, rows map[store.FeedID]*FeedStats, recent bool, shown map[store.ItemID]bool) {
	for _, id := range f.Items {
		if f.Kind == store.Shown {
			if shown[id] {
				continue
			}
			shown[id] = true
		}
		fs := rows[id.Feed()]
		opened := f.Kind == store.Opened
		if fs != nil && opened {
			fs.Opened++
			fs.LastOpened = f.At
		} else if fs != nil {
			fs.Shown++
		}
		switch {
		case recent && opened:
			s.Opened++
		case recent:
			s.Shown++
		}
	}
}
