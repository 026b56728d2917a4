package links

import (
	"slices"
	"strings"
	"testing"
)

// TestFits: an address is found in all its spellings, a host with what lies within it, and
// beginnings of both.
func TestFits(t *testing.T) {
	const page = "https://www.sea.example/ferries/12?id=7&utm_source=rss#top"
	for _, c := range []struct {
		sought string
		open   bool
		points string
		fits   bool
	}{
		{"https://sea.example/ferries/12?id=7", false, page, true},
		{"http://SEA.example/ferries/12/?utm_campaign=x&id=7#comments", false, page, true},
		{"sea.example/ferries/12?id=7", false, page, true},
		{"https://www.google.com/url?q=https%3A%2F%2Fsea.example%2Fferries%2F12%3Fid%3D7", false, page, true},
		{"https://sea.example/ferries/12?id=7", false, "https://www.google.com/url?q=https%3A%2F%2Fsea.example%2Fferries%2F12%3Fid%3D7", true},
		{"sea.example/ferries/12", false, page, false},
		{"sea.example/ferries", false, page, false},
		{"sea.example/Ferries/12?id=7", false, page, false},
		{"sea.example", false, page, true},
		{"www.sea.example", false, page, true},
		{"https://sea.example/", false, page, true},
		{"sea.example", false, "https://sea.example", true},
		{"sea.example", false, "https://ferries.sea.example/a", true},
		{"ferries.sea.example", false, page, false},
		{"ea.example", false, page, false},
		{"example", false, page, false}, // no host: nothing is sought
		{"sea.example", false, "https://sea.example.org/a", false},
		{"sea.example", false, "https://elsewhere.example/sea.example", false},
		{"sea.example/ferries/", true, page, true},
		{"sea.example/ferries/", true, "https://sea.example/ferries-of-old", false},
		{"sea.example/ferr", true, page, true},
		{"sea.example/ferries/12?id=7", true, page, true},
		{"sea.example/", true, page, true},
		{"sea.example/", true, "https://ferries.sea.example/a", false},
		{"sea.exa", true, page, true},
		{"https://www.sea", true, page, true},
		{"SEA", true, "https://ferries.sea.example/a", true},
		{"ea.exa", true, page, false},
		{"https://de.sea.example/wiki/F%C3%A4hre_(Boot)", false, "https://de.sea.example/wiki/Fähre_(Boot)", true},
		{"https://de.sea.example/wiki/Fähre", false, "https://de.sea.example/wiki/F%c3%a4hre", true},
		{"https://Fähre.example/", false, "https://xn--fhre-loa.example/a", true},
		{"sea.example/app#/ferries", false, "https://sea.example/app#/ferries", true},
		{"sea.example/app", false, "https://sea.example/app#/ferries", false},
		{"sea.example:8080", false, "https://sea.example:8080/a", true},
	} {
		s := Seek(c.sought, c.open)
		keys := Of("", `<p>See <a href="`+strings.ReplaceAll(c.points, "&", "&amp;")+`">this</a>`)
		if len(keys) != 1 {
			t.Fatalf("%s: %q", c.points, keys)
		}
		if got := s != "" && s.Fits(keys[0], c.open); got != c.fits {
			t.Errorf("%q (%q, open %v) fits %q: %v", c.sought, s, c.open, keys[0], got)
		}
	}
}

func TestSeekNothing(t *testing.T) {
	for _, text := range []string{"", " ", "/", "ferry", "mailto:ann", "ftp://sea.example/a", "https://", "sea example/a", "localhost/a", ":", "https://" + strings.Repeat("a", 5000) + ".example/a"} {
		if s := Seek(text, false); s != "" {
			t.Errorf("%.40q is %q", text, s)
		}
	}
}

// TestOf: an item points to its own address and to those in its texts, a thousand of each at
// most, and to nothing that no browser opens.
func TestOf(t *testing.T) {
	got := Of("https://sea.example/1", `<a name=x><a href="/relative"><a href='https://sea.example/2'>2</a><A HREF=https://quay.example/>q</a><img src="https://sea.example/3.png"><a href="javascript:x">`, "", "no markup https://sea.example/4", `<a href="https://sea.example/5">`)
	if want := []string{"sea.example/1", "sea.example/2", "quay.example/", "sea.example/5"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	many := strings.Repeat(`<a href="https://sea.example/1">`, 3*most)
	if n := len(Of("https://sea.example/1", many, many)); n != 2*most {
		t.Error(n, "addresses")
	}
}

// FuzzSeek: whatever an address is, who seeks it finds it, and it begins with itself.
func FuzzSeek(f *testing.F) {
	for _, s := range []string{"https://www.sea.example/a/?b=c&utm_source=d#e", "https://sea.example", "https://m.m.sea.example/index.html", "https://a.example/?=&&#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, link string) {
		Each(link, "", func(address, key string) bool {
			if s := Seek(address, false); s == "" || !s.Fits(key, false) {
				t.Errorf("%q is sought as %q, which %q does not fit", address, s, key)
			}
			if s := Seek(address, true); strings.ContainsAny(address[8:], "/?#") && !s.Fits(key, true) && !strings.HasSuffix(address, "/") {
				t.Errorf("%q begins with %q, which %q does not", address, s, key)
			}
			return true
		})
	})
}
