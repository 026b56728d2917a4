package store

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"diurna/store/library"
	"diurna/store/record"
)

// unpackFixture reads a file of testdata/schema4, where make.go says how it was
// made.
func unpackFixture(t *testing.T, name string) []byte {
	t.Helper()
	packed := must(os.ReadFile(filepath.Join("testdata/schema4", name)))(t)
	return must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(packed)))(t)))(t)
}

func libraryOfSchema4(t *testing.T) *Store {
	t.Helper()
	s := openStore(t, Options{Dir: t.TempDir(), NoSync: true})
	if err := os.WriteFile(s.Path(), unpackFixture(t, "library.db.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// whatIsRead gives everything of the library under the names of the fixture, as
// JSON.
func whatIsRead(t *testing.T, s *Store) map[string]any {
	t.Helper()
	ctx := t.Context()
	type feedOf struct {
		Feed
		Poll *int `json:",omitempty"`
	}
	var feeds []feedOf
	var items []Item
	var bodies []Body
	revisions := map[string][]Revision{}
	for _, f := range must(s.FeedsAll(ctx))(t) {
		feeds = append(feeds, feedOf{Feed: f})
		for n := range f.Items {
			id := MakeItemID(f.ID, uint32(n+1))
			items, bodies = append(items, must(s.Item(ctx, id))(t)), append(bodies, must(s.Body(ctx, id))(t))
			if r := must(s.Revisions(ctx, id))(t); len(r) > 0 {
				revisions[id.String()] = r
			}
		}
	}
	var facts []Fact
	must(s.Facts(ctx, 0, func(f *Fact) error {
		g := f.Clone()
		g.Items, g.Nums, g.Unread = append([]ItemID{}, f.Items...), append([]int64{}, f.Nums...), append([]bool{}, f.Unread...)
		facts = append(facts, g)
		return nil
	}))(t)
	rows := map[string][]Row{}
	for w, name := range []string{"unread", "all", "saved", "read"} {
		rows[name] = must(s.Rows(ctx, RowQuery{Which: Which(w)}))(t)
	}
	return map[string]any{"feeds": feeds, "items": items, "bodies": bodies, "revisions": revisions, "facts": facts, "rows": rows,
		"steps": must(s.Steps(ctx, 0))(t), "totals": must(s.Totals(ctx))(t), "meta": string(must(s.Meta(ctx, "view"))(t)),
		"page": must(s.PageChain(ctx, 5, 4))(t), "notes": must(s.PageNotes(ctx, 5))(t), "heads": must(s.PageHeads(ctx))(t),
		"revealed": must(s.Reveal(ctx, feeds[2].URL))(t)}
}

// decoded is v as JSON tells it.
func decoded(t *testing.T, text []byte) (v map[string]any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// renamed are fields that had another name when the fixture was made.
var renamed = map[string]string{"Woken": "Resurfaced", "WokenAt": "ResurfacedAt", "Told": "Reported"}

// keeps fails where got lacks something of want, or tells otherwise of it.
func keeps(t *testing.T, where string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(w)) {
			keeps(t, where+"."+k, w[k], g[cmp.Or(renamed[k], k)])
		}
	case []any:
		g, _ := got.([]any)
		if len(g) != len(w) {
			t.Errorf("%s: %d are read, %d were there", where, len(g), len(w))
			return
		}
		for i := range w {
			keeps(t, fmt.Sprint(where, " ", i), w[i], g[i])
		}
	default:
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: read is %v, was %v", where, got, want)
		}
	}
}

// A library of schema 4 opens with nothing lost, before its first commit by this
// program, which brings it up to our schema, and after it.
func TestSchema4(t *testing.T) {
	s, ctx := libraryOfSchema4(t), t.Context()
	want := decoded(t, unpackFixture(t, "library.json.gz"))
	compare := func(when string) {
		t.Helper()
		sound(t, s, true)
		got := decoded(t, must(json.Marshal(whatIsRead(t, s)))(t))
		tx := want["totals"].(map[string]any)
		tx["Tx"] = got["totals"].(map[string]any)["Tx"] // rises
		keeps(t, when, want, got)
		if n := must(s.Totals(ctx))(t).Hidden; n == 0 {
			t.Errorf("%s: no unread items of hidden feeds", when)
		}
		polls4(t, must(s.FeedsAll(ctx))(t))
	}
	compare("before")
	if err := s.SetMeta(ctx, "touched", []byte("yes")); err != nil {
		t.Fatal(err)
	}
	err := s.lib.Read(ctx, func(tx *library.Txn) error {
		if tx.Schema != record.Schema {
			t.Errorf("schema %d after a commit", tx.Schema)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	compare("after a commit")
	if _, _, err := s.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	compare("after compacting")
	steps := must(s.Steps(ctx, 0))(t)
	for range steps {
		if _, err := s.Undo(ctx, day, 0, steps[len(steps)-1].No); err != nil {
			break
		}
	}
	sound(t, s, true)
	if got := must(s.Rows(ctx, RowQuery{Which: SavedRows}))(t); len(got) != 0 {
		t.Errorf("all steps but the first were taken back, and %d items are saved", len(got))
	}
}

// polls4 holds how fetching goes against what make.go put there.
func polls4(t *testing.T, feeds []Feed) {
	t.Helper()
	at := time.Date(2026, 10, 6, 10, 31, 0, 0, time.UTC)
	want := Poll{ETag: `"x"`, LastModified: "Tue, 06 Oct 2026 10:00:00 GMT", ValidatorsFor: "https://site1.example/feed.xml", BodyHash: 77,
		LastFetch: at, LastOK: at, LastNew: at.Add(-time.Hour), Status: 200, Outcome: AnswerSame, Err: "the host is busy", Since: at.Add(-time.Minute), Tries: 2,
		NotBefore: at.Add(time.Hour), NotBeforeBy: Wait{Cause: WaitStatus, Status: 503}, TTL: time.Hour, SkipHours: []int{1, 2}, SkipDays: []int{6},
		MovedTo: "https://site9.example/feed.xml", MovedSince: at, MovedSeen: 3, Partial: true, NextFetch: at.Add(time.Hour), NextReason: SlotRetry,
		Window: 20, GuidPolicy: 1, ReadAt: 1732098660, MoveWaits: true, Self: "https://a.example/self", Adopted: "https://a.example/new", TitlesTaken: true,
		SharedIDs: ",1f,2e,", LeftOut: 12, NoNetwork: true, BusyRun: 3, Lost: []Loss{{Known: 1732000000, At: 1732003600}, {Known: 1732010000, At: 1732013600}},
		Fetches: []FetchMark{{At: 1723250756, N: 1}, {At: 1723252052, N: 4}, {At: 1723253349, N: 1, Opened: true}},
		Watch: WatchPoll{State: record.PageCaptcha, Score: 3.1, Changed: 1732098000, Class: record.ClassContent, Why: "2 links, 20 words", Item: 17, Fetches: 9, Differed: 4,
			Children: 2, LastClass: record.ClassOrder, LastScore: .3, LastAt: 1732098660}}
	want.Days[3] = DayCount{Day: 20000, Requests: 5, NotChanged: 4, KB: 17}
	for _, f := range feeds {
		if !reflect.DeepEqual(f.Poll, want) {
			t.Errorf("feed %s: fetching is read as\n%+v, was\n%+v", f.ID, f.Poll, want)
		}
	}
}
