package fulltext

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/web"
)

// accept asks for pages; a server that has nothing else may send it.
const accept = "text/html, application/xhtml+xml;q=0.9, text/plain;q=0.5, */*;q=0.1"

// Web asks for one address in its host's turn.
type Web interface {
	Ask(ctx context.Context, h *web.Answer, req *fetch.Request) error
	Hide(address string) string
	Robots(ctx context.Context, u *url.URL, allowPrivate bool) (status int, text []byte, requests int)
}

// Fetch asks for a page, once, and finds its article. The error is only that of a
// context that ended: whatever else happens is a Text.
func Fetch(ctx context.Context, w Web, req fetch.Request) (Text, error) {
	var h web.Answer
	req.Accept, req.ErrorBody = accept, true
	err := w.Ask(ctx, &h, &req)
	if ctx.Err() != nil {
		return Text{}, ctx.Err()
	}
	t := Text{At: h.At.Truncate(time.Second)}
	res := &h.Result
	var fe *fetch.Error
	if cut := errors.As(err, &fe) && fe.Kind == fetch.KindCutShort && len(res.Body) > 0; err != nil && !cut {
		t.Why, t.Detail = Unreached, err.Error()
		switch away := fe != nil && fe.URL != "" && !model.SameHost(fe.URL, req.URL); {
		case fe == nil:
		case fe.Kind == fetch.KindTooLarge:
			t.Why, t.Detail = TooLarge, "the page is "+t.Detail
		case fe.Kind == fetch.KindPrivate && away:
			t.Why, t.Detail = LedPrivate, web.Explain("", req.URL, err).Error()
		case fe.Kind == fetch.KindPrivate:
			t.Why = Private
		}
		return t, nil
	}
	t.Base = web.Base(res.URL)
	a, why := Extract(Page{URL: t.Base, Status: res.Status, ContentType: res.ContentType, Body: res.Body})
	t.Why, t.Title, t.HTML, t.Words = why, a.Title, a.HTML, a.Words
	if why == Failed && res.Status >= 400 {
		t.Detail = fmt.Sprintf("%s (%d)", why.Sentence(), res.Status)
	}
	if res.Wait > 0 {
		t.After = t.At.Add(res.Wait)
	}
	return t, nil
}
