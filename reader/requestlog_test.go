package reader

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// etiquette judges each visit by the etiquette of robustness.md, part 3, from what
// publishers see and nothing else. A broken rule is a line in broken.
type etiquette struct {
	press        *press
	broken       []string
	kept, failed map[string]int // how often each rule was applied, and broken
}

// visit is what a paper remembers of its visitor.
type visit struct {
	start, end     time.Time
	first          bool
	etag, modified string // of the last answer 200 or 304
	known          bool
	whole          time.Time // the last request without a validator
	notBefore      time.Time // the server's wish
	failures       int
	status         int
	gone           bool
	forceFull      time.Time
	partial        bool
	sightings      int // of a permanent move in a row
	since          time.Time
}

func (r *etiquette) want(rule string, ok bool, f *paper, now time.Time, format string, args ...any) {
	if r.kept == nil {
		r.kept, r.failed = map[string]int{}, map[string]int{}
	}
	r.kept[rule]++
	if ok {
		return
	}
	if r.failed[rule]++; len(r.broken) > 60 {
		return
	}
	name := "?"
	if f != nil {
		name = f.habit + " " + f.url
	}
	r.broken = append(r.broken, fmt.Sprintf("%s: day %.2f %s: %s", rule, now.Sub(r.press.began).Hours()/24, name, fmt.Sprintf(format, args...)))
}

// arrives judges a request.
func (r *etiquette) arrives(req *http.Request, f *paper, h *hostBook, now time.Time) {
	r.manners(req, f, now)
	gap := now.Sub(h.last)
	r.want("E8", h.last.IsZero() || gap >= 5*time.Second, f, now, "%v after the last request to %s", gap, req.URL.Host)
	r.want("E8", h.open == 0, f, now, "a second connection to %s", req.URL.Host)
	r.want("E8", h.open > 0 || r.press.open < 8, f, now, "%d hosts at once", r.press.open+1)
	r.want("E6", !now.Before(h.closed), f, now, "the host asked to wait %v longer", h.closed.Sub(now))
	h.last = now
	if f == nil {
		r.want("E12", req.URL.Host == "portal.example", f, now, "nobody gave the visitor the address %s", req.URL)
		return
	}
	v := &f.answered
	by := "plan"
	if f.wished.After(v.start) {
		by = "hand"
	}
	r.times(f, v, by, now)
	r.conditions(req, f, v, now)
	r.want("E11", v.sightings < 6 || now.Sub(v.since) < 8*24*time.Hour || f.habit == "hijacked", f, now, "asked %d times after moving for good", v.sightings)
	v.start, v.first = now, true
}

// manners are the headers: exactly these and no others.
func (r *etiquette) manners(req *http.Request, f *paper, now time.Time) {
	r.want("E10", req.Method == http.MethodGet && req.Body == nil, f, now, "method %s", req.Method)
	for name := range req.Header {
		switch name {
		case "User-Agent", "Accept", "Accept-Encoding", "If-None-Match", "If-Modified-Since":
		default:
			r.want("E10", false, f, now, "header %s", name)
		}
	}
	ua := req.Header.Get("User-Agent")
	name, rest, _ := strings.Cut(ua, "/")
	r.want("E9", name == "diurna" && strings.Contains(rest, " (+https://") && strings.HasSuffix(rest, ")") && !strings.Contains(ua, "Mozilla"), f, now, "User-Agent %q", ua)
	r.want("E9", strings.Contains(req.Header.Get("Accept"), "application/atom+xml") && strings.Contains(req.Header.Get("Accept-Encoding"), "gzip"), f, now, "Accept %q", req.Header.Get("Accept"))
	r.want("E10", req.URL.RawQuery == "", f, now, "query %q", req.URL.RawQuery)
}

// times are how soon a visitor may come again.
func (r *etiquette) times(f *paper, v *visit, by string, now time.Time) {
	if !v.first {
		return
	}
	gap := now.Sub(v.start)
	if strings.HasPrefix(f.host, "cdn") || strings.HasPrefix(f.habit, "at ") {
		by = "hand" // asked by way of another address, whose times hold
	}
	if by == "hand" {
		r.want("E4", gap >= 10*time.Minute, f, now, "%v after the last, by hand", gap)
	} else {
		r.want("E3", gap >= time.Hour, f, now, "%v after the last", gap)
		r.want("E7", !v.gone, f, now, "asked again after 410")
		r.want("E7", gap >= backoff(v), f, now, "%v after failure %d (%d)", gap, v.failures, v.status)
	}
	r.want("E5", !now.Before(v.notBefore), f, now, "%v sooner than the server wishes", v.notBefore.Sub(now))
	if f.habit == "skip" && by != "hand" {
		hour, sunday := now.UTC().Hour(), now.UTC().Weekday() == time.Sunday
		r.want("E5", !sunday && (hour < 2 || hour > 4) && hour != 14, f, now, "in an hour that is to be skipped")
	}
}

