package plain

import (
	"fmt"
	"html"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/net/idna"
	"pgregory.net/rapid"
)

// check says what is wrong with text that claims to be clean.
func check(s string, lines bool) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	marks := 0
	prev := rune(0)
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case unicode.Is(unicode.Cc, r) && !(lines && (r == '\n' || r == '\t')):
			return "control character"
		case r == 0x200D:
			if i == 0 || i == len(rs)-1 || !unicode.Is(pictographs, rs[i+1]) {
				return "joiner outside a pictograph"
			}
		case r == 0x200C:
			if i == 0 || i == len(rs)-1 || !parted(string(rs[:i]), string(rs[i+1:])) {
				return "non-joiner where it parts nothing"
			}
		case unicode.Is(unicode.Cf, r):
			return "format character"
		case r == 0x2028, r == 0x2029, r == 0xA0, r == 0x3000:
			return "foreign white space"
		case !lines && r == ' ' && (prev == ' ' || i == 0 || i == len(rs)-1):
			return "white space not folded"
		case isNoncharacter(r):
			return "noncharacter"
		}
		if unicode.Is(unicode.M, r) {
			if marks++; marks > maxMarks {
				return "too many marks"
			}
		} else if r != 0x200D {
			marks = 0
		}
		prev = r
	}
	return ""
}

// rfc5892 knows where the rules of domain names allow a joiner or non-joiner.
var rfc5892 = idna.New(idna.CheckJoiners(true), idna.ValidateLabels(true))

// parted reports whether a non-joiner between two texts may stand in a domain name, and
// parts letters of one script.
func parted(before, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.Is(unicode.M, r) })
	base, n := utf8.DecodeRuneInString(before[max(i, 0):])
	label := string(base) + before[max(i, 0)+n:] + "\u200c" + string(next)
	_, err := rfc5892.ToUnicode(label)
	for _, script := range []*unicode.RangeTable{unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala} {
		if unicode.Is(script, next) && (unicode.Is(script, base) || base == 0) {
			return err == nil
		}
	}
	return false
}

