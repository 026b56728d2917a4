// Package fulltext finds the article in a web page. [Extract] takes what a server
// answered and returns the article's title, author and text as HTML that is safe to
// keep, or the [Reason] why there is none. It takes the time and the memory of a
// page of about 60,000 elements at most, whatever it is given.
package fulltext

import (
	"bytes"
	"html"
	"net/http"
	"net/url"
	"strings"

	readability "codeberg.org/readeck/go-readability/v2"
	tree "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"diurna/reader/page"
	"diurna/reader/pagestate"
	"diurna/reader/plain"
)

// Bounds of what is read and kept, in bytes where nothing else is said.
const (
	MaxPage   = 4 << 20 // of a page; the rest is not read
	MaxText   = 1 << 20 // of an article's HTML, as of an item's
	maxTitle  = 300
	fewWords  = 25  // an article has more
	wallWords = 250 // what a page behind a paywall shows has fewer
	softWords = 120 // what a page without its content says in its place has fewer
)

// Page is an answer of a web server.
type Page struct {
	URL         string // where it came from: links are relative to it
	Status      int
	ContentType string // the header, as sent
	Body        []byte // as sent
}

// Article is what a user would read of a page.
type Article struct {
	Title string // one line of plain text, "" if the page does not say
	HTML  string // safe, with whole addresses; never empty
	Words int    // in it, as plain.Words counts
}

// Extract finds the article of a page. The reason is None exactly if there is one; of a
// page without one there may be a title.
// A page that nobody could read in bounded time is read as far as the bounds reach.
func Extract(p Page) (a Article, why Reason) {
	// The library walks over what strangers wrote: a mistake in it costs one article.
	defer func() {
		if recover() != nil {
			a, why = Article{}, Unreadable
		}
	}()
	if why := refused(p); why != None && (len(p.Body) == 0 || isText(p) || !isHTML(p)) {
		return Article{}, why
	}
	body := p.Body[:min(len(p.Body), MaxPage)]
	if isText(p) {
		return plainText(body, p.ContentType)
	}
	if !isHTML(p) {
		return Article{}, NotHTML
	}
	text, _ := page.Decode(body, p.ContentType)
	state, _ := pagestate.Classify(pagestate.Response{Status: p.Status, Body: text}, nil, page.Options{})
	if why := inItsPlace(p, state); why != None {
		return Article{}, why
	}
	return extract(p.URL, text)
}

// extract finds the article in the text of a page.
func extract(address string, text []byte) (Article, Reason) {
	t := trim(text)
	base, err := url.Parse(address)
	if err != nil {
		base = &url.URL{}
	}
	if to, err := base.Parse(t.base); err == nil && t.base != "" {
		base = to
	}
	doc, err := tree.Parse(bytes.NewReader(t.out))
	if err != nil {
		return Article{}, Unreadable
	}
	dropNext(doc)
	parser := readability.NewParser()
	parser.DisableJSONLD = true // it is gone
	found, err := parser.ParseAndMutate(doc, base)
	if err != nil {
		return Article{}, Unreadable
	}
	a := Article{Title: plain.Line(found.Title(), maxTitle)}
	if found.Node != nil {
		var out bytes.Buffer
		if err := tree.Render(&out, found.Node); err != nil {
			return Article{}, Unreadable
		}
		a.HTML = plain.HTML(out.String(), MaxText)
		a.Words = plain.Words(a.HTML)
	}
	if why := lacking(a.Words, t); why != None {
		return Article{Title: a.Title}, why
	}
	return a, None
}

// dropNext removes the articles that a page goes on with: they have headings of the first
// order, and that of the first article stands in the page's title.
func dropNext(doc *tree.Node) {
	title := ""
	var first *tree.Node
	var next []*tree.Node
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.Title:
			title += textIn(n)
		case atom.H1:
			var article *tree.Node // the outermost
			for up := range n.Ancestors() {
				if up.DataAtom == atom.Article {
					article = up
				}
			}
			switch {
			case article == nil || article == first:
			case first == nil:
				if h := textIn(n); h == "" || !strings.Contains(title, h) || plain.Words(html.EscapeString(textIn(article))) < softWords {
					return
				}
				first = article
			default:
				next = append(next, article)
			}
		}
	}
	for _, n := range next {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
}

// textIn is the text in an element as one line.
func textIn(n *tree.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == tree.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return plain.Line(b.String(), 0)
}

// plainText is a page of plain text: paragraphs and lines stay as they are.
func plainText(body []byte, contentType string) (Article, Reason) {
	text, _ := page.Decode(body, contentType)
	s := plain.Text(string(text), MaxText/2)
	a := Article{HTML: plain.HTML("<pre>"+html.EscapeString(s)+"</pre>", MaxText), Words: plain.Words(html.EscapeString(s))}
	if a.Words < fewWords {
		return Article{}, Short
	}
	return a, None
}

// kindOf is the media type of a page, of its beginning if the server names none.
func kindOf(p Page) string {
	kind, _, _ := strings.Cut(p.ContentType, ";")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "" {
		kind, _, _ = strings.Cut(http.DetectContentType(p.Body), ";")
	}
	return kind
}

func isText(p Page) bool {
	return kindOf(p) == "text/plain" && !bytes.Contains(p.Body[:min(len(p.Body), 1024)], []byte("<html"))
}

func isHTML(p Page) bool {
	switch kind := kindOf(p); kind {
	case "text/html", "application/xhtml+xml", "text/plain":
		return true
	case "application/xml", "text/xml":
		return bytes.Contains(p.Body[:min(len(p.Body), 4096)], []byte("<html"))
	}
	return false
}
