package reader

import (
	"context"
	"sync"
	"testing"
	"time"

	"diurna/store"
)

// A fetch in another process is served by the one that holds fetch.lock: the
// publisher sees one request, both libraries the result.
func TestFetchIsServedByTheHolder(t *testing.T) {
	web := listWeb()
	dir := t.TempDir()
	open := func(role string) *Reader {
		s, err := store.Open(store.Options{Dir: dir, Role: role})
		if err != nil {
			t.Fatal(err)
		}
		r := New(s, Options{Version: "test", Role: role, Transport: web, Net: Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1}})
		t.Cleanup(func() { r.Close(); s.Close() })
		return r
	}
	holder, other := open("run"), open("fetch")
	s := add(t, holder, harbour, SubscribeOptions{})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	ready := make(chan struct{}, 1)
	running.Go(func() {
		if err := holder.Run(ctx, func(e Event) {
			if e.Err != nil {
				t.Error(e.Err)
			}
			select {
			case ready <- struct{}{}:
			default:
			}
		}); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	})
	<-ready
	before := len(web.requests())
	web.serve(harbour, "text/xml", harbourFeed("n|News|"+ago(time.Minute)+"|now"))
	limit, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	rep, err := other.Fetch(limit, FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil)
	if err != nil || !rep.Elsewhere || rep.New != 1 {
		t.Errorf("served elsewhere: %+v, %v", rep, err)
	}
	if n := len(web.requests()) - before; n != 1 {
		t.Errorf("the publisher saw %d requests", n)
	}
	// Items that were edited are reported as they are where they are fetched.
	web.serve(harbour, "text/xml", harbourFeed("n|News|"+ago(time.Minute)+"|then"))
	if rep, err = other.Fetch(limit, FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil); err != nil || rep.New != 0 || rep.Results[0].Outcome != OutcomeEdited || rep.Results[0].Edited != 1 {
		t.Errorf("an edit elsewhere: %+v, %v", rep, err)
	}
	stop()
	running.Wait()
	// The lock is free again: now the other fetches for itself.
	web.serve(harbour, "text/xml", harbourFeed("o|More|"+ago(time.Second)+"|now"))
	if rep, err = other.Fetch(limit, FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil); err != nil || rep.Elsewhere || rep.Fetched != 1 {
		t.Errorf("after the holder ended: %+v, %v", rep, err)
	}
}
