package fetch

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	"golang.org/x/net/http/httpproxy"
)

// guard says which addresses may be dialled.
type guard struct {
	public  *ssrf.Guardian
	allowed []netip.Prefix
}

func newGuard(allowed []netip.Prefix) *guard {
	g := &guard{public: ssrf.New(ssrf.WithAnyPort())}
	for _, p := range allowed {
		// ::ffff:10.0.0.0/104 and 10.0.0.0/8 are the same network.
		if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
		}
		g.allowed = append(g.allowed, p.Masked())
	}
	return g
}

// nat64 is the well-known prefix of RFC 6052.
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// may tells whether ip is public or explicitly allowed.
func (g *guard) may(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	if g.public.SafeAddr(ip) == nil {
		return true
	}
	for _, p := range g.allowed {
		if !p.Contains(ip) {
			continue
		}
		if nat64.Contains(ip) && p.Addr() == nat64.Addr() {
			// Allowing NAT64 is meant for reaching the public IPv4 net from a
			// network without it, not for 64:ff9b::127.0.0.1.
			b := ip.As16()
			return g.may(netip.AddrFrom4([4]byte(b[12:])))
		}
		return true
	}
	return false
}

// literal refuses a URL whose host already is a private address, or names this
// machine: before any connection, and also when a proxy would make it.
func (g *guard) literal(u *url.URL) error {
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		if !g.may(ip) {
			return privateError("", ip)
		}
		return nil
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		if ip := netip.AddrFrom4([4]byte{127, 0, 0, 1}); !g.may(ip) {
			return privateError(host, ip)
		}
	}
	return nil
}

// control is the Dialer's last question before it connects, when the name has
// become an address: what is checked here is what is connected to, so a name
// server that answers differently the second time gains nothing.
func (g *guard) control(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Error{Kind: KindPrivate, Err: err, text: "the address to connect to is not an IP address"}
	}
	if !g.may(ap.Addr()) {
		return privateError("", ap.Addr())
	}
	return nil
}

func privateError(name string, ip netip.Addr) *Error {
	text := ip.WithZone("").Unmap().String()
	if name != "" {
		return &Error{Kind: KindPrivate, text: name + " leads to " + text + ", a private address"}
	}
	return &Error{Kind: KindPrivate, text: text + " is a private address"}
}

// transports are the ways out. They are kept apart because a transport reuses idle
// connections by host name: a connection made with permission must not serve a
// request without, and only the proxy transport may reach a proxy's private address.
type transports struct {
	fixed                   http.RoundTripper
	guarded, granted, proxy *http.Transport
}

func (r transports) close() {
	if r.fixed != nil {
		return
	}
	r.guarded.CloseIdleConnections()
	r.granted.CloseIdleConnections()
	r.proxy.CloseIdleConnections()
}

func (c *Client) buildTransports() transports {
	if c.opts.Transport != nil {
		return transports{fixed: c.opts.Transport}
	}
	r := transports{guarded: c.newTransport(c.guard.control), granted: c.newTransport(nil), proxy: c.newTransport(nil)}
	r.proxy.Proxy = func(req *http.Request) (*url.URL, error) { return c.proxy(req.URL) }
	return r
}

// transport picks the transport for one hop. granted says that the user allowed a
// private address for exactly this host.
func (c *Client) transport(u *url.URL, granted bool) (http.RoundTripper, error) {
	if !granted {
		if err := c.guard.literal(u); err != nil {
			return nil, err
		}
	}
	if c.transports.fixed != nil {
		return c.transports.fixed, nil
	}
	if p, err := c.proxy(u); err != nil {
		return nil, &Error{Kind: KindAddress, Err: err, text: "the proxy of the environment is not a valid address"}
	} else if p != nil {
		return c.transports.proxy, nil
	}
	if granted {
		return c.transports.granted, nil
	}
	return c.transports.guarded, nil
}

func (c *Client) newTransport(control func(string, string, syscall.RawConn) error) *http.Transport {
	o := c.opts
	d := &net.Dialer{Timeout: o.Limits.Header, Control: control, Resolver: c.resolver}
	return &http.Transport{
		DialContext:            c.dialWhileOpen(d.DialContext),
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // packed bytes are counted and unpacked here
		TLSHandshakeTimeout:    o.Limits.Header,
		ResponseHeaderTimeout:  o.Limits.Header,
		MaxResponseHeaderBytes: o.Limits.Headers,
		MaxConnsPerHost:        o.PerHost,
		MaxIdleConnsPerHost:    o.PerHost,
		MaxIdleConns:           max(64, o.PerHost),
		IdleConnTimeout:        30 * time.Second,
	}
}

// dialWhileOpen makes connecting end with the Client: a transport goes on dialling
// for later use after the request that asked has gone.
//
//go:noinline // 3 places, each with a closure of its own
func (c *Client) dialWhileOpen(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(c.life, cancel)()
		return dial(ctx, network, addr)
	}
}

func proxyFromEnvironment() func(*url.URL) (*url.URL, error) {
	return httpproxy.FromEnvironment().ProxyFunc()
}

func filled(o Options) Options {
	d := Defaults()
	if o.UserAgent == "" {
		o.UserAgent = d.UserAgent
	}
	o.PerHost = orDefault(o.PerHost, d.PerHost)
	o.HostsAtOnce = orDefault(o.HostsAtOnce, d.HostsAtOnce)
	l, dl := &o.Limits, d.Limits
	l.Wire = orDefault(l.Wire, dl.Wire)
	l.Decoded = orDefault(l.Decoded, dl.Decoded)
	l.Ratio = orDefault(l.Ratio, dl.Ratio)
	l.RatioFrom = orDefault(l.RatioFrom, dl.RatioFrom)
	l.Total = orDefault(l.Total, dl.Total)
	l.Header = orDefault(l.Header, dl.Header)
	l.Headers = orDefault(l.Headers, dl.Headers)
	l.MinSpeed = orDefault(l.MinSpeed, dl.MinSpeed)
	l.SlowAfter = orDefault(l.SlowAfter, dl.SlowAfter)
	l.Redirects = orDefault(l.Redirects, dl.Redirects)
	return o
}

func orDefault[T int | int64 | time.Duration](v, d T) T {
	if v <= 0 {
		return d
	}
	return v
}
