package fetch

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestDefencesLifted takes limits and guards away one by one: what they keep out
// must come in then, or their tests could not fail. Rows N1, N4, N7, N9, N10.
func TestDefencesLifted(t *testing.T) {
	t.Run("N1", func(t *testing.T) {
		o := free()
		o.AllowPrivate, o.Transport = nil, web(func(r *http.Request) (*http.Response, error) { return answer(r, 200, "inside"), nil })
		c := client(t, o)
		for _, host := range []string{"127.1", "[::ffff:10.0.0.1]", "localhost", "0xa9fea9fe"} {
			if res, err := c.Get(t.Context(), Request{URL: "http://" + host + "/", AllowPrivate: true}); err != nil || string(res.Body) != "inside" {
				t.Errorf("%s with permission: %v", host, err)
			}
		}
	})
	t.Run("N4", func(t *testing.T) {
		m := map[string]string{"http://a.example/20": "200"}
		for i := range 20 {
			m[fmt.Sprintf("http://a.example/%d", i)] = fmt.Sprintf("302 /%d", i+1)
		}
		_, o := newRoutes(m)
		o.Limits.Redirects = 30
		if res := get(t, client(t, o), Request{URL: "http://a.example/0"}); len(res.Hops) != 20 {
			t.Errorf("%d hops", len(res.Hops))
		}
	})
	t.Run("N7", func(t *testing.T) {
		// The standard client takes all of it along to a stranger.
		var there http.Header
		stranger := serve(t, func(_ http.ResponseWriter, r *http.Request) { there = r.Header })
		away := strings.Replace(stranger.URL, "127.0.0.1", "localhost", 1)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, away, http.StatusFound) })
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/?key=s3cret", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("If-None-Match", `"1"`)
		tr := &http.Transport{}
		defer tr.CloseIdleConnections()
		res, err := (&http.Client{Transport: tr}).Do(req)
		if err != nil {
			t.Skip("no localhost here: ", err)
		}
		_ = res.Body.Close()
		if there.Get("If-None-Match") == "" || !strings.Contains(there.Get("Referer"), "s3cret") {
			t.Errorf("nothing leaked: %v", there)
		}
	})
	t.Run("N9", func(t *testing.T) {
		limits := Defaults().Limits
		limits.Decoded, limits.Ratio, limits.RatioFrom = 64<<20, 1<<20, 64<<20
		var p pools
		if got, err := p.unpack([]string{"gzip"}, gz(t, make([]byte, 20<<20)), limits, false); err != nil || len(got) != 20<<20 {
			t.Errorf("the bomb: %d bytes, %v", len(got), err)
		}
		o := free()
		o.Limits.Wire, o.Limits.Decoded, o.Limits.Headers = 16<<20, 16<<20, 1<<20
		big := raw(t, func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("y", 100<<10)+"\r\n\r\n"+strings.Repeat("z", 9<<20))
		})
		if res := get(t, client(t, o), Request{URL: big}); len(res.Body) != 9<<20 {
			t.Errorf("%d bytes of 9 MB", len(res.Body))
		}
	})
	t.Run("N10", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c, done := pipeClient(func(_ string, conn net.Conn) {
				hear(conn)
				drip(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"+strings.Repeat("x", 4000), 1, 100*time.Millisecond)
			})
			defer done()
			c.opts.Limits.Total, c.opts.Limits.SlowAfter = time.Hour, time.Hour
			begin := time.Now()
			if res := get(t, c, Request{URL: "http://a.example/"}); len(res.Body) != 4000 || time.Since(begin) < 5*time.Minute {
				t.Errorf("%d bytes after %v", len(res.Body), time.Since(begin))
			}
		})
	})
}
