package feed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"diurna/store/storetest"
)

func rss(body string) []byte {
	return []byte(`<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>T</title>` + body + `</channel></rss>`)
}

func atom(body string) []byte {
	return []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>` + body + `</feed>`)
}

func r(s string, n int) string { return strings.Repeat(s, many(n)) }

// many is half of a number in the thousands, where the test is of the quick size:
// what costs the square of its length still takes minutes.
func many(n int) int {
	if n < 10_000 {
		return n
	}
	return n / storetest.Size(2, 1)
}

// lines repeats a format with the numbers from 0 to n-1.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range many(n) {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func item(body string) string { return "<item><title>x</title>" + body + "</item>" }

// zipped returns n zero bytes as a gzip file.
func zipped(n int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(make([]byte, n)) //nolint:errcheck // a bytes.Buffer never fails
	z.Close()
	return b.Bytes()
}

// hostile are inputs built to cost time or memory, at the sizes at which they
// hurt a parser that was measured: rows P1 to P4 and P6 of the attack table.
func hostile() map[string][]byte {
	bomb := `<!DOCTYPE r [<!ENTITY a0 "ha">` + lines(20, `<!ENTITY b%[1]d "&a%[1]d;&a%[1]d;&a%[1]d;">`) + `]>`
	return map[string][]byte{
		"entity bomb":          append([]byte(bomb), rss(item("<description>&b19;</description>"))...),
		"quadratic entity":     append([]byte(`<!DOCTYPE r [<!ENTITY a "`+r("a", 100_000)+`">]>`), rss(item("<description>"+r("&a;", 100_000)+"</description>"))...),
		"external entity":      append([]byte(`<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>`), rss(item("<description>&a;</description>"))...),
		"million entities":     append([]byte(`<!DOCTYPE r [`+lines(200_000, `<!ENTITY e%d "x">`)+`]>`), rss(item(""))...),
		"deep elements":        rss(item(r("<a>", 1_000_000))),
		"deep namespaced":      rss(item(lines(300_000, `<a xmlns:n%d="u">`))),
		"deep different names": []byte("<rss><channel>" + lines(300_000, "<a%d>")),
		"deep XHTML":           atom(`<entry><content type="xhtml"><div>` + r("<div>", 500_000) + "</content></entry>"),
		"deep HTML":            rss(item("<description>" + r("&lt;div>", 300_000) + "</description>")),
		"unclosed formatting":  rss(item("<description><![CDATA[" + r("<b><i><a href=x>", 60_000) + "]]></description>")),
		"nested tables":        rss(item("<description><![CDATA[" + r("<table><tr><td>x", 40_000) + "]]></description>")),
		"deep items":           rss(r("<item>", 500_000)),
		"deep channels":        []byte(r("<channel>", 500_000)),
		"deep JSON":            []byte(`{"version":"https://jsonfeed.org/version/1","items":` + r("[", 1_000_000)),
		"deep JSON objects":    []byte(r(`{"items":`, 500_000)),
		"million items":        rss(r(item(""), 400_000)),
		"million JSON items":   []byte(`{"version":"https://jsonfeed.org/version/1","items":[` + r(`{},`, 1_000_000) + `{}]}`),
		"million categories":   rss(item(r("<category>x</category>", 500_000))),
		"different categories": rss(item(lines(300_000, "<category>%d</category>"))),
		"million enclosures":   rss(item(lines(200_000, `<enclosure url="http://e/%d"/>`))),
		"million links":        atom("<entry>" + lines(200_000, `<link href="http://e/%d"/>`) + "</entry>"),
	}
}

// floods are the rest of them: many or long rather than deep.
func floods() map[string][]byte {
	return map[string][]byte{
		"million attributes":     rss(item("<a " + lines(500_000, `a%d="x" `) + ">y</a>")),
		"attributes of a link":   atom("<entry><link " + lines(300_000, `a%d="x" `) + ` href="http://e/"/></entry>`),
		"million namespaces":     []byte("<rss " + lines(300_000, `xmlns:a%d="x" `) + "><channel>" + item("") + "</channel></rss>"),
		"namespaces of channels": []byte(lines(50_000, `<channel xmlns:a%d="http://www.w3.org/1999/xhtml">`) + item("")),
		"namespaces in XHTML":    rss("<item><description>" + lines(40_000, `<a%[1]d:a xmlns:a%[1]d="http://www.w3.org/1999/xhtml">`) + "</description></item>"),
		"one prefix in XHTML":    rss("<item><description>" + r(`<x:a xmlns:x="http://www.w3.org/1999/xhtml">`, 40_000) + "</description></item>"),
		"million comments":       rss(r("<!-- x -->", 500_000) + item("")),
		"comment of 10 MB":       rss("<!--" + r("-", 10<<20) + "-->" + item("")),
		"million open comments":  rss(r("<!-- ", 1_000_000)),
		"million open CDATA":     rss(item("<description>" + r("<![CDATA[", 1_000_000))),
		"million instructions":   rss(r("<?a ?>", 800_000) + item("")),
		"open tags":              rss(item(r("<a ", 2_000_000))),
		"open quotes":            rss(item(r(`<a b="`, 1_500_000))),
		"title of 10 MB":         rss("<item><title>" + r("x", 10<<20) + "</title></item>"),
		"attribute of 10 MB":     rss(item(`<enclosure url="http://e/` + r("x", 10<<20) + `"/>`)),
		"text of 14 MB":          rss(item("<description>" + r("word ", 14<<20/5) + "</description>")),
		"flood of ampersands":    rss(item("<description>" + r("&amp;", 2_000_000) + "</description>")),
		"flood of bare &":        rss(item("<title>" + r("&", 10<<20) + "</title>")),
		"flood of bare <":        rss(item("<description>" + r("< ", 5<<20) + "</description>")),
		"flood of references":    rss(item("<description>" + r("&amp;#27;", 1_000_000) + "</description>")),
		"half references":        rss(item("<description>" + r("&amp;am", 1_000_000) + "p;#27;</description>")),
		"100,000 bad dates":      rss(lines(100_000, "<item><pubDate>not a date %d</pubDate></item>")),
		"date of 5 MB":           rss(item("<pubDate>" + r("1", 5<<20) + "</pubDate>")),
		"dates in one item":      rss(item(r("<pubDate>Mon, 99 Foo 2004 99:99</pubDate>", 300_000))),
		"link of 10 MB":          rss(item("<link>http://e/" + r("../", 3_000_000) + "</link>")),
		"marks":                  rss("<item><title>a" + r("\u0301", 2_000_000) + "</title></item>"),
		"joined emoji":           rss("<item><title>" + r("\U0001F468\u200d", 1_000_000) + "</title></item>"),
		"one long line of links": rss(item("<description><![CDATA[" + r(`<a href=/x>`, 90_000) + "]]></description>")),
		"srcset":                 rss(item(`<description><![CDATA[<img srcset="` + r("a 1x,", 200_000) + `">]]></description>`)),
		"many bad items":         rss(r("<item><title>", 300_000)),
		"items in items' parts":  rss(r("<item><x:y><item></item>", 300_000)),
		"parts of items, open":   rss(r("<item><x:y>", 300_000)),
		"parts and items, open":  rss(r("<item><x:y><item>", 300_000) + r("</item></x:y></item>", 100)),
		"many media groups":      rss(item(r("<media:group>", 300_000))),
		"many media contents":    rss(item(r(`<media:content url="u">`, 300_000))),
		"nested groups, closed":  rss(item(r("<media:group>", 2000) + r("</media:group>", 2000))),
		"authors in authors":     atom("<entry>" + r("<author>", 300_000) + "</entry>"),
		"gzip bomb":              zipped(200 << 20),
		"bad UTF-8":              rss(item("<description>" + r("\xff\xe9", 5<<20) + "</description>")),
		"UTF-16 of rubbish":      append([]byte{0xFF, 0xFE}, bytes.Repeat([]byte{0, 0xD8}, 5<<20)...),
		"zero bytes":             bytes.Repeat([]byte{0}, 10<<20),
	}
}

// TestHostile gives each of them time and memory enough for an honest document
// of its size and not more.
func TestHostile(t *testing.T) {
	if slower > 1 {
		t.Skip("costs are measured without the race detector")
	}
	inputs := hostile()
	maps.Copy(inputs, floods())
	t.Logf("%d inputs", len(inputs))
	limit := 2 * time.Second
	slowest, which := time.Duration(0), ""
	for name, body := range inputs {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := cpuTime(t)
		doc, err := Parse(Input{Body: body, ContentType: "text/xml; charset=utf-8", URL: "http://example.org/a/b/c", Now: time.Unix(1_700_000_000, 0)})
		took := cpuTime(t) - start
		if took > slowest {
			slowest, which = took, name
		}
		runtime.ReadMemStats(&after)
		if took > limit {
			t.Errorf("%s: %v for %d KB", name, took, len(body)>>10)
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 150 {
			t.Errorf("%s: %d MB allocated for %d KB", name, mb, len(body)>>10)
		}
		if len(doc.Items) > MaxItems {
			t.Errorf("%s: %d items", name, len(doc.Items))
		}
		for _, it := range doc.Items {
			if msg := bounded(it); msg != "" {
				t.Errorf("%s: %s", name, msg)
				break
			}
		}
		_ = err
	}
	t.Logf("slowest: %s, %v of processor time", which, slowest)
	if doc, err := Parse(Input{Body: []byte(wellFormed)}); err != nil || len(doc.Items) != 3 {
		t.Errorf("afterwards an honest feed gives %d items, %v", len(doc.Items), err)
	}
}

// cpuTime is what this process has used of the processor: unlike the wall clock
// it does not suffer from busy neighbours.
func cpuTime(t *testing.T) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bounded says which limit an item exceeds.
func bounded(it Entry) string {
	switch {
	case len(it.Title) > MaxTitle:
		return "title"
	case len(it.Link) > MaxURL, len(it.IDRaw) > MaxURL, len(it.Comments) > MaxURL:
		return "address"
	case len(it.ContentHTML) > MaxItem, len(it.SummaryHTML) > MaxItem:
		return "content"
	case len(it.Categories) > MaxCategories:
		return "categories"
	case len(it.Enclosures) > MaxEnclosures:
		return "enclosures"
	case len(it.PublishedRaw) > MaxDate, len(it.UpdatedRaw) > MaxDate:
		return "date"
	}
	return ""
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		body string
		want error
	}{
		{"", ErrEmpty},
		{" \n\t", ErrEmpty},
		{"\xef\xbb\xbf", ErrEmpty},
		{"<!DOCTYPE html><html><body>Sign in</body></html>", ErrWebPage},
		{"<html xmlns='http://www.w3.org/1999/xhtml'><head/></html>", ErrWebPage},
		{"<!-- x --><HTML>", ErrWebPage},
		{"<opml version='2.0'><body/></opml>", ErrOPML},
		{"hello", ErrNotFeed},
		{"{\"a\": 1}", ErrNotFeed},
		{"{", ErrNotFeed},
		{"<svg xmlns='http://www.w3.org/2000/svg'/>", ErrNotFeed},
		{"<CHANNEL HREF='http://example.org/x.cdf'></CHANNEL>", ErrFormat},
		{"\x1f\x8b\x08rubbish", ErrNotFeed},
		{strings.Repeat("x", MaxBody+1), ErrTooLarge},
	} {
		_, err := Parse(Input{Body: []byte(c.body)})
		if !errors.Is(err, c.want) {
			t.Errorf("%.40q: %v, want %v", c.body, err, c.want)
		}
		if err != nil && strings.ToLower(err.Error()[:1]) != err.Error()[:1] {
			t.Errorf("%q begins with a capital", err)
		}
	}
}
