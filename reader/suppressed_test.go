package reader

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"diurna/reader/watch"
	"diurna/store"
)

// TestSuppressedChangeIsNamed: a change that is not reported keeps no bytes, but the fetch and
// the page say what it was.
func TestSuppressedChangeIsNamed(t *testing.T) {
	const three, nine = "<li>08:40 Old Pier to Lighthouse, boat 3, by way of the island</li>", "<li>14:40 Old Pier to Lighthouse, boat 9, by way of the island</li>"
	was := timetable(summer, "8 €") + `<nav><a href="/a">Home of the harbour</a></nav><p><a href="/map">To the map</a></p><p>As of 2 November 2026</p>`
	for _, c := range []struct{ class, say, now string }{
		{"order", "order only", strings.Replace(strings.Replace(was, three, "", 1), nine, nine+three, 1)},
		{"menu", "menu only", strings.Replace(was, "Home of the harbour", "Home of the old harbour", 1)},
		{"links", "links only", strings.Replace(was, `"/map"`, `"/map2"`, 1)},
		{"date", "dates only", strings.Replace(was, "2 November", "3 November", 1)},
		{"content", "below the threshold", strings.Replace(was, "sold on", "bought on", 1)},
		{"none", "", was + "<!-- 7 -->"},
	} {
		s := newShore(t)
		s.web.serve(pier, "text/html", was)
		s.watch(pier, watch.Options{Threshold: 3})
		s.web.serve(pier, "text/html", c.now)
		s.later(day)
		p := s.page()
		if string(p.LastClass) != c.class || p.Revisions != 1 || len(s.titles()) != 0 || s.last.Outcome != OutcomeNotChanged || !p.Compared.Equal(s.at) {
			t.Errorf("%s: class %q, %d revisions, %+v", c.class, p.LastClass, p.Revisions, s.last)
		}
		want := ""
		if c.say != "" {
			want = fmt.Sprintf("%s (score %.1f)", c.say, p.LastScore)
		}
		if p.Unreported() != want || strings.TrimPrefix(s.last.Why, "changed, not reported: ") != want || want != "" && !(p.LastScore > 0) {
			t.Errorf("%s: the page says %q, the fetch %q, want %q", c.class, p.Unreported(), s.last.Why, want)
		}
		if b, err := json.Marshal(p); err != nil || !strings.Contains(string(b), `"last_class":"`+c.class+`","last_score":`) {
			t.Errorf("%s: %s, %v", c.class, b, err)
		}
		if s.later(day); s.last.Why != "" { // the same bytes again
			t.Errorf("%s: said again: %q", c.class, s.last.Why)
		}
		s.web.serve(pier, "text/html", timetable(winter+" "+strings.Repeat("Nobody is at the pier after dark. ", 3), "8 €"))
		s.later(day)
		if p = s.page(); p.Unreported() != "" || p.LastScore != p.Score || p.Score == 0 {
			t.Errorf("%s: a reported change leaves %q, %+v", c.class, p.Unreported(), p)
		}
	}
}

// TestReportedScoreStays: the newest reported change is shown with the score it was reported
// with, and none that was reported looks insignificant, whatever came later.
func TestReportedScoreStays(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "5 €"))
	s.watch(pier, watch.Options{})
	reported := 0
	for i := range 8 {
		for range 4 { // it stands still in between, which no revision shows
			s.later(day)
		}
		s.web.serve(pier, "text/html", timetable(fmt.Sprintf("The office asks for %d € now.", 101+7*i), "5 €"))
		s.later(day)
		p := s.page()
		if p.Revisions == reported+1 {
			continue
		}
		reported++
		c, err := s.r.Pages().Change(context.Background(), s.id, 0, 0)
		if err != nil || math.Abs(c.Diff.Score-p.Score) > 1e-9 || c.Diff.Class != p.Class || !c.Diff.Significant {
			t.Errorf("change %d: reported %.2f %s, shown %.2f %s, %v", i, p.Score, p.Class, c.Diff.Score, c.Diff.Class, err)
		}
		s.later(day)
	}
	if reported < 6 {
		t.Fatalf("%d changes were reported", reported)
	}
	revs, err := s.r.Pages().Revisions(context.Background(), s.id)
	if err != nil {
		t.Fatal(err)
	}
	for _, rev := range revs[1:] {
		if c, err := s.r.Pages().Change(context.Background(), s.id, 0, rev.No); err != nil || !c.Diff.Significant {
			t.Errorf("revision %d: reported %.2f, shown %.2f, %v", rev.No, rev.Score, c.Diff.Score, err)
		}
	}
}

// TestSameAnswerTwice: of what two processes were served alike one revision is
// kept, and it is reported once; of a first visit as well.
func TestSameAnswerTwice(t *testing.T) {
	ctx := context.Background()
	for _, first := range []bool{true, false} {
		s := newShore(t)
		s.web.serve(pier, "text/html", timetable(summer, "8 €"))
		s.watch(pier, watch.Options{})
		want := 1
		if first {
			if _, err := s.r.store.Act(ctx, s.at, "", store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: pier + "?b", Attrs: map[string]string{watch.Attr: "yes"}}}); err != nil {
				t.Fatal(err)
			}
			s.web.serve(pier+"?b", "text/html", timetable(summer, "8 €"))
			f, err := s.r.FindFeed(ctx, pier+"?b")
			if err != nil {
				t.Fatal(err)
			}
			s.id = f.Key
		} else {
			s.web.serve(pier, "text/html", timetable(winter, "9 €"))
			want = 2
		}
		feeds, err := s.r.store.Feeds(ctx)
		if err != nil {
			t.Fatal(err)
		}
		f := &feeds[slices.IndexFunc(feeds, func(f store.Feed) bool { return f.ID == s.id })]
		var both [2]pendingResult
		for i := range both {
			both[i].job = job{feed: f, first: first}
			if s.r.refresh.fetchPage(ctx, &both[i], watch.NewRound()); both[i].broken != nil || both[i].h.Err != nil || both[i].h.Same {
				t.Fatalf("%+v", both[i])
			}
		}
		reported := 0
		for i := range both {
			if err := s.r.refresh.file(ctx, both[i:i+1], func(res FetchResult) { reported += len(res.Reported) }); err != nil {
				t.Fatal(err)
			}
		}
		if p := s.page(); p.Revisions != want || reported != want-1 {
			t.Errorf("first %v: %d revisions, %d reported, want %d and %d", first, p.Revisions, reported, want, want-1)
		}
		s.sound()
	}
}
