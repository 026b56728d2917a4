package words

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	segment "github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"Ferry 3 out of service":            "ferry|3|out|of|service",
		"L'eau, l’été":                      "l|eau|l|ete",
		"std::vector at 12:30, example.com": "std|vector|at|12|30|example|com",
		"Über STRASSE Straße":               "uber|strasse|strasse",
		"naïve re\u0301sume\u0301":          "naive|resume",
		"Ёлка ёлка":                         "елка|елка",
		"ΟΔΟΣ οδός":                         "οδοσ|οδοσ",
		"Donau\u00addampf":                  "donaudampf",
		"ＦＵＬＬ ﬁn m²":                        "full|fin|m2",
		"港の便り":                              "港の|の便|便り|り",
		"iPhone発売3月":                        "iphone|発売|売|3|月",
		"ﾊﾞﾅﾅ バナナ":                          "バナ|ナナ|ナ|バナ|ナナ|ナ",
		"서울에서":                              "서울|울에|에서|서",
		"สวัสดี":                            "สวั|วัส|สดี|ดี",
		"\xff a\xffb —":                     "a|b",
		"İstanbul ISTANBUL ı":               "istanbul|istanbul|i",
		"हिन्दी":                            "हिन्दी",
	} {
		var got []string
		for tok := range Cut(text) {
			got = append(got, tok.Text)
		}
		if g := strings.Join(got, "|"); norm.NFC.String(g) != norm.NFC.String(want) {
			t.Errorf("%q is cut into %q, want %q", text, g, want)
		}
	}
}

func TestPhraseIn(t *testing.T) {
	for _, c := range []struct {
		phrase, text string
		open, want   bool
	}{
		{"ferry", "The Ferry, again", false, true},
		{"ferr", "The Ferry, again", false, false},
		{"ferr", "The Ferry, again", true, true},
		{"erry", "The Ferry, again", true, false},
		{"out of service", "Ferry out-of-service", false, true},
		{"out of serv", "Ferry out-of-service", true, true},
		{"service out", "out of service out", false, true},
		{"out service", "out of service", false, false},
		{"uber", "Über das Meer", false, true},
		{"ÜBER", "uber alles", false, true},
		{"über", "plain text", false, false},
		{"東京", "大東京都", false, true},
		{"京", "大東京", false, true},
		{"京大", "東京 大学", false, false},
		{"東京 tower", "東京tower", false, true},
		{"東京 tower", "東京都 tower", false, false},
		{"cafe", "Cafe\u0301 Noir", false, true},
		{"aab", "aaab", false, false},
		{"a a b", "a a a b", false, true},
		{"", "anything", true, false},
		{"...", "anything", false, false},
	} {
		if got := PhraseOf(c.phrase, c.open).In(c.text); got != c.want {
			t.Errorf("%q (open %v) in %q: %v, want %v", c.phrase, c.open, c.text, got, c.want)
		}
	}
}

// An index knows the tokens of a text by their positions and nothing else: what the
// scan finds must follow from them.
func TestScanIsWhatTheTokensSay(t *testing.T) {
	letters := []rune("aAbBéÉe\u0301sßſKİıﬁ港の東京ﾊﾞが서울สว ั-  '.:1²\u00ad\U0001f680")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(letters), 0, 16, -1).Draw(t, "text")
		phrase := rapid.StringOfN(rapid.SampledFrom(letters), 0, 4, -1).Draw(t, "phrase")
		open := rapid.Bool().Draw(t, "open")
		p := PhraseOf(phrase, open)
		have := slices.Collect(Cut(text))
		want := false
		for at := range have {
			want = want || follows(have[at:], p.words)
		}
		if got := p.In(text); got != want {
			t.Fatalf("%q in %q: the scan says %v, the tokens %v", phrase, text, got, want)
		}
		for _, tok := range have {
			if tok.Text == "" || tok.Text != Fold(text[tok.From:tok.To]) {
				t.Fatalf("%q has the token %q at %d", text, tok.Text, tok.From)
			}
		}
	})
}

// Words that are cut eight bytes at once end where they do byte by byte.
func TestEightBytesAtOnce(t *testing.T) {
	letters := []rune("é港\u0301")
	for r := range rune(utf8.RuneSelf) {
		letters = append(letters, r, 'a'+r%26, 'A'+r%26, '0'+r%10)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(letters), 0, 40, -1).Draw(t, "text")
		at := 0
		for tok := range Cut(text) {
			for _, c := range []byte(text[at:tok.From]) {
				if c < utf8.RuneSelf && asciiClass[c] == word {
					t.Fatalf("%q: something is left out before %d", text, tok.From)
				}
			}
			if c := text[tok.From]; c < utf8.RuneSelf && tok.To != wordEnd(text, tok.From+1) {
				t.Fatalf("%q has the token %q at %d", text, tok.Text, tok.From)
			}
			if want := Fold(text[tok.From:tok.To]); tok.Text != want {
				t.Fatalf("%q has the token %q, want %q", text, tok.Text, want)
			}
			at = tok.Next
		}
	})
}

func follows(have, want []Token) bool {
	if len(want) == 0 || len(have) < len(want) {
		return false
	}
	for i, w := range want {
		if have[i].Text != w.Text && !(w.Prefix && strings.HasPrefix(have[i].Text, w.Text)) {
			return false
		}
	}
	return true
}

// A text reads the same however its characters are composed.
func TestFoldIsOfNoForm(t *testing.T) {
	letters := []rune("aeéèöÜçñŠžąłøйёάς港が バ\u3099 한국ệǭ")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom(letters), 0, 12, -1).Draw(t, "s")
		if c, d := Fold(norm.NFC.String(s)), Fold(norm.NFD.String(s)); !strings.ContainsAny(s, "한국") && c != d {
			t.Fatalf("%q folds to %q and %q", s, c, d)
		}
		if f := Fold(s); Fold(f) != f {
			t.Fatalf("%q folds to %q and on to %q", s, f, Fold(f))
		}
	})
}

// No word reaches over a boundary that Unicode sees.
func TestWordsAreUnicodes(t *testing.T) {
	for _, text := range []string{
		"The quick (\"brown\") fox can't jump 32.3 feet, right?", "Ärger über Größe; l'été, 1.000,50 € — e\u0301tude",
		"Привет, мир! Ёлка-2026", "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया", "snake_case and kebab-case, a+b=c@d.example",
	} {
		ends := map[int]bool{}
		at := 0
		for seg := segment.FromString(text); seg.Next(); {
			at += len(seg.Value())
			ends[at] = true
		}
		for tok := range Cut(text) {
			for i := tok.From + 1; i < tok.To; i++ {
				if ends[i] {
					t.Errorf("%q: Unicode ends a word within %q", text, tok.Text)
				}
			}
		}
	}
}

// What is said of the commonest characters without looking must be so.
func TestClasses(t *testing.T) {
	for r := rune(0); r < 0x30000; r++ {
		if got, want := classOf(r), classify(r); got != want {
			t.Fatalf("%U is of class %d, want %d", r, got, want)
		}
		if r >= utf8.RuneSelf {
			continue
		}
		if got, want := asciiClass[r], classify(r); got != want {
			t.Fatalf("%q is of class %d, want %d", r, got, want)
		}
	}
}

func BenchmarkIn(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": "A title of usual length about nothing in particular, number",
		"mixed": "港の便り: 三月の潮と港の工事について, with Ümläuts and more",
	} {
		b.Run(name, func(b *testing.B) {
			p := PhraseOf("harbour", true)
			for b.Loop() {
				if p.In(text) {
					b.Fatal("found")
				}
			}
		})
	}
}
