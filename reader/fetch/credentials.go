package fetch

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
)

// Credentials gives the headers that a host wants to see; nil: none.
type Credentials interface {
	Header(ctx context.Context, host string) (http.Header, error)
	// Forget is called when the host refused them.
	Forget(host string)
}

// credentials asks for the headers that are sent to the requested host, and to it alone:
// over https, or to the machine itself. A redirect to another origin ends it.
func (f *flight) credentials(ctx context.Context) error {
	u := f.first
	if f.c.opts.Credentials == nil || !f.req.Credentials || u.Scheme != "https" && !isLoopback(u) {
		return nil
	}
	h, err := f.c.opts.Credentials.Header(ctx, u.Host)
	if err != nil {
		if ctx.Err() != nil {
			return f.c.fail(ctx, ctx, u, err)
		}
		return &Error{Kind: KindCredentials, URL: redact(u.String()), text: err.Error()}
	}
	f.headers = h
	return nil
}

func isLoopback(u *url.URL) bool {
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && a.IsLoopback()
}

// addCredentials puts the headers into a request, if every hop stayed at the origin.
func (f *flight) addCredentials(h http.Header) {
	if !f.trusted {
		return
	}
	for name, v := range f.headers {
		h[name] = v
	}
}
