package feed

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const goodJSON = `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
{"id":"1","url":"http://example.org/1","title":"one","content_text":"first"},
{"id":"2","url":"http://example.org/2","title":"two","tags":["x","y"],"attachments":[{"url":"http://example.org/a"},{"url":"http://example.org/b"}]},
{"id":"3","url":"http://example.org/3","title":"three"}
]}`

// TestMendedJSON breaks the newest item as hand-made generators do; neither it
// nor those after it may be lost.
func TestMendedJSON(t *testing.T) {
	for _, c := range []struct{ old, new, title string }{
		{"one", "o\nne", "o ne"},
		{"one", "o\tne", "o ne"},
		{"one", "o\x01ne", "one"},
		{"one", `o\x41ne`, "oAne"},
		{"one", `o\'ne`, "o'ne"},
		{"one", `o\une`, "oune"},
		{"one", `say "hi", all "of" you`, `say "hi", all "of" you`},
		{`"first"`, "NaN", "one"},
		{`"first"`, "-Infinity", "one"},
		{`"first"`, "undefined", "one"},
		{`"first"`, "", "one"},
		{`"id":"1"`, `"id":007`, "one"},
		{`"first"},`, `"first"}`, "one"},
		{`"first"},`, `"first"},,`, "one"},
		{`"first"}`, `"first",}`, "one"},
		{`"one",`, `"one" `, "one"},
		{`"title":"T",`, `"title":"T" `, "one"},
		{`"title":"T"`, "\"title\":\"T\n\"", "one"},
		{"\n]}", "\n,]}", "one"},
		{"\n]}", "\n}", "one"},
		{`"first"},`, `"first"},"stray",`, "one"},
	} {
		doc, err := Parse(Input{Body: []byte(strings.Replace(goodJSON, c.old, c.new, 1))})
		if err != nil || len(doc.Items) != 3 || doc.Partial {
			t.Errorf("%q for %q: %d items, partial %v, %v", c.new, c.old, len(doc.Items), doc.Partial, err)
			continue
		}
		if doc.Title != "T" || doc.Items[0].Title != c.title || doc.Items[2].Title != "three" || len(doc.Items[1].Enclosures) != 2 {
			t.Errorf("%q for %q: %q, %+v", c.new, c.old, doc.Title, doc.Items)
		}
	}
}

// TestItemsAfterOneThatIsLost: an item that cannot be read costs itself alone, and
// the document is not called cut short for it.
func TestItemsAfterOneThatIsLost(t *testing.T) {
	for _, broken := range []string{
		`{"id":"2","title" "two"}`,
		`{"id":"2","title":"two","attachments":[{"url":"u"},{"url":"v"}]`, // no brace at its end
		`{"id":"2","title":"two" ]`,
		`{"id":"2","title":"two`,
		`{"id":"2",{}}`,
	} {
		s := `{"items":[{"id":"1","title":"one"},` + broken + `,{"id":"3","title":"three"},{"id":"4","title":"four"}]}`
		doc, err := Parse(Input{Body: []byte(s)})
		if err != nil || doc.Partial {
			t.Errorf("%s: partial %v, %v", broken, doc.Partial, err)
		}
		ids := ""
		for _, it := range doc.Items {
			ids += it.IDRaw
		}
		if strings.Replace(ids, "2", "", 1) != "134" {
			t.Errorf("%s: items %q, %q", broken, ids, doc.Problems)
		}
	}
}

// TestCutJSON: wherever a whole document is cut, the whole items stay and it is
// called cut short.
func TestCutJSON(t *testing.T) {
	for i := strings.Index(goodJSON, `"items"`) + 9; i < len(goodJSON)-1; i++ {
		doc, err := Parse(Input{Body: []byte(goodJSON[:i])})
		want := 0
		for n := range 3 {
			if end := strings.Index(goodJSON, fmt.Sprintf(`{"id":"%d"`, n+2)); end > 0 && strings.LastIndex(goodJSON[:end], "}") < i || n == 2 && i >= len(goodJSON)-3 {
				want++
			}
		}
		if err != nil || len(doc.Items) != want || !doc.Partial {
			t.Fatalf("cut at %d %q: %d items of %d, partial %v, %v", i, goodJSON[max(0, i-30):i], len(doc.Items), want, doc.Partial, err)
		}
	}
}

// TestMendingIsLinear: no document makes the reading of one byte cost more than a
// bounded number of steps.
func TestMendingIsLinear(t *testing.T) {
	for _, piece := range []string{`,{"a":`, `"`, `" ,`, `[`, `{"id":1 ]`, `\`, `" `, `,{"id":"1","t":"`} {
		body := `{"items":[{"x":` + strings.Repeat(piece, (1<<20)/len(piece))
		start := time.Now()
		_, _ = Parse(Input{Body: []byte(body)})
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("%q: %v", piece, took)
		}
	}
}

// FuzzMendedJSON: whatever comes in, reading ends, and what is mended of it is
// either JSON or known not to be.
func FuzzMendedJSON(f *testing.F) {
	f.Add(goodJSON)
	f.Add(strings.Replace(goodJSON, "one", "o\n\\x41\\'", 1))
	f.Add(`{"items":[{"id":1 ],{"id":2`)
	f.Add(`{"items":["a" "b",{"id":NaN},,{"id":"x"}}`)
	f.Fuzz(func(t *testing.T, s string) {
		p := &parser{}
		if !strings.HasPrefix(s, "{") || (jsonReader{p}).mend([]byte(s)) != nil {
			return
		}
		if len(p.doc.Items) > strings.Count(s, "{") {
			t.Fatalf("%d items of %q", len(p.doc.Items), s)
		}
		for _, it := range p.doc.Items {
			if len(it.ContentHTML) > MaxItem+4*len(s) {
				t.Fatal("the body grew")
			}
		}
	})
}

// TestItemsUnderNames: items that stand in an object rather than an array, and
// what servers write before JSON so that no page can run it.
func TestItemsUnderNames(t *testing.T) {
	const items = `{"version":"https://jsonfeed.org/version/1.1","items":{"a":{"id":"1","title":"one"},"b":{"id":"2","title":"two"},"c":5},"title":"T"}`
	for _, body := range []string{items, ")]}'\n" + items, ")]}',\r\n" + items} {
		doc, err := Parse(Input{Body: []byte(body)})
		if err != nil || doc.Title != "T" || len(doc.Items) != 2 || doc.Items[1].Title != "two" || len(doc.Problems) != 1 {
			t.Errorf("%.9q: %+v, %v", body, doc, err)
		}
		if kind := Sniff([]byte(body), ""); kind != KindFeed {
			t.Errorf("%.9q is taken for %d", body, kind)
		}
		for i := range len(body) - 1 {
			if doc, err := Parse(Input{Body: []byte(body[:i])}); err == nil && !doc.Partial {
				t.Fatalf("cut after %q: %+v", body[:i], doc)
			}
		}
	}
}
