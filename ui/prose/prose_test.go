package prose

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"diurna/store/storetest"
)

var update = flag.Bool("update", false, "write the golden files again")

const base = "https://kernelnotes.example/2026/"

// marked writes a page so that a golden file shows styles and links too.
func marked(p Page) string {
	names := []struct {
		s Style
		c string
	}{{Bold, "b"}, {Italic, "i"}, {Code, "c"}, {Quote, "q"}, {Heading, "h"}, {Link, "l"}, {Image, "m"}, {Dim, "d"}, {Deleted, "-"}, {Inserted, "+"}}
	var sb strings.Builder
	for i, l := range p.Lines {
		fmt.Fprintf(&sb, "%3d|", i)
		for _, s := range l.Spans {
			open := ""
			for _, n := range names {
				if s.Style&n.s != 0 {
					open += n.c
				}
			}
			if s.Link > 0 {
				open += fmt.Sprint(s.Link)
			}
			if open == "" {
				sb.WriteString(s.Text)
				continue
			}
			fmt.Fprintf(&sb, "<%s:%s>", open, s.Text)
		}
		sb.WriteByte('\n')
	}
	fmt.Fprintf(&sb, "paras %v\nheadings %v\nimages %d\nlinks from line %d\n", p.Paras, p.Headings, p.Images, p.LinkList)
	for i, l := range p.Links {
		fmt.Fprintf(&sb, "%d line %d %q %s\n", i+1, l.Line, l.Text, l.URL)
	}
	return sb.String()
}

// render lays out a document for a screen of width cells.
func render(html, base string, width int) Page {
	return Layout{Width: width}.Render(html, base)
}

func TestGolden(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "article.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []int{40, 72} {
		p := render(string(src), base, w)
		sound(t, p, w)
		for name, got := range map[string]string{"plain": p.Plain(), "styled": marked(p)} {
			file := filepath.Join("testdata", fmt.Sprintf("article.%d.%s", w, name))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs; got:\n%s", file, got)
			}
		}
	}
}

// sound checks what holds for every page.
func sound(t *testing.T, p Page, w int) {
	t.Helper()
	soundBy(t, p, w, false)
}

// soundBy is sound for a page that was laid out by clusters, or was not.
func soundBy(t *testing.T, p Page, w int, clusters bool) {
	t.Helper()
	w = min(max(w, MinWidth), MaxWidth)
	for i, l := range p.Lines {
		text := ""
		for _, s := range l.Spans {
			text += s.Text
			if s.Text == "" {
				t.Fatalf("line %d has an empty span", i)
			}
			if s.Link < 0 || s.Link > len(p.Links) {
				t.Fatalf("line %d: link %d of %d", i, s.Link, len(p.Links))
			}
		}
		if n := ansi.StringWidth(text); n > w {
			t.Fatalf("line %d has %d cells by clusters, the page %d: %q", i, n, w, text)
		}
		if n := ansi.StringWidthWc(text); n > w && !clusters {
			t.Fatalf("line %d has %d cells, the page %d: %q", i, n, w, text)
		}
		if !utf8.ValidString(text) {
			t.Fatalf("line %d is not UTF-8: %q", i, text)
		}
		for _, r := range text {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
				r == '\u200e' || r == '\u200f' || r == '\u061c' || r == '\u200b' || r >= 0xe0000 && r < 0xe0080 {
				t.Fatalf("line %d lets %U through: %q", i, r, text)
			}
		}
	}
	last := -1
	for _, n := range p.Paras {
		if n <= last || n >= len(p.Lines) {
			t.Fatalf("paragraphs at %v of %d lines", p.Paras, len(p.Lines))
		}
		last = n
	}
	for i, l := range p.Links {
		if l.Line < 0 || l.Line >= len(p.Lines) || l.Text == "" {
			t.Fatalf("link %d is %+v of %d lines", i+1, l, len(p.Lines))
		}
	}
}

