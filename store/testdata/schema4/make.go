//go:build ignore

// This program was run by the build 81ccae2, whose libraries have schema 4, to
// write a small library with something of everything, and what that build itself
// reads from it. In a worktree of that commit:
//
//	go run make.go && mv library.db.gz library.json.gz FOLDER OF THIS FILE
//
// Each run makes the same records; the bytes between them on the file's pages may
// differ.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/store"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 10, 5, 8, 30, 0, 0, time.FixedZone("", 2*3600))
	r   = rand.New(rand.NewPCG(4, 81))
)

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// later is the time of the next act; the zone changes once.
func later() time.Time {
	now = now.Add(37 * time.Minute)
	if now.Day() == 7 {
		now = now.In(time.FixedZone("", 3600))
	}
	return now
}

var words = strings.Fields("harbour lantern slate copper meadow signal ferry ledger orchard kettle compass gravel window")

func text(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	return b.String()
}

func arrivals(feed, n int) []store.NewItem {
	out := make([]store.NewItem, n)
	for i := range out {
		it := &out[i]
		it.IDRaw = fmt.Sprintf("https://site%d.example/%d", feed, i)
		it.Link, it.Title, it.Author = it.IDRaw, strings.TrimSpace(text(4))+" 日本", words[i%5]
		it.Hash, it.Words, it.Categories = r.Uint64(), 40, []string{words[i%7]}
		it.Body = store.Body{HTML: "<p>" + text(40) + "</p>", Summary: text(6)}
		it.Keys, it.Unread = []uint64{uint64(feed*100 + i), r.Uint64()}, i%4 != 3
		if i%3 != 2 {
			it.Published = now.Add(-time.Duration(1+r.IntN(900)) * time.Hour)
		}
		if i%3 == 1 {
			it.Updated = it.Published.Add(time.Hour)
			it.Enclosures = []store.Enclosure{{URL: it.Link + ".mp3", Type: "audio/mpeg", Title: "sound", Length: 4711}}
		}
	}
	return out
}

func poll() *store.Poll {
	at := time.Date(2026, 10, 6, 10, 31, 0, 0, time.UTC)
	p := &store.Poll{ETag: `"x"`, LastModified: "Tue, 06 Oct 2026 10:00:00 GMT", ValidatorsFor: "https://site1.example/feed.xml", BodyHash: 77,
		LastFetch: at, LastOK: at, LastNew: at.Add(-time.Hour), Status: 200, Outcome: "not changed", Err: "the host is busy", Since: at.Add(-time.Minute), Tries: 2,
		NotBefore: at.Add(time.Hour), NotBeforeBy: "status 503", TTL: time.Hour, SkipHours: []int{1, 2}, SkipDays: []int{6},
		MovedTo: "https://site9.example/feed.xml", MovedSince: at, MovedSeen: 3, Partial: true, NextFetch: at.Add(time.Hour), NextReason: "retry",
		Checks: []int64{at.Unix() - 60, at.Unix()}, Window: 20, GuidPolicy: 1,
		Extra: map[string]string{"read": "1732098660", "move": "waits", "self": "https://a.example/self", "adopted": "https://a.example/new",
			"titles": "1", "ids": ",1f,2e,", "left": "12", "nobody": "1", "busy": "3", "lost": "1732000000-1732003600 1732010000-1732013600",
			"fetched": "shz8sk shz9sk*4 shzasl!", "state": "captcha", "score": "3.1", "changed": "1732098000", "class": "content", "why": "2 links, 20 words",
			"item": "17", "fetches": "9", "differed": "4", "children": "2", "last_class": "order", "last_score": "0.3", "last_at": "1732098660"}}
	p.Days[3] = store.DayCount{Day: 20000, Requests: 5, NotChanged: 4, KB: 17}
	return p
}

func main() {
	dir := must(os.MkdirTemp("", "schema4"))
	s := must(store.Open(store.Options{Dir: dir, Version: "81ccae2", NoSync: true,
		Hide: func(_, value string, _ func(string) string) string { return value }}))
	feeds := subscribe(s)
	file(s, feeds)
	page(s, feeds[4])
	act(s, feeds)
	_, _, err := s.Compact(ctx)
	check(err)
	tell(s, feeds)
	check(s.Close())
	pack("library.db.gz", must(os.ReadFile(filepath.Join(dir, "diurna.db"))))
	check(os.RemoveAll(dir))
}

