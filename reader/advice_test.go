package reader

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"diurna/reader/advice"
	"diurna/reader/page"
	"diurna/reader/watch"
	"diurna/store/storetest"
)

// advice are the suggestions as of the shore's clock.
func (s *shore) advice() []watch.Suggestion {
	s.t.Helper()
	list, err := s.r.At(s.at).Pages().Suggestions(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// noisy is a page that has one more notice every day, a row, and whose counter
// never rests.
func noisy(day int, counter bool) string {
	body := timetable(summer, "8 €") + "<ul>"
	for n := range day {
		body += fmt.Sprintf("<li>The captain %s is at the helm of %s.</li>", strings.Repeat("x", n%20+1), strings.Repeat("y", n%17+1))
	}
	body += "</ul>"
	if counter {
		body += fmt.Sprintf("<p>page asked for %d times</p>", 100+day*7)
	}
	return body
}

func TestAdviceOnThreshold(t *testing.T) {
	s := newShore(t)
	ctx := context.Background()
	s.web.serve(pier, "text/html", noisy(0, false))
	s.watch(pier, watch.Options{})
	for i := range 4 {
		s.web.serve(pier, "text/html", noisy(i+1, false))
		s.later(day)
	}
	if got := s.advice(); len(got) != 0 {
		t.Fatalf("after 4 changes: %+v", got)
	}
	for i := range 4 {
		s.web.serve(pier, "text/html", noisy(i+5, false))
		s.later(day)
	}
	if got := s.advice(); len(got) != 0 {
		t.Fatalf("to somebody who was away: %+v", got)
	}
	if err := s.r.At(s.at).Looked(ctx); err != nil {
		t.Fatal(err)
	}
	got := s.advice()
	if len(got) != 1 || got[0].Kind != advice.RaiseThreshold || got[0].From != "1" || got[0].To == "" || got[0].Reason != `you looked at 0 of 8 reported changes; 3 of the last 3 are under "Timetable > Notices"` || got[0].Chance <= .5 {
		t.Fatalf("%+v", got)
	}
	// It stands until it is answered; then not for a week.
	if again := s.advice(); len(again) != 1 || again[0].Kind != got[0].Kind {
		t.Errorf("asked again: %+v", again)
	}
	d, err := s.r.At(s.at).Pages().AnswerSuggestion(ctx, got[0], true)
	if err != nil || d.Step == 0 {
		t.Fatal(err)
	}
	if p := s.page(); strconv.FormatFloat(p.Threshold, 'f', -1, 64) != got[0].To {
		t.Errorf("threshold %v, want %s", p.Threshold, got[0].To)
	}
	s.at = s.at.Add(2 * day)
	if got := s.advice(); len(got) != 0 {
		t.Errorf("two days after an answer: %+v", got)
	}
	if _, err := s.r.Undo(ctx, 0, 0); err != nil || s.page().Threshold != page.DefaultThreshold {
		t.Errorf("undo: %v, threshold %v", err, s.page().Threshold)
	}
	s.sound()
}

func TestAdviceDeclined(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", noisy(0, false))
	s.watch(pier, watch.Options{})
	days, answers := storetest.Size(32, 60), 0
	for i := range days {
		s.web.serve(pier, "text/html", noisy(i+1, false))
		s.later(day)
		if err := s.r.At(s.at).Looked(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, a := range s.advice() {
			if _, err := s.r.At(s.at).Pages().AnswerSuggestion(context.Background(), a, false); err != nil {
				t.Fatal(err)
			}
			answers++
		}
	}
	if weeks := days / 7; answers < 2 || answers > weeks {
		t.Errorf("%d suggestions in %d weeks", answers, weeks)
	}
	s.sound()
}

// TestAdviceOnOneNumberOfARow: advice names the number that changes, and accepted it hides
// that one alone: the price beside it is reported as before.
func TestAdviceOnOneNumberOfARow(t *testing.T) {
	row := func(frell, price int) string {
		return timetable(summer, "8 €") + fmt.Sprintf("<ul><li>Lantern: %d frell · %d EUR · 3 left</li><li>Kettle: 5 frell · 20 EUR · 8 left</li></ul>", frell, price)
	}
	s := newShore(t)
	s.web.serve(pier, "text/html", row(50, 44))
	s.watch(pier, watch.Options{})
	for i := range 12 {
		s.web.serve(pier, "text/html", row(10+31*i%47, 44))
		s.later(day)
		if err := s.r.At(s.at).Looked(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	got := s.advice()
	if len(got) != 1 || got[0].Kind != advice.IgnoreBlock || got[0].Rule != "… # frell … of Lantern" {
		t.Fatalf("%+v", got)
	}
	if _, err := s.r.At(s.at).Pages().AnswerSuggestion(context.Background(), got[0], true); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 1} {
		before := len(s.titles())
		s.web.serve(pier, "text/html", row(77+i, 44-i))
		s.later(day)
		if n := len(s.titles()) - before; n != want {
			t.Errorf("with the price %d: %d reports, want %d", 44-i, n, want)
		}
	}
}

func TestAdviceOnBlocksAndIntervals(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "8 €")+"<p>page asked for 100 times</p>")
	s.watch(pier, watch.Options{})
	for i := range 12 {
		s.web.serve(pier, "text/html", timetable(summer, "8 €")+fmt.Sprintf("<p>page asked for %d times</p>", 107+i*3))
		s.later(day)
	}
	got := s.advice()
	if len(got) != 1 || got[0].Kind != advice.IgnoreBlock || got[0].Rule != "page asked for # times" {
		t.Fatalf("%+v", got)
	}
	if _, err := s.r.At(s.at).Pages().AnswerSuggestion(context.Background(), got[0], true); err != nil || len(s.page().IgnoreBlocks) != 1 {
		t.Errorf("%v %q", err, s.page().IgnoreBlocks)
	}
	still := newShore(t)
	still.web.serve(pier, "text/html", timetable(summer, "8 €"))
	still.watch(pier, watch.Options{Every: 20 * time.Hour})
	for range 25 {
		still.later(day)
	}
	if got = still.advice(); len(got) != 1 || got[0].Kind != advice.RaiseInterval || got[0].From != "20h" || got[0].To != "40h" {
		t.Fatalf("%+v", got)
	}
	if _, err := still.r.At(still.at).Pages().AnswerSuggestion(context.Background(), got[0], true); err != nil || still.page().Interval != 40*time.Hour {
		t.Errorf("%v, every %v", err, still.page().Interval)
	}
}

// TestNoAdviceOnWhatIsQuiet: a block that the last report left out needs no advice,
// and neither does one that the words to look for leave out.
func TestNoAdviceOnWhatIsQuiet(t *testing.T) {
	for _, has := range [][]string{nil, {"€", "times"}} {
		s := newShore(t)
		serve := func(n int, price string) {
			s.web.serve(pier, "text/html", timetable(summer, price)+fmt.Sprintf("<p>page asked for %d times</p>", 100+n*3))
			s.later(day)
		}
		serve(0, "8 €")
		s.watch(pier, watch.Options{Has: has})
		for i := range 12 {
			serve(i+1, "8 €")
		}
		if has == nil && len(s.advice()) != 1 {
			t.Error("no advice on a counter that is reported")
		}
		s.later(8 * day)
		serve(20, "9 €")
		if got := s.advice(); len(got) != 0 {
			t.Errorf("with the words %q: %+v, reported %q", has, got, s.titles())
		}
	}
}

// TestAdviceNamesThePlace: the first advice to quiet a page names the block that its
// changes are in, not a threshold.
func TestAdviceNamesThePlace(t *testing.T) {
	s := newShore(t)
	tips := []string{"dress warmly", "eat well", "sleep long", "sail early", "mend the nets", "oil the lamp", "count the boats", "ask the cook", "read the chart"}
	serve := func(tip string) {
		s.web.serve(pier, "text/html", timetable(summer, "8 €")+"<div class=tip><p>The harbour master says to "+tip+"</p></div>")
	}
	serve(tips[0])
	s.watch(pier, watch.Options{Threshold: .5})
	for _, tip := range tips[1:] {
		serve(tip)
		for range 3 { // it stands still at most fetches
			s.later(day)
		}
	}
	if err := s.r.At(s.at).Looked(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := s.advice()
	if len(got) != 1 || got[0].Kind != advice.IgnoreBlock || !strings.Contains(got[0].Rule, "The harbour master says") || !strings.Contains(got[0].Reason, "you looked at 0 of") {
		t.Fatalf("%q, %+v", s.titles(), got)
	}
}
