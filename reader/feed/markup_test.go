package feed

import (
	"slices"
	"testing"
)

// TestMarkupInPlace: XHTML under any prefix is read as HTML, and the div around it
// that Atom asks for is no part of it.
func TestMarkupInPlace(t *testing.T) {
	const ns = ` xmlns:h="http://www.w3.org/1999/xhtml"`
	for content, want := range map[string]string{
		`<content type="xhtml"><h:div` + ns + `>a <h:b>b</h:b><h:img src="c.png"/></h:div></content>`:                                             `a <b>b</b><img src="https://example.org/c.png"/>`,
		`<content type="xhtml"` + ns + `><h:div>a &lt; <h:a href="/d">d</h:a></h:div></content>`:                                                  `a &lt; <a href="https://example.org/d">d</a>`,
		`<content type="xhtml"><xhtml:div><xhtml:p>a</xhtml:p></xhtml:div></content>`:                                                             `<p>a</p>`,
		`<content type="xhtml"><div><h:p` + ns + `>a</h:p><div xmlns:h="http://www.w3.org/1998/Math/MathML"><h:mi>x</h:mi></div></div></content>`: `<p>a</p><div>x</div>`,
		`<content type="xhtml"><div><div>in</div></div></content>`:                                                                                `<div>in</div>`,
	} {
		for version, root := range map[string]string{"1.0": `<feed xmlns="http://www.w3.org/2005/Atom">`, "0.3": `<feed version="0.3" xmlns="http://purl.org/atom/ns#">`} {
			d, err := Parse(Input{Body: []byte(root + `<entry><id>1</id>` + content + `</entry></feed>`), URL: "https://example.org/feed"})
			if err != nil || len(d.Items) != 1 || d.Items[0].ContentHTML != want {
				t.Errorf("Atom %s, %s: %+v, %v, want %s", version, content, d.Items, err, want)
			}
		}
	}
}

// TestEscapedSections: the marks of a CDATA section that were escaped with the text in
// it are no text; an id stays as it is.
func TestEscapedSections(t *testing.T) {
	d, err := Parse(Input{Body: rss("<title>&lt;![CDATA[T]]&gt;</title><item>" +
		"<guid>&lt;![CDATA[1]]&gt;</guid><title> &lt;![CDATA[a &amp;amp; b]]&gt; </title><link>&lt;![CDATA[http://a.example/]]&gt;</link>" +
		"<description>&lt;![CDATA[&lt;p&gt;x&lt;/p&gt;]]&gt;</description></item><item><title>The &lt;![CDATA[ mark</title></item>")})
	if err != nil || len(d.Items) != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	if it := d.Items[0]; d.Title != "T" || it.Title != "a & b" || it.Link != "http://a.example/" || it.ContentHTML != "<p>x</p>" || it.IDRaw != "<![CDATA[1]]>" {
		t.Errorf("%q, %+v", d.Title, it)
	}
	if it := d.Items[1]; it.Title != "The <![CDATA[ mark" {
		t.Errorf("%+v", it)
	}
}

// TestLabels: names and categories of RSS are written as its titles are; Atom's are
// what they are.
func TestLabels(t *testing.T) {
	const in = "<author><name><![CDATA[Ann &amp; <b>Bo</b>]]></name></author><category><![CDATA[News &amp; Talk]]></category><category>a &lt; b</category>"
	d, err := Parse(Input{Body: rss(item(in) + item("<dc:creator><![CDATA[Jos&eacute; G]]></dc:creator>") + item("<author>Cy &lt;cy@b.example&gt;</author>"))})
	if err != nil || len(d.Items) != 3 {
		t.Fatalf("%+v, %v", d, err)
	}
	if it := d.Items; it[0].Author != "Ann & Bo" || !slices.Equal(it[0].Categories, []string{"News & Talk", "a < b"}) || it[1].Author != "José G" || it[2].Author != "Cy" {
		t.Errorf("%+v", it)
	}
	if d, err = Parse(Input{Body: atom("<entry><id>1</id>" + in + "</entry>")}); err != nil || d.Items[0].Author != "Ann &amp; <b>Bo</b>" {
		t.Errorf("Atom: %+v, %v", d.Items, err)
	}
}

// TestLinesOfPlainText: a line ends as on any system.
func TestLinesOfPlainText(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		body := "<entry><id>1</id><content>a" + end + "b" + end + end + "c</content></entry>"
		if d, err := Parse(Input{Body: atom(body)}); err != nil || d.Items[0].ContentHTML != "<p>a<br>b</p>\n<p>c</p>" {
			t.Errorf("%q: %q, %v", end, d.Items[0].ContentHTML, err)
		}
	}
}

// TestPerson: names and mails in any order and with any signs around them.
func TestPerson(t *testing.T) {
	for s, want := range map[string][2]string{
		"ann@b.example (Ann A)":             {"Ann A", "ann@b.example"},
		"Ann A (ann@b.example)":             {"Ann A", "ann@b.example"},
		"Ann A <ann@b.example>":             {"Ann A", "ann@b.example"},
		`"Ann A" <ann@b.example>`:           {"Ann A", "ann@b.example"},
		"Ann A ann@b.example":               {"Ann A", "ann@b.example"},
		"ann@b.example, Ann A":              {"Ann A", "ann@b.example"},
		"(Ann A) ann@b.example":             {"Ann A", "ann@b.example"},
		"<ann@b.example>":                   {"", "ann@b.example"},
		"ann@b.example":                     {"", "ann@b.example"},
		"Ann A":                             {"Ann A", ""},
		"Ann @ Home":                        {"Ann @ Home", ""},
		"@ann":                              {"@ann", ""},
		"a@b.example and c@d.example":       {"a@b.example and c@d.example", ""},
		"write to ann@b.example for more":   {"write to ann@b.example for more", ""},
		"Ann A (Harbour, 2nd floor)":        {"Ann A (Harbour, 2nd floor)", ""},
		"Ann (the A) ann@b.example":         {"Ann (the A)", "ann@b.example"},
		"ann@b.example (Ann A (the first))": {"Ann A (the first)", "ann@b.example"},
		"":                                  {"", ""},
	} {
		if name, mail := splitPerson(s); name != want[0] || mail != want[1] {
			t.Errorf("%q: %q, %q, want %q", s, name, mail, want)
		}
	}
}

// TestItemsInItems: a module may keep other versions of an item in it, as items;
// they are neither its end nor its fields. An element that is never closed still
// ends with its item.
func TestItemsInItems(t *testing.T) {
	const other = "<sx:sync><sx:conflicts><item><title>other</title><sx:sync/></item><item><title>other</title></item></sx:conflicts></sx:sync>"
	for body, want := range map[string]string{
		item(other): "x ",
		"<item>" + other + "<title>one</title></item><item><title>two</title></item>":                           "one two ",
		"<item><title>one</title><a:b>c</item><item><title>two</title></item>":                                  "one two ",
		"<item><title>one</title><a:b><item><title>two</title></item></item><item><title>three</title></item>":  "one three ",
		"<item><title>one</title><dc:creator>c<item><title>two</title></item><item><title>three</title></item>": "one two three ",
	} {
		doc, err := Parse(Input{Body: rss(body)})
		got := ""
		for _, it := range doc.Items {
			got += it.Title + " "
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", body, got, err, want)
		}
	}
}
