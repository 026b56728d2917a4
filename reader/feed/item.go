package feed

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"

	"diurna/reader/feed/xmlscan"
	"diurna/reader/plain"
)

// link is a <link> of Atom, or of RSS with an empty rel.
type link struct{ href, rel, kind string }

// draft is an item while its elements are read. Each field notes the rank of
// the element it came from: a better one replaces it wherever it stands.
type draft struct {
	it                         Entry
	titleRank, authorRank      int
	pubRank, updRank, bodyRank int
	links                      []link
	notLink                    bool // a guid that says that it is no address
	body, bodyKey, summary     string
	seconds                    int32 // of its sound or film
	guidLink, identifier       string
}

// item reads the element whose start tag is t.
func (w *walker) item(t xmlscan.Tag, sc xmlscan.Scope) {
	p := w.p
	d, elements := draft{}, 0
	base := p.Rebase(w.base, t.Attrs)
	about := p.Attr(t.Attrs, "rdf:about")
	for {
		n, ok := w.s.Next()
		if !ok {
			p.ended = true
			return // half an item would be filed as if it were whole
		}
		if n.Closing {
			if xmlscan.SameName(n.Name, t.Name) {
				break
			}
			if xmlscan.IsContainer(n.Name) { // never closed: its container is
				w.s.Pos = n.Start
				break
			}
			continue
		}
		if xmlscan.SameName(n.Name, t.Name) { // never closed: the next one begins
			w.s.Pos = n.Start
			if elements == 0 { // its start tag stood there twice
				return
			}
			break
		}
		elements++
		e := element{scope: sc.With(n.Attrs), attrs: n.Attrs}
		var closed bool
		if e.content, closed = w.inner(n); !closed {
			p.ended = true
			return
		}
		e.content = w.own(n, e.content, sc)
		e.base = p.Rebase(base, n.Attrs)
		e.key = string(e.scope.Key(p.buf[:], n.Name))
		p.itemField(&d, e)
	}
	p.itemEnds(&d, base, about)
}

// inner is the content of an item's element. One of a module may hold other
// versions of the item, as items.
func (w *walker) inner(t xmlscan.Tag) ([]byte, bool) {
	at := w.s.Pos
	if !w.noNest && bytes.IndexByte(t.Name, ':') > 0 {
		content, closed := w.s.InnerOf(t, true)
		if closed {
			return content, true
		}
		w.noNest, w.s.Pos = true, at
	}
	return w.s.Inner(t)
}

// itemField takes over one element of an item.
func (p *parser) itemField(d *draft, e element) {
	switch e.key {
	case "title", "atom:title":
		p.setTitle(d, e, 3)
	case "dc:title":
		p.setTitle(d, e, 2)
	case "media:title":
		p.setTitle(d, e, 1)
	case "itunes:title":
		p.setTitle(d, e, 0)
	case "link", "atom:link":
		if l, ok := p.link(&e); ok && len(d.links) < 2*MaxEnclosures {
			d.links = append(d.links, l)
		}
	case "guid", "id", "atom:id":
		p.setID(d, e)
	case "dc:identifier":
		setOnce(&d.identifier, p.text(&e, MaxURL))
	case "comments":
		setOnce(&d.it.Comments, xmlscan.Address(e.base, p.text(&e, MaxURL)))
	case "category", "dc:subject", "atom:category", "keywords", "itunes:keywords", "media:keywords",
		"media:category", "itunes:category":
		p.addCategories(d, e)
	case "itunes:duration":
		d.seconds = seconds(p.text(&e, 32))
	case "enclosure", "media:content", "media:group", "media:player":
		p.addEnclosures(d, e)
	default:
		if !p.author(d, e) && !p.dates(d, e) {
			p.bodyField(d, e)
		}
	}
}

// text is the plain one-line text of an element.
func (p *parser) text(e *element, max int) string {
	s, markup := p.valueOf(e, 16*MaxTitle)
	if markup {
		return title(s, textXHTML)
	}
	return line(s, max)
}

func (p *parser) setTitle(d *draft, e element, rank int) {
	s := p.titleText(&e)
	if s != "" && (d.it.Title == "" || rank > d.titleRank) {
		d.it.Title, d.titleRank = s, rank
	}
}

// titleText is the one line of text of a title or subtitle.
func (p *parser) titleText(e *element) string {
	s, markup := p.valueOf(e, MaxItem)
	kind := p.kind(e, markup)
	if raw, ok := p.base64(e, s); ok {
		s = raw
		if kind == textPlain {
			kind = textGuess
		}
	}
	return title(s, kind)
}

