package opml

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"diurna/reader/plain"
)

// slash stands for a / inside the name of a folder.
const slash = "\u2215"

// maxOpen bounds the outlines that are open at once and remembered.
const maxOpen = 1000

// parser makes a List of a document's tags.
type parser struct {
	scanner
	list     List
	folders  []string // of the open outlines, "" for feeds
	deeper   int      // outlines open beyond maxOpen
	inHead   bool
	titled   bool
	rooted   bool // an opml tag was seen
	closed   bool // and the end of one
	outlines int
	page     Page // of the outline that was opened last, if it may be one
	tooMany  int
	spaces   map[string]string // xmlns:p declarations seen, by their attribute name
}

func (p *parser) parse() (List, error) {
	for {
		t, ok := p.next()
		if !ok {
			break
		}
		switch t.name {
		case "head":
			p.inHead = !t.end && !t.empty
		case "title":
			if p.inHead && !t.end && !t.empty && !p.titled {
				p.titled = true
				p.list.Title = line(p.text())
			}
		case "body", "opml":
			p.inHead = false
			if t.name == "opml" {
				p.rooted, p.closed = true, t.end || t.empty
				p.version(t.attrs)
			}
			p.noteSpaces(t.attrs)
			if t.end { // whatever was left open ends here
				p.folders, p.deeper = p.folders[:0], 0
			}
		case "outline":
			p.inHead = false
			if t.cut && !t.end {
				p.outlines++
				p.problem("the list ends inside an entry, line %d, which was skipped: the list is cut short", t.line)
				p.list.Cut = true // what is left of an address leads somewhere else
				continue
			}
			p.outline(t)
		default:
			if p.inHead && !t.end && !t.empty && validName(t.name) && len(p.list.Head) < 64 {
				p.head(t.name)
			}
		}
	}
	p.tellPages()
	if p.outlines == 0 && !p.rooted {
		return List{}, ErrNotOPML
	}
	if p.tooMany > 0 {
		p.problem("%s", tooMany(p.tooMany))
		p.list.Cut = true
	}
	if n := len(p.folders); n > 0 {
		p.problem("the list ends inside a folder: it is cut short, or a tag was not closed")
		p.list.Cut = true
	} else if p.rooted && !p.closed && p.tooMany == 0 {
		p.problem("the list has no end: it is cut short, or its last tag was not closed")
		p.list.Cut = true
	}
	return p.list, nil
}

func tooMany(n int) string {
	return fmt.Sprintf("only the first %d feeds were taken; the list has %d more entries", MaxFeeds, n)
}

//go:noinline // 8 places
func (p *parser) problem(format string, args ...any) {
	p.list.Problems = append(p.list.Problems, fmt.Sprintf(format, args...))
}

// outline takes one outline tag.
func (p *parser) outline(t tag) {
	if t.end {
		p.addPage(p.page.Title, p.page.URL, p.page.Line)
		p.page = Page{}
		if n := len(p.folders); p.deeper > 0 {
			p.deeper--
		} else if n > 0 {
			p.folders = p.folders[:n-1]
		}
		return
	}
	p.outlines++
	e := p.entry(t)
	if e.query != "" && len(p.list.Queries) < MaxFeeds {
		p.list.Queries = append(p.list.Queries, Query{Name: line(first(e.text, e.title)), Expr: line(e.query), Own: true, Line: e.line})
	}
	isFeed := e.url != "" || e.filter != ""
	if !isFeed && strings.HasPrefix(e.text, "tt-rss-") {
		p.problem("line %d: Tiny Tiny RSS keeps settings in its list (%s): they are not taken", e.line, line(e.text))
	}
	p.page = Page{} // what holds outlines is a folder
	switch {
	case isFeed:
		p.take(e)
	case e.site != "":
		p.page = Page{Title: line(first(e.text, e.title)), URL: e.site, Line: e.line}
	}
	if t.empty {
		p.addPage(p.page.Title, p.page.URL, p.page.Line)
		p.page = Page{}
		return
	}
	if len(p.folders) >= maxOpen {
		p.deeper++
		return
	}
	name := ""
	if !isFeed {
		name = folderName(e.text, e.title)
	}
	p.folders = append(p.folders, name)
}

