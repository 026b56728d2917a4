package reader

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"diurna/reader/watch"
)

// TestWaitingForTheScalesEnds: what a user asks of a watch while a page is
// weighed ends with the context. A fetch that is stopped there keeps what else
// came, and that the page was asked.
func TestWaitingForTheScalesEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShore(t)
		s.at = time.Now()
		s.web.serve(pier, "text/html", timetable(summer, "3"))
		s.watch(pier, watch.Options{})
		s.web.serve(pier, "text/html", timetable(winter, "3"))
		s.later(day)
		if _, err := s.r.Pages().IgnoreBlock(t.Context(), s.id, "Dogs pay half."); err != nil {
			t.Fatal(err)
		}
		if _, err := s.r.Import(t.Context(), []byte("https://a.example/feed\n"), ImportOptions{NoFetch: true}, nil); err != nil {
			t.Fatal(err)
		}
		for address, body := range map[string]string{pier: timetable(winter, "5"), "https://a.example/feed": rssOf("A", "k|News|"+ago(time.Hour)+"|x")} {
			s.web.handle(address, func(req *http.Request) *http.Response {
				time.Sleep(groupWait / 10)
				return answer(req, 200, "", body)
			})
		}
		s.web.serve("https://x.example/", "text/html", timetable(summer, "4"))
		if err := s.r.refresh.compareSem.Enter(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		r := s.r.At(s.at.Add(day))
		var rep FetchReport
		for _, c := range []struct {
			what string
			ask  func(ctx context.Context) error
		}{
			{"a diff", func(ctx context.Context) error { _, err := r.Pages().Change(ctx, s.id, 0, 0); return err }},
			{"a preview", func(ctx context.Context) error { _, _, _, err := r.Pages().PreviewIgnore(ctx, s.id, "x"); return err }},
			{"the rules", func(ctx context.Context) error { _, err := r.Pages().IgnoredBlocks(ctx, s.id); return err }},
			{"a new watch", func(ctx context.Context) error {
				_, err := r.Pages().Watch(ctx, "https://x.example/", watch.Options{})
				return err
			}},
			{"a fetch", func(ctx context.Context) (err error) {
				rep, err = r.Fetch(ctx, FetchRequest{All: true}, nil)
				return err
			}},
		} {
			ctx, stop := context.WithCancel(t.Context())
			time.AfterFunc(groupWait/2, stop) // nothing is filed yet
			begin := time.Now()
			if err := c.ask(ctx); !errors.Is(err, context.Canceled) || time.Since(begin) != groupWait/2 {
				t.Errorf("%s ended after %v: %v", c.what, time.Since(begin), err)
			}
		}
		s.r.refresh.compareSem.Leave()
		if rep.New != 1 {
			t.Errorf("the stopped fetch kept %d items of the feed beside the page", rep.New)
		}
		if at := s.page().LastFetch; at.Before(s.at.Add(day).Truncate(time.Second)) {
			t.Errorf("the page was asked, and last at %v", at)
		}
		if c, err := r.Pages().Change(t.Context(), s.id, 0, 0); err != nil || !c.Diff.Significant {
			t.Errorf("after that: %v", err)
		}
	})
}
