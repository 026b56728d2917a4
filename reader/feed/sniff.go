package feed

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"diurna/reader/feed/xmlscan"
)

// sniff says what a decoded document is and returns it from its first
// meaningful byte on. Any prologue is skipped: comments, instructions, a
// document type of any length, stray text before the first tag.
func sniff(b []byte) (Kind, []byte) {
	head := bytes.TrimLeft(b, " \t\r\n\x00\ufeff")
	if len(head) == 0 {
		return KindOther, nil
	}
	// What servers put before JSON so that no page can run it.
	if rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(")]}'")), ", \t\r\n"); len(rest) > 0 && rest[0] == '{' {
		head = rest
	}
	if head[0] == '{' {
		if bytes.Contains(head, []byte(`"items"`)) || bytes.Contains(head[:min(len(head), 4096)], []byte("jsonfeed.org")) {
			return KindFeed, head
		}
		return KindOther, head
	}
	s := xmlscan.Scanner{B: head}
	if bytes.HasPrefix(bytes.ToLower(head[:min(len(head), 64)]), []byte("<!doctype html")) {
		// Some frameworks put a page's document type before a feed.
		t, ok := s.Next()
		if ok && rootKind(t.Name) == KindFeed {
			return KindFeed, head
		}
		if wrapped := feedWithin(s, head); wrapped != nil {
			return KindFeed, wrapped
		}
		return KindPage, head
	}
	t, ok := s.Next()
	if !ok {
		return KindOther, head
	}
	kind := rootKind(t.Name)
	if bytes.EqualFold(t.Name, []byte("html")) {
		if wrapped := feedWithin(s, head); wrapped != nil {
			return KindFeed, wrapped
		}
		return kind, head
	}
	if kind == KindFeed || kind == KindOPML {
		return kind, head
	}
	// A warning of the server's own before the feed.
	for range 64 {
		if t, ok = s.Next(); !ok {
			break
		}
		if k := rootKind(t.Name); k == KindFeed && !t.Closing && len(t.Attrs) > 0 {
			return k, head[t.Start:]
		}
	}
	return kind, head
}

// feedWithin is the feed that a page is wrapped around, from its first tag on, nil
// if there is none. It has a root with attributes and an item: a page that shows an
// example of a feed escapes it.
func feedWithin(s xmlscan.Scanner, page []byte) []byte {
	from := -1
	for {
		t, ok := s.Next()
		if !ok {
			return nil
		}
		switch strings.ToLower(string(xmlscan.LocalName(t.Name))) {
		case "script", "style", "textarea", "template", "noscript", "svg":
			if !t.Closing && !t.Empty {
				s.Inner(t)
			}
		case "rss", "rdf", "feed":
			if from < 0 && !t.Closing && (bytes.Contains(t.Attrs, []byte("version")) || bytes.Contains(t.Attrs, []byte("xmlns"))) {
				from = t.Start
			}
		case "item", "entry":
			if from >= 0 && !t.Closing {
				return page[from:]
			}
		}
	}
}

// rootKind says what a document is by the name of its root element.
func rootKind(name []byte) Kind {
	switch local := strings.ToLower(string(xmlscan.LocalName(name))); local {
	case "rss", "rdf", "feed", "channel", "entry":
		return KindFeed
	case "opml":
		return KindOPML
	case "html", "head", "body", "title", "meta", "script", "div", "p", "h1", "link", "style", "base", "center", "table", "a", "b", "br":
		return KindPage
	}
	return KindOther
}

// feedTypes are the media types by which pages announce feeds.
var feedTypes = map[string]bool{
	"application/rss+xml": true, "application/atom+xml": true, "application/feed+json": true,
	"application/rdf+xml": true, "application/x.atom+xml": true, "application/x-atom+xml": true,
	"text/rss+xml": true, "application/rss": true, "application/json": true, "application/xml": true, "text/xml": true,
}

const maxCandidates = 64

// Discover lists the feeds that an HTML page announces with rel=alternate (or
// rel=feed), in document order, comment feeds last. Relative addresses are
// resolved against base and the page's own <base>. At most 64 are returned.
func Discover(page []byte, base string) []Candidate {
	p := parser{}
	z := html.NewTokenizer(bytes.NewReader(p.decode(page[:min(len(page), MaxBody)])))
	z.SetMaxBuf(1 << 20)
	var found, comments []Candidate
	seen := map[string]bool{}
	for len(seen) < maxCandidates {
		switch z.Next() {
		case html.ErrorToken:
			return append(found, comments...)
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		name, more := z.TagName()
		switch string(name) {
		case "base":
			if href := tagAttrs(z, more)["href"]; href != "" {
				base = xmlscan.Resolve(base, href)
			}
		case "link", "a":
			c, ok := candidate(tagAttrs(z, more), base, string(name) == "a")
			if !ok || seen[c.URL] {
				continue
			}
			seen[c.URL] = true
			if strings.Contains(strings.ToLower(c.Title+" "+c.URL), "comment") {
				comments = append(comments, c)
			} else {
				found = append(found, c)
			}
		}
	}
	return append(found, comments...)
}

func tagAttrs(z *html.Tokenizer, more bool) map[string]string {
	m := map[string]string{}
	for range MaxAttributes {
		if !more {
			break
		}
		var k, v []byte
		k, v, more = z.TagAttr()
		if _, dup := m[string(k)]; !dup {
			m[string(k)] = string(v)
		}
	}
	return m
}

// candidate decides whether a link announces a feed.
func candidate(a map[string]string, base string, anchor bool) (Candidate, bool) {
	rel := strings.Fields(strings.ToLower(a["rel"]))
	has := func(s string) bool {
		for _, r := range rel {
			if r == s {
				return true
			}
		}
		return false
	}
	kind, _, _ := strings.Cut(strings.ToLower(a["type"]), ";")
	kind = strings.TrimSpace(kind)
	href := strings.TrimSpace(a["href"])
	switch {
	case href == "" || len(href) > MaxURL:
		return Candidate{}, false
	case has("feed") && !has("stylesheet"):
	case has("alternate") && !has("stylesheet") && feedTypes[kind]:
		// These three are announced for much else (APIs, oEmbed): only when the
		// address or the title speaks of a feed.
		if generic := kind == "application/json" || kind == "application/xml" || kind == "text/xml"; generic {
			s := strings.ToLower(href + " " + a["title"])
			if !strings.Contains(s, "feed") && !strings.Contains(s, "rss") && !strings.Contains(s, "atom") ||
				strings.Contains(s, "oembed") || strings.Contains(s, "wp-json") {
				return Candidate{}, false
			}
		}
	default:
		return Candidate{}, false
	}
	if anchor && !feedTypes[kind] && !has("feed") {
		return Candidate{}, false
	}
	if u, ok := cutScheme(href, "feed"); ok {
		href = u
	}
	u, ok := cleanURL(xmlscan.Resolve(base, href))
	if !ok {
		return Candidate{}, false
	}
	return Candidate{URL: u, Title: line(a["title"], MaxTitle), Type: kind}, true
}

// cutScheme turns "feed:https://x" and "feed://x" into what they mean.
func cutScheme(s, scheme string) (string, bool) {
	if len(s) <= len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) || s[len(scheme)] != ':' {
		return s, false
	}
	rest := s[len(scheme)+1:]
	if strings.HasPrefix(rest, "//") {
		return "http:" + rest, true
	}
	return rest, true
}
