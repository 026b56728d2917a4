package fulltext

import (
	"fmt"
	"strings"
	"testing"

	tree "golang.org/x/net/html"

	"diurna/reader/plain"
)

const prose = "The river rose in the night, and by morning the lower road was under water, so that the post came by boat. "

// hostile are pages made to cost time or memory: each of n pieces.
var hostile = map[string]func(n int) string{
	"divs":       func(n int) string { return strings.Repeat("<div>", n) + strings.Repeat(prose, 20) },
	"closed":     func(n int) string { return strings.Repeat("<div>", n) + prose + strings.Repeat("</div>", n) },
	"text":       func(n int) string { return strings.Repeat("<div>some words, a comma", n) },
	"paragraphs": func(n int) string { return strings.Repeat("<p>"+prose, n) },
	"tables":     func(n int) string { return strings.Repeat("<table><tr><td>", n) + strings.Repeat(prose, 20) },
	"lists":      func(n int) string { return strings.Repeat("<ul><li>"+prose, n) },
	"formatting": func(n int) string {
		var b strings.Builder
		for i := range n / 2 {
			fmt.Fprintf(&b, "<b id=%d>", i)
		}
		return b.String() + strings.Repeat("<p>a", n/2)
	},
	"nobr":     func(n int) string { return strings.Repeat("<nobr>", n/2) + strings.Repeat("<p>a", n/2) },
	"links":    func(n int) string { return strings.Repeat("<a href=x>word, word<div>", n) },
	"breaks":   func(n int) string { return "<div>" + strings.Repeat("<br>", n) + prose },
	"breaks2":  func(n int) string { return "<div>" + strings.Repeat("<br> <br>word", n) },
	"spans":    func(n int) string { return strings.Repeat("<div><span>", n) + prose },
	"headings": func(n int) string { return strings.Repeat("<h2>"+prose+"</h2>", n) },
	"bylines":  func(n int) string { return strings.Repeat("<div class=byline>", n) + prose },
	"classes": func(n int) string {
		return strings.Repeat("<div class='"+strings.Repeat("a ", 500)+"'>x, y</div>", n/50)
	},
	"siblings": func(n int) string { return strings.Repeat("<div><div class=a><p>"+prose+"</p></div></div>", n/3) },
	"images": func(n int) string {
		return strings.Repeat("<img data-src='"+strings.Repeat("a.jpg 1x,", 60)+"'>", n/10)
	},
	"forms":     func(n int) string { return strings.Repeat("<form><input><div><p>"+prose, n/3) },
	"open tags": func(n int) string { return strings.Repeat("<div a='", n) },
	"close":     func(n int) string { return strings.Repeat("</p></div></b>", n) },
	"noscript":  func(n int) string { return strings.Repeat("<noscript>", n) },
	"scripts":   func(n int) string { return strings.Repeat("<script>", n) },
	"titles": func(n int) string {
		return "<title>" + strings.Repeat(prose, n/10) + "</title>" + strings.Repeat("<h1>"+prose, n)
	},
	"select":   func(n int) string { return strings.Repeat("<table><select><option><b>", n) + prose },
	"adoption": func(n int) string { return strings.Repeat("<a><b><i><p></a></b></i>", n) + prose },
	"custom":   func(n int) string { return strings.Repeat("<x-"+strings.Repeat("y", 20)+">", n) + prose },
	"frames":   func(n int) string { return "<frameset>" + strings.Repeat("<frame>", n) },
	"math": func(n int) string {
		return strings.Repeat("<math><mi><annotation-xml encoding='text/html'><p>", n) + prose
	},
	"entities": func(n int) string { return strings.Repeat("&NotEqualTilde;&#x1F600;", n) },
	"controls": func(n int) string { return "<p>" + strings.Repeat("\x00\x1b[2J\u202eab, ", n) },
	"scored":   func(n int) string { return strings.Repeat("<div><p>"+prose+"</p>", n) },
	"cells":    func(n int) string { return "<table>" + strings.Repeat("<tr><td>"+prose+"<td>b", n) },
}

// depthAndNodes measure a tree.
func depthAndNodes(n *tree.Node, depth int) (deepest, nodes int) {
	deepest, nodes = depth, 1
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		d, k := depthAndNodes(c, depth+1)
		deepest, nodes = max(deepest, d), nodes+k
	}
	return deepest, nodes
}

// TestHostilePagesAreBounded holds what the search for the article is given, in
// nodes and depth, which is what its time goes by.
func TestHostilePagesAreBounded(t *testing.T) {
	for name, make := range hostile {
		doc, err := tree.Parse(strings.NewReader(string(trim([]byte(make(maxNodes))).out)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		deep, nodes := depthAndNodes(doc, 0)
		if deep > 5*maxDepth || nodes > 2*maxNodes {
			t.Errorf("%s: %d deep, %d nodes; want at most %d and %d", name, deep, nodes, 5*maxDepth, 2*maxNodes)
		}
	}
}

// sound fails where an answer of Extract may not be kept.
func sound(t *testing.T, what string, a Article, why Reason) {
	t.Helper()
	if (why == None) != (a.HTML != "") || why.Sentence() == "" && why != None {
		t.Errorf("%s: reason %d with %d bytes", what, why, len(a.HTML))
	}
	if len(a.HTML) > MaxText || plain.HTML(a.HTML, MaxText) != a.HTML || plain.Line(a.Title, maxTitle) != a.Title {
		t.Errorf("%s: what came out is not plain", what)
	}
}
