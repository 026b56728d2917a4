// Package fetch gets one URL politely and safely: validators, limits, redirects,
// Retry-After, one host at a time.
//
// Call [New] once with [Defaults] (or options from the config), then [Client.Get]
// from as many goroutines as you like; the client itself makes them take turns.
// [Client.Close] ends everything it started.
//
// What a server answers is data: a status of 404 or 503 comes back as a [Result].
// An [*Error] means that there was no answer, or none that may be used; its text
// is a sentence for the user and never holds a credential.
package fetch

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// DefaultEvery is the gap that is left between two requests to one host.
const DefaultEvery = 5 * time.Second

// Options say how a Client behaves; they are fixed for its life.
type Options struct {
	// UserAgent is sent as it is, "name/version (+URL)"; empty means "diurna".
	UserAgent string
	// AllowPrivate lists private networks that every request may reach, imports
	// and redirects included. IPv4 prefixes also cover the v4-mapped spelling.
	AllowPrivate []netip.Prefix
	// PerHost is the number of connections to one host name, at least 1.
	PerHost int
	// MinHostInterval is the least time between the starts of two requests to one
	// host name, redirects included; 0 means no gap, so start from Defaults.
	MinHostInterval time.Duration
	// Turn books the start of a request to host among all who ask it, other
	// processes too: gap after the last start, or now. was is a start given earlier
	// that went by unused; if it is still the last one it is moved to now. nil:
	// nobody else asks.
	Turn func(host string, gap time.Duration, now, was time.Time) time.Time
	// Still is asked when a request's turn has come; an error keeps it from being
	// sent. nil: it always is.
	Still func(ctx context.Context) error
	// Room is called when a body has arrived, before the next request to its host: it
	// may wait until there is room for one more document, and while it does there are
	// no further requests. The wait is not counted in Limits.Total. nil: there is.
	Room func(ctx context.Context)
	// HostsAtOnce is the number of hosts asked at the same time; 0 means 8.
	HostsAtOnce int
	// Transport replaces the guarded transport; for tests with a made-up web.
	// Names are then resolved by it, so only literal addresses are guarded.
	Transport http.RoundTripper
	// Mask is how ValidatorsFor spells an address; nil: as it is.
	Mask func(url string) string
	// Credentials gives the headers that requests with Credentials send to a host, with
	// its port if it has one; nil: none. The error's text is that of KindCredentials.
	Credentials Credentials
	// Limits bound every request; fields left 0 take the value of Defaults.
	Limits Limits
}

// Limits are what one request may cost.
type Limits struct {
	Wire      int64         // body bytes as sent, 8 MB
	Decoded   int64         // body bytes unpacked, 16 MB
	Ratio     int64         // unpacked/packed once RatioFrom bytes are unpacked, 100
	RatioFrom int64         // 1 MB
	Total     time.Duration // the whole request with its redirects, waiting for a turn not counted, 30 s
	Header    time.Duration // connecting; shaking hands; from the request to its headers: each 10 s
	Headers   int64         // bytes of headers, 64 KB
	MinSpeed  int64         // body bytes a second on average once SlowAfter is over, 1 KB
	SlowAfter time.Duration // 10 s
	Redirects int           // hops followed, 5
}

// Defaults are the options that publishers wish for: one connection a host, 5 s between
// two requests to it, 8 hosts at once, nothing private.
func Defaults() Options {
	return Options{
		UserAgent:       "diurna",
		PerHost:         1,
		MinHostInterval: DefaultEvery,
		HostsAtOnce:     8,
		Limits: Limits{
			Wire: 8 << 20, Decoded: 16 << 20, Ratio: 100, RatioFrom: 1 << 20,
			Total: 30 * time.Second, Header: 10 * time.Second, Headers: 64 << 10,
			MinSpeed: 1 << 10, SlowAfter: 10 * time.Second, Redirects: 5,
		},
	}
}

// Request is one URL to get.
type Request struct {
	URL string
	// ETag and LastModified are what the last answer carried. They are echoed
	// byte for byte, and only to the URL named by ValidatorsFor (Result.URL of
	// the answer they came with).
	ETag, LastModified string
	ValidatorsFor      string
	// AllowPrivate lets this request reach a private address at the host and
	// port of URL. A redirect to another host does not inherit it.
	AllowPrivate bool
	// Accept replaces the list of feed types.
	Accept string
	// ErrorBody asks for the bodies of statuses >= 400 too: a test for humans is
	// known by what it says.
	ErrorBody bool
	// Credentials sends those of Options, to the origin of URL only.
	Credentials bool
	// Into takes the body of a file in place of Result.Body; nil: the body is kept.
	Into *Stream
	// User and Password go to the origin (scheme, host, port) of URL only. When
	// User is empty, credentials inside URL are used in the same way.
	User, Password string
}

// Stream is where a body of any length goes as it comes: the file of an enclosure.
// It is asked for as it is, not packed. Of Limits only those of headers and speed
// hold, so Open has to say no to what is too large.
type Stream struct {
	// From is how many bytes are there already. The rest alone is asked for if
	// Version, the ETag or Last-Modified of the answer that they came with, says that it still fits.
	From    int64
	Version string
	// Open is called once, when the answer has come and it is a body: it begins at
	// byte from (0, or From) of total (-1: not said). Its error ends the request.
	Open func(res *Result, from, total int64) (io.Writer, error)
}

// Hop is one redirect that was followed or refused.
type Hop struct {
	Status   int
	From, To string
}

