package reader

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"diurna/store"
)

// inside are spellings of addresses that nothing from outside may lead to; the
// guard's own tests in reader/fetch have more, and names that resolve to them.
var inside = []string{
	"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0X7F.1", "0177.0.0.1", "017700000001", "127.0.0.1.", "１２７.0.0.1", "127。0。0。1",
	"localhost", "LOCALHOST", "localhost.", "feeds.localhost", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
	"[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "10.0.0.1", "012.0.0.1", "172.16.0.1", "192.168.1.9", "3232235785", "0xc0a80109", "[::ffff:192.168.1.9]",
	"[fc00::1]", "[fd12:3456:789a::1]", "169.254.169.254", "2852039166", "[fd00:ec2::254]", "100.64.0.1", "[fe80::1]", "[fe80::1%25eth0]", "user@127.0.0.1", "good.example@10.0.0.1", "192.0.2.1",
}

// sources are the six ways in which an address comes to the reader.
var sources = map[string]func(t *testing.T, r *Reader, web *fakeWeb, bad string){
	"add": func(t *testing.T, r *Reader, _ *fakeWeb, bad string) {
		if _, err := r.Finder().Look(t.Context(), bad, false); err == nil {
			t.Errorf("%s can be added", bad)
		}
	},
	"import": func(t *testing.T, r *Reader, _ *fakeWeb, bad string) {
		doc := fmt.Sprintf(`<opml version="2.0"><body><outline text="x" xmlUrl="%s" allow_private="true" allowPrivate="true"/></body></opml>`, bad)
		if _, err := r.Import(t.Context(), []byte(doc), ImportOptions{}, nil); err != nil {
			t.Logf("%s: %v", bad, err)
		}
	},
	"redirect": func(t *testing.T, r *Reader, web *fakeWeb, bad string) {
		web.handle("https://good.example/redirect", func(req *http.Request) *http.Response {
			res := answer(req, 301, "", "")
			res.Header.Set("Location", bad)
			return res
		})
		if _, err := r.Finder().Look(t.Context(), "https://good.example/redirect", true); err == nil {
			t.Errorf("a redirect to %s is followed", bad)
		}
	},
	"link in a page": func(t *testing.T, r *Reader, web *fakeWeb, bad string) {
		web.serve("https://good.example/page", "text/html", `<html><head><link rel="alternate" type="application/rss+xml" href="`+bad+`"></head></html>`)
		found, err := r.Finder().Look(t.Context(), "https://good.example/page", true)
		for _, c := range found.Candidates {
			_, _ = r.Finder().Fill(t.Context(), c)
		}
		if err == nil && len(found.Candidates) > 0 && found.Candidates[0].Err == nil {
			t.Errorf("a page leads to %s", bad)
		}
	},
	"self and move": func(t *testing.T, r *Reader, web *fakeWeb, bad string) {
		web.serve("https://good.example/self", "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>S</title><link rel="self" href="`+bad+`"/><link rel="hub" href="`+bad+`"/><entry><id>1</id><title>one</title></entry></feed>`)
		s := add(t, r, "https://good.example/self", SubscribeOptions{})
		if _, err := r.Fetch(t.Context(), FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil); err != nil {
			t.Error(err)
		}
		if _, err := r.Unsubscribe(t.Context(), []FeedID{s.Feed.Key}); err != nil {
			t.Error(err)
		}
	},
	"enclosure, picture, icon": func(t *testing.T, r *Reader, web *fakeWeb, bad string) {
		web.serve("https://good.example/files", "text/xml", `<rss version="2.0"><channel><title>F</title><image><url>`+bad+`</url></image><link>`+bad+`</link><item><guid>1</guid><title>one</title><link>`+bad+
			`</link><enclosure url="`+bad+`" type="audio/mp3" length="1"/><description>&lt;img src="`+bad+`"&gt;&lt;iframe src="`+bad+`"&gt;</description></item></channel></rss>`)
		s := add(t, r, "https://good.example/files", SubscribeOptions{})
		rows, err := r.Rows(t.Context(), Query{}, 1)
		if err != nil || len(rows) == 0 {
			t.Fatal(err)
		}
		if _, err := r.Open(t.Context(), rows[0].ID); err != nil {
			t.Error(err)
		}
		if _, err := r.Unsubscribe(t.Context(), []FeedID{s.Feed.Key}); err != nil {
			t.Error(err)
		}
	},
}

// TestAttackN1: of 44 spellings from six sources none is ever asked for. With the
// guard lifted, the ones that can be reached are.
func TestAttackN1(t *testing.T) {
	web := newFakeWeb()
	var r *Reader
	for name, try := range sources {
		r = readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
		for _, host := range inside {
			try(t, r, web, "http://"+host+"/secret")
		}
		for _, line := range web.requests() {
			if !strings.HasPrefix(line, "GET https://good.example/") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	t.Logf("%d spellings, %d sources, %d requests to the good host", len(inside), len(sources), len(web.requests()))
	// The user's own word opens the door, and the test sees it.
	before := len(web.requests())
	_, _ = r.Finder().Look(t.Context(), "http://127.0.0.1/other", true)
	if lines := web.requests()[before:]; len(lines) == 0 || lines[0] != "GET http://127.0.0.1/other" {
		t.Errorf("with permission: %v", lines)
	}
}

// readerWithWaits is a library in a folder of its own with waits as given.
func readerWithWaits(t *testing.T, web http.RoundTripper, n Net) *Reader {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	r := New(s, Options{Version: "test", Role: "test", Transport: web, Net: n})
	t.Cleanup(func() {
		r.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestAttackN3: other schemes are not fetched, wherever they come from.
func TestAttackN3(t *testing.T) {
	web := newFakeWeb()
	r := readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
	for name, try := range sources {
		for _, bad := range []string{"file:///etc/passwd", "gopher://a.example/", "ftp://a.example/x", "data:text/xml,<rss/>", "javascript:alert(1)", "exec:id", "filter:id:http://a.example/", "unix:///run/x", "jar:http://a.example!/"} {
			if name == "add" || name == "import" || name == "redirect" {
				try(t, r, web, bad)
			}
		}
	}
	for _, line := range web.requests() {
		if !strings.HasPrefix(line, "GET https://good.example/") {
			t.Error(line)
		}
	}
}

// TestAttackN5: a captive portal or a hijacker that says 301 for six hours moves
// no feed; the same answer for eight days, with the same items, does.
func TestAttackN5(t *testing.T) {
	web := newFakeWeb()
	start := time.Now()
	base := readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
	items := []string{"a|A|" + ago(time.Hour) + "|text", "b|B|" + ago(2*time.Hour) + "|text"}
	for _, u := range []string{"https://old.example/f", "https://new.example/f"} {
		web.serve(u, "text/xml", rssOf("Feed", items...))
	}
	web.serve("https://portal.example/", "text/html", "<html><body>Room number</body></html>")
	s := add(t, base, "https://old.example/f", SubscribeOptions{})
	leads := func(to string) {
		web.handle("https://old.example/f", func(req *http.Request) *http.Response {
			res := answer(req, 301, "", "")
			res.Header.Set("Location", to)
			return res
		})
	}
	visit := func(after time.Duration) string {
		r := base.At(start.Add(after))
		if _, err := r.Fetch(t.Context(), FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil); err != nil {
			t.Fatal(err)
		}
		f, err := r.FindFeed(t.Context(), s.Feed.Key.String())
		if err != nil {
			t.Fatal(err)
		}
		return f.URL
	}
	for _, to := range []string{"https://portal.example/", "https://new.example/f"} {
		leads(to)
		for i := range 6 {
			if u := visit(time.Duration(i+1) * time.Hour); u != "https://old.example/f" {
				t.Fatalf("after %d hours of 301 to %s the feed lives at %s", i+1, to, u)
			}
		}
	}
	last := ""
	for day := range 9 {
		last = visit(time.Duration(day+1) * 24 * time.Hour)
	}
	if last != "https://new.example/f" {
		t.Errorf("after nine days of 301 to itself it lives at %s", last)
	}
}

// TestAttackN13: a cache that mixes up two feeds, validators and all, changes no
// item of either; what is right again is taken again.
func TestAttackN13(t *testing.T) {
	t.Run("named", func(t *testing.T) { swapTwo(t, true) })
	t.Run("nameless", func(t *testing.T) { swapTwo(t, false) })
}

// TestOneFeedTwice: one feed under two addresses goes on in both, also when it
// has nothing but news.
func TestOneFeedTwice(t *testing.T) {
	web := newFakeWeb()
	base := readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
	both := []string{"https://left.example/f", "https://right.example/f"}
	serve := func(n string) {
		for _, u := range both {
			web.serve(u, "text/xml", rssOf("Twin", n+"|Number "+n+"|"+ago(time.Hour)+"|text "+n))
		}
	}
	var feeds []FeedID
	serve("1")
	for _, u := range both {
		feeds = append(feeds, add(t, base, u, SubscribeOptions{}).Feed.Key)
	}
	serve("2")
	for _, id := range feeds { // one after the other has filed
		rep, err := base.At(time.Now().Add(2*time.Hour)).Fetch(t.Context(), FetchRequest{Feeds: []FeedID{id}}, nil)
		if err != nil || rep.New != 1 || rep.Failed != 0 {
			t.Errorf("%+v, %v", rep, err)
		}
	}
}

// swapTwo gives each of two feeds what the other brought, and takes it back. Named
// ones say of themselves who they are.
func swapTwo(t *testing.T, named bool) {
	web := newFakeWeb()
	base := readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
	docs, feeds := map[string]string{}, map[string]FeedID{}
	for _, name := range []string{"left", "right"} {
		u := "https://" + name + ".example/f"
		self := ""
		if named {
			self = `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="` + u + `"/>`
		}
		docs[name] = strings.Replace(rssOf(name, name+"1|"+name+" one|"+ago(time.Hour)+"|x", name+"2|"+name+" two|"+ago(2*time.Hour)+"|x"), "<channel>",
			"<channel>"+self, 1)
		web.serve(u, "text/xml", docs[name])
		feeds[name] = add(t, base, u, SubscribeOptions{}).Feed.Key
	}
	fetch := func(hours int) FetchReport {
		r := base.At(time.Now().Add(time.Duration(hours) * time.Hour))
		rep, err := r.Fetch(t.Context(), FetchRequest{Feeds: []FeedID{feeds["left"], feeds["right"]}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	web.serve("https://left.example/f", "text/xml", docs["right"])
	web.serve("https://right.example/f", "text/xml", docs["left"])
	if rep := fetch(2); rep.New != 0 || rep.Failed != 2 {
		t.Errorf("swapped: %d new, %d failed", rep.New, rep.Failed)
	}
	for _, name := range []string{"left", "right"} {
		web.serve("https://"+name+".example/f", "text/xml", docs[name])
	}
	if rep := fetch(4); rep.New != 0 || rep.Failed != 0 {
		t.Errorf("and back: %d new, %d failed", rep.New, rep.Failed)
	}
	if all, err := base.Totals(t.Context()); err != nil || all.Items != 4 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestAttackI5: a feed that flips between two versions, one of them empty of what
// the other has, loses nothing and never makes unread what was read.
func TestAttackI5(t *testing.T) {
	web := newFakeWeb()
	base := readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
	const u = "https://flip.example/f"
	var old, young []string
	for i := range 10 {
		old = append(old, fmt.Sprintf("o%d|Old %d|%s|x", i, i, ago(time.Duration(i+20)*time.Hour)))
		young = append(young, fmt.Sprintf("y%d|Young %d|%s|x", i, i, ago(time.Duration(i+1)*time.Hour)))
	}
	versions := []string{rssOf("Flip", append(young, old[:3]...)...), rssOf("Flip", old...), rssOf("Flip")}
	web.serve(u, "text/xml", versions[0])
	s := add(t, base, u, SubscribeOptions{AllUnread: true})
	flips := 60
	for i := range flips {
		r := base.At(time.Now().Add(time.Duration(i+1) * 2 * time.Hour))
		web.serve(u, "text/xml", versions[i%3])
		if _, err := r.Fetch(t.Context(), FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil); err != nil {
			t.Fatal(err)
		}
		rows, err := r.Rows(t.Context(), Query{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]ItemID, len(rows))
		for j := range rows {
			ids[j] = rows[j].ID
			if rows[j].Flags&FlagRead == 0 && i > 2 {
				t.Fatalf("flip %d: %s is unread again", i, rows[j].Title)
			}
		}
		if i == 2 {
			if _, err := r.Mark(t.Context(), MarkRead, "here", ids, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	if all, err := base.Totals(t.Context()); err != nil || all.Items != 20 || all.Unread != 0 {
		t.Errorf("after %d flips: %+v, %v", flips, all, err)
	}
}

// TestProbesAreFewAndAllowed is E12 and E16: a page that names no feed costs four
// guesses at most, none that robots.txt forbids, and none at a later fetch.
func TestProbesAreFewAndAllowed(t *testing.T) {
	for robots, want := range map[string]int{"": 4, "User-agent: *\nDisallow: /feed\nDisallow: /rss.xml\n": 2, "User-agent: *\nDisallow: /\n": 0} {
		web := newFakeWeb()
		r := readerWithWaits(t, web, Net{MinHostInterval: -1})
		web.serve("https://site.example/", "text/html", "<html><body>no feed</body></html>")
		if robots != "" {
			web.serve("https://site.example/robots.txt", "text/plain", robots)
		}
		if _, err := r.Finder().Look(t.Context(), "https://site.example/", false); err == nil {
			t.Error("a feed was found")
		}
		probes := 0
		for _, line := range web.requests() {
			if !strings.HasSuffix(line, ".example/") && !strings.HasSuffix(line, "/robots.txt") {
				probes++
			}
		}
		if probes != want {
			t.Errorf("%q: %d probes, want %d: %v", robots, probes, want, web.requests())
		}
	}
}
