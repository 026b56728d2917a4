package feed

import (
	"html"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzSalvage cuts a document with any text in it anywhere: the items that are
// complete come back, no others.
func FuzzSalvage(f *testing.F) {
	f.Add("a title", "<p>text</p>", 90)
	f.Add("]]>", "<![CDATA[x", 150)
	f.Add("&amp;", "<!-- x", 200)
	f.Fuzz(func(t *testing.T, title, text string, at int) {
		item := "<item><title>" + html.EscapeString(title) + "</title><description><![CDATA[" +
			strings.ReplaceAll(text, "]]>", "") + "]]></description><guid>"
		doc := "<rss><channel>" + item + "1</guid></item>" + item + "2</guid></item>" + item + "3</guid></item></channel></rss>"
		if !utf8.ValidString(doc) || at < 0 {
			return
		}
		head := doc[:at%(len(doc)+1)]
		want := strings.Count(head, "</guid></item>")
		d, err := Parse(Input{Body: []byte(head)})
		if strings.Contains(text, "</") || strings.Contains(title, "\x1b") {
			return // the count of end tags would be of both kinds
		}
		if len(d.Items) < want || want > 0 && (err != nil || len(d.Items) > want) {
			t.Fatalf("%d items of %d in %q, %v", len(d.Items), want, head, err)
		}
	})
}

// FuzzReaders gives any document to both: whatever gofeed reads, the scanner alone
// reads too, item by item.
func FuzzReaders(f *testing.F) {
	for _, body := range []string{
		frames["rss"][0] + "<title>T</title><item><title>a</title><dc:creator>b</dc:creator><media:group><media:content url='u'/></media:group></item>" + frames["rss"][1],
		frames["atom"][0] + "<entry xml:base='b/'><title type='html'>&lt;b></title><content type='xhtml'><div>c</div></content><link href='d'/></entry>" + frames["atom"][1],
		frames["rdf"][0] + "<channel><title>T</title></channel><item rdf:about='a'><title>b</title></item>" + frames["rdf"][1],
		frames["json"][0] + `"title":"T","items":[{"id":1,"tags":["a"],"author":{"name":"b"}}]` + frames["json"][1],
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		both, scanned, err, scanErr := readers(Input{Body: body, URL: "https://a.example/dir/feed"})
		if (err == nil) != (scanErr == nil) {
			t.Fatalf("%q: %v, the scanner alone: %v", body, err, scanErr)
		}
		if both.Parser == Gofeed && !sameButParser(both, scanned) {
			t.Fatalf("%q:\n%s\nthe scanner alone:\n%s", body, answer(both, err), answer(scanned, scanErr))
		}
	})
}
