package interest

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"diurna/ranking/topics"
	"diurna/store"
)

// What is kept of a text says of an item what the text said: the same topics in the same
// shares, with whatever markup, in whatever language.
func TestKeptSaysTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	subjects := []string{"bread rye flour oven crust dough baker", "tram depot line stop ferry harbour timetable", "der Zug und die Strecke nicht Bahnhof Gleis", "日本語のニュース 東京", "kernel driver release patch module"}
	noise := strings.Split("<p>|</p>|<b>the</b>|&amp;|&lt;b&gt;|<|>|\n|<script>x</script>|it's|<br>|&nbsp;|1,234|https://a.example/|naïve|ﬁne", "|")
	says := func(n int) string {
		var b strings.Builder
		words := append(strings.Fields(subjects[r.IntN(len(subjects))]), strings.Fields(subjects[r.IntN(len(subjects))])...)
		for range n {
			if r.IntN(3) == 0 {
				b.WriteString(noise[r.IntN(len(noise))] + " ")
			} else {
				b.WriteString(words[r.IntN(len(words))] + " ")
			}
		}
		return b.String()
	}
	var docs []topics.Document
	for range 400 {
		docs = append(docs, topics.Document{Words: topics.Words(says(60))})
	}
	model := topics.Fit(docs, topics.FitOptions{Seed: 1})
	if model == nil {
		t.Fatal("no topics")
	}
	in := newLearned(model, 1, len(docs))
	shares, smaller := 0, 0
	for range 1500 {
		body := store.Body{HTML: says(r.IntN(250))}
		if r.IntN(3) == 0 {
			body = store.Body{Summary: body.HTML}
		}
		it := store.Item{ID: store.MakeItemID(1, 1), Title: says(6)}
		kept := Kept(body)
		want, got := in.item(&it, textOf(body, topicText)), in.item(&it, textOf(kept, topicText))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\nis kept as %q:\n%+v, was\n%+v", body, kept, got, want)
		}
		if again := in.item(&it, textOf(Kept(kept), topicText)); !reflect.DeepEqual(again, want) {
			t.Fatalf("%q is kept again as %q", kept, Kept(kept))
		}
		shares += len(want.Topics)
		if kept.HTML != "" {
			t.Fatal("it has markup")
		}
		if len(kept.Summary) < len(textOf(body, topicText)) {
			smaller++
		}
	}
	if shares < 1500 || smaller < 700 {
		t.Errorf("%d shares, %d texts became smaller: the test proves little", shares, smaller)
	}
}
