package feed

import (
	"strconv"
	"strings"

	"github.com/mmcdole/gofeed"
	atomfeed "github.com/mmcdole/gofeed/atom"
	ext "github.com/mmcdole/gofeed/extensions"
	rssfeed "github.com/mmcdole/gofeed/rss"

	"diurna/reader/feed/xmlscan"
)

// xmlByGofeed reads an XML feed by gofeed. It is false, and nothing is read, where
// gofeed refuses the document or would lose something of it.
func (p *parser) xmlByGofeed(b []byte, root xmlscan.Tag, sc xmlscan.Scope) bool {
	if p.scanOnly {
		return false
	}
	doc, m, ok := p.mend(b, root, sc)
	if !ok {
		return false
	}
	t := translator{p, m.feed.base, m.items, m.long}
	return p.byGofeed(doc, &gofeed.Parser{RSSTranslator: rssTranslator{t}, AtomTranslator: atomTranslator{t}})
}

// translator takes over what gofeed read, with all that its universal form has no
// place for: all links and authors, texts beside their summaries, dates as they are
// written, what modules say.
type translator struct {
	p     *parser
	base  string
	items int // how many there are
	long  []element
}

type rssTranslator struct{ translator }

// Translate takes over a feed of RSS or RDF.
func (t rssTranslator) Translate(read any) (*gofeed.Feed, error) {
	f, ok := read.(*rssfeed.Feed)
	if !ok || len(f.Items) != t.items {
		return nil, errLoses
	}
	c := &channel{}
	for _, it := range f.Items {
		t.item(it)
	}
	take := func(e element) {
		if e.given != nil {
			t.p.feedField(c, e)
		}
	}
	take(t.text("title", f.Title))
	take(t.text("description", f.Description))
	take(t.text("language", f.Language))
	take(t.text("ttl", f.TTL))
	take(t.text("pubdate", f.PubDate))
	take(t.text("lastbuilddate", f.LastBuildDate))
	for _, l := range f.Links {
		take(t.text("link", l))
	}
	if f.Image != nil {
		take(t.text("image", f.Image.URL))
	}
	for _, hour := range f.SkipHours {
		t.p.skip("skiphours", hour)
	}
	for _, day := range f.SkipDays {
		t.p.skip("skipdays", day)
	}
	t.extensions(f.Extensions, t.base, take)
	t.p.feedEnds(c)
	return &gofeed.Feed{}, nil
}

func (t rssTranslator) item(it *rssfeed.Item) {
	d := &draft{}
	n := notesOf(it.Extensions)
	t.base = n.base(t.base)
	take := func(e element) {
		if e.given != nil {
			t.p.itemField(d, e)
		}
	}
	take(t.text("title", it.Title))
	take(t.text("author", it.Author))
	take(t.text("comments", it.Comments))
	take(t.text("pubdate", it.PubDate))
	take(t.text("description", it.Description))
	take(t.text("content:encoded", it.Content))
	for _, l := range it.Links {
		take(t.text("link", l))
	}
	for _, c := range it.Categories {
		take(t.text("category", c.Value))
	}
	for _, e := range it.Enclosures {
		take(t.named("enclosure", "", map[string]string{"url": e.URL, "type": e.Type, "length": e.Length}))
	}
	if it.GUID != nil {
		take(t.named("guid", it.GUID.Value, map[string]string{"ispermalink": it.GUID.IsPermalink}))
	}
	t.extensions(it.Extensions, t.base, take)
	t.p.itemEnds(d, t.base, n["about"])
}

type atomTranslator struct{ translator }

// Translate takes over a feed of Atom.
func (t atomTranslator) Translate(read any) (*gofeed.Feed, error) {
	f, ok := read.(*atomfeed.Feed)
	if !ok || len(f.Entries) != t.items {
		return nil, errLoses
	}
	c := &channel{}
	for _, it := range f.Entries {
		t.entry(it)
	}
	n := notesOf(f.Extensions)
	take := func(e element) {
		if e.given != nil {
			t.p.feedField(c, e)
		}
	}
	take(t.noted(n, "title", f.Title))
	take(t.noted(n, "subtitle", f.Subtitle))
	take(t.text("atom:updated", f.Updated))
	for _, l := range f.Links {
		take(t.link(l))
	}
	for _, a := range f.Authors {
		take(t.person("atom:author", a.Name, a.Email))
	}
	t.extensions(f.Extensions, t.base, take)
	t.p.feedEnds(c)
	return &gofeed.Feed{}, nil
}

