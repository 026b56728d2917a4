package feed

import (
	"strings"
	"testing"
	"time"
)

// TestMarkupThatNeverEnds: a comment, an instruction or a CDATA section that is
// never closed costs none of the items that are whole, and does not end where one of
// the same kind in a later item does; what is closed as it should be hides what
// stands in it.
func TestMarkupThatNeverEnds(t *testing.T) {
	const note = "<item><title><![CDATA[four]]></title><!-- a note --><?a b?></item>"
	for _, c := range []struct{ old, new, titles string }{
		{"</item>", "</item><!-- todo", "one two three"},
		{"</item>", "</item><!-- todo >", "one two three"},
		{"<title>one", "<!-- todo <title>one", "one two three"},
		{"</link></item>", "</link><description>a <!-- todo</description></item>", "one two three"},
		{"<title>T", "<!-- <title>T", "one two three"},
		{`<?xml version="1.0"?>`, `<?xml version="1.0">`, "one two three"},
		{"</item>", "</item><?php echo", "one two three"},
		{"</item>", "</item><!ELEMENT [ x", "one two three"},
		{"<title>one", "<title><![CDATA[one", "one two three"},
		{"</link></item>", "</link><description><![CDATA[a <p>b</p></description></item>", "one two three"},
		{"<title>one", "<title><![CDATA[<!-- one -->", "<!-- one --> two three"},
		{"</link></item>", "</link><description><![CDATA[a </description ><author><![CDATA[b]]></author></item>", "one two three"},
		{"<title>one", "<![CDATA[ <title>one", "one two three"},
		{"</item>", "</item><![CDATA[ ", "one two three"},
		{"</item>", "</item><!-- todo ", "one two three"},
		{"<item><title>two", "<!-- <item><title>x</title></item> --><item><title>two", "one two three"},
		{"<item><title>two", "<!-- <item><title>x</title></item><item></item> --><item><title>two", "one two three"},
		{"<title>one", "<title><![CDATA[<title>x</title> </item> one]]>", "<title>x</title> </item> one two three"},
		{"<title>one", "<title><![CDATA[one <![CDATA[ ]]>", "one <![CDATA[ two three"},
		{"<title>one", "<title><![CDATA[</title> <![CDATA[x]]]]><![CDATA[> one]]>", "</title> <![CDATA[x]]> one two three"},
	} {
		for behind, more := range map[string]string{"": "", note: " four"} {
			body := strings.Replace(strings.Replace(wellFormed, c.old, c.new, 1), "</channel>", behind+"</channel>", 1)
			doc, err := Parse(Input{Body: []byte(body)})
			got := ""
			for _, it := range doc.Items {
				got = strings.TrimSpace(got + " " + it.Title)
			}
			if err != nil || got != c.titles+more {
				t.Errorf("%q for %q, %q behind it: %q, %v", c.new, c.old, behind, got, err)
			}
		}
	}
	doc, err := Parse(Input{Body: []byte(strings.Replace(wellFormed, "</link></item>", "</link><description><![CDATA[a <p>b</p></description></item>", 1))})
	if err != nil || doc.Items[0].ContentHTML != "a <p>b</p>" {
		t.Errorf("%q, %v", doc.Items[0].ContentHTML, err)
	}
}

// TestMarkupReadTwice: an element of the feed that is never closed is read up to the
// first item's end and again from that item on; markup in there ends where it did.
func TestMarkupReadTwice(t *testing.T) {
	const body = "<a:b><item><title>one</title><!-- <item> --><guid>1</guid><!-- x --><![CDATA[ <item> ]]><?a <item> ?><author><![CDATA[Ann]]></author><!-- y --><![CDATA[z]]><?a b?></item>"
	doc, err := Parse(Input{Body: rss(body + item("<!-- z -->"))})
	if err != nil || len(doc.Items) != 2 || doc.Items[0].IDRaw != "1" || doc.Items[0].Author != "Ann" {
		t.Errorf("%+v, %v", doc.Items, err)
	}
}

