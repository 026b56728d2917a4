package poll

import (
	"fmt"
)

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
