package fetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipeClient is a Client with every default limit but those that are given, whose
// connections are pipes to talk, so that slowness is tested in virtual time on the
// real transport.
func pipeClient(talk func(host string, conn net.Conn), given ...Limits) (c *Client, done func()) {
	o := Defaults()
	o.MinHostInterval, o.HostsAtOnce = 0, 200
	if len(given) > 0 {
		o.Limits = given[0]
	}
	c = New(o)
	var wg sync.WaitGroup
	tr := c.newTransport(nil)
	tr.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
		here, there := net.Pipe()
		wg.Go(func() {
			defer func() { _ = there.Close() }()
			talk(strings.TrimSuffix(addr, ":80"), there)
		})
		return here, nil
	}
	c.transports.fixed = tr
	return c, func() { c.Close(); tr.CloseIdleConnections(); wg.Wait() }
}

// drip sends s, one piece each pause, until the other end hangs up.
func drip(conn net.Conn, s string, piece int, pause time.Duration) {
	for len(s) > 0 {
		n := min(piece, len(s))
		if _, err := io.WriteString(conn, s[:n]); err != nil {
			return
		}
		s = s[n:]
		time.Sleep(pause)
	}
}

func hear(conn net.Conn) { _, _ = http.ReadRequest(bufio.NewReader(conn)) }

func TestSlowServers(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n"
	long := strings.Repeat("x", 1<<20)
	for _, tc := range []struct {
		name  string
		talk  func(net.Conn)
		kind  Kind
		after time.Duration
		text  string
	}{
		{"silence", func(c net.Conn) { hear(c); _, _ = io.Copy(io.Discard, c) }, KindTimeout, 10 * time.Second, "no answer within 10 s"},
		{"headers, a byte each 100 ms", func(c net.Conn) { hear(c); drip(c, head+long, 1, 100*time.Millisecond) }, KindSlow, 0, ""},
		{"headers, a byte a second", func(c net.Conn) { hear(c); drip(c, head, 1, time.Second) }, KindTimeout, 10 * time.Second, "no answer within 10 s"},
		{"body, a byte each 100 ms", func(c net.Conn) { hear(c); drip(c, head, 1000, 0); drip(c, long, 1, 100*time.Millisecond) }, KindSlow, 10 * time.Second, "the answer came slower than 1 KB a second"},
		{"body, stalls after 12 KB", func(c net.Conn) { hear(c); drip(c, head+long[:12<<10], 1<<20, 0); _, _ = io.Copy(io.Discard, c) }, KindSlow, 12 * time.Second, "the answer came slower than 1 KB a second"},
		{"body, 2 KB a second", func(c net.Conn) { hear(c); drip(c, head+long, 2<<10, time.Second) }, KindTimeout, 30 * time.Second, "no answer within 30 s"},
		{"body, stalls after 512 KB", func(c net.Conn) { hear(c); drip(c, head+long[:512<<10], 1<<20, 0); _, _ = io.Copy(io.Discard, c) }, KindTimeout, 30 * time.Second, "no answer within 30 s"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, done := pipeClient(func(_ string, conn net.Conn) { tc.talk(conn) })
				defer done()
				begin := time.Now()
				res, err := c.Get(t.Context(), Request{URL: "http://a.example/"})
				e := wantKind(t, err, tc.kind)
				took := time.Since(begin)
				if tc.after > 0 && (took != tc.after || e.Error() != tc.text) || took > 30*time.Second {
					t.Errorf("%q after %v, want %q after %v", e, took, tc.text, tc.after)
				}
				if res.Took != took || len(res.Body) > 0 {
					t.Errorf("result says %v, %d bytes", res.Took, len(res.Body))
				}
			})
		})
	}
}

// TestGoodOnesAmongSlowOnes: 100 hosts that drip, one that answers.
func TestGoodOnesAmongSlowOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
		c, done := pipeClient(func(host string, conn net.Conn) {
			hear(conn)
			if host == "good.example" {
				drip(conn, head+"fine", 1000, 0)
				return
			}
			drip(conn, head+strings.Repeat("x", 9999), 1, 100*time.Millisecond)
		})
		defer done()
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				_, err := c.Get(t.Context(), Request{URL: fmt.Sprintf("http://s%d.example/", i)})
				wantKind(t, err, KindSlow)
			})
		}
		synctest.Wait()
		begin := time.Now()
		if res := get(t, c, Request{URL: "http://good.example/"}); string(res.Body) != "fine" || time.Since(begin) > time.Second {
			t.Errorf("got %q after %v", res.Body, time.Since(begin))
		}
		wg.Wait()
	})
}

// raw is a server that says what it likes.
func raw(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
				hear(conn)
				talk(conn)
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); wg.Wait() })
	return "http://" + l.Addr().String() + "/feed"
}

// endless writes s until the other end hangs up, at most 256 MB.
func endless(conn net.Conn, s string) {
	for sent := 0; sent < 256<<20; sent += len(s) {
		if _, err := io.WriteString(conn, s); err != nil {
			return
		}
	}
}