// TestNonJoiner: what is spelling in Persian and Indic scripts stays, and nothing else:
// a text that looks like another is the same.
func TestNonJoiner(t *testing.T) {
	for _, same := range []string{
		"می\u200cخواهم", "خانه\u200cها", "دانش\u200cآموز", "کتاب\u200cهای تازه", "نامه\u200cای", "پیش\u200cبینی", // Persian
		"क्\u200cष", "বাক্\u200cস", "ക്\u200cഷ", "ශ්\u200cච", // Devanagari, Bengali, Malayalam, Sinhala
		"بِ\u200cخ", // a mark between
	} {
		if got := Line(same, 0); got != same {
			t.Errorf("Line(%q) = %q", same, got)
		}
		for _, text := range []string{same, strings.ReplaceAll(same, "\u200c", "&zwnj;"), strings.ReplaceAll(same, "\u200c", "&#8204;"), strings.ReplaceAll(same, "\u200c", "&#x200C;")} {
			if got := FromHTML("<p>"+text+"</p>", 0); got != same {
				t.Errorf("FromHTML(%q) = %q", text, got)
			}
			if got := HTML(text, 0); got != text {
				t.Errorf("HTML(%q) = %q", text, got)
			}
		}
	}
	for in, want := range map[string]string{
		"a\u200cb": "ab", "pay\u200cpal": "paypal", "при\u200cвет": "привет", "日\u200c本": "日本", "1\u200c2": "12", "\U0001F468\u200c\U0001F469": "\U0001F468\U0001F469",
		"می\u200c\u200cخواهم": "می\u200cخواهم", "می\u200b\u200cخواهم": "می\u200cخواهم", // one, however many there are
		"\u200cمی": "می", "می\u200c": "می", "می\u200c خواهم": "می خواهم", "می \u200cخواهم": "می خواهم", "می\u200c.": "می.",
		"کار\u200cها": "کارها", "دو\u200cم": "دوم", "ب\u200cء": "بء", // letters that do not join anyway
		"ب\u200ca": "بa", "a\u200cب": "aب", "ب\u200cक": "بक", "क\u200cष": "कष", "क्\u200cক": "क्ক", "ب\u200c\u064eخ": "ب\u064eخ",
	} {
		if got := Line(in, 0); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
		if got := Text(in, 0); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("می\u200cخواهم", 7); got != "می" {
		t.Errorf("cut to %q", got)
	}
}

var escapes = []struct{ name, in, line string }{
	{"SGR", "a\x1b[31mb\x1b[0m", "ab"},
	{"clear screen", "a\x1b[2Jb", "ab"},
	{"cursor up", "a\x1b[5Ab", "ab"},
	{"cursor report", "a\x1b[6nb", "ab"},
	{"alternate screen", "a\x1b[?1049hb", "ab"},
	{"bracketed paste end", "a\x1b[201~b", "ab"},
	{"window title", "a\x1b]0;owned\ab", "ab"},
	{"title report", "a\x1b[21tb", "ab"},
	{"hyperlink", "a\x1b]8;;http://evil.example/\x1b\\b\x1b]8;;\x1b\\", "ab"},
	{"clipboard OSC 52", "a\x1b]52;c;ZWNobwo=\ab", "ab"},
	{"notification OSC 9", "a\x1b]9;hello\x1b\\b", "ab"},
	{"palette OSC 4", "a\x1b]4;1;rgb:00/00/00\ab", "ab"},
	{"DCS request", "a\x1bP+q544e\x1b\\b", "ab"},
	{"tmux passthrough", "a\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\b", "aPtmux;b"},
	{"APC", "a\x1b_Gf=100;AAAA\x1b\\b", "ab"},
	{"PM and SOS", "a\x1b^x\x1b\\b\x1bXy\x1b\\c", "abc"},
	{"XTVERSION", "a\x1b[>0qb", "ab"},
	{"character set", "a\x1b(0b", "ab"},
	{"reset", "a\x1bcb", "acb"},
	{"lone ESC at the end", "a\x1b", "a"},
	{"open CSI", "a\x1b[12;", "a[12;"},
	{"open OSC keeps its words", "a\x1b]0;words that matter", "a]0;words that matter"},
	{"C1 CSI", "a\u009b31mb", "a›31mb"},
	{"C1 OSC and ST", "a\u009d0;x\u009cb", "a0;xœb"},
	{"raw C1 byte", "a\x9b31mb", "a31mb"},
	{"backspaces", "good\b\b\b\bevil", "goodevil"},
	{"bell, CR, form feed", "a\ab\rc\fd", "ab c d"},
	{"DEL and NUL", "a\x7fb\x00c", "abc"},
	{"SO and SI", "a\x0eb\x0fc", "abc"},
	{"right-to-left override", "exe\u202Egnp.txt\u202C", "exegnp.txt"},
	{"isolates", "a\u2066b\u2067c\u2068d\u2069", "abcd"},
	{"tags", "a\U000E0041\U000E0042b", "ab"},
	{"zero width", "a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf", "abcdef"},
	{"soft hyphen", "hy\u00ADphen", "hyphen"},
	{"separators", "a\u2028b\u2029c\u00A0d\u3000e", "a b c d e"},
	{"cp1252 in Unicode", "it\u0092s \u0093so\u0094", "it’s “so”"},
	{"family", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F468\u200D\U0001F469\u200D\U0001F467"},
	{"rainbow flag", "\U0001F3F3\uFE0F\u200D\U0001F308", "\U0001F3F3\uFE0F\u200D\U0001F308"},
	{"zalgo", "a" + strings.Repeat("\u0301", 40), "a" + strings.Repeat("\u0301", 8)},
	{"letters without a picture", "\u2800\u3164\u115fa\u2800\u1160", "a"},
	{"noncharacter", "a\uFFFEb\uFDD0c", "abc"},
	{"surrogate halves", "a\xed\xa0\x80b", "ab"},
}

func TestEscapes(t *testing.T) {
	for _, e := range escapes {
		if got := Line(e.in, 0); got != e.line {
			t.Errorf("%s: Line(%q) = %q, want %q", e.name, e.in, got, e.line)
		}
		for depth := range 5 {
			in := e.in
			for range depth {
				in = html.EscapeString(in)
			}
			if msg := check(FromHTML(in, 0), true); msg != "" {
				t.Errorf("%s: FromHTML at depth %d: %s", e.name, depth, msg)
			}
		}
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"a\r\nb\rc\n":       "a\nb\nc\n",
		"\tindent\n\n  x":   "\tindent\n\n  x",
		"a\u2028b\u00a0c\v": "a\nb c\n",
	} {
		if got := Text(in, 0); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"hello world", 6, "hello"},
		{"e\u0301e\u0301", 5, "e\u0301"},
		{"ab\U0001F468\u200D\U0001F469", 8, "ab"},
		{"日本語", 7, "日本"},
		{"日本語", 2, ""},
		{"short", 100, "short"},
	} {
		if got := Line(c.in, c.max); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestCleanTextIsFree(t *testing.T) {
	for _, s := range []string{"Plain words, 100 % clean.", "Übergrößenträger — naïve café", "日本語のタイトル", "Привет, мир"} {
		if n := testing.AllocsPerRun(100, func() { _ = Line(s, 1024); _ = Text(s, 1024) }); n != 0 {
			t.Errorf("Line and Text of %q: %v allocations", s, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { URL("https://example.org/a/b?c=d#e") }); n != 0 {
		t.Errorf("URL: %v allocations", n)
	}
}

func TestHTMLDisarms(t *testing.T) {
	for _, in := range []string{
		"&#27;[31m", "&#x1b;", "&#x9b;31m", "&amp;#27;", "&amp;amp;#27;", "&amp;amp;amp;#x1B;", "&#38;#27;", "&#x26;#27;",
		"&#&#50;7;", "&amp&#35;27;", "&&num;27;", "&amp;&#35;2&#55;", "&#27", "&#0000000027;", "&#8238;", "&#0;", "&#13;",
		"&#x&#57;b;", "&am&#27;p;#27;", "&#38&#59;#27&semi;", strings.Repeat("&am", 40) + "p;#27;" + strings.Repeat("p;#27;", 40),
	} {
		s := HTML(in, 0)
		for depth := range 12 {
			if msg := check(strings.NewReplacer("\u00a0", " ").Replace(s), true); msg != "" {
				t.Errorf("HTML(%q) after %d decodes: %s in %q", in, depth, msg, s)
			}
			s = html.UnescapeString(s)
		}
	}
	for _, same := range []string{
		"<p>a &amp; b &lt; c &#8217; &nbsp;&#65024;&eacute;</p>", "write &amp;lt;b&amp;gt;", `<a href="?a=1&amp;b=2">x</a>`,
		"AT&T & co", "&#128104;&#8205;&#128105;", "<pre>\n\tcode\n</pre>",
	} {
		if got := HTML(same, 0); got != same {
			t.Errorf("HTML(%q) = %q", same, got)
		}
	}
	if got := HTML("<p>one two <b class='x'>three</b>", 14); got != "<p>one two " {
		t.Errorf("cut inside a tag: %q", got)
	}
}

func TestFromHTML(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp; b":                           "a & b",
		"<p>one</p><p>two</p>":                "one\n\ntwo",
		"one<br>two<br/><br/>three":           "one\ntwo\n\nthree",
		"<ul><li>a</li><li>b</li></ul>":       "a\nb",
		"<script>x</script>y<style>z</style>": "y",
		"a<!-- no -->b":                       "ab",
		"<pre>a\n  b</pre>c":                  "a\n  b\n\nc",
		`<img src=x alt="a cat"> sits`:        "a cat sits",
		"  much   space ":                     "much space",
		"&lt;b&gt; &amp;#27;[0m":              "<b> &#27;[0m",
		"&#27;[31mred":                        "red",
		"5 < 6 > 4":                           "5 < 6 > 4",
		"un<b>believ</b>able":                 "unbelievable",
	} {
		if got := FromHTML(in, 0); got != want {
			t.Errorf("FromHTML(%q) = %q, want %q", in, got, want)
		}
	}
	deep := strings.Repeat("<div><b>", 200_000)
	if got := FromHTML(deep+"x", 100); got != "x" {
		t.Errorf("deep nesting: %q", got)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]int{
		"":                               0,
		"one two three":                  3,
		"<p>it's 3.14, e.g. snake_case":  4,
		"un<b>believ</b>able":            1,
		"<p>a</p><p>b</p>":               2,
		"don&#8217;t caf&eacute;s":       2,
		"東京は晴れ":                          3,
		"x<script>var a = 1;</script> y": 2,
		"a&nbsp;b <!-- c d --> e":        3,
		"สวัสดีครับ":                     2,
		"— … !":                          0,
	} {
		if got := Words(in); got != want {
			t.Errorf("Words(%q) = %d, want %d", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("abzAZ09 _.,;:'’-!/()äßжš\u0301\n")), 0, 60, -1).Draw(t, "s")
		want := 0
		for it := words.FromString(s); it.Next(); {
			if strings.ContainsFunc(it.Value(), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				want++
			}
		}
		if got := Words(s); got != want {
			t.Fatalf("Words(%q) = %d, UAX 29 says %d", s, got, want)
		}
	})
}

func properties(t interface {
	Helper()
	Fatalf(string, ...any)
}, s string, max int) {
	t.Helper()
	line, text, mark := Line(s, max), Text(s, max), HTML(s, max)
	for _, p := range []struct {
		name, got, again string
		lines            bool
	}{
		{"Line", line, Line(line, max), false},
		{"Text", text, Text(text, max), true},
		{"HTML", mark, HTML(mark, max), true},
		{"FromHTML", FromHTML(s, max), "", true},
	} {
		if msg := check(p.got, p.lines); msg != "" {
			t.Fatalf("%s(%q, %d) = %q: %s", p.name, s, max, p.got, msg)
		}
		if max > 0 && len(p.got) > max {
			t.Fatalf("%s(%q, %d) has %d bytes", p.name, s, max, len(p.got))
		}
		if p.name != "FromHTML" && p.again != p.got {
			t.Fatalf("%s(%q, %d): %q, again %q", p.name, s, max, p.got, p.again)
		}
	}
	// The segmenter may end a grapheme after a joiner that, by the tables here, joins:
	// such a joiner is cut off too.
	full := Line(s, 0)
	tail := strings.TrimPrefix(full, line)
	rest := strings.TrimLeft(tail, "\u200c\u200d")
	joined := rest != tail
	if !strings.HasPrefix(full, line) || line != full && !onBoundary(full, len(line)) && !(joined && onBoundary(full, len(full)-len(rest))) {
		t.Fatalf("Line(%q, %d) = %q is cut inside a grapheme", s, max, line)
	}
	for i, m := 0, mark; i < 6; i++ {
		m = html.UnescapeString(m)
		for _, r := range m {
			if unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' {
				t.Fatalf("HTML(%q, %d) = %q has %U after %d decodes", s, max, mark, r, i+1)
			}
		}
	}
	if u, ok := URL(s); ok {
		if again, ok2 := URL(u); !ok2 || again != u {
			t.Fatalf("URL(%q) = %q, again %q", s, u, again)
		}
		if strings.ContainsFunc(u, func(r rune) bool { return r <= ' ' || r > '~' }) || len(u) > maxURL {
			t.Fatalf("URL(%q) = %q", s, u)
		}
	}
	if r := Redact(s); Redact(r) != r {
		t.Fatalf("Redact(%q) = %q, again %q", s, r, Redact(r))
	}
	secretsComeBack(t, s)
	nothingLeft(t, s)
	Words(s)
}

// secretsComeBack holds Secrets to what the library builds on: what stands for a
// secret is one too and is left alone, shows the same, and can be put back.
func secretsComeBack(t interface {
	Helper()
	Fatalf(string, ...any)
}, s string) {
	t.Helper()
	s = Outside(s)
	var values []string
	kept := Secrets(s, func(v string) string {
		values = append(values, v)
		return fmt.Sprintf("%s%016d", reserved, len(values)-1)
	})
	n := 0
	again := Secrets(kept, func(v string) string { n++; return v })
	if again != kept || n != len(values) || Redact(kept) != Redact(s) {
		t.Fatalf("%q is kept as %q, then as %q; %q and %q are shown", s, kept, again, Redact(s), Redact(kept))
	}
	for i, v := range values {
		kept = strings.Replace(kept, fmt.Sprintf("%s%016d", reserved, i), v, 1)
	}
	if kept != s {
		t.Fatalf("%q comes back as %q", s, kept)
	}
}

// onBoundary reports whether a grapheme of s ends at at, or just before the
// white space that was trimmed there.
func onBoundary(s string, at int) bool {
	end := 0
	for it := graphemes.FromString(s); end < at && it.Next(); {
		end = it.End()
	}
	return end == at
}

func TestProperties(t *testing.T) {
	alphabet := []rune("aB1 .<>/&;#xamp27\t\n\r\x1b[]\\m\a\u0085\u009b\u00a0\u00ad\u0301\u200b\u200c\u200d\u202e\u2028\ufe0f\ufeff" +
		"é日한ไبیر\u064e\u0621क\u094dক\u09cd\U0001F468\U0001F3FD\U0001F1E9\U000E0041\uFFFE=\"':-@?")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom(alphabet), 0, 80, -1).Draw(t, "s")
		properties(t, s, rapid.IntRange(0, 60).Draw(t, "max"))
	})
}

func FuzzPlain(f *testing.F) {
	for _, e := range escapes {
		f.Add(e.in, 0)
		f.Add(html.EscapeString(html.EscapeString(e.in)), 12)
	}
	f.Add("http://user:p%ss@Exämple.org:80/a b?key=1&x=%zz#f", 0)
	f.Fuzz(func(t *testing.T, s string, max int) { properties(t, s, max%4096) })
}

func BenchmarkLineClean(b *testing.B) {
	s := "A headline of ordinary length — with a dash and an émigré"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Line(s, 1024)
	}
}

func BenchmarkHTML(b *testing.B) {
	s := strings.Repeat(`<p>Some <a href="https://example.org/?a=1&amp;b=2">text</a> of an article &#8211; it&#8217;s fine.</p>`, 80)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		HTML(s, 1<<20)
	}
}

func BenchmarkWords(b *testing.B) {
	s := strings.Repeat(`<p>Some <a href="https://example.org/?a=1&amp;b=2">text</a> of an article &#8211; it&#8217;s fine.</p>`, 80)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Words(s)
	}
}