func TestRender(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"white space only", " \n\t <p> </p><div>\n</div>", ""},
		{"white space collapses", "<p>a\n  b\t<b> c </b> d</p>", "a b c d\n"},
		{"words in tags", "a<b>b</b>c", "abc\n"},
		{"no-break space at an edge", "a&nbsp;<b>b</b>&nbsp;c&nbsp;&nbsp;", "a b c\n"},
		{"entities", "a &amp;&nbsp;b&#8217;s", "a & b’s\n"},
		{"nested list", "<ul><li>a<ul><li>b</ul><li>c</ul>", "  • a\n    • b\n  • c\n"},
		{"ordered", "<ol start=9 type=1><li>a<li>b</ol><ol type=a><li>x</ol><ol reversed start=2><li>y<li>z</ol>",
			"  9. a\n  10. b\n\n  a. x\n\n  2. y\n  1. z\n"},
		{"quote in list", "<ul><li>a<blockquote>b</blockquote></ul>", "  • a\n\n    │ b\n"},
		{"breaks", "a<br/>b<br><br><br>c<br>", "a\nb\n\nc\n"},
		{"pre keeps blanks", "<pre>\n a  b\n\n\tc\n</pre>", "     a  b\n\n            c\n"},
		{"unclosed", "<b><i><p>a<p>b</i>c", "a\n\nbc\n"},
		{"stray end tags", "</div></p></b>a</ul>", "a\n"},
		{"link", `<a href="x">a</a>, <a href='x'>b</a>`, "a[1], b[1]\n\n[1] https://kernelnotes.example/2026/x\n"},
		{"link without text", `<a href="x"> </a><a href="y">b</a>`, "b[1]\n\n[1] https://kernelnotes.example/2026/y\n"},
		{"link not closed", `<a href="x">a <a href="y">b<p>c`, "a[1] b[2]\n\nc\n\n[1] https://kernelnotes.example/2026/x\n[2] https://kernelnotes.example/2026/y\n"},
		{"no such link", `<a href="javascript:x()">a</a><a href="data:,x">b</a><a href="http://[">c</a>`, "abc\n"},
		{"head", "<html><head><title>t</title><style>x</style><p>a", "a\n"},
		{"noscript", `a<noscript><img src=x></noscript>b`, "ab\n"},
		{"void in hidden", "<svg><br><text>x</text></svg>a<select><option>o</select>", "a\n"},
		{"flags and joiners", "🇩🇪 👨\u200d👩 ❤\ufe0f 👍🏽", "DE 👨👩 ❤ 👍\n"},
		{"controls", "a\x1b[31mb\u202ec\u2066d\x07", "abcd\n"},
		{"controls in pre", "<pre>a\x1b[31mb\u202ec</pre>", "    abc\n"},
		{"escaped controls", "a&#27;[31mb&#x202e;c", "abc\n"},
		{"table", "<table><tr><td>a<td>b<tr><td>cc<td>dd</table>", "a   b\ncc  dd\n"},
		{"one column", "<table><tr><td>a<tr><td>b</table>", "a\nb\n"},
		{"table not closed", "<table><tr><td>a<td>b", "a\nb\n"},
		{"ruby", "<ruby>漢<rt>かん</rt></ruby>", "漢(かん)\n"},
		{"heading in link", `<h2><a href=x>a</a></h2>`, "## a[1]\n\n[1] https://kernelnotes.example/2026/x\n"},
	} {
		p := render(c.in, base, 40)
		sound(t, p, 40)
		if got := p.Plain(); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"one two three", 9, "one two|three"},
		{"one two three", 7, "one two|three"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"a abcdefghij", 4, "a|abcd|efgh|ij"},
		{"well-known words", 6, "well-|known|words"},
		{"a --option b", 6, "a|--opti|on b"},
		{"港の便りが届く", 6, "港の便|りが届|く"},
		{"港の便、届く", 6, "港の|便、届|く"}, // no comma at the beginning of a line
		{"港「の」便", 6, "港|「の」|便"},   // brackets stay with what they hold
		{"港", 1, "港"},
		{"a\nb\n\nc", 5, "a|b||c"},
		{"x\u0301y\u0301z", 2, "x\u0301y\u0301|z"},
		{"long\u200bword", 5, "long|word"},
	} {
		var got []string
		for _, p := range ruler(false).wrap(c.in, c.w, nil) {
			got = append(got, strings.ReplaceAll(c.in[p.from:p.to], breakHere, ""))
		}
		if g := strings.Join(got, "|"); g != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.in, c.w, g, c.want)
		}
	}
}

