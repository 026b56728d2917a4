package feed

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"diurna/reader/feed/dates"
	"diurna/reader/feed/xmlscan"
)

// parser holds what is known while one document is read.
type parser struct {
	xmlscan.Decoder
	in       Input
	base     string // base address of the document
	maxItems int    // MaxItems, but where a test looks at what comes of more
	scanOnly bool   // a test asks for what the scanner alone reads
	doc      Document
	buf      [72]byte // for names
	ended    bool     // the document ended inside an element

	// Counters behind the sentences of Document.Problems.
	noZone, badDate, future, dropped, merged, shared, badItem, tooLong int
}

//go:noinline // 8 places
func (p *parser) problem(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	for _, have := range p.doc.Problems {
		if have == s {
			return
		}
	}
	p.doc.Problems = append(p.doc.Problems, s)
}

// xml reads the document as RSS, RDF or Atom.
func (p *parser) xml(b []byte) error {
	s := &xmlscan.Scanner{B: b}
	root, ok := s.Next()
	if !ok {
		return ErrNotFeed
	}
	p.Declare(b[:root.Start])
	sc := xmlscan.Scope{}.With(root.Attrs)
	if err := p.format(b, root, sc); err != nil {
		return err
	}
	if local := strings.ToLower(string(xmlscan.LocalName(root.Name))); local == "entry" {
		s.Pos = root.Start // an entry on its own: Atom publishing servers answer so
	}
	p.doc.Language = line(p.Attr(root.Attrs, "xml:lang"), 64)
	if p.xmlByGofeed(b, root, sc) {
		return nil
	}
	w := walker{p: p, s: s, scope: sc, base: p.Rebase(p.base, root.Attrs)}
	w.document()
	if p.doc.Open = !p.doc.Partial && !root.Empty && !closes(b, root.Name); p.doc.Open {
		p.problem("the end of the document is missing; it may have been cut short between two items")
	}
	if len(p.doc.Items) == 0 && p.doc.Title == "" && p.doc.Link == "" && bytes.Count(b, []byte("<")) > MaxDepth {
		if tooDeep(b) {
			return ErrTooDeep
		}
	}
	return nil
}

// closes reports whether the document has an end tag of that name.
func closes(b, name []byte) bool {
	for i := len(b); ; {
		if i = bytes.LastIndex(b[:i], []byte("</")); i < 0 {
			return false
		}
		rest := b[i+2:]
		if n := len(name); len(rest) > n && bytes.EqualFold(rest[:n], name) && (rest[n] == '>' || xmlscan.IsSpace(rest[n])) {
			return true
		}
	}
}

// format names the dialect by the root element.
func (p *parser) format(b []byte, root xmlscan.Tag, sc xmlscan.Scope) error {
	key := string(sc.Key(p.buf[:], root.Name))
	switch localName := key[strings.IndexByte(key, ':')+1:]; localName {
	case "rss":
		version := p.Attr(root.Attrs, "version")
		p.doc.Format = strings.TrimSpace("RSS " + line(version, 16))
	case "rdf":
		p.doc.Format = "RSS 1.0"
		if bytes.Contains(root.Attrs, []byte("rdf/simple/0.9")) {
			p.doc.Format = "RSS 0.90"
		}
	case "feed", "entry":
		p.doc.Format = "Atom 1.0"
		if p.Attr(root.Attrs, "version") != "" || bytes.Contains(root.Attrs, []byte("purl.org/atom/ns#")) {
			p.doc.Format = "Atom 0.3"
		}
	case "channel":
		if p.definition(root, b) {
			return fmt.Errorf("%w: it is in Microsoft's Channel Definition Format", ErrFormat)
		}
		p.doc.Format = "RSS"
	default:
		return ErrNotFeed
	}
	return nil
}

