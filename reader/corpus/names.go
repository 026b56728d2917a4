package corpus

import (
	"html"
	"strconv"
	"strings"
	"time"

	"diurna/reader/feed"
)

// view looks at a document, one of its items, or an item's source, by the
// names feedparser has for what is in there. What an Item or a Document keeps
// is taken from there; the rest from the elements as the parser read them.
type view struct {
	doc   *feed.Document
	item  *feed.Item // nil: the feed itself
	nodes []feed.Node
	part  bool // a source: only its elements
}

// elements lists, for feedparser's names of single texts, the elements they
// come from, the best first.
var elements = map[string]string{
	"title":    "title atom:title dc:title media:title itunes:title",
	"subtitle": "atom:subtitle atom:tagline description itunes:subtitle dc:description itunes:summary",
	"rights":   "atom:rights atom:copyright copyright dc:rights", "info": "atom:info info ?:browserfriendly", "logo": "atom:logo logo",
	"icon": "atom:icon icon", "docs": "docs", "comments": "comments", "license": "creativecommons:license cc:license ?:license", "ttl": "ttl",
	"itunes_block": "itunes:block", "itunes_explicit": "itunes:explicit", "wfw_comment": "?:comment", "wfw_commentrss": "?:commentrss",
	"itunes_duration": "itunes:duration", "generator": "generator atom:generator", "errorreportsto": "?:errorreportsto",
	"summary": "atom:summary description summary dc:description abstract media:description itunes:summary",
	"content": "atom:content content:encoded content xhtml:body body fullitem xhtml:div ?:fullitem", "created": "dcterms:created atom:created created",
	"expired": "expirationdate", "published": "pubdate atom:published atom:issued published issued dcterms:issued",
	"updated": "atom:updated atom:modified updated modified lastbuilddate dcterms:modified dc:date pubdate atom:published dcterms:issued",
	"author":  "atom:author author managingeditor dc:creator dc:author itunes:author creator", "publisher": "dc:publisher webmaster itunes:owner",
	"contributor": "atom:contributor dc:contributor", "image": "image itunes:image", "textinput": "textinput", "cloud": "cloud",
	"source": "atom:source source", "id": "atom:id guid id", "language": "language dc:language",
}

// aliases are the older names feedparser knows things by.
var aliases = map[string]string{
	"tagline": "subtitle", "description": "subtitle", "copyright": "rights", "guid": "id", "modified": "updated",
	"issued": "published", "date": "updated", "url": "href",
}

// find returns the first element of the first of the names that is there; of
// dates the last, which is what counts.
func (v view) find(name string) *feed.Node {
	for _, key := range strings.Fields(elements[name]) {
		n := child(v.nodes, key)
		if n != nil && (name == "created" || name == "expired" || name == "published" || name == "updated") {
			for i := range v.nodes {
				if v.nodes[i].Name == key {
					n = &v.nodes[i]
				}
			}
		}
		if n != nil {
			return n
		}
	}
	return nil
}

func child(nodes []feed.Node, key string) *feed.Node {
	for i := range nodes {
		if nodes[i].Name == key {
			return &nodes[i]
		}
	}
	return nil
}

// member finds what feedparser calls name.
func (v view) member(name string) (any, error) {
	name = v.alias(name)
	if base, ok := strings.CutSuffix(name, "_parsed"); ok {
		return v.date(base)
	}
	if base, ok := strings.CutSuffix(name, "_detail"); ok {
		return v.detail(base)
	}
	switch name {
	case "title", "summary", "content":
		return v.body(name)
	case "link", "links", "id", "guidislink", "enclosures", "comments":
		return v.address(name)
	case "author", "publisher", "authors", "contributors", "tags", "category", "categories":
		return v.people(name)
	case "image", "cloud", "textinput", "source":
		return v.parts(name)
	case "language":
		return v.language()
	case "itunes_block", "itunes_explicit":
		return v.flag(name)
	}
	if n := v.find(name); n != nil {
		if (name == "logo" || name == "icon" || name == "docs" || name == "license" || strings.HasPrefix(name, "wfw")) && n.URL != "" {
			return n.URL, nil
		}
		return value(n), nil
	}
	if _, known := elements[name]; known {
		return nil, errRaise
	}
	return nil, unmapped{name}
}

