package feed

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// TestCharsetWithoutAName: where neither header nor document names an encoding and
// nothing speaks for another, the answer is that of the Encoding Standard, for UTF-8 and for what is not.
func TestCharsetWithoutAName(t *testing.T) {
	doc := func(title string) []byte {
		return []byte(`<rss version="2.0"><channel><title>` + title + `</title></channel></rss>`)
	}
	for name, title := range map[string]string{"ASCII": "plain", "UTF-8": "日本語 é", "Latin-1": "caf\xe9 \xdcber", "Windows-1252": "it\x92s \x93x\x94 \x80"} {
		enc, _, _ := charset.DetermineEncoding(doc(title), "")
		said, err := enc.NewDecoder().String(title)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Parse(Input{Body: doc(title)})
		if want := line(said, MaxTitle); err != nil || d.Title != want {
			t.Errorf("%s: %q, %v, want %q", name, d.Title, err, want)
		}
	}
}

// TestASCIIIsNoDamage: signs with which encodings of seven bits begin a change of
// alphabet are text where nothing says so.
func TestASCIIIsNoDamage(t *testing.T) {
	for _, title := range []string{"a ~{ b", "a \x1b$ b"} {
		d, err := Parse(Input{Body: []byte(`<rss version="2.0"><channel><title>` + title + `</title></channel></rss>`)})
		if err != nil || d.Charset != "utf-8" || slices.ContainsFunc(d.Problems, func(s string) bool { return strings.Contains(s, "UTF-8") }) {
			t.Errorf("%q: %s, %q, %v", title, d.Charset, d.Problems, err)
		}
	}
}

// TestUnnamedCharset: charsets are recognised by their looks where nobody names them, or UTF-8 is named
// wrongly; a named one is believed.
func TestUnnamedCharset(t *testing.T) {
	texts := map[string]string{"shift_jis": "ゲームのはなしをする。日本語の題とカタカナ", "euc-jp": "ゲームのはなしをする。日本語の題とカタカナ", "koi8-u": "Привет, мир!"}
	for want, enc := range map[string]encoding.Encoding{"shift_jis": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "koi8-u": charmap.KOI8U} {
		text := texts[want]
		for _, said := range []string{"", ` encoding="utf-8"`} {
			doc, err := enc.NewEncoder().String(`<?xml version="1.0"` + said + `?><rss version="2.0"><channel><title>` + text + `</title></channel></rss>`)
			if err != nil {
				t.Fatal(err)
			}
			if d, err := Parse(Input{Body: []byte(doc)}); err != nil || d.Title != text || d.Charset != want {
				t.Errorf("%s, said%s: %q in %s, %v", want, said, d.Title, d.Charset, err)
			}
			if d, err := Parse(Input{Body: []byte(doc), ContentType: "text/xml; charset=windows-1251"}); err != nil || d.Charset != "windows-1251" {
				t.Errorf("named otherwise it is read as %s, %v", d.Charset, err)
			}
		}
	}
}

// TestMembersOfTheWrongKind: of a JSON Feed only the item is lost that is none,
// and an author may be an object, a list or a name.
func TestMembersOfTheWrongKind(t *testing.T) {
	d, err := Parse(Input{Body: []byte(`{"version":"https://jsonfeed.org/version/1.1","title":["T"],"home_page_url":7,"authors":"Whole","items":[
{"id":"1","title":"a","author":"Ann"},{"id":"2","title":"b","author":{"name":"Bo"}},{"id":"3","title":"c","authors":[{"name":"Cy"},"Di",5]},
17,"x",null,[],{"id":"4","title":{"x":1},"content_text":"d","tags":"one","attachments":{"url":"u"},"date_published":12}, {"id":5.5,"title":"e","summary":false}]}`)})
	if err != nil || len(d.Items) != 5 {
		t.Fatalf("%d items, %v", len(d.Items), err)
	}
	for i, author := range []string{"Ann", "Bo", "Cy"} {
		if !strings.HasPrefix(d.Items[i].Author, author) {
			t.Errorf("item %d is by %q", i, d.Items[i].Author)
		}
	}
	if d.Partial || d.Items[3].ContentHTML == "" || d.Items[4].Title != "e" {
		t.Errorf("%+v", d.Items[3:])
	}
}

