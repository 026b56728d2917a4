package feed

import (
	"testing"
)

func parse(t *testing.T, body []byte) Document {
	t.Helper()
	d, err := Parse(Input{Body: body, URL: "http://example.org/"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestIdentityLadder(t *testing.T) {
	for name, c := range map[string]struct {
		items  string
		levels []int
	}{
		"ids":                  {item("<guid>a</guid>") + item("<guid>b</guid>"), []int{0, 0}},
		"ids differ in case":   {item("<guid>a</guid>") + item("<guid>A</guid>"), []int{0, 0}},
		"one id for all":       {item("<guid>a</guid><link>/1</link>") + item("<guid>a</guid><link>/2</link>"), []int{1, 1}},
		"one id, one link":     {"<item><guid>a</guid><link>/1</link><title>x</title></item><item><guid>a</guid><link>/1</link><title>y</title></item>", []int{2, 2}},
		"links only":           {item("<link>/1</link>") + item("<link>/2</link>"), []int{1, 1}},
		"one link for all":     {"<item><title>x</title><link>/</link></item><item><title>y</title><link>/</link></item>", []int{2, 2}},
		"neither id nor link":  {"<item><title>x</title></item><item><description>y</description></item>", []int{2, 2}},
		"the same twice":       {item("<guid>a</guid><link>/1</link>") + item("<guid>a</guid><link>/1</link>"), []int{0}},
		"texts only":           {"<item><description>x</description></item><item><description>y</description></item>", []int{2, 2}},
		"anchors of one page":  {item("<link>/log#v1</link>") + item("<link>/log#v2</link>"), []int{1, 1}},
		"tracking in the link": {item("<guid>a</guid><link>/1?utm_source=x</link>") + item("<guid>b</guid><link>/1</link>"), []int{0, 0}},
	} {
		d := parse(t, rss(c.items))
		if len(d.Items) != len(c.levels) {
			t.Errorf("%s: %d items", name, len(d.Items))
			continue
		}
		keys := map[uint64]bool{}
		for i, it := range d.Items {
			id := it.Identity()
			if id.IdentityLevel != c.levels[i] {
				t.Errorf("%s: item %d on rung %d, want %d", name, i, id.IdentityLevel, c.levels[i])
			}
			k := id.Keys()[id.IdentityLevel]
			if k == 0 || keys[k] {
				t.Errorf("%s: item %d has no key of its own on its rung", name, i)
			}
			keys[k] = true
		}
	}
}

// TestIdentityIsStable changes what publishers change and looks which steps of
// the ladder hold.
func TestIdentityIsStable(t *testing.T) {
	one := func(s string) Identity { return parse(t, rss("<item>"+s+"</item>")).Items[0].Identity() }
	base := `<title>T</title><link>http://example.org/1</link><guid isPermaLink="false">a</guid><pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate><description>text</description>`
	a := one(base)
	for name, c := range map[string]struct {
		item                 string
		id, link, hash, body bool
	}{
		"edited text":   {`<title>T</title><link>http://example.org/1</link><guid isPermaLink="false">a</guid><pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate><description>text!</description>`, true, true, true, false},
		"https and www": {`<title>T</title><link>https://www.example.org/1/?utm_medium=rss</link><guid isPermaLink="false">b</guid><pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate><description>text</description>`, false, true, true, true},
		"other address": {`<title>t</title><link>http://example.net/x</link><guid isPermaLink="false">c</guid><pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate><description>text</description>`, false, false, true, true},
		"dated again":   {`<title>T</title><link>http://example.org/1</link><guid isPermaLink="false">a</guid><pubDate>Tue, 07 Sep 2021 12:00:00 GMT</pubDate><description>text</description>`, true, true, false, true},
		"white space":   {"<title>T</title><link>http://example.org/1</link><guid isPermaLink=\"false\">a</guid><pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate><description>\n text </description>", true, true, true, true},
	} {
		b := one(c.item)
		k, l := a.Keys(), b.Keys()
		if (k[0] == l[0]) != c.id || (k[1] == l[1]) != c.link || (k[2] == l[2]) != c.hash || (a.Body == b.Body) != c.body {
			t.Errorf("%s: %v %v, body %v", name, k, l, a.Body == b.Body)
		}
	}
}

func TestNormalLink(t *testing.T) {
	for in, want := range map[string]string{
		"http://www.Example.org/A/?utm_source=x&b=2#Echobox=1": "example.org/A?b=2",
		"https://example.org":         "example.org",
		"https://example.org:443/":    "example.org",
		"http://example.org/?p=5":     "example.org?p=5",
		"http://example.org/log#v1.2": "example.org/log#v1.2",
		"tag:example.org,2021:1":      "tag:example.org,2021:1",
		"":                            "",
		"/relative":                   "/relative",
		" //example.org/a ":           "//example.org/a",
		"mailto:a@example.org":        "mailto:a@example.org",
		"ftp://example.org/":          "ftp://example.org/",
	} {
		if got := NormalLink(in); got != want {
			t.Errorf("normalLink(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestBodyWithoutPlaces: where a text's links lead matters, not on which host.
func TestBodyWithoutPlaces(t *testing.T) {
	body := func(html string) uint64 { return Entry{ContentHTML: html}.Identity().Body }
	a := body(`<a href="http://a.example/x">t</a> see http://a.example/y`)
	for html, same := range map[string]bool{
		`<a href="https://b.example/x">t</a> see https://b.example/y`:  true,
		`<a href="http://a.example/z">t</a> see http://a.example/y`:    false,
		`<a href="http://a.example/x">t</a> see ftp://a.example/y`:     false,
		`<a href="http://a.example/x">u</a> see http://a.example/y`:    false,
		`<a  href="http://a.example/x">t</a>  see http://a.example/y `: true,
	} {
		if (body(html) == a) != same {
			t.Errorf("%s: the same %v, want %v", html, !same, same)
		}
	}
}

// TestHashesStay holds the hashes by which stored items are known: another value
// would make every item of every library new or edited.
func TestHashesStay(t *testing.T) {
	if got := hashFolded("body", " a\t\n b  c\r"); got != hash64("body", "a b c") {
		t.Errorf("hashFolded is %d, hash64 of the folded text %d", got, hash64("body", "a b c"))
	}
	if got := hash64("id", "https://example.org/1"); got != 1727610609822802677 {
		t.Errorf("hash64 is %d", got)
	}
	if got := hashFolded("body", " \n"); got != hash64("body", "") {
		t.Errorf("hashFolded of white space is %d", got)
	}
}
