package reader

import (
	"strings"
	"testing"
	"time"

	"diurna/reader/poll"
	"diurna/store"
)

// TestCutInTheFirstItem: of a feed that is cut inside its first item nothing is
// filed, whether it is known or not, and the next whole one comes as it would
// have come.
func TestCutInTheFirstItem(t *testing.T) {
	const address = "https://press.example/feed.xml"
	whole := rssOf("Press", "a|One|"+ago(time.Hour)+"|What happened at length", "b|Two|"+ago(1000*time.Hour)+"|b", "c|Three|"+ago(1001*time.Hour)+"|c")
	for _, mark := range []string{"</title><", "What happ", "</link>"} {
		i := strings.Index(whole[strings.Index(whole, "<item>"):], mark) + strings.Index(whole, "<item>") + len(mark)
		web := newFakeWeb()
		r := newLibrary(t, web)
		web.serve(address, "application/rss+xml", whole[:i])
		done := add(t, r, address, SubscribeOptions{})
		if done.Items != 0 {
			t.Fatalf("cut after %q: %d items on subscribing", mark, done.Items)
		}
		web.serve(address, "application/rss+xml", whole)
		if _, err := later(r, 25*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		if rows, err := r.Rows(t.Context(), mustQuery(t, "unread"), 0); err != nil || len(rows) != 1 {
			t.Fatalf("cut after %q: %d items unread of a first fetch of three, two of them old, %v", mark, len(rows), err)
		}
		rows, err := r.Rows(t.Context(), Query{}, 0)
		if err != nil || len(rows) != 3 {
			t.Fatal(rows, err)
		}
		if _, err := r.Mark(t.Context(), MarkRead, "Press", []ItemID{rows[0].ID}, ""); err != nil {
			t.Fatal(err)
		}
		web.serve(address, "application/rss+xml", whole[:i])
		rep, err := later(r, 50*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
		if err != nil || len(rep.Results) != 1 || rep.Results[0].Err != poll.CutShort(0) {
			t.Fatalf("cut after %q: %+v, %v", mark, rep, err)
		}
		after, err := r.Rows(t.Context(), Query{}, 0)
		if err != nil || len(after) != 3 || after[0].Flags&store.FlagRead == 0 || after[0].Flags&store.FlagChanged != 0 {
			t.Fatalf("cut after %q: %+v, %v", mark, after, err)
		}
	}
}
