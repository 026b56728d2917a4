package feed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const full = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>
<title>A &amp; B</title><link>http://example.org/</link><description>About</description><language>en_GB</language><ttl>90</ttl>
<atom:link rel="self" href="feed.xml"/><sy:updateFrequency>4</sy:updateFrequency><sy:updatePeriod>daily</sy:updatePeriod>
<skipHours><hour>0</hour><hour>24</hour><hour>7</hour></skipHours><skipDays><day>Sunday</day></skipDays>
<image><title>logo</title><url>/logo.png</url></image>
<item><title>One &lt;b&gt;bold&lt;/b&gt; &amp;amp; more</title><link>/1</link><guid isPermaLink="false"> id-1 </guid>
<dc:creator>Ann Example</dc:creator><pubDate>Mon, 06 Sep 2021 12:00:00 +0200</pubDate><category>x</category><category>y</category><category>x</category>
<enclosure url="a.mp3" length="12" type="audio/mpeg"/><description>short</description>
<content:encoded><![CDATA[<p>long <a href="/rel?a=1&amp;b=2">text</a> &#27;[31m<img src='pic.png' srcset="s.png 1x, l.png 2x"></p>]]></content:encoded></item>
<item><title>Two</title><guid>http://example.org/2</guid><author>bo@example.org (Bo Example)</author></item></channel></rss>`

func TestRSS(t *testing.T) {
	d, err := Parse(Input{Body: []byte(full), URL: "http://example.org/blog/feed"})
	if err != nil {
		t.Fatal(err)
	}
	want := Document{Format: "RSS 2.0", Charset: "utf-8", Title: "A & B", Link: "http://example.org/", Description: "About", Language: "en-GB",
		Self: "http://example.org/blog/feed.xml", Icon: "http://example.org/logo.png", TTL: 90 * time.Minute,
		SkipHours: []int{0, 0, 7}, SkipDays: []time.Weekday{time.Sunday}, UpdateEvery: 6 * time.Hour, Parser: Gofeed,
		Items: []Entry{{IDRaw: "id-1", Title: "One bold & more", Link: "http://example.org/1", Author: "Ann Example",
			Published: time.Date(2021, 9, 6, 10, 0, 0, 0, time.UTC), PublishedRaw: "Mon, 06 Sep 2021 12:00:00 +0200",
			Categories: []string{"x", "y"}, Enclosures: []Enclosure{{URL: "http://example.org/blog/a.mp3", Type: "audio/mpeg", Length: 12}},
			ContentHTML: `<p>long <a href="http://example.org/rel?a=1&amp;b=2">text</a> [31m<img src='http://example.org/blog/pic.png' srcset="http://example.org/blog/s.png 1x, http://example.org/blog/l.png 2x"></p>`,
			SummaryHTML: "short", Words: 3},
			{IDRaw: "http://example.org/2", Title: "Two", Link: "http://example.org/2", Author: "Bo Example"}}}
	for i := range want.Items {
		if !reflect.DeepEqual(d.Items[i], want.Items[i]) {
			t.Errorf("item %d:\n%+v, want\n%+v", i, d.Items[i], want.Items[i])
		}
	}
	d.Items, want.Items = nil, nil
	if !reflect.DeepEqual(d, want) {
		t.Errorf("%+v, want\n%+v", d, want)
	}
}

func TestAtom(t *testing.T) {
	d, err := Parse(Input{URL: "http://example.org/feed", Body: []byte(`<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="/blog/">
<a:title type="html">T &amp;lt;b&gt; x</a:title><a:link href="."/><a:link rel="self" href="atom.xml"/><a:author><a:name>Whole</a:name></a:author>
<a:entry xml:base="2021/"><a:id>urn:1</a:id><a:title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">An <em>X</em> &lt; Y</div></a:title>
<a:link rel="alternate" type="application/json" href="1.json"/><a:link rel="alternate" type="text/html" href="1"/><a:link rel="enclosure" href="1.mp3" type="audio/mpeg"/>
<a:updated>2021-09-06T12:00:00Z</a:updated><a:category term="t" label="Label"/><a:author><a:name>Ann</a:name></a:author>
<a:content type="xhtml" xml:base="06/"><div xmlns="http://www.w3.org/1999/xhtml">a &lt; <img src="p.png"/> b</div></a:content><a:summary>5 &lt; 6</a:summary></a:entry>
<a:entry><a:id>http://example.org/x</a:id><a:title>Plain &lt;b&gt;</a:title><a:content>line
two</a:content></a:entry></a:feed>`)})
	if err != nil || len(d.Items) != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	if d.Format != "Atom 1.0" || d.Title != "T <b> x" || d.Link != "http://example.org/blog/" || d.Language != "de" || d.Self != "http://example.org/blog/atom.xml" {
		t.Errorf("%+v", d)
	}
	it := d.Items[0]
	if it.Title != "An X < Y" || it.Link != "http://example.org/blog/2021/1" || it.Author != "Ann" || it.Categories[0] != "Label" ||
		it.Enclosures[0].URL != "http://example.org/blog/2021/1.mp3" || it.Updated.IsZero() || !it.Published.IsZero() ||
		!strings.Contains(it.ContentHTML, `a &lt; <img src="http://example.org/blog/2021/06/p.png"/>`) || it.SummaryHTML != "5 &lt; 6" {
		t.Errorf("%+v", it)
	}
	if it = d.Items[1]; it.Title != "Plain <b>" || it.Link != "http://example.org/x" || it.ContentHTML != "<p>line<br>two</p>" {
		t.Errorf("%+v", it)
	}
}

func TestRDFAndOthers(t *testing.T) {
	for name, c := range map[string]struct{ body, format string }{
		"RDF": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>T</title>
<items><rdf:Seq><rdf:li rdf:resource="u"/></rdf:Seq></items></channel><item rdf:about="http://example.org/1"><title>one</title><link>http://example.org/1</link></item></rdf:RDF>`, "RSS 1.0"},
		"RSS 0.90": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>T</title></channel><item><title>one</title><link>http://example.org/1</link></item></rdf:RDF>`, "RSS 0.90"},
		"RSS 0.91": {`<rss version="0.91"><channel><title>T</title><item><title>one</title><link>http://example.org/1</link></item></channel></rss>`, "RSS 0.91"},
		"Atom 0.3": {`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title><entry><title>one</title><link rel="alternate" href="http://example.org/1"/></entry></feed>`, "Atom 0.3"},
		"JSON":     {`{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","title":"one","url":"http://example.org/1"}]}`, "JSON Feed 1.1"},
		"entities": {`<!DOCTYPE rss [<!ENTITY o "one"><!ENTITY h "http://example.org">]><rss version="2.0"><channel><title>T</title><item><title>&o;</title><link>&h;/1</link></item></channel></rss>`, "RSS 2.0"},
	} {
		d, err := Parse(Input{Body: []byte(c.body)})
		if err != nil || d.Format != c.format || d.Title != "T" || len(d.Items) != 1 || d.Items[0].Title != "one" || d.Items[0].Link != "http://example.org/1" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

func TestEncodings(t *testing.T) {
	doc := func(declared, title string) string {
		if declared != "" {
			declared = ` encoding="` + declared + `"`
		}
		return `<?xml version="1.0"` + declared + `?><rss version="2.0"><channel><title>` + title + `</title></channel></rss>`
	}
	latin, _ := charmap.Windows1252.NewEncoder().String(doc("iso-8859-1", "Größe “x”"))
	russian, _ := charmap.Windows1251.NewEncoder().String(doc("", "Привет"))
	sjis, _ := japanese.ShiftJIS.NewEncoder().String(doc("Shift_JIS", "日本語"))
	jis, _ := japanese.ISO2022JP.NewEncoder().String(doc("iso-2022-jp", "日本語"))
	wide := func(e xunicode.Endianness, bom xunicode.BOMPolicy) string {
		s, _ := xunicode.UTF16(e, bom).NewEncoder().String(doc("utf-16", "日本語"))
		return s
	}
	wider, _ := utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewEncoder().String(doc("utf-32", "日本語"))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, doc("", "日本語"))
	z.Close()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ body, contentType, want string }{
		"UTF-8":                     {doc("utf-8", "日本語"), "", "日本語"},
		"byte order mark":           {"\xef\xbb\xbf" + doc("", "日本語"), "", "日本語"},
		"legacy said, UTF-8 sent":   {doc("iso-8859-1", "日本語"), "text/xml; charset=windows-1252", "日本語"},
		"Latin-1, really 1252":      {latin, "", "Größe “x”"},
		"UTF-8 said, Latin-1 sent":  {strings.Replace(latin, "iso-8859-1", "utf-8", 1), "", "Größe “x”"},
		"header only":               {russian, "text/xml; charset=windows-1251", "Привет"},
		"declaration before header": {sjis, "text/xml; charset=utf-8", "日本語"},
		"ISO-2022-JP":               {jis, "", "日本語"},
		"UTF-16 with mark":          {wide(xunicode.LittleEndian, xunicode.UseBOM), "", "日本語"},
		"UTF-16 without":            {wide(xunicode.BigEndian, xunicode.IgnoreBOM), "", "日本語"},
		"UTF-32":                    {wider, "", "日本語"},
		"one bad byte":              {doc("utf-8", "日本語 caf\xe9"), "", "日本語 café"},
		"C1 characters":             {doc("utf-8", "it\u0092s"), "", "it’s"},
		"C1 references":             {doc("utf-8", "it&#146;s"), "", "it’s"},
		"encoded twice":             {doc("utf-8", "itâ\u0080\u0099s"), "", "it’s"},
		"gzip file":                 {packed.String(), "", "日本語"},
		"zstd file":                 {string(enc.EncodeAll([]byte(doc("", "日本語")), nil)), "", "日本語"},
		"escape sequences":          {doc("", "a\x1b[31mb&#27;]0;x&#7;c"), "", "abc"},
		"nested escape reference":   {doc("", "a&amp;amp;#27;[31mb"), "", "a&#27;[31mb"},
		"bidirectional override":    {doc("", "a&#8238;b\u202ec"), "", "abc"},
	} {
		d, err := Parse(Input{Body: []byte(c.body), ContentType: c.contentType})
		if err != nil || d.Title != c.want {
			t.Errorf("%s: %q, %v, want %q", name, d.Title, err, c.want)
		}
	}
}

func TestDiscover(t *testing.T) {
	page := `<html><head><base href="http://example.org/sub/"><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">
<link rel="Alternate" type="application/atom+xml; charset=utf-8" href="atom.xml" title="Main &amp; all"><link rel=alternate type="application/json" href="/wp-json/x">
<link rel="stylesheet" type="text/css" href="x.css"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
<link rel="alternate" type="application/feed+json" href="feed://example.org/feed.json"></head><body><a rel="alternate" type="application/rss+xml" href="//other.example/r">r</a>
<a href="/feed">no</a></body>`
	got := Discover([]byte(page), "http://example.com/")
	want := []Candidate{
		{"http://example.org/sub/atom.xml", "Main & all", "application/atom+xml"},
		{"http://example.org/feed.json", "", "application/feed+json"},
		{"http://other.example/r", "", "application/rss+xml"},
		{"http://example.org/comments/feed", "Comments", "application/rss+xml"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// FuzzParse holds Parse to its promises: no panic, limits kept, no control
// character in any text, the same answer twice.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full), "text/xml; charset=utf-8")
	f.Add([]byte(wellFormed), "")
	f.Add([]byte(`{"version":"https://jsonfeed.org/version/1","items":[{"id":1,"tags":["a"],"attachments":[{"url":"x"}],"author":{"name":"n"}}]}`), "")
	f.Add(atom(`<entry xml:base="x"><content type="xhtml"><div>&lt;</div></content><link href="y"/></entry>`), "x")
	f.Add([]byte("<!DOCTYPE r [<!ENTITY a '&#27;&b;'>]><rss><item><title>&a;</title>"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		in := Input{Body: body, ContentType: contentType, URL: "http://example.org/a/b?c", Now: time.Unix(1_600_000_000, 0)}
		d, err := Parse(in)
		if again, _ := Parse(in); !reflect.DeepEqual(d, again) {
			t.Fatal("two answers")
		}
		if err != nil && !reflect.DeepEqual(d, Document{}) {
			t.Fatalf("an error and a document: %v", err)
		}
		for _, it := range d.Items {
			if msg := bounded(it); msg != "" {
				t.Fatalf("too long: %s", msg)
			}
			for _, s := range []string{it.Title, it.Link, it.Author, it.ContentHTML, it.SummaryHTML, it.PublishedRaw, it.Comments, strings.Join(it.Categories, "")} {
				if i := strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' }); i >= 0 {
					t.Fatalf("control character in %q", s)
				}
			}
			if it.Published.After(in.Now) || it.Updated.After(in.Now) {
				t.Fatal("a date in the future")
			}
			if k := it.Identity().Keys(); k[2] == 0 {
				t.Fatal("an item without a key")
			}
		}
		Sniff(body, contentType)
		Discover(body, in.URL)
	})
}

func BenchmarkParse(b *testing.B) {
	var items strings.Builder
	for i := range 20 {
		fmt.Fprintf(&items, `<item><title>Headline number %d</title><link>http://example.org/%d</link><guid>http://example.org/%d</guid><pubDate>Mon, 06 Sep 2021 12:00:00 +0200</pubDate><content:encoded><![CDATA[%s]]></content:encoded></item>`,
			i, i, i, strings.Repeat(`<p>Some <a href="https://example.org/?a=1&amp;b=2">text</a> of an article &#8211; it&#8217;s fine.</p>`, 40))
	}
	body := rss(items.String())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(Input{Body: body, URL: "http://example.org/"}); err != nil {
			b.Fatal(err)
		}
	}
}
