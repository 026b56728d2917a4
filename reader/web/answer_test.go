package web

import (
	"errors"
	"testing"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/store"
)

const small = `<rss version="2.0"><channel><title>Tide</title><item><guid>1</guid><title>One</title></item></channel></rss>`

// An answer is a document, the same as before, or the reason why there is none.
func TestRead(t *testing.T) {
	cut := &fetch.Error{Kind: fetch.KindCutShort}
	known := store.Poll{BodyHash: model.Hash([]byte(small))}
	failed := known
	failed.Err = "it was not understood"
	for name, c := range map[string]struct {
		res     fetch.Result
		err     error
		p       *store.Poll
		same    bool
		items   int
		partial bool
		status  int
		failed  bool
	}{
		"new":                  {res: fetch.Result{Status: 200, Body: []byte(small)}, items: 1},
		"other":                {res: fetch.Result{Status: 200, Body: []byte(small)}, p: &store.Poll{BodyHash: 1}, items: 1},
		"as before":            {res: fetch.Result{Status: 200, Body: []byte(small)}, p: &known, same: true},
		"not read before":      {res: fetch.Result{Status: 200, Body: []byte(small)}, p: &failed, items: 1},
		"304":                  {res: fetch.Result{Status: 304, NotModified: true}, p: &known, same: true},
		"299":                  {res: fetch.Result{Status: 299, Body: []byte(small)}, items: 1},
		"300":                  {res: fetch.Result{Status: 300}, status: 300, failed: true},
		"204":                  {res: fetch.Result{Status: 204}, status: 204, failed: true},
		"no feed":              {res: fetch.Result{Status: 200, Body: []byte("no feed")}, failed: true},
		"cut":                  {res: fetch.Result{Status: 200, Body: []byte(small)}, err: cut, items: 1, partial: true},
		"cut, not a feed":      {res: fetch.Result{Status: 200, Body: []byte("no feed")}, err: cut, failed: true},
		"cut before the start": {res: fetch.Result{Status: 200}, err: cut, failed: true},
	} {
		h := Answer{Result: c.res, At: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}
		h.Read(c.err, c.p)
		var status *poll.StatusError
		if errors.As(h.Err, &status) != (c.status != 0) || status != nil && status.Status != c.status || (h.Err != nil) != c.failed {
			t.Errorf("%s: %v", name, h.Err)
		}
		if h.Same != c.same || len(h.Doc.Items) != c.items || h.Doc.Partial != c.partial || h.Result.Body != nil {
			t.Errorf("%s: same %v, %d items, partial %v, body %q", name, h.Same, len(h.Doc.Items), h.Doc.Partial, h.Result.Body)
		}
	}
}
