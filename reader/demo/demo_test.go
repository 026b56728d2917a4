package demo

import (
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
)

var friday = time.Date(2026, 11, 20, 10, 49, 0, 0, time.FixedZone("", 3600))

func get(t *testing.T, w *Web, address, etag string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	res, err := w.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(b)
}

// Every feed is a document that a parser takes whole, with items that have an
// id, a link, a date and a text.
func TestFeedsAreFeeds(t *testing.T) {
	w := NewWeb(friday)
	w.SetNow(friday.AddDate(0, 0, -20)) // before any of them got into trouble
	kinds := map[string]bool{}
	for _, f := range Feeds() {
		res, body := get(t, w, f.URL, "")
		if res.StatusCode != 200 {
			t.Errorf("%s: status %d", f.URL, res.StatusCode)
			continue
		}
		doc, err := gofeed.NewParser().Parse(strings.NewReader(body))
		if err != nil {
			t.Errorf("%s: %v", f.URL, err)
			continue
		}
		kinds[doc.FeedType+" "+doc.FeedVersion] = true
		if doc.Title != f.Title {
			t.Errorf("%s: title %q, want %q", f.URL, doc.Title, f.Title)
		}
		if len(doc.Items) < 2 {
			t.Errorf("%s: %d items", f.URL, len(doc.Items))
		}
		seen := map[string]bool{}
		for _, it := range doc.Items {
			if seen[it.GUID] && it.GUID != "" {
				t.Errorf("%s: id %q twice", f.URL, it.GUID)
			}
			seen[it.GUID] = true
			if it.Link == "" || it.PublishedParsed == nil || len(it.Content)+len(it.Description) < 60 {
				t.Errorf("%s: item %q lacks a link, a date or a text", f.URL, it.Title)
			}
		}
	}
	for _, k := range []string{"rss 2.0", "rss 1.0", "atom 1.0", "json https://jsonfeed.org/version/1.1"} {
		if !kinds[k] {
			t.Errorf("no feed is %s; there are %v", k, kinds)
		}
	}
}

// The texts show the article screen everything it can draw.
func TestTextsHaveEveryElement(t *testing.T) {
	var all strings.Builder
	for i := range publications() {
		p := &publications()[i]
		for _, it := range p.posts(friday, 500) {
			all.WriteString(it.html)
			if strings.ContainsAny(it.title, "{|}") || regexp.MustCompile(`\{[^{}]*\|[^{}]*\}`).MatchString(it.html) {
				t.Errorf("%s: a slot was not filled in %q", p.title, it.title)
			}
			if it.sound != "" {
				all.WriteString("<enclosure>")
			}
		}
	}
	for _, tag := range []string{"<h2>", "<h3>", "<ul>", "<ol>", "<dl>", "<blockquote>", "<pre>", "<table>", "<a href", " alt=", "<em>", "<strong>", "<code>", "<enclosure>"} {
		if !strings.Contains(all.String(), tag) {
			t.Errorf("no article has %s", tag)
		}
	}
}

// What was published stays published: a day later the same items are there
// with the same ids and dates, and new ones above them.
func TestTheWebOnlyGrows(t *testing.T) {
	for i := range publications() {
		p := &publications()[i]
		before, after := p.posts(friday, 500), p.posts(friday.Add(36*time.Hour), 500)
		at := map[string]time.Time{}
		for _, it := range after {
			at[it.id] = it.at
		}
		for _, it := range before {
			if it.at.After(friday) {
				t.Errorf("%s: %s is from the future", p.title, it.id)
			}
			if friday.Sub(it.at) < 40*24*time.Hour && !at[it.id].Equal(it.at) {
				t.Errorf("%s: %s was at %v and is at %v", p.title, it.id, it.at, at[it.id])
			}
		}
		if !slices.IsSortedFunc(after, func(a, b post) int { return b.at.Compare(a.at) }) {
			t.Errorf("%s: not newest first", p.title)
		}
	}
}

