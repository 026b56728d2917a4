package atom

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/reader/plain"
)

func listed(entries ...Entry) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func written(t *testing.T, h Head, entries ...Entry) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, h, listed(entries...)); err != nil {
		t.Fatal(err)
	}
	strictXML(t, b.Bytes())
	return b.Bytes()
}

// strictXML reads a document with a parser that takes no mistake.
func strictXML(t *testing.T, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%.2000q", err, doc)
		}
	}
}

var (
	spring = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	summer = time.Date(2026, 7, 8, 9, 10, 11, 0, time.FixedZone("", 7200))
	head   = Head{ID: "urn:uuid:00000000-0000-8000-8000-000000000000", Title: "The pier & <page>", Author: "Harbour", Updated: summer}
)

// cdata as text is taken off by feed.Parse, in the titles of any feed: it was a slip there.
const cdata = "<![CDATA[x]]>"

var hostileTexts = []string{
	"plain", "a <b>bold</b> & \"quoted\" 'title'", "]]>", cdata, "<!-- c -->", "<?xml version=\"1.1\"?>", "&amp;lt;", "&#0;&#x1b;",
	"\x00\x01\x1b[31mred\x07", "\u202eevil\u202c \u2066x\u2069", "\ufffe\uffff", "bad \xff\xfe utf8", "zero\u200bwidth", "\u0085\u2028\u2029", "😀 é 漢字 עברית",
	"</feed><script>alert(1)</script>", strings.Repeat("long ", 10_000), strings.Repeat("<", 5000), strings.Repeat("]]>", 3000),
}