// TestBaseLadder: a relative address is resolved against xml:base, that against
// Content-Location, that against the address that answered, which is always known
// of a feed that was fetched.
func TestBaseLadder(t *testing.T) {
	body := func(attrs string) []byte {
		return []byte(`<rss version="2.0"` + attrs + `><channel><title>T</title><link>http://site.example/s/</link><item><guid>1</guid><link>i</link><enclosure url="e.mp3"/><description>&lt;a href="h"&gt;x&lt;/a&gt;&lt;img src="p"&gt;</description></item></channel></rss>`)
	}
	for _, c := range []struct{ attrs, url, location, want string }{
		{"", "http://a.example/x/feed", "", "http://a.example/x/"},
		{"", "http://a.example/x/feed", "/y/feed", "http://a.example/y/"},
		{"", "http://a.example/x/feed", "http://c.example/z/", "http://c.example/z/"},
		{` xml:base="b/"`, "http://a.example/x/feed", "/y/feed", "http://a.example/y/b/"},
		{` xml:base="http://b.example/"`, "http://a.example/x/feed", "/y/feed", "http://b.example/"},
	} {
		d, err := Parse(Input{Body: body(c.attrs), URL: c.url, ContentLocation: c.location})
		if err != nil || len(d.Items) != 1 {
			t.Fatal(err)
		}
		it := d.Items[0]
		if it.Link != c.want+"i" || it.Enclosures[0].URL != c.want+"e.mp3" || !strings.Contains(it.ContentHTML, `"`+c.want+`h"`) || !strings.Contains(it.ContentHTML, `"`+c.want+`p"`) {
			t.Errorf("%q %q %q: %q, %q, %s, want %s", c.attrs, c.url, c.location, it.Link, it.Enclosures[0].URL, it.ContentHTML, c.want)
		}
	}
}

