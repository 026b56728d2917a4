package feed

import (
	"strings"
	"testing"
	"time"
)

// TestMarkupThatNeverEnds: a comment, an instruction or a CDATA section that is
// never closed costs none of the items that are whole.
func TestMarkupThatNeverEnds(t *testing.T) {
	for _, c := range []struct {
		old, new string
		titles   string
	}{
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
	} {
		body := strings.Replace(wellFormed, c.old, c.new, 1)
		doc, err := Parse(Input{Body: []byte(body)})
		got := ""
		for _, it := range doc.Items {
			got = strings.TrimSpace(got + " " + it.Title)
		}
		if err != nil || got != c.titles {
			t.Errorf("%q for %q: %q, %v", c.new, c.old, got, err)
		}
	}
	doc, err := Parse(Input{Body: []byte(strings.Replace(wellFormed, "</link></item>", "</link><description><![CDATA[a <p>b</p></description></item>", 1))})
	if err != nil || doc.Items[0].ContentHTML != "a <p>b</p>" {
		t.Errorf("%q, %v", doc.Items[0].ContentHTML, err)
	}
}

// TestOpenMarkupIsLinear: markup that never ends, very often.
func TestOpenMarkupIsLinear(t *testing.T) {
	for _, piece := range []string{"<!-- ", "<!-- >", "<!--<a>", "<![CDATA[", "<b><![CDATA[</b>", "<? ", "<?>", "<![>", "<![", "<!\"", "<!x[<a>"} {
		for _, head := range []string{"<rss><channel>", "<rss><channel><item><description>"} {
			body := head + strings.Repeat(piece, (1<<20)/len(piece))
			start := time.Now()
			_, _ = Parse(Input{Body: []byte(body)})
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%q %q: %v", head, piece, took)
			}
		}
	}
}
