package poll

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/store"
)

// troubleOf is what kind of failure an answer is. An error of a watched page
// says so itself.
func troubleOf(a *Answer) store.Trouble {
	var (
		page   interface{ Trouble() store.Trouble }
		status *StatusError
		fe     *fetch.Error
	)
	switch {
	case errors.As(a.Err, &page):
		return page.Trouble()
	case errors.Is(a.Err, store.ErrSecretLost):
		return store.TroubleSecretLost
	case errors.Is(a.Err, feed.ErrWebPage):
		return store.TroubleWebPage
	case errors.As(a.Err, &fe):
		return troubleOfFetch(fe, a.Asked)
	case !errors.As(a.Err, &status):
	case status.Status == http.StatusNotFound:
		return store.TroubleNotFound
	case status.Status == http.StatusUnauthorized, status.Status == http.StatusForbidden:
		return store.TroubleRefused
	}
	return store.TroubleOther
}

func troubleOfFetch(e *fetch.Error, asked string) store.Trouble {
	switch e.Kind {
	case fetch.KindPrivate:
		if e.URL != "" && hostname(e.URL) != hostname(asked) {
			return store.TroubleLedPrivate
		}
		return store.TroublePrivate
	case fetch.KindLoop, fetch.KindRedirects, fetch.KindDowngrade:
		return store.TroubleRedirect
	case fetch.KindAddress:
		if e.URL != "" { // it was asked, and led on
			return store.TroubleRedirect
		}
	}
	return store.TroubleOther
}

func hostname(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Hostname())
}

// StatusError is an answer that is no document. Its text is the sentence that
// stands on the feed's row.
type StatusError struct{ Status int }

// Error returns the sentence.
func (e *StatusError) Error() string {
	if s, ok := statusWords[e.Status]; ok {
		return fmt.Sprintf("%d %s", e.Status, s)
	}
	switch {
	case e.Status >= 500:
		return fmt.Sprintf("%d server error", e.Status)
	case e.Status >= 400:
		return fmt.Sprintf("%d refused", e.Status)
	}
	return fmt.Sprintf("%d, which is no feed", e.Status)
}

var statusWords = map[int]string{
	204: "empty answer", 400: "bad request", 401: "needs a password", 403: "forbidden", 404: "not found",
	406: "not acceptable", 408: "timeout", 410: "gone", 429: "too many requests",
	500: "server error", 502: "bad gateway", 503: "unavailable", 504: "gateway timeout",
}
