package reader

import (
	"testing"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/poll"
	"diurna/reader/web"
	"diurna/store"
)

// quietReader asks its library nothing.
func quietReader() *Reader {
	s, err := store.Open(store.Options{Dir: "nowhere"})
	if err != nil {
		panic(err)
	}
	return New(s, Options{})
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestGoneIsNotAskedAgain(t *testing.T) {
	h := web.Answer{At: noon, Err: &poll.StatusError{Status: 410}, Result: fetch.Result{Status: 410}}
	p := poll.Next(store.Poll{}, h.Polled(), 1, quietReader().opts.rules())
	if !p.Gone {
		t.Fatal("410 is not taken as gone")
	}
	feeds := []store.Feed{{ID: 1, URL: "https://x.example/f", Poll: p}}
	later := noon.Add(30 * 24 * time.Hour)
	if jobs, _ := quietReader().refresh.choose(feeds, FetchRequest{All: true}, later); len(jobs) != 0 {
		t.Error("a feed that is gone is fetched with all")
	}
	if jobs, _ := quietReader().refresh.choose(feeds, FetchRequest{Feeds: []FeedID{1}}, later); len(jobs) != 1 {
		t.Error("a feed that is gone is not fetched when asked for by name")
	}
}
