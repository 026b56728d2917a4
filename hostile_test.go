//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

// hostileAnswers are whole answers of servers, from the status line on: rows N9,
// N11, P1 to P4 and P6 as they arrive over a socket. Packed ones fit the limit of
// the wire and are as large as may be when unpacked.
func hostileAnswers() map[string]func() string {
	many := strings.Repeat
	feed := func(body string) string {
		return `<rss version="2.0"><channel><title>T</title>` + body + `</channel></rss>`
	}
	docs := map[string]func() string{
		"entity bomb": func() string {
			return "<!DOCTYPE r [<!ENTITY a \"ha\">" + numbered(20, `<!ENTITY b%[1]d "&a;&a;&a;&b%[1]d;">`) + "]>" + feed("<item><title>&b19;</title></item>")
		},
		"external entity": func() string {
			return `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + feed("<item><title>&a;</title></item>")
		},
		"deep namespaces": func() string { return feed("<item>" + numbered(300_000, `<a xmlns:n%d="u">`)) },
		"deep XHTML": func() string {
			return `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><content type="xhtml"><div>` + many("<div>", 1_000_000)
		},
		"deep JSON":            func() string { return `{"version":"https://jsonfeed.org/version/1","items":` + many("[", 4_000_000) },
		"a million items":      func() string { return feed(many("<item><title>x</title></item>", 500_000)) },
		"a million categories": func() string { return feed("<item>" + many("<category>x</category>", 600_000) + "</item>") },
		"a million attributes": func() string { return feed("<item><a " + numbered(800_000, `a%d="x" `) + ">y</a></item>") },
		"title of 14 MB":       func() string { return feed("<item><title>" + many("x", 14<<20) + "</title></item>") },
		"flood of ampersands":  func() string { return feed("<item><description>" + many("&amp;", 2_800_000) + "</description></item>") },
		"flood of <":           func() string { return feed("<item><description>" + many("< ", 7<<20) + "</description></item>") },
		"bad dates":            func() string { return feed(numbered(200_000, "<item><pubDate>not a date %d</pubDate></item>")) },
		"date of 5 MB":         func() string { return feed("<item><pubDate>" + many("1", 5<<20) + "</pubDate></item>") },
		"nested tables": func() string {
			return feed("<item><description><![CDATA[" + many("<table><tr><td>x", 60_000) + "]]></description></item>")
		},
		"unclosed formatting": func() string {
			return feed("<item><description><![CDATA[" + many("<b><i><a href=x>", 60_000) + "]]></description></item>")
		},
		"marks":     func() string { return feed("<item><title>a" + many("\u0301", 4_000_000) + "</title></item>") },
		"bad UTF-8": func() string { return feed("<item><description>" + many("\xff\xe9", 6<<20) + "</description></item>") },
		"zeros":     func() string { return many("\x00", 14<<20) },
	}
	answers := map[string]func() string{
		"endless headers": func() string {
			return "HTTP/1.1 200 OK\r\n" + many("X-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n", 50_000) + "\r\n"
		},
		"huge ETag": func() string {
			return "HTTP/1.1 200 OK\r\nETag: \"" + many("x", 60<<10) + "\"\r\n\r\n" + feed("<item><title>x</title></item>")
		},
		"many hints": func() string { return many("HTTP/1.1 103 Early Hints\r\n\r\n", 20_000) },
		"a bomb": func() string {
			return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zip(io.LimitReader(zeros{}, 200<<20))
		},
		"a bomb in a bomb": func() string {
			return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\r\n" + zip(strings.NewReader(zip(io.LimitReader(zeros{}, 200<<20))))
		},
		"nine megabytes":   func() string { return "HTTP/1.1 200 OK\r\n\r\n" + many("y", 9<<20) },
		"a lie":            func() string { return "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n<rss>" },
		"cut chunks":       func() string { return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n<rss>" },
		"a circle":         func() string { return "HTTP/1.1 302 Found\r\nLocation: /feed\r\nContent-Length: 0\r\n\r\n" },
		"another protocol": func() string { return "220 mail.example ESMTP\r\n" },
	}
	for name, doc := range docs {
		answers[name] = func() string {
			return "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Encoding: gzip\r\n\r\n" + zip(strings.NewReader(doc()))
		}
	}
	return answers
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// zeros reads as nothing but zeros.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func zip(doc io.Reader) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	io.Copy(z, doc) //nolint:errcheck // a bytes.Buffer never fails
	z.Close()
	return b.String()
}

// moody is a publisher that answers well but for the time in which it is told what
// to say.
type moody struct {
	mu    sync.Mutex
	says  string
	items int
}

func (m *moody) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	says, items := m.says, m.items
	m.mu.Unlock()
	if says == "" {
		io.WriteString(w, (&publisher{now: time.Now()}).rss("moody", items))
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(conn, says); err == nil {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.CloseWrite()
		}
	}
}

func (m *moody) set(says string, items int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.says, m.items = says, items
}

// TestAttackP1 sends each hostile answer to the built program as the refresh of a
// feed that was good: less than 2 s of processor, less than 150 MB over what a
// good answer takes, and the next normal refresh succeeds with all items there.
func TestAttackP1(t *testing.T) {
	if testing.Short() {
		t.Skip("28 fetches of megabytes")
	}
	exe, err := exec.LookPath("diurna")
	if err != nil {
		t.Fatal(err)
	}
	web := &moody{items: 20}
	server := httptest.NewServer(web)
	defer server.Close()
	b := &bench{t: t, exe: exe, home: t.TempDir()}
	b.write("config.toml", "[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host_every = \"0s\"\nsecond_fetch = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n")
	b.run("add", server.URL+"/feed")
	feed := server.URL + "/feed"
	base := measure(b.command("fetch", feed))
	items := 20
	var slowest, largest cost
	which := [2]string{}
	for name, says := range hostileAnswers() {
		web.set(says(), items)
		debug.FreeOSMemory() // what this process holds when it forks counts as the child's peak
		c := measure(b.command("fetch", feed))
		if c.code != 0 && c.code != 1 || strings.Contains(c.talk, "panic") {
			t.Errorf("%s: exit code %d: %s", name, c.code, c.talk)
		}
		if c.cpu > maxCPU {
			t.Errorf("%s: %v", name, c)
		}
		if c.rss-base.rss > 150<<20 {
			t.Errorf("%s: %d MiB over base", name, (c.rss-base.rss)>>20)
		}
		if c.cpu > slowest.cpu {
			slowest, which[0] = c, name
		}
		if c.rss > largest.rss {
			largest, which[1] = c, name
		}
		items++
		web.set("", items)
		if out := b.run("fetch", feed, "--json").out; !strings.Contains(out, `"outcome":"new"`) && !strings.Contains(out, `"new":1`) {
			t.Errorf("after %s the next refresh brings %s", name, out)
		}
	}
	t.Logf("base %v\nslowest: %s, %v\nlargest: %s, %v", base, which[0], slowest, which[1], largest)
}

// maxCPU is a hundred times what the slowest answer costs on a quiet machine:
// processor time, too, grows on a machine that does much else, and what this
// catches is work that grows with the square of the input.
const maxCPU = 10 * time.Second