// alias gives the newer of two names; a description is an item's summary.
func (v view) alias(name string) string {
	base, end := name, ""
	for _, e := range []string{"_detail", "_parsed"} {
		if b, ok := strings.CutSuffix(name, e); ok {
			base, end = b, e
		}
	}
	if v.item != nil && !v.part && base == "description" {
		return "summary" + end
	}
	if a, ok := aliases[base]; ok {
		return a + end
	}
	return name
}

// value is the text of an element, to be compared as it is meant.
func value(n *feed.Node) any {
	if n.Type == "text/plain" {
		return text{s: n.Text, kind: asText}
	}
	return text{s: n.HTML, kind: asMarkup}
}

// body finds the texts that items and documents keep themselves.
func (v view) body(name string) (any, error) {
	n := v.find(name)
	plain := n != nil && n.Type == "text/plain"
	switch {
	case v.part && n != nil:
		return value(n), nil
	case v.part:
	case name == "title":
		title := v.doc.Title
		if v.item != nil {
			title = v.item.Title
		}
		if title != "" || n != nil {
			return text{s: title, kind: asTitle}, nil
		}
	case v.item == nil:
	case name == "content":
		switch {
		case n != nil:
			return list{v.content(n)}, nil
		case v.item.SummaryHTML != "": // the longer of two texts, whatever element it stands in
			return list{dict{"value": text{s: v.item.ContentHTML, kind: asMarkup}}}, nil
		}
	default:
		if n == nil { // the content stands in for a summary
			n = v.find("content")
			plain = n != nil && n.Type == "text/plain"
		}
		s := v.item.SummaryHTML
		if s == "" {
			s = v.item.ContentHTML
		}
		if s != "" || n != nil {
			return text{s: s, kind: asMarkup, plain: plain}, nil
		}
	}
	return nil, errRaise
}

func (v view) content(n *feed.Node) dict {
	d := describe(n)
	d["value"] = text{s: v.item.ContentHTML, kind: asMarkup, plain: n.Type == "text/plain"}
	if src := n.Attrs["src"]; src != "" {
		d["src"] = n.URL
	}
	return d
}

// detail is what feedparser says of a text besides the text.
func (v view) detail(name string) (any, error) {
	n := v.find(name)
	if n == nil {
		return nil, errRaise
	}
	switch name {
	case "author", "publisher":
		all, err := v.people(name + "s")
		if err != nil {
			return nil, err
		}
		return index(all.(list), int64(0))
	case "generator":
		d := dict{"name": n.Text}
		if n.Attrs["uri"]+n.Attrs["url"]+n.Attrs["rdf:resource"] != "" {
			d["href"] = n.URL
		}
		if n.Attrs["version"] != "" {
			d["version"] = n.Attrs["version"]
		}
		return d, nil
	}
	d := describe(n)
	if got, err := v.member(name); err == nil {
		d["value"] = got
	}
	return d, nil
}

func describe(n *feed.Node) dict {
	d := dict{"value": value(n), "type": n.Type, "base": n.Base, "language": nil}
	if n.Lang != "" {
		d["language"] = n.Lang
	}
	return d
}

// date is the moment of a date, as Python's tuple.
func (v view) date(name string) (any, error) {
	var at time.Time
	if v.item != nil && !v.part {
		switch name {
		case "updated":
			if at = v.item.Updated; at.IsZero() {
				at = v.item.Published // as feedparser does
			}
		case "published":
			at = v.item.Published
		}
	} else if name == "updated" && !v.part {
		at = v.doc.Updated
	}
	if at.IsZero() {
		if _, known := elements[name]; !known {
			return nil, unmapped{name + "_parsed"}
		}
		n := v.find(name)
		if n == nil {
			return nil, errRaise
		}
		var ok bool
		if at, _, ok = feed.ParseDate(n.Text); !ok {
			return nil, nil
		}
	}
	return timeTuple(at), nil
}

