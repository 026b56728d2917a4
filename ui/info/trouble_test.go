package info

import (
	"strings"
	"testing"

	"diurna/reader"
)

// The keys under a feed in trouble are those that mean something for it.
func TestActs(t *testing.T) {
	for _, c := range []struct {
		feed reader.Feed
		want string
	}{
		{reader.Feed{URL: "https://a.example/f"}, "r e D unsubscribe"},
		{reader.Feed{URL: "https://a.example/f", Items: 1}, "r e D unsubscribe, Enter its items"},
		{reader.Feed{URL: "https://a.example/p", Watched: true}, "r e D unwatch"},
		{reader.Feed{URL: "https://a.example/p", Watched: true, Items: 1}, "r e D unwatch, Enter its changes so far"},
		{reader.Feed{URL: "https://a.example/f", MovedTo: "https://b.example/f"}, "a r e D unsubscribe"},
	} {
		var said []string
		for _, a := range (&Trouble{}).acts(&c.feed) {
			if strings.Contains("arei", a.key) {
				said = append(said, a.key)
			} else {
				said = append(said, a.key+" "+a.does+",")
			}
		}
		if got := strings.TrimSuffix(strings.Join(said, " "), ","); got != c.want {
			t.Errorf("%+v: %s, want %s", c.feed, got, c.want)
		}
	}
}
