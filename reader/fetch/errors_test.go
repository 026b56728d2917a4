package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"
)

// certificate makes one that signs itself.
func certificate(t *testing.T, from, to time.Time, ip string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tides"}, NotBefore: from, NotAfter: to,
		IPAddresses: []net.IP{net.ParseIP(ip)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestCertificates(t *testing.T) {
	now := time.Now()
	for _, tc := range []struct {
		name     string
		from, to time.Time
		ip       string
		trusted  bool
		text     string
	}{
		{"good", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", true, ""},
		{"ran out", now.AddDate(-2, 0, 0), now.Add(-time.Minute), "127.0.0.1", true, "the certificate is expired"},
		{"ran out years ago", now.AddDate(-4, 0, 0), now.AddDate(-3, 0, 0), "127.0.0.1", true, "the certificate is expired"},
		{"too early", now.AddDate(0, 0, 2), now.AddDate(1, 0, 0), "127.0.0.1", true, "the certificate is not valid yet"},
		{"another host", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.9", true, "the certificate is not for 127.0.0.1"},
		{"unknown authority", now.Add(-time.Hour), now.Add(time.Hour), "127.0.0.1", false, "the certificate is signed by an unknown authority"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cert, pool := certificate(t, tc.from, tc.to, tc.ip)
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
			s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
			s.EnableHTTP2 = true
			s.Config.ErrorLog = quiet()
			s.StartTLS()
			defer s.Close()
			c := client(t, free())
			c.transports.guarded.TLSClientConfig = &tls.Config{}
			if tc.trusted {
				c.transports.guarded.TLSClientConfig.RootCAs = pool
			}
			res, err := c.Get(t.Context(), Request{URL: s.URL})
			if tc.text == "" {
				if err != nil || string(res.Body) != "HTTP/2.0" {
					t.Errorf("got %q, %v", res.Body, err)
				}
				return
			}
			if e := wantKind(t, err, KindTLS); e.Error() != tc.text {
				t.Errorf("got %q, want %q", e, tc.text)
			}
		})
	}
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	plain.Config.ErrorLog = quiet()
	_, err := client(t, free()).Get(t.Context(), Request{URL: "https" + strings.TrimPrefix(plain.URL, "http")})
	if e := wantKind(t, err, KindTLS); e.Error() != "no HTTPS on that port" {
		t.Errorf("got %q", e)
	}
}

func TestNetworkTroubles(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	_, err = client(t, free()).Get(t.Context(), Request{URL: "http://" + l.Addr().String() + "/"})
	if e := wantKind(t, err, KindRefused); e.Error() != "127.0.0.1 refuses connections" || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %q", e)
	}
	for _, tc := range []struct {
		err  error
		kind Kind
		text string
	}{
		{syscall.ENETUNREACH, KindUnreachable, "no network"},
		{syscall.EHOSTUNREACH, KindUnreachable, "no way to a.example"},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, KindNoName, "no such host: a.example"},
		{&net.DNSError{Err: "server misbehaving", IsTemporary: true}, KindUnreachable, "no name server answered"},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, KindUnreachable, "no name server answered"},
		{syscall.ECONNRESET, KindProtocol, "the connection was closed before an answer came"},
		{errors.New("something\x1b[31m new"), KindProtocol, "the answer is not valid HTTP"},
	} {
		o := free()
		o.Transport = web(func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("wrapped: %w", tc.err)}
		})
		_, err := client(t, o).Get(t.Context(), Request{URL: "http://a.example/"})
		if e := wantKind(t, err, tc.kind); e.Error() != tc.text {
			t.Errorf("%v: got %q, want %q", tc.err, e, tc.text)
		}
	}
}

// TestErrorsKeepSecrets plants a canary wherever a user may have one and greps
// everything an Error shows.
func TestErrorsKeepSecrets(t *testing.T) {
	const canary = "CANARY77"
	o := Defaults()
	o.MinHostInterval = 0
	o.Transport = web(func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case "/loop":
			return answer(r, 301, "", "Location", r.URL.String()), nil
		case "/inside":
			return answer(r, 302, "", "Location", "http://u:"+canary+"@10.0.0.1/?key="+canary), nil
		case "/odd":
			return answer(r, 302, "", "Location", "http://%zz"+canary), nil
		case "/odder":
			return answer(r, 302, "", "Location", canary+"://x"), nil
		}
		return nil, &url.Error{Op: "Get", URL: r.URL.String(), Err: errors.New(canary)}
	})
	c := client(t, o)
	for _, u := range []string{"/loop", "/inside", "/odd", "/fail"} {
		_, err := c.Get(t.Context(), Request{URL: "http://ann:" + canary + "@a.example" + u + "?token=" + canary, User: "ann", Password: canary})
		var e *Error
		if !errors.As(err, &e) || strings.Contains(e.Error()+e.URL, canary) {
			t.Errorf("%s: %v at %q", u, err, e.URL)
		}
	}
	_, err := c.Get(t.Context(), Request{URL: "http://ann:" + canary + "@ bad"})
	if e := wantKind(t, err, KindAddress); strings.Contains(e.Error()+e.URL, canary) {
		t.Errorf("%v at %q", e, e.URL)
	}
}
