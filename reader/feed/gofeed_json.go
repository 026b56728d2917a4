package feed

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/mmcdole/gofeed"
	jsonfeed "github.com/mmcdole/gofeed/json"

	"diurna/reader/feed/xmlscan"
	"diurna/reader/plain"
)

// gofeed holds a whole document in memory, with every object in it: larger ones
// are read item by item.
const (
	maxGofeedJSON    = 4 << 20 // bytes
	maxGofeedObjects = 20_000
)

// byGofeed reads a JSON Feed with gofeed. It is false, and nothing is read, if
// gofeed refuses the document or would lose something of it.
func (r jsonReader) byGofeed(b []byte) bool {
	if len(b) > maxGofeedJSON || bytes.Count(b, []byte("{")) > maxGofeedObjects || bytes.Count(b, []byte(`"items"`)) > 1 {
		return false // of two lists of items gofeed keeps one
	}
	t := &jsonTranslator{r, bytes.Contains(b, []byte(`"items"`))}
	return r.p.byGofeed(b, &gofeed.Parser{JSONTranslator: t})
}

// jsonTranslator takes over what gofeed read of a JSON Feed.
type jsonTranslator struct {
	jsonReader
	listed bool // it has a list of items, perhaps an empty one
}

// Translate keeps what gofeed's universal form has no place for: all authors, the
// text beside its summary, dates as they are written, and that an item was null.
func (t *jsonTranslator) Translate(read any) (*gofeed.Feed, error) {
	f, ok := read.(*jsonfeed.Feed)
	if !ok || !t.listed && !strings.Contains(f.Version, "jsonfeed.org") {
		return nil, errLoses
	}
	for _, it := range f.Items {
		switch {
		case it != nil && notText(it.ID):
			return nil, errLoses
		case len(t.p.doc.Items) >= t.p.maxItems:
			t.p.dropped++
		case it == nil:
			t.p.badItem++
		default:
			t.item(it)
		}
	}
	t.feed(f)
	return &gofeed.Feed{}, nil
}

// notText reports whether an id may have been something other than text or a number,
// which gofeed turns into text.
func notText(id string) bool {
	return strings.HasPrefix(id, "{") || strings.HasPrefix(id, "[") || id == "true" || id == "false"
}

// feed takes over what is said of the feed itself, after its items.
func (r jsonReader) feed(f *jsonfeed.Feed) {
	d := &r.p.doc
	d.Format = "JSON Feed"
	if i := strings.LastIndex(f.Version, "/version/"); i >= 0 {
		d.Format += " " + line(f.Version[i+9:], 8)
	}
	d.Title = line(f.Title, MaxTitle)
	d.Link = xmlscan.Address(r.p.base, f.HomePageURL)
	d.Self = xmlscan.Address(r.p.base, f.FeedURL)
	d.Description = line(f.Description, MaxTitle)
	d.Language = line(f.Language, 64)
	setOnce(&d.Language, r.p.spoken())
	d.Icon = xmlscan.Address(r.p.base, f.Icon)
	author := jsonAuthors(append(f.Authors, f.Author))
	for i := range d.Items {
		setOnce(&d.Items[i].Author, author)
	}
}

// jsonAuthors are the names of authors between commas.
func jsonAuthors(all []*jsonfeed.Author) string {
	var names []string
	for _, a := range all[:min(len(all), 2*MaxEnclosures)] {
		if a == nil {
			continue
		}
		if n := line(a.Name, 256); n != "" && !strings.Contains(strings.Join(names, ", "), n) {
			names = append(names, n)
		}
	}
	return line(strings.Join(names, ", "), MaxTitle)
}

func (r jsonReader) item(f *jsonfeed.Item) {
	d := draft{}
	it := &d.it
	it.IDRaw = strings.TrimSpace(f.ID)
	if len(it.IDRaw) > MaxURL {
		it.IDRaw = it.IDRaw[:MaxURL]
	}
	it.Title = line(f.Title, MaxTitle)
	for _, u := range []string{f.URL, f.ExternalURL} {
		if len(u) <= MaxURL {
			setOnce(&it.Link, xmlscan.Address(r.p.base, u))
		}
	}
	if it.Link == "" && strings.HasPrefix(it.IDRaw, "http") {
		it.Link = line(it.IDRaw, MaxURL)
	}
	it.Author = jsonAuthors(append(f.Authors, f.Author))
	for _, date := range [...]struct{ key, text string }{{"published", f.DatePublished}, {"updated", f.DateModified}} {
		if date.text != "" {
			r.p.dates(&d, element{key: date.key, content: []byte("<![CDATA[" + date.text[:min(len(date.text), MaxDate)] + "]]>")})
		}
	}
	for _, tag := range f.Tags[:min(len(f.Tags), MaxCategories)] {
		if s := line(tag, 256); s != "" {
			it.Categories = append(it.Categories, s)
		}
	}
	if f.Attachments != nil {
		for _, a := range (*f.Attachments)[:min(len(*f.Attachments), MaxEnclosures)] {
			if a.SizeInBytes < 0 || a.SizeInBytes > 1<<53 {
				a.SizeInBytes = 0
			}
			r.p.addEnclosure(&d, Enclosure{URL: xmlscan.Address(r.p.base, a.URL), Type: a.MimeType, Title: a.Title, Length: a.SizeInBytes, Seconds: seconds(strconv.FormatInt(a.DurationInSeconds, 10))})
		}
	}
	r.body(it, f)
	r.p.doc.Items = append(r.p.doc.Items, *it)
}

func (r jsonReader) body(it *Entry, f *jsonfeed.Item) {
	bound := func(s string) string {
		if len(s) > 2*MaxItem {
			r.p.tooLong++
			s = s[:2*MaxItem]
		}
		return s
	}
	body := bound(f.ContentHTML)
	if body == "" {
		body = textToHTML(bound(f.ContentText))
	}
	summary := textToHTML(bound(f.Summary))
	if body == "" {
		body, summary = summary, ""
	}
	it.ContentHTML = plain.HTML(xmlscan.Rebase(body, r.p.base), MaxItem)
	it.SummaryHTML = plain.HTML(xmlscan.Rebase(summary, r.p.base), MaxItem)
	it.Words = plain.Words(it.ContentHTML)
}
