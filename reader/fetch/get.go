package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const defaultAccept = "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.7, */*;q=0.5"

// maxHeader bounds a header that is kept: no honest validator is longer.
const maxHeader = 1 << 10

// flight is one Get on its way from hop to hop.
type flight struct {
	c    *Client
	req  Request
	res  Result
	left time.Duration // of Limits.Total

	first      *url.URL
	user, pass string
	headers    http.Header // of Credentials
	validFor   string
	// trusted holds while every hop so far stayed at the requested origin (for
	// credentials) or door (for the permission to reach a private address): a
	// stranger who sends us back must not choose what we ask there.
	trusted, granted bool
	permanent        bool // every hop so far was a 301 or 308
}

func (f *flight) run(ctx context.Context) error {
	u, err := f.prepare()
	if err != nil {
		return err
	}
	if err := f.credentials(ctx); err != nil {
		return err
	}
	seen := map[string]bool{u.String(): true}
	for {
		f.res.URL = u.String()
		next, err := f.hop(ctx, u)
		if err != nil || next == nil {
			return err
		}
		hop := Hop{Status: f.res.Status, From: u.String(), To: next.String()}
		f.res.Hops = append(f.res.Hops, hop)
		f.permanent = f.permanent && (hop.Status == http.StatusMovedPermanently || hop.Status == http.StatusPermanentRedirect)
		refuse := func(kind Kind, text string) error {
			return &Error{Kind: kind, URL: redact(hop.To), text: text}
		}
		switch {
		case u.Scheme == "https" && next.Scheme == "http":
			return refuse(KindDowngrade, "it leads from https to http, which is not followed: "+redact(hop.To))
		case seen[hop.To]:
			return refuse(KindLoop, "redirect loop at "+redact(hop.To))
		case len(f.res.Hops) > f.c.opts.Limits.Redirects:
			return refuse(KindRedirects, fmt.Sprintf("more than %d redirects, the last to %s", f.c.opts.Limits.Redirects, redact(hop.To)))
		}
		seen[hop.To] = true
		if f.permanent {
			f.res.Permanent = hop.To
		}
		f.trusted = f.trusted && origin(next) == origin(f.first)
		f.granted = f.granted && sameDoor(f.first, next)
		u = next
	}
}

// prepare reads the request.
func (f *flight) prepare() (*url.URL, error) {
	u, info, err := parseAddress(f.req.URL)
	if err != nil {
		return nil, err
	}
	f.first, f.trusted, f.permanent, f.granted = u, true, true, f.req.AllowPrivate
	f.user, f.pass = f.req.User, f.req.Password
	if f.user == "" && info != nil {
		f.user = info.Username()
		f.pass, _ = info.Password()
	}
	if v, _, err := parseAddress(f.req.ValidatorsFor); err == nil {
		f.validFor = v.String()
	}
	return u, nil
}

// valid reports whether the validators are of this address.
func (f *flight) valid(u *url.URL) bool {
	if f.c.opts.Mask == nil {
		return f.validFor == u.String()
	}
	return f.validFor == f.c.opts.Mask(u.String())
}

// hop makes one exchange in its host's turn. It gives the address to go to next,
// or nil when the answer is final.
func (f *flight) hop(ctx context.Context, u *url.URL) (*url.URL, error) {
	fail := func(hop context.Context, err error) error { return f.c.fail(ctx, hop, u, err) }
	transport, err := f.c.transport(u, f.granted)
	if err != nil {
		return nil, fail(ctx, err)
	}
	if err := f.c.gate.enter(ctx, u.Hostname()); err != nil {
		return nil, fail(ctx, err)
	}
	inTurn := true
	leave := func() {
		if inTurn {
			inTurn = false
			f.c.gate.leave(u.Hostname())
		}
	}
	defer leave()
	if f.c.opts.Still != nil {
		if err := f.c.opts.Still(ctx); err != nil {
			return nil, fail(ctx, err)
		}
	}
	start, waited := time.Now(), time.Duration(0)
	arrived := func() {
		if f.c.opts.Room != nil {
			since := time.Now()
			f.c.opts.Room(ctx)
			waited = time.Since(since)
		}
		leave()
	}
	defer func() {
		spent := time.Since(start) - waited
		f.left -= spent
		f.res.Took += spent
	}()
	timed, stop := context.WithTimeoutCause(ctx, f.left, errTotal)
	defer stop()
	hop, cancel := context.WithCancelCause(timed)
	defer cancel(nil)

	req := f.request(hop, u)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, fail(hop, err)
	}
	f.note(u, resp)
	next, err := f.take(hop, u, resp, cancel, arrived)
	if err != nil && resp.StatusCode >= 400 && ctx.Err() == nil {
		f.res.Body = nil // the status says enough
		return nil, nil
	}
	if err != nil {
		return nil, fail(hop, err)
	}
	return next, nil
}

