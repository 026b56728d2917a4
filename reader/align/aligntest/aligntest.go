// Package aligntest has pages for tests of alignment and of what stands on it.
package aligntest

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// DataDir is where the real revision pairs lie; they are not part of the project.
const DataDir = "../../../shared/data/pages"

// Pair is two consecutive revisions of a real page.
type Pair struct {
	ID, Label, Category string
	A, B                []byte
}

// Pairs loads the revision pairs, or skips the test. Without
// DIURNA_FULL=1 only one in twelve is taken.
func Pairs(t testing.TB) []Pair {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(DataDir, "labels.tsv"))
	if err != nil {
		t.Skip("no real page revisions beside the project: skipped")
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	var out []Pair
	for n, row := range rows[1:] {
		if !Full() && n%12 != 0 {
			continue
		}
		dir := filepath.Join(DataDir, row[0])
		out = append(out, Pair{row[0], row[1], row[2], gunzip(t, dir+"/a.html.gz"), gunzip(t, dir+"/b.html.gz")})
	}
	return out
}

// Full says that a test takes all pairs, however long that takes.
func Full() bool { return os.Getenv("DIURNA_FULL") != "" }

func gunzip(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Pages generates small pages out of few pieces, so that much repeats.
func Pages() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"<p>", "</p>", "<li>", "<b>", "</b>", "x", "y ", " z", "long word here ", "&amp;", "&nbsp;",
		"<script>", "</script>", "<!--", "-->", "\u00e9", "\u65e5", "\xff", "1.5 ", "\u20ac", "<title>", "</title>", "<", ">", "<a href='?", "'>", "\n"})
	return rapid.Map(rapid.SliceOfN(piece, 0, 40), func(s []string) string { return strings.Join(s, "") })
}

// ChangedWords counts the visible words that found no partner, where match has the
// partner of each word of the first page, and the second has so many words.
func ChangedWords(match []int32, words int) (deleted, added int) {
	matched := map[int32]bool{}
	for _, j := range match {
		if j >= 0 {
			matched[j] = true
		} else {
			deleted++
		}
	}
	return deleted, words - len(matched)
}

// OneBlock is a page of n letters without a repeated line, all one block.
func OneBlock(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := []byte("<!doctype html><title>Pier</title><p>")
	for range n {
		b = append(b, 'a'+byte(rng.IntN(26)), ' ')
	}
	return string(b)
}
