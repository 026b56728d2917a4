package model

import (
	"net/url"
	"strings"

	"diurna/reader/plain"
)

// Host names an address for people: its host without www.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

// Name is what a feed or a page is called until it says so itself, or a user does:
// host and path, and the query, so that those of one host can be told apart.
func Name(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return plain.Redact(plain.Line(address, 300))
	}
	name := "https://" + Host(address) // an address, so that it can be redacted
	if p := strings.Trim(u.Path, "/"); p != "" {
		name += "/" + p
	}
	if u.RawQuery != "" {
		name += "?" + u.RawQuery
	}
	return strings.TrimPrefix(plain.Redact(plain.Line(name, 300)), "https://") // a path may hold anything once it is decoded
}

// HostKey is what one publisher's machine is known by: host and port.
func HostKey(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Host)
}

// SameHost reports whether two addresses lie on one host, whatever the scheme.
func SameHost(a, b string) bool { return Host(a) == Host(b) && Host(a) != "" }