func TestLyingServers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	chunk := "8000\r\n" + strings.Repeat("x", 0x8000) + "\r\n"
	send := func(s string) func(net.Conn) { return func(c net.Conn) { _, _ = io.WriteString(c, s) } }
	for _, tc := range []struct {
		name string
		talk func(net.Conn)
		kind Kind
		text string
		body int
	}{
		{"length promises more", send(ok + "Content-Length: 1000\r\nETag: \"1\"\r\n\r\n<rss>"), KindCutShort, "the answer was cut short", 5},
		{"length promises 8 MB and a byte", send(ok + "Content-Length: 8388609\r\n\r\n<rss>"), KindTooLarge, "larger than 8 MB", 0},
		{"length is no number", send(ok + "Content-Length: many\r\n\r\n<rss>"), KindProtocol, "the answer is not valid HTTP", 0},
		{"length negative", send(ok + "Content-Length: -1\r\n\r\n<rss>"), KindProtocol, "the answer is not valid HTTP", 0},
		{"two lengths", send(ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n<rss>"), KindProtocol, "the answer is not valid HTTP", 0},
		{"chunk promises more", send(ok + "Transfer-Encoding: chunked\r\n\r\nff\r\n<rss>"), KindCutShort, "the answer was cut short", 5},
		{"chunk size overflows", send(ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n<rss>"), KindCutShort, "the answer was cut short", 0},
		{"chunks without end", func(c net.Conn) { send(ok + "Transfer-Encoding: chunked\r\n\r\n")(c); endless(c, chunk) }, KindTooLarge, "larger than 8 MB", 0},
		{"body without end", func(c net.Conn) { send(ok + "\r\n")(c); endless(c, chunk) }, KindTooLarge, "larger than 8 MB", 0},
		{"trailers without end", func(c net.Conn) {
			send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n<rss>\r\n0\r\n")(c)
			endless(c, "X-T: "+strings.Repeat("y", 500)+"\r\n")
		}, KindCutShort, "the answer was cut short", 5},
		{"100 without end", func(c net.Conn) { endless(c, "HTTP/1.1 103 Early Hints\r\n\r\n") }, KindTooLarge, "the headers are larger than 64 KB", 0},
		{"one header of 100 KB", func(c net.Conn) { send(ok + "X: " + strings.Repeat("y", 100<<10) + "\r\n\r\n<rss>")(c) }, KindTooLarge, "the headers are larger than 64 KB", 0},
		{"headers without end", func(c net.Conn) { send(ok)(c); endless(c, "X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n") }, KindTooLarge, "the headers are larger than 64 KB", 0},
		{"nothing at all", send(""), KindProtocol, "the connection was closed before an answer came", 0},
		{"another protocol", send("220 mail.example ESMTP\r\n"), KindProtocol, "the answer is not valid HTTP", 0},
		{"switching protocols", send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), KindProtocol, "the answer is not valid HTTP", 0},
		{"redirect without Location", send("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), KindRedirects, "a redirect without a target", 0},
		{"not changed, unasked", send("HTTP/1.1 304 Not Modified\r\n\r\n"), KindNotAsked, "the server answered 304 to an unconditional request", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := client(t, free())
			res, err := c.Get(t.Context(), Request{URL: raw(t, tc.talk)})
			e := wantKind(t, err, tc.kind)
			if e.Error() != tc.text || len(res.Body) != tc.body || res.ETag != "" {
				t.Errorf("got %q, %d bytes, ETag %q; want %q, %d bytes, none", e, len(res.Body), res.ETag, tc.text, tc.body)
			}
			// The next, normal answer is not hurt by the last.
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") })
			if res := get(t, c, Request{URL: s.URL}); string(res.Body) != "fine" {
				t.Errorf("afterwards: %q", res.Body)
			}
		})
	}
}

func TestConfiguredLimitsHold(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
	limits := Limits{Wire: 1000, Header: 200 * time.Millisecond, Total: 600 * time.Millisecond, SlowAfter: 100 * time.Millisecond}
	patient := limits
	patient.SlowAfter = time.Minute
	for _, tc := range []struct {
		host   string
		limits Limits
		kind   Kind
		text   string
	}{
		{"hang", limits, KindTimeout, "no answer within 0.2 s"},
		{"drip", limits, KindSlow, "the answer came slower than 1 KB a second"},
		{"big", limits, KindTooLarge, "larger than 1000 bytes"},
		{"drip", patient, KindTimeout, "no answer within 0.6 s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, done := pipeClient(func(host string, conn net.Conn) {
				hear(conn)
				switch host {
				case "hang":
					_, _ = io.Copy(io.Discard, conn)
				case "drip":
					drip(conn, head+strings.Repeat("x", 100), len(head)+1, 0)
					drip(conn, strings.Repeat("x", 100), 1, 20*time.Millisecond)
				default:
					drip(conn, head+strings.Repeat("x", 2000), 4000, 0)
				}
			}, tc.limits)
			defer done()
			_, err := c.Get(t.Context(), Request{URL: "http://" + tc.host + "/"})
			if e := wantKind(t, err, tc.kind); e.Error() != tc.text {
				t.Errorf("%q, want %q", e, tc.text)
			}
		})
	}
}
