package feed

import (
	"bytes"
	"strings"
	"testing"
)

// TestTruncatedCorpus cuts real documents at several places: every item whose
// end tag is still there has to come back, and nothing that was not there.
func TestTruncatedCorpus(t *testing.T) {
	complete := tally{name: "complete items salvaged"}
	documentsCut := 0
	for _, d := range documents(t) {
		if d.format != "rss" && d.format != "atom" {
			continue
		}
		full, err := Parse(Input{Body: d.body})
		if err != nil || len(full.Items) < 2 {
			continue
		}
		end := []byte("</item>")
		if d.format == "atom" {
			end = []byte("</entry>")
		}
		// Items that are merged or commented out make the count of end tags
		// meaningless; so do wide encodings.
		if bytes.Count(d.body, end) != len(full.Items) {
			continue
		}
		for _, part := range []int{99, 90, 70, 50, 30} {
			documentsCut++
			half := d.body[:len(d.body)*part/100]
			want := bytes.Count(half, end)
			got, _ := Parse(Input{Body: half})
			for i := range want {
				complete.count(i < len(got.Items) && got.Items[i].Title == full.Items[i].Title && got.Items[i].IDRaw == full.Items[i].IDRaw &&
					got.Items[i].ContentHTML == full.Items[i].ContentHTML, func() string { return d.file })
			}
			if len(got.Items) > want+1 {
				t.Errorf("%s at %d %%: %d items of %d complete ones", d.file, part, len(got.Items), want)
			}
		}
	}
	t.Logf("%v, in %d cut documents", &complete, documentsCut)
	if float64(complete.ok) < 0.999*float64(complete.all) {
		t.Errorf("below 99.9 %%: %v", complete.examples[:min(10, len(complete.examples))])
	}
}

const wellFormed = `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title>
<item><title>one</title><link>http://example.org/1</link></item>
<item><title>two</title><link>http://example.org/2</link></item>
<item><title>three</title><link>http://example.org/3</link></item></channel></rss>`

// TestDamage breaks a document in the ways that cost a strict parser all of its
// items.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(string) string{
		"escape reference":     func(s string) string { return strings.Replace(s, "one", "o&#27;ne", 1) },
		"control character":    func(s string) string { return strings.Replace(s, "one", "o\x01ne", 1) },
		"invalid UTF-8":        func(s string) string { return strings.Replace(s, "T<", "caf\xe9<", 1) },
		"bare ampersand":       func(s string) string { return strings.Replace(s, "one", "o & ne &x", 1) },
		"unknown entity":       func(s string) string { return strings.Replace(s, "one", "o&nosuch;ne", 1) },
		"HTML entity":          func(s string) string { return strings.Replace(s, "one", "&eacute;one", 1) },
		"bare less-than":       func(s string) string { return strings.Replace(s, "one", "1 < 2", 1) },
		"undeclared prefix":    func(s string) string { return strings.Replace(s, "<link>", "<foo:bar>x</foo:bar><link>", 1) },
		"unquoted attribute":   func(s string) string { return strings.Replace(s, `version="2.0"`, "version=2.0", 1) },
		"junk before":          func(s string) string { return "<br />\n<b>Warning</b>: no" + s[len(`<?xml version="1.0"?>`):] },
		"junk after":           func(s string) string { return s + "<!-- generated --><script>x</script>" },
		"missing end of title": func(s string) string { return strings.Replace(s, "T</title>", "T", 1) },
		"missing end of item":  func(s string) string { return strings.Replace(s, "</item>\n<item><title>two", "\n<item><title>two", 1) },
		"wrong end tag":        func(s string) string { return strings.Replace(s, "</item>", "</b></item>", 1) },
		"blank lines before":   func(s string) string { return "\n\n  " + s },
		"long comment before":  func(s string) string { return "<!-- " + strings.Repeat("x", 9000) + " -->" + s[21:] },
		"long document type": func(s string) string {
			return "<!DOCTYPE rss [" + strings.Repeat("<!ELEMENT a ANY>", 500) + "]>" + s[21:]
		},
		"many namespaces": func(s string) string {
			return strings.Replace(s, " version", strings.Repeat(` xmlns:a="b"`, 600)+" version", 1)
		},
		"CDATA cut short":     func(s string) string { return strings.Replace(s, "three", "<![CDATA[three", 1) },
		"wrong encoding name": func(s string) string { return strings.Replace(s, `"1.0"?`, `"1.0" encoding="utf-16"?`, 1) },
		"duplicate attribute": func(s string) string { return strings.Replace(s, " version", ` version="1" version`, 1) },
		"no end of channel":   func(s string) string { return strings.TrimSuffix(s, "</channel></rss>") },
		"CDATA end in text":   func(s string) string { return strings.Replace(s, "one", "one ]]> x", 1) },
		"upper case":          func(s string) string { return strings.ToUpper(s) },
	} {
		doc, err := Parse(Input{Body: []byte(damage(wellFormed))})
		want := 3
		if err != nil || len(doc.Items) != want {
			t.Errorf("%s: %d items of %d, %v", name, len(doc.Items), want, err)
			continue
		}
		if !strings.EqualFold(doc.Items[1].Title, "two") || !strings.EqualFold(doc.Items[1].Link, "http://example.org/2") {
			t.Errorf("%s: the second item is %+v", name, doc.Items[1])
		}
	}
}

