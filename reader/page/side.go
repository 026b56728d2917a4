package page

import (
	"sort"
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// Things are the parts of a page that are no text: what the paper calls the
// existence of contents, and appearance. Each is a set of canonical names.
type Things struct {
	Links, Images, forms, Embeds map[string]string    // canonical name: as written
	styles                       [markup.Elements]int // appearance tags
}

// mostThings is how many links, images, forms and embeds of a page are looked
// at: no page for people comes near, and each is kept with its name.
const mostThings = 50_000

// ThingsOf collects the parts of a document inside a scope (nil: all).
func ThingsOf(d *align.Document, in align.Bitset) Things {
	t := Things{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, [markup.Elements]int{}}
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
	for i := int32(0); i < d.End(); i = d.Next(i) {
		if d.Is(i) != align.Tag || in != nil && !in.Has(i) {
			continue
		}
		e, closing := d.Element(i)
		if closing {
			continue
		}
		raw := d.At(i)
		add := func(set map[string]string, key string) {
			if v := markup.Attr(raw, key); v != "" {
				if c := align.Canonical(v); c != "" {
					put(set, c, v)
				}
			}
		}
		switch e {
		case markup.A, markup.Area:
			add(t.Links, "href")
		case markup.Img:
			if v := align.ImageSource(raw); v != "" {
				if c := align.Canonical(v); c != "" {
					put(t.Images, c, v)
				}
			}
		case markup.Form:
			action := markup.Attr(raw, "action")
			put(t.forms, "form "+align.Canonical(action), action)
		case markup.Input, markup.Select, markup.Textarea:
			// Hidden inputs carry tokens and post-back state.
			if n := markup.Attr(raw, "name"); n != "" && !strings.EqualFold(markup.Attr(raw, "type"), "hidden") {
				put(t.forms, "field "+kind.Mask(n), n)
			}
		case markup.Iframe, markup.Frame, markup.Embed, markup.Video, markup.Audio, markup.Source:
			add(t.Embeds, "src")
		case markup.Object:
			add(t.Embeds, "data")
		case markup.B, markup.I, markup.U, markup.S, markup.Em, markup.Strong, markup.Font, markup.Big, markup.Small, markup.Center, markup.Strike, markup.Mark, markup.Sub, markup.Sup, markup.Tt, markup.Hr:
			t.styles[e]++
		}
	}
	return t
}

// existence compares two sets, leaving out what the memory has seen.
func existence(a, b map[string]string, kind string, m *Memory) Existence {
	var e Existence
	gone, come := missingFrom(b, a), missingFrom(a, b)
	same := tagged(gone, come)
	for _, k := range gone {
		if !same[k] && !m.cameAndWent(align.ThingHash(kind, k)) {
			e.Removed = append(e.Removed, align.Clean(a[k]))
		}
	}
	for _, k := range come {
		if !same[k] && !m.Knows(align.ThingHash(kind, k)) {
			e.Added = append(e.Added, align.Clean(b[k]))
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
