package opml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// feeds writes what a test asserts: "folder|url|title|tags" per feed.
func feeds(l List) string {
	var b strings.Builder
	for _, f := range l.Feeds {
		fmt.Fprintf(&b, "%s|%s|%s|%s\n", f.Folder, f.URL, f.Title, strings.Join(f.Tags, ","))
	}
	return strings.TrimSpace(b.String())
}

func opml(body string) string { return "<opml version=\"2.0\"><body>" + body + "</body></opml>" }

func TestParseOPML(t *testing.T) {
	const a = "http://a.example/f"
	for _, tc := range []struct{ name, in, want string }{
		{"plain", opml(`<outline text="A" xmlUrl="http://a.example/f"/>`), "|" + a + "|A|"},
		{"folders", opml(`<outline text="News"><outline title="World"><outline text="A" xmlUrl="http://a.example/f"/></outline><outline text="B" xmlUrl="http://b.example/"/></outline><outline text="C" xmlUrl="http://c.example/"/>`), "News/World|" + a + "|A|\nNews|http://b.example/|B|\n|http://c.example/|C|"},
		{"slash in a folder", opml(`<outline text="AC/DC"><outline text="A" xmlUrl="http://a.example/f"/></outline>`), "AC\u2215DC|" + a + "|A|"},
		{"letter case", `<OPML><BODY><OUTLINE TEXT="A" XMLURL="http://a.example/f"/></BODY></OPML>`, "|" + a + "|A|"},
		{"bare ampersands", opml(`<outline text="Q & A" xmlUrl="http://a.example/f?a=1&b=2&amp;c=3&copy=4&lt"/>`), "|http://a.example/f?a=1&b=2&c=3&copy=4&lt|Q & A|"},
		{"entities", opml(`<outline text="caf&eacute; &#8212; &#x41;&#39; &nonesuch;" xmlUrl="http://a.example/f"/>`), "|" + a + "|café — A' &nonesuch;|"},
		{"no quotes", opml(`<outline text=A xmlUrl=http://a.example/f/>`), "|" + a + "|A|"},
		{"single quotes, spaces", opml("<outline text = 'A \"b\"'\n\txmlUrl\n=\n'http://a.example/f' />"), "|" + a + "|A \"b\"|"},
		{"no space between", opml(`<outline text="A"xmlUrl="http://a.example/f"/>`), "|" + a + "|A|"},
		{"quotes inside", opml(`<outline text="The "Best" Blog" xmlUrl="http://a.example/f"/>`), "|" + a + "|The \"Best\" Blog|"},
		{"markup inside", opml(`<outline text="A" description="By <a href="https://x.example/">X</a> and <a href="y" rel="z">Y</a>." xmlUrl="http://a.example/f"/>`), "|" + a + "|A|"},
		{"text between", opml(`<outline text="A" xmlUrl="http://a.example/f">words</outline><outline xmlUrl="http://b.example/">`), "|" + a + "|A|\n|http://b.example/||"},
		{"a word without value", opml(`<outline text="A" disabled xmlUrl="http://a.example/f"/>`), "|" + a + "|A|"},
		{"quote never closed", opml("<outline text=\"A xmlUrl=http://x.example/>\n<outline text=\"B\" xmlUrl=\"http://a.example/f\"/>"), "|" + a + "|B|"},
		{"> and < in values", opml(`<outline text="a > b < c" xmlUrl="http://a.example/f"/>`), "|" + a + "|a > b < c|"},
		{"tag never closed", opml("<outline text=\"A\" xmlUrl=\"http://a.example/f\"\n<outline text=\"B\" xmlUrl=\"http://b.example/\"/>"), "|" + a + "|A|\n|http://b.example/|B|"},
		{"truncated", `<opml><body><outline text="N"><outline text="A" xmlUrl="http://a.example/f"/><outline text="B" xmlU`, "N|" + a + "|A|"},
		{"truncated in the address", `<opml><body><outline text="A" xmlUrl="http://a.example/f`, ""},
		{"no root", `<outline text="A" xmlUrl="http://a.example/f"/>`, "|" + a + "|A|"},
		{"prefix", `<o:opml xmlns:o="urn:o"><o:body><o:outline text="A" xmlUrl="http://a.example/f"></o:outline></o:body></o:opml>`, "|" + a + "|A|"},
		{"feeds inside feeds", opml(`<outline text="N"><outline text="A" xmlUrl="http://a.example/f"><outline text="B" xmlUrl="http://b.example/"/></outline></outline>`), "N|" + a + "|A|\nN|http://b.example/|B|"},
		{"too many ends", opml(`</outline></outline><outline text="A" xmlUrl="http://a.example/f"/></outline>`), "|" + a + "|A|"},
		{"two documents", opml(`<outline text="N"><outline xmlUrl="http://a.example/f"/>`) + opml(`<outline xmlUrl="http://b.example/"/>`), "N|" + a + "||\n|http://b.example/||"},
		{"comments", opml(`<!-- <outline xmlUrl="http://no.example/"/> --><outline text="A" xmlUrl="http://a.example/f"/><!-- open <outline text="B" xmlUrl="http://b.example/"/>`), "|" + a + "|A|\n|http://b.example/|B|"},
		{"doctype", `<!DOCTYPE opml [<!ENTITY x "http://no.example/"><!ENTITY y SYSTEM "file:///etc/passwd">]><opml><body><outline text="&x;&y;" xmlUrl="http://a.example/f"/></body></opml>`, "|" + a + "|&x;&y;|"},
		{"category", opml(`<outline text="A" category="/news/tech, sport,, / x / ,sport" xmlUrl="http://a.example/f"/>`), "|" + a + "|A|news/tech,sport,x"},
		{"text before title", opml(`<outline title="Own" text="Mine" xmlUrl="http://a.example/f"/>`), "|" + a + "|Mine|"},
		{"title alone", opml(`<outline title="Own" text=" " xmlUrl="http://a.example/f"/>`), "|" + a + "|Own|"},
		{"url with a type", opml(`<outline text="A" type="RSS" url="http://a.example/f"/><outline type="atom" text="B" url="http://b.example/"/>`), "|" + a + "|A|\n|http://b.example/|B|"},
		{"url that looks it", opml(`<outline text="A" type="link" url="http://a.example/rss.xml"/><outline text="B" url="http://b.example/feed/"/>`), "|http://a.example/rss.xml|A|\n|http://b.example/feed/|B|"},
		{"link with xmlUrl", opml(`<outline text="A" type="link" xmlUrl="http://a.example/f"/>`), "|" + a + "|A|"},
		{"feed: and bare hosts", opml(`<outline xmlUrl="feed://a.example/f"/><outline xmlUrl="feed:https://b.example/"/><outline xmlUrl="//c.example/"/><outline xmlUrl="www.d.example/rss"/>`), "|" + a + "||\n|https://b.example/||\n|https://c.example/||\n|http://www.d.example/rss||"},
		{"blanks around", opml("<outline text=\" A \n B \" xmlUrl=\"\n  http://a.example/f \"/>"), "|" + a + "|A B|"},
		{"twice", opml(`<outline xmlUrl="" text="A" xmlUrl="http://a.example/f" text="B"/>`), "|" + a + "|A|"},
		{"in the head", `<opml><head><outline xmlUrl="http://a.example/f"/></head></opml>`, "|" + a + "||"},
		{"other markup", opml(`<p class="x <outline xmlUrl="http://a.example/f"/><script>if (1<2) {}</script><outline xmlUrl="http://b.example/"/>`), "|" + a + "||\n|http://b.example/||"},
	} {
		l, err := ParseOPML([]byte(tc.in))
		if got := feeds(l); err != nil || got != tc.want {
			t.Errorf("%s: got\n%s (%v), want\n%s", tc.name, got, err, tc.want)
		}
	}
	if _, err := ParseOPML([]byte("<rss><channel/></rss>")); !errors.Is(err, ErrNotOPML) {
		t.Errorf("rss: %v", err)
	}
	if _, err := ParseOPML(make([]byte, MaxBytes+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("10 MB: %v", err)
	}
	l, _ := ParseOPML([]byte("<opml>\n<head><title> My\n <![CDATA[feeds & ]]>more &amp; all</title></head>\n<body>\n\n<outline\nxmlUrl='http://a.example/f'/>\n<outline xmlUrl='http://b.example/'/></body></opml>"))
	if l.Title != "My feeds & more & all" || l.Feeds[0].Line != 6 || l.Feeds[1].Line != 8 {
		t.Errorf("title %q, lines %d, %d", l.Title, l.Feeds[0].Line, l.Feeds[1].Line)
	}
}

func TestCharsets(t *testing.T) {
	doc := func(enc, title string) string {
		return `<?xml version="1.0" encoding="` + enc + `"?><opml><body><outline text="` + title + `" xmlUrl="http://a.example/f"/></body></opml>`
	}
	wide := func(s string, big, mark bool) []byte {
		var b []byte
		u := utf16.Encode([]rune(s))
		if mark {
			u = append([]uint16{0xfeff}, u...)
		}
		for _, c := range u {
			if big {
				b = append(b, byte(c>>8), byte(c))
			} else {
				b = append(b, byte(c), byte(c>>8))
			}
		}
		return b
	}
	for _, tc := range []struct {
		name string
		in   []byte
		want string
	}{
		{"utf-8", []byte(doc("utf-8", "Zürich")), "Zürich"},
		{"utf-8 with a mark", []byte("\xef\xbb\xbf" + doc("utf-8", "Zürich")), "Zürich"},
		{"utf-8 that says latin", []byte(doc("ISO-8859-1", "Zürich")), "Zürich"},
		{"latin", []byte(doc("ISO-8859-1", "Z\xfcrich")), "Zürich"},
		{"latin that says utf-8", []byte(doc("utf-8", "Z\xfcrich \x96 São")), "Zürich – São"},
		{"unknown", []byte(doc("x-none", "Z\xfcrich")), "Zürich"},
		{"koi8-r", []byte(doc("koi8-r", "\xcd\xc9\xd2")), "мир"},
		{"shift_jis", []byte(doc("Shift_JIS", "\x93\xfa\x96{")), "日本"},
		{"iso-2022-jp", []byte(doc("ISO-2022-JP", "\x1b$BF|K\\\x1b(B")), "日本"},
		{"utf-16 le", wide(doc("UTF-16", "Zürich 日"), false, true), "Zürich 日"},
		{"utf-16 be", wide(doc("UTF-16", "Zürich 日"), true, true), "Zürich 日"},
		{"utf-16 le, no mark", wide(doc("UTF-16", "Zürich 日"), false, false), "Zürich 日"},
		{"utf-16 be, no mark", wide(doc("UTF-16", "Zürich 日"), true, false), "Zürich 日"},
		{"8 bit that says utf-16", []byte(doc("UTF-16", "Zürich")), "Zürich"},
	} {
		if kind := Sniff(tc.in); kind != "opml" {
			t.Errorf("%s: sniffed %q", tc.name, kind)
		}
		l, err := ParseOPML(tc.in)
		if err != nil || len(l.Feeds) != 1 || l.Feeds[0].Title != tc.want {
			t.Errorf("%s: %v, %s", tc.name, err, feeds(l))
		}
	}
}

// TestNothingExecutable: whatever wants a program to run is refused and named.
func TestNothingExecutable(t *testing.T) {
	doc := opml(`<outline text="A" xmlUrl="|~/x.sh &amp;&amp; rm -rf ~"/>
<outline text="B" xmlUrl="exec:touch /tmp/x"/><outline text="C" category="t,u" xmlUrl="filter:sed -n 1p:http://c.example/f"/>
<outline text="D" xmlUrl="http://d.example/f" filtercmd="~/keep.pl"/><outline text="E" xmlUrl="http://e.example/f" FilterCmd="x"/>
<outline text="F" xmlUrl=" EXEC:x"/><outline text="G" xmlUrl="file:///etc/passwd"/><outline text="H" xmlUrl="javascript:alert(1)"/>
<outline text="I" filtercmd="y"/><outline text="J" type="include" url="http://j.example/x.opml"/><outline text="K" type="link" url="http://k.example/list.opml"/>
<outline text="L" type="link" url="http://l.example/page.html"/><outline text="M" type="source" xmlUrl="http://m.example/list"/><outline text="N" xmlUrl="nonsense"/>`)
	l, err := ParseOPML([]byte(doc))
	if err != nil || len(l.Feeds) != 0 || len(l.Refused) != 14 {
		t.Fatalf("%v: %d feeds (%s), %d refused", err, len(l.Feeds), feeds(l), len(l.Refused))
	}
	for i, want := range []Refused{
		{Line: 1, Text: "|~/x.sh && rm -rf ~", Why: whyCommand, Command: "~/x.sh && rm -rf ~", Title: "A"},
		{Line: 2, Text: "exec:touch /tmp/x", Why: whyCommand, Command: "touch /tmp/x", Title: "B"},
		{Line: 2, Text: "filter:sed -n 1p:http://c.example/f", Why: whyFilter, Command: "sed -n 1p", URL: "http://c.example/f", Title: "C", Tags: []string{"t", "u"}},
		{Line: 3, Text: "http://d.example/f", Why: whyFilter, Command: "~/keep.pl", URL: "http://d.example/f", Title: "D"},
	} {
		if !reflect.DeepEqual(l.Refused[i], want) {
			t.Errorf("got %+v, want %+v", l.Refused[i], want)
		}
	}
	for i, want := range []string{whyFilter, whyCommand, whyFile, whyAddress, whyFilter, whyList, whyList, whyPage, whyList, whyAddress} {
		if r := l.Refused[4+i]; r.Why != want {
			t.Errorf("%s: %q, want %q", r.Title, r.Why, want)
		}
	}
	var b bytes.Buffer
	if err := WriteURLs(&b, List{Feeds: []Outline{{URL: "exec:x"}, {URL: "|x"}, {URL: "http://a.example/f"}}}); err != nil || b.String() != "http://a.example/f\n" {
		t.Errorf("written: %q", b.String())
	}
}

// TestOPMLRoundTrip: folders, titles, tags, sites, marks and foreign attributes
// come back, and what is written is well-formed.
func TestOPMLRoundTrip(t *testing.T) {
	in := `<?xml version="1.0"?><opml version="1.1" xmlns:guard="https://guard.example/ns"><head><title>Ann &amp; "co"</title><ownerName>Ann</ownerName><expansionState>1</expansionState></head><body>
<outline text="AC/DC"><outline text="A &lt;b&gt;" title="Own" type="atom" version="ATOM" description="line&#10;two&#9;tab" xmlUrl="http://a.example/f?a=1&amp;b=2" htmlUrl="http://a.example/" category="x,&quot;y, z&quot;,/p/q" guard:icon="AAAA==" language="de"/>
<outline text="Deep"><outline text="B" xmlUrl="http://b.example/" isComment="true" lost:attr="1" diurna:hidden="true"/></outline></outline>
<outline type="rss" xmlUrl="http://c.example/"/><outline text="AC/DC"><outline xmlUrl="http://d.example/" text="D"/></outline></body></opml>`
	first, err := ParseOPML([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	want := "AC\u2215DC|http://a.example/f?a=1&b=2|A <b>|x,y, z,p/q\nAC\u2215DC/Deep|http://b.example/|B|\n|http://c.example/||\nAC\u2215DC|http://d.example/|D|"
	if got := feeds(first); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	wantAttrs := map[string]string{"title": "Own", "type": "atom", "version": "ATOM", "description": "line\ntwo\ttab", "guard:icon": "AAAA==", "xmlns:guard": "https://guard.example/ns", "language": "de",
		"category": `x,"y, z",/p/q`}
	if a := first.Feeds[0]; !reflect.DeepEqual(a.Attrs, wantAttrs) || a.Site != "http://a.example/" {
		t.Errorf("attributes %v", a.Attrs)
	}
	when := time.Date(2026, 11, 20, 10, 0, 0, 0, time.FixedZone("", 3600))
	once := write(t, first, when)
	wellFormed(t, once)
	second, err := ParseOPML(once)
	if err != nil {
		t.Fatal(err)
	}
	if feeds(second) != feeds(first) {
		t.Errorf("order or folders differ:\n%s\nwant\n%s", feeds(second), feeds(first))
	}
	if len(second.Feeds) != 4 || second.Title != `Ann & "co"` || second.Head["ownername"] != "Ann" || first.Version != "1.1" || !second.Feeds[1].Hidden {
		t.Fatalf("second reading: %s", feeds(second))
	}
	byURL := map[string]Outline{}
	for _, f := range second.Feeds {
		f.Line = 0
		byURL[f.URL] = f
	}
	for _, f := range first.Feeds {
		f.Line = 0
		if f.Attrs["lost:attr"] != "" {
			f.Attrs["xmlns:lost"] = "urn:unknown:lost"
		}
		if !reflect.DeepEqual(byURL[f.URL], f) {
			t.Errorf("got %+v, want %+v", byURL[f.URL], f)
		}
	}
	if twice := write(t, second, when); !bytes.Equal(once, twice) {
		t.Errorf("not stable:\n%s\n%s", once, twice)
	}
	if !bytes.Contains(once, []byte("<dateCreated>Fri, 20 Nov 2026 09:00:00 GMT</dateCreated>")) || !bytes.Contains(once, []byte(`<outline text="AC/DC"`)) {
		t.Errorf("written:\n%s", once)
	}
}

func write(t testing.TB, l List, when time.Time) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteOPML(&b, l, when); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func wellFormed(t testing.TB, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
	}
}

func TestSniff(t *testing.T) {
	for in, want := range map[string]string{
		"": "",
		"  \n<?xml version='1.0'?><!-- opml --><opml>": "opml",
		"<OUTLINE text='x'/>":                          "opml",
		"<o:opml>":                                     "opml",
		"<rss><channel><title>about opml</title></channel></rss>": "",
		"<html><body>outline</body></html>":                       "",
		"# mine\n\nhttps://a.example/f tag\n":                     "urls",
		"\xef\xbb\xbfhttps://a.example/f":                         "urls",
		"\"query:All:unread = \\\"yes\\\"\"\n":                    "urls",
		"exec:x":                                                  "urls",
		"{\"version\": 1}":                                        "",
		"just some words\nhttps://a.example/f":                    "",
	} {
		if got := Sniff([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestPages: an entry with a page and no feed is reported, a folder with one is not.
func TestPages(t *testing.T) {
	l, err := ParseOPML([]byte(`<opml version="2.0"><body><outline text="F" htmlUrl="http://f.example/"><outline text="A" htmlUrl="http://a.example/"/>
<outline text="B" xmlUrl="" htmlUrl="http://b.example/"></outline></outline><outline htmlUrl=" "/></body></opml>`))
	if err != nil || len(l.Pages) != 2 || l.Pages[0] != (Page{"A", "http://a.example/", 1}) || l.Pages[1].URL != "http://b.example/" || len(l.Feeds) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if len(l.Problems) != 1 || !strings.Contains(l.Problems[0], "2 entries name a page") {
		t.Error(l.Problems)
	}
}

// TestFOAF reads the list of a planet: its members with their feeds.
func TestFOAF(t *testing.T) {
	doc := `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:rdfs="x" xmlns:rss="y">
<foaf:Group><foaf:name>Planet</foaf:name><foaf:member><foaf:Agent><foaf:name>Ann &amp; Bo</foaf:name><foaf:weblog><foaf:Document rdf:about="http://a.example/">
<rdfs:seeAlso><rss:channel rdf:about="http://a.example/feed?x=1&amp;y=2"/></rdfs:seeAlso></foaf:Document></foaf:weblog></foaf:Agent></foaf:member>
<foaf:member><foaf:Agent><foaf:weblog><foaf:Document rdf:about="http://c.example/"><rdfs:seeAlso><rss:channel rdf:about=""/></rdfs:seeAlso></foaf:Document></foaf:weblog>
<foaf:name>Cy</foaf:name></foaf:Agent></foaf:member><foaf:member><foaf:Agent><rss:channel rdf:about="exec:x"/></foaf:Agent></foaf:member></foaf:Group></rdf:RDF>`
	l, err := ParseOPML([]byte(doc))
	if err != nil || Sniff([]byte(doc)) != "opml" || len(l.Feeds) != 1 || len(l.Refused) != 1 || len(l.Pages) != 1 || l.Pages[0].Title != "Cy" {
		t.Fatalf("%+v, %v", l, err)
	}
	if f := l.Feeds[0]; f.URL != "http://a.example/feed?x=1&y=2" || f.Title != "Ann & Bo" || f.Site != "http://a.example/" || !slices.Equal(f.Tags, []string{"Planet"}) {
		t.Errorf("%+v", f)
	}
	for cut := range doc {
		ParseOPML([]byte(doc[:cut])) //nolint:errcheck // only that it ends without a panic
	}
}

// TestCutInsideAnEntry cuts a list at every byte: no address is taken of which
// the rest did not arrive, and what is missing is reported.
func TestCutInsideAnEntry(t *testing.T) {
	const whole = `<opml version="2.0"><head><title>L</title></head><body><outline text="Sea">` +
		`<outline type="rss" text="One" xmlUrl="https://sea.example/feed/1234"/>
<outline text='Two' xmlUrl='https://sea.example/feed/5678' type="rss"></outline>` + "\n<outline xmlUrl=https://sea.example/feed/9012>\n</outline></outline></body></opml>"
	for i := range len(whole) - 1 {
		for _, end := range []string{"", "\n"} {
			list, err := ParseOPML([]byte(whole[:i] + end))
			if err != nil {
				continue // too little to be a list
			}
			for _, f := range list.Feeds {
				if !strings.HasSuffix(f.URL, "1234") && !strings.HasSuffix(f.URL, "5678") && !strings.HasSuffix(f.URL, "9012") {
					t.Fatalf("cut after %q: subscribes to %s", whole[:i], f.URL)
				}
			}
			if !list.Cut || len(list.Problems) == 0 {
				t.Fatalf("cut after %q: not reported: %+v", whole[:i], list)
			}
		}
	}
}
