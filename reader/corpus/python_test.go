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

func FuzzHolds(f *testing.F) {
	for _, s := range []string{`feed['title'] == u'T' and not entries[0].get('x', {'a': (1, -2.5)})`, `((((`, `'\x`, `a.b[c](`, `{1:2,}`, "'''a'''"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		if len(s) < 1<<10 {
			_, _ = Holds(s, []byte(sample), "") // only that it ends without a panic
		}
	})
}
