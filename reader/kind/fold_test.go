package kind

import (
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// TestFold holds CaseFold against the folding of x/text, whose tables the program
// does without: what one takes for the same, the other does.
func TestFold(t *testing.T) {
	fold := cases.Fold()
	theirs := map[string]string{}
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if !unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Lm, unicode.M, unicode.Nl, unicode.So) || unicode.Is(unicode.Cherokee, r) {
			continue // the others have no case; x/text takes Cherokee's capitals for other letters
		}
		ours, want := CaseFold(string(r)), norm.NFC.String(fold.String(norm.NFD.String(string(r))))
		if CaseFold(want) != ours {
			t.Errorf("%U is %+q to us, what it folds to %+q", r, ours, CaseFold(want))
		}
		if first, ok := theirs[ours]; ok && first != want {
			t.Errorf("%U is %+q to us as %+q is", r, ours, first)
		}
		theirs[ours] = want
	}
	for _, same := range [][2]string{{"STRASSE", "straße"}, {"ΟΔΟΣ ", "οδος"}, {"Cafe\u0301", "CAFÉ"}, {"in\u00a0 stock", "In Stock"}} {
		if a, b := CaseFold(same[0]), CaseFold(same[1]); a != b {
			t.Errorf("%q is %q, %q is %q", same[0], a, same[1], b)
		}
	}
	if CaseFold("café") == CaseFold("cafe") {
		t.Error("an accent counts")
	}
}
