package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestValidatorsEchoed: what a server gave comes back to it byte for byte, from a
// 304 as well; what no honest server gives is forgotten.
func TestValidatorsEchoed(t *testing.T) {
	odd := []string{
		`"1"`, `W/"1"`, `w/"1"`, `"1`, `1"`, `1`, `""`, `"a b"`, `"a,b"`, `"a", "b"`, `"a\"b"`, `'x'`, `"-gzip"`, `"x-gzip"`, `"x;y=z"`, `W/W/"1"`, `0`, `-1`, `"é"`, "\"\xe9\"", `"日"`, `<x>`, `*`, `"%20"`, `"&amp;"`,
		"Sat, 21 Nov 2026 10:00:00 GMT", "Sat, 21 Nov 2026 10:00:00 +0100", "Saturday, 21-Nov-26 10:00:00 GMT", "Sat Nov 21 10:00:00 2026", "2026-11-21T10:00:00Z", "1795255200", "Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 00 Jan 0000 00:00:00 GMT", "sat, 21 nov 2026", "yesterday", "Sat,  21 Nov 2026", strings.Repeat("x", 1024), `"` + strings.Repeat("y", 1000) + `"`, "a:b", "=?", "{}",
	}
	bad := []string{"", strings.Repeat("x", 1025), strings.Repeat("x", 900<<10), "a\rb", "a\nb", "a\x00b", "a\tb", "\x1b[31m", "a\x7f"}
	o := free()
	var sent http.Header
	status, value := 200, ""
	o.Transport = web(func(r *http.Request) (*http.Response, error) {
		sent = r.Header
		return answer(r, status, "", "Etag", value, "Last-Modified", value), nil
	})
	c := client(t, o)
	const at = "http://a.example/f"
	for _, value = range odd {
		status = 200
		res := get(t, c, Request{URL: at})
		status = 304
		res = get(t, c, Request{URL: at, ETag: res.ETag, LastModified: res.LastModified, ValidatorsFor: res.URL})
		if res.ETag != value || res.LastModified != value || !res.NotModified {
			t.Errorf("%q became %q, %q", value, res.ETag, res.LastModified)
		}
		if sent.Get("If-None-Match") != value || sent.Get("If-Modified-Since") != value {
			t.Errorf("%q was echoed as %q, %q", value, sent.Get("If-None-Match"), sent.Get("If-Modified-Since"))
		}
	}
	status = 200
	for _, value = range bad {
		res := get(t, c, Request{URL: at, ETag: value, LastModified: value, ValidatorsFor: at})
		if res.ETag != "" || res.LastModified != "" || sent["If-None-Match"] != nil || sent["If-Modified-Since"] != nil {
			t.Errorf("%.20q was kept or sent", value)
		}
	}
}

// TestOverTheWire sends odd validators through real sockets.
func TestOverTheWire(t *testing.T) {
	var log requestLog
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { log.add(r); w.WriteHeader(304) })
	c := client(t, free())
	for _, v := range []string{`W/"a, b"`, "\"\xe9\"", "Saturday, 21-Nov-26 10:00:00 +0100"} {
		res := get(t, c, Request{URL: s.URL + "/f", ETag: v, LastModified: v, ValidatorsFor: s.URL + "/f"})
		last := log.all()[len(log.all())-1]
		if !res.NotModified || last.Header.Get("If-None-Match") != v || last.Header.Get("If-Modified-Since") != v {
			t.Errorf("%q arrived as %q", v, last.Header)
		}
	}
}

// TestBodiesAreTheCallers: a body must not change when its buffer is used again.
func TestBodiesAreTheCallers(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprintf(w, "body of %s", r.URL.Path) })
	c := client(t, free())
	first := get(t, c, Request{URL: s.URL + "/1"})
	get(t, c, Request{URL: s.URL + "/2"})
	if string(first.Body) != "body of /1" {
		t.Errorf("the first body is %q now", first.Body)
	}
}

// TestOneDeadlineForAllHops: redirects do not buy time.
func TestOneDeadlineForAllHops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := free()
		o.Transport = web(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(9 * time.Second):
				return answer(r, 302, "", "Location", r.URL.Path+"x"), nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})
		c := New(o)
		defer c.Close()
		begin := time.Now()
		_, err := c.Get(t.Context(), Request{URL: "http://a.example/x"})
		if e := wantKind(t, err, KindTimeout); e.Error() != "no answer within 30 s" || time.Since(begin) != 30*time.Second {
			t.Errorf("%v after %v", e, time.Since(begin))
		}
	})
}

// TestTurnAtTheLastMoment: a turn that comes in the moment its waiter gives up
// must not be lost for the next.
func TestTurnAtTheLastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Defaults()
		o.MinHostInterval = time.Second
		o.Transport = newPublisher(0)
		c := New(o)
		defer c.Close()
		for i := range 60 {
			host := fmt.Sprintf("http://h%d.example/", i)
			getAll(t, c, host)
			left := make(chan struct{})
			for range 4 {
				go func() {
					ctx, cancel := timeout(t, time.Second)
					defer cancel()
					_, _ = c.Get(ctx, Request{URL: host})
					left <- struct{}{}
				}()
			}
			for range 4 {
				<-left
			}
		}
		c.gate.mu.Lock()
		defer c.gate.mu.Unlock()
		if c.gate.busy != 0 {
			t.Errorf("%d hosts hold a place that nobody uses", c.gate.busy)
		}
	})
}
