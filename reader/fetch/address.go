package fetch

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxAddress bounds a URL; browsers and servers stop at about this length.
const maxAddress = 8 << 10

var errAddress = errors.New("not an address")

// parseAddress reads an http or https URL as it will be asked for: host in
// lower-case ASCII, odd spellings of IPv4 resolved, no fragment. Credentials
// inside it are returned apart.
func parseAddress(raw string) (*url.URL, *url.Userinfo, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxAddress {
		return nil, nil, &Error{Kind: KindAddress, Err: errAddress, text: "the address is longer than 8 KB"}
	}
	u, err := url.Parse(raw)
	if err != nil {
		// The parser's own error quotes the address, secrets included.
		return nil, nil, &Error{Kind: KindAddress, Err: errAddress, text: "that is not an address"}
	}
	return settle(u)
}

// settle checks and normalises a parsed URL.
func settle(u *url.URL) (*url.URL, *url.Userinfo, error) {
	bad := func(text string) (*url.URL, *url.Userinfo, error) {
		return nil, nil, &Error{Kind: KindAddress, Err: errAddress, text: text}
	}
	scheme := strings.ToLower(u.Scheme)
	switch {
	case scheme == "":
		return bad("that is not an address: it must begin with http:// or https://")
	case scheme != "http" && scheme != "https":
		return bad("only http and https addresses are fetched, not " + plainToken(scheme, 20))
	case u.Opaque != "" || u.Hostname() == "":
		return bad("the address names no host")
	}
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return bad("the address names no valid host")
	}
	port := u.Port()
	if port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return bad("the address names no valid port")
		}
		port = strconv.FormatUint(n, 10)
	}
	out := &url.URL{Scheme: scheme, Host: joinHost(host, port, scheme), Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery, ForceQuery: u.ForceQuery}
	if out.Path == "" {
		out.Path = "/"
	}
	if len(out.String()) > maxAddress {
		return bad("the address is longer than 8 KB")
	}
	return out, u.User, nil
}

// canonicalHost gives the one spelling under which a host is known: an IP address
// in its usual form, or a lower-case ASCII name.
func canonicalHost(host string) (string, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.WithZone("").Unmap().String(), nil
	}
	ascii := strings.ToLower(host)
	if !isASCII(ascii) {
		var err error
		if ascii, err = lookupProfile().ToASCII(host); err != nil {
			return "", err
		}
	}
	name := strings.TrimSuffix(ascii, ".")
	if name == "" || len(name) > 253 || strings.Contains(name, "..") || name[0] == '.' {
		return "", errAddress
	}
	for i := 0; i < len(name); i++ {
		if !hostByte(name[i]) {
			return "", errAddress
		}
	}
	if ip, isNumber, ok := legacyIPv4(name); isNumber {
		if !ok {
			return "", errAddress
		}
		return ip.String(), nil
	}
	return name, nil
}

// lookupProfile maps a Unicode host as browsers do, but lets underscores pass:
// real hosts have them.
func lookupProfile() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false), idna.StrictDomainName(false))
}

func hostByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '-' || b == '.' || b == '_'
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// legacyIPv4 reads the spellings that inet_aton and browsers take for an IPv4
// address: 0x7f.1, 2130706433, 0177.0.0.1. A proxy or the C library would resolve
// them behind the guard's back, so they are made plain before anything else.
// isNumber says that the last label is a number and the host therefore no name.
func legacyIPv4(name string) (ip netip.Addr, isNumber, ok bool) {
	parts := strings.Split(name, ".")
	if _, fine := ipNumber(parts[len(parts)-1]); !fine && !allDigits(parts[len(parts)-1]) {
		return ip, false, false
	}
	if len(parts) > 4 {
		return ip, true, false
	}
	var whole uint64
	for i, p := range parts {
		n, fine := ipNumber(p)
		if !fine {
			return ip, true, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return ip, true, false
			}
			whole |= n << (24 - 8*i)
			continue
		}
		if n >= 1<<(8*(5-len(parts))) {
			return ip, true, false
		}
		whole |= n
	}
	return netip.AddrFrom4([4]byte{byte(whole >> 24), byte(whole >> 16), byte(whole >> 8), byte(whole)}), true, true
}

// ipNumber reads one part of a legacy IPv4 address: hexadecimal, octal, decimal.
func ipNumber(s string) (uint64, bool) {
	if s == "0x" {
		return 0, true
	}
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" || s[0] == '+' || s[0] == '-' || strings.Contains(s, "_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 33)
	return n, err == nil
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// joinHost writes host and port, leaving out the scheme's own port.
func joinHost(host, port, scheme string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return host
	}
	return host + ":" + port
}

// origin is scheme, host and port: what credentials belong to.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// SameDoor reports whether the permission to reach a private address that was
// given for one address holds for another.
func SameDoor(from, to string) bool {
	a, _, err := parseAddress(from)
	if err != nil {
		return false
	}
	b, _, err := parseAddress(to)
	return err == nil && sameDoor(a, b)
}

// sameDoor tells whether to is where the user's permission to reach a private
// host still holds: the same host and port, or its move from http to https on the
// usual ports.
func sameDoor(from, to *url.URL) bool {
	return from.Host == to.Host && (from.Scheme == to.Scheme || from.Port() == "")
}

// plainToken keeps letters, digits and -+._ of a foreign word, at most max bytes.
func plainToken(s string, max int) string {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < max; i++ {
		c := s[i]
		if hostByte(c) || c >= 'A' && c <= 'Z' || c == '+' {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// redact makes an address fit for a sentence or a log. All that a secret may stand
// in goes, credentials, query and fragment, so that this room needs no list of the
// names of secrets beside the one of reader/plain.
func redact(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "(not an address)"
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if u.RawQuery != "" {
		u.RawQuery = "..."
	}
	return u.String()
}
