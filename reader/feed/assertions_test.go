package feed

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"diurna/reader/plain"
)

// assertion is one line of the corpus's expectations.
type assertion struct {
	File, Kind, Path string
	Expected         any
}

var (
	// equality is the form most of feedparser's assertions have: a path into the
	// result and a literal. What has another form is counted as left out.
	equality = regexp.MustCompile(`^(?:not bozo and |bozo and )?(feed|entries)((?:\[(?:\d+|'[a-z_]+')\])+) == (u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*"|\([\d, ]+\))$`)
	header   = regexp.MustCompile(`(?mi)^\s*Header:\s*([A-Za-z-]+):\s*(.*?)\s*$`)
	address  = regexp.MustCompile(`(?i)\b(?:href|src)="?([^" >]+)`)
)

// TestAssertions evaluates the assertions of feedparser's own tests that speak
// of fields this package has. Texts are compared as a person reads them, markup
// by its text and its addresses; feedparser's sanitising of markup is another
// room's work here, so assertions about it are left out and counted.
func TestAssertions(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus, "expected.jsonl.gz"))
	if err != nil {
		t.Skip("the expectations are not here")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	general, base, encodings := tally{name: "feedparser assertions"}, tally{name: "relative addresses"}, tally{name: "encodings"}
	left := map[string]int{}
	for dec := json.NewDecoder(z); dec.More(); {
		var a assertion
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		if a.Kind != "feedparser-eval" {
			continue
		}
		body, err := os.ReadFile(filepath.Join(corpus, a.File))
		if err != nil {
			t.Fatal(err)
		}
		ok, why := a.holds(body)
		switch example := func() string { return fmt.Sprintf("%s: %v", a.File, a.Expected) }; {
		case why != "":
			left[why]++
		case strings.Contains(a.File, "_base_") && !strings.Contains(a.File, "base64.") && !strings.Contains(a.File, "base64_2"):
			base.count(ok, example)
		case strings.Contains(a.Path, "/encoding/"):
			encodings.count(ok, example)
		default:
			general.count(ok, example)
		}
	}
	for _, y := range []*tally{&general, &base, &encodings} {
		t.Log(y)
		if path := os.Getenv("DIURNA_MISSES"); path != "" {
			name := filepath.Join(path, strings.ReplaceAll(y.name, " ", "-"))
			if err := os.WriteFile(name, []byte(strings.Join(y.examples, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("left out: %v", left)
	if float64(base.ok) < 0.95*float64(base.all) || float64(general.ok) < 0.92*float64(general.all) {
		t.Error("below 95 % of relative addresses or 92 % of the others")
	}
}

// holds evaluates the assertion; why says why that is not possible.
func (a assertion) holds(body []byte) (ok bool, why string) {
	expr, _ := a.Expected.(string)
	m := equality.FindStringSubmatch(strings.TrimSpace(expr))
	if m == nil {
		return false, "another form"
	}
	if strings.Contains(a.Path, "sanitiz") || strings.Contains(a.Path, "/sanitize/") {
		return false, "sanitising"
	}
	in := Input{Body: body, URL: "http://127.0.0.1:8097/" + a.Path}
	for _, h := range header.FindAllSubmatch(body[:min(len(body), 2048)], -1) {
		switch strings.ToLower(string(h[1])) {
		case "content-type":
			in.ContentType = string(h[2])
		case "content-location":
			in.ContentLocation = string(h[2])
		}
	}
	doc, err := Parse(in)
	if err != nil {
		doc = Document{}
	}
	got, known := lookUp(doc, m[1]+m[2])
	if !known {
		return false, "a field we have not"
	}
	return same(got, m[3]), ""
}

// lookUp returns the field a path of feedparser's means: a text or a time.
func lookUp(d Document, path string) (any, bool) {
	rest, entry := strings.CutPrefix(path, "entries[0]")
	if !entry {
		switch path {
		case "feed['title']", "feed['title_detail']['value']":
			return d.Title, true
		case "feed['link']":
			return d.Link, true
		case "feed['description']", "feed['subtitle']", "feed['tagline']":
			return d.Description, true
		case "feed['language']":
			return d.Language, true
		}
		return nil, false
	}
	it := Item{}
	if len(d.Items) > 0 {
		it = d.Items[0]
	}
	short := it.SummaryHTML
	if short == "" {
		short = it.ContentHTML
	}
	switch rest {
	case "['title']", "['title_detail']['value']":
		return it.Title, true
	case "['link']":
		return it.Link, true
	case "['id']", "['guid']":
		return it.IDRaw, true
	case "['author']", "['author_detail']['name']":
		return it.Author, true
	case "['summary']", "['description']", "['summary_detail']['value']":
		return short, true
	case "['content'][0]['value']":
		return it.ContentHTML, true
	case "['updated_parsed']", "['modified_parsed']":
		return it.Updated, true
	case "['published_parsed']", "['created_parsed']":
		return it.Published, true
	case "['comments']":
		return it.Comments, true
	case "['enclosures'][0]['href']":
		if len(it.Enclosures) > 0 {
			return it.Enclosures[0].URL, true
		}
		return "", true
	case "['tags'][0]['term']", "['category']":
		if len(it.Categories) > 0 {
			return it.Categories[0], true
		}
		return "", true
	}
	return nil, false
}

func same(got any, literal string) bool {
	if at, ok := got.(time.Time); ok {
		var n []int
		for _, s := range strings.Split(strings.Trim(literal, "()"), ",") {
			v, _ := strconv.Atoi(strings.TrimSpace(s))
			n = append(n, v)
		}
		return len(n) >= 6 && at.Equal(time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC))
	}
	want := unquote(literal)
	s := got.(string)
	if s == want || sameText(s, want) {
		return true
	}
	addresses := func(s string) string { return fmt.Sprint(address.FindAllStringSubmatch(s, -1)) }
	return sameText(plain.FromHTML(s, 0), want) && addresses(s) == addresses(want)
}

// unquote reads a Python string literal.
func unquote(s string) string {
	s = strings.TrimPrefix(s, "u")
	s = s[1 : len(s)-1]
	var b bytes.Buffer
	for s != "" {
		if s[0] == '\\' && len(s) > 1 && (s[1] == '\'' || s[1] == '"') {
			b.WriteByte(s[1])
			s = s[2:]
			continue
		}
		r, _, tail, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		b.WriteRune(r)
		s = tail
	}
	return b.String()
}
