package align

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"diurna/reader/markup"

	"diurna/reader/align/aligntest"
)

// ourText is the text of a page as the engine reads it, without spaces.
func ourText(page string) string {
	d := Parse([]byte(page))
	var b []byte
	for i := int32(0); i < d.End(); i = d.Next(i) {
		if k := d.Is(i); k == Word || k == Sign {
			b = markup.AppendDecoded(b, d.At(i))
		}
	}
	return squeeze(string(b))
}

// squeeze leaves out spaces, and what signs a title may have: its words are
// unseen, and the engine keeps no more of it.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// treeText is the text of a page as x/net's tree has it for a browser without
// scripts, and whether there is such a tree.
func treeText(page string) (string, bool) {
	root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", false // deeper than it goes
	}
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && traits[markup.Named([]byte(n.Data))]&(traitRaw|traitQuiet) != 0 {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return squeeze(b.String()), true
}

// TestAsBrowsersRead holds how pages are read against x/net's tree.
func TestAsBrowsersRead(t *testing.T) {
	for _, page := range []string{
		"<p>a<script>b</script>c<style>d</style>e",
		"<p>a<script src=x />b</script>c<p>d",
		"<p>a<iframe src=x>b <p>c</iframe>d",
		"<p>a<noscript>b<p>c<img src=x></noscript>d",
		"<head><noscript><style>x{}</style></noscript></head><p>a",
		"<noscript><iframe src=x></iframe></noscript><p>a",
		"<p>a<noembed>b<p>c</noembed>d<noframes>e</noframes>f",
		"<p>a<template><p>b<template>c</template>d</template>e",
		"<p>a<template/>b</template>c",
		"<title>a<b>c</title><p>d",
		"<title/>a</title><p>b",
		"<p>a<textarea>b<p>c</textarea>d<p>e",
		"<div/>a<p/>b<span/>c<a href=x />d",
		"<p>a<svg><path d=x /><title>b</title><g/><text>c</text></svg>d",
		"<p>a<svg><style/><title/><text>b</text></svg>c<p>d",
		"<p>a<svg><script/></svg>b<p>c",
		"<p>a<svg/>b<title/>c</title>d",
		"<p>a<math><mi>x</mi><mo/></math>b",
		"<p>a<!-- b -->c<!--> d <!-- > e -->f<! g>h<? i>j</ k>l",
		"<p>a<xmp>b<p>c</xmp>d<p>e",
		"<p>a<plaintext>b<p>c</plaintext>d",
		"<p>a&amp;b&#99;&eacute;&notit;d",
		"<p>a<SCRIPT>b</script >c<Style>d</sTYLE\n>e",
		"<p>a<script>if (a < b) '</scripty>'</script>b",
		"<p>a<script><!-- <script>b</script> c --></script>d",
		"<ul><li>a<li>b<ul><li>c</ul></ul><table><tr><td>d<td>e<tr><td>f</table>g",
		"<select><option>a<option>b</select>c",
	} {
		if want, _ := treeText(page); ourText(page) != want {
			t.Errorf("%s: read as %q, a browser reads %q", page, ourText(page), want)
		}
	}
	// What the engine reads in another way than a browser, see docs/architecture.md.
	for _, c := range [][2]string{
		{"<p>a<noscript><iframe src=x /></noscript>b<p>c", "abc"},
		{"<p>a<NOSCRIPT><iframe src=x height=0 /></NOSCRIPT>b<iframe>c</iframe>d", "abd"},
		{"<p>a<noscript><style/>b</noscript>c<style>d</style>e", "abce"},
		{"<p>a<iframe src=x>b<p>c", "abc"},
		{"<p>a<script>b<p>c", "abc"},
		{"<table><p>a<tr><td>b</table>c", "abc"},
	} {
		if got := ourText(c[0]); got != c[1] {
			t.Errorf("%s: read as %q, want %q", c[0], got, c[1])
		}
	}
}

// TestRealPagesAsBrowsersRead does the first for real pages.
func TestRealPagesAsBrowsersRead(t *testing.T) {
	pages, same, off := 0, 0, 0
	for _, p := range aligntest.Pairs(t) {
		for _, raw := range [][]byte{p.A, p.B} {
			text, _ := Decode(raw, "")
			text = bytes.ReplaceAll(text, []byte{0}, nil)
			want, ok := treeText(string(text))
			if !ok {
				continue
			}
			pages++
			got := ourText(string(text))
			if got == want {
				same++
				continue
			}
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			if sorted(got) == sorted(want) {
				off++ // text between the rows of a table
				continue
			}
			t.Errorf("%s: %d bytes read, %d in the tree, at %d: %.60q and %.60q", p.ID, len(got), len(want), i, got[i:], want[i:])
		}
	}
	t.Logf("%d pages: %d read as the tree has them, %d in another order", pages, same, off)
}

func sorted(s string) [256]int {
	var n [256]int
	for i := range len(s) {
		n[s[i]]++
	}
	return n
}
