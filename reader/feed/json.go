package feed

import (
	"bytes"
	"encoding/json"
	"strings"

	jsonfeed "github.com/mmcdole/gofeed/json"
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

// jsonReader reads a JSON Feed into what a parser knows of its document.
type jsonReader struct{ p *parser }

// read reads a JSON Feed: by gofeed, or where it refuses it, item by item, so that
// one bad item costs no other. What is no JSON, or breaks off, is read again as it
// can be.
func (r jsonReader) read(b []byte) error {
	if r.byGofeed(b) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ErrNotFeed
	}
	before := *r.p
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
			whole = r.items(dec)
			continue
		}
		var raw json.RawMessage
		if whole = dec.Decode(&raw) == nil; whole && len(top) < MaxAttributes {
			top[name] = raw
		}
	}
	if _, err := dec.Token(); err != nil || !whole {
		*r.p = before
		return r.mend(b)
	}
	version := top.str("version")
	if !found && !strings.Contains(version, "jsonfeed.org") {
		return ErrNotFeed
	}
	r.feed(top.feed())
	return nil
}

// items reads the items and reports whether they were whole: an array, or an
// object that gives each a name, which tells nothing.
func (r jsonReader) items(dec *json.Decoder) bool {
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
		if len(r.p.doc.Items) >= r.p.maxItems {
			r.p.dropped++
			continue
		}
		var f fields
		if json.Unmarshal(raw, &f) != nil || f == nil {
			r.p.badItem++
			continue
		}
		r.item(f.item())
	}
	_, err = dec.Token()
	return err == nil
}

// feed is what is known of a feed with these members, in gofeed's terms.
func (f fields) feed() *jsonfeed.Feed {
	return &jsonfeed.Feed{Version: f.str("version"), Title: f.str("title"), HomePageURL: f.str("home_page_url"), FeedURL: f.str("feed_url"),
		Description: f.str("description"), Language: f.str("language"), Icon: f.str("icon"), Authors: f.authors()}
}

// item is an item with these members, in gofeed's terms.
func (f fields) item() *jsonfeed.Item {
	it := &jsonfeed.Item{ID: f.str("id"), Title: f.str("title"), URL: f.str("url"), ExternalURL: f.str("external_url"),
		ContentHTML: f.str("content_html"), ContentText: f.str("content_text"), Summary: f.str("summary"),
		DatePublished: f.str("date_published"), DateModified: f.str("date_modified"), Authors: f.authors()}
	var tags []json.RawMessage
	_ = json.Unmarshal(f["tags"], &tags) // a wrong type means no tags
	for _, raw := range tags[:min(len(tags), MaxCategories)] {
		it.Tags = append(it.Tags, fields{"": raw}.str(""))
	}
	files := []jsonfeed.Attachments{}
	for _, a := range f.list("attachments") {
		number := func(name string) int64 {
			var n float64
			_ = json.Unmarshal(a[name], &n) // a wrong type means unknown
			if n < 0 || n > 1<<53 {
				n = 0
			}
			return int64(n)
		}
		files = append(files, jsonfeed.Attachments{URL: a.str("url"), MimeType: a.str("mime_type"), Title: a.str("title"), SizeInBytes: number("size_in_bytes"), DurationInSeconds: number("duration_in_seconds")})
	}
	it.Attachments = &files
	return it
}

func (f fields) authors() []*jsonfeed.Author {
	var all []*jsonfeed.Author
	for _, a := range append(f.list("authors"), f.list("author")...) {
		all = append(all, &jsonfeed.Author{Name: a.str("name")})
	}
	if len(jsonAuthors(all)) == 0 {
		all = []*jsonfeed.Author{{Name: f.str("author")}}
	}
	return all
}
