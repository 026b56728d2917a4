package newsboat_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/model"
	"diurna/reader/newsboat"
	"diurna/reader/sqlite/sqlitetest"
	"diurna/store"
)

// schema is newsboat's, as of its version 2.44.
const (
	itemSQL = `CREATE TABLE rss_item ( id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,  guid VARCHAR(64) NOT NULL,  title VARCHAR(1024) NOT NULL,  author VARCHAR(1024) NOT NULL,  url VARCHAR(1024) NOT NULL,  feedurl VARCHAR(1024) NOT NULL,  pubDate INTEGER NOT NULL,  content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL , enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024), enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0, base VARCHAR(128) NOT NULL DEFAULT "", content_mime_type VARCHAR(255) NOT NULL DEFAULT "", enclosure_description VARCHAR(1024) NOT NULL DEFAULT "", enclosure_description_mime_type VARCHAR(128) NOT NULL DEFAULT "")`
	feedSQL = `CREATE TABLE rss_feed ( rssurl VARCHAR(1024) PRIMARY KEY NOT NULL,  url VARCHAR(1024) NOT NULL,  title VARCHAR(1024) NOT NULL , lastmodified INTEGER(11) NOT NULL DEFAULT 0, is_rtl INTEGER(1) NOT NULL DEFAULT 0, etag VARCHAR(128) NOT NULL DEFAULT "")`
	metaSQL = `CREATE TABLE metadata ( db_schema_version_major INTEGER NOT NULL, db_schema_version_minor INTEGER NOT NULL )`
)

// article is an article of a made-up newsboat.
type article struct {
	feed, n                   int
	guid, link, title, author string
	text, flags, file         string
	at                        time.Time
	unread, deleted, enqueued bool
}

// made is a made-up newsboat.
type made struct {
	dir      string
	feeds    int
	articles []article
}

func (m *made) url(feed int) string { return fmt.Sprintf("https://feed%d.example/rss.xml", feed) }

// makeUp writes a newsboat of so many feeds and articles.
func makeUp(t testing.TB, feeds, articles, words int) *made {
	t.Helper()
	m := &made{dir: t.TempDir(), feeds: feeds}
	r := rand.New(rand.NewPCG(7, uint64(articles)))
	var urls, conf strings.Builder
	for f := range feeds {
		fmt.Fprintf(&urls, "%s", m.url(f))
		for range r.IntN(4) {
			fmt.Fprintf(&urls, " tag%d", r.IntN(14))
		}
		if f%9 == 0 {
			fmt.Fprintf(&urls, ` "~Feed number %d"`, f)
		}
		if f%31 == 12 {
			urls.WriteString(" !")
		}
		urls.WriteString("\n")
	}
	for i := range 60 {
		fmt.Fprintf(&urls, "\"query:Query %d:unread = \\\"yes\\\" and age < %d\"\n", i, i+1)
	}
	urls.WriteString("\"exec:echo feeds\"\n\"filter:sed s/a/b/:https://filtered.example/rss\"\n")
	conf.WriteString("# of eight years\nbrowser \"firefox %u\"\nreload-time 30\ncolor listfocus black yellow bold\nignore-article \"*\" \"title =~ \\\"sponsored\\\"\"\n" +
		"ignore-article \"https://feed1.example/rss.xml\" \"author = \\\"bot\\\"\"\nignore-article \"*\" \"guid = \\\"x\\\"\"\nbind-key j down\nmacro y set browser \"mpv %u\" ; open-in-browser\n" +
		"include colors\nproxy `cat secret`\nbookmark-cmd ~/bin/mark\n")
	m.write(t, "urls", urls.String())
	m.write(t, "config", conf.String())
	m.write(t, "colors", "color article white black\ninclude config\ninclude missing\n")
	lexicon := strings.Fields("harbour ferry council breakwater market price weather tide boat crew storm light chart engine ticket island morning service delay report")
	now := time.Now()
	for i := range articles {
		f := r.IntN(feeds)
		a := article{feed: f, n: i, title: fmt.Sprintf("%s %s %d", lexicon[r.IntN(len(lexicon))], lexicon[r.IntN(len(lexicon))], i), author: []string{"", "Ann", "bot"}[r.IntN(3)],
			link: fmt.Sprintf("https://feed%d.example/%d", f, i), at: now.Add(-time.Duration(r.IntN(8*365*24)) * time.Hour).Truncate(time.Second)}
		switch r.IntN(5) {
		case 0:
			a.guid = a.link // newsboat's, of an item without an id
		case 1:
			a.guid = a.link + a.at.UTC().Format(time.RFC1123Z)
		default:
			a.guid = fmt.Sprintf("tag:%d-%d", f, i)
		}
		a.unread, a.deleted, a.enqueued = r.IntN(20) == 0, r.IntN(50) == 0, r.IntN(80) == 0
		if r.IntN(60) == 0 {
			a.flags = []string{"a", "sX", "bab"}[r.IntN(3)]
		}
		if r.IntN(10) == 0 {
			a.file = a.link + ".mp3"
		}
		var b strings.Builder
		b.WriteString("<p onclick=\"x()\">")
		for range words {
			b.WriteString(lexicon[r.IntN(len(lexicon))] + " ")
		}
		b.WriteString("</p><script>alert(1)</script>")
		a.text = b.String()
		m.articles = append(m.articles, a)
	}
	m.save(t, 2)
	return m
}

