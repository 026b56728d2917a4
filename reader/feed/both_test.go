package feed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
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

// TestTwoReadersOneAnswer compares the two over all documents at hand: the same to
// the byte, whoever reads; and gofeed reads nearly all that are well formed.
func TestTwoReadersOneAnswer(t *testing.T) {
	same, read := tally{name: "read alike"}, tally{name: "well-formed ones read by gofeed"}
	for _, d := range documents(t) {
		both, scanned, err, scanErr := readers(Input{Body: d.body, URL: "http://example.org/a/feed.xml"})
		same.count((err == nil) == (scanErr == nil) && sameButParser(both, scanned), func() string { return d.file })
		if err == nil && !d.own && wellMade(d) { // our own are as odd as can be
			read.count(both.Parser == Gofeed, func() string { return d.file })
		}
	}
	t.Log(&same)
	t.Log(&read)
	if same.ok < same.all {
		t.Errorf("read differently: %v", same.examples)
	}
	if read.ok*100 < read.all*95 { // of none where the collection is not here
		t.Errorf("read by our own scanner: %v", read.examples)
	}
}

// wellMade reports whether a document is well-formed XML, or JSON, once its bytes
// are decoded.
func wellMade(d document) bool {
	p := parser{}
	text := p.decode(d.body)
	if d.format == "jsonfeed" {
		return json.Valid(text)
	}
	dec := xml.NewDecoder(bytes.NewReader(text))
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		if _, err := dec.Token(); err != nil {
			return err == io.EOF
		}
	}
}
