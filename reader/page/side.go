package page

import (
	"sort"
	"strings"
)

// things are the parts of a page that are no text: what the paper calls the
// existence of contents, and appearance. Each is a set of canonical names.
type things struct {
	links, images, forms, embeds map[string]string // canonical name: as written
	styles                       map[string]int    // appearance tags, by name
}

// thingsOf collects the parts of a document inside a scope (nil: all).
func thingsOf(d *document, in []bool) things {
	t := things{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]int{}}
	var buf [24]byte
	for i := int32(0); i < int32(d.len()); i++ {
		if d.is(i) != aTag || in != nil && !in[i] {
			continue
		}
		raw := d.at(i)
		name, closing := tagName(raw, buf[:0])
		if closing {
			continue
		}
		add := func(set map[string]string, key string) {
			if v := attr(raw, key); v != "" {
				if c := canonical(v); c != "" {
					set[c] = v
				}
			}
		}
		switch string(name) {
		case "a", "area":
			add(t.links, "href")
		case "img":
			if v := imageSource(raw); v != "" {
				if c := canonical(v); c != "" {
					t.images[c] = v
				}
			}
		case "form":
			t.forms["form "+canonical(attr(raw, "action"))] = attr(raw, "action")
		case "input", "select", "textarea":
			// Hidden inputs carry tokens and post-back state.
			if n := attr(raw, "name"); n != "" && !strings.EqualFold(attr(raw, "type"), "hidden") {
				t.forms["field "+mask(n)] = n
			}
		case "iframe", "frame", "embed", "video", "audio", "source":
			add(t.embeds, "src")
		case "object":
			add(t.embeds, "data")
		case "b", "i", "u", "s", "em", "strong", "font", "big", "small", "center", "strike", "mark", "sub", "sup", "tt", "hr":
			t.styles[string(name)]++
		}
	}
	return t
}

// imageSource returns the address of a picture: the one scripts will put in
// place (data-…src…) rather than the placeholder that stands there until then.
func imageSource(raw []byte) string {
	src := ""
	for i := 4; i < len(raw); {
		var key, value []byte
		key, value, i = nextAttr(raw, i)
		k := lower(key)
		if k == "src" && src == "" {
			src = string(decodeRefs(nil, value))
		}
		if strings.HasPrefix(k, "data-") && strings.HasSuffix(k, "src") && len(value) > 0 {
			return strings.TrimSpace(string(decodeRefs(nil, value)))
		}
	}
	return strings.TrimSpace(src)
}

// canonical strips an address of what changes from fetch to fetch: the scheme,
// session ids, query values and fragments that look like tokens. What remains
// empty names nothing.
func canonical(href string) string {
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
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, fragment = s[:i], s[i+1:]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, query = s[:i], s[i+1:]
	}
	segs := strings.Split(s, "/")
	for i, seg := range segs {
		if j := strings.IndexByte(seg, ';'); j >= 0 {
			seg = seg[:j] // path parameters hold session ids
		}
		segs[i] = maskSegment(seg)
	}
	s = strings.Join(segs, "/")
	var keep []string
	for _, p := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		if k, v, ok := strings.Cut(p, "="); !ok && tokenish(k) || tokenish(v) {
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
	if !hasDigit(seg) {
		return seg
	}
	f := strings.FieldsFunc(seg, func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	changed := false
	for i, p := range f {
		if hexish(p) || hashed(p) {
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
	digits := 0
	for _, r := range v {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return digits >= 8 && digits == len(v) || hexish(v) || hashed(v) || len(v) >= 32
}

// hexish reports whether v is eight or more hexadecimal digits, both kinds present.
func hexish(v string) bool {
	letters, digits := 0, 0
	for _, r := range v {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F':
			letters++
		default:
			return false
		}
	}
	return len(v) >= 8 && letters > 0 && digits > 0
}

// existence compares two sets, leaving out what the memory has seen.
func existence(a, b map[string]string, kind string, m *Memory) Existence {
	var e Existence
	for k, v := range a {
		if _, ok := b[k]; !ok && !m.knowsGone(thingHash(kind, k)) {
			e.Removed = append(e.Removed, clean(v))
		}
	}
	for k, v := range b {
		if _, ok := a[k]; !ok && !m.knows(thingHash(kind, k)) {
			e.Added = append(e.Added, clean(v))
		}
	}
	sort.Strings(e.Added)
	sort.Strings(e.Removed)
	return e
}

// restyled counts the appearance tags whose number changed.
func restyled(a, b map[string]int) int {
	n := 0
	for k, v := range a {
		if b[k] != v {
			n++
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			n++
		}
	}
	return n
}