// entry is an outline with its known attributes sorted out.
type entry struct {
	line                        int
	text, title, url, site, typ string
	category, filter            string
	query                       string // a saved query
	hidden, fromLink            bool   // fromLink: the address was in url, not in xmlUrl
	attrs                       map[string]string
	watch                       map[string]string // a watched page of ours: its settings
}

// entry reads the attributes of t. Of an attribute that is there twice the first
// counts, unless it is empty.
func (p *parser) entry(t tag) entry {
	p.noteSpaces(t.attrs)
	e := entry{line: t.line}
	link := ""
	set := func(field *string, v string) {
		if v = strings.TrimSpace(v); *field == "" {
			*field = v
		}
	}
	for _, a := range t.attrs {
		switch strings.ToLower(a.name) {
		case "xmlurl":
			set(&e.url, a.value)
		case "url":
			set(&link, a.value)
		case "htmlurl":
			set(&e.site, a.value)
		case "text":
			set(&e.text, a.value)
		case "title":
			set(&e.title, a.value)
		case "type":
			set(&e.typ, a.value)
		case "category":
			set(&e.category, a.value)
		case "filtercmd":
			set(&e.filter, a.value)
		case queryAttr:
			set(&e.query, a.value)
		case "diurna:hidden":
			e.hidden = a.value == "true"
		case "xmlns:diurna":
		default:
			if name, ok := strings.CutPrefix(strings.ToLower(a.name), watchPrefix); ok {
				e.watched(name, a.value)
				continue
			}
			e.keep(a, p.spaces)
		}
	}
	if e.url == "" && link != "" {
		e.url, e.fromLink = link, true
	} else if link != "" {
		e.keep(attr{"url", link}, nil)
	}
	return e
}

// watchPrefix begins the attributes of a watched page; the one that is nothing
// but the prefix marks it.
const watchPrefix = "diurna:watch"

func (e *entry) watched(name, value string) {
	if e.watch == nil {
		e.watch = map[string]string{}
	}
	if name = strings.TrimPrefix(name, "-"); name != "" && len(e.watch) < maxTags {
		e.watch[name] = text(value)
	}
}

// keep puts an unknown attribute aside for the way out, with the declaration of its
// namespace.
func (e *entry) keep(a attr, spaces map[string]string) {
	if !validName(a.name) {
		return
	}
	if e.attrs == nil {
		e.attrs = map[string]string{}
	}
	if _, twice := e.attrs[a.name]; twice {
		return
	}
	e.attrs[a.name] = text(a.value)
	if prefix, _, ok := strings.Cut(a.name, ":"); ok && prefix != "xmlns" && prefix != "xml" {
		if uri, known := spaces["xmlns:"+prefix]; known {
			e.attrs["xmlns:"+prefix] = uri
		}
	}
}

func (p *parser) noteSpaces(attrs []attr) {
	for _, a := range attrs {
		if strings.HasPrefix(a.name, "xmlns:") && validName(a.name) && len(p.spaces) < 100 {
			if p.spaces == nil {
				p.spaces = map[string]string{}
			}
			p.spaces[a.name] = text(a.value)
		}
	}
}

