package reader

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"diurna/reader/feed"
)

func atomOf(t *testing.T, r *Reader, o AtomExport) (doc []byte, read feed.Document) {
	t.Helper()
	var b bytes.Buffer
	report, err := r.ExportAtom(t.Context(), &b, o)
	if err != nil {
		t.Fatal(err)
	}
	read, err = feed.Parse(feed.Input{Body: b.Bytes(), ContentType: "application/atom+xml"})
	if err != nil || len(read.Problems) > 0 || len(read.Items) != report.Entries {
		t.Fatalf("%v, problems %q, %d items, want %d", err, read.Problems, len(read.Items), report.Entries)
	}
	return b.Bytes(), read
}

// What goes out of a library is what its items are; its ids are its own.
func TestExportAtom(t *testing.T) {
	const address = "https://x.example/feed"
	web := newFakeWeb()
	web.serve(address, "application/rss+xml", rssOf("The Harbour", "a|Boats &amp; crew|Wed, 04 Mar 2026 05:06:07 GMT|Three &lt;i&gt;boats&lt;/i&gt;",
		"b||Thu, 05 Mar 2026 05:06:07 GMT|", "c?token=s3cr3tt0ken|Hidden|Fri, 06 Mar 2026 05:06:07 GMT|There"))
	ids := map[string]bool{}
	for n := range 2 {
		r := newLibrary(t, web).At(time.Now().Add(-time.Duration(n) * time.Hour)) // libraries are told apart by when they began
		if _, read := atomOf(t, r, AtomExport{}); len(read.Items) > 0 {
			t.Errorf("an empty library: %v", read.Items)
		}
		key := add(t, r, address, SubscribeOptions{}).Feed.Key
		doc, read := atomOf(t, r, AtomExport{})
		rows, err := r.Rows(t.Context(), Query{}, 0)
		if err != nil || len(rows) != 3 || len(read.Items) != 3 {
			t.Fatalf("%v, %d rows, %d items", err, len(rows), len(read.Items))
		}
		for i, row := range rows {
			a, err := r.Article(t.Context(), row.ID)
			if err != nil {
				t.Fatal(err)
			}
			it := read.Items[i]
			link, _, _ := strings.Cut(a.Link, "?")
			if it.Title != a.Title || it.Link != link || !it.Published.Equal(a.Published) || it.ContentHTML != a.HTML || it.Author != "The Harbour" {
				t.Errorf("%+v, want %+v", it, a)
			}
			if ids[it.IDRaw] {
				t.Errorf("%s: the id of an item of this or another library", it.IDRaw)
			}
			ids[it.IDRaw] = true
		}
		if _, err := r.Open(t.Context(), rows[0].ID); err != nil {
			t.Fatal(err)
		}
		if again, _ := atomOf(t, r, AtomExport{}); !bytes.Equal(again, doc) {
			t.Errorf("after reading: %s, was %s", again, doc)
		}
		if doc, _ := atomOf(t, r, AtomExport{Secrets: true}); !bytes.Contains(doc, []byte("token=s3cr3tt0ken")) {
			t.Errorf("with secrets: %s", doc)
		}
		if _, newest := atomOf(t, r, AtomExport{Limit: 1}); len(newest.Items) != 1 || newest.Items[0].IDRaw != read.Items[0].IDRaw {
			t.Errorf("the newest: %v", newest.Items)
		}
		if _, err := r.ExportAtom(t.Context(), &bytes.Buffer{}, AtomExport{Page: key}); !errors.Is(err, ErrNotWatched) {
			t.Errorf("a feed as a page: %v", err)
		}
		if _, err := r.ExportAtom(t.Context(), &bytes.Buffer{}, AtomExport{Page: key + 1}); !errors.Is(err, ErrNotFound) {
			t.Errorf("no page: %v", err)
		}
	}
}