// backoff is the least wait after failures in a row.
func backoff(v *visit) time.Duration {
	switch {
	case v.failures == 0:
		return 0
	case v.status == 401 || v.status == 403 || v.status == 404 && v.failures >= 3:
		return 24 * time.Hour
	case v.status == 429 || v.status == 503:
		return 0 // the host's rule
	}
	return min(time.Hour<<min(v.failures-1, 10), 24*time.Hour)
}

// conditions are the validators.
func (r *etiquette) conditions(req *http.Request, f *paper, v *visit, now time.Time) {
	inm, ims := strings.Join(req.Header["If-None-Match"], "|"), strings.Join(req.Header["If-Modified-Since"], "|")
	if inm == "" && ims == "" {
		// Of a document that is another feed's nothing is kept, no validator either.
		doubt := v.known && f.habit != "at hijacked" && (v.etag != "" || v.modified != "") && !v.partial
		switch {
		case doubt: // N12
			r.want("E2", now.Sub(v.forceFull) > 14*24*time.Hour, f, now, "no validator, though %q and %q are known", v.etag, v.modified)
			v.forceFull = now
		case v.known && v.failures == 0 && f.habit != "at hijacked":
			r.want("E2", now.Sub(v.whole) >= 24*time.Hour || v.partial && now.Sub(v.whole) >= time.Hour, f, now, "a whole answer again after %v", now.Sub(v.whole))
		}
		v.whole = now
		return
	}
	r.want("E1", inm == v.etag && ims == v.modified && !v.partial, f, now, "sent %q %q, was given %q %q", inm, ims, v.etag, v.modified)
}

// leaves notes what the visitor was answered; res is nil when there was no answer.
func (r *etiquette) leaves(f *paper, h *hostBook, res *http.Response, now time.Time) {
	if f == nil {
		return
	}
	v := &f.answered
	v.end, v.notBefore = now, time.Time{}
	if res == nil {
		v.failures, v.status = v.failures+1, 0
		return
	}
	v.status = res.StatusCode
	if res.StatusCode == 301 {
		if f.habit == "moves" && !r.press.portal {
			v.known, v.etag, v.modified = false, "", "" // those of the new place count from now on
		}
		if v.sightings++; v.sightings == 1 {
			v.since = now
		}
		if f.habit == "hijacked" || r.press.portal {
			v.failures++ // what is served there is not this feed
		} else {
			v.failures = 0
		}
		return
	}
	v.sightings = 0
	switch {
	case res.StatusCode == 302:
		v.failures = 0
	case res.StatusCode == 429 || res.StatusCode == 503:
		h.busy++
		v.failures++
		wait := min(4*time.Hour<<min(h.busy-1, 10), 24*time.Hour)
		if s := res.Header.Get("Retry-After"); s == "20000" {
			wait = 20000 * time.Second
		} else if s != "" {
			wait = 3*24*time.Hour - time.Second
		}
		h.closed = now.Add(wait)
	case res.StatusCode >= 400:
		v.failures++
		v.gone = res.StatusCode == 410
	default:
		h.busy, v.failures, v.gone = 0, 0, false
		r.succeeded(f, v, res, now)
	}
}

// succeeded notes a feed or "not changed".
func (r *etiquette) succeeded(f *paper, v *visit, res *http.Response, now time.Time) {
	v.known = true
	etag, modified := strings.Join(res.Header["Etag"], ""), strings.Join(res.Header["Last-Modified"], "")
	if res.StatusCode == 200 {
		v.etag, v.modified = etag, modified
		if v.etag == "" && v.modified == "" {
			v.whole = now
		}
		v.partial = res.Header.Get("X-Cut") != ""
	} else {
		if etag != "" {
			v.etag = etag
		}
		if modified != "" {
			v.modified = modified
		}
	}
	wish := map[string]time.Duration{"max-age": 14400*time.Second - 600*time.Second, "years": 24 * time.Hour,
		"expires": 5*time.Hour - 2*time.Second, "ttl": 5 * time.Hour, "update": 24 * time.Hour}[f.habit]
	if wish > 0 {
		v.notBefore = now.Add(wish)
	}
}