func (m *made) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// save writes cache.db.
func (m *made) save(t testing.TB, schema int) {
	t.Helper()
	rows := make([][]any, len(m.articles))
	one := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	for i, a := range m.articles {
		rows[i] = []any{nil, a.guid, a.title, a.author, a.link, m.url(a.feed), int(a.at.Unix()), a.text, one(a.unread), a.file, "audio/mpeg", one(a.enqueued), a.flags, one(a.deleted), "", "text/html", "", ""}
	}
	rows = append(rows, []any{nil, "stray", "Stray", "", "https://gone.example/1", "https://gone.example/rss", 1700000000, "text", 1, "", "", 0, "", 0, "", "", "", ""})
	var titles [][]any
	for f := range m.feeds {
		titles = append(titles, []any{m.url(f), fmt.Sprintf("https://feed%d.example/", f), fmt.Sprintf("Cached\n%d", f), 0, 0, ""})
	}
	b := sqlitetest.Database(4096, 40, sqlitetest.Table{Name: "metadata", SQL: metaSQL, Rows: [][]any{{schema, 22}}},
		sqlitetest.Table{Name: "rss_feed", SQL: feedSQL, Rows: titles}, sqlitetest.Table{Name: "rss_item", SQL: itemSQL, Rows: rows})
	m.write(t, "cache.db", string(b))
}

// files are the bytes of newsboat's files.
func (m *made) files(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := filepath.Glob(filepath.Join(m.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(b)
	}
	return all
}

// RoundTrip is the web of the feeds: the newest articles of each, and one more.
func (m *made) RoundTrip(q *http.Request) (*http.Response, error) {
	var f int
	if _, err := fmt.Sscanf(q.URL.Host, "feed%d.example", &f); err != nil || q.URL.Path != "/rss.xml" {
		return &http.Response{StatusCode: 404, Body: http.NoBody, Request: q, Header: http.Header{}}, nil
	}
	var own []article
	for _, a := range m.articles {
		if a.feed == f {
			own = append(own, a)
		}
	}
	slices.SortFunc(own, func(a, b article) int { return b.at.Compare(a.at) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "<rss version=\"2.0\"><channel><title>Feed %d</title><link>https://feed%d.example/</link>\n", f, f)
	fmt.Fprintf(&b, "<item><title>Brand new</title><guid>new</guid><link>https://feed%d.example/new</link><pubDate>%s</pubDate></item>\n", f, time.Now().Add(-time.Hour).Format(time.RFC1123Z))
	for _, a := range own[:min(len(own), 20)] {
		guid := ""
		if strings.HasPrefix(a.guid, "tag:") {
			guid = `<guid isPermaLink="false">` + a.guid + "</guid>"
		}
		fmt.Fprintf(&b, "<item><title>%s</title>%s<link>%s</link><pubDate>%s</pubDate><description>%s</description></item>\n", a.title, guid, a.link, a.at.UTC().Format(time.RFC1123Z),
			strings.NewReplacer("<", "&lt;", ">", "&gt;", "ferry", "Ferry!").Replace(a.text))
	}
	b.WriteString("</channel></rss>")
	return &http.Response{StatusCode: 200, Status: "200 OK", Header: http.Header{"Content-Type": {"application/rss+xml"}}, Body: io.NopCloser(&b), Request: q, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}, nil
}

func open(t testing.TB, dir string, web http.RoundTripper) (*reader.Reader, *store.Store) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	r := reader.New(s, reader.Options{Version: "test", Role: "test", Transport: web, Net: reader.Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1, SecondFetch: -1}})
	t.Cleanup(func() { r.Close(); s.Close() })
	return r, s
}

