package feed

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"diurna/reader/plain"
)

// corpus is where real feeds lie, when they do.
const corpus = "../../../shared/data/feeds"

// document is one line of the corpus's manifest.
type document struct {
	file, repo, category, format, sha, publisher, oracleEntries string
}

// oracleFeed is what an independent parser made of a document.
type oracleFeed struct {
	Sha   string
	Bozo  int
	Items []oracleItem
}

type oracleItem struct {
	Title, Link, ID string
	Pub, Upd        *int64
	PubRaw, UpdRaw  string
	Author          string
	SumLen          int
}

// documents lists the corpus: a sixth of it, everything with DIURNA_CORPUS=all.
func documents(t testing.TB) []document {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus, "manifest.tsv"))
	if err != nil {
		t.Skip("the collection of real feeds is not here")
	}
	defer f.Close()
	var docs []document
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	sc.Scan() // the header
	for sc.Scan() {
		c := strings.Split(sc.Text(), "\t")
		if len(c) < 15 {
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(c[8]))
		if os.Getenv("DIURNA_CORPUS") == "all" || h.Sum32()%6 == 0 {
			docs = append(docs, document{c[1], c[2], c[5], c[6], c[8], c[9], c[14]})
		}
	}
	return docs
}

func oracle(t testing.TB) map[string]oracleFeed {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus, "oracle.jsonl.gz"))
	if err != nil {
		t.Skip("the oracle's answers are not here")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]oracleFeed{}
	dec := json.NewDecoder(z)
	for dec.More() {
		var o oracleFeed
		if err := dec.Decode(&o); err != nil {
			t.Fatal(err)
		}
		all[o.Sha] = o
	}
	return all
}

// tally counts agreements and keeps some examples of the others.
type tally struct {
	name     string
	ok, all  int
	examples []string
}

func (y *tally) count(ok bool, example func() string) {
	y.all++
	if ok {
		y.ok++
	} else if len(y.examples) < 4000 {
		y.examples = append(y.examples, example())
	}
}

func (y *tally) String() string {
	if y.all == 0 {
		return y.name + ": none"
	}
	return fmt.Sprintf("%-28s %6d of %6d  %.2f %%", y.name, y.ok, y.all, 100*float64(y.ok)/float64(y.all))
}

// comparison is the table this test prints.
type comparison struct {
	parsed, entries, title, link, id, date tally
	left                                   int // entries left out: repeated or empty
}

func isFeedFormat(format string) bool {
	return map[string]bool{"rss": true, "atom": true, "rdf": true, "jsonfeed": true}[format]
}