// TestFieldsWithoutTheirEnd: a field whose end tag is missing or misspelt takes none
// of the fields behind it with it.
func TestFieldsWithoutTheirEnd(t *testing.T) {
	const link, two = "<link>http://a.example/1</link>", "<item><title>two</title><link>http://a.example/2</link></item>"
	for _, in := range []string{
		"<title>one" + link,
		"<title>one</titel>" + link,
		"<title>one</Title>" + link,
		"<Title>one</title><LINK>http://a.example/1</Link>",
		"<title>o<b>ne</titel>" + link,
		"<title>one</title><link>http://a.example/1<description>d</description>",
		"<description>d <br> e<title>one</title>" + link,
		"<description><p>d</p> e</p> f<pubDate>Mon, 06 Sep 2021 12:34:56 GMT</pubDate><title>one" + link,
		link + "<guid>g<title>one</title>",
		"<title>one" + link + "<category>c<content:encoded>e",
		"<guid>g<media:rating>r</media:rating><title>one</title>" + link,
		"<item><title>one</title>" + link,
		`<itunes:image href="i.png"><itunes:duration>1<media:thumbnail url="t.png"><title>one</title>` + link,
		"<dcterms:modified>2021-09-06<title>one</title>" + link,
		`<atom:link href="http://a.example/1" rel="self"><enclosure url="e.mp3"><category term="c"><title>one</title>` + link,
	} {
		d, err := Parse(Input{Body: rss("<title>T<link>http://a.example/</lnik><language>en<copyright>c<item>" + in + "</item>" + two)})
		if err != nil || len(d.Items) != 2 || d.Title != "T" || d.Link != "http://a.example/" || d.Language != "en" {
			t.Errorf("%s: %+v, %v", in, d, err)
			continue
		}
		for i, want := range []Entry{{Title: "one", Link: "http://a.example/1"}, {Title: "two", Link: "http://a.example/2"}} {
			if it := d.Items[i]; it.Title != want.Title || it.Link != want.Link {
				t.Errorf("%s: item %d is %+v", in, i, it)
			}
		}
	}
	d, err := Parse(Input{Body: atom("<entry><id>1</id><author><name>Ann</name><email>a@b.example</email><title>one</title><link href='/1'></entry>")})
	if err != nil || len(d.Items) != 1 || d.Items[0].Author != "Ann" || d.Items[0].Title != "one" {
		t.Errorf("%+v, %v", d.Items, err)
	}
	// What stands in an element that was closed is its own.
	d, err = Parse(Input{Body: rss("<item><description>d <title>x</title></titel> e</description></item>")})
	if err != nil || d.Items[0].Title != "" || !strings.HasSuffix(d.Items[0].ContentHTML, "e") {
		t.Errorf("%+v, %v", d.Items, err)
	}
}

// TestOpenMarkupIsLinear: markup that never ends, very often.
func TestOpenMarkupIsLinear(t *testing.T) {
	for _, piece := range []string{"<!-- ", "<!-- >", "<!--<a>", "<![CDATA[", "<b><![CDATA[</b>", "<? ", "<?>", "<![>", "<![", "<!\"", "<!x[<a>",
		"<!--<a></item>", "<t><![CDATA[</t>", "<t><![CDATA[</t></item>", "<![CDATA[</item>", "<?</item>",
		"<a:b><item><!-- x --><!-- </item>", "<a:b><item><!-- <!-- </item>",
		"<title>", "<title>a<link>", "<title></titel>", "<item><title>", "<link><b></item>"} {
		for _, head := range []string{"<rss><channel>", "<rss><channel><item><description>"} {
			body := head + strings.Repeat(piece, (1<<19)/len(piece))
			body += "<t></item><!-- --><? ?><![CDATA[]]>"
			start := time.Now()
			_, _ = Parse(Input{Body: []byte(body)})
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%q %q: %v", head, piece, took)
			}
		}
	}
}
