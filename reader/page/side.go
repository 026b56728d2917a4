package page

import (
	"sort"
	"strings"

	"diurna/reader/markup"
)

// things are the parts of a page that are no text: what the paper calls the
// existence of contents, and appearance. Each is a set of canonical names.
type things struct {
	links, images, forms, embeds map[string]string    // canonical name: as written
	styles                       [markup.Elements]int // appearance tags
}

// mostThings is how many links, images, forms and embeds of a page are looked
// at: no page for people comes near, and each is kept with its name.
const mostThings = 50_000

// thingsOf collects the parts of a document inside a scope (nil: all).
func thingsOf(d *document, in bitset) things {
	t := things{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, [markup.Elements]int{}}
	n := 0
	put := func(set map[string]string, name, as string) {
		_, known := set[name]
		if !known {
			n++
		}
		if known || n <= mostThings {
			set[name] = as
		}
	}
	for i := int32(0); i < d.end(); i = d.next(i) {
		if d.is(i) != aTag || in != nil && !in.has(i) {
			continue
		}
		e, closing := d.element(i)
		if closing {
			continue
		}
		raw := d.at(i)
		add := func(set map[string]string, key string) {
			if v := attr(raw, key); v != "" {
				if c := canonical(v); c != "" {
					put(set, c, v)
				}
			}
		}
		switch e {
		case markup.A, markup.Area:
			add(t.links, "href")
		case markup.Img:
			if v := imageSource(raw); v != "" {
				if c := canonical(v); c != "" {
					put(t.images, c, v)
				}
			}
		case markup.Form:
			action := attr(raw, "action")
			put(t.forms, "form "+canonical(action), action)
		case markup.Input, markup.Select, markup.Textarea:
			// Hidden inputs carry tokens and post-back state.
			if n := attr(raw, "name"); n != "" && !strings.EqualFold(attr(raw, "type"), "hidden") {
				put(t.forms, "field "+mask(n), n)
			}
		case markup.Iframe, markup.Frame, markup.Embed, markup.Video, markup.Audio, markup.Source:
			add(t.embeds, "src")
		case markup.Object:
			add(t.embeds, "data")
		case markup.B, markup.I, markup.U, markup.S, markup.Em, markup.Strong, markup.Font, markup.Big, markup.Small, markup.Center, markup.Strike, markup.Mark, markup.Sub, markup.Sup, markup.Tt, markup.Hr:
			t.styles[e]++
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
	gone, come := missingFrom(b, a), missingFrom(a, b)
	same := tagged(gone, come)
	for _, k := range gone {
		if !same[k] && !m.cameAndWent(thingHash(kind, k)) {
			e.Removed = append(e.Removed, clean(a[k]))
		}
	}
	for _, k := range come {
		if !same[k] && !m.knows(thingHash(kind, k)) {
			e.Added = append(e.Added, clean(b[k]))
		}
	}
	sort.Strings(e.Added)
	sort.Strings(e.Removed)
	return e
}

// missingFrom lists the names in of that set lacks.
func missingFrom(set, of map[string]string) (out []string) {
	for k := range of {
		if _, ok := set[k]; !ok {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

// tagged finds the addresses that lead where they led, but for something every
// one of them got in its query: a campaign, a version, a session. At least
// manyAlike must have changed in the same way.
func tagged(gone, come []string) map[string]bool {
	old := map[string]string{} // by path; "": several
	for _, k := range gone {
		path, _, _ := strings.Cut(k, "?")
		if _, twice := old[path]; twice {
			k = ""
		}
		old[path] = k
	}
	alike := map[string][]string{}
	for _, k := range come {
		path, query, _ := strings.Cut(k, "?")
		if was := old[path]; was != "" {
			_, before, _ := strings.Cut(was, "?")
			how := retagged(before, query)
			alike[how] = append(alike[how], was, k)
		}
	}
	same := map[string]bool{}
	for _, pair := range alike {
		for _, k := range pair {
			same[k] = same[k] || len(pair) >= 2*manyAlike
		}
	}
	return same
}

// retagged says how one query becomes another: the names of what came and went,
// and the values of what is another now.
func retagged(before, after string) string {
	was := map[string]string{}
	params := func(q string) []string { return strings.FieldsFunc(q, func(r rune) bool { return r == '&' }) }
	for _, p := range params(before) {
		k, v, _ := strings.Cut(p, "=")
		was[k] = v
	}
	var how []string
	for _, p := range params(after) {
		k, v, _ := strings.Cut(p, "=")
		old, ok := was[k]
		delete(was, k)
		switch {
		case !ok:
			how = append(how, "+"+k)
		case old != v:
			how = append(how, k+"="+old+"="+v)
		}
	}
	for k := range was {
		how = append(how, "-"+k)
	}
	sort.Strings(how)
	return strings.Join(how, "&")
}

// restyled counts the appearance tags whose number changed.
func restyled(a, b [markup.Elements]int) int {
	n := 0
	for e := range a {
		if a[e] != b[e] {
			n++
		}
	}
	return n
}
