package pagestate

import (
	"net/url"
	"strings"

	"diurna/reader/align"
	"diurna/reader/markup"
	"diurna/reader/page"
)

// maxChildren bounds how many addresses one page may add to a watch.
const maxChildren = 500

// Children lists the addresses a page links to, resolved and without
// fragments, at most 500. For the links of a watched page sameHost is false;
// for those of a child page it is true: grandchildren are followed on the
// child's own host only (Saeyor & Ishizuka, section 5).
func Children(address string, body []byte, o page.Options, sameHost bool) ([]string, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	sc, err := page.NewScope(o)
	if err != nil {
		return nil, err
	}
	d := align.Parse(body)
	in, _ := sc.Of(d)
	from := *base
	from.Fragment = ""
	seen := map[string]bool{from.String(): true}
	var out []string
	based := false
	for i := int32(0); i < d.End() && len(out) < maxChildren; i = d.Next(i) {
		if d.Is(i) != align.Tag {
			continue
		}
		raw := d.At(i)
		e, closing := d.Element(i)
		if closing {
			continue
		}
		href := ""
		switch e {
		case markup.Base:
			if u, err := base.Parse(markup.Attr(raw, "href")); err == nil && !based && u.Host != "" {
				base, based = u, true // the first one counts
			}
			continue
		case markup.A, markup.Area:
			if in == nil || in.Has(i) {
				href = markup.Attr(raw, "href")
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
