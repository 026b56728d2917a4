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
	// Without an address the next best is taken.
	d, err := Parse(Input{Body: []byte(`{"items":[{"id":"1","external_url":"x"}]}`), URL: "https://example.org/feed"})
	if err != nil || d.Items[0].Link != "https://example.org/x" {
		t.Errorf("%+v, %v", d.Items, err)
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