func TestAnswers(t *testing.T) {
	w := NewWeb(friday)
	w.SetNow(friday)
	const news = "https://harbour.example/news.xml"
	res, body := get(t, w, news, "")
	tag := res.Header.Get("Etag")
	if res.StatusCode != 200 || tag == "" || res.Header.Get("Cache-Control") == "" || len(body) < 1000 {
		t.Fatalf("status %d, etag %q, %d bytes", res.StatusCode, tag, len(body))
	}
	if res, body := get(t, w, news, tag); res.StatusCode != 304 || body != "" {
		t.Errorf("with its validator: status %d and %d bytes, want 304 and none", res.StatusCode, len(body))
	}
	w.SetNow(friday.AddDate(0, 0, 1))
	if res, _ := get(t, w, news, tag); res.StatusCode != 200 {
		t.Errorf("a day later: status %d, want 200", res.StatusCode)
	}
	w.SetNow(friday)
	if res, _ := get(t, w, "https://tides.example/rss.xml", ""); res.StatusCode != 404 {
		t.Errorf("the feed that is gone: status %d", res.StatusCode)
	}
	if res, _ := get(t, w, "https://oldharbour.example/feed", ""); res.StatusCode != 301 || res.Header.Get("Location") == "" {
		t.Errorf("the feed that moved: status %d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	w.SetNow(friday.AddDate(0, 0, -12))
	for _, u := range []string{"https://tides.example/rss.xml", "https://oldharbour.example/feed"} {
		if res, _ := get(t, w, u, ""); res.StatusCode != 200 {
			t.Errorf("%s twelve days ago: status %d", u, res.StatusCode)
		}
	}
	_, home := get(t, w, "https://harbour.example/", "")
	if !strings.Contains(home, `rel="alternate"`) || !strings.Contains(home, news) {
		t.Errorf("the home page names no feed: %.200s", home)
	}
	for host, want := range map[string]bool{"harbour.example": true, "tides.example": true, "nobody.example": false, "golang.org": false} {
		if w.Serves(host) != want {
			t.Errorf("the publisher serves %s: %v", host, !want)
		}
	}
	if res, _ := get(t, w, "https://nobody.example/", ""); res.StatusCode != 404 {
		t.Errorf("an unknown host: status %d", res.StatusCode)
	}
}

func TestPast(t *testing.T) {
	p := slices.Concat(Past(friday))
	n := map[Action]int{}
	subscribed := map[string]bool{}
	for i, m := range p {
		n[m.Do]++
		if i > 0 && m.At.Before(p[i-1].At) {
			t.Errorf("moment %d is before its forerunner", i)
		}
		if m.At.After(friday) || friday.Sub(m.At) > (Days+1)*24*time.Hour {
			t.Errorf("moment %d is at %v", i, m.At)
		}
		switch m.Do {
		case Subscribe, Watch:
			subscribed[m.Feed.Title] = true
		case Open, Save, Tag:
			if !subscribed[m.In] || m.Title == "" {
				t.Errorf("moment %d: %q in %q before it is subscribed to", i, m.Title, m.In)
			}
		}
	}
	if n[Look] < 2*Days-4 || n[Open] < 60 || n[Save] < 5 || n[Tag] < 3 || n[Fetch] < 2*Days-4 || n[Subscribe] != len(Feeds()) || n[Watch] != len(watchedPages()) {
		t.Errorf("a thin past: %v", n)
	}
	t.Logf("%d moments: %v", len(p), n)
}

// TestPastOfAnyDay: on any day, at any hour and in any zone what was before the day is
// the same, later by Shift, and the day follows on it.
func TestPastOfAnyDay(t *testing.T) {
	want, _ := Past(origin)
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 14*3600), time.FixedZone("", -11*3600), time.FixedZone("", 5*3600+1800)} {
		for _, at := range []time.Duration{0, 10 * time.Minute, 8 * time.Hour, 21*time.Hour + 30*time.Minute, 24*time.Hour - time.Second, 25*time.Hour - time.Second} {
			now := time.Date(2028, 2, 29, 0, 0, 0, 0, zone).Add(at)
			begin := now.Add(-at)
			if at > 24*time.Hour {
				now, begin = time.Date(2028, 3, 1, 0, 59, 59, 0, zone), time.Date(2028, 3, 1, 0, 0, 0, 0, zone)
			}
			before, today := Past(now)
			for i := range before {
				before[i].At = before[i].At.Add(-Shift(now)).UTC()
			}
			if !reflect.DeepEqual(before, want) {
				t.Fatalf("at %v: another past", now)
			}
			last := want[len(want)-1].At.Add(Shift(now))
			for _, m := range today {
				if m.At.Before(last) || m.At.After(now) || m.At.Before(begin.Add(-lastFetch)) {
					t.Errorf("at %v: %v at %v, after %v", now, m.Do, m.At, last)
				}
				last = m.At
			}
			if !slices.ContainsFunc(today, func(m Moment) bool { return m.Do == Fetch && !m.At.Before(now.Add(-lastFetch)) }) {
				t.Errorf("at %v there was no fetch of late", now)
			}
		}
	}
}

// TestPages: every watched page is there from the beginning, changes as often as
// it says, and is otherwise the same but for what it says of itself.
func TestPages(t *testing.T) {
	for _, p := range watchedPages() {
		w := NewWeb(friday)
		seen, last := 0, ""
		for at := friday.Add(-30 * 24 * time.Hour); !at.After(friday); at = at.Add(20 * time.Minute) {
			w.SetNow(at)
			res, body := get(t, w, p.url, "")
			if res.StatusCode == 503 && p.closedFor > 0 {
				continue
			}
			if res.StatusCode != 200 || !strings.Contains(body, "<title>"+p.title+"<") {
				t.Fatalf("%s at %v: %d", p.url, at, res.StatusCode)
			}
			if body = regexp.MustCompile(`served in 0.\d\d s`).ReplaceAllString(body, ""); body != last {
				seen, last = seen+1, body
			}
		}
		want := len(p.changes) + 1
		if p.last > 0 {
			want++
		}
		if seen != want {
			t.Errorf("%s: %d states, want %d", p.url, seen, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, s := range []string{"no colon\n# a\nb", "colour: red\n# a\nb", "skip: x\n# a\nb", "at: daily 25:00\n# a\nb", "title: x\n# alone"} {
		if _, err := parse(s); err == nil {
			t.Errorf("parse(%q) took it", s)
		}
	}
}

func TestFill(t *testing.T) {
	seed := uint64(1)
	for in, want := range map[string]string{
		"plain": "plain", "{a|a} b": "a b", "f() { return }": "f() { return }", "{": "{", "{ {x|x} }": "{ x }", "a | b": "a | b",
	} {
		if got := fill(in, &seed); got != want {
			t.Errorf("fill(%q) = %q, want %q", in, got, want)
		}
	}
}

// The reader of the samples comes with the coffee and late.
func TestLooks(t *testing.T) {
	for d := range 28 {
		day := time.Date(2026, 11, 2+d, 0, 0, 0, 0, time.UTC)
		from := [2]time.Duration{7*time.Hour + 20*time.Minute, 21*time.Hour + 10*time.Minute}
		for i, at := range looks(day) {
			if late := at.Sub(day) - from[i]; late < 0 || late >= 40*time.Minute {
				t.Errorf("%v is %v after %v", at, late, from[i])
			}
		}
	}
}
