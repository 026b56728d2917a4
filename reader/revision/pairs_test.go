package revision

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/align"
)

// dataDir is where the real revision pairs lie; they are not part of the project.
const dataDir = "../../../shared/data/pages"

// pair is two consecutive revisions of a real page.
type pair struct {
	id, label, category string
	a, b                []byte
}

// realPairs loads the revision pairs, or skips the test. Without
// DIURNA_FULL=1 only one in twelve is taken.
func realPairs(t testing.TB) []pair {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(dataDir, "labels.tsv"))
	if err != nil {
		t.Skip("no real page revisions beside the project: skipped")
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	var out []pair
	for n, row := range rows[1:] {
		if !full() && n%12 != 0 {
			continue
		}
		dir := filepath.Join(dataDir, row[0])
		out = append(out, pair{row[0], row[1], row[2], gunzip(t, dir+"/a.html.gz"), gunzip(t, dir+"/b.html.gz")})
	}
	return out
}

func full() bool { return os.Getenv("DIURNA_FULL") != "" }

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

// pages generates small pages out of few pieces, so that much repeats.
func pages() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"<p>", "</p>", "<li>", "<b>", "</b>", "x", "y ", " z", "long word here ", "&amp;", "&nbsp;",
		"<script>", "</script>", "<!--", "-->", "\u00e9", "\u65e5", "\xff", "1.5 ", "\u20ac", "<title>", "</title>", "<", ">", "<a href='?", "'>", "\n"})
	return rapid.Map(rapid.SliceOfN(piece, 0, 40), func(s []string) string { return strings.Join(s, "") })
}

// changedWords counts the visible words that found no partner.
func changedWords(al *align.Alignment) (deleted, added int) {
	for _, j := range al.Match {
		if j < 0 {
			deleted++
		}
	}
	for _, i := range al.Back {
		if i < 0 {
			added++
		}
	}
	return
}
