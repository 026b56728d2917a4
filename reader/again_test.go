package reader

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTitlesDatedAnew: items with nothing but a title, which bear another date at
// each fetch, are the same; none counts as lost.
func TestTitlesDatedAnew(t *testing.T) {
	const address = "https://press.example/titles.xml"
	doc := func(turn int, titles ...string) string {
		var b strings.Builder
		b.WriteString(`<rss version="2.0"><channel><title>Titles</title>`)
		for n, title := range titles {
			at := time.Now().Add(time.Duration(turn*60-n) * time.Minute).UTC().Format(time.RFC1123Z)
			fmt.Fprintf(&b, "<item><title>%s</title><pubDate>%s</pubDate></item>", title, at)
		}
		return b.String() + `</channel></rss>`
	}
	titles := []string{"Pier closed", "Ferry late", "Tide high", "Fog"}
	web := newFakeWeb()
	web.serve(address, "text/xml", doc(0, titles...))
	r := newLibrary(t, web)
	add(t, r, address, SubscribeOptions{})
	want := 4
	for turn := 1; turn < 6; turn++ {
		fresh := 0
		if turn == 3 { // a real one among them
			titles, fresh = append([]string{"Regatta"}, titles...), 1
		}
		want += fresh
		web.serve(address, "text/xml", doc(turn, titles...))
		rep, err := later(r, time.Duration(turn)*25*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
		if err != nil || rep.New != fresh || rep.Results[0].Lost != "" {
			t.Fatalf("turn %d: %+v, %v", turn, rep, err)
		}
	}
	if rows, err := r.Rows(t.Context(), Query{}, 0); err != nil || len(rows) != want {
		t.Errorf("%d items, want %d (%v)", len(rows), want, err)
	}
}