func pack(name string, data []byte) {
	var b bytes.Buffer
	z := must(gzip.NewWriterLevel(&b, gzip.BestCompression))
	must(z.Write(data))
	check(z.Close())
	check(os.WriteFile(name, b.Bytes(), 0o644))
}

func subscribe(s *store.Store) []store.FeedID {
	var changes []store.Change
	for i := range 5 {
		changes = append(changes, store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: fmt.Sprintf("https://site%d.example/feed.xml", i),
			Folder: words[i%2], Tags: words[i : i+i%3], Hidden: i == 3, AllowPrivate: i == 2, Attrs: map[string]string{"custom": words[i], "keep": "40"}}})
	}
	changes[1].Sub.Title = "A name of my own"
	changes[2].Sub.URL += "?token=" + s.Secret("open sesame")
	return must(s.Act(ctx, later(), "import feeds.opml", changes...)).Feeds
}

func file(s *store.Store, feeds []store.FeedID) {
	var all []store.Filing
	for i, f := range feeds[:4] {
		all = append(all, store.Filing{Feed: f, Next: 1, New: arrivals(i, 9), FeedTitle: "Site " + words[i], Site: "https://site.example/", Format: "rss",
			Poll: poll(), Outcome: &store.Outcome{Kind: "new", Status: 200, Bytes: 4000, Took: 70 * time.Millisecond}})
	}
	for _, d := range must(s.File(ctx, later(), all)) {
		check(d.Err)
	}
	check(s.Note(ctx, later(), store.Fact{Kind: store.Opened, Feed: feeds[0], Items: []store.ItemID{store.MakeItemID(feeds[0], 2)}}))
	for i := range 3 {
		n := arrivals(0, 1)[0]
		must(s.File(ctx, later(), []store.Filing{{Feed: feeds[0], Next: uint32(10 + i), New: arrivals(5+i, 1),
			Edited:  []store.EditedItem{{N: uint32(2 + i), NewItem: n, MakeUnread: i != 1, Quiet: i == 2, KeepRevision: true}},
			Outcome: &store.Outcome{Kind: "new", Status: 200}}}))
	}
	must(s.File(ctx, later(), []store.Filing{{Feed: feeds[1], Poll: poll()}}))
	must(s.File(ctx, later(), []store.Filing{{Feed: feeds[1], Poll: poll(), Outcome: &store.Outcome{Kind: "status", Status: 503}}}))
}

// page files three changes of a watched page.
func page(s *store.Store, f store.FeedID) {
	must(s.File(ctx, later(), []store.Filing{{Feed: f, Page: &store.PageFiling{
		Revisions: []store.PageRevision{{At: now, Address: "https://site4.example/feed.xml", Size: 60, ContentType: "text/html", Charset: "utf-8", Packed: []byte(text(9))}},
		Notes:     map[uint64][]byte{1: []byte("a note"), 2: []byte("another")}}}}))
	for i := range uint32(3) {
		must(s.File(ctx, later(), []store.Filing{{Feed: f, Next: 1 + i, New: arrivals(4, 1), Poll: poll(), Outcome: &store.Outcome{Kind: "new", Status: 200},
			Page: &store.PageFiling{After: 1 + i, Revisions: []store.PageRevision{{At: now, Base: 1 + i, Address: "https://site4.example/feed.xml", Child: i == 1,
				Told: true, Item: 1, Score: 2.5 + float64(i), Size: 60, ContentType: "text/html", Charset: "utf-8", Packed: []byte(text(9))}},
				Notes: map[uint64][]byte{3: []byte("a third")}}}}))
	}
}

