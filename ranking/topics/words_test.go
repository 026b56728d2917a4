package topics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Page checksums cost less than you think", "page checksum cost less think"},
		{"The new block layer, six months on", "block layer six month"},
		{"Running, ran, RUNS: the runner's run", "run ran run runner run"},
		{"Die neuen Häfen und der alte Kran am Fluss", "neuen häfen alte kran fluss"},
		{"東京の天気", "東京 京の の天 天気"},
		{"猫", "猫"},
		{"mixed 東京 text", "mix 東京 text"},
		{"ﬁle ＡＢＣ", "file abc"},
		{"2026 42 % 7", ""},
		{"http://harbour.example/x", "harbour.example"},
		{"", ""},
	} {
		got := strings.Join(Stems(c.text, 0), " ")
		want := strings.Fields(c.want)
		var distinct []string
		for _, w := range want {
			if !slices.Contains(distinct, w) {
				distinct = append(distinct, w)
			}
		}
		if got != strings.Join(distinct, " ") {
			t.Errorf("%q has the stems %q, want %q", c.text, got, strings.Join(distinct, " "))
		}
	}
	if n := len(Stems("one two three four five six seven", 3)); n != 3 {
		t.Errorf("at most 3 stems are %d", n)
	}
}

// FuzzWords: any bytes give bounded, valid, lower-case words that do not change
// when they are taken apart again.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"Plain words", "東京タワー", "a\xff\xfeb", "e\u0301\u0301", "ภาษาไทย", strings.Repeat("x", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list := Words(s)
		if len(list) > utf8.RuneCountInString(s)*20+1 {
			t.Fatalf("%d words of %d bytes", len(list), len(s))
		}
		for _, w := range list {
			if w.Stem == "" || w.Form == "" {
				t.Fatalf("an empty word: %q", w)
			}
			if strings.ContainsAny(w.Form, " \n\t") {
				t.Fatalf("a word with a space: %q", w.Form)
			}
		}
		if again := Words(s); !slices.Equal(list, again) {
			t.Fatal("the same text has two readings")
		}
	})
}

// TestCutter: what a Cutter remembers, and that it forgets when that is enough, makes no
// difference.
func TestCutter(t *testing.T) {
	c := NewCutter()
	texts := []string{"Running, ran, RUNS: the runner's run", "Die neuen Häfen laufen und der alte Kran running", "東京の天気 says happily", "The running happiness"}
	for i := range maxStems + 1000 {
		texts = append(texts, fmt.Sprintf("the happy runners of w%cx%cy%czing", 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
	}
	texts = append(texts, texts...)
	for i, text := range texts {
		if got, want := c.Parts(text, texts[i/2]), Parts(text, texts[i/2]); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	}
	if n := len(c.stems); n == 0 || n > maxStems {
		t.Error(n, "stems are remembered")
	}
}
