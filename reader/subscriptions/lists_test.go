package subscriptions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/reader/opml"
)

// TestCronLineIsWords: a list's title and address are one word each of the line
// that a user pastes, and no flag.
func TestCronLineIsWords(t *testing.T) {
	for _, c := range []struct {
		f    opml.Refused
		want string
	}{
		{opml.Refused{Command: "sift", URL: "https://a.example/?a=1&b='$(id)'", Title: "--data-dir=x"}, `curl -fsS 'https://a.example/?a=1&b='\''$(id)'\''' | sift | diurna take -- '--data-dir=x'`},
		{opml.Refused{Command: "sift", Title: "-a; id"}, `sift | diurna take -- '-a; id'`},
	} {
		if got := cronLine(&c.f); got != "*/30 * * * * "+c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// What newsboat knows an item by: its id, or link and date in one, link, title.
func TestNewsboatIDs(t *testing.T) {
	at := time.Date(2026, 11, 2, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		it   model.Item
		want string
	}{
		{model.Item{Title: "T", Link: "https://a.example/1", Published: at, IDRaw: "g1"}, "g1"},
		{model.Item{Title: "T", Link: "https://a.example/1", Published: at},
			"https://a.example/1Mon, 02 Nov 2026 09:05:00 GMT|https://a.example/1Mon, 02 Nov 2026 09:05:00 +0000"},
		{model.Item{Title: "T", Link: "https://a.example/1"}, "https://a.example/1"},
		{model.Item{Title: "T", Published: at}, "T"},
	} {
		if got := newsboatIDs(&c.it); !slices.Equal(got, strings.Split(c.want, "|")) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
