package reader

import (
	"errors"
	"net/http"
	"syscall"
	"testing"
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
			if res := &rep.Results[0]; res.Outcome != "failed" || res.ReachedNobody() == c.reached {
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
