//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// requestLog is a publisher on a real socket that writes down every request.
type requestLog struct {
	mu     sync.Mutex
	open   int
	visits []loggedRequest
	broken []string
}

type loggedRequest struct {
	path, tag, method string
	header            http.Header
	at                time.Time
	status            int
	to                string
}

func (g *requestLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	g.mu.Lock()
	if g.open++; g.open > 1 {
		g.broken = append(g.broken, "E8: two requests at once")
	}
	n := 0
	for i := range g.visits {
		if g.visits[i].path == name {
			n++
		}
	}
	v := loggedRequest{path: name, tag: strings.Join(r.Header["If-None-Match"], "|") + strings.Join(r.Header["If-Modified-Since"], "|"), method: r.Method, header: r.Header.Clone(), at: time.Now()}
	v.status = g.answer(w, r, name, n, &v)
	g.visits = append(g.visits, v)
	g.mu.Unlock()
	time.Sleep(5 * time.Millisecond)
	g.mu.Lock()
	g.open--
	g.mu.Unlock()
}

// answer is what the publisher of that name says to the nth visit.
func (g *requestLog) answer(w http.ResponseWriter, r *http.Request, name string, n int, v *loggedRequest) int {
	tag := "W/\"\xe9 " + name + ", x\""
	body := (&publisher{now: time.Now()}).rss(name, 3)
	switch {
	case name == "busy" && n >= 1:
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(429)
		return 429
	case name == "fails" && n >= 1 && n < 3:
		w.WriteHeader(500)
		return 500
	case name == "gone" && n >= 1:
		w.WriteHeader(410)
		return 410
	case name == "locked" && n >= 1:
		w.WriteHeader(403)
		return 403
	case name == "found":
		v.to = "etag"
		http.Redirect(w, r, "/target", http.StatusFound)
		return 302
	case name == "fresh":
		w.Header().Set("Cache-Control", "max-age=3600")
	case name == "ttl":
		body = strings.Replace(body, "<channel>", "<channel><ttl>60</ttl>", 1)
	case name == "date":
		w.Header()["Last-Modified"] = []string{"Saturday, 21-Nov-26 10:00:00 +0100"}
		if strings.Join(r.Header["If-Modified-Since"], "") == "Saturday, 21-Nov-26 10:00:00 +0100" {
			w.WriteHeader(304)
			return 304
		}
		io.WriteString(w, body)
		return 200
	}
	w.Header()["Etag"] = []string{tag}
	if strings.Join(r.Header["If-None-Match"], "") == tag {
		w.WriteHeader(304)
		return 304
	}
	io.WriteString(w, body)
	return 200
}

// realGap stands in the config. A busy machine lets one visit arrive late and the
// next on time, so three gaps are judged together; and what is early once must be
// early again.
const (
	realGap = 100 * time.Millisecond
	jitter  = 60 * time.Millisecond
)

// TestMannersOverSockets is E1 to E13 shortened: the program itself, as screen
// and as `run`, restarted again and again with R held down, against a publisher on
// a real socket. The config lifts what would take weeks: a poll a second, a gap
// of a tenth of one between two requests to a host, a retry after two.
func TestMannersOverSockets(t *testing.T) {
	var early []string
	for range 5 {
		if early = visits(t); len(early) == 0 || t.Failed() {
			return
		}
		t.Log(early)
	}
	t.Error("each time:", early)
}

// visits plays it once and gives the visits that came too early after others.
func visits(t *testing.T) (early []string) {
	t.Helper()
	book := &requestLog{}
	server := httptest.NewServer(book)
	defer server.Close()
	p := victim(t)
	p.write(".config/diurna/config.toml", "[net]\nallow_private = [\"127.0.0.1/32\"]\nper_host_every = \"100ms\"\nmin_poll = \"1s\"\nmin_manual = \"1s\"\nmin_retry = \"2s\"\n", 0o600)
	names := []string{"etag", "date", "fresh", "ttl", "busy", "fails", "gone", "locked", "found"}
	for _, name := range names {
		if name == "busy" {
			continue // its 429 would hold for the whole host: last
		}
		p.diurna("add", server.URL+"/"+name)
	}
	rounds := 4
	for i := range rounds {
		p.sit()
		for range 3 {
			p.stroke("RRRR")
		}
		p.stroke("2r")
		time.Sleep(500 * time.Millisecond)
		p.leave()
		p.says("fetch", "--all")
		p.says("fetch", "--all")
		p.runs(700 * time.Millisecond)
		if i == rounds-1 {
			p.says("fetch", "--all")
		}
	}
	p.diurna("add", server.URL+"/busy")
	time.Sleep(1100 * time.Millisecond)
	p.says("fetch", server.URL+"/busy")
	time.Sleep(1100 * time.Millisecond)
	p.says("fetch", "--all")
	p.says("fetch", server.URL+"/busy")
	early = book.judge(t, names)
	list := p.json("list")
	states := map[string]string{}
	for _, f := range list {
		states[f["url"].(string)[strings.LastIndexByte(f["url"].(string), '/')+1:]] = f["state"].(string)
	}
	if states["fails"] != "ok" || states["gone"] != "gone" || states["locked"] != "failing" || states["etag"] != "ok" {
		t.Errorf("states %v", states)
	}
	return early
}

