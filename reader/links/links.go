// Package links says to which pages items point, in a form in which all spellings of one
// address are equal. Canonical gives this form of an address, Of those of an item; Sought is
// what somebody asks for, which Sought.Fits compares with them.
package links

import (
	"strings"

	"diurna/reader/markup"
	"diurna/reader/plain"
)

// Each visits the addresses to which an item points, its own and those in its text, and
// their forms, until visit returns false.
func Each(own, html string, visit func(address, key string) bool) {
	see := func(address string) bool {
		clean, _ := plain.URL(address)
		key := canonical(clean)
		return key == "" || visit(clean, key)
	}
	if !see(own) || !strings.Contains(html, "<") {
		return
	}
	src := []byte(html)
	for s := markup.Scan(src); s.Next(); {
		if s.Kind == markup.Open && s.Element == markup.A && !see(markup.Attr(src[s.From:s.To], "href")) {
			return
		}
	}
}

// most is how many addresses of one text are looked at.
const most = 1000

// Of are the addresses to which an item with these texts points, in the form that Sought
// compares.
func Of(own string, texts ...string) (keys []string) {
	for _, html := range texts {
		left := most
		Each(own, html, func(_, key string) bool {
			keys = append(keys, key)
			left--
			return left > 0
		})
		own = ""
	}
	return keys
}

// Sought is an address, a host or the beginning of either, as it is compared; "" is none.
type Sought string

// Seek reads what somebody asks for. open: it is a beginning.
func Seek(text string, open bool) Sought {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	_, rest, _ := strings.Cut(text, "://")
	if open && !strings.ContainsAny(rest, "/?#") {
		return Sought(strings.TrimPrefix(strings.ToLower(rest), "www."))
	}
	clean, _ := plain.URL(text)
	key := canonical(clean)
	switch {
	case IsHome(key) && !open:
		return Sought(key[:len(key)-1])
	case open && key != "" && strings.HasSuffix(rest, "/") && !strings.HasSuffix(key, "/"):
		key += "/"
	}
	return Sought(key)
}

// Fits reports whether one of the forms that Of gives is what is asked for. A host stands
// for all pages on it and on the hosts within it.
func (s Sought) Fits(key string, open bool) bool {
	want := string(s)
	if strings.Contains(want, "/") {
		return key == want || open && strings.HasPrefix(key, want)
	}
	for host, _, _ := strings.Cut(key, "/"); host != ""; _, host, _ = strings.Cut(host, ".") {
		if host == want || open && strings.HasPrefix(host, want) {
			return true
		}
	}
	return false
}