// base64 decodes the text of an Atom element that says it is encoded so: by
// Atom 0.3's mode, or by a media type that is neither text nor markup.
func (p *parser) base64(e *element, s string) (string, bool) {
	if e.attrless() || !p.atom() {
		return "", false
	}
	if !strings.EqualFold(p.attrOf(e, "mode"), "base64") && !strings.EqualFold(p.attrOf(e, "type"), "application/octet-stream") {
		return "", false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
	return strings.ToValidUTF8(string(raw), ""), err == nil
}

// kind says how the text of an element with these attributes is meant.
func (p *parser) kind(e *element, markup bool) textKind {
	if markup {
		return textXHTML
	}
	if !p.atom() && e.attrless() {
		return textGuess
	}
	kind := strings.ToLower(p.attrOf(e, "type"))
	switch {
	case kind == "html", kind == "text/html":
		return textHTML
	case kind == "xhtml", strings.HasSuffix(kind, "xml"):
		return textXHTML
	case !p.atom() && kind == "":
		return textGuess
	}
	return textPlain
}

func (p *parser) setID(d *draft, e element) {
	s := ""
	if e.given != nil {
		s = e.given.text
	} else {
		s, _ = p.Decoded(e.content[:min(len(e.content), MaxURL)], false)
	}
	if s = strings.TrimSpace(xmlscan.Undouble(s)); s == "" || d.it.IDRaw != "" {
		return
	}
	d.it.IDRaw = s
	if strings.EqualFold(p.attrOf(&e, "ispermalink"), "false") {
		d.notLink = true
	} else if e.key == "guid" {
		d.guidLink = xmlscan.Resolve(e.base, s)
	}
}

// link reads a link element: an href with a rel, or an address as its text.
func (p *parser) link(e *element) (link, bool) {
	l := link{rel: strings.ToLower(p.attrOf(e, "rel")), kind: strings.ToLower(p.attrOf(e, "type"))}
	l.rel = strings.TrimPrefix(l.rel, "http://www.iana.org/assignments/relation/") // RFC 4287, 4.2.7.2
	l.href = p.attrOf(e, "href")
	if l.href == "" {
		l.href = p.text(e, MaxURL)
	} else if l.rel == "" {
		l.rel = "alternate"
	}
	if l.href == "" {
		return l, false
	}
	if len(l.href) > 4 && strings.EqualFold(l.href[:4], "www.") { // a host is meant, not a file
		l.href = "http://" + l.href
	}
	l.href = xmlscan.Resolve(e.base, l.href)
	return l, len(l.href) <= MaxURL
}

// bestLink returns the address a user opens: RSS's own link, else an alternate,
// an HTML one before others. Of several alike the last one counts, as readers
// have it.
func bestLink(links []link) string {
	best, rank := "", 0
	for _, l := range links {
		r := 0
		switch {
		case l.rel == "":
			r = 4
		case l.rel != "alternate":
		case strings.Contains(l.kind, "html"):
			r = 3
		case l.kind == "":
			r = 2
		default:
			r = 1
		}
		if r >= rank && r > 0 {
			best, rank = l.href, r
		}
	}
	return best
}

// otherLink is an address that an item names besides a page of its own, for one
// that has none: what it is about, or where it was found.
func otherLink(links []link) string {
	for _, rel := range [...]string{"related", "via"} {
		for _, l := range links {
			if l.rel == rel && strings.HasPrefix(l.href, "http") {
				return l.href
			}
		}
	}
	return ""
}

func (p *parser) addCategories(d *draft, e element) {
	add := func(s string) {
		if s = line(s, 256); s == "" || len(d.it.Categories) >= MaxCategories {
			return
		}
		for _, have := range d.it.Categories {
			if have == s {
				return
			}
		}
		d.it.Categories = append(d.it.Categories, s)
	}
	if len(d.it.Categories) >= MaxCategories {
		return
	}
	// A label is for people, a term for machines; queries may ask for either.
	named := false
	for _, name := range []string{"label", "term", "text"} {
		if s := p.attrOf(&e, name); s != "" {
			add(s)
			named = true
		}
	}
	if e.key == "itunes:category" { // it may hold narrower ones
		p.innerCategories(d, e)
		return
	}
	if named && e.key != "media:category" { // which has its term for content
		return
	}
	s := p.label(&e, 4*MaxTitle)
	if !strings.HasSuffix(e.key, "keywords") {
		add(s)
		return
	}
	for _, k := range strings.Split(s, ",") {
		add(k)
	}
}

func (p *parser) addEnclosures(d *draft, e element) {
	if e.key == "media:group" {
		for inner := range p.within(&e) {
			if len(d.it.Enclosures) >= MaxEnclosures {
				return
			}
			if inner.key != "media:group" {
				p.itemField(d, inner)
			}
		}
		return
	}
	u := p.attrOf(&e, "url")
	if u == "" {
		u = p.attrOf(&e, "href")
	}
	if u == "" && e.key == "enclosure" { // as its text
		if s := p.text(&e, MaxURL); strings.HasPrefix(s, "http") {
			u = s
		}
	}
	n, _ := strconv.ParseInt(p.attrOf(&e, "length")+p.attrOf(&e, "filesize"), 10, 64)
	p.addEnclosure(d, Enclosure{URL: xmlscan.Address(e.base, u), Type: p.attrOf(&e, "type"), Length: n, Seconds: seconds(p.attrOf(&e, "duration"))})
	if e.key == "media:content" { // titles and texts may stand inside
		for inner := range p.within(&e) {
			if inner.key == "media:title" || inner.key == "media:description" {
				p.itemField(d, inner)
			}
		}
	}
}

func (p *parser) addEnclosure(d *draft, e Enclosure) {
	if e.URL == "" || len(d.it.Enclosures) >= MaxEnclosures {
		return
	}
	e.Type, e.Title, e.Length = line(e.Type, 128), line(e.Title, MaxTitle), max(e.Length, 0)
	for i, have := range d.it.Enclosures {
		if have.URL == e.URL {
			setOnce(&d.it.Enclosures[i].Type, e.Type)
			d.it.Enclosures[i].Seconds = cmp.Or(have.Seconds, e.Seconds)
			return
		}
	}
	d.it.Enclosures = append(d.it.Enclosures, e)
}

// bodyRank is how much of an item's text an element promises to be, 0 if it
// carries none.
func bodyRank(key string) int {
	switch key {
	case "content:encoded", "atom:content", "content":
		return 5
	case "xhtml:body", "body", "fullitem", "xhtml:div":
		return 4
	case "description", "summary", "atom:summary":
		return 3
	case "dc:description", "abstract", "dcterms:abstract":
		return 2
	case "media:description", "itunes:summary":
		return 1
	}
	return 0
}

// bodyField takes over an element that carries the item's text.
func (p *parser) bodyField(d *draft, e element) {
	rank := bodyRank(e.key)
	if rank == 0 {
		return
	}
	s := p.markup(e)
	if s == "" {
		if u := p.attrOf(&e, "src"); u != "" && rank == 5 { // it lies elsewhere
			p.addEnclosure(d, Enclosure{URL: xmlscan.Address(e.base, u), Type: p.attrOf(&e, "type")})
		}
		return
	}
	if rank <= 3 && d.summary == "" {
		d.summary = s
	}
	// Of two that promise no more than the other, the second is the long form:
	// the first stays as the short one.
	if rank > d.bodyRank || d.body == "" || rank == d.bodyRank && rank == 3 && e.key != d.bodyKey {
		d.body, d.bodyRank, d.bodyKey = s, rank, e.key
	}
}

// markup returns the content of an element as HTML with absolute addresses.
func (p *parser) markup(e element) string {
	if e.length() > 2*MaxItem {
		p.tooLong++
	}
	kind, xhtml := p.markupKind(&e)
	s, markup := "", false
	if !e.asWritten() {
		s, markup = p.valueOf(&e, 2*MaxItem)
	} else {
		content := e.content[:min(len(e.content), 2*MaxItem)]
		s, markup = p.Value(content, xhtml && xmlscan.HasElements(content))
	}
	switch raw, encoded := p.base64(&e, s); {
	case encoded:
		s = raw
	case isBinary(kind) && p.atom(): // a picture or the like, not for reading
		return ""
	case markup || xhtml:
	case p.atom() && (kind == "" || kind == "text" || kind == "text/plain") && strings.HasPrefix(e.key, "atom:"):
		if p.doc.Format != "Atom 0.3" || !looksHTML(s) {
			s = textToHTML(s)
		}
	}
	s = strings.TrimSpace(s)
	if markup || xhtml {
		s = e.scope.Unprefixed(s)
	}
	s = xmlscan.Rebase(s, e.base) // the div that goes may name a base
	if kind == "xhtml" || kind == "application/xhtml+xml" && p.doc.Format == "Atom 1.0" {
		s = unwrap(s)
	}
	return plain.HTML(s, MaxItem)
}

// markupKind is the type that an element's markup has by its attribute, in lower
// case, and whether it is XHTML.
func (p *parser) markupKind(e *element) (kind string, xhtml bool) {
	if strings.HasPrefix(e.key, "xhtml:") {
		xhtml = true
	}
	if e.attrless() {
		return "", xhtml
	}
	kind = strings.ToLower(p.attrOf(e, "type"))
	return kind, xhtml || kind == "xhtml" || kind == "application/xhtml+xml" || strings.EqualFold(p.attrOf(e, "mode"), "xml")
}

// unwrap takes off the <div> around the content of an Atom text construct, which
// is no part of it (RFC 4287, 3.1.1.3).
func unwrap(s string) string {
	sc := xmlscan.Scanner{B: []byte(s)}
	t, ok := sc.Next()
	if !ok || t.Start > 0 || t.Closing || t.Empty || !bytes.EqualFold(xmlscan.LocalName(t.Name), []byte("div")) {
		return s
	}
	if inner, closed := sc.Inner(t); closed && sc.Pos == len(s) {
		return strings.TrimSpace(string(inner))
	}
	return s
}

// isBinary reports whether a media type is none of text and markup, so that
// Atom carries it in base 64.
func isBinary(kind string) bool {
	return strings.Contains(kind, "/") && !strings.HasPrefix(kind, "text/") && !strings.HasSuffix(kind, "xml")
}

// itemEnds makes the draft an item of the document.
func (p *parser) itemEnds(d *draft, base, about string) {
	it := &d.it
	setOnce(&it.IDRaw, about)
	setOnce(&it.IDRaw, d.identifier)
	it.Link = bestLink(d.links)
	for _, l := range d.links {
		if l.rel == "enclosure" {
			p.addEnclosure(d, Enclosure{URL: line(l.href, MaxURL), Type: l.kind})
		}
	}
	setOnce(&it.Link, d.guidLink)
	if xmlscan.SchemeOf(about) > 0 && strings.HasPrefix(about, "http") {
		setOnce(&it.Link, about)
	}
	if len(it.Enclosures) > 0 {
		setOnce(&it.Link, it.Enclosures[0].URL)
	}
	if xmlscan.SchemeOf(it.IDRaw) > 0 && strings.HasPrefix(it.IDRaw, "http") && (p.atom() || !d.notLink) {
		setOnce(&it.Link, it.IDRaw)
	}
	setOnce(&it.Link, otherLink(d.links))
	// Atom's id is an address by definition, though often one that cannot be
	// opened: better than nothing, and plain.URL tells.
	if p.atom() {
		setOnce(&it.Link, xmlscan.Address(base, it.IDRaw))
	}
	it.Link = line(it.Link, MaxURL)
	it.ContentHTML = d.body
	if d.summary != d.body {
		it.SummaryHTML = d.summary
	}
	it.Words = plain.Words(it.ContentHTML)
	if len(it.Enclosures) > 0 { // the first is the one that players take
		f := &it.Enclosures[0]
		f.Seconds = cmp.Or(f.Seconds, d.seconds)
	}
	p.doc.Items = append(p.doc.Items, *it)
}

// seconds reads a length in time: "3723", "62:03", "1:02:03"; 0 for any other text and
// for more than four days.
func seconds(s string) int32 {
	total, most := 0.0, 4*24*3600.0
	parts := strings.Split(strings.TrimSpace(s), ":")
	if len(parts) > 3 {
		return 0
	}
	for _, part := range parts {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || !(n >= 0 && n <= most) {
			return 0
		}
		total = total*60 + n
	}
	if total > most {
		return 0
	}
	return int32(total)
}

// innerCategories takes over the categories that stand in another one.
func (p *parser) innerCategories(d *draft, e element) {
	s := xmlscan.Scanner{B: e.content}
	for len(d.it.Categories) < MaxCategories {
		t, ok := s.Next()
		if !ok {
			return
		}
		if !t.Closing && string(e.scope.With(t.Attrs).Key(p.buf[:], t.Name)) == "itunes:category" {
			p.addCategories(d, element{key: "category", attrs: t.Attrs})
		}
	}
}
