package markup

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// differs compares a scan with the tokenizer of x/net and says where they part,
// "" if nowhere.
func differs(src []byte) string {
	z, s := html.NewTokenizer(bytes.NewReader(src)), Scan(src)
	at := 0
	for {
		tt, more := z.Next(), s.Next()
		if tt == html.ErrorToken || !more {
			if (tt == html.ErrorToken) == more || s.From != at || s.To != len(src) {
				return "ends elsewhere"
			}
			return ""
		}
		raw := z.Raw()
		at += len(raw)
		want := map[html.TokenType]Kind{html.TextToken: Text, html.StartTagToken: Open, html.SelfClosingTagToken: Open,
			html.EndTagToken: Close, html.CommentToken: Comment, html.DoctypeToken: Comment}[tt]
		if s.Kind != want || s.To != at || s.From != at-len(raw) {
			return string(raw) + " is " + string(src[s.From:s.To])
		}
		if s.Kind == Open || s.Kind == Close {
			name, _ := z.TagName()
			if e := Named(name); e != Other && e != s.Element {
				return string(name) + " is " + s.Element.String()
			}
		}
	}
}

// pieces are what documents of the tests are made of.
var pieces = strings.Fields(`< > / = " ' - -- ! ? <! <!-- --> --!> <!- </ /> </> a b <a <p> </p> <P <br/> <a/b= =x href= href='x' "y" <x-y>
	<script> </script> <SCRIPT </Script> </script/ <script </scrip <!--<script> <title> </title> <style> </style> <iframe> </iframe> <textarea
	</textarea <xmp> </xmp> <plaintext> <noscript> </noscript> <!doctype <!DOCTYPE <![CDATA[ ]]> <? &amp; é 語 <1 </1 <a:b <script"x> h1 <h1>`)

// TestAsTheTokenizerDoes holds the scanner against x/net's tokenizer on documents
// put together at random.
func TestAsTheTokenizerDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 60000 {
		var b []byte
		for range 1 + rng.IntN(14) {
			b = append(b, pieces[rng.IntN(len(pieces))]...)
			if rng.IntN(3) == 0 {
				b = append(b, " \n\t\f"[rng.IntN(4)])
			}
		}
		if d := differs(b); d != "" {
			t.Fatalf("%q: %s", b, d)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte("<p>" + p + " x"))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if d := differs(src); d != "" {
			t.Errorf("%q: %s", src, d)
		}
	})
}

// TestNamed finds each element by its name in any case, and no other.
func TestNamed(t *testing.T) {
	for e := Other + 1; e < Elements; e++ {
		if Named([]byte(e.String())) != e || Named([]byte(strings.ToUpper(e.String()))) != e {
			t.Errorf("%v is not found", e)
		}
		if Named([]byte(e.String()+"x")) == e {
			t.Errorf("%vx is %v", e, e)
		}
	}
	if Named(nil) != Other || Named([]byte("@")) != Other {
		t.Error("what is no name is an element")
	}
}

// TestScanAllocates counts allocations: there are none.
func TestScanAllocates(t *testing.T) {
	src := []byte(strings.Repeat(`<p class="x">a <b>b</b></p><script>x</script><!-- y -->`, 50))
	if n := testing.AllocsPerRun(10, func() {
		for s := Scan(src); s.Next(); {
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A tag can be cut off anywhere: the attribute is as far as it goes.
func TestNextAttr(t *testing.T) {
	for _, c := range []struct {
		raw, key, value string
		next            int
	}{
		{"", "", "", 1}, {" / ", "", "", 4}, {"a", "a", "", 1}, {" /a ", "a", "", 4}, {"a =", "a", "", 3}, {"a= ", "a", "", 3},
		{"a=b", "a", "b", 3}, {"a = 'b c' d", "a", "b c", 9}, {`a="b`, "a", "b", 4}, {"a b", "a", "", 2}, {">", "", "", 1},
	} {
		key, value, next := NextAttr([]byte(c.raw), 0)
		if string(key) != c.key || string(value) != c.value || next != c.next {
			t.Errorf("%q: %q = %q up to %d, want %q = %q up to %d", c.raw, key, value, next, c.key, c.value, c.next)
		}
	}
}