// address finds links and ids.
func (v view) address(name string) (any, error) {
	links := v.links()
	switch name {
	case "links":
		return links, nil
	case "enclosures":
		all := list{}
		for _, e := range v.item.Enclosures {
			d := dict{"href": e.URL, "type": e.Type}
			if e.Length > 0 {
				d["length"] = strconv.FormatInt(e.Length, 10)
			}
			all = append(all, d)
		}
		return all, nil
	case "guidislink":
		return v.item != nil && child(v.nodes, "link") == nil && v.item.Link != "" && v.item.Link == v.item.IDRaw, nil
	case "comments":
		if v.item != nil && v.item.Comments != "" {
			return v.item.Comments, nil
		}
	case "link":
		switch {
		case v.part:
			for _, l := range links {
				if d := l.(dict); d["rel"] == "alternate" {
					return d["href"], nil
				}
			}
		case v.item != nil:
			return v.item.Link, nil
		default:
			return v.doc.Link, nil
		}
	default:
		if v.item != nil && !v.part {
			return v.item.IDRaw, nil
		}
		if n := v.find(name); n != nil {
			return n.Text, nil
		}
	}
	return nil, errRaise
}

func (v view) links() list {
	all := list{}
	for i := range v.nodes {
		n := &v.nodes[i]
		rel := "alternate"
		switch n.Name {
		case "link", "atom:link":
			if r := n.Attrs["rel"]; r != "" {
				rel = strings.TrimPrefix(r, "http://www.iana.org/assignments/relation/")
			}
		case "enclosure":
			rel = "enclosure"
		default:
			continue
		}
		d := dict{"rel": rel, "href": n.URL, "type": "text/html"}
		for _, k := range []string{"type", "title", "length", "hreflang"} {
			if s := n.Attrs[k]; s != "" {
				d[k] = s
			}
		}
		all = append(all, d)
	}
	return all
}

// flag is a publisher's yes or no, as feedparser numbers it: a block counts with
// the one word that the module has for it.
func (v view) flag(name string) (any, error) {
	n := v.find(name)
	if n == nil {
		return nil, errRaise
	}
	if name == "itunes_block" {
		return n.Text == "yes" || n.Text == "Yes", nil
	}
	yes := strings.EqualFold(n.Text, "yes") || strings.EqualFold(n.Text, "true") || strings.EqualFold(n.Text, "explicit")
	no := strings.EqualFold(n.Text, "clean") || strings.EqualFold(n.Text, "no") || strings.EqualFold(n.Text, "false")
	switch {
	case yes:
		return true, nil
	case no:
		return false, nil
	}
	return nil, nil
}

// language is that of the document, or what an item says of itself.
func (v view) language() (any, error) {
	if v.item == nil && v.doc.Language != "" {
		return v.doc.Language, nil
	}
	if n := v.find("language"); n != nil {
		return n.Text, nil
	}
	return nil, errRaise
}

// parts finds the elements that have parts of their own.
func (v view) parts(name string) (any, error) {
	n := v.find(name)
	if n == nil && name == "image" && v.item == nil && v.doc.Icon != "" {
		return dict{"href": v.doc.Icon}, nil
	}
	if l := child(v.nodes, "itunes:link"); n == nil && name == "image" && l != nil && l.Attrs["rel"] == "image" {
		n = l
	}
	if n == nil {
		return nil, errRaise
	}
	if name == "source" {
		if len(n.Nodes) > 0 {
			return view{doc: v.doc, item: v.item, nodes: n.Nodes, part: true}, nil
		}
		return dict{"title": n.Text, "href": n.URL}, nil
	}
	d := dict{}
	for k, s := range n.Attrs {
		d[k] = s
	}
	for _, in := range n.Nodes {
		d[in.Name] = html.UnescapeString(in.Text)
		if in.Name == "url" {
			d["href"] = in.URL
		}
		if k, err := strconv.ParseInt(in.Text, 10, 64); err == nil {
			d[in.Name] = k
		}
	}
	if n.Attrs["href"]+n.Attrs["url"] != "" {
		d["href"] = n.URL
	}
	return d, nil
}