// leave closes the screen as a user does.
func (p *person) leave() {
	p.t.Helper()
	gone := make(chan struct{})
	go func() {
		_ = p.screen.Wait() // its code is no matter here
		close(gone)
	}()
	for left, tries := false, 0; !left; tries++ { // Esc and a key at once are another key to a program under load
		if tries == 20 {
			_ = p.screen.Process.Kill()
		}
		p.stroke("\x1b\x1b")
		p.stroke("Q")
		select {
		case <-gone:
			left = true
		case <-time.After(3 * time.Second):
		}
	}
	p.tty.Close()
	p.mu.Lock()
	p.drawn = nil
	p.mu.Unlock()
}

// runs lets `diurna run` fetch for a while and stops it.
func (p *person) runs(d time.Duration) {
	p.t.Helper()
	cmd := p.background("run")
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	time.Sleep(d)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	_ = cmd.Wait() // it was told to stop
}

// judge reads the book from the first visit to the last.
func (g *requestLog) judge(t *testing.T, names []string) (early []string) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, line := range g.broken {
		t.Error(line)
	}
	last, given := map[string]loggedRequest{}, map[string]string{}
	count, failures := map[string]int{}, 0
	var before [3]time.Time // the last three visits, the newest first
	closed := false
	for i := range g.visits {
		v := g.visits[i]
		say := func(rule, format string, args ...any) {
			t.Errorf("%s: visit %d to %s: %s", rule, i, v.path, fmt.Sprintf(format, args...))
		}
		prev, again := last[v.path]
		gap := v.at.Sub(prev.at)
		count[v.path]++
		switch {
		case again && given[v.path] != "" && v.tag != given[v.path]:
			say("E1", "%q was sent, %q was given", v.tag, given[v.path])
		case again && v.tag == "" && v.path != "found" && v.path != "busy":
			say("E2", "a second whole answer is asked for")
		case again && gap < time.Second && v.path != "target":
			say("E3", "after %v", gap)
		case again && (v.path == "fresh" || v.path == "ttl"):
			say("E5", "after %v, though an hour was asked for", gap)
		case closed:
			say("E6", "after 429 with Retry-After 3600")
		case again && prev.status == 410:
			say("E7", "after 410")
		case again && v.path == "fails" && prev.status == 500 && gap < 2*time.Second<<(failures-1):
			say("E7", "%v after failure %d", gap, failures)
		case v.at.Sub(before[2]) < 3*realGap-jitter:
			early = append(early, fmt.Sprintf("E8: visit %d to %s: %v for three more requests", i, v.path, v.at.Sub(before[2])))
		case !strings.HasPrefix(v.header.Get("User-Agent"), "diurna/") || !strings.Contains(v.header.Get("Accept"), "rss") || !strings.Contains(v.header.Get("Accept-Encoding"), "gzip"):
			say("E9", "%v", v.header)
		case v.method != "GET" || v.header.Get("Cookie")+v.header.Get("Referer")+v.header.Get("Range")+v.header.Get("Authorization") != "":
			say("E10", "%s %v", v.method, v.header)
		}
		switch {
		case v.status == 200 || v.status == 304:
			given[v.path] = map[bool]string{true: "Saturday, 21-Nov-26 10:00:00 +0100", false: "W/\"\xe9 " + v.path + ", x\""}[v.path == "date"]
			if v.path == "fails" {
				failures = 0
			}
		case v.status == 500:
			failures++
		case v.status == 429:
			closed = true
		}
		last[v.path], before = v, [3]time.Time{v.at, before[0], before[1]}
	}
	for name, n := range count {
		if name != "target" && !strings.Contains(strings.Join(names, " "), name) {
			t.Errorf("E12, E13: nobody named /%s, which was asked for %d times", name, n)
		}
	}
	if count["etag"] < 3 || count["fails"] < 3 || count["busy"] != 2 || count["found"] < 3 {
		t.Errorf("visits %v", count) // E11: a 302 is not remembered
	}
	t.Logf("%d visits: %v", len(g.visits), count)
	return early
}
