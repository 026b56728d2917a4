package opml

import (
	"slices"
	"strings"
	"time"

	"diurna/reader/plain"
)

// queryAttr holds the query of an outline that is a saved query. What has no xmlUrl is no
// feed to any reader.
const queryAttr = "diurna:query"

func ownQuery(q Query) bool { return q.Own }

const ownSpace = ` xmlns:diurna="urn:diurna:opml"`

func appendOPML(out []byte, l List, created time.Time) []byte {
	out = append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\""...)
	if slices.ContainsFunc(l.Feeds, func(f Outline) bool { return f.Hidden || f.Watch != nil }) || slices.ContainsFunc(l.Queries, ownQuery) {
		out = append(out, ownSpace...)
	}
	out = append(out, ">\n  <head>\n    <title>"...)
	out = escape(out, line(l.Title))
	out = append(out, "</title>\n    <dateCreated>"...)
	out = created.UTC().AppendFormat(out, "Mon, 02 Jan 2006 15:04:05 GMT")
	out = append(out, "</dateCreated>\n"...)
	for _, name := range []string{"ownerName", "ownerEmail", "ownerId", "docs"} {
		if v := line(l.Head[strings.ToLower(name)]); v != "" {
			out = append(append(append(out, "    <"...), name...), '>')
			out = append(append(append(escape(out, v), "</"...), name...), ">\n"...)
		}
	}
	out = append(out, "  </head>\n  <body>\n"...)
	for _, q := range l.Queries {
		if ownQuery(q) {
			out = append(out, "    <outline"...)
			out = appendAttr(out, "type", "query")
			out = appendAttr(out, "text", line(q.Name))
			out = append(appendAttr(out, queryAttr, line(q.Expr)), "/>\n"...)
		}
	}
	out = appendFeeds(out, l.Feeds)
	return append(out, "  </body>\n</opml>\n"...)
}

// appendFeeds writes the feeds in their order. A folder stays open as long as
// feeds in it follow one another.
func appendFeeds(out []byte, feeds []Outline) []byte {
	var open []string
	indent := func() string { return strings.Repeat("  ", 2+len(open)) }
	down := func(to int) {
		for len(open) > to {
			open = open[:len(open)-1]
			out = append(append(out, indent()...), "</outline>\n"...)
		}
	}
	for i := range feeds {
		want := folders(feeds[i].Folder)
		same := 0
		for same < len(open) && same < len(want) && open[same] == want[same] {
			same++
		}
		down(same)
		for _, name := range want[same:] {
			shown := strings.ReplaceAll(name, slash, "/")
			out = append(append(out, indent()...), "<outline"...)
			out = appendAttr(out, "text", shown)
			out = appendAttr(out, "title", shown)
			out = append(out, ">\n"...)
			open = append(open, name)
		}
		out = appendFeed(out, indent(), &feeds[i])
	}
	down(0)
	return out
}

// folders are the names on a feed's way.
func folders(path string) []string {
	var names []string
	for _, name := range strings.Split(path, "/") {
		if name = line(name); name != "" && len(names) < MaxDepth {
			names = append(names, name)
		}
	}
	return names
}

func appendFeed(out []byte, indent string, f *Outline) []byte {
	address, ok := plain.URL(f.URL)
	if !ok {
		return out
	}
	title := line(f.Title)
	if title == "" {
		title = address
	}
	out = append(append(out, indent...), "<outline"...)
	if f.Watch != nil {
		return appendWatch(out, f, title, address)
	}
	out = appendAttr(out, "type", first(line(f.Attrs["type"]), "rss"))
	out = appendAttr(out, "text", title)
	out = appendAttr(out, "title", first(line(f.Attrs["title"]), title))
	out = appendAttr(out, "xmlUrl", address)
	if site, ok := plain.URL(f.Site); ok {
		out = appendAttr(out, "htmlUrl", site)
	}
	if category := first(f.Attrs["category"], Category(f.Tags)); category != "" {
		out = appendAttr(out, "category", category)
	}
	if f.Hidden {
		out = appendAttr(out, "diurna:hidden", "true")
	}
	for _, name := range others(f.Attrs) {
		value := f.Attrs[name]
		if prefix, ok := strings.CutPrefix(name, "xmlns:"); ok && value == "" {
			value = "urn:unknown:" + prefix
		}
		out = appendAttr(out, name, value)
	}
	return append(out, "/>\n"...)
}

// appendWatch writes a watched page as a link: what has no xmlUrl is no feed to
// any reader.
func appendWatch(out []byte, f *Outline, title, address string) []byte {
	out = appendAttr(out, "type", "link")
	out = appendAttr(out, "text", title)
	out = appendAttr(out, "url", address)
	if tags := Category(f.Tags); tags != "" {
		out = appendAttr(out, "category", tags)
	}
	if f.Hidden {
		out = appendAttr(out, "diurna:hidden", "true")
	}
	out = appendAttr(out, watchPrefix, "yes")
	names := make([]string, 0, len(f.Watch))
	for name := range f.Watch {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if validName(watchPrefix + "-" + name) {
			out = appendAttr(out, watchPrefix+"-"+name, f.Watch[name])
		}
	}
	return append(out, "/>\n"...)
}

// others are the names of attributes that are written as they came, and of the
// namespaces they need, in order.
func others(attrs map[string]string) []string {
	var names []string
	for name := range attrs {
		prefix, _, spaced := strings.Cut(name, ":")
		switch low := strings.ToLower(name); {
		case !validName(name), low == "xmlns:xml", low == "xmlns:xmlns", prefix == "diurna", low == "xmlns:diurna", low == "xmlns", low == "filtercmd":
			continue
		case low == "type", low == "text", low == "title", low == "xmlurl", low == "htmlurl", low == "category":
			continue
		case spaced && prefix != "xmlns" && prefix != "xml" && attrs["xmlns:"+prefix] == "":
			names = append(names, "xmlns:"+prefix) // undeclared it would not be XML
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Category writes tags as a category attribute that reads as the same tags.
func Category(tags []string) string {
	var b strings.Builder
	for i, t := range tags {
		if t = tagName(t); t == "" || i >= maxTags {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if strings.Contains(t, ",") || t[0] == '"' || category(t) != t {
			t = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
		}
		b.WriteString(t)
	}
	return b.String()
}

func appendAttr(out []byte, name, value string) []byte {
	out = append(append(append(out, ' '), name...), `="`...)
	return append(escape(out, text(value)), '"')
}

// escape writes s for XML text and quoted attributes.
//
//go:noinline // 30 places
func escape(out []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '&':
			out = append(out, "&amp;"...)
		case '<':
			out = append(out, "&lt;"...)
		case '>':
			out = append(out, "&gt;"...)
		case '"':
			out = append(out, "&quot;"...)
		case '\n':
			out = append(out, "&#10;"...)
		case '\r':
			out = append(out, "&#13;"...)
		case '\t':
			out = append(out, "&#9;"...)
		default:
			out = append(out, c)
		}
	}
	return out
}
