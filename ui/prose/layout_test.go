package prose

import (
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"diurna/store/storetest"
)

const wideTable = `<table><tr><th>Harbour<th>Pilotage<th>Anchorage<th>Drinking water<th>Remarks of the harbour master<th>Depth
<tr><td>Oldquay<td>compulsory<td>forbidden<td>at the quay<td>closed while fog lasts<td>4.1 m
<tr><td>Newquay<td>on request<td>two buoys<td><td>no <a href="/n">night arrivals</a><td>12 m</table>`

// TestLayout shows what each kind of text becomes, whole.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name string
		l    Layout
		in   string
		want string
	}{
		{"code goes on", Layout{Width: 24}, "<pre>if harbour.open() {\n  ring(bell, twice, loudly)\n}</pre>",
			"    if harbour.open() {\n      ring(bell, twice,\n  ↳ loudly)\n    }\n"},
		{"code without blanks", Layout{Width: 16}, "<pre>0123456789abcdefgh</pre>", "    0123456789ab\n  ↳ cdefgh\n"},
		{"code for programs", Layout{Width: 16, WholeCode: true}, "<pre>0123456789abcdefgh ij</pre><p>one two three four", "    0123456789abcdefgh ij\n\none two three\nfour\n"},
		{"deleted and inserted", Layout{Width: 40}, "a <del>b</del> <ins>c</ins> <s>d</s>", "a b c d\n"},
		{"with signs", Layout{Width: 40, Signs: true}, "a <del>b</del> <ins>c</ins> <s>d</s>", "a ~~b~~ ++c++ ~~d~~\n"},
		{"right", Layout{Width: 40}, `<table><tr><th>what<th align=right>n<tr><td>buoys<td style="text-align: right">1,204<tr><td>bells<td align=right>7</table>`,
			"what       n\n─────  ─────\nbuoys  1,204\nbells      7\n"},
		{"col", Layout{Width: 40}, `<table><col><colgroup align=right span=1><tr><td>buoys<td>1204<tr><td>bells<td>7<tr><td>x<td align=left>8</table>`,
			"buoys  1204\nbells     7\nx      8\n"},
		{"row and group", Layout{Width: 40}, `<table><tbody align=right><tr><td>a<td>b<tr align=center><td>ccc<td>d<tbody><tr><td>eeeee<td>fffff</table>`,
			"    a      b\n ccc     d\neeeee  fffff\n"},
		{"wrapped rows", Layout{Width: 24}, "<table><tr><th>what<th>when<tr><td>a<td>b<tr><td>one two three four<td>five six seven<tr><td>c<td>d</table>",
			"what         when\n───────────  ───────────\na            b\n\none two      five six\nthree four   seven\n\nc            d\n"},
		{"wide table", Layout{Width: 50}, wideTable, `• Harbour: Oldquay
  Pilotage: compulsory
  Anchorage: forbidden
  Drinking water: at the quay
  Remarks of the harbour master: closed while fog
  lasts
  Depth: 4.1 m

• Harbour: Newquay
  Pilotage: on request
  Anchorage: two buoys
  Remarks of the harbour master: no night
  arrivals[1]
  Depth: 12 m

[1] https://kernelnotes.example/n
`},
		{"wide table, two heading rows", Layout{Width: 12}, `<table><tr><th colspan=2>Depths<th>Unused<tr><th>now<th>then<th><tr><td>1 metre or so<td>somewhat more<td></table>`,
			"Unused\n• Depths,\n  now: 1\n  metre or\n  so\n  Depths,\n  then:\n  somewhat\n  more\n"},
		{"wide table, no headings", Layout{Width: 12}, `<table><tr><td>alongside<td>astern<tr><td>c<td>d</table>`, "• alongside\n  astern\n\n• c\n  d\n"},
		{"embeds", Layout{Width: 60}, `Look: <iframe src="/a" title="One"></iframe><iframe src="/b"></iframe><video src="/c"></video>there`,
			"Look:\n[embedded: One][1]\n[embedded][2]\n[video][3]\nthere\n\n[1] https://kernelnotes.example/a\n[2] https://kernelnotes.example/b\n[3] https://kernelnotes.example/c\n"},
		{"pictures", Layout{Width: 60}, `<p><img src="/a.png" alt="A quay"><img src="/b.png"><a href="/c">text</a><img src="/a.png"><img src="data:,x">`,
			"[image: A quay][1] [image][2]text[3] [image][1] [image]\n\n[1] https://kernelnotes.example/a.png\n[2] https://kernelnotes.example/b.png\n[3] https://kernelnotes.example/c\n"},
		{"late pictures", Layout{Width: 60}, `<img src="data:,x" data-src="/a.png"> <img srcset="/b.png 2x, /c.png">`,
			"[image][1] [image][2]\n\n[1] https://kernelnotes.example/a.png\n[2] https://kernelnotes.example/b.png\n"},
		{"picture in a link to itself", Layout{Width: 60}, `<a href="/big.png?x"><img src="/s.png" alt="A quay"></a>`,
			"[image: A quay][1]\n\n[1] https://kernelnotes.example/big.png?x\n"},
		{"picture in a link", Layout{Width: 60}, `<a href="/story"> <img src="/s.png" alt="A quay"> more</a> <a href="/x">x <img src="/y.png"></a>`,
			"[image: A quay][1] more[2] x [image][4][3]\n\n[1] https://kernelnotes.example/s.png\n[2] https://kernelnotes.example/story\n[3] https://kernelnotes.example/x\n[4] https://kernelnotes.example/y.png\n"},
		{"emoji", Layout{Width: 12}, "👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🇩🇪 x", "👨👩👧 ❤ 👍\nDE x\n"},
		{"emoji by clusters", Layout{Width: 12, Graphemes: true}, "👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🇩🇪 x", "👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🇩🇪\nx\n"},
		{"no emoji by clusters", Layout{Width: 40, Graphemes: true}, "a\u200db 🇩 1\ufe0f\u20e3 🏴\U000e0067\U000e007f \u200d👩", "ab D 1⃣ 🏴 👩\n"},
		{"a counting pixel", Layout{Width: 60}, `a<img src="/p.gif" width=1>`, "a\n"},
	} {
		p := c.l.Render(c.in, base)
		if !c.l.WholeCode {
			soundBy(t, p, c.l.Width, c.l.Graphemes)
		}
		if got := p.Plain(); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestNoWordLost lays out pages made of every kind of block at many widths:
// each word of the source is a word of the page.
func TestNoWordLost(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 16))
	for range storetest.Size(100, 300) {
		src, words := randomPage(rnd)
		for _, w := range []int{12, 17, 24, 40, 72, 200} {
			for _, l := range []Layout{{Width: w}, {Width: w, Signs: true}, {Width: w, WholeCode: true}} {
				p := l.Render(src, base)
				if !l.WholeCode {
					sound(t, p, w)
				}
				var shown strings.Builder
				for _, line := range p.Lines[:p.LinkList] {
					shown.WriteString(strings.Trim(line.Plain(), " │↳"))
				}
				all := strings.ReplaceAll(shown.String(), " ", "") // words are broken where they must
				for _, word := range words {
					if !strings.Contains(all, word) {
						t.Fatalf("%q is lost at width %d, %+v:\n%s\nof\n%s", word, w, l, p.Plain(), src)
					}
				}
			}
		}
	}
}

