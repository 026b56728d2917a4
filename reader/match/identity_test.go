package match

import (
	"fmt"
	"html"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"diurna/reader/feed"
	"diurna/store"
)

// filer files documents of one feed into a real library, as a fetch does.
type filer struct {
	t   testing.TB
	s   *store.Store
	id  store.FeedID
	now time.Time
}

func newFiler(t testing.TB, dir string) *filer {
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &filer{t: t, s: s, now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
	done, err := s.Act(t.Context(), f.now, "test", store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: "https://x.example/feed"}})
	if err != nil {
		t.Fatal(err)
	}
	f.id = done.Feeds[0]
	return f
}

func (f *filer) close() {
	if err := f.s.Close(); err != nil {
		f.t.Error(err)
	}
}

// file takes in a document, an hour after the last, and returns how many items
// of it are new.
func (f *filer) file(doc feed.Document) int {
	f.t.Helper()
	f.now = f.now.Add(time.Hour)
	feeds, err := f.s.Feeds(f.t.Context())
	if err != nil || len(feeds) != 1 {
		f.t.Fatal(feeds, err)
	}
	p := feeds[0].Poll
	out := store.Filing{Feed: f.id, Format: doc.Format, FeedTitle: "P", Outcome: &store.Outcome{Kind: store.AnswerNew}, Poll: &p}
	if _, err := Items(f.t.Context(), f.s, &out, Entries(&doc, SharedIDs(p.SharedIDs)), Options{At: f.now, TitlesTaken: p.TitlesTaken}); err != nil {
		f.t.Fatal(err)
	}
	p.TitlesTaken, p.SharedIDs = true, string(SharedIDs(p.SharedIDs).With(&doc))
	filed, err := f.s.File(f.t.Context(), f.now, []store.Filing{out})
	if err != nil || filed[0].Err != nil {
		f.t.Fatal(err, filed)
	}
	return len(out.New)
}

func (f *filer) rows() []store.Row {
	f.t.Helper()
	rows, err := f.s.Rows(f.t.Context(), store.RowQuery{Which: store.All})
	if err != nil {
		f.t.Fatal(err)
	}
	return rows
}

// mark marks every second item read and every third saved and returns what all
// items' flags are now.
func (f *filer) mark() map[store.ItemID]store.Flags {
	f.t.Helper()
	var changes []store.Change
	for i, row := range f.rows() {
		if i%2 == 0 {
			changes = append(changes, store.Change{Kind: store.MarkedRead, Items: []store.ItemID{row.ID}})
		}
		if i%3 == 0 {
			changes = append(changes, store.Change{Kind: store.Saved, Items: []store.ItemID{row.ID}})
		}
	}
	if len(changes) > 0 {
		if _, err := f.s.Act(f.t.Context(), f.now, "test", changes...); err != nil {
			f.t.Fatal(err)
		}
	}
	flags := map[store.ItemID]store.Flags{}
	for _, row := range f.rows() {
		flags[row.ID] = row.Flags
	}
	return flags
}

const marks = store.FlagRead | store.FlagSaved

// reverted names an item that is not marked any more as it was, "" if none. One
// whose publisher rewrote it may be unread again.
func (f *filer) reverted(flags map[store.ItemID]store.Flags) string {
	for _, row := range f.rows() {
		if was, known := flags[row.ID]; known && row.Flags&marks != was&marks {
			if it, err := f.s.Item(f.t.Context(), row.ID); err == nil && it.Edits > 0 && row.Flags&store.FlagSaved == was&store.FlagSaved {
				continue
			}
			return fmt.Sprintf("%q was %b, is %b", row.Title, was&marks, row.Flags&marks)
		}
	}
	return ""
}

// publisher is one that changes what it can change of stories it published before.
type publisher struct {
	kind                      string
	stories                   []int // newest first
	next                      int
	edits                     map[int]int
	guids, host, scheme, days int
	published                 map[int]bool
	thread                    int         // every so many stories one in the same words
	before                    []publisher // as it was
}

var publisherKinds = []string{"id and link", "permalink", "link", "id", "neither", "one id for all", "one link for all"}