func (t atomTranslator) entry(it *atomfeed.Entry) {
	d := &draft{}
	n := notesOf(it.Extensions)
	t.base = n.base(t.base)
	take := func(e element) {
		if e.given != nil {
			t.p.itemField(d, e)
		}
	}
	take(t.noted(n, "title", it.Title))
	take(t.text("atom:id", it.ID))
	take(t.text("atom:published", it.Published))
	take(t.text("atom:updated", it.Updated))
	take(t.noted(n, "summary", it.Summary))
	if it.Content != nil {
		take(t.noted(n, "content", it.Content.Value))
	}
	for _, l := range it.Links {
		take(t.link(l))
	}
	for _, c := range it.Categories {
		take(t.named("atom:category", "", map[string]string{"label": c.Label, "term": c.Term}))
	}
	for _, a := range it.Authors {
		take(t.person("atom:author", a.Name, a.Email))
	}
	if it.Source != nil {
		for _, a := range it.Source.Authors {
			take(t.person("atom:source", a.Name, a.Email))
		}
	}
	t.extensions(it.Extensions, t.base, take)
	t.p.itemEnds(d, t.base, n["about"])
}

//go:noinline // 7 places
func (t translator) link(l *atomfeed.Link) element {
	return t.named("atom:link", "", map[string]string{"href": l.Href, "rel": l.Rel, "type": l.Type})
}

// text is an element without attributes.
//
//go:noinline // 26 places
func (t translator) text(key, text string) element { return t.named(key, text, nil) }

// named is an element with attributes. What gofeed found nothing of is none.
func (t translator) named(key, text string, attrs map[string]string) element {
	if text == "" && len(attrs) == 0 {
		return element{}
	}
	e := element{key: key, base: t.base, given: &given{text: text, attrs: attrs}}
	if number, ok := strings.CutPrefix(text, longMark); ok {
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(t.long) {
			e.given.long, e.content, e.scope = true, t.long[i].content, t.long[i].scope
		}
	}
	return e
}

//go:noinline // 8 places
func (t translator) person(key, name, mail string) element {
	return element{key: key, base: t.base, given: &given{person: true, name: name, mail: mail}}
}

// noted is a text of Atom with what the mender noted of it.
func (t translator) noted(n notes, name, text string) element {
	e := t.text("atom:"+name, text)
	if e.given == nil {
		return e
	}
	for _, attr := range [...]string{"type", "mode"} {
		if v, ok := n[name+"-"+attr]; ok {
			if e.given.attrs == nil {
				e.given.attrs = map[string]string{}
			}
			e.given.attrs[attr] = v
		}
	}
	e.given.markup = n[name+"-markup"] != ""
	return e
}

// notes are the attributes that the mender put by.
type notes map[string]string

func notesOf(all ext.Extensions) notes {
	if n := all["kept"]["notes"]; len(n) > 0 {
		return n[0].Attrs
	}
	return nil
}

func (n notes) base(outer string) string {
	if b, ok := n["base"]; ok {
		return b
	}
	return outer
}

// extensions takes over what gofeed has no places for: first what modules say, then
// what the mender put by, in its order.
func (t translator) extensions(all ext.Extensions, base string, take func(element)) {
	for prefix, named := range all {
		for name, list := range named {
			for _, x := range list {
				if prefix != "kept" {
					take(t.named(prefix+":"+name, x.Value, x.Attrs))
				}
			}
		}
	}
	for _, x := range all["kept"]["field"] {
		e := t.named(x.Attrs["key"], x.Value, x.Attrs) // which has a key at least
		e.base = base
		if b, ok := x.Attrs["base"]; ok {
			e.base = b
		}
		e.given.markup = x.Attrs["markup"] != ""
		delete(x.Attrs, "key")
		delete(x.Attrs, "base")
		delete(x.Attrs, "markup")
		if name, mail := x.Children["name"], x.Children["email"]; len(name)+len(mail) > 0 {
			e.given.person = true
			if len(name) > 0 {
				e.given.name = name[0].Value
			}
			if len(mail) > 0 {
				e.given.mail = mail[0].Value
			}
		}
		take(e)
	}
}
