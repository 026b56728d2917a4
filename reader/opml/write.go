package opml

import (
	"maps"
	"slices"
	"strings"
	"time"

	"diurna/reader/plain"
)

// node is a folder on its way out: feeds and folders in the order they came.
type node struct {
	name     string
	children []child
	byName   map[string]*node
}

type child struct {
	feed   *Feed
	folder *node
}

// tree sorts the feeds into their folders.
func tree(feeds []Feed) *node {
	root := &node{}
	for i := range feeds {
		n := root
		for depth, name := range strings.Split(feeds[i].Folder, "/") {
			if name = line(name); name != "" && depth < MaxDepth {
				n = n.folder(name)
			}
		}
		n.children = append(n.children, child{feed: &feeds[i]})
	}
	return root
}

func (n *node) folder(name string) *node {
	if f := n.byName[name]; f != nil {
		return f
	}
	f := &node{name: name}
	if n.byName == nil {
		n.byName = map[string]*node{}
	}
	n.byName[name] = f
	n.children = append(n.children, child{folder: f})
	return f
}

const ownSpace = ` xmlns:diurna="urn:diurna:opml"`

func appendOPML(out []byte, l List, created time.Time) []byte {
	out = append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\""...)
	if slices.ContainsFunc(l.Feeds, func(f Feed) bool { return f.Hidden || f.Watch != nil }) {
		out = append(out, ownSpace...)
	}
	out = append(out, ">\n  <head>\n    <title>"...)
	out = escape(out, line(l.Title))
	out = append(out, "</title>\n    <dateCreated>"...)
	out = created.UTC().AppendFormat(out, "Mon, 02 Jan 2006 15:04:05 GMT")
	out = append(out, "</dateCreated>\n  </head>\n  <body>\n"...)
	out = tree(l.Feeds).append(out, "    ")
	return append(out, "  </body>\n</opml>\n"...)
}

func (n *node) append(out []byte, indent string) []byte {
	for _, c := range n.children {
		if c.feed != nil {
			out = appendFeed(out, indent, c.feed)
			continue
		}
		name := strings.ReplaceAll(c.folder.name, slash, "/")
		out = append(append(out, indent...), "<outline"...)
		out = appendAttr(out, "text", name)
		out = appendAttr(out, "title", name)
		out = append(out, ">\n"...)
		out = c.folder.append(out, indent+"  ")
		out = append(append(out, indent...), "</outline>\n"...)
	}
	return out
}

func appendFeed(out []byte, indent string, f *Feed) []byte {
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
	if tags := joinCategory(f.Tags); tags != "" {
		out = appendAttr(out, "category", tags)
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
func appendWatch(out []byte, f *Feed, title, address string) []byte {
	out = appendAttr(out, "type", "link")
	out = appendAttr(out, "text", title)
	out = appendAttr(out, "url", address)
	if tags := joinCategory(f.Tags); tags != "" {
		out = appendAttr(out, "category", tags)
	}
	if f.Hidden {
		out = appendAttr(out, "diurna:hidden", "true")
	}
	out = appendAttr(out, watchPrefix, "yes")
	for _, name := range slices.Sorted(maps.Keys(f.Watch)) {
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
		case slices.Contains([]string{"type", "text", "title", "xmlurl", "htmlurl", "category"}, low):
			continue
		case spaced && prefix != "xmlns" && prefix != "xml" && attrs["xmlns:"+prefix] == "":
			names = append(names, "xmlns:"+prefix) // undeclared it would not be XML
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// joinCategory writes tags so that splitCategory reads the same ones.
func joinCategory(tags []string) string {
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
