package align

import (
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"diurna/reader/align/aligntest"
)

var (
	daisyWord = regexp.MustCompile(`[\p{L}\p{N}_]+`)
	daisyTag  = regexp.MustCompile(`(?s)<[^>]+>`)
	daisyAttr = regexp.MustCompile(`(?s)\s(changes|previous|next)="[^"]*"`)
	daisySpan = regexp.MustCompile(`(?s)<span class="diff-html-(removed|added)"[^>]*>(.*?)</span>`)
)

// TestDaisyCounts compares our counts of deleted and added words with the ones
// another tool's test cases expect. Two of the 223 expect more than the
// optimal word LCS.
func TestDaisyCounts(t *testing.T) {
	cases, good, recovered := 0, 0, 0
	_ = filepath.WalkDir(filepath.Join(aligntest.DataDir, "daisydiff"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "expected.html" {
			return nil
		}
		dir := filepath.Dir(path)
		read3 := func(name string) []byte {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		a, b := read3("a.html"), read3("b.html")
		want := map[string]int{}
		for _, m := range daisySpan.FindAllStringSubmatch(daisyAttr.ReplaceAllString(string(read3("expected.html")), ""), -1) {
			text := html.UnescapeString(daisyTag.ReplaceAllString(m[2], " "))
			want[m[1]] += len(daisyWord.FindAllString(text, -1))
		}
		al := Read(a, b, Blocks)
		verify(t, a, b, al.Script())
		recovered++
		del, add := aligntest.ChangedWords(al.Match, len(al.B.Words))
		cases++
		if del == want["removed"] && add == want["added"] {
			good++
		} else {
			t.Logf("%s: -%d +%d, expected -%d +%d", strings.TrimPrefix(dir, aligntest.DataDir), del, add, want["removed"], want["added"])
		}
		return nil
	})
	if cases == 0 {
		t.Skip("no word count cases beside the project: skipped")
	}
	t.Logf("counts as expected in %d of %d cases; recovered %d of %d", good, cases, recovered, cases)
	if good < 221 {
		t.Errorf("want at least 221")
	}
}