// TestCorpus compares every document with what feedparser makes of it. Links,
// ids and dates are compared as they stand, titles as the text a person reads.
func TestCorpus(t *testing.T) {
	docs, oracles := documents(t), oracle(t)
	c := comparison{
		parsed: tally{name: "documents parsed"}, entries: tally{name: "entries found"}, title: tally{name: "titles"},
		link: tally{name: "links"}, id: tally{name: "ids"}, date: tally{name: "dates"},
	}
	now := time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, d := range docs {
		if !isFeedFormat(d.format) {
			continue
		}
		body, err := os.ReadFile(filepath.Join(corpus, d.file))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Parse(Input{Body: body, Now: now})
		o := oracles[d.sha]
		if len(o.Items) > 0 || err != nil {
			c.parsed.count(err == nil && len(doc.Items) > 0, func() string { return fmt.Sprintf("%s: %v", d.file, err) })
		}
		c.compare(d.file, doc, o)
	}
	for _, y := range []*tally{&c.parsed, &c.entries, &c.title, &c.link, &c.id, &c.date} {
		t.Log(y)
		if path := os.Getenv("DIURNA_MISSES"); path != "" {
			sort.Strings(y.examples)
			name := strings.ReplaceAll(y.name, " ", "-")
			if err := os.WriteFile(filepath.Join(path, name), []byte(strings.Join(y.examples, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("entries left out: %d (repeated word for word, or empty)", c.left)
	for _, bar := range []struct {
		y   *tally
		min float64
	}{{&c.parsed, 0.98}, {&c.entries, 0.99}, {&c.title, 0.97}, {&c.link, 0.96}, {&c.id, 0.97}, {&c.date, 0.95}} {
		if float64(bar.y.ok) < bar.min*float64(bar.y.all) {
			t.Errorf("%v: below %.0f %%", bar.y, 100*bar.min)
		}
	}
}

func (c *comparison) compare(file string, doc Document, o oracleFeed) {
	used := make([]bool, len(doc.Items))
	seen := map[string]bool{}
	for i, want := range o.Items {
		whole := fmt.Sprint(want.Title, "|", want.Link, "|", want.ID, "|", want.PubRaw, "|", want.UpdRaw, "|", want.Author, "|", want.SumLen)
		empty := want.Title+want.Link+want.ID+want.PubRaw+want.UpdRaw+want.Author == "" && want.SumLen == 0
		// We merge items that are the same, and an end tag too many is no item.
		if seen[whole] || empty && len(o.Items) > 1 {
			c.left++
			continue
		}
		seen[whole] = true
		at := match(doc.Items, used, want, i)
		c.entries.count(at >= 0, func() string { return fmt.Sprintf("%s: %d: %q", file, i, want.Title) })
		if at < 0 {
			continue
		}
		used[at] = true
		got := doc.Items[at]
		if want.Title != "" {
			c.title.count(sameText(got.Title, want.Title), func() string { return fmt.Sprintf("%s: %q want %q", file, got.Title, want.Title) })
		}
		if want.Link != "" {
			c.link.count(sameLink(got.Link, want.Link), func() string { return fmt.Sprintf("%s: %q want %q", file, got.Link, want.Link) })
		}
		if want.ID != "" {
			c.id.count(strings.TrimSpace(want.ID) == got.IDRaw, func() string { return fmt.Sprintf("%s: %q want %q", file, got.IDRaw, want.ID) })
		}
		if at := want.Pub; at != nil || want.Upd != nil {
			mine := got.Published
			if at == nil || mine.IsZero() {
				mine = got.Updated
			}
			if at == nil {
				at = want.Upd
				if mine.IsZero() {
					mine = got.Published
				}
			}
			c.date.count(mine.Unix() == *at, func() string {
				return fmt.Sprintf("%s: %v (%s|%s) want %v (%s|%s)", file, mine, got.PublishedRaw, got.UpdatedRaw,
					time.Unix(*at, 0).UTC(), want.PubRaw, want.UpdRaw)
			})
		}
	}
}

// match finds the item of the oracle among ours: by id, link, title, place.
func match(items []Item, used []bool, want oracleItem, place int) int {
	for _, same := range []func(Item) bool{
		func(it Item) bool { return want.ID != "" && it.IDRaw == want.ID && sameText(it.Title, want.Title) },
		func(it Item) bool { return want.ID != "" && it.IDRaw == want.ID },
		func(it Item) bool {
			return want.Link != "" && sameLink(it.Link, want.Link) && sameText(it.Title, want.Title)
		},
		func(it Item) bool { return want.Title != "" && sameText(it.Title, want.Title) },
		func(it Item) bool { return want.Link != "" && sameLink(it.Link, want.Link) },
	} {
		if place < len(items) && !used[place] && same(items[place]) {
			return place
		}
		for i, it := range items {
			if !used[i] && same(it) {
				return i
			}
		}
	}
	// Nothing it is known by agrees: the place has to do, and what differs is
	// counted as such.
	if place < len(items) && !used[place] {
		return place
	}
	return -1
}

func sameText(a, b string) bool {
	// The oracle's titles are HTML; ours is the text.
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	a, text := squeeze(a), squeeze(plain.FromHTML(b, 0))
	return a == squeeze(plain.Line(b, 0)) || a == text || a == squeeze(html.UnescapeString(text)) ||
		len(a) > 900 && strings.HasPrefix(text, a[:800])
}

func sameLink(a, b string) bool { return a == plain.Line(b, 0) }
