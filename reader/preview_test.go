package reader

import (
	"bytes"
	"diurna/reader/discover"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// documents of every kind, whole and broken.
var documents = map[string]string{
	"rss": rssOf("Harbour Gazette", "a|Ferry &amp; crane|Mon, 02 Nov 2026 10:00:00 +0100|&lt;p&gt;One&lt;/p&gt;", "b|Two||text"),
	"atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>Comet Desk</title><link href="https://c.example/"/>
<entry><id>urn:1</id><title type="html">Two &lt;b&gt;comets&lt;/b&gt;</title><link href="/one"/><updated>2026-11-02T10:00:00Z</updated><content type="html">x</content></entry>
<entry><id>urn:2</id><title>Three</title><link rel="alternate" href="/two"/><published>2026-11-03T10:00:00Z</published></entry></feed>`,
	"json": `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"https://j.example/1","title":"A","content_html":"<p>a</p>"},{"id":2,"content_text":"no title"}]}`,
	"rdf": `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://r.example/"><title>R</title><link>https://r.example/</link></channel>
<item rdf:about="https://r.example/1"><title>One</title><link>https://r.example/1</link><dc:date>2026-11-02T10:00:00Z</dc:date></item></rdf:RDF>`,
	"no ids":       `<rss version="2.0"><channel><title>N</title><item><title>First</title><description>x</description></item><item><title>Second</title></item></channel></rss>`,
	"one id":       `<rss version="2.0"><channel><title>N</title><item><guid>same</guid><title>First</title></item><item><guid>same</guid><title>Second</title></item></channel></rss>`,
	"cut short":    strings.TrimSuffix(rssOf("Cut", "a|One|Mon, 02 Nov 2026 10:00:00 +0100|x", "b|Two||y"), "</item></channel></rss>"),
	"bare signs":   `<rss version="2.0"><channel><title>Fish & chips</title><item><guid>1</guid><title>A & B < C</title><link>https://x.example/?a=1&b=2</link></item></channel></rss>`,
	"escape codes": "<rss version=\"2.0\"><channel><title>E</title><item><guid>e\x1b[31m1</guid><title>Red \x1b[31m&amp;#27;[0m title</title></item></channel></rss>",
}

// Preview and fetch are one function: what one shows is what the other keeps.
func TestPreviewShowsWhatFetchKeeps(t *testing.T) {
	for name, doc := range documents {
		t.Run(name, func(t *testing.T) {
			web := newFakeWeb()
			address := "https://x.example/" + strings.ReplaceAll(name, " ", "-")
			web.serve(address, "application/xml", doc)
			r := newLibrary(t, web)
			seen, err := discover.PreviewBytes([]byte(doc), address, "application/xml", r.now())
			if err != nil {
				t.Fatal(err)
			}
			add(t, r, address, SubscribeOptions{})
			rows, err := r.Rows(t.Context(), Query{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			var kept, shown []string
			for _, row := range rows {
				a, err := r.Article(t.Context(), row.ID)
				if err != nil {
					t.Fatal(err)
				}
				kept = append(kept, line(&a))
			}
			for i := range seen.Articles {
				shown = append(shown, line(&seen.Articles[i]))
			}
			slices.Sort(kept)
			slices.Sort(shown)
			if len(shown) == 0 || !slices.Equal(kept, shown) {
				t.Errorf("preview shows\n%s\nfetch keeps\n%s", strings.Join(shown, "\n"), strings.Join(kept, "\n"))
			}
			out, err := json.Marshal(seen)
			if err != nil || bytes.Contains(out, []byte("u001b")) {
				t.Errorf("an escape went out: %s, %v", out, err)
			}
		})
	}
}

func line(a *Article) string {
	return fmt.Sprintf("%s | %s | %s | %s | %d | %s", a.Title, a.Link, a.IDRaw, a.Published.UTC().Format(time.RFC3339), a.Words, a.HTML)
}
