package fetch

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// private are spellings of addresses that nothing from outside may reach.
var private = []string{
	// this machine
	"127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.0.0.1", "0X7F.1", "0177.0.0.1", "017700000001",
	"0x7f.0x0.0x0.0x1", "127.0.0.1.", "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1", "localhost", "LOCALHOST", "localhost.", "feeds.localhost",
	"0.0.0.0", "0", "0x0", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]",
	// this machine in another family's clothes
	"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:c0a8:109::1]", "[2001:0:7f00:1::]",
	// this house
	"10.0.0.1", "10.255.255.255", "012.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.9", "3232235785", "0xc0a80109", "192.168.265", "[::ffff:192.168.1.9]", "[fc00::1]", "[fd12:3456:789a::1]", "[fec0::1]",
	// this link, this provider, this cloud
	"169.254.1.1", "169.254.169.254", "2852039166", "0xa9.0xfe.0xa9.0xfe", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]", "100.64.0.1", "100.100.100.200", "100.127.255.255", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::1%25lo]", "[::1%25lo]",
	// nobody's
	"192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "[ff02::1]", "[2001:db8::1]", "[100::1]", "[3fff::1]",
}

func TestPrivateSpellingsAreRefused(t *testing.T) {
	asked := 0
	o := Defaults()
	o.Transport = web(func(r *http.Request) (*http.Response, error) { asked++; return answer(r, 200, "x"), nil })
	c := client(t, o)
	for _, host := range private {
		_, err := c.Get(t.Context(), Request{URL: "http://" + host + "/feed"})
		e := wantKind(t, err, KindPrivate)
		if !strings.HasSuffix(e.Error(), "a private address") {
			t.Errorf("%s: %q", host, e)
		}
	}
	if asked != 0 {
		t.Errorf("%d of %d spellings got through", asked, len(private))
	}
	for _, host := range []string{"example.com", "8.8.8.8", "134744072", "[2606:4700::1111]", "1.1", "127.example", "a_b.example", "münchen.example"} {
		if _, err := c.transport(mustParse(t, "http://"+host), false); err != nil {
			t.Errorf("%s is public, got %v", host, err)
		}
	}
}

// TestEveryPrivateSpellingAtDialTime asks the last guard alone, for every address
// form that a resolver can return.
func TestEveryPrivateSpellingAtDialTime(t *testing.T) {
	g := newGuard(nil)
	n := 0
	for _, host := range private {
		name := strings.Trim(strings.ReplaceAll(host, "%25", "%"), "[]")
		ip, err := netip.ParseAddr(name)
		if err != nil {
			continue
		}
		n++
		if g.control("tcp", netip.AddrPortFrom(ip, 80).String(), nil) == nil {
			t.Errorf("%s may be dialled", host)
		}
	}
	if n < 40 {
		t.Errorf("only %d addresses tried", n)
	}
	for _, ok := range []string{"8.8.8.8:80", "[2606:4700::1111]:443", "[::ffff:8.8.8.8]:80"} {
		if err := g.control("tcp", ok, nil); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	if g.control("tcp", "no-address:80", nil) == nil {
		t.Error("what is not an address may be dialled")
	}
}

func TestAllowedNetworks(t *testing.T) {
	prefix := netip.MustParsePrefix
	for _, tc := range []struct {
		allow netip.Prefix
		ip    string
		want  bool
	}{
		{prefix("192.168.0.0/16"), "192.168.1.9", true},
		{prefix("192.168.0.0/16"), "::ffff:192.168.1.9", true},
		{prefix("192.168.0.0/16"), "10.0.0.1", false},
		{prefix("192.168.77.9/16"), "192.168.1.9", true},
		{prefix("::ffff:192.168.0.0/112"), "192.168.1.9", true},
		{prefix("fe80::/10"), "fe80::1%eth0", true},
		{prefix("64:ff9b::/96"), "64:ff9b::8.8.8.8", true},
		{prefix("64:ff9b::/96"), "64:ff9b::127.0.0.1", false},
		{prefix("127.0.0.1/32"), "127.0.0.2", false},
	} {
		if got := newGuard([]netip.Prefix{tc.allow}).may(netip.MustParseAddr(tc.ip)); got != tc.want {
			t.Errorf("%v allows %s: %v, want %v", tc.allow, tc.ip, got, tc.want)
		}
	}
}

// names is a name server inside the test; each question takes the next answer.
type names struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   map[string]int
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go n.serve(there)
		return here, nil
	}}
}

func (n *names) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	buf := make([]byte, 4096)
	for {
		// A Pipe is no packet connection, so the resolver speaks TCP: a length first.
		k, err := conn.Read(buf)
		if err != nil {
			return
		}
		for k < 2 || k < 2+int(buf[0])<<8+int(buf[1]) {
			m, err := conn.Read(buf[k:])
			if err != nil {
				return
			}
			k += m
		}
		var msg dnsmessage.Message
		if msg.Unpack(buf[2:k]) != nil || len(msg.Questions) == 0 {
			return
		}
		n.reply(&msg)
		out, err := msg.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append([]byte{byte(len(out) >> 8), byte(len(out))}, out...)); err != nil {
			return
		}
	}
}

