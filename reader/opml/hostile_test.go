package opml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
)

// floods are documents made to be expensive, each near 2 MB; a scanner that looks
// at bytes more than a few times needs minutes for them.
func floods() map[string]string {
	const n = 2 << 20
	r := func(s string) string { return strings.Repeat(s, n/len(s)) }
	const start = "<opml><body>"
	return map[string]string{
		"deep":               start + r("<outline text='x'>") + "<outline xmlUrl='http://a.example/'/>",
		"deep, a feed each":  start + r("<outline text='x'><outline xmlUrl='http://a.example/'/>"),
		"open comments":      start + r("<!--"),
		"open declarations":  start + r("<!x["),
		"open instructions":  start + r("<?x "),
		"open CDATA":         start + r("<![CDATA["),
		"open tags":          start + r("<outline "),
		"open other tags":    start + r("<a "),
		"angles":             start + r("<"),
		"titles":             "<opml><head>" + r("<title><![CDATA["),
		"attributes":         start + "<outline " + r("a=\"b\" "),
		"attributes, odd":    start + "<outline " + r("a=\"b\"x "),
		"attributes, open":   start + "<outline " + r("a=\"b'c='"),
		"quotes":             start + "<outline text=\"" + r("\"x "),
		"blanks":             start + "<outline text=\"" + r("\"      "),
		"equals":             start + "<outline " + r("a = = "),
		"words":              start + "<outline " + r("a "),
		"slashes":            start + "<outline " + r("/"),
		"ends":               start + r("</outline>"),
		"ampersands":         start + "<outline text='" + r("&") + "' xmlUrl='http://a.example/'/>",
		"entities":           start + "<outline text='" + r("&amp;") + "' xmlUrl='http://a.example/'/>",
		"category":           start + "<outline category='" + r("a,/b") + "' xmlUrl='http://a.example/'/>",
		"one attribute":      start + "<outline x='" + r("y") + "' xmlUrl='http://a.example/'/>",
		"doctype":            "<!DOCTYPE opml [" + r("<!ENTITY a '&a;&a;'>") + "]>" + start + "<outline text='&a;' xmlUrl='http://a.example/'/>",
		"programs":           start + r("<outline xmlUrl='|x'/>"),
		"urls":               r("http://a.example/ x\n"),
		"urls, open quotes":  r("\"\n"),
		"urls, one line":     "http://a.example/ " + r("a\" "),
		"urls, backslashes":  "\"" + r("\\"),
		"urls, many tags":    "http://a.example/ " + r("a b "),
		"urls, own tags":     "http://a.example/ " + manyTags(20000),
		"category, own tags": start + "<outline category='" + strings.ReplaceAll(manyTags(20000), " ", ",") + "' xmlUrl='http://a.example/'/>",
	}
}

func manyTags(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "t%d ", i)
	}
	return b.String()
}

