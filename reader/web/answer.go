package web

import (
	"errors"
	"time"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/poll"
	"diurna/store"
)

// Answer is one answer of the web, read: what fetching, subscribing and
// previewing all start from.
type Answer struct {
	Result fetch.Result
	Doc    feed.Document
	Err    error // why there is no document; nil with a 304, too
	At     time.Time
	Hash   uint64 // of the body: a publisher without validators is spared the parse
	Same   bool   // 304, or the very body of last time
	Asked  string // the URL that was asked for

	Newest time.Time // when the feed posted last, as far as was known

	Served, Moved string // Result.URL and Result.Permanent with their secrets

	Body   []byte // of a watched page
	Shared bool   // another watch made the request
}

// Polled is what is remembered of it.
func (h *Answer) Polled() *poll.Answer {
	return &poll.Answer{At: h.At, Asked: h.Asked, Result: &h.Result, Doc: &h.Doc, Self: Masked(plain.Outside(plain.Line(h.Doc.Self, 1000))),
		Err: h.Err, Hash: h.Hash, Same: h.Same, Shared: h.Shared}
}

// Read reads the answer: err is the client's, p what was known before.
func (h *Answer) Read(err error, p *store.Poll) {
	res := h.Result
	var fe *fetch.Error
	cut := errors.As(err, &fe) && fe.Kind == fetch.KindCutShort && len(res.Body) > 0
	switch {
	case err != nil && !cut:
		h.Err = err
	case res.NotModified:
		h.Same = true
	case res.Status < 200 || res.Status >= 300 || res.Status == 204:
		h.Err = &poll.StatusError{Status: res.Status}
	default:
		h.Hash = model.Hash(res.Body)
		if p != nil && !cut && h.Hash == p.BodyHash && p.Err == "" {
			h.Same = true
			break
		}
		h.Doc, h.Err = readAnswer(res, DatesUpTo(h.At, h.Newest))
		if cut && h.Err == nil {
			h.Doc.Partial = true
		}
	}
	h.Result.Body = nil // the document has what is needed; a thousand bodies would not fit
}

// DatesUpTo is the moment to which later dates of publishers are moved: now. Under a
// clock that is behind what is known they are left as they are, or all would be
// older than what was there before.
func DatesUpTo(now, newest time.Time) time.Time {
	if !store.Plausible(now) || newest.After(now.Add(24*time.Hour)) {
		return time.Time{}
	}
	return now
}

func readAnswer(res fetch.Result, now time.Time) (feed.Document, error) {
	return ReadDocument(feed.Input{Body: res.Body, ContentType: res.ContentType, URL: Base(res.URL),
		ContentLocation: Base(res.ContentLocation), ContentLanguage: res.ContentLanguage, Now: now})
}

// ReadDocument is where bytes become items, for fetch and preview alike.
func ReadDocument(in feed.Input) (feed.Document, error) {
	doc, err := feed.Parse(in)
	switch {
	case errors.Is(err, feed.ErrWebPage):
		return doc, &model.UserError{Sentence: "the server sent a web page, not a feed (perhaps a login page)", Kind: err}
	case errors.Is(err, feed.ErrEmpty):
		return doc, &model.UserError{Sentence: "the answer is empty", Kind: err}
	case err != nil:
		return doc, &model.UserError{Sentence: err.Error(), Kind: err}
	}
	return doc, nil
}

// Answered reports whether a server said something, whatever it was.
func (h *Answer) Answered() bool {
	var status *poll.StatusError
	return h.Err == nil || errors.As(h.Err, &status)
}

// Outcome is the answer as a fact; look is the number of the fact of the look that
// asked for it, 0 for none.
func (h *Answer) Outcome(kind store.Answer, look uint64) *store.Outcome {
	return &store.Outcome{Kind: kind, Status: h.Result.Status, Bytes: h.Result.WireBytes, Took: h.Result.Took, Look: look}
}