// take files an entry with an address under feeds or refused.
func (p *parser) take(e entry) {
	// A feed without a title is written with its address for one.
	e.text, e.title = line(e.text), line(e.title)
	if e.text == e.url {
		e.text = ""
	}
	if e.title == e.url {
		e.title = ""
	}
	title := first(e.text, e.title)
	tags := splitCategory(e.category)
	r := Refused{Line: e.line, Text: line(first(e.url, e.filter)), Title: title, Tags: tags}
	switch {
	case e.filter != "":
		r.Why, r.Command, r.URL = whyFilter, line(e.filter), line(e.url)
	case strings.HasPrefix(e.url, "|"):
		r.Why, r.Command = whyCommand, line(strings.TrimSpace(e.url[1:]))
	default:
		if r.Why, r.Command, r.URL = programOf(e.url); r.Why == "" {
			r.Why = listElsewhere(e)
		}
	}
	address, ok := "", false
	if r.Why == "" {
		if address, ok = feedAddress(e.url); !ok {
			r.Why = whyAddress
		}
	}
	if len(p.list.Feeds) >= MaxFeeds || len(p.list.Refused) >= MaxFeeds {
		p.tooMany++
		return
	}
	if r.Why != "" {
		p.list.Refused = append(p.list.Refused, r)
		return
	}
	if e.title != "" && e.title != title {
		e.keep(attr{"title", e.title}, nil)
	}
	if !e.isWatch() {
		e.watch = nil
		// A tag of the library is one word: with these signs it may not be the label.
		if Category(tags) != e.category || strings.ContainsAny(e.category, "\" #+-") {
			e.keep(attr{"category", e.category}, nil)
		}
	}
	if e.typ != "" && e.typ != "rss" && e.watch == nil {
		e.keep(attr{"type", e.typ}, nil)
	}
	site, _ := plain.URL(e.site)
	p.list.Feeds = append(p.list.Feeds, Outline{
		URL: address, Title: title, Site: site, Folder: p.folder(), Tags: tags,
		Hidden: e.hidden, Attrs: e.attrs, Watch: e.watch, Line: e.line,
	})
}

// isWatch reports whether an entry is a watched page of ours.
func (e *entry) isWatch() bool {
	return e.watch != nil && e.fromLink && strings.EqualFold(e.typ, "link")
}

// The reasons for which an entry is not taken.
const (
	whyFilter  = "it filters a feed through a program, and nothing is run for a feed"
	whyCommand = "it runs a program, and nothing is run for a feed"
	whyAddress = "not an http or https address"
	whyFile    = "it is a file on this machine"
	whyList    = "it is another list, and lists are not fetched"
	whyPage    = "it is a link to a page, not a feed"
	whyScraped = "it is a page of which that reader makes a feed; diurna watch ADDRESS reports its changes"
)

// listElsewhere says why an entry that has an address is not a feed, "" if it is.
// An xmlUrl is always meant as a feed, except in a list of lists; a bare url is one
// when its type or its looks say so.
func listElsewhere(e entry) string {
	typ := strings.ToLower(e.typ)
	if e.isWatch() {
		return ""
	}
	if typ == "include" || typ == "source" {
		return whyList
	}
	if kind, _, ok := strings.Cut(typ, "+"); ok && (kind == "html" || kind == "xml" || kind == "json") { // FreshRSS
		return whyScraped
	}
	if e.fromLink && typ != "rss" && typ != "atom" && typ != "feed" && typ != "pie" && typ != "rdf" && typ != "json" {
		if u, err := url.Parse(e.url); err == nil {
			if path := strings.ToLower(u.Path); strings.HasSuffix(path, ".opml") {
				return whyList
			} else if feedPath(path) {
				return ""
			}
		}
		return whyPage
	}
	return ""
}

// feedPath tells whether a path looks like a feed's.
func feedPath(path string) bool {
	path = strings.Trim(path, "/")
	last := path[strings.LastIndexByte(path, '/')+1:]
	_, ext, _ := strings.Cut(last, ".")
	for _, w := range []string{"rss", "atom", "feed", "rdf", "xml"} {
		if last == w && w != "xml" || ext == w {
			return true
		}
	}
	return false
}

// folder is the path of the open folders.
func (p *parser) folder() string {
	var names []string
	for _, f := range p.folders {
		if f != "" && len(names) < MaxDepth {
			names = append(names, f)
		}
	}
	return strings.Join(names, "/")
}

func folderName(text, title string) string {
	return strings.ReplaceAll(first(line(text), line(title)), "/", slash)
}

// maxTags bounds the tags of one feed, maxTag the bytes of one.
const (
	maxTags = 256
	maxTag  = 200
)

