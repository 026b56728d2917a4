package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Causes of cancelling one hop's context from inside.
var (
	errTotal = errors.New("the request took too long")
	errSlow  = errors.New("the body arrives too slowly")
)

// fail gives a cause its kind and its sentence. ctx is the caller's, hop the one
// of this exchange; the one that cancelled them decides before the text of any error.
func (c *Client) fail(ctx, hop context.Context, u *url.URL, err error) *Error {
	e := c.classify(ctx, hop, u, err)
	e.URL = redact(u.String())
	if e.Err == nil {
		e.Err = err
	}
	return e
}

func (c *Client) classify(ctx, hop context.Context, u *url.URL, err error) *Error {
	limits := c.opts.Limits
	if known := ended(ctx, hop, limits); known != nil {
		return known
	}
	var own *Error
	if errors.As(err, &own) {
		return withName(*own, u.Hostname())
	}
	if e := tlsError(err, u.Hostname(), time.Now()); e != nil {
		return e
	}
	if e := networkError(err, u.Hostname()); e != nil {
		return e
	}
	var timed net.Error
	if errors.As(err, &timed) && timed.Timeout() {
		return &Error{Kind: KindTimeout, text: "no answer within " + seconds1(limits.Header)}
	}
	// net/http has no type for this error; a test checks its text.
	if strings.Contains(err.Error(), "response headers exceeded") || strings.Contains(err.Error(), "header list larger than") {
		return &Error{Kind: KindTooLarge, text: "the headers are larger than " + size(limits.Headers)}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return &Error{Kind: KindProtocol, text: "the connection was closed before an answer came"}
	}
	// The library's text quotes what the server sent.
	return &Error{Kind: KindProtocol, text: "the answer is not valid HTTP"}
}

// ended reports whether the exchange was cancelled, and by whom.
func ended(ctx, hop context.Context, limits Limits) *Error {
	if err := ctx.Err(); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return &Error{Kind: KindTimeout, Err: err, text: "no answer in the remaining time"}
		}
		return &Error{Kind: KindCanceled, Err: err, text: "stopped before an answer came"}
	}
	switch cause := context.Cause(hop); {
	case errors.Is(cause, errTotal):
		return &Error{Kind: KindTimeout, Err: cause, text: "no answer within " + seconds1(limits.Total)}
	case errors.Is(cause, errSlow):
		return &Error{Kind: KindSlow, Err: cause, text: "the answer came slower than " + size(limits.MinSpeed) + " a second"}
	}
	return nil
}

// withName says which name led to a private address.
func withName(e Error, host string) *Error {
	if _, err := netip.ParseAddr(host); e.Kind == KindPrivate && err != nil && !strings.HasPrefix(e.text, host) {
		if ip, rest, ok := strings.Cut(e.text, " is a"); ok {
			e.text = host + " leads to " + ip + ", a" + rest
		}
	}
	return &e
}

func tlsError(err error, host string, now time.Time) *Error {
	say := func(text string) *Error { return &Error{Kind: KindTLS, text: text} }
	var (
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		roots     x509.SystemRootsError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		verify    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		// No date: the sentence is stored, and read on screens and by programs.
		if now.Before(invalid.Cert.NotBefore) {
			return say("the certificate is not valid yet")
		}
		return say("the certificate is expired")
	case errors.As(err, &authority):
		return say("the certificate is signed by an unknown authority")
	case errors.As(err, &name):
		return say("the certificate is not for " + host)
	case errors.As(err, &roots):
		return say("this machine has no root certificates")
	case errors.As(err, &record):
		return say("no HTTPS on that port")
	case errors.As(err, &verify), errors.As(err, &invalid):
		return say("the certificate is not valid")
	case errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		return say("the TLS handshake failed")
	}
	return nil
}

func networkError(err error, host string) *Error {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return &Error{Kind: KindNoName, text: "no such host: " + host}
	case errors.As(err, &dns):
		return &Error{Kind: KindUnreachable, text: "no name server answered"}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Error{Kind: KindRefused, text: host + " refuses connections"}
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.ENETDOWN), errors.Is(err, syscall.EADDRNOTAVAIL):
		return &Error{Kind: KindUnreachable, text: "no network"}
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.EHOSTDOWN):
		return &Error{Kind: KindUnreachable, text: "no way to " + host}
	}
	return nil
}

// seconds1 is "30 s", "0.5 s".
func seconds1(d time.Duration) string {
	return fmt.Sprintf("%.3g s", d.Seconds())
}

// size is "8 MB", "64 KB", "900 bytes".
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
