package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader"
)

// reporter is a session that prints into a buffer.
func reporter(width int) (*session, func() string) {
	var b bytes.Buffer
	s := &session{env: Env{Out: &b, Err: &b, Width: width}, out: bufio.NewWriter(&b)}
	return s, func() string { s.out.Flush(); return b.String() }
}

func TestDiagnosis(t *testing.T) {
	tides := reader.Feed{Key: 3, Title: "Tide Tables", State: reader.FeedFailing, Error: "404 not found"}
	d := reader.Diagnosis{Items: 61204, Took: 400 * time.Millisecond, Bytes: 184 << 20, Free: 31 << 30, Fetcher: "pid 4211 (screen)", Feeds: 287,
		Trouble: []reader.Trouble{{Feed: tides, What: "404 not found since 12 Nov, 8 tries", Do: "diurna preview tides.example    (perhaps its page names a new feed)"}},
		Silent:  make([]reader.Feed, 31)}
	id := tides.Key.String()
	trouble := "trouble     1 of 287 feeds\n  " + id + "  Tide Tables  404 not found since 12 Nov, 8 tries\n" +
		"         do: diurna preview tides.example    (perhaps its page names a new feed)\n"
	for _, c := range []struct {
		quiet bool
		want  string
	}{
		{true, trouble},
		{false, "library     good: 61,204 items checked in 0.4 s\nfetching    good: pid 4211 (screen); last fetch -\ndisk        184 MB used, 31 GB free\n" +
			trouble + "silent      31 feeds without a post for 60 days (diurna doctor --silent)\n"},
	} {
		s, text := reporter(80)
		s.printDiagnosis(t.Context(), &d, c.quiet, time.Time{})
		if got := text(); got != c.want {
			t.Errorf("quiet %v:\n%s\nwant\n%s", c.quiet, got, c.want)
		}
	}
	s, text := reporter(80)
	s.printDiagnosis(t.Context(), &reader.Diagnosis{Findings: []string{"item b7q-41: read, the log says unread"}, Items: 7}, true, time.Time{})
	if got := text(); !strings.HasPrefix(got, "library     damaged: 1 finding in 7 items checked\n  item b7q-41: read") {
		t.Errorf("a damaged library, quietly:\n%s", got)
	}
	var back map[string]any
	b, err := json.Marshal(diagnosisJSON{&d})
	if err != nil || json.Unmarshal(b, &back) != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if back["good"] != true || len(back["trouble"].([]any)) != 1 || back["fetcher"] != "pid 4211 (screen)" {
		t.Errorf("as JSON: %s", b)
	}
}

func TestPreviewWords(t *testing.T) {
	articles := func(n, words int, newest time.Time, apart time.Duration) []reader.Article {
		var list []reader.Article
		for i := range n {
			list = append(list, reader.Article{Item: reader.Item{Title: "x", Words: words, Published: newest.Add(-time.Duration(i) * apart)}})
		}
		return list
	}
	for _, c := range []struct {
		articles []reader.Article
		want     string
	}{
		{nil, "RSS 2.0, 0 items"},
		{articles(20, 300, friday, 12*time.Hour), "RSS 2.0, 20 items, 10-20 Nov, about 2 a day, full text"},
		{articles(3, 20, friday, 7*24*time.Hour), "RSS 2.0, 3 items, 6-20 Nov, about 1 a week"},
		{articles(2, 20, friday, 60*24*time.Hour), "RSS 2.0, 2 items, 21 Sep - 20 Nov, about 6 a year"},
		{articles(1, 20, friday, 0), "RSS 2.0, 1 item, 20 Nov"},
		{articles(2, 20, friday, 365*24*time.Hour), "RSS 2.0, 2 items, 2025-11-20 - 20 Nov, about 1 a year"},
	} {
		p := reader.Preview{Feed: reader.Feed{Format: "RSS 2.0"}, Articles: c.articles}
		if got := previewFormat(&p, friday); got != c.want {
			t.Errorf("previewFormat = %q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		p    reader.Preview
		want string
	}{
		{reader.Preview{}, ""},
		{reader.Preview{Named: true}, " (named by the page)"},
		{reader.Preview{Named: true, Others: []reader.Candidate{{Title: "Comments"}, {URL: "https://a.example/b"}}}, " (named by the page; there is also: Comments, https://a.example/b)"},
	} {
		if got := named(&c.p); got != c.want {
			t.Errorf("named = %q, want %q", got, c.want)
		}
	}
}

// What an article is made of reaches paper as plain text, title and link included.
func TestArticleIsPlain(t *testing.T) {
	s, text := reporter(0)
	s.printArticle(&reader.Article{
		Item: reader.Item{Title: "Ti\x1b]0;tle\atle", Feed: "F\u202eeed", Author: "me\u009b31m", Link: "https://a.example/\x07b", Words: 3, Tags: []string{"a\tb"},
			Enclosures: []reader.Enclosure{{URL: "https://a.example/e\x1b[31m.ogg", Type: "audio/ogg", Length: 5 << 20}}},
		HTML: "<p>one \x1b[31mtwo&#27;[0m</p><script>alert(1)</script><p>three</p>",
	})
	got := text()
	for _, r := range got {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			t.Errorf("%U in %q", r, got)
		}
	}
	for _, want := range []string{"by me", "enclosure: https://a.example/e", "audio/ogg · 5 MB", "three\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "alert") {
		t.Errorf("a script became text: %q", got)
	}
}

// Progress is drawn over one line of a terminal, and is silent elsewhere.
func TestProgress(t *testing.T) {
	for _, lively := range []bool{false, true} {
		s, text := reporter(0)
		s.env.Lively = lively
		p := s.progress("fetching")
		p.step(reader.Progress{Done: 1, Total: 41})
		p.step(reader.Progress{Done: 2, Total: 41}) // too soon to be drawn
		p.step(reader.Progress{Done: 41, Total: 41})
		p.end()
		got := text()
		if lively != strings.Contains(got, "\rfetching 41/41") || strings.Contains(got, " 2/41") || strings.Contains(got, "\n") {
			t.Errorf("lively %v: %q", lively, got)
		}
	}
}

// The lists of other programs are found below a home, and only read.
func TestLists(t *testing.T) {
	home := t.TempDir()
	if got := Lists(home); got != nil {
		t.Errorf("in an empty home: %v", got)
	}
	path := filepath.Join(home, ".newsboat", "urls")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	const urls = "# mine\nhttps://a.example/f kernel \"~A\"\n\nhttp://b.example/f kernel sea\nexec:~/x.sh\nquery:Q:unread = \"yes\"\n"
	if err := os.WriteFile(path, []byte(urls), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []List{{Program: "newsboat", Path: path, Feeds: 2, Tags: 2}}
	if got := Lists(home); !slices.Equal(got, want) {
		t.Errorf("Lists = %v, want %v", got, want)
	}
}
