package reader

import (
	"strings"
	"testing"
)

// What a person sets as their contact stands in the header as it is, and what
// would break out of its brackets or its line does not.
func TestContactInTheUserAgent(t *testing.T) {
	for contact, want := range map[string]string{
		"":                                 "diurna/1.2 (feed reader)",
		"me@harbour.example":               "diurna/1.2 (feed reader; me@harbour.example)",
		"https://harbour.example/~me":      "diurna/1.2 (feed reader; https://harbour.example/~me)",
		"me)\r\nCookie: x":                 "diurna/1.2 (feed reader)",
		"mé@harbour.example":               "diurna/1.2 (feed reader)",
		strings.Repeat("x", mostContact+1): "diurna/1.2 (feed reader)",
	} {
		if got := userAgent("1.2", contact); got != want {
			t.Errorf("contact %q: %q, want %q", contact, got, want)
		}
	}
}
