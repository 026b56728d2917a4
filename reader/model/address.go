package model

import (
	"net/url"
	"strings"
)

// Host names an address for people: its host without www.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
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
