package feed

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the answers of testdata/oddities again")

// oddity is a document of testdata/oddities: one class of what feeds do that they
// need not or should not, and what is to be read of it.
type oddity struct {
	name, text, want string
}

// frames are what stands around the text of an oddity, by the ending of its file.
var frames = map[string][2]string{
	"rss": {`<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" ` +
		`xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ` +
		`xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:x="http://x.example/"><channel>`, `</channel></rss>`},
	"rdf": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">`, `</rdf:RDF>`},
	"atom": {`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">`,
		`</feed>`},
	"json": {`{"version":"https://jsonfeed.org/version/1.1",`, `}`},
	"doc":  {"", ""},
}

// oddities reads a file: "## name" begins one, "=> " its answer.
func oddities(t *testing.T, path string) []oddity {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []oddity
	for _, part := range strings.Split("\n"+string(b), "\n## ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		var o oddity
		o.name = name
		for _, l := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
			if answer, ok := strings.CutPrefix(l, "=> "); ok {
				o.want += answer + "\n"
			} else if o.want == "" {
				o.text += l + "\n"
			}
		}
		o.text = strings.TrimSuffix(o.text, "\n")
		all = append(all, o)
	}
	return all
}

// answer is what was read, one line for the feed and one for each item.
func answer(d Document, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, " %s=%q", name, value)
		}
	}
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339)
	}
	fmt.Fprintf(&b, "%s, by %s, %d items:", d.Format, d.Parser, len(d.Items))
	field("title", d.Title)
	field("link", d.Link)
	field("about", d.Description)
	field("language", d.Language)
	field("self", d.Self)
	field("icon", d.Icon)
	field("updated", day(d.Updated))
	if d.TTL+d.UpdateEvery > 0 || len(d.SkipHours)+len(d.SkipDays) > 0 {
		fmt.Fprintf(&b, " schedule=%v,%v,%v,%v", d.TTL, d.UpdateEvery, d.SkipHours, d.SkipDays)
	}
	for _, s := range d.Problems {
		field("problem", s)
	}
	b.WriteByte('\n')
	for _, it := range d.Items {
		fmt.Fprintf(&b, "%q", it.Title)
		field("id", it.IDRaw)
		field("link", it.Link)
		field("by", it.Author)
		field("published", day(it.Published))
		field("updated", day(it.Updated))
		field("categories", strings.Join(it.Categories, "|"))
		for _, e := range it.Enclosures {
			field("file", strings.TrimSpace(fmt.Sprint(e.URL, " ", e.Type, " ", e.Length)))
		}
		field("comments", it.Comments)
		field("text", it.ContentHTML)
		field("short", it.SummaryHTML)
		b.WriteByte('\n')
	}
	return b.String()
}

// TestOdditiesTogether puts several oddities into one item, and into one feed, in
// any order, as what one means may hang on what came before it: gofeed reads the same
// as the scanner alone.
func TestOdditiesTogether(t *testing.T) {
	items := map[string][2]string{"rss": {"<title>Tide</title><item>", "</item>"}, "atom": {"<title>Tide</title><entry>", "</entry>"}}
	for kind, item := range items {
		var feeds, parts []string
		for _, o := range oddities(t, filepath.Join("testdata", "oddities", kind+".txt")) {
			if !strings.Contains(o.want, "by gofeed") {
				continue
			}
			feeds = append(feeds, o.text)
			inner, ok := strings.CutPrefix(o.text, item[0])
			if inner, whole := strings.CutSuffix(inner, item[1]); ok && whole && !strings.Contains(inner, item[1]) {
				parts = append(parts, inner)
			}
		}
		together(t, parts, frames[kind][0]+item[0], item[1]+frames[kind][1])
		together(t, feeds, frames[kind][0], frames[kind][1])
	}
}

// together reads documents of some parts each, always the same ones.
func together(t *testing.T, parts []string, before, after string) {
	t.Helper()
	rnd, read := rand.New(rand.NewPCG(1, 2)), 0
	const n = 500
	for range n {
		text := ""
		for range 1 + rnd.IntN(5) {
			text += parts[rnd.IntN(len(parts))]
		}
		both, scanned, err, scanErr := readers(Input{Body: []byte(before + text + after), URL: "https://a.example/dir/feed"})
		if err != nil || scanErr != nil || !sameButParser(both, scanned) {
			t.Fatalf("%s:\n%s\nthe scanner alone:\n%s", text, answer(both, err), answer(scanned, scanErr))
		}
		if both.Parser == Gofeed {
			read++
		}
	}
	if read < n*8/10 {
		t.Errorf("gofeed reads %d of %d", read, n)
	}
	t.Logf("%d of %d, of %d parts", read, n, len(parts))
}

// TestOddities reads the documents of testdata/oddities and compares with what is
// known to be in them. What gofeed reads, the scanner alone reads too, to the byte.
func TestOddities(t *testing.T) {
	files, _ := filepath.Glob("testdata/oddities/*.txt")
	by := map[Parser]int{}
	for _, path := range files {
		frame, ok := frames[strings.TrimSuffix(filepath.Base(path), ".txt")]
		if !ok {
			t.Fatalf("%s: no such kind", path)
		}
		var out strings.Builder
		for _, o := range oddities(t, path) {
			in := Input{Body: []byte(frame[0] + o.text + frame[1]), URL: "https://a.example/dir/feed"}
			both, scanned, err, scanErr := readers(in)
			got := answer(both, err)
			if !*update && got != o.want {
				t.Errorf("%s, %s:\n%s\nread:\n%swant:\n%s", path, o.name, o.text, got, o.want)
			}
			if (err == nil) != (scanErr == nil) || !sameButParser(both, scanned) {
				t.Errorf("%s, %s: the scanner alone reads\n%swhere both read\n%s", path, o.name, answer(scanned, scanErr), got)
			}
			if err == nil {
				by[both.Parser]++
			}
			fmt.Fprintf(&out, "## %s\n%s\n=> %s\n", o.name, o.text, strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "\n=> "))
		}
		if *update {
			if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if by[Gofeed] < 200 || by[Scanner] < 40 {
		t.Errorf("read by gofeed: %d, by the scanner: %d", by[Gofeed], by[Scanner])
	}
	t.Logf("read by gofeed: %d, by the scanner: %d", by[Gofeed], by[Scanner])
}
