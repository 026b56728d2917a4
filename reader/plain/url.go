package plain

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// maxURL is the longest address that is kept, in bytes.
const maxURL = 4096

// URL returns s as an absolute http or https address in printable ASCII of at
// most 4,096 bytes, with everything else percent-encoded and the host in its
// ASCII form, and whether that was possible. White space around s and tabs and
// line breaks inside it are removed, as browsers do; any other control
// character, an empty host, another scheme or a leading "-" refuses it. A
// canonical address is returned as it is, without allocating. A reference to a
// secret of the library comes out as one that it is not (Outside).
func URL(s string) (string, bool) {
	if canonicalURL(s) {
		return s, true
	}
	s = strings.Trim(s, " \t\r\n\f\u00a0\ufeff")
	if len(s) > maxURL || s == "" || s[0] == '-' {
		return "", false
	}
	if strings.ContainsAny(s, "\t\r\n") {
		s = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s)
	}
	s = strings.ToValidUTF8(s, "")
	for _, r := range s {
		if r < ' ' || r >= 0x7F && r < 0xA0 {
			return "", false
		}
	}
	scheme, rest, ok := strings.Cut(s, ":")
	scheme = strings.ToLower(scheme)
	if !ok || scheme != "http" && scheme != "https" {
		return "", false
	}
	rest = strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, ok := cleanHost(rest[:end])
	if !ok {
		return "", false
	}
	out := Outside(scheme + "://" + host + percent(rest[end:]))
	if _, err := url.Parse(out); err != nil || len(out) > maxURL {
		return "", false
	}
	return out, true
}

// WebAddress reports whether an address is an http or https one with a host,
// which may be handed to a browser.
func WebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !strings.HasPrefix(s, "-")
}

// reserved is how the library's references to secrets begin: the substitute
// character. Who is not the library may not write one.
const reserved = "%1A"

// Outside returns an address that somebody else wrote without the power to name
// a secret of the library: "%1A", by which references to them begin, is escaped.
//
//go:noinline // 14 places
func Outside(address string) string {
	return strings.ReplaceAll(address, reserved, "%25"+reserved[1:])
}

// canonicalURL reports whether s is an address that needs no work: a lower-case
// scheme, a plain host name and only characters that may stand in an address.
func canonicalURL(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(s, "http://"); !ok {
			return false
		}
	}
	i := 0
	for i < len(rest) && (rest[i] == '.' || rest[i] == '-' || isAlnum(rest[i])) {
		i++
	}
	if i == 0 || rest[0] == '.' || rest[0] == '-' || len(s) > maxURL || i < len(rest) && strings.IndexByte("/?#", rest[i]) < 0 {
		return false
	}
	for ; i < len(rest); i++ {
		b := rest[i]
		if b == '%' && (!(i+2 < len(rest) && digit(rest[i+1]) < 16 && digit(rest[i+2]) < 16) || strings.HasPrefix(rest[i:], reserved)) || !mayStand(b) {
			return false
		}
	}
	return true
}

// mayStand reports whether a byte may stand in an address as it is: printable
// ASCII without the characters that end an address in text or that shells,
// markup and terminals read in their own way.
func mayStand(b byte) bool {
	return b > ' ' && b < 0x7F && strings.IndexByte("\"<>\\^`{|}", b) < 0
}

func isAlnum(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// cleanHost returns the authority in ASCII form: userinfo percent-encoded, a
// host name through IDNA, a port of digits only.
func cleanHost(s string) (string, bool) {
	user := ""
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		user, s = strings.ReplaceAll(percent(s[:at]), "@", "%40")+"@", s[at+1:]
	}
	if strings.HasPrefix(s, "[") { // an IPv6 address is checked by url.Parse
		for i := range len(s) {
			if !isAlnum(s[i]) && strings.IndexByte("[]:.%", s[i]) < 0 {
				return "", false
			}
		}
		return user + s, true
	}
	host, port, _ := strings.Cut(s, ":")
	for i := range len(port) {
		if port[i] < '0' || port[i] > '9' {
			return "", false
		}
	}
	if unescaped, err := url.PathUnescape(host); err == nil {
		host = unescaped
	}
	host, ok := asciiHost(host)
	if !ok {
		return "", false
	}
	if port != "" {
		port = ":" + port
	}
	return user + host + port, true
}

func asciiHost(host string) (string, bool) {
	ascii := true
	for i := range len(host) {
		ascii = ascii && host[i] < 0x80
	}
	if !ascii {
		a, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", false
		}
		host = a
	}
	for i := range len(host) {
		// Underscores are not host names by the book, but are served every day.
		if !isAlnum(host[i]) && host[i] != '.' && host[i] != '-' && host[i] != '_' {
			return "", false
		}
	}
	return host, host != "" && host[0] != '.' && host[0] != '-'
}

// percent encodes every byte that may not stand in an address, and percent
// signs that begin no escape.
func percent(s string) string {
	const hex = "0123456789ABCDEF"
	var b []byte
	done := 0
	for i := range len(s) {
		c := s[i]
		if mayStand(c) && (c != '%' || i+2 < len(s) && digit(s[i+1]) < 16 && digit(s[i+2]) < 16) {
			continue
		}
		b = append(append(b, s[done:i]...), '%', hex[c>>4], hex[c&15])
		done = i + 1
	}
	if done == 0 {
		return s
	}
	return string(append(b, s[done:]...))
}
