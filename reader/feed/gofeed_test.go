package feed

import (
	"bytes"
	"fmt"
	"testing"
	"unicode/utf8"

	"github.com/mmcdole/gofeed"

	"diurna/reader/feed/xmlscan"
)

// TestAgainstGofeed compares with gofeed on the repaired bytes of every
// document: it must never find more items than this package does.
func TestAgainstGofeed(t *testing.T) {
	items := tally{name: "as many items as gofeed"}
	for _, d := range documents(t) {
		p := parser{}
		text := p.decode(d.body)
		theirs, err := gofeedAlone(forGofeed(text))
		if err != nil || len(theirs.Items) == 0 {
			continue
		}
		ours, err := Parse(Input{Body: d.body})
		if err != nil {
			t.Errorf("%s: %v, gofeed finds %d items", d.file, err, len(theirs.Items))
			continue
		}
		merged := 0
		if len(ours.Items) < len(theirs.Items) {
			merged = repeated(theirs.Items)
		}
		items.count(len(ours.Items)+merged >= len(theirs.Items), func() string { return d.file })
	}
	t.Log(&items)
	if items.ok < items.all {
		t.Errorf("fewer items: %v", items.examples)
	}
}

// gofeedAlone is what gofeed reads by itself: it panics where an item is null.
func gofeedAlone(text []byte) (f *gofeed.Feed, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("gofeed: %v", p)
		}
	}()
	return gofeed.NewParser().Parse(bytes.NewReader(text))
}

// repeated counts the items that are the same as an earlier one.
func repeated(items []*gofeed.Item) int {
	seen, n := map[[5]string]bool{}, 0
	for _, it := range items {
		k := [5]string{it.GUID, it.Link, it.Title, it.Published, it.Content + it.Description}
		if seen[k] {
			n++
		}
		seen[k] = true
	}
	return n
}

// forGofeed removes what gofeed stumbles over: everything before the root (it
// looks for the format in the first 4,096 bytes only) and characters XML does
// not allow.
func forGofeed(b []byte) []byte {
	s := xmlscan.Scanner{B: b}
	if t, ok := s.Next(); ok {
		b = b[t.Start:]
	}
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, b)
}
