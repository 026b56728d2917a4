package opml

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// thousand is a list as it is exported: 40 folders, titles, sites, tags.
func thousand() List {
	l := List{Title: "bench"}
	for i := range 1000 {
		l.Feeds = append(l.Feeds, Outline{
			URL: fmt.Sprintf("https://feeds%d.example/blog/%d/atom.xml?a=1&b=%d", i%300, i, i), Title: fmt.Sprintf("Tides & Tables no. %d", i),
			Site: fmt.Sprintf("https://feeds%d.example/blog/%d/", i%300, i), Folder: fmt.Sprintf("folder %d", i%40), Tags: []string{"sea", fmt.Sprint("t", i%17)},
			Attrs: map[string]string{"description": "what it is about, in a dozen words or so, as people like to write"},
		})
	}
	return l
}

func BenchmarkParseOPML(b *testing.B) {
	doc := write(b, thousand(), time.Unix(0, 0))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if l, err := ParseOPML(doc); err != nil || len(l.Feeds) != 1000 {
			b.Fatal(len(l.Feeds), err)
		}
	}
}

func BenchmarkWriteOPML(b *testing.B) {
	l := thousand()
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if err := WriteOPML(&out, l, time.Unix(0, 0)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseURLs(b *testing.B) {
	var out bytes.Buffer
	if err := WriteURLs(&out, thousand()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(out.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if l, err := ParseURLs(out.Bytes()); err != nil || len(l.Feeds) != 1000 {
			b.Fatal(len(l.Feeds), err)
		}
	}
}
