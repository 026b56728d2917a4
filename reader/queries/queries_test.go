package queries_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/reader/queries"
	"diurna/reader/query"
	"diurna/store"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// library answers queries by a scan of a store.
type library struct{ *store.Store }

func (l *library) Feeds(ctx context.Context) ([]model.Feed, error) {
	list, err := l.Store.Feeds(ctx)
	var feeds []model.Feed
	for _, f := range list {
		feeds = append(feeds, model.Feed{Key: f.ID, URL: f.URL, Title: f.GivenTitle, Folder: f.Folder, Tags: f.Tags, Unread: f.Unread, Hidden: f.Hidden})
	}
	return feeds, err
}

func (l *library) Rows(ctx context.Context, q query.Query, _ int) ([]store.Row, error) {
	feeds, err := l.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	all, err := l.Store.Rows(ctx, store.RowQuery{})
	var rows []store.Row
	for _, r := range all {
		for i := range feeds {
			if feeds[i].Key == r.ID.Feed() && q.Match(&r, &feeds[i]) {
				rows = append(rows, r)
			}
		}
	}
	return rows, err
}

// newLibrary has two feeds, one of them in a folder, and a hidden one.
func newLibrary(t *testing.T) (*library, []store.FeedID) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var changes []store.Change
	for i, folder := range []string{"sea", "", "sea/deep"} {
		changes = append(changes, store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: fmt.Sprintf("https://%d.example/", i), Title: fmt.Sprintf("feed %d", i), Folder: folder, Hidden: i == 2}})
	}
	d, err := s.Act(t.Context(), noon, "", changes...)
	if err != nil {
		t.Fatal(err)
	}
	return &library{s}, d.Feeds
}

func fill(t *testing.T, lib *library, feeds []store.FeedID, rng *rand.Rand) []store.ItemID {
	t.Helper()
	words := strings.Fields("ferry harbour storm quay tide gull")
	var ids []store.ItemID
	for _, id := range feeds {
		var items []store.NewItem
		for n := range 40 {
			items = append(items, store.NewItem{Item: store.Item{IDRaw: fmt.Sprint(id, n), Title: words[rng.IntN(6)] + " " + words[rng.IntN(6)], Published: noon.Add(-time.Duration(rng.IntN(200)) * time.Hour)}, Unread: true})
		}
		if _, err := lib.File(t.Context(), noon, []store.Filing{{Feed: id, Next: 1, New: items}}); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := lib.Store.Rows(t.Context(), store.RowQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestCountsAreAScansAnswer: after whatever was marked, tagged and undone, each saved
// query counts the unread items that a scan finds.
func TestCountsAreAScansAnswer(t *testing.T) {
	lib, feeds := newLibrary(t)
	rng := rand.New(rand.NewPCG(7, 1))
	ids := fill(t, lib, feeds, rng)
	now := noon
	q := queries.New(lib, lib, func() time.Time { return now })
	for i, text := range []string{"folder:sea", "not feed:1", "unread", "read", "ferry", "folder:deep or storm", "saved", "tag:later -quay", "newer:3d",
		"query:q4 not query:q5", "title:/ferry|gull/ older:2d", "folder:sea saved or read", "saved folder:deep"} {
		if _, err := q.Add(t.Context(), fmt.Sprintf("q%d", i), text); err != nil {
			t.Fatal(err)
		}
	}
	kinds := []store.Kind{store.MarkedRead, store.MarkedUnread, store.Saved, store.Unsaved, store.Tagged, store.Untagged}
	for round := range 40 {
		if rng.IntN(5) == 0 {
			if _, err := lib.Undo(t.Context(), now, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		c := store.Change{Kind: kinds[rng.IntN(len(kinds))], Value: "later"}
		for range 1 + rng.IntN(30) {
			c.Items = append(c.Items, ids[rng.IntN(len(ids))])
		}
		if _, err := lib.Act(t.Context(), now, "", c); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
		counts, err := q.Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range counts {
			rows, err := lib.Rows(t.Context(), query.Unread().And(c.Asks), 0)
			if err != nil || len(rows) != c.Unread {
				t.Fatalf("round %d: %s (%s): %d, a scan finds %d, %v", round, c.Name, c.Query, c.Unread, len(rows), err)
			}
		}
	}
	if report, err := lib.Check(t.Context(), true, nil); err != nil || len(report.Findings) > 0 {
		t.Errorf("state is not what the facts say: %v, %+v", err, report)
	}
}

// TestNothingIsLostBetweenTwo: several that save at once take turns.
func TestNothingIsLostBetweenTwo(t *testing.T) {
	lib, _ := newLibrary(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			q := queries.New(lib, lib, func() time.Time { return noon })
			if _, err := q.Add(t.Context(), fmt.Sprint("by ", i), "ferry"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list, err := queries.New(lib, lib, time.Now).List(t.Context()); err != nil || len(list) != 4 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestChanges: what is refused is said; what is done has an order and one step each.
func TestChanges(t *testing.T) {
	lib, _ := newLibrary(t)
	ctx, q := t.Context(), queries.New(lib, lib, func() time.Time { return noon })
	refused := func(err error, why string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	for _, n := range []string{"a", "b", "c"} {
		if d, err := q.Add(ctx, n, "ferry"); err != nil || d.Step == 0 {
			t.Fatal(d, err)
		}
	}
	_, err := q.Add(ctx, "A", "x")
	refused(err, `a saved query "a" already exists`)
	_, err = q.Add(ctx, " - ", "x")
	refused(err, "needs a name")
	_, err = q.Add(ctx, "d", " ")
	refused(err, "needs a query")
	_, err = q.Rename(ctx, "a", "b")
	refused(err, `a saved query "b" already exists`)
	_, err = q.Edit(ctx, "x", "y")
	refused(err, `there is no saved query "x"`)
	if d, err := q.Edit(ctx, "a", "ferry"); err != nil || d.Step != 0 {
		t.Errorf("nothing changed, but there is step %d, %v", d.Step, err)
	}
	if _, err := q.Move(ctx, "c", -3); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Move(ctx, "a", 99); err != nil {
		t.Fatal(err)
	}
	if list, _ := q.List(ctx); fmt.Sprint(list) != "[{c ferry} {b ferry} {a ferry}]" {
		t.Error(list)
	}
	if d, err := q.Rename(ctx, "b", "B"); err != nil || d.Step == 0 {
		t.Error(d, err)
	}
}
