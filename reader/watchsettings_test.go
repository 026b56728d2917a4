package reader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"diurna/reader/page"
	"diurna/reader/revision"
	"diurna/reader/watch"
)

// TestWatchSettings: a watch can be narrowed, taught and undone like a feed.
func TestWatchSettings(t *testing.T) {
	s := newShore(t)
	ctx := context.Background()
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	p := s.watch(pier, watch.Options{Title: "Boats", Folder: "sea", Tags: []string{"boats"}, Ignore: []string{"footer"}, Keywords: []string{"winter"}, Every: time.Hour, Threshold: 1.5, Depth: 0, Keep: 5})
	if p.Title != "Boats" || p.Folder != "sea" || p.Threshold != 1.5 || p.Interval != time.Hour || p.Keep != 5 || !reflect.DeepEqual(p.Ignore, []string{"footer"}) || !reflect.DeepEqual(p.Keywords, []string{"winter"}) {
		t.Fatalf("%+v", p)
	}
	s.web.serve(pier, "text/html", timetable(winter, "8 €"))
	s.later(2 * time.Hour)
	c, err := s.r.Pages().Change(ctx, s.id, 0, 0)
	if err != nil || len(c.Diff.Keywords) != 1 || !strings.Contains(c.Diff.Why(), `"winter" x1`) {
		t.Fatalf("%v %+v", err, c.Diff.Keywords)
	}
	s.web.serve(pier, "text/html", timetable(winter, "9.50 €"))
	s.later(2 * time.Hour)
	if c, err = s.r.Pages().Change(ctx, s.id, 0, 0); err != nil || c.From.No != 2 {
		t.Fatal(err, c.From)
	}
	rule := ""
	for _, h := range c.Diff.Hunks {
		for _, row := range h.Rows {
			if row.Kind != page.Same {
				rule = row.Rule
			}
		}
	}
	now, then, of, err := s.r.Pages().PreviewIgnore(ctx, s.id, rule)
	if err != nil || now != 2 || then != 1 || of != 3 {
		t.Errorf("ignoring %q: %d and %d of %d, %v", rule, now, then, of, err)
	}
	if d, err := s.r.Pages().IgnoreBlock(ctx, s.id, rule); err != nil || d.Step == 0 {
		t.Fatal(d, err)
	}
	if c, _ = s.r.Pages().Change(ctx, s.id, 0, 0); c.Diff.Significant || c.Diff.Blocks.Ignored != 1 {
		t.Errorf("the shown diff does not follow the rule: %+v", c.Diff.Blocks)
	}
	if _, err := s.r.Undo(ctx, 0, 0); err != nil || len(s.page().IgnoreBlocks) != 0 {
		t.Errorf("undo: %v, %q", err, s.page().IgnoreBlocks)
	}
	for _, bad := range [][2]string{{"select", "p["}, {"threshold", "-1"}, {"threshold", "NaN"}, {"depth", "3"}, {"keep", "some"}, {"interval", "1m"}} {
		if _, err := s.r.Adjust(ctx, s.id, bad[0], bad[1]); err == nil {
			t.Errorf("%s = %q is taken", bad[0], bad[1])
		}
	}
	if _, err := s.r.Unsubscribe(ctx, []FeedID{s.id}); err != nil {
		t.Fatal(err)
	}
	if list, _ := s.r.Pages().List(ctx); len(list) != 0 {
		t.Errorf("unwatched, and there: %v", list)
	}
	if _, err := s.r.Undo(ctx, 0, 0); err != nil || s.page().Revisions != 3 {
		t.Errorf("undo: %v", err)
	}
	s.sound()
}

// TestRetention forgets whole chains, never the newest, and says so.
func TestRetention(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "1 €"))
	s.watch(pier, watch.Options{Keep: 4})
	rows := "<ul>" // one more each day
	for i := range 60 {
		rows += fmt.Sprintf("<li>The boat %s sails to %s.</li>", strings.Repeat("a", i+1), strings.Repeat("b", i+1))
		s.web.serve(pier, "text/html", timetable(summer, "1 €")+rows)
		s.later(day)
	}
	p := s.page()
	if p.Revisions < 4 || p.Revisions > 4+revision.KeyEvery {
		t.Errorf("%d revisions are kept", p.Revisions)
	}
	if items := s.titles(); len(items) != 60 {
		t.Errorf("%d changes reported", len(items))
	}
	list, _ := s.r.Rows(context.Background(), Query{}, 0)
	if _, err := s.r.Pages().ChangeOf(context.Background(), list[len(list)-1].ID); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "no longer kept") {
		t.Errorf("the oldest change: %v", err)
	}
	s.sound()
}

// TestWatchRefuses: what is no page is said before anything is kept.
func TestWatchRefuses(t *testing.T) {
	s := newShore(t)
	s.web.handle(pier, func(req *http.Request) *http.Response { return answer(req, 403, "text/html", "<h1>No</h1>") })
	s.web.serve("https://pier.example/pic", "image/png", "x")
	for _, c := range []struct {
		address string
		o       watch.Options
	}{{pier, watch.Options{}}, {"https://pier.example/pic", watch.Options{}}, {"nonsense", watch.Options{}}, {pier, watch.Options{Select: []string{"p["}}}, {pier, watch.Options{Every: time.Minute}}} {
		if _, err := s.r.Pages().Watch(context.Background(), c.address, c.o); err == nil {
			t.Errorf("%s %+v is watched", c.address, c.o)
		}
	}
	if s.r.Exists() {
		t.Error("a library was made for nothing")
	}
}