// definition reports whether a <channel> on its own is in the Channel Definition
// Format, which keeps addresses in attributes, not RSS without its root.
func (p *parser) definition(root xmlscan.Tag, b []byte) bool {
	at := bytes.ToUpper(root.Attrs)
	if bytes.Contains(at, []byte("HREF=")) || bytes.Contains(at, []byte("BASE=")) || bytes.Contains(at, []byte("LASTMOD=")) {
		return true
	}
	s := xmlscan.Scanner{B: b, Pos: root.End}
	for range 64 {
		t, ok := s.Next()
		if !ok {
			break
		}
		if bytes.EqualFold(t.Name, []byte("abstract")) || bytes.EqualFold(t.Name, []byte("item")) && bytes.Contains(bytes.ToUpper(t.Attrs), []byte("HREF=")) {
			return true
		}
	}
	return false
}

// spoken is the language by the header: the first it names.
func (p *parser) spoken() string {
	first, _, _ := strings.Cut(p.in.ContentLanguage, ",")
	return strings.ReplaceAll(line(first, 64), "_", "-")
}

func (p *parser) atom() bool { return strings.HasPrefix(p.doc.Format, "Atom") }

// tooDeep reports whether elements are nested deeper than MaxDepth.
func tooDeep(b []byte) bool {
	s := xmlscan.Scanner{B: b}
	depth := 0
	for {
		t, ok := s.Next()
		switch {
		case !ok:
			return false
		case t.Closing:
			depth = max(depth-1, 0)
		case !t.Empty:
			if depth++; depth > MaxDepth {
				return true
			}
		}
	}
}

// walker goes through the elements outside items.
type walker struct {
	p     *parser
	s     *xmlscan.Scanner
	scope xmlscan.Scope
	base  string
	of    channel

	noNest bool // an element that holds items was not closed: none is taken to any more
	again  int  // bytes read once more behind elements that were not closed
}

// channel is what is known of a feed before all of it is.
type channel struct {
	links            []link
	author           string // of the entries that name none (RFC 4287, 4.2.1)
	dcTitle, summary string // what stands in for a missing title or description
}

// document reads everything after the root's start tag.
func (w *walker) document() {
	p := w.p
	for {
		t, ok := w.s.Next()
		if !ok {
			break
		}
		if t.Closing {
			continue
		}
		sc := w.scope.With(t.Attrs)
		key := string(sc.Key(p.buf[:], t.Name))
		switch key {
		case "channel", "rss", "atom:feed", "feed", "rdf:rdf":
			w.scope, w.base = sc, p.Rebase(w.base, t.Attrs)
		case "item", "entry", "atom:entry", "atom:item", "rdf:item", "?:item", "?:entry":
			if len(p.doc.Items) >= p.maxItems {
				p.dropped++
				w.s.Inner(t)
				continue
			}
			w.item(t, sc)
		default:
			w.field(t, sc, key)
		}
	}
	p.feedEnds(&w.of)
	if p.ended {
		p.endsEarly()
	}
}

// feedEnds fills in what the whole document had to be known for.
func (p *parser) feedEnds(c *channel) {
	if alt := bestLink(c.links); alt != "" && p.doc.Link == "" {
		p.doc.Link = alt
	}
	for _, l := range c.links {
		if l.rel == "self" && p.doc.Self == "" {
			p.doc.Self = line(l.href, MaxURL)
		}
	}
	for i := range p.doc.Items {
		setOnce(&p.doc.Items[i].Author, c.author)
	}
	setOnce(&p.doc.Title, c.dcTitle)
	setOnce(&p.doc.Description, c.summary)
	setOnce(&p.doc.Language, p.spoken())
	p.doc.Language = strings.ReplaceAll(p.doc.Language, "_", "-")
}

// endsEarly notes that the end of the document is missing.
func (p *parser) endsEarly() {
	p.doc.Partial = true
	if len(p.doc.Items) == 0 {
		p.problem("the document ends early, before any item is complete")
		return
	}
	p.problem("the document ends early; the items before that are complete")
}

// field reads one element of the feed itself.
func (w *walker) field(t xmlscan.Tag, sc xmlscan.Scope, key string) {
	p := w.p
	content, closed := fieldContent(w.s, t)
	if !closed {
		p.ended = true
		return
	}
	p.feedField(&w.of, element{key: key, base: p.Rebase(w.base, t.Attrs), scope: sc, attrs: t.Attrs, content: w.own(t, content, sc)})
}

