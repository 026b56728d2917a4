package opml

import (
	"bytes"
	"encoding/csv"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const dataDir = "../../../shared/data/feeds"

// realFiles gives the paths of one kind as the manifest lists them.
func realFiles(t *testing.T, kind string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dataDir, "manifest.tsv"))
	if err != nil {
		t.Skip("the real files are not here (../../../shared/data/feeds)")
	}
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, row := range rows[1:] {
		if row[6] == kind {
			paths = append(paths, filepath.Join(dataDir, row[1]))
		}
	}
	return paths
}

var (
	comment   = regexp.MustCompile(`(?s)<!--.*?-->`)
	tagBegin  = regexp.MustCompile(`(?i)</?(?:\w+:)?(?:outline|body|opml)\b`)
	addressIn = regexp.MustCompile(`(?is)\b(xmlurl|url)\s*=\s*["']\s*([^"']*)`)
)

// TestRealOPML counts, independently of the parser, the outlines that carry an
// address, and holds the parser against it: every one is a feed, or refused for a
// reason, and none with an http(s) xmlUrl is missing.
func TestRealOPML(t *testing.T) {
	var files, total, taken, refused, meant, lost int
	why := map[string]int{}
	for _, path := range realFiles(t, "opml") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files++
		l, err := ParseOPML(b)
		if err != nil && err != ErrNotOPML {
			t.Errorf("%s: %v", path, err)
		}
		here, clear := addresses(decode(b))
		total, meant = total+here, meant+len(clear)
		taken, refused = taken+len(l.Feeds), refused+len(l.Refused)
		if here != len(l.Feeds)+len(l.Refused) {
			t.Errorf("%s: %d outlines with an address, %d feeds, %d refused", path, here, len(l.Feeds), len(l.Refused))
		}
		have := map[string]bool{}
		for _, r := range l.Refused {
			why[r.Why]++
			have[strings.TrimSuffix(r.Text, "/")] = true
		}
		for _, f := range l.Feeds {
			have[strings.TrimSuffix(f.URL, "/")] = true
		}
		for _, u := range clear {
			if plainURL, ok := feedAddress(u); ok && !have[strings.TrimSuffix(plainURL, "/")] {
				lost++
				t.Logf("%s: not a feed: %s", filepath.Base(path), u)
			}
		}
		check(t, b)
	}
	t.Logf("%d files: %d outlines with an address: %d feeds, %d refused %v", files, total, taken, refused, why)
	t.Logf("%d of %d outlines with an http(s) xmlUrl were read", meant-lost, meant)
	if lost > 0 {
		t.Errorf("%d of %d lost", lost, meant)
	}
}

// addresses counts the outlines with an address and lists those whose address is
// an http(s) xmlUrl.
func addresses(doc []byte) (n int, clear []string) {
	// From the beginning of one tag to that of the next: > may stand inside a value.
	for _, tag := range tagBegin.Split(string(comment.ReplaceAll(doc, nil)), -1) {
		some, best := false, ""
		for _, m := range addressIn.FindAllStringSubmatch(tag, -1) {
			v := strings.TrimSpace(html.UnescapeString(m[2]))
			some = some || v != ""
			if strings.EqualFold(m[1], "xmlurl") && strings.HasPrefix(strings.ToLower(v), "http") {
				best = v
			}
		}
		if some {
			n++
		}
		if best != "" {
			clear = append(clear, best)
		}
	}
	return n, clear
}

func TestRealURLs(t *testing.T) {
	for _, path := range realFiles(t, "urls") {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, queries := 0, 0
		for _, l := range strings.Split(string(b), "\n") {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "http") {
				want++
			} else if strings.HasPrefix(strings.Trim(l, `"`), "query:") {
				queries++
			}
		}
		l, err := ParseURLs(b)
		if err != nil || len(l.Feeds) != want || len(l.Queries) != queries || Sniff(b) != "urls" {
			t.Errorf("%s: %d feeds of %d, %d queries of %d, %v", path, len(l.Feeds), want, len(l.Queries), queries, err)
		}
		t.Logf("%s: %d of %d feeds, %d of %d queries", filepath.Base(path), len(l.Feeds), want, len(l.Queries), queries)
		check(t, b)
	}
}
