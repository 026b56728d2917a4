package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// free are options without gaps that may reach the test's own server.
func free() Options {
	o := Defaults()
	o.AllowPrivate, o.MinHostInterval = loopback, 0
	return o
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

// serve runs h on loopback for the length of the test.
func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, c *Client, r Request) Result {
	t.Helper()
	res, err := c.Get(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", r.URL, err)
	}
	return res
}

// wantKind asserts the kind of a failure and gives the Error.
func wantKind(t *testing.T, err error, kind Kind) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an Error of kind %q", err, kind)
	}
	if e.Kind != kind {
		t.Fatalf("got kind %q (%v), want %q", e.Kind, e, kind)
	}
	return e
}

// web is a RoundTripper without a network.
type web func(*http.Request) (*http.Response, error)

func (w web) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func answer(r *http.Request, status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h[header[i]] = append(h[header[i]], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body)), Request: r}
}

// quiet is for servers that are meant to fail.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func gz(t testing.TB, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// requestLog keeps what a server was asked, in order.
type requestLog struct {
	mu   sync.Mutex
	seen []*http.Request
	at   []time.Time
}

func (l *requestLog) add(r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen, l.at = append(l.seen, r), append(l.at, time.Now())
}

func (l *requestLog) all() []*http.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]*http.Request(nil), l.seen...)
}

// listen runs s on loopback and gives its address and how to end it.
func listen(tb testing.TB, s *http.Server) (address string, stop func()) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(l) }()
	return "http://" + l.Addr().String(), func() { _ = s.Close(); <-done }
}

func timeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}
