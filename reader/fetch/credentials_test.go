package fetch

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
)

// Credentials go to the requested origin over https, or to this machine, and nowhere
// else: not on a redirect elsewhere, nor back from there, nor where nobody asked.
func TestCredentials(t *testing.T) {
	for _, tc := range []struct {
		name, start string
		m           map[string]string
		ask         bool
		sent        []string // where the header came to
	}{
		{"https", "https://a.example/f", map[string]string{"https://a.example/f": "200"}, true, []string{"https://a.example/f"}},
		{"not asked for", "https://a.example/f", map[string]string{"https://a.example/f": "200"}, false, nil},
		{"http", "http://a.example/f", map[string]string{"http://a.example/f": "301 https://a.example/f", "https://a.example/f": "200"}, true, nil},
		{"loopback", "http://127.0.0.1:8080/f", map[string]string{"http://127.0.0.1:8080/f": "200"}, true, []string{"http://127.0.0.1:8080/f"}},
		{"a name for loopback", "http://localhost/f", map[string]string{"http://localhost/f": "200"}, true, nil},
		{"on at the host", "https://a.example/f", map[string]string{"https://a.example/f": "302 /g", "https://a.example/g": "200"}, true, []string{"https://a.example/f", "https://a.example/g"}},
		{"away and back", "https://a.example/f", map[string]string{"https://a.example/f": "302 https://b.example/", "https://b.example/": "302 https://a.example/x", "https://a.example/x": "200"}, true,
			[]string{"https://a.example/f"}},
		{"another port", "https://a.example/f", map[string]string{"https://a.example/f": "302 https://a.example:444/", "https://a.example:444/": "200"}, true, []string{"https://a.example/f"}},
		{"another host", "https://b.example/f", map[string]string{"https://b.example/f": "302 https://a.example/", "https://a.example/": "200"}, true, nil},
	} {
		w, o := newRoutes(tc.m)
		o.AllowPrivate = free().AllowPrivate
		var sent []string
		o.Transport = seen{w, func(r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer s3cret" {
				sent = append(sent, r.URL.String())
			}
		}}
		o.Credentials = given(func(host string) (http.Header, error) {
			if host == "b.example" {
				return nil, nil
			}
			return http.Header{"Authorization": {"Bearer s3cret"}}, nil
		})
		res, err := client(t, o).Get(t.Context(), Request{URL: tc.start, Credentials: tc.ask, AllowPrivate: true})
		if err != nil || res.Status != 200 || !slices.Equal(sent, tc.sent) {
			t.Errorf("%s: %d, %v: sent to %q, want %q", tc.name, res.Status, err, sent, tc.sent)
		}
	}
}

// given are credentials that nobody forgets.
type given func(host string) (http.Header, error)

func (g given) Header(_ context.Context, host string) (http.Header, error) { return g(host) }
func (given) Forget(string)                                                {}

// refused notes which hosts did not take what was given.
type refused struct {
	given
	hosts *[]string
}

func (r refused) Forget(host string) { *r.hosts = append(*r.hosts, host) }

// What a host refused is to be forgotten, and by no other answer.
func TestCredentialsRefused(t *testing.T) {
	w, o := newRoutes(map[string]string{"https://a.example/f": "401", "https://b.example/f": "403", "https://c.example/f": "200"})
	o.Transport = w
	var hosts []string
	o.Credentials = refused{func(string) (http.Header, error) { return http.Header{"Authorization": {"Bearer old"}}, nil }, &hosts}
	for _, at := range []string{"a", "b", "c"} {
		_, _ = client(t, o).Get(t.Context(), Request{URL: "https://" + at + ".example/f", Credentials: true})
	}
	if !slices.Equal(hosts, []string{"a.example"}) {
		t.Errorf("forgotten: %q", hosts)
	}
}

// seen shows each request before it goes out.
type seen struct {
	http.RoundTripper
	see func(*http.Request)
}

func (s seen) RoundTrip(r *http.Request) (*http.Response, error) {
	s.see(r)
	return s.RoundTripper.RoundTrip(r)
}

// A command that fails asks nothing of the host, and its sentence is the feed's trouble.
func TestCredentialsFail(t *testing.T) {
	w, o := newRoutes(map[string]string{"https://a.example/f": "200"})
	asked := 0
	o.Transport = seen{w, func(*http.Request) { asked++ }}
	o.Credentials = given(func(string) (http.Header, error) { return nil, errors.New("the command pass failed") })
	_, err := client(t, o).Get(t.Context(), Request{URL: "https://a.example/f", Credentials: true})
	var fe *Error
	if !errors.As(err, &fe) || fe.Kind != KindCredentials || fe.Error() != "the command pass failed" || asked != 0 {
		t.Errorf("%v, %d requests", err, asked)
	}
}
