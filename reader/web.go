package reader

import (
	"context"

	"diurna/reader/fetch"
	"diurna/reader/plain"
	"diurna/reader/web"
	"diurna/store"
)

func newClient(o Options, s *store.Store) *web.Client {
	f := fetch.Defaults()
	f.UserAgent = "diurna/" + o.Version + " (+" + o.Home + ")"
	f.AllowPrivate = o.Net.AllowPrivate
	f.PerHost = o.Net.PerHost
	f.MinHostInterval = max(o.Net.MinHostInterval, 0) // negative: none
	f.HostsAtOnce = o.Net.HostsAtOnce
	f.Turn, f.Still, f.Room = s.HostTurn, onDuty, makeRoom
	f.Transport, f.Credentials = o.Transport, o.Credentials
	f.Mask = func(url string) string { return web.Masked(plain.Outside(url)) }
	return web.NewClient(fetch.New(f), s)
}

// Secrets in addresses: an address that comes in is hidden, that is, what plain.Redact
// would not show is replaced by a reference to it. In that form it is stored, compared and
// passed around. It is made whole only where it is sent, exported or edited, and for the
// user's own browser.

// ErrSecretLost: a password or token of an address is not in the library.
var ErrSecretLost = store.ErrSecretLost

// Reveal gives an address whole, for the user's own browser or clipboard.
func (r *Reader) Reveal(ctx context.Context, address string) (string, error) {
	return r.web.Reveal(ctx, address)
}
