package reader

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/store"
)

// bare files a document as file does, but with what tells items apart taken away
// by spoil, and without asking what stored items say.
func (f *filer) bare(doc feed.Document, spoil func(*identity)) int {
	f.t.Helper()
	arrivals := arriving(&doc, "")
	for i := range arrivals {
		spoil(&arrivals[i].keys)
	}
	known, err := f.s.Match(f.t.Context(), f.id, allKeys(arrivals))
	if err != nil {
		f.t.Fatal(err)
	}
	out := store.Filing{Feed: f.id, Next: known.Next, Format: doc.Format, FeedTitle: "P"}
	if err := settle(&out, arrivals, &known, f.now, nil); err != nil {
		f.t.Fatal(err)
	}
	if filed, err := f.s.File(f.t.Context(), f.now, []store.Filing{out}); err != nil || filed[0].Err != nil {
		f.t.Fatal(err, filed)
	}
	return len(out.New)
}

// TestDefencesLifted takes away what keeps items, feeds and addresses apart, one
// by one: what it keeps out comes in then. Rows N3, N12, N13, I1 to I3 and I5.
func TestDefencesLifted(t *testing.T) {
	stories := []int{4, 3, 2, 1}
	served := func(kind string) (*filer, *publisher) {
		f := newFiler(t, t.TempDir())
		t.Cleanup(f.close)
		p := &publisher{kind: kind, stories: stories, edits: map[int]int{}, told: map[int]bool{}}
		f.file(p.document(t, stories))
		return f, p
	}
	t.Run("I1", func(t *testing.T) {
		// An id that was seen to repeat is believed again: different items that
		// come alone are taken for one.
		f, p := served("one id for all")
		kept := func(*identity) {}
		if f.bare(p.document(t, []int{5}), kept); f.bare(p.document(t, []int{6}), kept) != 0 || len(f.rows()) != 5 {
			t.Errorf("%d items of 6 told", len(f.rows()))
		}
	})
	t.Run("I2", func(t *testing.T) {
		f, p := served("id and link")
		p.guids++
		onlyID := func(k *identity) { k.link, k.content, k.body = 0, 0, 0 }
		if n := f.bare(p.document(t, stories), onlyID); n != len(stories) {
			t.Errorf("by ids alone a storm brings %d new items", n)
		}
		if flags := f.mark(); len(flags) != 2*len(stories) {
			t.Errorf("%d items", len(flags))
		}
	})
	t.Run("I3", func(t *testing.T) {
		f, p := served("neither")
		p.days++
		if n := f.bare(p.document(t, stories), func(k *identity) { k.said = 0 }); n != len(stories) {
			t.Errorf("without their texts, items dated anew are %d new ones", n)
		}
	})
	t.Run("I5", func(t *testing.T) {
		// Items that are forgotten when they are absent come back unread.
		f, p := served("id")
		var ids []store.ItemID
		for _, row := range f.rows() {
			ids = append(ids, row.ID)
		}
		if _, err := f.s.Act(t.Context(), f.now, "test", store.Change{Kind: store.MarkedRead, Items: ids}); err != nil {
			t.Fatal(err)
		}
		if n := f.bare(p.document(t, stories), func(k *identity) { k.id, k.link, k.content = k.id+1, 0, 0 }); n != len(stories) {
			t.Errorf("%d of %d forgotten items are back", n, len(stories))
		}
		unread := 0
		for _, row := range f.rows() {
			if row.Flags&store.FlagRead == 0 {
				unread++
			}
		}
		if unread != len(stories) {
			t.Errorf("%d items unread again", unread)
		}
	})
	t.Run("N12", liftedN12)
	t.Run("N13", liftedN13)
	t.Run("N3", liftedN3)
}

// liftedN12 is TestEndlessNotModifiedIsDoubted without the memory of when the feed
// was last read whole: "not changed" is believed for ever.
func liftedN12(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	n := len(web.requests())
	for day := 1; day <= 40; day++ {
		at := later(r, time.Duration(day)*24*time.Hour)
		feeds, err := r.store.Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p := feeds[0].Poll
		p.ReadAt = at.now().Unix()
		if _, err := r.store.File(t.Context(), at.now(), []store.Filing{{Feed: feeds[0].ID, Poll: &p}}); err != nil {
			t.Fatal(err)
		}
		if _, err := at.Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	lines := web.requests()[n:]
	for _, line := range lines {
		if !strings.Contains(line, "If-None-Match") {
			t.Errorf("doubted all the same: %s", line)
		}
	}
	if len(lines) < 30 {
		t.Errorf("%d requests", len(lines))
	}
}

// liftedN13 takes in another feed's document without the look at whose it is.
func liftedN13(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	p := &publisher{kind: "id", edits: map[int]int{}, told: map[int]bool{}}
	f.file(p.document(t, []int{2, 1}))
	feeds, err := f.s.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := feed.Parse(feed.Input{Body: []byte(rssOf("Other", "1|One|"+ago(time.Hour)+"|x")), Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	doc.Self = "https://other.example/feed"
	g := gathered{job: job{feed: &feeds[0]}, h: harvest{doc: doc, at: f.now}}
	var out store.Filing
	if err := f.r.fillFiling(context.Background(), &out, &g, true); err != nil || len(out.New) != 1 || !g.looksForeign() {
		t.Errorf("%d items, %v; foreign: %v", len(out.New), err, g.looksForeign())
	}
}

// liftedN3 asks for what is refused in a scheme that is not: it is asked for.
func liftedN3(t *testing.T) {
	for _, name := range []string{"add", "redirect"} {
		web := newFakeWeb()
		r := guestReader(t, web, Net{PerHostEvery: -1, MinPoll: -1, MinManual: -1})
		address := "https://good.example/etc/passwd"
		web.handle(address, func(req *http.Request) *http.Response { return answer(req, 500, "", "") })
		sources[name](t, r, web, address)
		if seen := strings.Join(web.requests(), "\n"); !strings.Contains(seen, "GET "+address) {
			t.Errorf("%s: an https address was not asked for: %s", name, seen)
		}
	}
}
