package corpus

import (
	"errors"
	"testing"
)

const sample = `<rss version="2.0"><channel><title>T &amp; U</title><link>http://example.org/</link><copyright>&lt;b>c&lt;/b></copyright>
<item><title>One</title><link>/1</link><guid isPermaLink="false">g</guid><author>a@b.example (Ann)</author><category domain="d">x</category><category>y</category>
<pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate><enclosure url="/a.mp3" length="12" type="audio/mpeg"/><description>&lt;p onclick="x">caf&#233;&lt;/p></description></item></channel></rss>`

// TestHolds: what is true holds, what is not does not, what has no counterpart
// is said to have none.
func TestHolds(t *testing.T) {
	for expr, want := range map[string]string{
		`not bozo and feed['title'] == u'T & U'`:                                 "yes",
		`feed.title == 'T & V'`:                                                  "no",
		`entries[0]['description'] == '<p>caf\xe9</p>'`:                          "yes",
		`entries[0]['description'] == '<p onclick="x">caf\xe9</p>'`:              "yes", // what is expected is made harmless, too
		`entries[0]['description'] == '<p class="x">caf\xe9</p>'`:                "no",
		`entries[0].published_parsed == (2021, 9, 6, 12, 0, 0, 0, 249, 0)`:       "yes",
		`entries[0].published_parsed == (2021, 9, 6, 12, 0, 1, 0, 249, 0)`:       "no",
		`entries[0]['tags'][0] == {'term': 'x', 'scheme': u"d", 'label': None}`:  "yes",
		`len(entries[0].tags) == 2 and entries[0].tags[-1].term == 'y'`:          "yes",
		`entries[0]['author_detail'] == {'name': 'Ann', 'email': 'a@b.example'}`: "yes",
		`entries[0].enclosures[0].href == entries[0].enclosures[0].url`:          "yes",
		`entries[0].enclosures[0]['length'] == '12'`:                             "yes",
		`entries[0].link == 'http://example.org/1' == entries[0].links[0].href`:  "yes",
		`'id' in entries[0] and not 'comments' in entries[0]`:                    "yes",
		`entries[1].title == 'One' or len(entries) == 1`:                         "no", // Python would have raised
		`len(entries) == 1 or entries[1].title == 'One'`:                         "yes",
		`feed.get('nothing', 3) == 3`:                                            "nothing",
		`feed.get('subtitle', 3) == 3`:                                           "yes",
		`bozo`:                                                                   "bozo",
		`bozo and version == 'rss20'`:                                            "yes",
		`version == 'rss20' and entries[0].where.type == 'Point'`:                "where",
		`version == 'atom10' and entries[0].where.type == 'Point'`:               "no",
		`encoding == 'us-ascii'`:                                                 "yes",
		`encoding == 'utf-16le'`:                                                 "no",
		`ord('\u00e9') == 233 and 'a' 'b' + "c" == 'abc' and -1 < 1.5`:           "yes",
		`1`:                            "yes",
		"entries[0].title == 'One' &&": "error",
		`"\x0`:                         "error", // an escape cut short
		`'\u00e`:                       "error",
		`'\x0' != '\u00' != '\\'`:      "yes",
		`os.system('x')`:               "os",
	} {
		ok, err := Holds(expr, []byte(sample), "http://example.org/feed")
		var u unmapped
		got := map[bool]string{true: "yes", false: "no"}[ok]
		switch {
		case errors.As(err, &u):
			got = u.name
		case err != nil:
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", expr, got, want, err)
		}
	}
}

// TestNames: what feedparser calls a thing is found where it stands.
func TestNames(t *testing.T) {
	const doc = `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dcterms="http://purl.org/dc/terms/">
<channel><webMaster>w@b.example (Wim)</webMaster><itunes:category text="Sea"><itunes:category text="Ships"/></itunes:category><itunes:summary>S</itunes:summary>
<item><expirationDate>Thu, 02 Sep 2021 12:00:00 GMT</expirationDate><expirationDate>Mon, 06 Sep 2021 12:00:00 GMT</expirationDate><author>a@b.example (Ann)</author><content:encoded>c</content:encoded></item>
<item><dcterms:issued>2021-09-06T12:00:00Z</dcterms:issued><itunes:keywords>k</itunes:keywords></item></channel></rss>`
	const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><content>a &lt;b> c</content></entry></feed>`
	for expr, doc := range map[string]string{
		`entries[0]['expired_parsed'] == (2021, 9, 6, 12, 0, 0, 0, 249, 0)`:                          doc, // of two dates the last
		`entries[0]['author'] == 'a@b.example (Ann)' and feed['publisher'] == 'w@b.example (Wim)'`:   doc,
		`entries[0].author_detail.name == 'Ann' and feed.publisher_detail.email == 'w@b.example'`:    doc,
		`entries[0].content[0].type == 'text/html'`:                                                  doc,
		`feed.tags[1] == {'term': 'Ships', 'scheme': 'http://www.itunes.com/', 'label': None}`:       doc,
		`entries[1].tags[0].scheme == 'http://www.itunes.com/' and feed['tags'][0]['term'] == 'Sea'`: doc,
		`entries[1]['updated'] == '2021-09-06T12:00:00Z'`:                                            doc,
		`feed['description'] == 'S'`:         doc,
		`entries[0]['summary'] == 'a <b> c'`: atom, // the content, which is no markup
	} {
		if ok, err := Holds(expr, []byte(doc), ""); !ok || err != nil {
			t.Errorf("%s: %v, %v", expr, ok, err)
		}
	}
}

func FuzzHolds(f *testing.F) {
	for _, s := range []string{`feed['title'] == u'T' and not entries[0].get('x', {'a': (1, -2.5)})`, `((((`, `'\x`, `a.b[c](`, `{1:2,}`, "'''a'''", `"\x0`} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		if len(s) < 1<<10 {
			_, _ = Holds(s, []byte(sample), "") // only that it ends without a panic
		}
	})
}

// TestFlags: a block has one word, whether a thing is explicit several.
func TestFlags(t *testing.T) {
	for word, want := range map[string][2]string{"Yes": {"1", "True"}, "yes": {"1", "True"}, "YES": {"0", "True"}, "true": {"0", "True"},
		"no": {"0", "False"}, "clean": {"0", "False"}, "perhaps": {"0", "None"}} {
		doc := []byte("<rss><channel><itunes:block>" + word + "</itunes:block><itunes:explicit>" + word + "</itunes:explicit></channel></rss>")
		for _, expr := range []string{"feed['itunes_block'] == " + want[0], "feed['itunes_explicit'] is " + want[1]} {
			if ok, err := Holds(expr, doc, ""); !ok || err != nil {
				t.Errorf("%s: %s: %v, %v", word, expr, ok, err)
			}
		}
	}
}
