package feed

import (
	"strings"
	"testing"
)

// TestAddressesNotSaid: an address that is empty or missing is none, not that of
// the feed, which an empty reference would name.
func TestAddressesNotSaid(t *testing.T) {
	for name, body := range map[string]string{
		"JSON": `{"version":"https://jsonfeed.org/version/1.1","home_page_url":"","items":[{"id":"1","url":" ","attachments":[{"url":""},{"mime_type":"a/b"}]}]}`,
		"RSS": `<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><link/><image><url/></image><itunes:image/>
<item><guid isPermaLink="false">1</guid><link/><comments/><enclosure url="" type="a/b"/><media:content medium="image"/><media:content url=" "><media:title/></media:content></item></channel></rss>`,
		"Atom": `<feed xmlns="http://www.w3.org/2005/Atom"><link href=""/><logo/><icon> </icon><entry><id>tag:1</id><link rel="enclosure"/><content src=""/></entry></feed>`,
	} {
		d, err := Parse(Input{Body: []byte(body), URL: "https://example.org/feed"})
		if err != nil || len(d.Items) != 1 {
			t.Fatalf("%s: %+v, %v", name, d, err)
		}
		it := d.Items[0]
		if all := d.Link + d.Self + d.Icon + strings.TrimPrefix(it.Link, "tag:1") + it.Comments; all != "" || len(it.Enclosures) != 0 {
			t.Errorf("%s: %q, %+v", name, all, it.Enclosures)
		}
	}
	if d, err := Parse(Input{Body: []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>x</title></entry></feed>`), URL: "https://example.org/feed"}); err != nil || d.Items[0].Link != "" {
		t.Errorf("neither id nor link: %+v, %v", d.Items, err)
	}
	// Without an address the next best is taken.
	d, err := Parse(Input{Body: []byte(`{"items":[{"id":"1","external_url":"x"}]}`), URL: "https://example.org/feed"})
	if err != nil || d.Items[0].Link != "https://example.org/x" {
		t.Errorf("%+v, %v", d.Items, err)
	}
}

// TestAddressesOfAnItem: which address of an item is taken, however it is written.
func TestAddressesOfAnItem(t *testing.T) {
	for in, want := range map[string]string{
		`<id>tag:1</id><link rel="http://www.iana.org/assignments/relation/alternate" href="/a"/><link rel="via" href="/v"/>`: "https://a.example/a",
		`<id>tag:1</id><link rel="via" href="/v"/><link rel="related" href="/r"/>`:                                            "https://a.example/r",
		`<id>tag:1</id><link rel="replies" href="/c"/><link rel="via" href="/v"/>`:                                            "https://a.example/v",
		`<id>http://b.example/i</id><link rel="via" href="/v"/>`:                                                              "http://b.example/i",
		`<id>tag:1</id><link rel="edit" href="/e"/>`:                                                                          "tag:1",
		`<id>tag:1</id><link href="www.b.example/i"/>`:                                                                        "http://www.b.example/i",
	} {
		d, err := Parse(Input{URL: "https://a.example/x/feed", Body: []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><entry>` + in + "</entry></feed>")})
		if err != nil || len(d.Items) != 1 || d.Items[0].Link != want {
			t.Errorf("%s: %+v, %v, want %s", in, d.Items, err, want)
		}
	}
	d, err := Parse(Input{URL: "https://a.example/x/feed", Body: rss("<link>WWW.b.example</link>" + item("<link> www.b.example/1</link><enclosure>http://b.example/1.mp3</enclosure><enclosure>1 MB</enclosure>"))})
	if err != nil || d.Link != "http://WWW.b.example" || d.Items[0].Link != "http://www.b.example/1" ||
		len(d.Items[0].Enclosures) != 1 || d.Items[0].Enclosures[0].URL != "http://b.example/1.mp3" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestBaseInMarkup: elements of XHTML in place may name a base of their own, which
// ends with them.
func TestBaseInMarkup(t *testing.T) {
	const a, b = `<a href="https://example.org/x">y</a>`, `<a href="https://b.example/c/x">y</a>`
	for markup, want := range map[string]string{
		`<div xml:base="https://b.example/c/"><a href="x">y</a></div>`:                                    b,
		`<div><p xml:base="https://b.example/c/"><a href="x">y</a></p><a href="x">y</a></div>`:            "<p>" + b + "</p>" + a,
		`<div xml:base="https://b.example/"><div xml:base="c/"><a href="x">y</a></div></div>`:             "<div>" + b + "</div>",
		`<div><p xml:base="https://b.example/c/"><p></p><p/><a href="x">y</a></p><a href="x">y</a></div>`: "<p><p></p><p/>" + b + "</p>" + a,
		`<div><img xml:base="https://b.example/c/" src="x"/><a href="x">y</a></div>`:                      `<img src="https://b.example/c/x"/>` + a,
		`<div><i class="base"><a href="x">y</a></i></div>`:                                                `<i class="base">` + a + "</i>",
		`<div><p xml:base="javascript:x"><a href="x">y</a></p></div>`:                                     "<p>" + a + "</p>",
	} {
		d, err := Parse(Input{Body: atom(`<entry><id>1</id><content type="xhtml">` + markup + `</content></entry>`), URL: "https://example.org/feed"})
		if err != nil || d.Items[0].ContentHTML != want {
			t.Errorf("%s: %s, %v, want %s", markup, d.Items[0].ContentHTML, err, want)
		}
	}
}

// TestAuthorAroundAnEntry: an entry of Atom that names nobody is by its source's
// author, else by its feed's (RFC 4287, 4.2.1).
func TestAuthorAroundAnEntry(t *testing.T) {
	const source = "<source><title>s</title><author><name>Sue</name></author></source>"
	for entry, want := range map[string]string{
		"":                                  "Fay",
		"<author><name>Eve</name></author>": "Eve",
		source:                              "Sue",
		source + "<author><name>Eve</name></author>": "Eve",
		"<author><name>Eve</name></author>" + source: "Eve",
		"<source><author/></source>":                 "Fay",
	} {
		entry = "<entry><id>1</id>" + entry + "</entry>"
		for _, body := range []string{"<author><name>Fay</name></author>" + entry, entry + "<author><name>Fay</name></author>"} {
			if d, err := Parse(Input{Body: atom(body)}); err != nil || d.Items[0].Author != want {
				t.Errorf("%s: %q, %v, want %s", body, d.Items[0].Author, err, want)
			}
		}
	}
	if d, err := Parse(Input{Body: rss(`<a:author xmlns:a="http://www.w3.org/2005/Atom"><a:name>Fay</a:name></a:author>` + item(""))}); err != nil || d.Items[0].Author != "" {
		t.Errorf("RSS: %+v, %v", d.Items, err)
	}
}
