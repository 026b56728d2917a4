package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

type wish struct {
	name   string
	status int
	header string // "Name: value|Name: value"
	want   time.Duration
	by     string
}

// wishes are headers and what they ask for at now.
func wishes(now time.Time) []wish {
	const day = 24 * time.Hour
	at := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	return []wish{
		{"nothing", 200, "", 0, ""},
		{"max-age", 200, "Cache-Control: max-age=3600", time.Hour, "max-age 3600"},
		{"on a 304", 304, "Cache-Control: max-age=3600", time.Hour, "max-age 3600"},
		{"upper case, quoted, spaces", 200, `Cache-Control: PUBLIC, Max-Age = "600" `, 10 * time.Minute, "max-age 600"},
		{"minus Age", 200, "Cache-Control: max-age=3600|Age: 600", 50 * time.Minute, "max-age 3600"},
		{"Age beyond it", 200, "Cache-Control: max-age=60|Age: 600", 0, ""},
		{"Age overflow", 200, "Cache-Control: max-age=60|Age: 99999999999999999999", 0, ""},
		{"Age negative", 200, "Cache-Control: max-age=60|Age: -99", time.Minute, "max-age 60"},
		{"s-maxage alone", 200, "Cache-Control: s-maxage=120", 2 * time.Minute, "s-maxage 120"},
		{"max-age before s-maxage", 200, "Cache-Control: s-maxage=7200, max-age=120", 2 * time.Minute, "max-age 120"},
		{"two lines", 200, "Cache-Control: public|Cache-Control: max-age=120", 2 * time.Minute, "max-age 120"},
		{"no-cache wins", 200, "Cache-Control: max-age=120, no-cache|Expires: " + at(time.Hour), 0, ""},
		{"no-store wins", 200, "Cache-Control: no-store, max-age=120", 0, ""},
		{"16 years", 200, "Cache-Control: max-age=504576000", day, "max-age 504576000"},
		{"9e18", 200, "Cache-Control: max-age=9000000000000000000", day, "max-age 9000000000000000000"},
		{"beyond int64", 200, "Cache-Control: max-age=" + strings.Repeat("9", 400), day, "max-age 99999999999999999999..."},
		{"negative", 200, "Cache-Control: max-age=-1", 0, ""},
		{"plus", 200, "Cache-Control: max-age=+60", 0, ""},
		{"no number", 200, "Cache-Control: max-age=soon", 0, ""},
		{"fraction", 200, "Cache-Control: max-age=1.5", 0, ""},
		{"zero", 200, "Cache-Control: max-age=0|Expires: " + at(time.Hour), 0, ""},
		{"expires", 200, "Expires: " + at(2*time.Hour), 2 * time.Hour, "Expires"},
		{"expires by the server's clock", 200, "Date: " + at(-300*day) + "|Expires: " + at(-300*day+time.Hour), time.Hour, "Expires"},
		{"expires RFC 850", 200, "Expires: Friday, 20-Nov-26 13:00:00 GMT", time.Hour, "Expires"},
		{"expires asctime", 200, "Expires: Fri Nov 20 13:00:00 2026", time.Hour, "Expires"},
		{"expires past", 200, "Expires: " + at(-time.Hour), 0, ""},
		{"expires 0", 200, "Expires: 0", 0, ""},
		{"expires -1", 200, "Expires: -1", 0, ""},
		{"expires in 9999", 200, "Expires: Fri, 31 Dec 9999 23:59:59 GMT", day, "Expires"},
		{"expires, date in year 1", 200, "Date: Mon, 01 Jan 0001 00:00:00 GMT|Expires: Fri, 31 Dec 9999 23:59:59 GMT", day, "Expires"},
		{"retry seconds", 429, "Retry-After: 120", 2 * time.Minute, "Retry-After 120"},
		{"retry zeros", 429, "Retry-After: 000120", 2 * time.Minute, "Retry-After 120"},
		{"retry date", 503, "Retry-After: " + at(3*time.Hour), 3 * time.Hour, "Retry-After"},
		{"retry date past", 503, "Retry-After: " + at(-3*time.Hour), 0, ""},
		{"retry 6 days", 429, "Retry-After: 518400", 6 * day, "Retry-After 518400"},
		{"retry 30 days", 429, "Retry-After: 2592000", 7 * day, "Retry-After 2592000"},
		{"retry 30 days, not busy", 404, "Retry-After: 2592000", day, "Retry-After 2592000"},
		{"retry 9e18", 503, "Retry-After: 9000000000000000000", 7 * day, "Retry-After 9000000000000000000"},
		{"retry negative", 429, "Retry-After: -5", 0, ""},
		{"retry words", 429, "Retry-After: later", 0, ""},
		{"retry empty", 429, "Retry-After:  ", 0, ""},
		{"retry on a 200 is the later", 200, "Retry-After: 7200|Cache-Control: max-age=60", 2 * time.Hour, "Retry-After 7200"},
		{"freshness of an error is no wish", 404, "Cache-Control: max-age=86400", 0, ""},
	}
}

func TestNotBefore(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, tc := range wishes(now) {
		h := http.Header{}
		for _, line := range strings.Split(tc.header, "|") {
			if name, value, ok := strings.Cut(line, ":"); ok {
				h.Add(name, strings.TrimPrefix(value, " "))
			}
		}
		got, by := notBefore(tc.status, h, now)
		if tc.want == 0 {
			if !got.IsZero() || by != "" {
				t.Errorf("%s: got %v (%s), want no wish", tc.name, got, by)
			}
			continue
		}
		if got.Sub(now) != tc.want || by != tc.by {
			t.Errorf("%s: got %v %q, want %v %q", tc.name, got.Sub(now), by, tc.want, tc.by)
		}
	}
}

func FuzzNotBefore(f *testing.F) {
	f.Add(200, "max-age=3600", "Fri, 31 Dec 9999 23:59:59 GMT", "17", "120")
	f.Add(503, "s-maxage=-1, max-age=\"", "0", "-1", "Friday, 20-Nov-26 13:00:00 GMT")
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, status int, cc, expires, age, retry string) {
		h := http.Header{"Cache-Control": {cc}, "Expires": {expires}, "Age": {age}, "Retry-After": {retry}}
		at, by := notBefore(status, h, now)
		if at.IsZero() != (by == "") || !at.IsZero() && (!at.After(now) || at.After(now.Add(maxNotBeforeBusy))) || len(by) > 80 {
			t.Errorf("got %v by %q", at, by)
		}
	})
}

// TestStatusesAreAnswers: 4xx and 5xx are data, with the host's wish.
func TestStatusesAreAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status := 0
		o := free()
		o.Transport = web(func(r *http.Request) (*http.Response, error) {
			return answer(r, status, "<html>sorry</html>", "Retry-After", "60"), nil
		})
		c := New(o)
		defer c.Close()
		for _, status = range []int{400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 504} {
			res := get(t, c, Request{URL: fmt.Sprintf("http://a.example/%d", status)})
			if res.Status != status || res.Body != nil || res.HostWide != (status == 429 || status == 503) {
				t.Errorf("%d: got %+v", status, res)
			}
			if !res.NotBefore.Equal(time.Now().Add(time.Minute)) {
				t.Errorf("%d: not before %v", status, res.NotBefore)
			}
		}
	})
}
