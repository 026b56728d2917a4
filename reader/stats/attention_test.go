package stats

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// facts are a store that holds nothing else.
type facts struct {
	Store
	list  []store.Fact
	reads int
}

func (s *facts) Facts(_ context.Context, _ uint64, visit func(*store.Fact) error) (uint64, error) {
	s.reads++
	for i := range s.list {
		if err := visit(&s.list[i]); err != nil {
			return 0, err
		}
	}
	return uint64(len(s.list)), nil
}

// now is when the tests look back; a fact's day is one of the days before it.
var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func fact(kind store.Kind, daysAgo float64, items ...store.ItemID) store.Fact {
	f := store.Fact{Kind: kind, At: now.Add(-time.Duration(daysAgo * 24 * float64(time.Hour))), Items: items}
	if len(items) > 0 {
		f.Feed = items[0].Feed()
	}
	if kind == store.Arrived {
		f.Nums = make([]int64, len(items)) // dated when they came
	}
	return f
}

func item(feed, n int) store.ItemID { return store.MakeItemID(store.FeedID(feed), uint32(n)) }

func items(feed, first, last int) (ids []store.ItemID) {
	for n := first; n <= last; n++ {
		ids = append(ids, item(feed, n))
	}
	return ids
}

func TestAttention(t *testing.T) {
	found := fact(store.Opened, 1, item(1, 3))
	found.Field = model.FromSearch
	dateless := fact(store.Arrived, 3, items(1, 11, 12)...)
	dateless.Nums = []int64{store.Dateless, store.Dateless}
	old := fact(store.Arrived, 3, items(1, 11, 12)...)
	old.Nums = []int64{-40 * 86400, 0}
	for _, c := range []struct {
		name  string
		facts []store.Fact
		want  Attention
		share string
	}{
		{"nothing but the first items: none was offered", []store.Fact{fact(store.Arrived, 9, items(1, 1, 5)...)}, Attention{Posts: 5}, "0 false"},
		{"first items shown", []store.Fact{fact(store.Arrived, 9, items(1, 1, 5)...), fact(store.Shown, 8, items(1, 4, 5)...)}, Attention{Posts: 5, Offered: 2}, "0 true"},
		{"later items arrive", []store.Fact{fact(store.Arrived, 40, items(1, 1, 5)...), fact(store.Arrived, 9, items(1, 6, 9)...), fact(store.Opened, 8, item(1, 7))},
			Attention{Posts: 4, Offered: 4, Opened: 1}, "0.25 true"},
		{"shown and opened several times", []store.Fact{fact(store.Arrived, 40, item(1, 1)), fact(store.Arrived, 9, items(1, 2, 3)...), fact(store.Shown, 8, items(1, 2, 3)...), fact(store.Looked, 7),
			fact(store.Shown, 7, items(1, 2, 3)...), fact(store.Opened, 7, item(1, 2)), fact(store.Opened, 6, item(1, 2)), fact(store.Shown, 5, item(1, 2))}, Attention{Posts: 2, Offered: 2, Opened: 1}, "0.5 true"},
		{"an old item opened now", []store.Fact{fact(store.Arrived, 60, items(1, 1, 9)...), fact(store.Opened, 2, item(1, 1))}, Attention{Offered: 1, Opened: 1}, "1 true"},
		{"all of it longer ago", []store.Fact{fact(store.Arrived, 60, item(1, 1)), fact(store.Arrived, 50, items(1, 2, 9)...), fact(store.Shown, 40, items(1, 2, 9)...), fact(store.Opened, 29, item(1, 2))}, Attention{}, "0 false"},
		{"found by search", []store.Fact{fact(store.Arrived, 60, items(1, 1, 9)...), found}, Attention{}, "0 false"},
		{"shown, then found by search", []store.Fact{fact(store.Arrived, 60, items(1, 1, 9)...), fact(store.Shown, 2, item(1, 3)), found}, Attention{Offered: 1}, "0 true"},
		{"without dates", []store.Fact{fact(store.Arrived, 20, item(1, 1)), dateless}, Attention{Posts: 3, Offered: 2}, "0 true"},
		{"one arrived with an old date", []store.Fact{fact(store.Arrived, 60, item(1, 1)), old}, Attention{Posts: 1, Offered: 2}, "0 true"},
		{"another feed", []store.Fact{fact(store.Arrived, 60, item(2, 1)), fact(store.Arrived, 3, items(2, 2, 9)...), fact(store.Opened, 1, item(2, 2))}, Attention{}, "0 false"},
	} {
		s := &facts{list: c.facts}
		all, err := New(s, nil, nil, nil).Attention(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		var got Attention
		if a := all[1]; a != nil {
			got = *a
		}
		share, ok := got.Share()
		if said := fmt.Sprint(share, ok); got != c.want || said != c.share || s.reads != 1 {
			t.Errorf("%s: %+v, share %s after %d readings, want %+v, share %s after one", c.name, got, said, s.reads, c.want, c.share)
		}
	}
}

func TestFeedOrders(t *testing.T) {
	row := func(title string, posts, offered, opened, lastDaysAgo int) FeedStats {
		f := FeedStats{Feed: model.Feed{Title: title}, Attention: Attention{posts, offered, opened}}
		if lastDaysAgo >= 0 {
			f.LastOpened = now.AddDate(0, 0, -lastDaysAgo)
		}
		return f
	}
	rows := []FeedStats{row("loved", 10, 10, 10, 1), row("Quiet", 0, 0, 0, 90), row("noise", 400, 380, 2, 3), row("few", 3, 3, 0, -1), row("Half", 60, 60, 30, 0), row("unread", 40, 40, 0, -1)}
	for _, c := range []struct {
		order string
		want  []string
	}{
		{"worth", []string{"unread", "noise", "few", "Quiet", "Half", "loved"}},
		{"posts", []string{"noise", "Half", "unread", "loved", "few", "Quiet"}},
		{"opened", []string{"unread", "few", "Quiet", "noise", "loved", "Half"}},
		{"share", []string{"unread", "few", "noise", "Half", "loved", "Quiet"}},
		{"last", []string{"unread", "few", "Quiet", "noise", "loved", "Half"}},
		{"name", []string{"few", "Half", "loved", "noise", "Quiet", "unread"}},
	} {
		by, ok := ParseFeedOrder(c.order)
		by.Sort(rows)
		var got []string
		for _, r := range rows {
			got = append(got, r.Feed.Title)
		}
		if !ok || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.order, got, c.want)
		}
	}
	if _, ok := ParseFeedOrder("size"); ok {
		t.Error("there is no order by size")
	}
}