// splitCategory gives the tags of a category attribute. A tag that would not come
// out as it is stands in quotes, as joinCategory writes it.
func splitCategory(s string) []string {
	var tags []string
	for _, l := range Labels(s) {
		if len(tags) == maxTags {
			break
		}
		if l.Tag != "" && !slices.Contains(tags, l.Tag) {
			tags = append(tags, l.Tag)
		}
	}
	return tags
}

// Labels cuts a category attribute in labels; their texts together are the
// attribute without the white space around it, up to 512 labels.
func Labels(s string) []Label {
	var out []Label
	for s = strings.TrimSpace(s); s != "" && len(out) < 2*maxTags; {
		t, rest, quoted := cutQuoted(s)
		if !quoted {
			before, _, _ := strings.Cut(s, ",")
			t, rest = category(before), s[len(before):]
		}
		rest = strings.TrimLeft(rest, ", \t\r\n")
		out = append(out, Label{Text: s[:len(s)-len(rest)], Tag: tagName(t)})
		s = rest
	}
	return out
}

// category makes a label of one of OPML's category paths: "/a/b" and "a / b" are
// both "a/b".
func category(s string) string {
	parts := strings.Split(s, "/")
	kept := parts[:0]
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "/")
}

func tagName(s string) string { return strings.TrimSpace(plain.Line(s, maxTag)) }

// cutQuoted reads a word in quotes, a quote inside it written twice.
func cutQuoted(s string) (word, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", s, false
	}
	var b strings.Builder
	for s = s[1:]; ; {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			return "", s, false
		}
		b.WriteString(s[:i])
		if s = s[i+1:]; !strings.HasPrefix(s, `"`) {
			return b.String(), s, true
		}
		b.WriteByte('"')
		s = s[1:]
	}
}

// programOf recognises newsboat's addresses that run something.
func programOf(address string) (why, command, fed string) {
	scheme, rest, ok := strings.Cut(address, ":")
	if !ok {
		return "", "", ""
	}
	switch strings.ToLower(strings.TrimSpace(scheme)) {
	case "exec":
		return whyCommand, line(rest), ""
	case "filter":
		cmd, fed, _ := strings.Cut(rest, ":")
		return whyFilter, line(cmd), line(fed)
	case "file":
		return whyFile, "", ""
	}
	return "", "", ""
}

// feedAddress makes an address of what an OPML names one: feed: is http, and a
// host without a scheme is meant to have one.
func feedAddress(s string) (string, bool) {
	low := strings.ToLower(s)
	switch {
	case strings.HasPrefix(low, "feed:http"):
		s = s[len("feed:"):]
	case strings.HasPrefix(low, "feed://"):
		s = "http" + s[len("feed"):]
	case strings.HasPrefix(s, "//"):
		s = "https:" + s
	case bareHost(s):
		s = "http://" + s
	}
	return plain.URL(s)
}

// bareHost tells whether s begins with a host name that has a dot.
func bareHost(s string) bool {
	host := s
	if i := strings.IndexAny(s, "/?"); i >= 0 {
		host = s[:i]
	}
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 || dot == len(host)-1 || strings.ContainsAny(host, ":@ \t") {
		return false
	}
	for i := dot + 1; i < len(host); i++ {
		if !isLetter(host[i]) {
			return false
		}
	}
	return true
}

//go:noinline // 20 places
func first(s ...string) string {
	for _, v := range s {
		if strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

// line makes foreign text one plain line of a bounded length; text keeps lines.
//
//go:noinline // 34 places
func line(s string) string { return strings.TrimSpace(plain.Line(s, maxLine)) }

//go:noinline // many places
func text(s string) string { return plain.Text(s, maxText) }

const (
	maxLine = 2 << 10
	maxText = 64 << 10
)

// validName tells whether s may be written as an attribute's name.
func validName(s string) bool {
	if s == "" || len(s) > 100 || !isLetter(s[0]) || strings.Count(s, ":") > 1 || strings.HasSuffix(s, ":") {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x80 || !isName(c) {
			return false
		}
	}
	return true
}
