package ui

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/stories"
	"diurna/reader/trends"
	"diurna/ui/stack"
	trendsview "diurna/ui/trends"
)

// fakeTrends are what the fake's feeds talk about.
type fakeTrends struct {
	list  []trends.Trend
	asked []time.Duration
}

func newTrends() *fakeTrends {
	daily := func(days string) (out [trends.Days]int) {
		for i, c := range days {
			out[i] = int(c - '0')
		}
		return out
	}
	at := noon.Add(-3 * time.Hour)
	return &fakeTrends{list: []trends.Trend{
		{Kind: trends.Link, What: "https://smalldb.example/checksums", Items: 5, Feeds: 4, Daily: daily("00000000000005"), First: item(2, 7), FirstAt: at, Newest: []reader.ItemID{item(1, 9), item(2, 7)}},
		{Kind: trends.Emerging, What: "page checksums", Also: []string{"fsync"}, Items: 7, Feeds: 4, Usual: .3, Daily: daily("00000100000016"), First: item(2, 7), FirstAt: at, Newest: []reader.ItemID{item(1, 9), item(2, 7)}},
		{Kind: trends.Emerging, What: "港湾工事", Items: 3, Feeds: 2, Daily: daily("00000000000003"), First: item(4, 3), FirstAt: at, Newest: []reader.ItemID{item(4, 3)}},
		{Kind: trends.Steady, What: "harbour", Items: 12, Feeds: 3, Usual: 10.4, Daily: daily("12021201230213"), First: item(3, 7), FirstAt: at.Add(-100 * time.Hour), Newest: []reader.ItemID{item(3, 8), item(3, 7)}},
	}}
}

func (f *fakeTrends) Update(context.Context, time.Time, func(done, all int)) error { return nil }

func (f *fakeTrends) Portrait(_ context.Context, feed reader.FeedID, _ *stories.Groups) (trends.Portrait, error) {
	if feed > 6 { // a page
		return trends.Portrait{}, nil
	}
	return trends.Portrait{About: []string{"block layer", "scheduler"}, Cohesion: .93, Mixed: .90, Like: []trends.Near{{Title: "Compilers Weekly", Share: .41}}, Overlap: []trends.Near{{Title: "Small Databases", Share: .88}}}, nil
}

func (f *fakeTrends) Top(_ context.Context, since time.Duration, now time.Time, _ int) (trends.Report, error) {
	f.asked = append(f.asked, since)
	r := trends.Report{Now: now, Items: 40, Feeds: 6, Trends: slices.Clone(f.list)}
	if since == 24*time.Hour {
		r.Trends = nil
	}
	return r, nil
}

func (r *fakeRules) Add(_ context.Context, rule reader.Rule, _ bool, _ time.Time) (reader.Rule, reader.Done, error) {
	r.lib.mu.Lock()
	defer r.lib.mu.Unlock()
	rule.No = len(r.list) + 1
	return rule, r.change(0, "mute: "+rule.Query, append(slices.Clone(r.list), rule)), nil
}

func TestTrendsScreens(t *testing.T) {
	shots := []struct {
		name string
		keys []string
	}{
		{"trends", []string{"7"}}, {"trends-word", []string{"7", "j"}}, {"trends-items", []string{"7", "j", "enter"}}, {"trends-none", []string{"7", "<"}},
		{"help-trends", []string{"7", "?"}},
	}
	for _, size := range sizes {
		for _, s := range shots {
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, newFake(), size[0], size[1])
				d.press(s.keys...)
				compare(t, d, size[0], size[1])
			})
		}
	}
}

// TestTrendsKeys: Enter lists the items, F keeps the link or word as a query, I mutes it, and
// u takes that back; of an address with a secret neither can be done.
func TestTrendsKeys(t *testing.T) {
	lib := newFake()
	rules := &fakeRules{lib: lib}
	d := newDesk(t, lib, 100, 30)
	fake := newTrends()
	d.m.Numbered[stack.Trends] = trendsview.New(fake, rules, d.m.lists, d.m.queries)
	d.press("7", "F")
	d.shows("save linksto:https://smalldb.example/checksums as: smalldb.example/checksums")
	d.press("enter", "7", "I")
	d.shows(`Muted "https://smalldb.example/checksums". u undoes.`)
	if len(rules.list) != 1 || rules.list[0].Query != "linksto:https://smalldb.example/checksums" || len(lib.saved.list) != 1 || lib.saved.list[0].Query != rules.list[0].Query {
		t.Errorf("%+v, %+v", rules.list, lib.saved.list)
	}
	d.press("u", "7", "enter", "F")
	d.shows("save linksto:https://smalldb.example/check")
	d.press("esc", "q")
	fake.list[0].What = "https://smalldb.example/checksums?token=…"
	for _, key := range []string{"F", "I"} {
		d.press("g", key)
		d.shows("This address has a password or token")
	}
	d.press("enter")
	d.shows("The new block layer", "Why our compiler got slower")
	d.press("q", "j", "I")
	d.shows(`Muted "page checksums". u undoes.`)
	if len(rules.list) != 1 || rules.list[0].Query != `text:"page checksums" or title:"page checksums"` || !rules.list[0].Mute {
		t.Errorf("%+v", rules.list)
	}
	d.press("u")
	if len(rules.list) != 0 {
		t.Errorf("undone: %+v", rules.list)
	}
	d.press("7", "F")
	d.press("enter")
	list := lib.saved.list
	if len(list) != 2 || list[1].Query != `text:"page checksums" or title:"page checksums"` {
		t.Errorf("%+v", list)
	}
}
