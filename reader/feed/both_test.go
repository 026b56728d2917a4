package feed

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// readers reads a document as it is read, and by the scanner alone.
func readers(in Input) (both, scanned Document, err, scanErr error) {
	both, err = Parse(in)
	scanned, scanErr = (&parser{in: in, maxItems: MaxItems, scanOnly: true}).parse()
	return both, scanned, err, scanErr
}

// sameButParser reports whether the two read the same.
func sameButParser(a, b Document) bool {
	a.Parser, b.Parser = 0, 0
	return reflect.DeepEqual(a, b)
}

// TestTwoReadersOneAnswer compares the two over the collection of real feeds.
func TestTwoReadersOneAnswer(t *testing.T) {
	same := tally{name: "documents read alike"}
	by := map[string]*tally{}
	for _, d := range documents(t) {
		if !isFeedFormat(d.format) {
			continue
		}
		body, err := os.ReadFile(filepath.Join(corpus, d.file))
		if err != nil {
			t.Fatal(err)
		}
		both, scanned, err, scanErr := readers(Input{Body: body, URL: "http://example.org/a/feed.xml"})
		if err == nil {
			y := by[d.format]
			if y == nil {
				y = &tally{name: d.format + " read by gofeed"}
				by[d.format] = y
			}
			y.count(both.Parser == Gofeed, func() string { return d.file })
		}
		same.count((err == nil) == (scanErr == nil) && sameButParser(both, scanned), func() string { return d.file })
	}
	t.Log(&same)
	for _, y := range by {
		t.Log(y)
		if out := os.Getenv("DIURNA_OUT"); out != "" {
			for _, e := range y.examples {
				t.Log("not gofeed", e)
			}
		}
	}
	if same.ok < same.all {
		t.Errorf("read differently: %v", same.examples)
	}
}
