package reader

import (
	"context"
	"errors"
	"time"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/store"
)

// web is the reader's way to the net: one client, and how an answer is read.
type web struct {
	client *fetch.Client
}

func newWeb(o Options, s *store.Store) *web {
	f := fetch.Defaults()
	f.UserAgent = "diurna/" + o.Version + " (+" + o.Home + ")"
	f.AllowPrivate = o.Net.AllowPrivate
	f.PerHost = o.Net.PerHost
	f.PerHostEvery = max(o.Net.PerHostEvery, 0) // negative: none
	f.HostsAtOnce = o.Net.HostsAtOnce
	f.Turn, f.Still, f.Room = s.HostTurn, onDuty, makeRoom
	f.Transport = o.Transport
	f.Mask = func(url string) string { return masked(plain.Outside(url)) }
	return &web{client: fetch.New(f)}
}

func (w *web) close() error { w.client.Close(); return nil }

// webAnswer is one answer of the web, read: what fetching, subscribing and
// previewing all start from.
type webAnswer struct {
	res   fetch.Result
	doc   feed.Document
	err   error // why there is no document; nil with a 304, too
	at    time.Time
	hash  uint64 // of the body: a publisher without validators is spared the parse
	same  bool   // 304, or the very body of last time
	asked string // the URL that was asked for

	newest time.Time // when the feed posted last, as far as was known

	// res.URL and res.Permanent with their secrets
	served, moved string

	body   []byte // of a watched page
	shared bool   // another watch made the request
}

// answer is what is remembered of it.
func (h *webAnswer) answer() *poll.Answer {
	return &poll.Answer{At: h.at, Asked: h.asked, Result: &h.res, Doc: &h.doc, Self: masked(plain.Outside(plain.Line(h.doc.Self, 1000))),
		Err: h.err, Hash: h.hash, Same: h.same, Shared: h.shared}
}

// get asks for one URL with the validators of last time and reads the answer.
// It is the only way from the net to items. newest is when the feed posted last.
func (r *Reader) get(ctx context.Context, address string, p *store.Poll, allowPrivate bool, newest time.Time) webAnswer {
	req := fetch.Request{URL: address, AllowPrivate: allowPrivate}
	if p != nil {
		req.ETag, req.LastModified, req.ValidatorsFor = p.ETag, p.LastModified, p.ValidatorsFor
	}
	h := webAnswer{newest: newest}
	h.understand(r.ask(ctx, &h, &req), p)
	return h
}

// understand reads the answer: err is the client's, p what was known before.
func (h *webAnswer) understand(err error, p *store.Poll) {
	res := h.res
	var fe *fetch.Error
	cut := errors.As(err, &fe) && fe.Kind == fetch.KindCutShort && len(res.Body) > 0
	switch {
	case err != nil && !cut:
		h.err = err
	case res.NotModified:
		h.same = true
	case res.Status < 200 || res.Status >= 300 || res.Status == 204:
		h.err = &poll.StatusError{Status: res.Status}
	default:
		h.hash = model.Hash(res.Body)
		if p != nil && !cut && h.hash == p.BodyHash && p.Err == "" {
			h.same = true
			break
		}
		h.doc, h.err = readAnswer(res, datesUpTo(h.at, h.newest))
		if cut && h.err == nil {
			h.doc.Partial = true
		}
	}
	h.res.Body = nil // the document has what is needed; a thousand bodies would not fit
}

// redate moves the server's wish along when the answer belongs to another time.
func (r *Reader) redate(res *fetch.Result) {
	if !r.at.IsZero() && !res.NotBefore.IsZero() {
		res.NotBefore = r.at.Add(time.Until(res.NotBefore))
	}
}

// datesUpTo is the moment to which later dates of publishers are moved: now. Under a
// clock that is behind what is known they are left as they are, or all would be
// older than what was there before.
func datesUpTo(now, newest time.Time) time.Time {
	if !store.Plausible(now) || newest.After(now.Add(24*time.Hour)) {
		return time.Time{}
	}
	return now
}

func readAnswer(res fetch.Result, now time.Time) (feed.Document, error) {
	return readDocument(feed.Input{Body: res.Body, ContentType: res.ContentType, URL: baseOf(res.URL),
		ContentLocation: baseOf(res.ContentLocation), ContentLanguage: res.ContentLanguage, Now: now})
}

// readDocument is where bytes become items, for fetch and preview alike.
func readDocument(in feed.Input) (feed.Document, error) {
	doc, err := feed.Parse(in)
	switch {
	case errors.Is(err, feed.ErrWebPage):
		return doc, &said{"the server sent a web page, not a feed (perhaps a login page)", err}
	case errors.Is(err, feed.ErrEmpty):
		return doc, &said{"the answer is empty", err}
	case err != nil:
		return doc, &said{err.Error(), err}
	}
	return doc, nil
}