// feedField takes over one element of the feed itself.
func (p *parser) feedField(c *channel, e element) {
	d := &p.doc
	switch e.key {
	case "title", "atom:title":
		setOnce(&d.Title, p.titleText(&e))
	case "atom:author":
		if p.atom() {
			if name := p.person(e); name != "" {
				c.author = withName(c.author, name)
			}
		}
	case "dc:title":
		c.dcTitle = line(p.titleText(&e), MaxTitle)
	case "link", "atom:link":
		if l, ok := p.link(&e); ok {
			if l.rel == "" && p.attrOf(&e, "href") == "" {
				setOnce(&d.Link, line(l.href, MaxURL))
				break
			}
			c.links = append(c.links[:min(len(c.links), 64)], l)
		}
	case "description", "subtitle", "tagline", "atom:subtitle", "atom:tagline":
		setOnce(&d.Description, p.titleText(&e))
	case "dc:description", "itunes:summary", "itunes:subtitle":
		setOnce(&c.summary, line(p.titleText(&e), MaxTitle))
	case "language", "dc:language":
		if s := line(p.titleText(&e), 64); s != "" {
			d.Language = s
		}
	case "ttl":
		if n, err := strconv.Atoi(line(p.titleText(&e), 16)); err == nil && n > 0 {
			d.TTL = time.Duration(min(n, 60*24*366)) * time.Minute
		}
	case "pubdate", "lastbuilddate", "updated", "modified", "atom:updated", "atom:modified", "dc:date":
		if at, _, ok := p.date(&e); ok && at.After(d.Updated) {
			d.Updated = at
		}
	case "logo", "icon", "atom:logo", "atom:icon":
		setOnce(&d.Icon, xmlscan.Address(e.base, line(p.titleText(&e), MaxURL)))
	case "itunes:image", "itunes:link":
		p.itunesIcon(&e)
	case "image":
		p.image(&e)
	case "skiphours", "skipdays":
		for in := range p.within(&e) {
			if len(d.SkipHours) > 24 || len(d.SkipDays) > 7 {
				return
			}
			p.skip(e.key, string(in.content[:min(len(in.content), 32)]))
		}
	default:
		p.schedule(&e)
	}
}

// itunesIcon reads the address that a podcast's picture has in an attribute.
func (p *parser) itunesIcon(e *element) {
	u := p.attrOf(e, "href")
	if e.key == "itunes:image" {
		u += p.attrOf(e, "url")
	} else if p.attrOf(e, "rel") != "image" {
		return
	}
	if u != "" {
		setOnce(&p.doc.Icon, xmlscan.Address(e.base, u))
	}
}

// image reads the address out of RSS's <image>.
func (p *parser) image(e *element) {
	if e.given != nil {
		v, _ := p.valueOf(e, MaxURL)
		setOnce(&p.doc.Icon, xmlscan.Address(e.base, v))
		return
	}
	s := xmlscan.Scanner{B: e.content}
	for {
		t, ok := s.Next()
		if !ok {
			return
		}
		if !t.Closing && string(e.scope.Key(p.buf[:], t.Name)) == "url" {
			inner, _ := s.Inner(t)
			v, _ := p.Value(inner[:min(len(inner), MaxURL)], false)
			setOnce(&p.doc.Icon, xmlscan.Address(e.base, v))
		}
	}
}

// periods are those of the syndication module.
var periods = map[string]time.Duration{
	"hourly": time.Hour, "daily": 24 * time.Hour, "weekly": 7 * 24 * time.Hour,
	"monthly": 30 * 24 * time.Hour, "yearly": 365 * 24 * time.Hour,
}

