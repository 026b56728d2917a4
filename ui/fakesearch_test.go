package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/query"
)

// fakeSearch is how the fake finds items by their titles: the ones with the shortest
// title first, each with its title as the part of a text that fits.
type fakeSearch struct {
	asked []string // the queries, in their order
	limit int      // of rows, of the last
	steps []int    // how many of 20,151 texts an Update tells of
	gate  chan struct{}

	missing int // so many searches find no index
	updates int
}

func (f *fake) Update(ctx context.Context, progress func(done, all int)) error {
	f.mu.Lock()
	f.search.updates++
	f.mu.Unlock()
	for _, n := range f.search.steps {
		progress(n, 20_151)
		if f.search.gate != nil {
			select {
			case <-f.search.gate:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

func (f *fake) Search(_ context.Context, q reader.Query, _ time.Time, limit int) (reader.SearchResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.search.asked, f.search.limit = append(f.search.asked, q.String()), limit
	if f.search.missing > 0 {
		f.search.missing--
		return reader.SearchResult{Missing: true}, nil
	}
	m := q.Matcher()
	var got reader.SearchResult
	for i := range f.rows {
		r := &f.rows[i]
		feed := &f.feeds[slices.IndexFunc(f.feeds, func(fd reader.Feed) bool { return fd.Key == r.ID.Feed() })]
		if m.Answer(query.Item{Row: r, Feed: feed, Deep: &query.Deep{}}) != query.Yes {
			continue
		}
		text := "What was said of it at the harbour: " + strings.ToLower(r.Title) + ", and more of the kind that a line has no room for."
		got.Items = append(got.Items, reader.SearchHit{Row: *r, Snippet: text, Marks: [][2]int{{27, 34}}})
	}
	got.Count = len(got.Items)
	slices.SortStableFunc(got.Items, func(a, b reader.SearchHit) int { return len(a.Row.Title) - len(b.Row.Title) })
	got.Items = got.Items[:min(limit, len(got.Items))]
	return got, nil
}
