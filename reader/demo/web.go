package demo

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// web serves the publications as they stand at some moment.
type web struct {
	home time.Time // the present when it began, in the publisher's calendar
	by   time.Duration
	zone *time.Location
	mu   sync.Mutex
	at   time.Time // zero: the present
}

func newServer(now time.Time) *web {
	w := &web{by: Shift(now), zone: now.Location()}
	w.home = w.there(now)
	return w
}

// there is a moment in the publisher's calendar, here the opposite.
func (w *web) there(t time.Time) time.Time { return t.Add(-w.by).UTC() }
func (w *web) here(t time.Time) time.Time  { return t.Add(w.by).In(w.zone) }

func (w *web) setNow(t time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = t
}

func (w *web) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at.IsZero() {
		return time.Now()
	}
	return w.at
}

// answer is a response before it is one.
type answer struct {
	status      int
	kind        string // Content-Type
	body        string
	header      map[string]string
	etag        string
	notModified bool
}

func (w *web) roundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body != nil {
		r.Body.Close()
	}
	a := w.serve(r, w.there(w.now()))
	h := http.Header{"Date": {w.now().UTC().Format(http.TimeFormat)}}
	if a.kind != "" {
		h.Set("Content-Type", a.kind)
	}
	for k, v := range a.header {
		h.Set(k, v)
	}
	if r.Method == http.MethodHead || a.notModified {
		a.body = ""
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	return &http.Response{
		Status: fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: h, Request: r,
		ContentLength: int64(len(a.body)), Body: io.NopCloser(bytes.NewReader([]byte(a.body))),
	}, nil
}

func (w *web) serve(r *http.Request, now time.Time) answer {
	address := "https://" + r.URL.Host + r.URL.Path
	for i := range publications() {
		p := &publications()[i]
		if p.url == address {
			return p.answer(r, now, w)
		}
	}
	for _, p := range watchedPages() {
		if p.url == address {
			return p.serve(r, now, w.home)
		}
	}
	if a, ok := page(r.URL.Host, r.URL.Path, now, w.home); ok {
		return a
	}
	return answer{status: http.StatusNotFound, kind: "text/plain; charset=utf-8", body: "there is nothing here\n"}
}

func serves(host string) bool {
	for i := range publications() {
		p := &publications()[i]
		if _, h := p.site(); h == host || strings.HasPrefix(p.url, "https://"+host+"/") {
			return true
		}
	}
	for _, p := range watchedPages() {
		if strings.HasPrefix(p.url, "https://"+host+"/") {
			return true
		}
	}
	return false
}

// answer is the feed as a document, "not changed", a redirect or a 404.
func (p *publication) answer(r *http.Request, now time.Time, w *web) answer {
	home := w.home
	if p.goneFor > 0 && origin.Sub(now) < days(p.goneFor) {
		return answer{status: http.StatusNotFound, kind: "text/plain; charset=utf-8", body: "not found\n"}
	}
	if p.movedFor > 0 && origin.Sub(now) < days(p.movedFor) {
		return answer{status: http.StatusMovedPermanently, header: map[string]string{"Location": p.movedTo}}
	}
	list := p.upTo(now, home)
	a := answer{status: http.StatusOK, etag: etagOf(list)}
	maxAge := p.maxAge
	if !now.Before(home) {
		maxAge = 0 // what comes while one looks on comes at any moment
	}
	a.header = map[string]string{"Etag": a.etag, "Cache-Control": "max-age=" + strconv.Itoa(maxAge)}
	if r.Header.Get("If-None-Match") == a.etag {
		a.status, a.notModified = http.StatusNotModified, true
		return a
	}
	for i := range list {
		list[i].at, list[i].updated = w.here(list[i].at), w.here(list[i].updated)
	}
	switch p.kind {
	case "atom":
		a.kind, a.body = "application/atom+xml; charset=utf-8", p.atom(list)
	case "json":
		a.kind, a.body = "application/feed+json", p.jsonFeed(list)
	case "rdf":
		a.kind, a.body = "application/rdf+xml", p.rdf(list)
	default:
		a.kind, a.body = "application/rss+xml; charset=utf-8", p.rss(list)
	}
	return a
}

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// etagOf changes with every item and every correction.
func etagOf(list []post) string {
	h := fnv.New64a()
	for i := range list {
		fmt.Fprintln(h, list[i].id, list[i].updated.Unix())
	}
	return fmt.Sprintf(`W/"%x"`, h.Sum64())
}

// page is a site's home, which names its feeds, or one article as a web page.
func page(host, path string, now, home time.Time) (answer, bool) {
	var links, body strings.Builder
	title := ""
	for i := range publications() {
		p := &publications()[i]
		site, h := p.site()
		if h != host {
			continue
		}
		if title == "" {
			title = p.title
		}
		fmt.Fprintf(&links, "<link rel=\"alternate\" type=\"%s\" title=%q href=%q>\n", p.mediaType(), escape(p.title), p.url)
		for _, it := range p.upTo(now, home) {
			if it.link == site+strings.TrimPrefix(path, "/") {
				return answer{status: http.StatusOK, kind: "text/html; charset=utf-8", body: articlePage(p, &it)}, true
			}
			fmt.Fprintf(&body, "<li><a href=%q>%s</a></li>\n", it.link, escape(it.title))
		}
	}
	if title == "" || path != "/" && path != "" {
		return answer{}, false
	}
	return answer{status: http.StatusOK, kind: "text/html; charset=utf-8",
		body: "<!doctype html><html><head><meta charset=utf-8><title>" + escape(title) + "</title>\n" + links.String() +
			"</head><body><h1>" + escape(title) + "</h1>\n<ul>" + body.String() + "</ul></body></html>\n"}, true
}

func articlePage(p *publication, it *post) string {
	return "<!doctype html><html><head><meta charset=utf-8><title>" + escape(it.title) + "</title></head><body><nav><a href=\"/\">" +
		escape(p.title) + "</a></nav><main><article><h1>" + escape(it.title) + "</h1>\n" + it.html + "</article></main></body></html>\n"
}

func (p *publication) mediaType() string {
	switch p.kind {
	case "atom":
		return "application/atom+xml"
	case "json":
		return "application/feed+json"
	}
	return "application/rss+xml"
}
