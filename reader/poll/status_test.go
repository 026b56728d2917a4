package poll

import (
	"errors"
	"fmt"
	"testing"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/store"
)

type rebuilt struct{}

func (rebuilt) Error() string          { return "the page was rebuilt" }
func (rebuilt) Trouble() store.Trouble { return store.TroubleSelector }

// The kind of a failure comes from its error, however that is worded, and ends
// with the failure.
func TestTroubleIsRemembered(t *testing.T) {
	const asked, elsewhere = "http://nas.example:81/rss", "http://10.0.0.1/x"
	for _, c := range []struct {
		err  error
		want store.Trouble
	}{
		{&StatusError{404}, store.TroubleNotFound},
		{&StatusError{401}, store.TroubleRefused},
		{&StatusError{403}, store.TroubleRefused},
		{&StatusError{500}, store.TroubleOther},
		{&fetch.Error{Kind: fetch.KindPrivate, URL: asked}, store.TroublePrivate},
		{&fetch.Error{Kind: fetch.KindPrivate, URL: "http://NAS.example/other"}, store.TroublePrivate},
		{&fetch.Error{Kind: fetch.KindPrivate, URL: elsewhere}, store.TroubleLedPrivate},
		{&fetch.Error{Kind: fetch.KindLoop, URL: elsewhere}, store.TroubleRedirect},
		{&fetch.Error{Kind: fetch.KindRedirects, URL: elsewhere}, store.TroubleRedirect},
		{&fetch.Error{Kind: fetch.KindDowngrade, URL: elsewhere}, store.TroubleRedirect},
		{&fetch.Error{Kind: fetch.KindAddress, URL: asked}, store.TroubleRedirect},
		{&fetch.Error{Kind: fetch.KindAddress}, store.TroubleOther},
		{&fetch.Error{Kind: fetch.KindTimeout, URL: asked}, store.TroubleOther},
		{fmt.Errorf("read: %w", feed.ErrWebPage), store.TroubleWebPage},
		{fmt.Errorf("ask: %w", store.ErrSecretLost), store.TroubleSecretLost},
		{rebuilt{}, store.TroubleSelector},
		{errors.New("404 web page, a private address"), store.TroubleOther},
	} {
		a := Answer{At: noon, Asked: asked, Result: &fetch.Result{URL: asked}, Err: c.err}
		p := Next(store.Poll{Trouble: store.TroubleCaptcha}, &a, 1, usual)
		if p.Trouble != c.want {
			t.Errorf("%v: %v, want %v", c.err, p.Trouble, c.want)
		}
		a.Err, a.Doc = nil, &feed.Document{}
		if p = Next(p, &a, 1, usual); p.Trouble != store.TroubleOther {
			t.Errorf("%v: %v stayed after a good answer", c.err, p.Trouble)
		}
	}
}