func (n *names) reply(msg *dnsmessage.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	q := msg.Questions[0]
	name := strings.TrimSuffix(q.Name.String(), ".")
	msg.Response, msg.RecursionAvailable, msg.Additionals = true, true, nil
	known := n.answers[name]
	if len(known) == 0 {
		msg.RCode = dnsmessage.RCodeNameError
		return
	}
	ip := netip.MustParseAddr(known[min(n.asked[name], len(known)-1)])
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 0}
	switch {
	case q.Type == dnsmessage.TypeA && ip.Is4():
		n.asked[name]++
		msg.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: ip.As4()}}}
	case q.Type == dnsmessage.TypeAAAA && ip.Is6():
		n.asked[name]++
		msg.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}}}
	}
}

// withNames makes a client that believes n.
func withNames(t *testing.T, o Options, answers map[string][]string) *Client {
	c := client(t, o)
	c.resolver = (&names{answers: answers, asked: map[string]int{}}).resolver()
	c.transports = c.buildTransports()
	return c
}

func TestNamesThatLeadInside(t *testing.T) {
	var log requestLog
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { log.add(r) })
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	o := Defaults()
	o.MinHostInterval = 0
	c := withNames(t, o, map[string][]string{
		"inside.example": {"127.0.0.1"},
		"mapped.example": {"::ffff:127.0.0.1"},
		"six.example":    {"::1"},
		"nas.example":    {"192.168.1.9"},
	})
	for _, host := range []string{"inside.example", "mapped.example", "six.example", "nas.example"} {
		_, err := c.Get(t.Context(), Request{URL: "http://" + host + ":" + port + "/"})
		e := wantKind(t, err, KindPrivate)
		if !strings.HasPrefix(e.Error(), host+" leads to ") || !strings.HasSuffix(e.Error(), ", a private address") {
			t.Errorf("%s: %q", host, e)
		}
	}
	if n := len(log.all()); n != 0 {
		t.Errorf("%d requests got through", n)
	}
	// The same name with the user's word for it is reached.
	get(t, c, Request{URL: "http://inside.example:" + port + "/", AllowPrivate: true})
	// And the connection made with permission must not serve a request without.
	_, err := c.Get(t.Context(), Request{URL: "http://inside.example:" + port + "/"})
	wantKind(t, err, KindPrivate)
	if n := len(log.all()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	_, err = c.Get(t.Context(), Request{URL: "http://none.example/"})
	wantKind(t, err, KindNoName)
}

// TestRebinding: a name that is public when asked first and private afterwards.
func TestRebinding(t *testing.T) {
	var log requestLog
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { log.add(r) })
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	o := Defaults()
	o.MinHostInterval = 0
	// 127.0.0.2 stands for the public address: allowed here, nobody listens on it.
	o.AllowPrivate = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}
	c := withNames(t, o, map[string][]string{"turn.example": {"127.0.0.2", "127.0.0.1"}})
	for i, want := range []Kind{KindRefused, KindPrivate, KindPrivate} {
		_, err := c.Get(t.Context(), Request{URL: "http://turn.example:" + port + "/"})
		if e := wantKind(t, err, want); i > 0 && !strings.Contains(e.Error(), "127.0.0.1") {
			t.Errorf("%q", e)
		}
	}
	if n := len(log.all()); n != 0 {
		t.Errorf("%d requests got through", n)
	}
}

// TestPermissionEndsAtTheDoor: what the user allowed for one host and port is
// not passed on by that host, also not back through a third one.
func TestPermissionEndsAtTheDoor(t *testing.T) {
	var log requestLog
	inner := serve(t, func(w http.ResponseWriter, r *http.Request) { log.add(r) })
	to := ""
	door := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/feed" {
			http.Redirect(w, r, to, http.StatusFound)
		}
	})
	o := Defaults()
	o.MinHostInterval = 0
	c := client(t, o)
	to = "/real"
	get(t, c, Request{URL: door.URL + "/feed", AllowPrivate: true})
	to = inner.URL + "/secret"
	_, err := c.Get(t.Context(), Request{URL: door.URL + "/feed", AllowPrivate: true})
	wantKind(t, err, KindPrivate)
	if n := len(log.all()); n != 0 {
		t.Errorf("%d requests reached the inner server", n)
	}
	_, err = c.Get(t.Context(), Request{URL: door.URL + "/feed"})
	wantKind(t, err, KindPrivate)
}

func TestProxyFromEnvironment(t *testing.T) {
	var log requestLog
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { log.add(r) })
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	o := Defaults()
	o.MinHostInterval = 0
	c := client(t, o)
	get(t, c, Request{URL: "http://feeds.example/a"})
	if reqs := log.all(); len(reqs) != 1 || reqs[0].RequestURI != "http://feeds.example/a" {
		t.Fatalf("the proxy was asked %d times", len(reqs))
	}
	for _, u := range []string{proxy.URL + "/admin", "http://10.0.0.1/", "http://0x0a.1/", "http://localhost/", "http://169.254.169.254/"} {
		_, err := c.Get(t.Context(), Request{URL: u})
		wantKind(t, err, KindPrivate)
	}
	if n := len(log.all()); n != 1 {
		t.Errorf("the proxy was asked for private addresses")
	}
}
