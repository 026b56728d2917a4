package reader

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"diurna/reader/pagestate"
	"diurna/reader/watch"
)

const pier = "https://pier.example/timetable"

// timetable is a page of our own making, long enough not to be taken for a notice.
func timetable(notice, price string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Pier timetable</title><h1>Timetable</h1><h2>Weekdays</h2><ul>")
	for i := range 30 {
		fmt.Fprintf(&b, "<li>%02d:40 Old Pier to Lighthouse, boat %d, by way of the island</li>", 6+i%14, i+1)
	}
	fmt.Fprintf(&b, "</ul><p>A ticket costs %s and is sold on board.</p><h2>Notices</h2><p>%s</p><footer>Harbour office</footer>", price, notice)
	return b.String()
}

const summer, winter = "Summer timetable until autumn.", "Winter timetable from November. The early boat does not run."

// shore is a library with a scripted web and a clock that the test moves.
type shore struct {
	t    *testing.T
	web  *fakeWeb
	r    *Reader
	at   time.Time
	id   FeedID
	last FetchResult
}

func newShore(t *testing.T) *shore {
	s := &shore{t: t, web: newFakeWeb(), at: time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)}
	s.r = newLibrary(t, s.web)
	return s
}

// watch begins to watch what the web serves at address.
func (s *shore) watch(address string, o watch.Options) watch.Page {
	s.t.Helper()
	w, err := s.r.At(s.at).Pages().Watch(context.Background(), address, o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.id = w.Page.Key
	return w.Page
}

// later moves the clock on and fetches everything that may be.
func (s *shore) later(d time.Duration) FetchReport {
	s.t.Helper()
	s.at = s.at.Add(d)
	rep, err := s.r.At(s.at).Fetch(context.Background(), FetchRequest{All: true}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, res := range rep.Results {
		if res.Feed == s.id {
			s.last = res
		}
	}
	return rep
}

func (s *shore) page() watch.Page {
	s.t.Helper()
	p, err := s.r.Pages().Find(context.Background(), s.id.String())
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// titles are the titles of the items of the watch, oldest first.
func (s *shore) titles() []string {
	s.t.Helper()
	rows, err := s.r.Rows(context.Background(), Query{}, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	var out []string
	for _, r := range slices.Backward(rows) {
		if r.ID.Feed() == s.id {
			out = append(out, r.Title)
		}
	}
	return out
}

// sound fails unless the library checks and every revision unpacks.
func (s *shore) sound() {
	s.t.Helper()
	d, err := s.r.Maintenance().Doctor(context.Background(), nil)
	if err != nil || d.Damaged() {
		s.t.Fatalf("doctor: %v %v", err, d.Findings)
	}
}

const day = 25 * time.Hour

func TestWatchTellsAChange(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	p := s.watch("pier.example/timetable", watch.Options{})
	if p.Title != "Pier timetable" || p.Revisions != 1 || p.State != pagestate.Good || p.Unread != 0 || len(s.titles()) != 0 {
		t.Fatalf("the first fetch: %+v, items %q", p, s.titles())
	}
	s.later(day)
	if s.last.Outcome != OutcomeNotChanged || s.page().Revisions != 1 {
		t.Fatalf("unchanged: %+v", s.last)
	}
	s.web.serve(pier, "text/html", timetable(winter, "9.50 €"))
	s.later(day)
	if s.last.Outcome != OutcomeNew || s.last.New != 1 {
		t.Fatalf("changed: %+v", s.last)
	}
	p = s.page()
	if p.Revisions != 2 || p.Score <= 1 || p.Class != "content" || !strings.Contains(p.Why, "words in 2 sections") || p.Unread != 1 || !p.Changed.Equal(s.at) {
		t.Errorf("%+v", p)
	}
	if got := s.titles(); len(got) != 1 || !strings.HasPrefix(got[0], `changed: "9.50 €" for "8 €", - "Summer`) {
		t.Errorf("titles %q", got)
	}
	rows, _ := s.r.Rows(context.Background(), Query{}, 0)
	if rows[0].Flags != FlagChanged || rows[0].ID != p.LastItem {
		t.Errorf("row %+v, last item %s", rows[0], p.LastItem)
	}
	c, err := s.r.Pages().ChangeOf(context.Background(), rows[0].ID)
	if err != nil || c.From.No != 1 || c.To.No != 2 || c.Of != 2 || !c.To.Reported || c.Diff.Score != p.Score {
		t.Errorf("%+v, %v", c.To, err)
	}
	a, err := s.r.Open(context.Background(), rows[0].ID)
	if err != nil || !strings.Contains(a.HTML, "<del>8") || !strings.Contains(a.HTML, "<h3>Timetable") {
		t.Errorf("%s %v", a.HTML, err)
	}
	s.sound()
}

// TestRevisionsComeBack: what was served is kept byte for byte, over many
// changes and several key frames.
func TestRevisionsComeBack(t *testing.T) {
	s := newShore(t)
	ctx := context.Background()
	jis, _ := japanese.ShiftJIS.NewEncoder().String("<title>潮</title><h1>潮の時刻</h1><p>満潮は %d 時 %d 分です。港は開いています。</p>\r\n")
	var served [][]byte
	for i := range 40 {
		body := fmt.Sprintf("\xef\xbb\xbf<title>Tide</title>\r\n<p>High water at %d o'clock, boat %d, captain %d</p>\r\n", i%12, i*7, i*i)
		kind := "text/html"
		if i%5 == 4 {
			body, kind = fmt.Sprintf(jis, i, i*2), "text/html; charset=Shift_JIS"
		}
		s.web.serve(pier, kind, body)
		if i == 0 {
			s.watch(pier, watch.Options{Threshold: 0.01})
		} else {
			s.later(day)
		}
		served = append(served, []byte(body))
	}
	list, err := s.r.Pages().Revisions(ctx, s.id)
	if err != nil || len(list) < 10 {
		t.Fatalf("%d revisions, %v", len(list), err)
	}
	jised := 0
	for _, rev := range list {
		got, kind, err := s.r.Pages().RevisionRaw(ctx, s.id, rev.No)
		if err != nil {
			t.Fatal(err)
		}
		i := int(rev.At.Sub(time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)) / day)
		if !bytes.Equal(got, served[i]) || rev.Bytes != len(got) {
			t.Fatalf("revision %d is not what was served", rev.No)
		}
		if rev.Charset == "shift_jis" && strings.Contains(kind, "Shift_JIS") {
			jised++
		}
	}
	if jised == 0 {
		t.Error("no revision in Shift_JIS")
	}
	s.sound()
}

// TestPageStates: what comes in the page's place is a state of the watch, named
// on its row, and never a revision; the page itself ends it.
func TestPageStates(t *testing.T) {
	good := timetable(summer, "8 €")
	captcha := `<title>One moment</title><form id=challenge-form action=/x><div class=h-captcha></div></form>`
	for _, c := range []struct {
		name, body string
		status     int
		selects    string
		state, err string
	}{
		{"404", "<h1>Not here</h1>", 404, "", "error", "404 not found"},
		{"500 in the page's dress", good, 500, "", "error", "500 server error"},
		{"error page with 200", "<title>404 not found</title><h1>Nothing here</h1>", 200, "", "error", "an error page: the page says it is a 404 error"},
		{"503", "<p>soon</p>", 503, "", "maintenance", "503 unavailable"},
		{"401", "<form>who are you</form>", 401, "", "error", "401"},
		{"429", "<p>slow down</p>", 429, "", "error", "429"},
		{"notice with 200", "<h1>Wir bauen um</h1><p>Bis morgen.</p>", 200, "", "maintenance", "the page is under maintenance: 5 words instead of"},
		{"captcha", captcha, 403, "", "captcha", "403 forbidden, with a test for humans"},
		{"captcha with 200", captcha, 200, "", "captcha", "a test for humans blocks the page"},
		{"empty", "<html><body></body></html>", 200, "", "empty", "the page is empty"},
		{"no content", "", 204, "", "empty", "the page is empty"},
		{"selector gone", strings.ReplaceAll(good, "<ul>", "<ol>"), 200, "ul", "selector", "the selector matches nothing"},
		{"a picture", "GIF89a", 200, "", "error", "the server sent image/gif"},
		{"410", "", 410, "", "gone", "410 gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShore(t)
			s.web.serve(pier, "text/html", good)
			o := watch.Options{}
			if c.selects != "" {
				o.Select = []string{c.selects}
			}
			s.watch(pier, o)
			kind := "text/html"
			if c.name == "a picture" {
				kind = "image/gif"
			}
			s.web.handle(pier, func(req *http.Request) *http.Response { return answer(req, c.status, kind, c.body) })
			s.later(day)
			p := s.page()
			if p.State.String() != c.state || !strings.Contains(p.Error, c.err) || !p.Since.Equal(s.at) || p.Revisions != 1 || len(s.titles()) != 0 {
				t.Fatalf("state %q since %v: %q; %d revisions, items %q", p.State, p.Since, p.Error, p.Revisions, s.titles())
			}
			since := p.Since
			s.later(3 * day)
			if p = s.page(); !p.Since.Equal(since) {
				t.Errorf("since %v, began %v", p.Since, since)
			}
			if c.state == "gone" {
				return
			}
			s.web.serve(pier, "text/html", good)
			s.later(3 * day)
			if p = s.page(); p.State != pagestate.Good || p.Error != "" || p.Revisions != 1 {
				t.Errorf("afterwards: %q %q, %d revisions", p.State, p.Error, p.Revisions)
			}
			s.sound()
		})
	}
}

// TestShrunkIsAskedTwice: when most of the text is gone the page is fetched once
// more, without validators, before that is believed.
func TestShrunkIsAskedTwice(t *testing.T) {
	good := timetable(summer, "8 €")
	at := strings.Index(good, "<li>09:40")
	short := good[:at] + "</ul><p>A ticket costs 8 € and is sold on board.</p>"
	for _, back := range []bool{true, false} {
		s := newShore(t)
		s.web.serve(pier, "text/html", good)
		s.watch(pier, watch.Options{})
		s.web.serve(pier, "text/html", short)
		s.later(day)
		if p := s.page(); p.State != pagestate.Shrunk || p.Revisions != 1 || len(s.titles()) != 0 || !strings.Contains(p.Error, "once more") {
			t.Fatalf("%q %q, %d revisions", p.State, p.Error, p.Revisions)
		}
		if next := s.page().NextFetch; next.Sub(s.at) > 2*time.Hour {
			t.Errorf("fetched again only at %v", next)
		}
		if back {
			s.web.serve(pier, "text/html", good)
		}
		s.later(2 * time.Hour)
		p := s.page()
		if p.State != pagestate.Good || back && (p.Revisions != 1 || len(s.titles()) != 0) || !back && (p.Revisions != 2 || len(s.titles()) != 1) {
			t.Errorf("back %t: %q, %d revisions, items %q", back, p.State, p.Revisions, s.titles())
		}
		if asked := s.web.requests(); !back && strings.Contains(asked[len(asked)-1], "If-None-Match") {
			t.Errorf("asked with validators: %s", asked[len(asked)-1])
		}
		s.sound()
	}
}

// TestNoNews: what is no change to a reader files nothing.
func TestNoNews(t *testing.T) {
	latin, err := charmap.Windows1252.NewEncoder().String(timetable("Café über alles", "8 pounds"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, a, kindA, b, kindB string }{
		{"charset flip", timetable("Café über alles", "8 pounds"), "text/html; charset=utf-8", latin, "text/html; charset=iso-8859-1"},
		{"byte order mark and line ends", timetable(summer, "8 €"), "", "\xef\xbb\xbf" + strings.ReplaceAll(timetable(summer, "8 €"), "<li>", "\r\n<li>"), "text/html"},
		{"build ids", timetable(summer, "8 €") + `<script src="/app.1a2b3c.js"></script><!-- 0.31 s -->`, "", timetable(summer, "8 €") + `<script src="/app.9f8e7d.js"></script><!-- 0.29 s -->`, ""},
	} {
		s := newShore(t)
		s.web.serve(pier, c.kindA, c.a)
		s.watch(pier, watch.Options{})
		s.web.serve(pier, c.kindB, c.b)
		s.later(day)
		if p := s.page(); p.State != pagestate.Good || p.Revisions != 1 || len(s.titles()) != 0 {
			t.Errorf("%s: %q, %d revisions, items %q", c.name, p.State, p.Revisions, s.titles())
		}
	}
}

// TestPriceIsReportedEachTime: 5, 6, 5 is reported twice, whatever stood still between;
// a block that flaps is reported once.
func TestPriceIsReportedEachTime(t *testing.T) {
	s := newShore(t)
	for i, price := range []string{"5 €", "5 €", "6 €", "6 €", "6 €", "5 €"} {
		s.web.serve(pier, "text/html", timetable(summer, price))
		if i == 0 {
			s.watch(pier, watch.Options{})
		} else {
			s.later(day)
		}
	}
	if want := []string{`changed: "6 €" for "5 €"`, `changed: "5 €" for "6 €"`}; !reflect.DeepEqual(s.titles(), want) {
		t.Errorf("reported %q, want %q", s.titles(), want)
	}
	s = newShore(t)
	for i := range 8 {
		s.web.serve(pier, "text/html", timetable([]string{"Buy our seaweed while it is fresh", "Visit the lighthouse on Sunday"}[i%2], "5 €"))
		if i == 0 {
			s.watch(pier, watch.Options{})
		} else {
			s.later(day)
		}
	}
	// A return is news until it happens at most fetches.
	if got := s.titles(); len(got) != 3 || s.page().Revisions != 4 {
		t.Errorf("a flapping block is reported %q, %d revisions", got, s.page().Revisions)
	}
}

// TestPagesTravel: a list of ours carries pages with their settings; to other
// readers they are no feeds.
func TestPagesTravel(t *testing.T) {
	s := newShore(t)
	ctx := context.Background()
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	o := watch.Options{Folder: "sea", Select: []string{"h2", "p.b > i"}, Keywords: []string{"winter", "boat"}, Every: 2 * time.Hour, Threshold: 1.5, Depth: 1, Keep: 9}
	s.watch(pier, o)
	s.watch(pier, watch.Options{Ignore: []string{"footer"}})
	var opml, urls bytes.Buffer
	if _, err := s.r.Subscriptions().Export(ctx, &opml, false, s.r.now()); err != nil {
		t.Fatal(err)
	}
	if out, err := s.r.Subscriptions().ExportURLs(ctx, &urls, false); err != nil || urls.Len() > 0 || out.Pages != 2 {
		t.Errorf("newsboat gets %q, %v", urls.String(), err)
	}
	if text := opml.String(); strings.Contains(text, "xmlUrl") || strings.Count(text, `type="link"`) != 2 || strings.Contains(text, "page.select") || strings.Contains(text, "#watch") {
		t.Errorf("%s", text)
	}
	other := newLibrary(t, s.web)
	if _, err := other.Import(ctx, opml.Bytes(), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	want, _ := s.r.Pages().List(ctx)
	got, err := other.Pages().List(ctx)
	if err != nil || len(got) != 2 {
		t.Fatal(err, len(got))
	}
	for i := range got {
		a, b := got[i], want[i]
		if a.URL != b.URL || a.Folder != b.Folder || a.Threshold != b.Threshold || a.Interval != b.Interval || a.Depth != b.Depth || a.Keep != b.Keep ||
			!slices.Equal(a.Select, b.Select) || !slices.Equal(a.Ignore, b.Ignore) || !slices.Equal(a.Keywords, b.Keywords) || a.Revisions != 1 {
			t.Errorf("%+v\nwas %+v", a, b)
		}
	}
	rep, err := other.Import(ctx, opml.Bytes(), ImportOptions{NoFetch: true}, nil)
	if err != nil || rep.Known != 2 || len(rep.Added) != 0 {
		t.Errorf("again: %+v %v", rep, err)
	}
	// A list of another program says nothing about pages.
	foreign := `<opml version="2.0"><body><outline type="rss" text="x" xmlUrl="https://x.example/f" page="yes" page.select="p"/></body></opml>`
	if _, err := other.Import(ctx, []byte(foreign), ImportOptions{NoFetch: true, Mirror: true}, nil); err != nil {
		t.Fatal(err)
	}
	if got, _ = other.Pages().List(ctx); len(got) != 2 {
		t.Errorf("%d pages after a foreign list", len(got))
	}
}

// TestFalsifiedRevision is named by doctor, though its record checks.
func TestFalsifiedRevision(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	s.watch(pier, watch.Options{})
	s.web.serve(pier, "text/html", timetable(winter, "8 €"))
	s.later(day)
	s.sound()
	if err := s.r.store.CorruptForTest(context.Background(), "revision", s.page().LastItem); err != nil {
		t.Fatal(err)
	}
	d, err := s.r.Maintenance().Doctor(context.Background(), nil)
	if err != nil || !d.Damaged() || !strings.HasPrefix(d.Findings[0], "revision 2 of "+s.id.String()+": ") {
		t.Errorf("%v %q", err, d.Findings)
	}
}

// TestPageMoves: a permanent redirect is believed after a week if the page lives
// there; one to another page, or for now only, is not; validators stay with the
// address that gave them.
func TestPageMoves(t *testing.T) {
	const home = "https://harbour.example/boats"
	redirect := func(status int) func(*http.Request) *http.Response {
		return func(req *http.Request) *http.Response {
			res := answer(req, status, "", "")
			res.Header.Set("Location", home)
			return res
		}
	}
	for _, c := range []struct {
		name   string
		status int
		there  string
		url    string
		state  string
	}{
		{"for good", 301, timetable(summer, "8 €"), home, "ok"},
		{"for good, changed on the way", 308, timetable(winter, "8 €"), home, "ok"},
		{"for now", 302, timetable(summer, "8 €"), pier, "ok"},
	} {
		s := newShore(t)
		s.web.serve(pier, "text/html", timetable(summer, "8 €"))
		s.watch(pier, watch.Options{})
		s.web.serve(home, "text/html", c.there)
		s.web.handle(pier, redirect(c.status))
		for range 10 {
			s.later(day)
		}
		p := s.page()
		if p.URL != c.url || p.State.String() != c.state {
			t.Errorf("%s: at %s, %q %q", c.name, p.URL, p.State, p.Error)
		}
		if want := 1 + strings.Count(c.name, "changed"); p.Revisions != want {
			t.Errorf("%s: %d revisions, want %d", c.name, p.Revisions, want)
		}
		for _, line := range s.web.requests() {
			if strings.Contains(line, pier+" If-None-Match") {
				if i := slices.Index(s.web.requests(), line); i > 2 {
					t.Errorf("%s: validators of another address: %s", c.name, line)
				}
			}
		}
		s.sound()
	}
}