// TestFieldsStandIn: what an item lacks is taken from the modules and formats in
// which publishers write it instead.
func TestFieldsStandIn(t *testing.T) {
	const head = `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>T</title><item>`
	day := time.Date(2021, 9, 6, 12, 0, 0, 0, time.UTC)
	for in, is := range map[string]func(Entry) bool{
		"<dc:title>x</dc:title>":                                               func(i Entry) bool { return i.Title == "x" },
		"<media:title>x</media:title>":                                         func(i Entry) bool { return i.Title == "x" },
		"<atom:title>x</atom:title>":                                           func(i Entry) bool { return i.Title == "x" },
		"<dc:creator>x</dc:creator>":                                           func(i Entry) bool { return i.Author == "x" },
		"<itunes:author>x</itunes:author>":                                     func(i Entry) bool { return i.Author == "x" },
		"<atom:author><atom:name>x</atom:name></atom:author>":                  func(i Entry) bool { return i.Author == "x" },
		"<dc:date>2021-09-06T12:00:00Z</dc:date>":                              func(i Entry) bool { return i.Published.Equal(day) },
		"<dcterms:issued>2021-09-06T12:00:00Z</dcterms:issued>":                func(i Entry) bool { return i.Published.Equal(day) },
		"<atom:published>2021-09-06T12:00:00Z</atom:published>":                func(i Entry) bool { return i.Published.Equal(day) },
		"<dcterms:modified>2021-09-06T12:00:00Z</dcterms:modified>":            func(i Entry) bool { return i.Updated.Equal(day) },
		"<content:encoded>x</content:encoded><description>s</description>":     func(i Entry) bool { return i.ContentHTML == "x" && i.SummaryHTML == "s" },
		"<media:description>x</media:description>":                             func(i Entry) bool { return strings.Contains(i.ContentHTML+i.SummaryHTML, "x") },
		"<dc:description>x</dc:description>":                                   func(i Entry) bool { return strings.Contains(i.ContentHTML+i.SummaryHTML, "x") },
		"<guid>http://a.example/x</guid>":                                      func(i Entry) bool { return i.Link == "http://a.example/x" },
		"<dc:identifier>urn:x:1</dc:identifier><link>/1</link>":                func(i Entry) bool { return i.IDRaw == "urn:x:1" && i.Link == "http://a.example/1" },
		"<dc:identifier>http://a.example/x</dc:identifier>":                    func(i Entry) bool { return i.Link == "http://a.example/x" },
		"<dc:identifier>urn:x:1</dc:identifier><guid>g</guid>":                 func(i Entry) bool { return i.IDRaw == "g" },
		"<author><p>Ann <b>Lee</b></p></author>":                               func(i Entry) bool { return i.Author == "Ann Lee" },
		"<author><uri>http://a.example/ann</uri></author>":                     func(i Entry) bool { return i.Author == "" },
		`<guid isPermaLink="false">http://a.example/x</guid>`:                  func(i Entry) bool { return i.IDRaw == "http://a.example/x" },
		`<atom:link href="http://a.example/x"/>`:                               func(i Entry) bool { return i.Link == "http://a.example/x" },
		`<title>t</title><enclosure url="http://a.example/x" type="audio/m"/>`: func(i Entry) bool { return i.Link == "http://a.example/x" },
		`<media:content url="http://a.example/x" type="image/png"/>`:           func(i Entry) bool { return len(i.Enclosures) == 1 && i.Enclosures[0].URL == "http://a.example/x" },
	} {
		d, err := Parse(Input{Body: []byte(head + in + "</item></channel></rss>"), URL: "http://a.example/feed", Now: day.AddDate(1, 0, 0)})
		if err != nil || len(d.Items) != 1 || !is(d.Items[0]) {
			t.Errorf("%s: %+v, %v", in, d.Items, err)
		}
	}
}

// TestLanguage: a document's own word counts, then the server's, and a blank one
// is one.
func TestLanguage(t *testing.T) {
	for _, c := range []struct{ body, header, want string }{
		{`<rss version="2.0"><channel><title>T</title><language>de</language></channel></rss>`, "en", "de"},
		{`<rss version="2.0"><channel><title>T</title></channel></rss>`, "pt_BR, en", "pt-BR"},
		{`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><title>T</title></feed>`, "en", "fr"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title></feed>`, "", ""},
		{`{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[]}`, "en", "en"},
		{`{"version":"https://jsonfeed.org/version/1.1","title":"T","language":"nl","items":[]}`, "en", "nl"},
	} {
		if d, err := Parse(Input{Body: []byte(c.body), ContentLanguage: c.header}); err != nil || d.Language != c.want {
			t.Errorf("%s, %q: %q, want %q, %v", c.body, c.header, d.Language, c.want, err)
		}
	}
}

// TestSlipsOfPublishers: a module's address with a slip in it, and elements that
// come twice.
func TestSlipsOfPublishers(t *testing.T) {
	d, err := Parse(Input{Body: []byte(`<rss version="2.0" xmlns:dc="https://purl.org/dc/elements/1.1#" xmlns:Content="http://purl.org/rss/1.0/content" xmlns:own="http://a.example/ns"><channel><title>T</title><item>
<dc:creator>Ann</dc:creator><own:creator>Bo</own:creator><Content:encoded>&lt;p>x&lt;/p></Content:encoded><guid>1</guid>
<pubDate>Mon, 06 Sep 2021 12:34:56 GMT</pubDate><pubDate>no date</pubDate><pubDate>Tue, 07 Sep 2021 12:34:56 GMT</pubDate></item></channel></rss>`)})
	if err != nil || len(d.Items) != 1 {
		t.Fatal(err)
	}
	if it := d.Items[0]; it.Author != "Ann" || it.ContentHTML != "<p>x</p>" || it.Published.Day() != 7 {
		t.Errorf("%+v", it)
	}
}