func (m *made) load(t testing.TB) *newsboat.Setup {
	t.Helper()
	f, ok := newsboat.At(m.dir)
	if !ok {
		t.Fatal("no newsboat")
	}
	s, err := newsboat.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (m *made) bring(t testing.TB, r *reader.Reader, o reader.ImportOptions) newsboat.Report {
	t.Helper()
	s := m.load(t)
	defer s.Close()
	o.Name = "import of newsboat"
	rep, err := reader.NewsboatMover(r).Import(t.Context(), s, o, time.Now(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// compare holds every article's state against the library's items.
func (m *made) compare(t *testing.T, r *reader.Reader, s *store.Store, fetched bool) {
	t.Helper()
	ctx := t.Context()
	rows, err := s.Rows(ctx, store.RowQuery{Which: store.All})
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]reader.ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	items, err := r.Items(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]*model.Item{}
	for i := range items {
		by[items[i].Link] = &items[i]
	}
	wrong := 0
	for _, a := range m.articles {
		it := by[a.link]
		if it == nil {
			t.Fatalf("article %d of feed %d is not there: %+v", a.n, a.feed, a)
		}
		var tags []string
		if a.deleted {
			tags = append(tags, "deleted")
		}
		if a.enqueued {
			tags = append(tags, "queue")
		}
		for _, c := range slices.Compact(slices.Sorted(slices.Values(strings.Split(a.flags, "")))) {
			tags = append(tags, "flag-"+c)
		}
		slices.Sort(tags)
		files := 0
		if a.file != "" {
			files = 1
		}
		if it.Title != a.title || it.Author != a.author || !it.Published.Equal(a.at) || it.Unread != (a.unread && !a.deleted) || it.Saved != (a.flags != "") ||
			!slices.Equal(it.Tags, tags) || len(it.Enclosures) != files || it.IDRaw != a.guid && (!fetched || it.IDRaw != "") { // a feed without ids says so
			if wrong++; wrong < 5 {
				t.Errorf("article %d %+v is\n%+v", a.n, a, it)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d articles have another state", wrong, len(m.articles))
	}
}

// size is what a test makes up: less where it only must be quick.
func size() (feeds, articles, words int) {
	if os.Getenv("DIURNA_BENCH") != "" {
		return 300, 50_000, 150
	}
	return 30, 2500, 40
}

// A newsboat of which no feed can be taken is no error: what there is is said.
func TestNoFeedTaken(t *testing.T) {
	m := makeUp(t, 1, 10, 5)
	m.write(t, "urls", "\"exec:echo feeds\"\n")
	m.write(t, "config", "")
	r, _ := open(t, t.TempDir(), m)
	if rep := m.bring(t, r, reader.ImportOptions{NoFetch: true}); rep.Filed != 0 || rep.Strays != 11 || len(rep.List.Refused) != 1 {
		t.Errorf("%+v", rep)
	}
}

// Texts in which nothing is to be changed are kept as they are, each with its article.
func TestCleanTexts(t *testing.T) {
	m := makeUp(t, 1, 30, 5)
	for i := range m.articles {
		m.articles[i].text = fmt.Sprintf("<p>%d, %s</p>", i, strings.Repeat("as it is ", i))
	}
	m.save(t, 2)
	r, s := open(t, t.TempDir(), m)
	m.bring(t, r, reader.ImportOptions{NoFetch: true})
	rows, err := s.Rows(t.Context(), store.RowQuery{Which: store.All})
	if err != nil || len(rows) != len(m.articles) {
		t.Fatal(len(rows), err)
	}
	for _, row := range rows {
		item, err := s.Item(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		body, err := s.Body(t.Context(), row.ID)
		if i := slices.IndexFunc(m.articles, func(a article) bool { return a.link == item.Link }); err != nil || i < 0 || body.HTML != m.articles[i].text {
			t.Errorf("article %d has the text %q, %v", i, body.HTML, err)
		}
	}
}

func TestImport(t *testing.T) {
	feeds, articles, words := size()
	m := makeUp(t, feeds, articles, words)
	before := m.files(t)
	r, s := open(t, t.TempDir(), m)
	ctx := context.Background()

	dry := m.bring(t, r, reader.ImportOptions{DryRun: true})
	if r.Exists() {
		t.Fatal("a dry run made a library")
	}
	rep := m.bring(t, r, reader.ImportOptions{NoFetch: true})
	if rep.Filed != articles || rep.Strays != 1 || rep.Sources != 1 || rep.List.Saved != 60 || rep.Ignored != 2 || len(rep.List.Added) != feeds || len(rep.List.Refused) != 2 {
		t.Errorf("%+v", rep)
	}
	if dry.Filed != rep.Filed || dry.Unread != rep.Unread || dry.Ignored != rep.Ignored || dry.List.Feeds != rep.List.Feeds || dry.List.Saved != rep.List.Saved || len(dry.NotTaken) != len(rep.NotTaken) {
		t.Errorf("the dry run said %+v", dry)
	}
	// browser, reload-time, 2 colours, guid, the backticks, bookmark-cmd; config includes itself, missing is missing
	if len(rep.NotTaken) != 9 || len(rep.Keys) != 2 {
		t.Errorf("%d lines are not taken, %d about keys: %v", len(rep.NotTaken), len(rep.Keys), rep.NotTaken)
	}
	m.compare(t, r, s, false)
	if check, err := s.Check(ctx, true, nil); err != nil || len(check.Findings) > 0 {
		t.Errorf("check: %+v %v", check, err)
	}

	// The first fetch knows all of them, and wakes none, though the texts differ.
	if _, err := r.Fetch(ctx, reader.FetchRequest{Feeds: rep.List.Added}, nil); err != nil {
		t.Fatal(err)
	}
	m.compare(t, r, s, true)
	if totals, err := r.Totals(ctx); err != nil || totals.Items != articles+feeds {
		t.Errorf("%+v, %v; %d articles and %d new ones", totals, err, articles, feeds)
	}

	// Twice is once, but for what was read meanwhile.
	if rep = m.bring(t, r, reader.ImportOptions{NoFetch: true}); rep.Changed() || rep.Marked > 0 && rep.List.Step != 0 {
		t.Errorf("the second import: %+v", rep)
	}
	for i := range m.articles[:articles/2] {
		m.articles[i].unread = false
	}
	m.articles[3].flags = "z"
	m.articles = append(m.articles, article{n: len(m.articles), guid: "later", link: "https://feed2.example/later", title: "Later", at: time.Now().Add(-time.Minute).Truncate(time.Second), feed: 2, unread: true, text: "x"})
	m.save(t, 2)
	if rep = m.bring(t, r, reader.ImportOptions{NoFetch: true}); !rep.Changed() || rep.Filed != 1 || rep.Unread != 1 {
		t.Errorf("the third import: %+v", rep)
	}
	m.compare(t, r, s, true)

	if _, err := r.Undo(ctx, 0, 0); err != nil { // what was read meanwhile
		t.Fatal(err)
	}
	if _, err := r.Undo(ctx, 0, 0); err != nil { // all of it
		t.Fatal(err)
	}
	totals, err := r.Totals(ctx)
	if err != nil || totals.Feeds != 0 || totals.Items != 0 {
		t.Errorf("after undo: %+v, %v", totals, err)
	}
	if list, err := r.Queries().List(ctx); err != nil || len(list) != 0 {
		t.Errorf("after undo: %d queries, %v", len(list), err)
	}
	if list, err := r.Rules().List(ctx); err != nil || len(list) != 0 {
		t.Errorf("after undo: %d rules, %v", len(list), err)
	}
	if check, err := s.Check(ctx, true, nil); err != nil || len(check.Findings) > 0 {
		t.Errorf("check after undo: %+v %v", check, err)
	}
	for name, b := range before {
		if got, err := os.ReadFile(name); err != nil || string(got) != b && filepath.Base(name) != "cache.db" {
			t.Errorf("%s was changed (%v)", name, err)
		}
	}
	if names := m.files(t); len(names) != len(before) {
		t.Errorf("files were made: %d, were %d", len(names), len(before))
	}
}
