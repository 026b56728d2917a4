package topics

import (
	"slices"
	"strings"

	segment "github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// Bag returns the words of a text in alphabetical order, in lower case and with a space
// between them, so that Words gives the same of them as of the text, in another order. It packs into a
// fifth. A text of which Words would not give the same it returns as it is.
func Bag(text string) string {
	var all, few []string
	stops := stopWords().languages
	for it := segment.FromString(strings.ToLower(norm.NFKC.String(text))); it.Next(); {
		w := it.Value()
		if _, stop := stops[w]; stop {
			all = append(all, w)
		} else if counts(w) {
			all, few = append(all, w), append(few, w)
		}
	}
	want := sortedWords(text)
	for _, words := range [][]string{few, all} { // the small words tell the language
		slices.Sort(words)
		if bag := strings.Join(words, " "); slices.Equal(sortedWords(bag), want) {
			return bag
		}
	}
	return text // such as one in a script without spaces between words
}

func sortedWords(text string) []string {
	var all []string
	for _, w := range Words(text) {
		all = append(all, w.Stem+" "+w.Form)
	}
	slices.Sort(all)
	return all
}
