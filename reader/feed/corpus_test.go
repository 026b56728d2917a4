package feed

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus is where real feeds lie, when they do.
const corpus = "../../../shared/data/feeds"

// document is one that tests read.
type document struct {
	file, format string
	body         []byte
	own          bool // written here
}

// documents are those of testdata/oddities, each alone and all of a kind together,
// and of the collection of real feeds, where it is, a sixth: everything with
// DIURNA_CORPUS=all.
func documents(t *testing.T) []document {
	t.Helper()
	docs := ownDocuments(t)
	f, err := os.Open(filepath.Join(corpus, "manifest.tsv"))
	if err != nil {
		t.Logf("the collection of real feeds is not here: %d documents of our own", len(docs))
		return docs
	}
	defer f.Close()
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
		if !isFeedFormat(c[6]) || os.Getenv("DIURNA_CORPUS") != "all" && h.Sum32()%6 != 0 {
			continue
		}
		body, err := os.ReadFile(filepath.Join(corpus, c[1]))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, document{c[1], c[6], body, false})
	}
	return docs
}

// ownDocuments are the oddities, each alone and, of one kind, all that are well
// formed together.
func ownDocuments(t *testing.T) []document {
	var docs []document
	for kind, frame := range frames {
		format := kind
		switch kind {
		case "json":
			format = "jsonfeed"
		case "doc":
			format = "rss"
		}
		var all strings.Builder
		for _, o := range oddities(t, filepath.Join("testdata", "oddities", kind+".txt")) {
			docs = append(docs, document{o.name, format, []byte(frame[0] + o.text + frame[1]), true})
			if strings.HasPrefix(o.text, "<title>Tide</title><") && strings.Contains(o.want, "by gofeed, 1 items") {
				all.WriteString(strings.TrimPrefix(o.text, "<title>Tide</title>"))
			}
		}
		if all.Len() > 0 {
			docs = append(docs, document{"all of " + kind, format, []byte(frame[0] + all.String() + frame[1]), true})
		}
	}
	return docs
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

func isFeedFormat(format string) bool {
	return map[string]bool{"rss": true, "atom": true, "rdf": true, "jsonfeed": true}[format]
}
