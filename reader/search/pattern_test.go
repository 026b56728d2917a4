package search

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"diurna/store"
)

// randomPattern is made of parts of words, signs, and what patterns have beside letters.
func randomPattern(r *rand.Rand, depth int) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		switch n := r.IntN(9); {
		case n < 4 || depth == 0:
			w := []rune(vocabulary[r.IntN(len(vocabulary))])
			from := r.IntN(len(w))
			b.WriteString(regexp.QuoteMeta(string(w[from : from+1+r.IntN(min(4, len(w)-from))])))
		case n == 4:
			b.WriteString([]string{" ", ", ", "-", `\b`, "'"}[r.IntN(5)])
		case n == 5:
			b.WriteString([]string{".", ".*", "[an]", "[^x]?", `\s+`}[r.IntN(5)])
		case n == 6:
			b.WriteString("(" + randomPattern(r, depth-1) + "|" + randomPattern(r, depth-1) + ")")
		default:
			b.WriteString("(?:" + randomPattern(r, depth-1) + ")" + []string{"*", "?", "+", "{2,3}"}[r.IntN(4)])
		}
	}
	return b.String()
}

// TestMustHave: no text in which a pattern is found lacks what all such texts have, and
// most texts in which it is not found do.
func TestMustHave(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	s, c := &fakeLibrary{docs: map[store.ItemID]Doc{}}, newCache(t)
	for i := range uint32(200) {
		id := store.MakeItemID(1, i+1)
		s.docs[id] = Doc{Item: id, Title: randomText(r, 3), Texts: []string{randomText(r, 12)}}
		if r.IntN(4) == 0 {
			d := s.docs[id]
			d.Texts[0] = strings.ToUpper(d.Texts[0]) + "ſtraſſe \u212a1 l'é\u0301an"
			s.docs[id] = d
		}
		s.note(store.Arrived, id)
	}
	ix := newIndex(s, c)
	if err := ix.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	scanned := s.scan(t)
	fit, read, all := 0, 0, 0
	for range 1500 {
		pattern := randomPattern(r, 2)
		if r.IntN(3) == 0 {
			pattern = "(?i)" + pattern
		}
		re := regexp.MustCompile(pattern)
		in := []Fields{Title, Text, Title | Text}[r.IntN(3)]
		e := mustHave(pattern, in)
		if e == nil {
			continue
		}
		hits, _ := ask(t, ix, e, 0)
		may := map[store.ItemID]bool{}
		for _, h := range hits {
			may[h.Item] = true
		}
		for id, d := range scanned {
			if in&Title != 0 && re.MatchString(d.Title) || in&Text != 0 && slices.ContainsFunc(d.Texts, re.MatchString) {
				fit++
				if !may[id] {
					t.Fatalf("/%s/ is found in %v, which is said to lack %s", pattern, d, fmt.Sprint(e))
				}
			}
		}
		read += len(hits)
		all += len(scanned)
	}
	if fit == 0 || read > all/2 {
		t.Errorf("of %d texts %d are read and %d fit", all, read, fit)
	}
	t.Logf("of %d texts %d are read and %d fit", all, read, fit)
}
