package reader

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReachedNobody: a fetch that no server answered says so by its kind, which
// the screen counts; an answer of any sort does not.
func TestReachedNobody(t *testing.T) {
	for name, c := range map[string]struct {
		err     error
		status  int
		reached bool
	}{
		"no network": {err: &netOp{syscall.ENETUNREACH}}, "no route": {err: &netOp{syscall.EHOSTUNREACH}},
		"refused": {err: &netOp{syscall.ECONNREFUSED}, reached: true}, "closed": {err: errors.New("EOF"), reached: true},
		"not found": {status: 404, reached: true},
	} {
		t.Run(name, func(t *testing.T) {
			web := roundTrip(func(r *http.Request) (*http.Response, error) {
				if c.err != nil {
					return nil, c.err
				}
				return &http.Response{StatusCode: c.status, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
			})
			r := openLibrary(t, t.TempDir(), web)
			if _, err := r.Import(t.Context(), []byte("https://a.example/feed\n"), ImportOptions{Name: "urls", NoFetch: true}, nil); err != nil {
				t.Fatal(err)
			}
			rep, err := r.Fetch(t.Context(), FetchRequest{All: true}, nil)
			if err != nil || len(rep.Results) != 1 {
				t.Fatal(rep, err)
			}
			if res := &rep.Results[0]; res.Outcome != OutcomeFailed || res.ReachedNobody() == c.reached {
				t.Errorf("%+v", res)
			}
		})
	}
}

// netOp is an error of the system's network.
type netOp struct{ errno syscall.Errno }

func (e *netOp) Error() string { return e.errno.Error() }
func (e *netOp) Unwrap() error { return e.errno }

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestNotChangedIsFiledTogether: the answers "not changed" of many feeds do not
// open a write transaction each, and within two seconds of the last their check
// times are on the disk, where another process reads them.
func TestNotChangedIsFiledTogether(t *testing.T) {
	const feeds = 120
	web := newFakeWeb()
	var urls strings.Builder
	for i := range feeds {
		u := fmt.Sprintf("https://h%d.example/f", i)
		body := rssOf(fmt.Sprint("F", i), "1|T|"+ago(time.Hour)+"|x")
		web.handle(u, func(req *http.Request) *http.Response {
			if req.Header.Get("If-None-Match") == `"1"` {
				return answer(req, 304, "", "")
			}
			res := answer(req, 200, "text/xml", body)
			res.Header.Set("Etag", `"1"`)
			return res
		})
		fmt.Fprintln(&urls, u)
	}
	dir := t.TempDir()
	r := openLibrary(t, dir, web)
	if _, err := r.Import(t.Context(), []byte(urls.String()), ImportOptions{Name: "urls"}, nil); err != nil {
		t.Fatal(err)
	}
	tx := func() uint64 {
		s, err := r.Snapshot(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return s.Tx
	}
	before, then := tx(), r.now().Add(24*time.Hour)
	rep, err := r.At(then).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rep.Results {
		if rep.Results[i].Outcome != OutcomeNotChanged {
			t.Fatalf("%+v", rep.Results[i])
		}
	}
	commits := tx() - before
	t.Logf("%d feeds not changed: %d commits", len(rep.Results), commits)
	if len(rep.Results) != feeds || commits > feeds/10 {
		t.Errorf("%d feeds, %d commits", len(rep.Results), commits)
	}
	other := openLibrary(t, dir, web)
	list, err := other.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if d := list[i].LastFetch.Sub(then); d < -time.Second || d > time.Minute {
			t.Fatalf("%s was checked at %v on the disk", list[i].Title, list[i].LastFetch)
		}
	}
}

// A server that leads to what is no web address is named for it, not the address
// that a user typed; once subscribed to, its feed says the same.
func TestLedOutOfTheWeb(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	const address = "https://good.example/feed"
	for to, want := range map[string]string{
		"file:///etc/passwd":                "file:///etc/passwd",
		"gopher://good.example/feed?key=s1": "gopher://good.example/feed?...",
		"javascript:alert(1)":               "javascript:alert(1)",
	} {
		web.handle(address, func(req *http.Request) *http.Response {
			res := answer(req, 302, "text/html", "")
			res.Header.Set("Location", to)
			return res
		})
		_, err := r.Finder().Look(t.Context(), address, false)
		if err == nil || errors.Is(err, ErrAddress) || !strings.Contains(err.Error(), "the server redirects to "+want) || strings.Contains(err.Error(), "s1") {
			t.Errorf("to %s: %v", to, err)
		}
	}
	if _, err := r.Finder().Look(t.Context(), "ftp://good.example/", false); !errors.Is(err, ErrAddress) {
		t.Errorf("a typed address that cannot be fetched: %v", err)
	}
	rep, err := r.Import(t.Context(), []byte(address+"\n"), ImportOptions{Name: "urls", NoFetch: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	web.handle(address, func(req *http.Request) *http.Response {
		res := answer(req, 301, "text/html", "")
		res.Header.Set("Location", "file:///etc/passwd")
		return res
	})
	if _, err := r.Fetch(t.Context(), FetchRequest{Feeds: rep.Added}, nil); err != nil {
		t.Fatal(err)
	}
	if f, err := r.FindFeed(t.Context(), rep.Added[0].String()); err != nil || !strings.HasPrefix(f.Error, "the server redirects to file:///etc/passwd") {
		t.Errorf("its feed says %q, %v", f.Error, err)
	}
}