func (p *publisher) document(t testing.TB, stories []int) feed.Document {
	var b strings.Builder
	b.WriteString(`<rss version="2.0"><channel><title>P</title>`)
	site := fmt.Sprintf("%s://host%d.example", []string{"http", "https"}[p.scheme], p.host)
	for _, n := range stories {
		p.published[n] = true
		link := fmt.Sprintf("%s/%d?utm_source=%d", site, n, p.guids)
		if p.host > 0 {
			link = fmt.Sprintf("%s/posts/%x", site, n*7919)
		}
		says := n
		if p.thread > 0 && n%p.thread == 0 {
			says = 0
		}
		fmt.Fprintf(&b, "<item><title>Story %d</title>", says)
		switch p.kind {
		case "id and link":
			fmt.Fprintf(&b, `<guid isPermaLink="false">g%d-%d</guid><link>%s</link>`, p.guids, n, link)
		case "permalink":
			fmt.Fprintf(&b, `<guid>%s&amp;g=%d</guid><link>%s</link>`, link, p.guids, link)
		case "link":
			fmt.Fprintf(&b, `<link>%s</link>`, link)
		case "id":
			fmt.Fprintf(&b, `<guid isPermaLink="false">g%d-%d</guid>`, p.guids, n)
		case "one id for all":
			fmt.Fprintf(&b, `<guid isPermaLink="false">same</guid><link>%s</link>`, link)
		case "one link for all":
			fmt.Fprintf(&b, `<guid isPermaLink="false">g%d-%d</guid><link>%s/</link>`, p.guids, n, site)
		}
		at := time.Date(2026, 1, 1, n%24, 0, n/24, 0, time.UTC).AddDate(0, 0, p.days)
		fmt.Fprintf(&b, `<pubDate>%s</pubDate><description>%s</description></item>`, at.Format(time.RFC1123Z),
			html.EscapeString(fmt.Sprintf(`<p>What happened in story %d, told at some length <a href="%s/%d">here</a>. %s</p>`, says, site, n, strings.Repeat("More. ", p.edits[n]))))
	}
	doc, err := feed.Parse(feed.Input{Body: []byte(b.String() + "</channel></rss>"), URL: site + "/feed"})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestIdentityLaw lets a publisher of any kind change whatever publishers
// change, in any order: every story is in the library once, with the marks it
// was given; only what was never published before is new.
func TestIdentityLaw(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		f := newFiler(t, filepath.Join(dir, fmt.Sprint(runs)))
		defer f.close()
		p := &publisher{kind: rapid.SampledFrom(publisherKinds).Draw(rt, "kind"), edits: map[int]int{}, published: map[int]bool{}}
		for p.next < 12 {
			p.publish()
		}
		f.file(p.document(t, p.stories))
		flags := f.mark()
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			old := *p
			p.before = append(p.before, old)
			served := p.step(rt)
			fresh := 0
			for _, n := range served {
				if !p.published[n] {
					fresh++
				}
			}
			if got := f.file(p.document(t, served)); got != fresh {
				rt.Fatalf("%s: %d items are new, %d were never published: %d %d %d %d, then %d %d %d %d", p.kind, got, fresh,
					old.guids, old.host, old.scheme, old.days, p.guids, p.host, p.scheme, p.days)
			}
			if msg := f.reverted(flags); msg != "" {
				rt.Fatalf("%s: %s", p.kind, msg)
			}
			if rows := f.rows(); len(rows) != len(p.published) {
				rt.Fatalf("%s: %d items of %d stories", p.kind, len(rows), len(p.published))
			}
			flags = f.mark()
		}
	})
}

// TestBackAndForth: a publisher renames all items, goes back, tells one more, and
// renames them again: all but the last are known by a former id, and the last is
// known too.
func TestBackAndForth(t *testing.T) {
	for _, kind := range publisherKinds {
		for _, all := range []bool{false, true} {
			f := newFiler(t, t.TempDir())
			p := &publisher{kind: kind, edits: map[int]int{}, published: map[int]bool{}}
			for p.next < 12 {
				p.publish()
			}
			f.file(p.document(t, p.stories))
			p.guids++
			f.file(p.document(t, p.stories))
			p.guids--
			p.publish()
			f.file(p.document(t, p.stories))
			p.guids, p.days = p.guids+1, p.days+1
			if all {
				p.host, p.scheme = 1, 1
			}
			if got := f.file(p.document(t, p.stories)); got != 0 {
				t.Errorf("%s, house moved %v: %d new items", kind, all, got)
			}
			f.close()
		}
	}
}

// TestSameWordsAmongNewDates: a thread that is opened again in the same words is
// another item each time, also where the publisher gives all items new dates with
// every fetch and so seems to tell another version.
func TestSameWordsAmongNewDates(t *testing.T) {
	for _, window := range []int{5, 12} { // without the last thread, with it
		f := newFiler(t, t.TempDir())
		p := &publisher{kind: "id and link", edits: map[int]int{}, published: map[int]bool{}, thread: 7}
		for range window {
			p.publish()
		}
		f.file(p.document(t, p.stories))
		for n := range 30 {
			p.days++
			p.publish()
			if got := f.file(p.document(t, p.stories[:window])); got != 1 {
				t.Errorf("%d items, fetch %d: %d new items", window, n, got)
			}
		}
		f.close()
	}
}

