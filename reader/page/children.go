package page

import (
	"net/url"
	"strings"
)

// maxChildren bounds how many addresses one page may add to a watch.
const maxChildren = 500

// children lists the links of a page, in order, without fragments and repeats.
func children(address string, body []byte, o Options, sameHost bool) ([]string, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	sc, err := newScope(o)
	if err != nil {
		return nil, err
	}
	d := newDocument(lex(body, 0, newInterner(len(body))), newBlockKeys())
	in, _ := sc.of(d)
	from := *base
	from.Fragment = ""
	seen := map[string]bool{from.String(): true}
	var out []string
	var buf [24]byte
	based := false
	for i := int32(0); i < d.end() && len(out) < maxChildren; i = d.next(i) {
		if d.is(i) != aTag {
			continue
		}
		raw := d.at(i)
		name, closing := tagName(raw, buf[:0])
		if closing {
			continue
		}
		href := ""
		switch string(name) {
		case "base":
			if u, err := base.Parse(attr(raw, "href")); err == nil && !based && u.Host != "" {
				base, based = u, true // the first one counts
			}
			continue
		case "a", "area":
			if in == nil || in.has(i) {
				href = attr(raw, "href")
			}
		}
		if href == "" || strings.HasPrefix(href, "#") {
			continue
		}
		u, err := base.Parse(href)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
			continue
		}
		if sameHost && !strings.EqualFold(u.Host, from.Host) {
			continue
		}
		u.Fragment, u.RawFragment = "", ""
		if s := u.String(); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out, nil
}
