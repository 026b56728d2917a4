package reader

import (
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
	f.PerHostEvery = max(o.Net.PerHostEvery, 0) // negative: none
	f.HostsAtOnce = o.Net.HostsAtOnce
	f.Turn, f.Still, f.Room = s.HostTurn, onDuty, makeRoom
	f.Transport, f.Credentials = o.Transport, o.Credentials
	f.Mask = func(url string) string { return web.Masked(plain.Outside(url)) }
	return web.NewClient(fetch.New(f), s)
}