// TestOpenDocument: a document whose root is never closed says so, and is not called
// cut short for that alone.
func TestOpenDocument(t *testing.T) {
	const entry = `<entry xmlns="http://www.w3.org/2005/Atom"><id>1</id><title>one</title></entry>`
	for body, open := range map[string]bool{
		wellFormed: false, strings.ToUpper(wellFormed): false, wellFormed + " <!-- by x -->": false, entry: false, "<rss/>": false,
		strings.Replace(wellFormed, "</rss>", "</rss\n>", 1):                       false,
		strings.TrimSuffix(wellFormed, "</rss>"):                                   true,
		strings.TrimSuffix(wellFormed, "</channel></rss>"):                         true,
		wellFormed[:strings.Index(wellFormed, "<item>")]:                           true,
		`<feed xmlns="http://www.w3.org/2005/Atom">` + entry:                       true,
		`<feed xmlns="http://www.w3.org/2005/Atom"><feedburner:x>a</feedburner:x>`: true,
		strings.Replace(wellFormed, "</rss>", "</rss", 1):                          true,
	} {
		doc, err := Parse(Input{Body: []byte(body)})
		if err != nil || doc.Open != open || doc.Partial || open != (len(doc.Problems) > 0) {
			t.Errorf("%q: open %v, partial %v, %q, %v", body, doc.Open, doc.Partial, doc.Problems, err)
		}
	}
}

func TestTruncatedEverywhere(t *testing.T) {
	for _, c := range []struct{ whole, begin, end string }{
		{wellFormed, "<item>", "</item>"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="http://example.org/"/><entry><title>one</title><id>1</id>` +
			`<link href="http://example.org/1"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">one <b>thing</b></div></content></entry>` +
			`<entry><title>two</title><id>2</id><summary>two</summary></entry></feed>`, "<entry>", "</entry>"},
	} {
		for i := range len(c.whole) {
			half := c.whole[:i]
			doc, err := Parse(Input{Body: []byte(half)})
			want := strings.Count(half, c.end)
			if len(doc.Items) != want || err != nil && want > 0 {
				t.Fatalf("cut at %d: %d items of %d, %v", i, len(doc.Items), want, err)
			}
			inside := strings.HasSuffix(half, ">") && strings.LastIndex(half, c.begin) > strings.LastIndex(half, c.end)
			if inside && (!doc.Partial || len(doc.Problems) == 0) {
				t.Fatalf("cut at %d: not called cut short: %+v", i, doc)
			}
		}
	}
	json := `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","title":"a"},{"id":2,"title":"b"},{"id":"3","title":["c"]}]}`
	doc, err := Parse(Input{Body: []byte(json)})
	if err != nil || len(doc.Items) != 3 || doc.Items[1].IDRaw != "2" || doc.Partial {
		t.Fatalf("%+v, %v", doc, err)
	}
	doc, err = Parse(Input{Body: []byte(json[:strings.Index(json, `{"id":"3"`)+5])})
	if err != nil || len(doc.Items) != 2 || !doc.Partial {
		t.Fatalf("cut: %+v, %v", doc, err)
	}
}