// What is written is read again as it was: by the program's own parser.
func TestAtomRoundTrip(t *testing.T) {
	var in []Entry
	for i, s := range hostileTexts {
		if s == cdata {
			continue
		}
		var e Entry
		e.ID = "urn:uuid:00000000-0000-8000-8000-" + strings.Repeat("0", 10) + string([]byte{'0' + byte(i/10), '0' + byte(i%10)})
		e.Title, e.Author = plain.Line(s, feed.MaxTitle), plain.Line(s, 200)
		e.Link = "https://harbour.example/" + string(rune('a'+i)) + "?a=1&b=2"
		e.Published, e.Updated = spring.Add(time.Duration(i)*time.Hour), summer
		if e.Categories = []string{"boats", plain.Line(s, 100)}; e.Categories[1] == "" {
			e.Categories = e.Categories[:1]
		}
		e.Enclosures = []feed.Enclosure{{URL: "https://harbour.example/a.mp3?x=1&y=2", Type: "audio/mpeg"}}
		e.ContentHTML = strings.TrimSpace(plain.HTML("<p>There are <del>3</del> <ins>4</ins> boats: "+s, feed.MaxItem))
		in = append(in, e)
	}
	doc := written(t, head, in...)
	got, err := feed.Parse(feed.Input{Body: doc, ContentType: "application/atom+xml", URL: "https://reader.example/f.atom"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Problems) > 0 || got.Format != "Atom 1.0" || got.Title != head.Title || len(got.Items) != len(in) {
		t.Fatalf("%s %q, %d items of %d, problems %q", got.Format, got.Title, len(got.Items), len(in), got.Problems)
	}
	for i, want := range in {
		it := got.Items[i]
		if it.IDRaw != want.ID || it.Title != want.Title || it.Link != want.Link || want.Author != "" && it.Author != want.Author {
			t.Errorf("%d: %q %.80q %q %.80q, want %q %.80q %q %.80q", i, it.IDRaw, it.Title, it.Link, it.Author, want.ID, want.Title, want.Link, want.Author)
		}
		if !it.Published.Equal(want.Published) || !it.Updated.Equal(want.Updated) {
			t.Errorf("%d: %v %v, want %v %v", i, it.Published, it.Updated, want.Published, want.Updated)
		}
		if !slices.Equal(it.Categories, want.Categories) || !slices.Equal(it.Enclosures, want.Enclosures) {
			t.Errorf("%d: %.200q %v, want %.200q %v", i, it.Categories, it.Enclosures, want.Categories, want.Enclosures)
		}
		if it.ContentHTML != want.ContentHTML {
			t.Errorf("%d: text %.300q, want %.300q", i, it.ContentHTML, want.ContentHTML)
		}
	}
}

// What a careless caller hands over is cleaned and bounded here as well.
func TestAtomSanitises(t *testing.T) {
	for _, s := range hostileTexts {
		e := Entry{ID: "urn:x", Source: s, SourceID: "urn:y"}
		e.Title, e.Author, e.Categories, e.ContentHTML, e.SummaryHTML = s, s, []string{s, s}, s, s
		e.Link, e.Enclosures = "javascript:alert(1)", []feed.Enclosure{{URL: "file:///etc/passwd"}, {URL: "https://a.example/" + s, Type: s, Title: s, Length: -1}}
		doc := string(written(t, Head{ID: "urn:z", Title: s, Author: s}, e))
		for _, bad := range []string{"javascript:", "file:", "<script", "\x1b", "\u202e", "\x00", "\u2066", `length="-`} {
			if strings.Contains(doc, bad) {
				t.Errorf("%.60q: %q is left", s, bad)
			}
		}
	}
	e := Entry{ID: "urn:x"}
	e.ContentHTML = `<p onclick="x()">a<script>alert(1)</script><a href="javascript:x()">b</a></p>`
	e.SummaryHTML = "<p>There are <del>3</del> <ins>4</ins> boats</p>\n<p>[a] &lt;b&gt;</p>"
	doc := string(written(t, Head{ID: "urn:z"}, e))
	if strings.Contains(doc, "onclick") || strings.Contains(doc, "alert") || strings.Contains(doc, "javascript") {
		t.Errorf("acts: %s", doc)
	}
	if !strings.Contains(doc, "<summary type=\"text\">There are [-3-] {+4+} boats&#xA;&#xA;[a] &lt;b&gt;</summary>") {
		t.Errorf("the change as text: %s", doc)
	}
	e.Enclosures = []feed.Enclosure{{URL: "https://a.example/a.mp3?x=1&y=2", Type: "audio/mpeg", Title: "Part \"1\"", Length: 7_000_000}}
	if doc := string(written(t, Head{ID: "urn:z"}, e)); !strings.Contains(doc, `href="https://a.example/a.mp3?x=1&amp;y=2" type="audio/mpeg" title="Part &#34;1&#34;" length="7000000">`) {
		t.Errorf("an enclosure: %s", doc)
	}
	if !strings.Contains(doc, "<updated>1970-01-01T00:00:00Z</updated>") {
		t.Errorf("a feed without a time: %s", doc)
	}
	long := Entry{ID: "urn:x"}
	long.ContentHTML = strings.Repeat("<p>word</p>", feed.MaxItem/5)
	long.Updated = time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)
	if n := len(written(t, Head{ID: "urn:z"}, long)); n > 4*feed.MaxItem {
		t.Errorf("%d bytes", n)
	}
}

func TestAtomIsStable(t *testing.T) {
	e := Entry{ID: "urn:x", Entry: feed.Entry{Title: "a", Published: spring, Updated: summer, ContentHTML: "<p>b</p>"}}
	if a, b := written(t, head, e, e), written(t, head, e, e); !bytes.Equal(a, b) {
		t.Errorf("%s\n%s", a, b)
	}
	e.Updated = summer.Add(300 * time.Millisecond).In(time.FixedZone("", -3600))
	if a, b := written(t, head, e), written(t, head, Entry{ID: "urn:x", Entry: feed.Entry{Title: "a", Published: spring, Updated: summer, ContentHTML: "<p>b</p>"}}); !bytes.Equal(a, b) {
		t.Error("a zone or a part of a second makes a difference")
	}
}

type smallDisk struct{ left int }

var errFull = errors.New("no space left")

func (f *smallDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestAtomErrors(t *testing.T) {
	e := Entry{ID: "urn:x", Entry: feed.Entry{Title: "a"}}
	whole := len(written(t, head, e))
	for n := range whole {
		if err := Write(&smallDisk{n}, head, listed(e)); !errors.Is(err, errFull) {
			t.Fatalf("room for %d of %d bytes: %v", n, whole, err)
		}
	}
	broken := errors.New("broken")
	err := Write(io.Discard, head, func(yield func(Entry, error) bool) { _ = yield(e, nil) && yield(Entry{}, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
