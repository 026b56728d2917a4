package reader

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// fakeWeb is a web of made-up hosts, served without a socket.
type fakeWeb struct {
	mu    sync.Mutex
	pages map[string]func(*http.Request) *http.Response
	asked []string // "GET https://… If-None-Match=…", in order
	at    []time.Time
}

func newFakeWeb() *fakeWeb {
	return &fakeWeb{pages: map[string]func(*http.Request) *http.Response{}}
}

func (f *fakeWeb) RoundTrip(req *http.Request) (*http.Response, error) {
	f.mu.Lock()
	line := req.Method + " " + req.URL.String()
	if v := req.Header.Get("If-None-Match"); v != "" {
		line += " If-None-Match=" + v
	}
	f.asked, f.at = append(f.asked, line), append(f.at, time.Now())
	page := f.pages[req.URL.String()]
	f.mu.Unlock()
	if page == nil {
		return answer(req, 404, "text/plain", "nothing here"), nil
	}
	return page(req), nil
}

func (f *fakeWeb) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.asked...)
}

// serve answers url with body; the ETag follows the body.
func (f *fakeWeb) serve(url, contentType, body string) {
	f.handle(url, func(req *http.Request) *http.Response {
		tag := fmt.Sprintf(`W/"%x"`, model.Hash([]byte(body)))
		if req.Header.Get("If-None-Match") == tag {
			return answer(req, 304, "", "")
		}
		res := answer(req, 200, contentType, body)
		res.Header.Set("ETag", tag)
		return res
	})
}

func (f *fakeWeb) handle(url string, h func(*http.Request) *http.Response) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages[url] = h
}

func answer(req *http.Request, status int, contentType, body string) *http.Response {
	res := &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Request: req, ContentLength: int64(len(body)),
		Body: io.NopCloser(bytes.NewReader([]byte(body))),
	}
	if contentType != "" {
		res.Header.Set("Content-Type", contentType)
	}
	return res
}

// rssOf writes a small feed; each item is "id|title|RFC1123Z date|text".
func rssOf(title string, items ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>%s</title><link>https://%s/</link>`,
		title, strings.ToLower(strings.ReplaceAll(title, " ", "")))
	for _, it := range items {
		f := append(strings.Split(it, "|"), "", "", "")
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%s</guid><title>%s</title><link>https://x.example/%s</link>`, f[0], f[1], f[0])
		if f[2] != "" {
			fmt.Fprintf(&b, `<pubDate>%s</pubDate>`, f[2])
		}
		fmt.Fprintf(&b, `<description>%s</description></item>`, f[3])
	}
	return b.String() + `</channel></rss>`
}

func ago(d time.Duration) string { return time.Now().Add(-d).UTC().Format(time.RFC1123Z) }

// newLibrary is a Reader over an empty library in a folder of its own.
func newLibrary(t *testing.T, web http.RoundTripper) *Reader {
	t.Helper()
	return openLibrary(t, t.TempDir(), web)
}

// harbourLibrary is a library with the feed of the harbour, and its web.
func harbourLibrary(t *testing.T) (*Reader, *fakeWeb) {
	t.Helper()
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	return r, web
}

func openLibrary(t *testing.T, dir string, web http.RoundTripper) *Reader {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	r := New(s, Options{Version: "test", Role: "test", Transport: web, Net: Net{MinHostInterval: -1}})
	t.Cleanup(func() {
		r.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// add subscribes to an address as `diurna add` does.
func add(t *testing.T, r *Reader, address string, o SubscribeOptions) Subscribed {
	t.Helper()
	found, err := r.Finder().Look(t.Context(), address, false)
	if err != nil {
		t.Fatalf("look at %s: %v", address, err)
	}
	s, err := r.Subscribe(t.Context(), found.Candidates[0], o)
	if err != nil {
		t.Fatalf("subscribe to %s: %v", address, err)
	}
	return s
}
