package links

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestStoriesAddresses measures by the written list which pairs of addresses are taken for
// one page.
func TestStoriesAddresses(t *testing.T) {
	f, err := os.Open("testdata/addresses.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type address struct {
		text, canonical string
		page            int
	}
	var all []address
	page := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		switch line := s.Text(); {
		case line == "":
			page++
		case !strings.HasPrefix(line, "# "):
			all = append(all, address{line, Canonical(line), page})
		}
	}
	said, right, same := 0, 0, 0
	for i, a := range all {
		for _, b := range all[:i] {
			is, one := a.page == b.page, a.canonical != "" && a.canonical == b.canonical
			if is {
				same++
			}
			if one {
				said++
			}
			if is && one {
				right++
			}
			if is != one {
				t.Logf("one page %v, taken for one %v:\n  %s  (%s)\n  %s  (%s)", is, one, a.text, a.canonical, b.text, b.canonical)
			}
		}
	}
	precision, recall := float64(right)/float64(said), float64(right)/float64(same)
	t.Logf("%d addresses, %d pairs that lead to one page: precision %.4f, recall %.4f", len(all), same, precision, recall)
	if precision < .999 || recall < .95 {
		t.Errorf("precision %.4f and recall %.4f, want .999 and .95", precision, recall)
	}
}

func TestCanonicalOfNothing(t *testing.T) {
	for _, link := range []string{"", "https://example.org", "https://www.example.org/", "http://example.org/?utm_source=rss", "https://example.org/index.html",
		"mailto:ann@example.org", "example.org/a", "javascript:alert(1)", "https://" + strings.Repeat("a", 3000), "http://[::1", "http:///", "https://localhost/a"} {
		if got := Canonical(link); got != "" {
			t.Errorf("%.60q: %q, want none", link, got)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add("https://www.google.com/url?q=https://www.google.com/url?q=https://a.example/b")
	f.Add("https://amp.a.example/%zz%4/amp?&&=#:~:")
	f.Fuzz(func(t *testing.T, link string) {
		got := Canonical(link)
		if len(got) > 4*maxAddress {
			t.Errorf("%d bytes of %d", len(got), len(link))
		}
	})
}
