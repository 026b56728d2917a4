package reader

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/poll"
)

const someList = `<?xml version="1.0"?><opml version="2.0"><head><title>mine</title></head><body>
<outline text="sea"><outline text="Harbour & Co" type="rss" xmlUrl="https://harbour.example/news.xml" htmlUrl="https://harbour.example/" myattr="kept" category="local,boats"/></outline>
<outline text="Kernel" type="rss" xmlUrl="https://kernel.example/feed"/>
<outline text="Run me" type="rss" xmlUrl="exec:/bin/evil --now"/>
</body></opml>`

func listWeb() *fakeWeb {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	web.serve("https://kernel.example/feed", "text/xml", rssOf("Kernel Notes", "k|A scheduler|"+ago(time.Hour)+"|x"))
	return web
}

func TestImportExportRoundTrip(t *testing.T) {
	r := newLibrary(t, listWeb())
	rep, err := r.Import(t.Context(), []byte(someList), ImportOptions{Name: "mine.opml"}, nil)
	if err != nil || len(rep.Added) != 2 || len(rep.Refused) != 1 {
		t.Fatalf("import: %+v, %v", rep, err)
	}
	if len(rep.Cron) != 1 || rep.Cron[0] != "*/30 * * * * /bin/evil --now | diurna take 'Run me'" {
		t.Errorf("the crontab line: %q", rep.Cron)
	}
	again, err := r.Import(t.Context(), []byte(someList), ImportOptions{}, nil)
	if err != nil || again.Step != 0 || again.Known != 2 {
		t.Errorf("importing twice: %+v, %v", again, err)
	}
	var out bytes.Buffer
	if _, err := r.Subscriptions().Export(t.Context(), &out, false, r.now()); err != nil {
		t.Fatal(err)
	}
	other := newLibrary(t, listWeb())
	if _, err := other.Import(t.Context(), out.Bytes(), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	a, _ := r.Feeds(t.Context())
	b, _ := other.Feeds(t.Context())
	for i := range a {
		if a[i].URL != b[i].URL || a[i].Title != b[i].Title || a[i].Folder != b[i].Folder || !slices.Equal(a[i].Tags, b[i].Tags) {
			t.Errorf("%+v\ncame back as\n%+v", a[i], b[i])
		}
	}
	if a[0].Folder != "sea" || a[0].Title != "Harbour & Co" || a[0].Settings.Text("myattr") != "kept" || b[0].Settings.Text("myattr") != "kept" {
		t.Errorf("what the list said of Harbour: %+v", a[0])
	}
	step, err := r.Undo(t.Context(), 0, 0)
	if err != nil || step.What != "subscribed to 2 feeds (mine.opml)" {
		t.Errorf("undo of the import: %q, %v", step.What, err)
	}
}

func TestMirrorTakesAwayWhatTheListDoesNotName(t *testing.T) {
	r := newLibrary(t, listWeb())
	if _, err := r.Import(t.Context(), []byte(someList), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	rep, err := r.Import(t.Context(), []byte("https://kernel.example/feed\n"), ImportOptions{Mirror: true}, nil)
	if err != nil || rep.Removed != 1 {
		t.Fatalf("mirror: %+v, %v", rep, err)
	}
	if feeds, _ := r.Feeds(t.Context()); len(feeds) != 1 {
		t.Errorf("%d feeds after the mirror", len(feeds))
	}
	if _, err := r.Undo(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if feeds, _ := r.Feeds(t.Context()); len(feeds) != 2 {
		t.Errorf("%d feeds after taking the mirror back", len(feeds))
	}
}

func TestEditAllFeedsAsText(t *testing.T) {
	r := newLibrary(t, listWeb())
	if _, err := r.Import(t.Context(), []byte(someList), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	text, err := r.Subscriptions().EditText(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := r.Subscriptions().ApplyEdit(t.Context(), text, r.now()); err != nil || rep.Step != 0 {
		t.Fatalf("the unchanged text changed something: %+v, %v\n%s", rep, err, text)
	}
	changed := strings.ReplaceAll(string(text), "folder:sea", "folder:water")
	changed = strings.ReplaceAll(changed, "https://kernel.example/feed", "https://kernel.example/atom.xml")
	changed += "https://third.example/rss new\n"
	rep, err := r.Subscriptions().ApplyEdit(t.Context(), []byte(changed), r.now())
	if err != nil || rep.Changed != 1 || rep.Moved != 1 || rep.Added != 1 || rep.Removed != 0 {
		t.Fatalf("edit: %+v, %v\n%s", rep, err, changed)
	}
	feeds, _ := r.Feeds(t.Context())
	if len(feeds) != 3 || feeds[0].Folder != "water" {
		t.Errorf("after the edit: %+v", feeds)
	}
	if _, err := r.Undo(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if back, _ := r.Subscriptions().EditText(t.Context()); !bytes.Equal(back, text) {
		t.Errorf("undo of the edit left\n%s\nwant\n%s", back, text)
	}
	if _, err := r.Subscriptions().ApplyEdit(t.Context(), append(text, "exec:/bin/evil\n"...), r.now()); err == nil {
		t.Error("a text with a command was applied")
	}
}

func TestTake(t *testing.T) {
	r := newLibrary(t, newFakeWeb())
	doc := rssOf("Ferry cameras", "1|Pier empty|"+ago(time.Hour)+"|x")
	s, err := r.Take(t.Context(), "Ferry cameras", []byte(doc))
	if err != nil || s.Items != 1 || s.Feed.Title != "Ferry cameras" {
		t.Fatalf("take: %+v, %v", s, err)
	}
	more := rssOf("Ferry cameras", "2|Pier full|"+ago(time.Minute)+"|y", "1|Pier empty|"+ago(time.Hour)+"|x")
	if s, err = r.Take(t.Context(), "Ferry cameras", []byte(more)); err != nil || s.Items != 1 {
		t.Fatalf("take again: %+v, %v", s, err)
	}
	wantUnread(t, r, 2)
	if rep, err := later(r, 48*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.Fetched != 0 {
		t.Errorf("a piped feed was fetched: %+v, %v", rep, err)
	}
	if _, err := r.Take(t.Context(), "Ferry cameras", []byte("<html><body>no</body></html>")); err == nil {
		t.Error("a web page was taken as a feed")
	}
}

// TestTakeUnreadOfTheLastWeek: what is taken for the first time comes unread as
// what is subscribed to does, and undo calls it by the name it was taken as.
func TestTakeUnreadOfTheLastWeek(t *testing.T) {
	r := newLibrary(t, newFakeWeb())
	doc := rssOf("Somebody's title", "1|Pier full|"+ago(400*time.Hour)+"|x", "2|Pier empty|"+ago(300*time.Hour)+"|x", "3|Pier shut|"+ago(time.Hour)+"|x", "4|Pier open|"+ago(time.Minute)+"|x")
	s, err := r.Take(t.Context(), "Ferry cameras", []byte(doc))
	if err != nil || s.Items != 4 || s.Unread != 2 {
		t.Fatalf("%d items, %d unread, %v", s.Items, s.Unread, err)
	}
	wantUnread(t, r, 2)
	done, err := r.Undo(t.Context(), 0, 0)
	if err != nil || done.What != "subscribed to Ferry cameras" {
		t.Errorf("undo said %q, %v", done.What, err)
	}
	if steps, err := r.Steps(t.Context(), 0); err != nil || len(steps) != 1 || steps[0].What != "subscribed to Ferry cameras" {
		t.Errorf("the log says %+v, %v", steps, err)
	}
}

// TestTakeCutBetweenItems: what is piped in and ends behind a whole item, or before
// the first, is cut short like any other; doctor names what helps, and it does.
func TestTakeCutBetweenItems(t *testing.T) {
	r := newLibrary(t, newFakeWeb())
	whole := rssOf("Ferry's", "1|Pier empty|"+ago(time.Hour)+"|x", "2|Pier full|"+ago(time.Minute)+"|y")
	if _, err := r.Take(t.Context(), "Ferry's", []byte(whole[:strings.Index(whole, "<item>")])); err == nil {
		t.Error("taken before its first item")
	}
	s, err := r.Take(t.Context(), "Ferry's", []byte(whole[:strings.Index(whole, "</item>")+len("</item>")]))
	if err != nil || s.Items != 1 || s.Feed.Error != poll.CutShort(1) {
		t.Fatalf("%+v, %v", s, err)
	}
	d, err := r.Maintenance().Doctor(t.Context(), nil)
	if err != nil || len(d.Trouble) != 1 || !strings.HasPrefix(d.Trouble[0].Do, `diurna take 'Ferry'\''s'  `) {
		t.Errorf("%+v, %v", d.Trouble, err)
	}
	if s, err = r.Take(t.Context(), "Ferry's", []byte(whole)); err != nil || s.Items != 1 || s.Feed.Error != "" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestImportOfOneFeedSpeltInManyWays: two spellings of one address are one feed;
// what tells two feeds apart still does.
func TestImportOfOneFeedSpeltInManyWays(t *testing.T) {
	r := newLibrary(t, listWeb())
	list := `https://kernel.example/feed
HTTPS://Kernel.Example/feed
http://kernel.example:80/feed/
https://kernel.example:443/feed#top
https://kernel.example/feed?tag=Go#x
https://kernel.example/feed?tag=Go
https://kernel.example?tag=Go
https://kernel.example/?tag=Go#y
https://kernel.example?tag=go
`
	rep, err := r.Import(t.Context(), []byte(list), ImportOptions{NoFetch: true}, nil)
	if err != nil || len(rep.Added) != 4 || rep.Known != 5 {
		t.Errorf("%d added, %d known, %v", len(rep.Added), rep.Known, err)
	}
}

// TestImportSaysHowTagsAreSpelt: a tag is one word, so one of several is reported once.
func TestImportSaysHowTagsAreSpelt(t *testing.T) {
	r := newLibrary(t, listWeb())
	list := "https://kernel.example/feed \"low level\" linux\nhttps://harbour.example/news.xml \"low level\" \"by the sea\"\n"
	rep, err := r.Import(t.Context(), []byte(list), ImportOptions{NoFetch: true}, nil)
	if err != nil || len(rep.Problems) != 1 || rep.Problems[0] != `tags cannot contain spaces: "low level" became "low-level", and 1 more alike` {
		t.Errorf("%q, %v", rep.Problems, err)
	}
	rep, err = r.Import(t.Context(), []byte("https://other.example/feed linux low-level\n"), ImportOptions{NoFetch: true}, nil)
	if err != nil || len(rep.Problems) != 0 {
		t.Errorf("%q, %v", rep.Problems, err)
	}
}

// TestImportOfAFeedInTwoFolders: an outline that names a feed once more adds its
// folder and tags to the first, and what is exported says so again.
func TestImportOfAFeedInTwoFolders(t *testing.T) {
	const list = `<opml version="2.0"><body>
<outline text="sea"><outline type="rss" text="A" xmlUrl="http://a.example/f" category="wind,/news/local"/></outline>
<outline text="old ports"><outline type="rss" text="A" xmlUrl="http://A.example/f/" category="wind,tide"/></outline>
<outline text="web"><outline type="rss" text="B" xmlUrl="http://b.example/f"/></outline>
<outline type="rss" text="B" xmlUrl="http://b.example/f"/></body></opml>`
	doc := []byte(list)
	for _, from := range []string{"the list", "what was exported"} {
		r := newLibrary(t, listWeb())
		rep, err := r.Import(t.Context(), doc, ImportOptions{NoFetch: true}, nil)
		if err != nil || len(rep.Added) != 2 {
			t.Fatalf("%s: %+v, %v", from, rep, err)
		}
		feeds, err := r.Feeds(t.Context())
		if err != nil || feeds[0].Folder != "sea" || !slices.Equal(feeds[0].Tags, []string{"wind", "news/local", "old-ports", "tide"}) {
			t.Errorf("%s: %+v, %v", from, feeds[0], err)
		}
		if feeds[1].Folder != "web" || len(feeds[1].Tags) != 0 {
			t.Errorf("%s: %+v", from, feeds[1])
		}
		var out bytes.Buffer
		if _, err := r.Subscriptions().Export(t.Context(), &out, false, r.now()); err != nil {
			t.Fatal(err)
		}
		doc = out.Bytes()
	}
}