func act(s *store.Store, feeds []store.FeedID) {
	do := func(scope string, c ...store.Change) {
		if d := must(s.Act(ctx, later(), scope, c...)); d.Step == 0 {
			panic("nothing changed: " + scope)
		}
	}
	items := func(f, from, to uint32) (ids []store.ItemID) {
		for n := from; n <= to; n++ {
			ids = append(ids, store.MakeItemID(feeds[f], n))
		}
		return ids
	}
	do("River", store.Change{Kind: store.MarkedRead, Items: items(1, 1, 5)})
	do("River", store.Change{Kind: store.MarkedUnread, Items: items(1, 2, 3)})
	do("", store.Change{Kind: store.Saved, Items: append(items(0, 3, 4), items(2, 1, 6)...)})
	do("", store.Change{Kind: store.Unsaved, Items: items(2, 2, 3)})
	do("", store.Change{Kind: store.Tagged, Items: items(0, 1, 3), Value: "later"}, store.Change{Kind: store.Tagged, Items: items(0, 2, 2), Value: "art"})
	do("", store.Change{Kind: store.Untagged, Items: items(0, 1, 1), Value: "later"})
	for _, x := range [][2]string{{"title", "Renamed"}, {"folder", "elsewhere"}, {"tags", "one\ntwo"}, {"hidden", "1"}, {"keep", "100"}, {"url", "https://site1.example/new.xml"}} {
		do("", store.Change{Kind: store.Adjusted, Feed: feeds[1], Field: x[0], Value: x[1]})
	}
	do("", store.Change{Kind: store.Adjusted, Field: "budget", Value: "6"})
	do("", store.Change{Kind: store.Unsubscribed, Feed: feeds[3]})
	do("", store.Change{Kind: store.Taught, Field: "boost", Value: "harbour"})
	check(s.SetMeta(ctx, "view", []byte("river")))
	check(s.Note(ctx, later(),
		store.Fact{Kind: store.Looked, Scope: "River"},
		store.Fact{Kind: store.Shown, Items: append(items(0, 1, 4), items(2, 1, 2)...), Nums: []int64{3, 1, 4, 1, 5, 9}},
		store.Fact{Kind: store.Opened, Feed: feeds[2], Items: items(2, 8, 8), Nums: []int64{21}},
		store.Fact{Kind: store.Asked, Feed: feeds[2]},
		store.Fact{Kind: store.Taught, Field: "why", New: "lantern"}))
	must(s.Forget(ctx, now)) // makes the last opening one that is not remembered
	check(s.Note(ctx, later(), store.Fact{Kind: store.Opened, Feed: feeds[4], Items: items(4, 1, 1)},
		store.Fact{Kind: store.Shown, Items: items(1, 6, 7)}, store.Fact{Kind: store.Taught, Field: "why", New: "slate"}))
	do("", store.Change{Kind: store.MarkedRead, Items: items(2, 1, 3)})
	do("feed", store.Change{Kind: store.Saved, Items: items(1, 7, 9)})
	do("feed", store.Change{Kind: store.MarkedRead, Items: items(1, 8, 9)})
	must(s.Undo(ctx, later(), 0, 0))
	must(s.Undo(ctx, later(), 0, 0))
	must(s.Undo(ctx, later(), 0, 0))
	must(s.Redo(ctx, later()))
}

// feedOf leaves out how fetching goes, whose type has changed since.
type feedOf struct {
	store.Feed
	Poll *int `json:",omitempty"`
}

// tell writes down what this build reads.
func tell(s *store.Store, feeds []store.FeedID) {
	out := map[string]any{}
	var all []feedOf
	var items []store.Item
	var bodies []store.Body
	revisions := map[string][]store.Revision{}
	for _, f := range must(s.FeedsAll(ctx)) {
		all = append(all, feedOf{Feed: f})
		for n := range f.Items {
			id := store.MakeItemID(f.ID, uint32(n+1))
			items, bodies = append(items, must(s.Item(ctx, id))), append(bodies, must(s.Body(ctx, id)))
			if r := must(s.Revisions(ctx, id)); len(r) > 0 {
				revisions[id.String()] = r
			}
		}
	}
	var facts []store.Fact
	must(s.Facts(ctx, 0, func(f *store.Fact) error {
		g := *f
		g.Items, g.Nums, g.Unread = append([]store.ItemID{}, f.Items...), append([]int64{}, f.Nums...), append([]bool{}, f.Unread...)
		facts = append(facts, g)
		return nil
	}))
	kinds := map[store.Kind]bool{}
	for _, f := range facts {
		kinds[f.Kind] = true
	}
	if len(kinds) != int(store.Forgotten) {
		panic(fmt.Sprint("not all kinds of facts: ", kinds))
	}
	rows := map[string][]store.Row{}
	for w, name := range []string{"unread", "all", "saved", "read"} {
		rows[name] = must(s.Rows(ctx, store.RowQuery{Which: store.Which(w)}))
	}
	out["feeds"], out["items"], out["bodies"], out["revisions"], out["facts"], out["rows"] = all, items, bodies, revisions, facts, rows
	out["steps"], out["totals"], out["meta"] = must(s.Steps(ctx, 0)), must(s.Totals(ctx)), string(must(s.Meta(ctx, "view")))
	out["page"], out["notes"], out["heads"] = must(s.PageChain(ctx, feeds[4], 4)), must(s.PageNotes(ctx, feeds[4])), must(s.PageHeads(ctx))
	out["revealed"] = must(s.Reveal(ctx, all[2].URL))
	pack("library.json.gz", must(json.Marshal(out)))
}
