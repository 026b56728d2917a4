package topics

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// fields are word lists of subjects that share no word.
var fields = []string{
	"harbour ferry breakwater tide pier anchor lighthouse sailor",
	"kernel scheduler block driver syscall interrupt paging cache",
	"bread rye sourdough oven flour crust yeast dough",
	"comet orbit telescope meteor galaxy nebula eclipse planet",
	"bicycle pedal helmet lane counter cyclist saddle wheel",
}

// planted makes documents, each of one field with a few words of others.
func planted(n int, seed uint64, use []int) (docs []Document, of []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		f := use[r.IntN(len(use))]
		var text []string
		for range 8 {
			g := f
			if r.Float64() < .15 {
				g = r.IntN(len(fields))
			}
			list := strings.Fields(fields[g])
			text = append(text, list[r.IntN(len(list))])
		}
		docs = append(docs, Document{Words(strings.Join(text, " "))})
		of = append(of, f)
	}
	return docs, of
}

// leading is the topic each field's whole word list is assigned to.
func leading(t *testing.T, m *Model, use []int) []int {
	t.Helper()
	var out []int
	for _, f := range use {
		shares := m.Assign(Words(fields[f]), .15)
		if len(shares) == 0 || shares[0].Weight < .5 {
			t.Fatalf("field %d has no leading topic: %v", f, shares)
		}
		out = append(out, shares[0].Topic)
	}
	return out
}

func TestFitFindsPlantedTopics(t *testing.T) {
	use := []int{0, 1, 2, 3, 4}
	docs, of := planted(400, 1, use)
	m := Fit(docs, FitOptions{Topics: 5, Seed: 7})
	lead := leading(t, m, use)
	if d := slices.Compact(slices.Sorted(slices.Values(lead))); len(d) != 5 {
		t.Fatalf("five fields lead to the topics %v", lead)
	}
	right := 0
	for i, d := range docs {
		if s := m.Assign(d.Words, 0); len(s) > 0 && s[0].Topic == lead[of[i]] {
			right++
		}
	}
	if right < 380 {
		t.Errorf("%d of 400 documents are in their field's topic", right)
	}
	for i, f := range use {
		for _, form := range strings.Split(m.Topics[lead[i]].Name, ", ") {
			if !strings.Contains(fields[f], form) {
				t.Errorf("the topic of %q is called %q", fields[f], m.Topics[lead[i]].Name)
			}
		}
	}
	if again := Fit(docs, FitOptions{Topics: 5, Seed: 7}); !bytes.Equal(again.Pack(), m.Pack()) {
		t.Error("the same documents and seed give another model")
	}
}

// TestRefitKeepsTopics: with half of the documents new, and one field gone for
// another, the topics that are still there keep ID and name.
func TestRefitKeepsTopics(t *testing.T) {
	old, _ := planted(300, 1, []int{0, 1, 2, 3})
	m := Fit(old, FitOptions{Topics: 4, Seed: 1})
	fresh, _ := planted(300, 2, []int{0, 1, 2, 4})
	n := Fit(append(old[200:], fresh...), FitOptions{Topics: 5, Seed: 99, Previous: m})
	was, is := leading(t, m, []int{0, 1, 2}), leading(t, n, []int{0, 1, 2})
	for i := range was {
		if a, b := m.Topics[was[i]], n.Topics[is[i]]; a.ID != b.ID {
			t.Errorf("%q (%d) became %q (%d)", a.Name, a.ID, b.Name, b.ID)
		}
	}
	ids := map[uint64]bool{}
	for _, x := range n.Topics {
		if ids[x.ID] {
			t.Errorf("two topics have the ID %d", x.ID)
		}
		ids[x.ID] = true
	}
	newest := n.Topics[leading(t, n, []int{4})[0]]
	for _, x := range m.Topics {
		if x.ID == newest.ID {
			t.Errorf("the new field took over %q", x.Name)
		}
	}
}

func TestFitNeedsDocuments(t *testing.T) {
	docs, _ := planted(9, 1, []int{0})
	if Fit(docs, FitOptions{Topics: 5}) != nil {
		t.Error("five topics of nine documents")
	}
	if Fit(make([]Document, 100), FitOptions{Topics: 5}) != nil {
		t.Error("topics of empty documents")
	}
}

func TestPack(t *testing.T) {
	docs, _ := planted(200, 3, []int{0, 1, 2})
	m := Fit(docs, FitOptions{Topics: 3})
	n, err := Unpack(m.Pack())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if a, b := fmt.Sprint(m.Assign(d.Words, 0)), fmt.Sprint(n.Assign(d.Words, 0)); a != b {
			t.Fatalf("%s read back is %s", a, b)
		}
	}
	if fmt.Sprint(m.Topics) != fmt.Sprint(n.Topics) {
		t.Error("the topics changed on the way")
	}
}

func FuzzUnpack(f *testing.F) {
	docs, _ := planted(60, 3, []int{0, 1})
	f.Add(Fit(docs, FitOptions{Topics: 2}).Pack())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := Unpack(data); err == nil {
			m.Assign(docs[0].Words, 0)
			return
		}
		// With a right checksum the layers below are reached.
		if len(data) > 9 {
			_, _ = Unpack(sealed(data))
		}
	})
}

func BenchmarkWords(b *testing.B) {
	for b.Loop() {
		Words("Small boats, big radios: a field report from three harbours in October")
	}
}

func BenchmarkFit(b *testing.B) {
	docs, _ := planted(6000, 1, []int{0, 1, 2, 3, 4})
	b.ResetTimer()
	for b.Loop() {
		Fit(docs, FitOptions{Topics: 45})
	}
}
