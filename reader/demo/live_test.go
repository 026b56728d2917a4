package demo

import (
	"strings"
	"testing"
	"time"
)

// While one looks on something new comes every LiveEvery, in the feed that Next
// named, and the feed's validator says so.
func TestLive(t *testing.T) {
	w := NewWeb(friday)
	now := friday
	seen := map[string]bool{}
	for range 30 {
		at, feed := w.Next(now)
		if !at.After(now) || at.Sub(now) > LiveEvery {
			t.Fatalf("at %v the next item is said to come at %v", now, at)
		}
		w.SetNow(at.Add(-time.Second))
		res, before := get(t, w, feed, "")
		w.SetNow(at)
		again, after := get(t, w, feed, res.Header.Get("Etag"))
		if res.StatusCode != 200 || again.StatusCode != 200 || before == after {
			t.Fatalf("%s at %v: %d, then %d, the same: %v", feed, at, res.StatusCode, again.StatusCode, before == after)
		}
		if res.Header.Get("Cache-Control") != "max-age=0" {
			t.Errorf("%s may not be asked again: %q", feed, res.Header.Get("Cache-Control"))
		}
		seen[feed], now = true, at
	}
	if len(seen) < 8 {
		t.Errorf("only %d feeds take turns", len(seen))
	}
	// Before the start nothing of this is there.
	w.SetNow(friday)
	if _, body := get(t, w, Feeds()[0].URL, ""); strings.Contains(body, "-1001") {
		t.Error("an item came before its time")
	}
}

// Lighthouse Log passes on what Harbour Gazette had last, at the Gazette's address.
func TestPassedOn(t *testing.T) {
	late, found := friday.Add(time.Hour), 0
	links := map[string]string{}
	for _, p := range lively() {
		for _, it := range p.upTo(late, friday) {
			if p.passesOn == "" {
				links[it.link] = it.title
			}
		}
	}
	for _, p := range lively() {
		for _, it := range p.upTo(late, friday) {
			link, passed := strings.CutSuffix(it.link, "?utm_source=feed&utm_medium=rss")
			if !passed {
				continue
			}
			if found++; links[link] != it.title || it.title == "" {
				t.Errorf("%s: %q at %s, which is %q", p.title, it.title, link, links[link])
			}
		}
	}
	if found < 3 {
		t.Errorf("%d items passed on", found)
	}
}

// The items of a feed have different ids, those that come while one looks on
// included, and stay where they are.
func TestLiveItemsStay(t *testing.T) {
	late := friday.Add(3 * time.Hour)
	for _, p := range lively() {
		at := map[string]time.Time{}
		for _, it := range p.upTo(late, friday) {
			if !at[it.id].IsZero() {
				t.Errorf("%s: %s twice", p.title, it.id)
			}
			at[it.id] = it.at
		}
		for _, it := range p.upTo(late.Add(-time.Hour), friday) {
			if got, ok := at[it.id]; ok && !got.Equal(it.at) {
				t.Errorf("%s: %s was at %v and is at %v", p.title, it.id, it.at, got)
			}
		}
	}
}
