package topics

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Whatever a text is, Words gives the same of its Bag, and a bag of English words is in
// order and has no small ones.
func TestBag(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	parts := strings.Split("the|The|rye's|Ryes|running|can't|der|und|nicht|Straße|ﬁne|ﷺ|日本語|ภาษาไทย|한국어|naïve|e-mail|https://a.example/b?c|www.a.example|C++|3.14|1st|a|é|\u0301|\n|\t|.|,|’|x.y|_z_|İstanbul|ΣΟΦΟΣ|l'été", "|")
	smaller := 0
	for range 3000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(parts[r.IntN(len(parts))] + []string{" ", " ", " ", "", "-"}[r.IntN(5)])
		}
		text := b.String()
		bag := Bag(text)
		if got, want := sortedWords(bag), sortedWords(text); !slices.Equal(got, want) {
			t.Fatalf("%q has %v,\nits bag %q has %v", text, want, bag, got)
		}
		if again := Bag(bag); !reflect.DeepEqual(sortedWords(again), sortedWords(bag)) {
			t.Fatalf("%q became %q", bag, again)
		}
		if len(bag) < len(text) {
			smaller++
		}
	}
	if smaller < 500 {
		t.Errorf("only %d of 3000 became smaller", smaller)
	}
	for text, want := range map[string]string{
		"The quick Foxes: jumping over the lazy fox, and the Fox!": "fox fox foxes jumping lazy quick",
		"Der Hund und die Katze sind nicht da.":                    "da der die hund katze nicht sind und",
		"日本語のニュース":                                                 "日本語のニュース",
		"":                                                         "",
	} {
		if got := Bag(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