// randomPage makes a page and gives its words, each of them different.
func randomPage(rnd *rand.Rand) (src string, words []string) {
	inTable := false // where words up to 16 cells are never broken in a column
	word := func() string {
		r, most := []rune("abcdefghijklmnopqrstuvwxyzäöü港便り"), 24
		if inTable {
			r, most = r[:29], 7
		}
		s := ""
		for range 5 + rnd.IntN(most) {
			s += string(r[rnd.IntN(len(r))])
		}
		words = append(words, s)
		return html.EscapeString(s)
	}
	text := func(most int) string {
		s := word()
		for range rnd.IntN(most) {
			s += " " + word()
		}
		return s
	}
	var sb strings.Builder
	for range 1 + rnd.IntN(5) {
		switch rnd.IntN(6) {
		case 0:
			sb.WriteString("<p>" + text(30) + " <del>" + text(3) + "</del><ins>" + text(3) + "</ins>")
		case 1:
			sb.WriteString("<pre>" + text(30) + "\n\t" + text(20) + "</pre>")
		case 2:
			sb.WriteString("<ul><li>" + text(9) + "<li><blockquote>" + text(9) + "<h3>" + text(9) + "</h3></blockquote></ul>")
		case 3:
			sb.WriteString(`<figure><a href="/x"><img src="/y" alt="` + text(9) + `"></a><figcaption>` + text(9) + "</figcaption></figure>")
		case 4:
			sb.WriteString(`<iframe src="/i" title="` + text(4) + `"></iframe><video src="/v" title="` + text(4) + `"></video>`)
		default:
			inTable = true
			columns, th := 1+rnd.IntN(8), rnd.IntN(2) == 0
			sb.WriteString("<table><caption>" + text(4) + "</caption>")
			for row := range 1 + rnd.IntN(4) {
				sb.WriteString("<tr>")
				for range columns {
					tag := []string{"<td>", "<td align=right>", "<td colspan=2>", "<td rowspan=2>"}[rnd.IntN(4)]
					if row == 0 && th {
						tag = "<th>"
					}
					sb.WriteString(tag + text(6))
				}
			}
			sb.WriteString("</table>")
			inTable = false
		}
	}
	return sb.String(), words
}

// TestDirections: which lines run from right to left, and that the text alone
// is what it was.
func TestDirections(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"left", "<p>one", "one\n"},
		{"right by its first letter", "<p>«سلام» one two three</p><p>two", "<«سلام» one>\n<two three>\n\ntwo\n"},
		{"Hebrew", "<p>12. שלום", "<12. שלום>\n"},
		{"as declared", `<div dir=rtl><p>one<p dir=ltr>سلام</div>`, "<one>\n\nسلام\n"},
		{"by itself", `<div dir=RTL><p dir=auto>one</div>`, "one\n"},
		{"list", `<ul dir=rtl><li>سلام<li>دنیا</ul>`, "<  • سلام>\n<  • دنیا>\n"},
		{"code", `<div dir=rtl><pre>سلام()</pre></div>`, "   سلام()\n"},
		{"table", `<table dir=rtl><tr><td>1<td>سلام</table>`, "<1  سلام>\n"},
		{"table by its first letter", `<table><tr><td>سلام<td>a<tr><td>b<td>c</table><p>d`, "<سلام  a>\n<b     c>\n\nd\n"},
		{"rule", `<p>سلام<hr>`, "<سلام>\n\n────────────\n"},
		{"controls of the source", "<p>\u2067سلام\u2069\u202e", "<سلام>\n"},
	} {
		p := render(c.in, base, 12)
		sound(t, p, 12)
		got := strings.NewReplacer(Isolate, "<", EndIsolate, ">").Replace(p.Text())
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if strings.NewReplacer("<", "", ">", "").Replace(got) != p.Plain() {
			t.Errorf("%s: the isolates are not all that differs", c.name)
		}
	}
	if got := Isolated("سلام one"); got != Isolate+"سلام one"+EndIsolate || Isolated("one سلام") != "one سلام" {
		t.Errorf("Isolated gives %q", got)
	}
}
