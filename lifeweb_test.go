//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// lifeWeb is the web of one life: feeds that post at given moments of its clock,
// and a log of every answer.
type lifeWeb struct {
	t     *testing.T
	clock *virtualClock
	mu    sync.Mutex
	main  *httptest.Server
	feeds map[string]*lifeFeed // by path
	log   []lifeServed
}

// lifeServed is one answer of the publisher.
type lifeServed struct {
	at     time.Time // on the publisher's clock, ns
	feed   string
	status int
	posts  int // how many the feed had posted by then
}

// lifeFeed is one feed. Set the fields before it is asked for, or by change.
type lifeFeed struct {
	web      *lifeWeb
	name     string
	url      string
	posts    []time.Time // ascending; a post may be later than now
	window   int         // items shown; 0: all
	bare     bool        // without validators
	dateless bool        // entries say nothing of when
	page     bool        // an HTML page whose text follows the number of posts
	delay    time.Duration
	answer   func(at time.Time) (status int, retryAfter string) // nil or status 0: the feed
}

func newLifeWeb(t *testing.T, clock *virtualClock) *lifeWeb {
	w := &lifeWeb{t: t, clock: clock, feeds: map[string]*lifeFeed{}}
	w.main = w.listen()
	return w
}

func (w *lifeWeb) listen() *httptest.Server {
	s := httptest.NewServer(w)
	w.t.Cleanup(s.Close)
	return s
}

// feed is a new feed on the host that all share.
func (w *lifeWeb) feed(name string) *lifeFeed { return w.put(name, w.main) }

// alone is a new feed on a host of its own.
func (w *lifeWeb) alone(name string) *lifeFeed { return w.put(name, w.listen()) }

func (w *lifeWeb) put(name string, on *httptest.Server) *lifeFeed {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := &lifeFeed{web: w, name: name, url: on.URL + "/" + name}
	w.feeds["/"+name] = f
	return f
}

// post adds posts at these moments, past or to come.
func (f *lifeFeed) post(at ...time.Time) *lifeFeed {
	f.web.mu.Lock()
	defer f.web.mu.Unlock()
	f.posts = append(f.posts, at...)
	slices.SortFunc(f.posts, time.Time.Compare)
	return f
}

// every adds a post at each step from a moment on, before another.
func (f *lifeFeed) every(step time.Duration, from, to time.Time) *lifeFeed {
	for at := from; at.Before(to); at = at.Add(step) {
		f.post(at)
	}
	return f
}

// change sets fields of a feed while the web runs.
func (f *lifeFeed) change(how func(*lifeFeed)) *lifeFeed {
	f.web.mu.Lock()
	defer f.web.mu.Unlock()
	how(f)
	return f
}

// served is the log so far, of one feed or of all ("").
func (w *lifeWeb) served(feed string) (log []lifeServed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.log {
		if feed == "" || s.feed == feed {
			log = append(log, s)
		}
	}
	return log
}

// since counts the answers of a feed, or of all (""), from a moment on.
func (w *lifeWeb) since(feed string, at time.Time) (n int) {
	for _, s := range w.served(feed) {
		if !s.at.Before(at) {
			n++
		}
	}
	return n
}

func (w *lifeWeb) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	f := w.feeds[r.URL.Path]
	if f == nil {
		w.mu.Unlock()
		http.NotFound(to, r)
		return
	}
	delay := f.delay
	w.mu.Unlock()
	if delay > 0 { // costs no real time
		w.clock.until(w.clock.now().Add(delay))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.clock.truth()
	n := 0
	for n < len(f.posts) && !f.posts[n].After(now) {
		n++
	}
	w.log = append(w.log, lifeServed{now, f.name, f.write(to, r, n, now), n})
}

// write answers with the first n posts and gives the status.
func (f *lifeFeed) write(to http.ResponseWriter, r *http.Request, n int, now time.Time) int {
	if f.answer != nil {
		if status, wait := f.answer(now); status != 0 {
			if wait != "" {
				to.Header().Set("Retry-After", wait)
			}
			to.WriteHeader(status)
			return status
		}
	}
	if tag := fmt.Sprintf(`"%s-%d"`, f.name, n); !f.bare {
		to.Header().Set("Etag", tag)
		if r.Header.Get("If-None-Match") == tag {
			to.WriteHeader(http.StatusNotModified)
			return http.StatusNotModified
		}
	}
	if f.page {
		to.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(to, "<!doctype html><title>%s</title><h1>Boats</h1><p>By now %d boats have come in, %s</p><h2>Notices</h2><p>The office opens at nine.</p>",
			f.name, n, strings.Repeat("one after another, ", n%7+1))
		return http.StatusOK
	}
	io.WriteString(to, f.atom(n))
	return http.StatusOK
}

// atom has dates to the millisecond.
func (f *lifeFeed) atom(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<feed xmlns="http://www.w3.org/2005/Atom"><title>%s</title><id>urn:feed:%s</id><updated>2000-01-01T00:00:00Z</updated>`, f.name, f.name)
	first := 0
	if f.window > 0 {
		first = max(0, n-f.window)
	}
	for i := n - 1; i >= first; i-- {
		at := f.posts[i].UTC().Format("2006-01-02T15:04:05.000Z")
		dates := "<published>" + at + "</published><updated>" + at + "</updated>"
		if f.dateless {
			dates = ""
		}
		fmt.Fprintf(&b, `<entry><title>%s %d</title><id>urn:%s:%d</id>%s<link href="http://%s.example/%d"/><content>Text %d of %s.</content></entry>`,
			f.name, i+1, f.name, i+1, dates, f.name, i+1, i+1, f.name)
	}
	b.WriteString("</feed>")
	return b.String()
}