// skip reads an hour or a day at which a visit is not worth it.
func (p *parser) skip(key, value string) {
	d := &p.doc
	v := strings.ToLower(strings.TrimSpace(value))
	if day, ok := dates.Weekday(v); ok && key == "skipdays" && len(d.SkipDays) <= 7 {
		d.SkipDays = append(d.SkipDays, day)
	}
	// Userland wrote 1-24, later versions 0-23.
	if h, err := strconv.Atoi(v); err == nil && h >= 0 && h <= 24 && key == "skiphours" && len(d.SkipHours) <= 24 {
		d.SkipHours = append(d.SkipHours, h%24)
	}
}

// schedule reads how often the publisher says that a visit is worth it.
func (p *parser) schedule(e *element) {
	d := &p.doc
	switch e.key {
	case "sy:updateperiod":
		period := periods[strings.ToLower(line(p.titleText(e), 32))]
		if d.UpdateEvery < 0 { // the frequency came first
			period /= -d.UpdateEvery
		}
		d.UpdateEvery = period
	case "sy:updatefrequency":
		n, err := strconv.Atoi(line(p.titleText(e), 16))
		switch {
		case err != nil || n < 1 || n > 1000:
		case d.UpdateEvery > 0:
			d.UpdateEvery /= time.Duration(n)
		default:
			d.UpdateEvery = -time.Duration(n)
		}
	}
}

// fieldContent is inner for elements of the feed itself: an item that begins
// ends them too, so that one missing end tag does not swallow the items.
func fieldContent(s *xmlscan.Scanner, t xmlscan.Tag) ([]byte, bool) {
	if t.Empty {
		return nil, true
	}
	from := s.Pos
	content, closed := s.Inner(t)
	probe := xmlscan.Within(s.B[:from+len(content)])
	probe.Pos = from
	for {
		n, ok := probe.Next()
		if !ok {
			return content, closed
		}
		if local := xmlscan.LocalName(n.Name); !n.Closing && (bytes.EqualFold(local, []byte("item")) || bytes.EqualFold(local, []byte("entry"))) {
			s.Pos = n.Start
			return s.B[from:n.Start], true
		}
	}
}

// own is the content of an element as far as it is its own: one whose end tag is
// missing ends before the next of its kind, or with a misspelt end tag.
func (w *walker) own(t xmlscan.Tag, content []byte, sc xmlscan.Scope) []byte {
	end := t.End + len(content)
	if len(content) == 0 || w.s.Pos != end || w.again > 4*len(w.s.B) {
		return content
	}
	key := string(sc.With(t.Attrs).Key(w.p.buf[:], t.Name))
	if !isField(key) {
		return content
	}
	long := bodyRank(key) > 0 || strings.HasSuffix(key, "author") // may hold elements
	probe := xmlscan.Within(w.s.B[:end])
	probe.Pos = t.End
	for open := 0; ; {
		n, ok := probe.Next()
		inside := inText[strings.ToLower(string(xmlscan.LocalName(n.Name)))]
		switch {
		case !ok:
			return content
		case n.Closing && open > 0:
			open--
			continue
		case n.Closing && !inside:
			w.s.Pos = n.End
		case !n.Closing && (!long && !inside || isField(string(sc.With(n.Attrs).Key(w.p.buf[:], n.Name)))):
			w.s.Pos = n.Start
		default:
			if !n.Closing && !n.Empty {
				open++
			}
			continue
		}
		w.again += end - w.s.Pos // what is read twice is bounded
		return w.s.B[t.End:n.Start]
	}
}

// isField reports whether a name is that of an element which stands in a feed or
// an item and holds no other one that does.
func isField(key string) bool {
	space, name, _ := strings.Cut(key, ":")
	switch space {
	case "dc", "dcterms":
		return true
	case "itunes":
		return name != "owner" && name != "category"
	}
	switch strings.TrimPrefix(key, "atom:") {
	case "title", "link", "guid", "id", "author", "category", "comments", "enclosure", "description", "content", "summary",
		"pubdate", "published", "updated", "issued", "modified", "content:encoded", "media:thumbnail",
		"lastbuilddate", "language", "copyright", "managingeditor", "generator", "subtitle":
		return true
	}
	return false
}

//go:noinline // 27 places
func setOnce(s *string, v string) {
	if *s == "" {
		*s = v
	}
}
