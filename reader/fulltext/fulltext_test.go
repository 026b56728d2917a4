package fulltext

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"diurna/reader/plain"
)

// shingles counts the runs of four words of a text; of a script without spaces each
// letter is a word.
func shingles(s string) (m map[string]int, all int) {
	words := regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}]|[\p{L}\p{N}_]+`).FindAllString(s, -1)
	m = map[string]int{}
	for i := 0; i+4 <= len(words); i++ {
		m[strings.Join(words[i:i+4], " ")]++
		all++
	}
	return m, all
}

// agreement compares what was found with what is wanted: the shares of the runs of
// both that are in both, only in got and only in want, which add up to 1.
func agreement(want, got string) (both, extra, missing float64) {
	w, wn := shingles(want)
	g, gn := shingles(got)
	n := 0
	for k, c := range w {
		n += min(c, g[k])
	}
	all := float64(wn + gn - n)
	return float64(n) / all, float64(gn-n) / all, float64(wn-n) / all
}

// TestArticles holds extraction, through the sanitiser, to the texts a user would
// copy of pages of many shapes: precision and recall of runs of four words, each page
// counting as much as any other.
func TestArticles(t *testing.T) {
	pages, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	var both, extra, missing float64
	for _, name := range pages {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, "html") + "txt")
		if err != nil {
			t.Fatal(err)
		}
		a, why := Extract(Page{URL: "https://paper.example/a/1", Status: 200, ContentType: "text/html", Body: src})
		sound(t, name, a, why)
		b, e, m := agreement(string(want), plain.FromHTML(a.HTML, 0))
		if why != None || m > .05 {
			t.Errorf("%s: %v; %.3f found, %.3f too much, %.3f missing", name, why, b, e, m)
		}
		t.Logf("%-30s %.3f found, %.3f too much, %.3f missing, title %q", filepath.Base(name), b, e, m, a.Title)
		both, extra, missing = both+b, extra+e, missing+m
	}
	precision, recall := both/(both+extra), both/(both+missing)
	f1 := 2 * precision * recall / (precision + recall)
	t.Logf("%d pages: F1 %.3f (precision %.3f, recall %.3f)", len(pages), f1, precision, recall)
	if f1 < .947 {
		t.Errorf("F1 %.3f, want at least .947", f1)
	}
}