// take makes of an answer the address that it leads to, or what it says.
func (f *flight) take(ctx context.Context, u *url.URL, resp *http.Response, cancel context.CancelCauseFunc, leave func()) (*url.URL, error) {
	if resp.StatusCode < 200 {
		_ = resp.Body.Close()
		return nil, &Error{Kind: KindProtocol, text: "the answer is not valid HTTP"}
	}
	if next, ok := redirectOf(resp); ok {
		f.drop(resp, ctx)
		to, _, err := target(u, next)
		return to, err
	}
	if resp.StatusCode == http.StatusNotModified || resp.StatusCode >= 400 && !f.req.ErrorBody {
		f.drop(resp, ctx)
		if resp.StatusCode == http.StatusNotModified && !f.res.NotModified {
			return nil, &Error{Kind: KindNotAsked, text: "the server answered 304 to an unconditional request"}
		}
		return nil, nil
	}
	if f.req.Into != nil && resp.StatusCode < 400 {
		leave() // a long file must not keep the feeds of its host waiting
		return nil, f.stream(ctx, cancel, resp)
	}
	err := f.read(ctx, cancel, resp, leave)
	if err != nil && resp.StatusCode < 400 {
		f.res.ETag, f.res.LastModified = "", ""
	}
	return nil, err
}

// request is what goes out: exactly these headers and Host, on the first hop and
// on every other.
func (f *flight) request(ctx context.Context, u *url.URL) *http.Request {
	h := http.Header{
		"User-Agent":      {f.c.opts.UserAgent},
		"Accept":          {defaultAccept},
		"Accept-Encoding": {"gzip, br, zstd"},
	}
	if f.req.Accept != "" {
		h.Set("Accept", f.req.Accept)
	}
	if f.req.Into != nil {
		f.req.Into.ask(h)
	}
	if f.valid(u) {
		if usable(f.req.ETag) {
			h["If-None-Match"] = []string{f.req.ETag}
		}
		if usable(f.req.LastModified) {
			h["If-Modified-Since"] = []string{f.req.LastModified}
		}
	}
	f.addCredentials(h)
	req := (&http.Request{
		Method: http.MethodGet, URL: u, Host: u.Host, Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if f.trusted && f.user != "" {
		req.SetBasicAuth(f.user, f.pass)
	}
	return req
}

// note takes over what the headers of the latest answer say.
func (f *flight) note(u *url.URL, resp *http.Response) {
	h := resp.Header
	f.res.Status = resp.StatusCode
	if f.res.Status == http.StatusUnauthorized && f.trusted && f.headers != nil {
		f.c.opts.Credentials.Forget(f.first.Host)
	}
	f.res.HostWide = busy(resp.StatusCode)
	f.res.NotBefore, f.res.NotBeforeBy = notBefore(resp.StatusCode, h, time.Now())
	f.res.Wait, _ = retryAfter(h.Get("Retry-After"), time.Now())
	f.res.Date, _ = http.ParseTime(strings.TrimSpace(h.Get("Date"))) // zero where it is none
	f.res.Age, _ = seconds(strings.TrimSpace(h.Get("Age")))
	f.res.ContentType = usableOr(h.Get("Content-Type"))
	f.res.ETag = usableOr(h.Get("ETag"))
	f.res.LastModified = usableOr(h.Get("Last-Modified"))
	f.res.ContentLanguage = usableOr(h.Get("Content-Language"))
	f.res.ContentLocation = ""
	if cl := h.Get("Content-Location"); cl != "" {
		if at, _, err := target(u, cl); err == nil {
			f.res.ContentLocation = at.String()
		}
	}
	asked := resp.Request
	f.res.NotModified = resp.StatusCode == http.StatusNotModified &&
		(asked == nil && f.valid(u) || asked != nil && (asked.Header["If-None-Match"] != nil || asked.Header["If-Modified-Since"] != nil))
}

// redirectOf gives the Location of a redirect that is to be followed.
func redirectOf(resp *http.Response) (string, bool) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resp.Header.Get("Location"), true
	}
	return "", false
}

// target resolves a Location or Content-Location. Credentials in it are dropped:
// they are the server's, not the user's.
func target(base *url.URL, ref string) (*url.URL, *url.Userinfo, error) {
	if ref == "" {
		return nil, nil, &Error{Kind: KindRedirects, text: "a redirect without a target"}
	}
	r, err := url.Parse(ref)
	if err != nil || len(ref) > maxAddress {
		return nil, nil, &Error{Kind: KindAddress, Err: errAddress, text: "a redirect to an invalid address"}
	}
	if to := base.ResolveReference(r); to.Scheme == "http" || to.Scheme == "https" {
		return settle(to)
	}
	return nil, nil, &Error{Kind: KindAddress, Err: errAddress, text: "the server redirects to " + foreign(r) + ", and only http and https are fetched"}
}

// foreign is an address of no scheme that is fetched, as a sentence quotes it.
func foreign(u *url.URL) string {
	s := redact(u.String())
	if len(s) > 80 {
		s = s[:80] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// usable tells whether a header value may be kept and echoed.
func usable(v string) bool {
	if v == "" || len(v) > maxHeader {
		return false
	}
	for i := 0; i < len(v); i++ {
		if v[i] < 0x20 || v[i] == 0x7f {
			return false
		}
	}
	return true
}

func usableOr(v string) string {
	if usable(v) {
		return v
	}
	return ""
}
