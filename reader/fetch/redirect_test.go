package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// routes is a web of redirects: URL to "status location", or "200".
type routes struct {
	requestLog
	m map[string]string
}

func (w *routes) RoundTrip(r *http.Request) (*http.Response, error) {
	w.add(r)
	to, ok := w.m[r.URL.String()]
	if !ok {
		return answer(r, 404, ""), nil
	}
	status, where, _ := strings.Cut(to, " ")
	code := 0
	if _, err := fmt.Sscan(status, &code); err != nil {
		return nil, err
	}
	if where != "" {
		return answer(r, code, "moved", "Location", where, "Etag", `"hop"`), nil
	}
	return answer(r, code, "body of "+r.URL.String(), "Etag", `"final"`), nil
}

func newRoutes(m map[string]string) (*routes, Options) {
	w := &routes{m: m}
	o := free()
	o.AllowPrivate, o.Transport = nil, w
	return w, o
}

func TestRedirects(t *testing.T) {
	for _, tc := range []struct {
		name, start      string
		m                map[string]string
		kind             Kind
		final, permanent string
		hops             int
	}{
		{name: "none", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "200"}, final: "http://a.example/f"},
		{name: "permanent chain", start: "http://a.example/f", final: "https://b.example/g", permanent: "https://b.example/g", hops: 2,
			m: map[string]string{"http://a.example/f": "301 https://a.example/f", "https://a.example/f": "308 https://b.example/g", "https://b.example/g": "200"}},
		{name: "permanent, then not", start: "http://a.example/f", final: "http://c.example/h", permanent: "http://b.example/g", hops: 4,
			m: map[string]string{"http://a.example/f": "301 http://b.example/g", "http://b.example/g": "302 http://b.example/x", "http://b.example/x": "301 /y", "http://b.example/y": "307 http://c.example/h", "http://c.example/h": "200"}},
		{name: "temporary first", start: "http://a.example/f", final: "http://a.example/h", hops: 2,
			m: map[string]string{"http://a.example/f": "303 g", "http://a.example/g": "301 h", "http://a.example/h": "200"}},
		{name: "to itself", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "302 /f#again"}, kind: KindLoop, final: "http://a.example/f", hops: 1},
		{name: "circle", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "302 http://b.example/", "http://b.example/": "301 http://a.example/f"}, kind: KindLoop, final: "http://b.example/", hops: 2},
		{name: "downgrade", start: "https://a.example/f", m: map[string]string{"https://a.example/f": "301 http://a.example/f", "http://a.example/f": "200"}, kind: KindDowngrade, final: "https://a.example/f", hops: 1},
		{name: "to a 404", start: "http://a.example", m: map[string]string{"http://a.example/": "308 feed"}, final: "http://a.example/feed", permanent: "http://a.example/feed", hops: 1},
		{name: "file", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "301 file:///etc/passwd"}, kind: KindAddress, final: "http://a.example/f"},
		{name: "gopher", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "302 gopher://a.example/"}, kind: KindAddress, final: "http://a.example/f"},
		{name: "javascript", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "302 javascript:alert(1)"}, kind: KindAddress, final: "http://a.example/f"},
		{name: "private", start: "http://a.example/f", m: map[string]string{"http://a.example/f": "302 http://169.254.169.254/latest", "http://169.254.169.254/latest": "200"}, kind: KindPrivate, final: "http://169.254.169.254/latest", hops: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, o := newRoutes(tc.m)
			res, err := client(t, o).Get(t.Context(), Request{URL: tc.start})
			if tc.kind != "" {
				wantKind(t, err, tc.kind)
			} else if err != nil {
				t.Fatal(err)
			}
			if res.URL != tc.final || res.Permanent != tc.permanent || len(res.Hops) != tc.hops {
				t.Errorf("got %s, permanent %q, hops %v", res.URL, res.Permanent, res.Hops)
			}
		})
	}
}

func TestRedirectsAreCounted(t *testing.T) {
	m := map[string]string{}
	for i := range 20 {
		m[fmt.Sprintf("http://a.example/%d", i)] = fmt.Sprintf("302 /%d", i+1)
	}
	w, o := newRoutes(m)
	_, err := client(t, o).Get(t.Context(), Request{URL: "http://a.example/0"})
	wantKind(t, err, KindRedirects)
	if n := len(w.all()); n != 6 {
		t.Errorf("%d requests, want the first and 5 hops", n)
	}
	m["http://a.example/5"] = "200"
	if res := get(t, client(t, o), Request{URL: "http://a.example/0"}); res.URL != "http://a.example/5" || len(res.Hops) != 5 {
		t.Errorf("5 redirects must be followed, got %s after %d", res.URL, len(res.Hops))
	}
}

// TestNothingLeaksOverRedirects: Referer, validators and credentials stay where
// they belong (what net/http does by itself is to send all three on).
func TestNothingLeaksOverRedirects(t *testing.T) {
	w, o := newRoutes(map[string]string{
		"http://a.example/f?key=s3cret": "301 http://a.example/g",
		"http://a.example/g":            "302 http://b.example/x",
		"http://b.example/x":            "302 http://a.example/back",
		"http://a.example/back":         "200",
	})
	res := get(t, client(t, o), Request{
		URL: "http://ann:pw@a.example/f?key=s3cret", ETag: `"1"`, LastModified: "yesterday", ValidatorsFor: "http://a.example/g",
	})
	reqs := w.all()
	if len(reqs) != 4 {
		t.Fatalf("%d requests, want 4", len(reqs))
	}
	for i, r := range reqs {
		_, _, auth := r.BasicAuth()
		if auth != (i < 2) {
			t.Errorf("request %d to %s: credentials sent: %v", i, r.URL, auth)
		}
		if got := r.Header.Get("If-None-Match") != ""; got != (i == 1) {
			t.Errorf("request %d to %s: validators sent: %v", i, r.URL, got)
		}
		if r.Header.Get("If-None-Match") != "" && r.Header.Get("If-Modified-Since") != "yesterday" {
			t.Errorf("Last-Modified was not echoed")
		}
		if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" || r.URL.User != nil {
			t.Errorf("request %d carries too much: %v", i, r.Header)
		}
	}
	if res.URL != "http://a.example/back" || res.ETag != `"final"` || res.Permanent != "http://a.example/g" {
		t.Errorf("got %+v", res)
	}
}
