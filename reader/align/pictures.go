package align

import (
	"hash/fnv"
	"sort"
	"strings"

	"diurna/reader/kind"
	"diurna/reader/markup"
)

// PlaceKey returns the hash of a place of a kind, by what names it.
func PlaceKey(kind string, parts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind))
	for _, p := range parts {
		_, _ = h.Write([]byte{0})
		_, _ = h.Write([]byte(p))
	}
	return h.Sum64()
}

// ImageSource returns the address of a picture: the one scripts will put in
// place (data-…src…) rather than the placeholder that stands there until then. Where
// only a set of sizes names one, that is the first of it.
func ImageSource(raw []byte) string {
	src, sizes := "", ""
	for i := 4; i < len(raw); {
		var key, value []byte
		key, value, i = markup.NextAttr(raw, i)
		k := markup.Lower(key)
		if k == "src" && src == "" {
			src = string(markup.AppendDecoded(nil, value))
		}
		if strings.HasPrefix(k, "data-") && strings.HasSuffix(k, "src") && len(value) > 0 {
			return strings.TrimSpace(string(markup.AppendDecoded(nil, value)))
		}
		if sizes == "" && strings.HasSuffix(k, "srcset") {
			sizes = string(markup.AppendDecoded(nil, value))
		}
	}
	if f := strings.Fields(sizes); len(f) > 0 && (src == "" || strings.HasPrefix(src, "data:")) {
		src = strings.TrimSuffix(f[0], ",")
	}
	return strings.TrimSpace(src)
}

// Canonical strips an address of what changes from fetch to fetch: the scheme,
// session ids, query values and fragments that look like tokens. What remains
// empty names nothing.
func Canonical(href string) string {
	s := strings.TrimSpace(href)
	if i := strings.Index(s, ":"); i >= 0 && i < 12 {
		switch strings.ToLower(s[:i]) {
		case "data", "blob", "javascript":
			return "" // content or code, not an address
		case "http", "https":
			s = s[i+1:]
		}
	}
	var fragment, query string
	whole := s
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, fragment = s[:i], s[i+1:]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, query = s[:i], s[i+1:]
	}
	plain := !kind.HasDigit(s) && strings.IndexByte(s, ';') < 0
	switch {
	case plain && len(s)+1+len(fragment) == len(whole) && fragment != "" && !tokenish(fragment):
		return whole // nothing to strip, as of most addresses
	case !plain:
		segs := strings.Split(s, "/")
		for i, seg := range segs {
			if j := strings.IndexByte(seg, ';'); j >= 0 {
				seg = seg[:j] // path parameters hold session ids
			}
			segs[i] = maskSegment(seg)
		}
		s = strings.Join(segs, "/")
	}
	var keep []string
	for _, p := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		if k, v, ok := strings.Cut(p, "="); kind.IsFile(v) {
			p = k + "=" + maskSegment(v)
		} else if !ok && tokenish(k) || tokenish(v) {
			continue
		}
		keep = append(keep, p)
	}
	if len(keep) > 0 {
		sort.Strings(keep)
		s += "?" + strings.Join(keep, "&")
	}
	if fragment != "" && !tokenish(fragment) {
		s += "#" + fragment
	}
	return s
}

// maskSegment replaces the tokens inside one path segment: "app.4f2a91bc.js"
// and "app.77d01e3f.js" are one file.
func maskSegment(seg string) string {
	if !kind.HasDigit(seg) {
		return seg
	}
	f := strings.FieldsFunc(seg, func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	changed := false
	for i, p := range f {
		if kind.Hexish(p) || kind.Hashed(p) {
			f[i], changed = "#", true
		}
	}
	if !changed {
		return seg
	}
	return strings.Join(f, ".")
}

// tokenish reports whether a value is a time stamp, hash or session id.
func tokenish(v string) bool {
	return len(v) >= 8 && strings.Trim(v, "0123456789") == "" || kind.Hexish(v) || kind.Hashed(v) || len(v) >= 32
}

// Picture is an image of a page in its place.
type Picture struct {
	Name  string    // its canonical address
	Place [2]uint64 // by the elements around it, with what it shows and without
	Tag   int32
}

// maxPictures bounds the images of a page that are looked at.
const maxPictures = 64

// Pictures are the images of a page outside furniture that say what they show.
func (d *Document) Pictures() (out []Picture) {
	if d.spots == nil && d.shown == nil {
		w := spotter{d: d, pictures: true}
		w.walk()
	}
	return d.shown
}

// pictureAt reads the picture of a tag, with the elements around it.
func (d *Document) pictureAt(stack []spotted, tag int32) (Picture, bool) {
	raw := d.At(tag)
	alt := markup.Attr(raw, "alt")
	name := Canonical(ImageSource(raw))
	if alt == "" || name == "" || markup.Attr(raw, "width") == "1" {
		return Picture{}, false
	}
	for _, s := range stack {
		switch s.element {
		case markup.Nav, markup.Footer, markup.Aside:
			return Picture{}, false
		}
	}
	spot := d.spotIn(stack)
	return Picture{name, [2]uint64{PlaceKey("image", spot, alt), PlaceKey("images", spot)}, tag}, true
}
