package feed

import (
	"bytes"
	"encoding/json"
	"strings"

	"diurna/reader/plain"
)

// fields is a JSON object with its members unread, so that one of the wrong
// type spoils nothing but itself.
type fields map[string]json.RawMessage

// str returns a member that should be a string; numbers will do.
func (f fields) str(name string) string {
	raw := bytes.TrimSpace(f[name])
	if len(raw) == 0 {
		return ""
	}
	switch c := raw[0]; {
	case c == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return s
	case c == '-' || c >= '0' && c <= '9':
		return string(raw)
	}
	return ""
}

// list returns the elements of a member that should be an array of objects; a
// single object will do.
func (f fields) list(name string) []fields {
	var one fields
	var all []json.RawMessage
	if json.Unmarshal(f[name], &all) != nil {
		if json.Unmarshal(f[name], &one) == nil && one != nil {
			return []fields{one}
		}
		return nil
	}
	out := make([]fields, 0, min(len(all), MaxEnclosures))
	for _, raw := range all {
		var v fields
		if json.Unmarshal(raw, &v) == nil && len(out) < MaxEnclosures {
			out = append(out, v)
		}
	}
	return out
}

// json reads a JSON Feed item by item, so that one bad item costs no other. What
// is no JSON, or breaks off, is read again as it can be.
func (p *parser) json(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ErrNotFeed
	}
	before := *p
	top := fields{}
	found, whole := false, true
	for whole && dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		if whole = err == nil && ok; !whole {
			break
		}
		if name == "items" {
			found = true
			whole = p.jsonItems(dec)
			continue
		}
		var raw json.RawMessage
		if whole = dec.Decode(&raw) == nil; whole && len(top) < MaxAttributes {
			top[name] = raw
		}
	}
	if _, err := dec.Token(); err != nil || !whole {
		*p = before
		return p.mendJSON(b)
	}
	version := top.str("version")
	if !found && !strings.Contains(version, "jsonfeed.org") {
		return ErrNotFeed
	}
	p.jsonFeed(top, version)
	return nil
}

// jsonItems reads the items and reports whether they were whole: an array, or an
// object that gives each a name, which tells nothing.
func (p *parser) jsonItems(dec *json.Decoder) bool {
	begin, err := dec.Token()
	named := begin == json.Delim('{')
	if err != nil || !named && begin != json.Delim('[') {
		return err == nil
	}
	for dec.More() {
		if named {
			if _, err := dec.Token(); err != nil {
				return false
			}
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return false
		}
		if len(p.doc.Items) >= p.maxItems {
			p.dropped++
			continue
		}
		var f fields
		if json.Unmarshal(raw, &f) != nil || f == nil {
			p.badItem++
			continue
		}
		p.jsonItem(f)
	}
	_, err = dec.Token()
	return err == nil
}

func (p *parser) jsonFeed(f fields, version string) {
	d := &p.doc
	d.Format = "JSON Feed"
	if i := strings.LastIndex(version, "/version/"); i >= 0 {
		d.Format += " " + line(version[i+9:], 8)
	}
	d.Title = line(f.str("title"), MaxTitle)
	d.Link = address(p.base, f.str("home_page_url"))
	d.Self = address(p.base, f.str("feed_url"))
	d.Description = line(f.str("description"), MaxTitle)
	d.Language = line(f.str("language"), 64)
	setOnce(&d.Language, p.spoken())
	d.Icon = address(p.base, f.str("icon"))
	author := jsonAuthors(f)
	for i := range d.Items {
		setOnce(&d.Items[i].Author, author)
	}
}

func jsonAuthors(f fields) string {
	var names []string
	for _, a := range append(f.list("authors"), f.list("author")...) {
		if n := line(a.str("name"), 256); n != "" && !strings.Contains(strings.Join(names, ", "), n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return line(f.str("author"), 256)
	}
	return line(strings.Join(names, ", "), MaxTitle)
}

func (p *parser) jsonItem(f fields) {
	d := draft{}
	it := &d.it
	it.IDRaw = strings.TrimSpace(f.str("id"))
	if len(it.IDRaw) > MaxURL {
		it.IDRaw = it.IDRaw[:MaxURL]
	}
	it.Title = line(f.str("title"), MaxTitle)
	for _, name := range []string{"url", "external_url"} {
		if u := f.str(name); len(u) <= MaxURL {
			setOnce(&it.Link, address(p.base, u))
		}
	}
	if it.Link == "" && strings.HasPrefix(it.IDRaw, "http") {
		it.Link = line(it.IDRaw, MaxURL)
	}
	it.Author = jsonAuthors(f)
	for _, date := range []struct {
		name string
		key  string
	}{{"date_published", "published"}, {"date_modified", "updated"}} {
		if s := f.str(date.name); s != "" {
			p.dates(&d, element{key: date.key, content: []byte("<![CDATA[" + s[:min(len(s), MaxDate)] + "]]>")})
		}
	}
	var tags []json.RawMessage
	_ = json.Unmarshal(f["tags"], &tags) // a wrong type means no tags
	for _, raw := range tags[:min(len(tags), MaxCategories)] {
		if s := line(fields{"": raw}.str(""), 256); s != "" {
			it.Categories = append(it.Categories, s)
		}
	}
	for _, a := range f.list("attachments") {
		var n float64
		_ = json.Unmarshal(a["size_in_bytes"], &n) // a wrong type means unknown
		if n < 0 || n > 1<<53 {
			n = 0
		}
		p.addEnclosure(&d, Enclosure{URL: address(p.base, a.str("url")), Type: a.str("mime_type"), Title: a.str("title"), Length: int64(n)})
	}
	p.jsonBody(it, f)
	p.doc.Items = append(p.doc.Items, *it)
}

func (p *parser) jsonBody(it *Item, f fields) {
	bound := func(s string) string {
		if len(s) > 2*MaxItem {
			p.tooLong++
			s = s[:2*MaxItem]
		}
		return s
	}
	body := bound(f.str("content_html"))
	if body == "" {
		body = textToHTML(bound(f.str("content_text")))
	}
	summary := textToHTML(bound(f.str("summary")))
	if body == "" {
		body, summary = summary, ""
	}
	it.ContentHTML = plain.HTML(rebase(body, p.base), MaxItem)
	it.SummaryHTML = plain.HTML(rebase(summary, p.base), MaxItem)
	it.Words = plain.Words(it.ContentHTML)
}