// nasty are inputs that have brought renderers down.
func nasty() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, MaxInput/len(s)) }
	return map[string]string{
		"text":        fill("All work and no play makes a dull feed. "),
		"one word":    fill("x"),
		"ideographs":  fill("港の便り"),
		"marks":       "a" + fill("\u0301"),
		"open tags":   fill("<b>"),
		"open divs":   fill("<div>"),
		"end tags":    fill("</i>"),
		"both":        fill("<b></i>"),
		"lists":       fill("<ul><li>"),
		"quotes":      fill("<blockquote>x"),
		"tables":      fill("<table>"),
		"cells":       "<table>" + fill("<td>x"),
		"rows":        "<table>" + fill("<tr><td>x<td>y") + "</table>",
		"nested":      fill("<table><tr><td>"),
		"links":       fill("<a href=x>y"),
		"new links":   manyLinks(),
		"images":      fill("<img>"),
		"breaks":      fill("<br>"),
		"pre":         "<pre>" + fill("\t\n"),
		"sup":         fill("<sup>2"),
		"attributes":  "<p " + fill("a=b ") + ">",
		"entities":    fill("&amp;"),
		"comments":    fill("<!-- -->"),
		"controls":    fill("\x1b[31m"),
		"not UTF-8":   fill("\xff\x80"),
		"emoji":       fill("👨\u200d👩\u200d👧"),
		"svg, select": fill("<svg><select>"),
	}
}

func manyLinks() string {
	var sb strings.Builder
	for i := 0; sb.Len() < MaxInput; i++ {
		fmt.Fprintf(&sb, "<a href=%d>y</a> ", i)
	}
	return sb.String()
}

func TestNasty(t *testing.T) {
	for name, in := range nasty() {
		in = in[:len(in)/storetest.Size(4, 1)]
		t.Run(name, func(t *testing.T) { sound(t, render(in, base, 72), 72) })
	}
}

func FuzzRender(f *testing.F) {
	src, err := os.ReadFile(filepath.Join("testdata", "article.html"))
	if err != nil {
		f.Fatal(err)
	}
	for at := 0; at+200 < len(src); at += 200 {
		f.Add(string(src[at:at+200]), 40)
	}
	for _, s := range nasty() {
		f.Add(s[:60], 20)
	}
	f.Fuzz(func(t *testing.T, in string, w int) {
		p := render(in, base, w)
		sound(t, p, w)
		soundBy(t, Layout{Width: w, Graphemes: true, Signs: true}.Render(in, base), w, true)
		if again := render(in, base, w); !reflect.DeepEqual(p, again) {
			t.Fatal("two renderings differ")
		}
		if wide := render(in, base, 100); !p.Cut && !wide.Cut && len(wide.Paras) != len(p.Paras) {
			t.Fatalf("%d paragraphs at width %d, %d at 100", len(p.Paras), w, len(wide.Paras))
		}
	})
}

func BenchmarkRender8KB(b *testing.B) {
	src, err := os.ReadFile(filepath.Join("testdata", "article.html"))
	if err != nil {
		b.Fatal(err)
	}
	in := strings.Repeat(string(src), 8192/len(src)+1)[:8192]
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		render(in, base, 72)
	}
}

// BenchmarkNasty is the worst case: 1 MB of each; none may take over 250 ms.
func BenchmarkNasty(b *testing.B) {
	for name, in := range nasty() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				render(in, base, 72)
			}
		})
	}
}

// TestWrapText: the ranges of a line of text, without the blanks between them.
func TestWrapText(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 5, ""}, {"   ", 5, ""}, {"one two", 9, "one two"}, {"one two ", 3, "one|two"}, {"港の便り", 4, "港の|便り"}, {"abcdefgh ", 4, "abcd|efgh"},
		{"one  two", 4, "one|two"},
	} {
		var got []string
		for _, p := range Wrap(c.text, c.width) {
			got = append(got, c.text[p[0]:p[1]])
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.width, s, c.want)
		}
	}
}