func (p *publisher) publish() {
	p.stories = append([]int{p.next}, p.stories...)
	p.next++
}

// step changes something and returns the stories that are served then.
func (p *publisher) step(rt *rapid.T) []int {
	switch rapid.SampledFrom([]string{"publish", "edit", "guids", "scheme", "host", "dates", "shuffle", "truncate", "back", "guids and dates", "all"}).Draw(rt, "change") {
	case "publish":
		for range rapid.IntRange(1, 2).Draw(rt, "stories") {
			p.publish()
		}
	case "edit":
		p.edits[p.stories[rapid.IntRange(0, 4).Draw(rt, "story")]]++
	case "guids":
		p.guids++
	case "scheme":
		p.scheme = 1 - p.scheme
	case "host":
		p.host++
	case "dates":
		p.days++
	case "shuffle":
		return rapid.Permutation(p.stories).Draw(rt, "order")
	case "truncate":
		return p.stories[:rapid.IntRange(5, len(p.stories)).Draw(rt, "left")]
	case "back": // to a copy of the feed as it was, without the stories since
		old := rapid.SampledFrom(p.before).Draw(rt, "which")
		p.guids, p.host, p.scheme, p.days, p.stories = old.guids, old.host, old.scheme, old.days, old.stories
	case "guids and dates":
		p.guids++
		p.days++
	case "all":
		p.guids++
		p.days++
		p.host++
		p.scheme = 1 - p.scheme
	}
	return p.stories
}

// TestFlippingVersions: two servers that give one feed in two forms by turns,
// for ever, add nothing and edit nothing.
func TestFlippingVersions(t *testing.T) {
	for _, kind := range publisherKinds {
		f := newFiler(t, t.TempDir())
		p := &publisher{kind: kind, stories: []int{8, 7, 6, 5, 4, 3, 2, 1}, edits: map[int]int{}, published: map[int]bool{}}
		f.file(p.document(t, p.stories))
		flags := f.mark()
		for n := range 60 {
			p.guids, p.host, p.scheme, p.days = n%2, n%2, n%2, p.days+1
			if got := f.file(p.document(t, p.stories)); got != 0 {
				t.Fatalf("%s: turn %d brings %d new items", kind, n, got)
			}
		}
		for _, row := range f.rows() {
			if it, err := f.s.Item(t.Context(), row.ID); err != nil || it.Edits > 1 {
				t.Errorf("%s: %q has %d edits, %v", kind, it.Title, it.Edits, err)
			}
		}
		if msg := f.reverted(flags); msg != "" {
			t.Errorf("%s: %s", kind, msg)
		}
		f.close()
	}
}

// TestFlippingTexts: two servers that give every item's text in two lengths make
// it unread once, when it is published at length, and then never again.
func TestFlippingTexts(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	p := &publisher{kind: "id and link", edits: map[int]int{}, published: map[int]bool{}}
	for n := range 12 {
		for _, story := range []int{3, 2, 1} {
			p.edits[story] = 100 * (n % 2)
		}
		if got := f.file(p.document(t, []int{3, 2, 1})); n > 0 && got != 0 {
			t.Fatalf("turn %d: %d new items", n, got)
		}
		if n > 2 {
			for _, row := range f.rows() {
				if row.Flags&store.FlagRead == 0 {
					t.Errorf("turn %d: %q is unread again", n, row.Title)
				}
			}
		}
		var ids []store.ItemID
		for _, row := range f.rows() {
			ids = append(ids, row.ID)
		}
		if _, err := f.s.Act(t.Context(), f.now, "test", store.Change{Kind: store.MarkedRead, Items: ids}); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range f.rows() {
		if former, err := f.s.Revisions(t.Context(), row.ID); err != nil || len(former) > 2 {
			t.Errorf("%q: %d former texts kept, %v", row.Title, len(former), err)
		}
	}
}

// TestOneIDForEver: where different items were seen to bear one id, an item that
// comes alone under it is not the last one.
func TestOneIDForEver(t *testing.T) {
	f := newFiler(t, t.TempDir())
	defer f.close()
	p := &publisher{kind: "one id for all", edits: map[int]int{}, published: map[int]bool{}}
	if got := f.file(p.document(t, []int{2, 1})); got != 2 {
		t.Fatalf("%d of 2 items", got)
	}
	for n := 3; n < 6; n++ {
		if got := f.file(p.document(t, []int{n})); got != 1 {
			t.Errorf("story %d: %d new items", n, got)
		}
	}
}
