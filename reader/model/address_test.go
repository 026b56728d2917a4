package model

import (
	"strings"
	"testing"
)

// Feeds of one host that never said their titles can be told apart, and no secret
// of an address becomes a name.
func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.a.example/":                      "a.example",
		"https://a.example/boats/feed.xml":            "a.example/boats/feed.xml",
		"https://a.example/rss?id=3":                  "a.example/rss?id=3",
		"https://a.example:8080/x/":                   "a.example/x",
		"https://me:pw@a.example/rss?token=s3cr3tt0k": "a.example/rss?token=…",
		"https://a.example/a%0a%1b[31mb#watch-2":      "a.example/a b",
		"take:Tides":                                  "take:Tides",
	} {
		if got := Name(address); got != want {
			t.Errorf("%s is called %q, want %q", address, got, want)
		}
	}
	if got := Name("https://a.example/" + strings.Repeat("x", 5000)); len(got) > 400 {
		t.Errorf("a name of %d bytes", len(got))
	}
}
