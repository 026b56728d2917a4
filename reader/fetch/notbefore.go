package fetch

import (
	"net/http"
	"strings"
	"time"
)

// The longest wishes that are honoured. A year in max-age is a mistake, or somebody
// else's file server; a feed that is never asked again is a lost feed.
const (
	maxNotBefore     = 24 * time.Hour
	maxNotBeforeBusy = 7 * 24 * time.Hour
)

// notBefore reads from the headers of an answer when the next request is allowed:
// Retry-After (RFC 9110, 10.2.3) with any status, freshness (RFC 9111, 4.2) with
// statuses below 400. The later wish counts. The zero time means no wish.
func notBefore(status int, h http.Header, now time.Time) (at time.Time, by string) {
	limit := maxNotBefore
	if busy(status) {
		limit = maxNotBeforeBusy
	}
	wait, by := retryAfter(h.Get("Retry-After"), now)
	if status < 400 {
		if fresh, how := freshness(h, now); fresh > wait {
			wait, by = fresh, how
		}
	}
	if wait <= 0 {
		return time.Time{}, ""
	}
	return now.Add(min(wait, limit)), by
}

// busy tells whether a status is about the host and not about one feed.
func busy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

func retryAfter(v string, now time.Time) (time.Duration, string) {
	v = strings.TrimSpace(v)
	if d, ok := seconds(v); ok {
		return d, "Retry-After " + digits(v)
	}
	if t, err := http.ParseTime(v); err == nil {
		return span(t, now), "Retry-After" // without its date: the words are stored, for people and programs
	}
	return 0, ""
}

// freshness is how much longer the answer is good according to its sender. max-age
// goes before s-maxage (we are no shared cache, but who sets only that one means
// everybody who fetches for others) and both before Expires.
func freshness(h http.Header, now time.Time) (time.Duration, string) {
	var maxAge, sMaxAge string
	for _, line := range h.Values("Cache-Control") {
		for _, d := range strings.Split(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(d), "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "no-cache", "no-store":
				return 0, "" // ask whenever you like, it says
			case "max-age":
				maxAge = firstOf(maxAge, value)
			case "s-maxage":
				sMaxAge = firstOf(sMaxAge, value)
			}
		}
	}
	for _, d := range []struct{ name, value string }{{"max-age", maxAge}, {"s-maxage", sMaxAge}} {
		if fresh, ok := seconds(d.value); ok {
			age, _ := seconds(strings.TrimSpace(h.Get("Age")))
			return fresh - age, d.name + " " + digits(d.value)
		}
	}
	expires, err := http.ParseTime(strings.TrimSpace(h.Get("Expires")))
	if err != nil {
		return 0, ""
	}
	// Both ends by the server's clock, which may be wrong by years.
	sent, err := http.ParseTime(strings.TrimSpace(h.Get("Date")))
	if err != nil {
		sent = now
	}
	return span(expires, sent), "Expires"
}

// maxSeconds is far above every limit and far below what overflows a Duration.
const maxSeconds = 100 * 365 * 24 * 60 * 60

// seconds reads delta-seconds. Values too large for an integer are the largest, as
// RFC 9111 1.2.2 asks; a sign or anything else makes it no number.
func seconds(s string) (time.Duration, bool) {
	if !allDigits(s) {
		return 0, false
	}
	n := int64(0)
	for i := 0; i < len(s) && n < maxSeconds; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return time.Duration(min(n, maxSeconds)) * time.Second, true
}

// span is to-from, bounded: subtracting the year 9999 from now saturates, but the
// sum of a saturated Duration and a time does not.
func span(to, from time.Time) time.Duration {
	return max(-maxSeconds*time.Second, min(to.Sub(from), maxSeconds*time.Second))
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// digits shortens a number that only an attacker writes out.
//
//go:noinline // 22 places
func digits(s string) string {
	if s = strings.TrimLeft(s, "0"); s == "" {
		return "0"
	}
	if len(s) > 20 {
		return s[:20] + "..."
	}
	return s
}
