package plain

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// TestPolicy: what could act goes, what is read stays as it was.
func TestPolicy(t *testing.T) {
	for in, want := range map[string]string{
		`<p class="x">a <b>b</b> &lt; c</p>`:                                        `<p class="x">a <b>b</b> &lt; c</p>`,
		`a<script>alert(1)</script>b`:                                               `ab`,
		`a<SCRIPT src=x>alert(1)</script >b`:                                        `ab`,
		`a<script>never ends`:                                                       `a`,
		`a<style>p{}</style>b<svg><script>x</script></svg>c`:                        `abc`,
		`<img src="a.png" onerror="x()" alt=b>`:                                     `<img src="a.png" alt=b>`,
		`<img src=a.png onerror=x()>`:                                               `<img src=a.png>`,
		`<img/onload="x()"/src=a.png>`:                                              `<img/src=a.png>`,
		`<a href="javascript:x()">t</a>`:                                            `<a>t</a>`,
		`<a href=" java&#10;script:x()">t</a>`:                                      `<a>t</a>`,
		`<a href="&#106;avascript&colon;x()">t</a>`:                                 `<a>t</a>`,
		`<a href="mailto:a@b.example">t</a>`:                                        `<a href="mailto:a@b.example">t</a>`,
		`<a href="/a:b">t</a>`:                                                      `<a href="/a:b">t</a>`,
		`<img src="data:image/png;base64,AA">`:                                      `<img src="data:image/png;base64,AA">`,
		`<img src="data:image/svg+xml,<svg>">`:                                      `<img>`,
		`<iframe src="https://v.example/1" srcdoc="<b>"></iframe>`:                  `<iframe src="https://v.example/1"></iframe>`,
		`<blink>t</blink><foo:bar>u</foo:bar>`:                                      `tu`,
		`a<!-- x > y -->b<!doctype x>c<?php x ?>d<![CDATA[e]]>f`:                    `abcdef`,
		`a<!-->b<!--never ends`:                                                     `ab`,
		`a<!-- never ends > b<!-- nor this >c`:                                      `a bc`,
		`<![CDATA[<p>a</p><![CDATA[<script>x</script>]]>]]>b`:                       `<p>a</p>b`,
		`a<!' <a href="b">c</a><![endif]>d`:                                         `a&lt;!' <a href="b">c</a>d`,
		`I </3 you</> and 1 <- 2, a <b then c`:                                      `I &lt;/3 you and 1 &lt;- 2, a &lt;b then c`,
		`a <?never ends`:                                                            `a &lt;?never ends`,
		`<a href="b>c</a> d`:                                                        `c</a> d`,
		`a<iframe src="b"/>c<video src=d />e<a id="f"/>g<p/>h<br/>i`:                `a<iframe src="b"></iframe>c<video src=d ></video>e<a id="f"></a>g<p/>h<br/>i`,
		`<a href=b/>c</a>`:                                                          `<a href=b/>c</a>`,
		`a<object classid="clsid:1" onx=y>b<embed src="c"></object>d`:               `ab<embed src="c">d`,
		`a<object data="b" onx=y>c</object><object data="javascript:x"/>d</object>`: `a<object data="b">c</object>d`,
		`<object data="a"/>b<object/>c</object>`:                                    `<object data="a"></object>bc`,
		`1 < 2 <3 <`:                                                                `1 &lt; 2 &lt;3 &lt;`,
		`<<!-- -->script>x`:                                                         `&lt;script>x`,
		`<scr<script>x</script>ipt>`:                                                `xipt>`,
		`t<img src="never ends`:                                                     `t`,
		`<span style="color: red; position: fixed">t</span>`:                        `<span style="color: red;">t</span>`,
		`<p style="padding: 99999em; color: #1234567; margin: 1000px">t</p>`:        `<p style="color: #1234567; margin: 1000px;">t</p>`,
		`<span style="background: url(http://e/)">t</span>`:                         `<span>t</span>`,
		`<span style="width: expr/**/ession(x)">t</span>`:                           `<span>t</span>`,
		`<img srcset="a.png 1x, javascript:x 2x" src=b>`:                            `<img src=b>`,
		`<base href="http://e/"><meta http-equiv=refresh><link rel=x>`:              ``,
		`<math><mi>x</mi></math>`:                                                   `<math><mi>x</mi></math>`,
	} {
		if got := HTML(in, 0); got != want {
			t.Errorf("HTML(%q) = %q, want %q", in, got, want)
		}
	}
}

// acting says what in markup could act, as an independent tokenizer sees it.
func acting(s string) string {
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.CommentToken, html.DoctypeToken:
			return "a comment"
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			t := z.Token()
			if listed().elements[t.Data] != known {
				return "<" + t.Data + ">"
			}
			for _, a := range t.Attr {
				if listed().attributes[a.Key] == 0 || listed().attributes[a.Key] == address && !harmless(html.EscapeString(a.Val)) {
					return "<" + t.Data + " " + a.Key + "=" + a.Val + ">"
				}
			}
		}
	}
}

// FuzzPolicy: whatever comes in, nothing that comes out could act, and a second
// pass finds nothing more to do.
func FuzzPolicy(f *testing.F) {
	for _, s := range []string{`<a href="javascript:x">`, `<img src=x onerror=y>`, `<<!-- -->script>`, `<p/onclick=x/ a='b"c' d=">">`,
		`</p onclick=x>`, `<a href=x"y='>'>`, `<xmp><script></xmp>`, `<a b='`, `<!--><b>-->`, `<p =a onclick=b>`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := HTML(s, 0)
		if msg := acting(got); msg != "" {
			t.Fatalf("HTML(%q) = %q has %s", s, got, msg)
		}
		if again := HTML(got, 0); again != got {
			t.Fatalf("HTML(%q) = %q, again %q", s, got, again)
		}
	})
}

// TestPolicyOfBrokenMarkup: where nothing ends, looking for ends takes no longer
// than reading does.
func TestPolicyOfBrokenMarkup(t *testing.T) {
	for _, piece := range []string{`<!--a>`, `<a" c=">`, `<a b='">`, `</`, `<!`, `<?`, `<![CDATA[`, `]]>`, `<b c`, `<object data=a>`, `<object>`, `<i/>`} {
		in := strings.Repeat(piece, 1<<19/len(piece)) + " d='"
		start := time.Now()
		HTML(in, 0)
		FromHTML(in, 0)
		if took := time.Since(start); took > slower*2*time.Second {
			t.Errorf("%q over and over: %v", piece, took)
		}
	}
}
