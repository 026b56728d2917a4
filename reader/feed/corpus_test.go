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

// document is one line of the corpus's manifest.
type document struct {
	file, repo, category, format, sha, publisher, oracleEntries string
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
