package feed

import (
	"slices"
	"testing"
)

// A server that wraps its feed in a page still serves a feed; a page that shows one
// as an example is a page.
func TestFeedWrappedInAPage(t *testing.T) {
	const rss = `<rss version="2.0"><channel><title>Quay</title><item><title>One</title><link>https://a.example/1</link></item><item><title>Two</title><link>https://a.example/2</link></item></channel></rss>`
	const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Quay</title><entry><id>1</id><title>One</title></entry><entry><id>2</id><title>Two</title></entry></feed>`
	for _, page := range []string{
		`<html><body>` + rss + `</body></html>`,
		`<!DOCTYPE html><html lang="en"><head><title>Page</title><style>a > b {}</style><script>if (a < b) x("<rss>")</script></head><body><div>` + rss + `</div></body></html>`,
		"<HTML>\n<HEAD></HEAD><BODY><?xml version=\"1.0\"?>" + atom,
		`<html>` + atom + `</html>`,
	} {
		doc, err := Parse(Input{Body: []byte(page)})
		if err != nil || doc.Title != "Quay" || len(doc.Items) != 2 || doc.Items[1].Title != "Two" {
			t.Errorf("%s: %q, %d items, %v", page, doc.Title, len(doc.Items), err)
		}
	}
	for _, page := range []string{
		`<html><body><p>An item of RSS is <code>&lt;rss version="2.0"&gt;&lt;item&gt;</code></p></body></html>`,
		`<html><head><script>var s = '` + rss + `'</script></head><body>A page</body></html>`,
		`<html><body><textarea>` + rss + `</textarea></body></html>`,
		`<html><body><feed><item>x</item></feed></body></html>`,
	} {
		if _, err := Parse(Input{Body: []byte(page)}); err != ErrWebPage {
			t.Errorf("%s: %v", page, err)
		}
	}
}

func TestAllLabelsAndAuthors(t *testing.T) {
	doc, err := Parse(Input{Body: []byte(`<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:a="http://www.w3.org/2005/Atom"><channel><item><title>t</title>
<category domain="d">Plain</category><media:category label="Ships">sea/ships</media:category><itunes:category text="Science"><itunes:category text="Physics &amp; Co"/></itunes:category><a:category term="wx" label="Weather"/>
<dc:creator>Ann Example</dc:creator><dc:creator>Bo Example</dc:creator><dc:creator>Ann Example</dc:creator></item></channel></rss>`)})
	if err != nil {
		t.Fatal(err)
	}
	it := doc.Items[0]
	if want := []string{"Plain", "Ships", "sea/ships", "Science", "Physics & Co", "Weather", "wx"}; !slices.Equal(it.Categories, want) {
		t.Errorf("categories %q, want %q", it.Categories, want)
	}
	if it.Author != "Ann Example, Bo Example" {
		t.Errorf("author %q", it.Author)
	}
	doc, err = Parse(Input{Body: []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><author><name>Cy</name></author><author><name>Di</name></author><entry><id>1</id><author><name>Ann</name></author><author><name>Bo</name></author></entry><entry><id>2</id></entry></feed>`)})
	if err != nil || doc.Items[0].Author != "Ann, Bo" || doc.Items[1].Author != "Cy, Di" {
		t.Errorf("%q, %q, %v", doc.Items[0].Author, doc.Items[1].Author, err)
	}
}