// Result is what a server answered.
type Result struct {
	// Status is the final HTTP status, 200-599, never a followed redirect.
	Status int
	// URL is where the answer came from, without credentials and fragment.
	URL  string
	Hops []Hop
	// Permanent is where the unbroken chain of 301 and 308 that began at the
	// requested URL led, "" when the first answer was something else.
	Permanent string
	// NotModified is true for a 304 to our own validators. Body is then empty.
	NotModified bool
	// Body is the unpacked body, the caller's to keep; nil for statuses >= 400
	// unless ErrorBody asks for them and they came whole.
	Body []byte
	// ContentType is the header as sent; ContentLocation is made absolute, ""
	// when it is no http address.
	ContentType, ContentLocation string
	// ContentLanguage is the header as sent.
	ContentLanguage string
	// ETag and LastModified are as received, also on a 304; "" when the server
	// sent none, more than 1 KB, or control bytes.
	ETag, LastModified string
	// NotBefore is when the server wants the next request, zero when it does
	// not say; at most 24 h from now, 7 days for 429 and 503. NotBeforeBy names
	// the header: "max-age 3600", "Retry-After 120", "Expires".
	NotBefore   time.Time
	NotBeforeBy string
	// Wait is what Retry-After alone asks for, with whatever status; 0: nothing.
	Wait time.Duration
	// Date and Age are what those headers say: when the origin made the answer, and
	// how long caches on the way have kept it. Zero: not said.
	Date time.Time
	Age  time.Duration
	// HostWide is true when the wish (429, 503) holds for every feed of the host.
	HostWide bool
	// WireBytes counts body bytes as they were sent, all hops together.
	WireBytes int64
	// Took is the time on the net, waiting for a turn not counted.
	Took time.Duration
}

// Kind sorts errors by what a user or a schedule does about them.
type Kind string

// The kinds of Error.
const (
	KindAddress     Kind = "address"     // not http or https, or not an address
	KindPrivate     Kind = "private"     // the guard refused the address
	KindNoName      Kind = "no name"     // the host name does not exist
	KindRefused     Kind = "refused"     // nothing listens there
	KindTimeout     Kind = "timeout"     // no answer in time
	KindSlow        Kind = "slow"        // the body came too slowly
	KindTLS         Kind = "tls"         // no trustworthy connection
	KindLoop        Kind = "loop"        // redirects lead in a circle
	KindRedirects   Kind = "redirects"   // too many redirects, or to nowhere
	KindDowngrade   Kind = "downgrade"   // a redirect from https to http
	KindTooLarge    Kind = "too large"   // more bytes than Limits allow
	KindBomb        Kind = "bomb"        // unpacks beyond Limits.Ratio
	KindEncoding    Kind = "encoding"    // packed in an unknown or broken way
	KindProtocol    Kind = "protocol"    // not proper HTTP
	KindCutShort    Kind = "cut short"   // the connection ended inside the body
	KindCanceled    Kind = "canceled"    // the caller's context or Close ended it
	KindUnreachable Kind = "unreachable" // no network, or no way to that host
	KindCredentials Kind = "credentials" // they could not be had: nothing was asked
	KindNotAsked    Kind = "304 unasked" // "not changed" to a request without validators
)

// Error is a request that gave nothing to use.
type Error struct {
	Kind Kind
	// URL is where it happened, redacted.
	URL string
	// Err is the cause, for errors.Is; its text may name what Error leaves out.
	Err  error
	text string
}

// Error is the user's sentence: lower case, no full stop, no secrets.
func (e *Error) Error() string { return e.text }

// Refuse is the error of a transport that reaches no host but its own: the sentence is
// what is said.
func Refuse(sentence string) error { return &Error{Kind: KindRefused, text: sentence} }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Client gets URLs, each host in its turn. It is safe for concurrent use.
type Client struct {
	opts       Options
	gate       *gate
	guard      *guard
	proxy      func(*url.URL) (*url.URL, error)
	transports transports
	pools      pools
	// resolver is nil but in tests of the guard, which need names that lie.
	resolver *net.Resolver
	life     context.Context
	end      context.CancelFunc
}

// New makes a Client. Proxies are taken from the environment as it is now
// (HTTP_PROXY, HTTPS_PROXY, NO_PROXY); a proxy may have a private address.
func New(o Options) *Client {
	o = filled(o)
	c := &Client{opts: o, gate: newGate(o.PerHost, o.HostsAtOnce, o.MinHostInterval), guard: newGuard(o.AllowPrivate), proxy: proxyFromEnvironment()}
	c.gate.turn = o.Turn
	c.life, c.end = context.WithCancel(context.Background())
	c.transports = c.buildTransports()
	return c
}

// Close ends requests under way and waiting ones with KindCanceled and drops
// idle connections. The Client must not be used afterwards.
func (c *Client) Close() {
	c.end()
	c.gate.close()
	c.transports.close()
}

// Get fetches r.URL. It waits for the host's turn, which ctx can end, follows
// redirects and reads the whole body within Limits.
//
// The error, if any, is an *Error. Its Result then holds what is known: the hops,
// and with KindCutShort the part of the body that came, without validators,
// because half a feed must not be taken for the whole one later.
func (c *Client) Get(ctx context.Context, r Request) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	f := flight{c: c, req: r, left: c.opts.Limits.Total}
	if r.Into != nil {
		f.left = streamTotal
	}
	err := f.run(ctx)
	return f.res, err
}