func TestFloodsEnd(t *testing.T) {
	for name, doc := range floods() {
		begin := time.Now()
		check(t, []byte(doc))
		// Not a measure of speed: quadratic work on 2 MB takes minutes.
		if d := time.Since(begin); d > 20*time.Second {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestTooManyFeeds(t *testing.T) {
	doc := "<opml><body>" + strings.Repeat("<outline xmlUrl='http://a.example/f'/>", MaxFeeds+7)
	l, err := ParseOPML([]byte(doc))
	if err != nil || len(l.Feeds) != MaxFeeds || len(l.Problems) != 1 || !strings.Contains(l.Problems[0], "7 more") {
		t.Errorf("%d feeds, %v, %v", len(l.Feeds), l.Problems, err)
	}
	l, err = ParseURLs([]byte(strings.Repeat("http://a.example/f\n", MaxFeeds+7)))
	if err != nil || len(l.Feeds) != MaxFeeds || len(l.Problems) != 1 || !strings.Contains(l.Problems[0], "7 more") {
		t.Errorf("%d feeds, %v, %v", len(l.Feeds), l.Problems, err)
	}
}

// TestBoundsLifted: a plain decoder of XML, which keeps none of the bounds, takes
// every feed of such a list and gives up the whole of one that is nested deeply.
func TestBoundsLifted(t *testing.T) {
	type outline struct {
		URL  string    `xml:"xmlUrl,attr"`
		Kids []outline `xml:"outline"`
	}
	read := func(doc string) (n int, err error) {
		var list struct {
			Kids []outline `xml:"body>outline"`
		}
		err = xml.Unmarshal([]byte(doc), &list)
		return len(list.Kids), err
	}
	if n, err := read("<opml><body>" + strings.Repeat("<outline xmlUrl='http://a.example/f'/>", MaxFeeds+7) + "</body></opml>"); n != MaxFeeds+7 || err != nil {
		t.Errorf("%d feeds, %v", n, err)
	}
	const depth = 20_000
	deep := "<opml><body>" + strings.Repeat("<outline>", depth) + "<outline xmlUrl='http://a.example/f'/>" + strings.Repeat("</outline>", depth) + "</body></opml>"
	if _, err := read(deep); err == nil {
		t.Error("the plain decoder reads a list of any depth")
	}
	if l, err := ParseOPML([]byte(deep)); err != nil || len(l.Feeds) != 1 {
		t.Errorf("%d feeds, %v", len(l.Feeds), err)
	}
}

// check parses b in both ways and holds what must be true of any List.
func check(t *testing.T, b []byte) {
	t.Helper()
	Sniff(b)
	fromOPML, err := ParseOPML(b)
	if err != nil && !errors.Is(err, ErrNotOPML) && !errors.Is(err, ErrTooLarge) {
		t.Fatal(err)
	}
	fromURLs, _ := ParseURLs(b)
	for _, l := range []List{fromOPML, fromURLs} {
		if len(l.Feeds) > MaxFeeds || len(l.Problems) > MaxFeeds+2 {
			t.Fatalf("%d feeds, %d problems", len(l.Feeds), len(l.Problems))
		}
		for _, f := range l.Feeds {
			if !strings.HasPrefix(f.URL, "http://") && !strings.HasPrefix(f.URL, "https://") {
				t.Fatalf("a feed at %q", f.URL)
			}
			for _, s := range append([]string{f.URL, f.Title, f.Site, f.Folder}, f.Tags...) {
				if strings.ContainsFunc(s, unicode.IsControl) {
					t.Fatalf("control characters in %q", s)
				}
			}
		}
		again(t, l)
	}
}

// again writes l and reads it back: the same feeds, stable after the first time.
func again(t *testing.T, l List) {
	t.Helper()
	if len(l.Feeds) == 0 || len(l.Feeds) > 2000 {
		return
	}
	now := time.Unix(1e9, 0)
	once := write(t, l, now)
	wellFormed(t, once)
	second, err := ParseOPML(once)
	if err != nil || len(second.Feeds) != len(l.Feeds) {
		t.Fatalf("%d feeds became %d (%v)", len(l.Feeds), len(second.Feeds), err)
	}
	if twice := write(t, second, now); !bytes.Equal(once, twice) {
		t.Fatalf("not stable:\n%s\n%s", once, twice)
	}
}

func FuzzParseOPML(f *testing.F) {
	f.Add([]byte(`<rdf:RDF xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Group><foaf:name>G</foaf:name><foaf:Agent><rss:channel rdf:about="http://a.example/f"/></foaf:Agent></foaf:Group>`))
	f.Add([]byte(opml(`<outline text="A/B"><outline text='x "y' p:q="1" category="a,&quot;b,c&quot;" xmlUrl=http://a.example/f?x=1&y=2/></outline>`)))
	f.Add([]byte("<outline text=\"\x1a\" title=\"x\" xmlUrl=\"http://a.example/"))
	f.Add([]byte("\xff\xfe<\x00o\x00u\x00t\x00l\x00i\x00n\x00e\x00"))
	f.Add([]byte(`<!DOCTYPE x [<!ENTITY a "b">]><outline xmlUrl="|x" filtercmd='y'/><!-- <![CDATA[`))
	for _, m := range fixtures(f, "opml") {
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, b) })
}

func FuzzParseURLs(f *testing.F) {
	f.Add([]byte("https://a.example/ tag \"two words\" \"~T\\\"\" !x # y\nquery:a:b\nexec:x\n\"filter:a:http://b.example/\""))
	for _, m := range fixtures(f, "urls") {
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, b)
		l, err := ParseURLs(b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteURLs(&out, l); err != nil {
			t.Fatal(err)
		}
		second, err := ParseURLs(out.Bytes())
		if err != nil || len(second.Feeds) != len(l.Feeds) || len(second.Queries) != len(l.Queries) || len(second.Refused) > 0 {
			t.Fatalf("%d feeds became %d, %d refused\n%s", len(l.Feeds), len(second.Feeds), len(second.Refused), out.Bytes())
		}
	})
}

// fixtures are small real files as seeds, none when they are not there.
func fixtures(f *testing.F, kind string) [][]byte {
	var out [][]byte
	paths, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "feeds", kind, "*", "*"))
	for _, p := range paths {
		if b, err := os.ReadFile(p); err == nil && len(b) < 2000 {
			out = append(out, b)
		}
	}
	return out
}
