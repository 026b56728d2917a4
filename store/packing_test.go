package store

import (
	"fmt"
	"strings"
	"testing"
)

// TestFiledTwiceAtOnce files a feed's first items in two filings of one call, as two
// goroutines of one group may: the second is stale, and the first keeps its own bodies.
func TestFiledTwiceAtOnce(t *testing.T) {
	s := newStore(t)
	feed := subscribe(t, s, 1)[0]
	filing := func(text string) Filing {
		f := Filing{Feed: feed, Next: 1, Outcome: &Outcome{Kind: AnswerNew, Status: 200}}
		for i := range 40 { // several chunks
			f.New = append(f.New, NewItem{Item: Item{IDRaw: fmt.Sprint(text, i), Title: "t"}, Keys: []uint64{uint64(i + 1), 99},
				Body: Body{HTML: fmt.Sprint("<p>", i, strings.Repeat(text, 1000)), Summary: text}})
		}
		return f
	}
	filed, err := s.File(t.Context(), day, []Filing{filing("first"), filing("second")})
	if err != nil || filed[0].Err != nil || filed[1].Err == nil {
		t.Fatal(err, filed)
	}
	for i, id := range filed[0].Items {
		body, err := s.Body(t.Context(), id)
		if want := fmt.Sprint("<p>", i, strings.Repeat("first", 1000)); err != nil || body.HTML != want || body.Summary != "first" {
			t.Fatalf("item %d: %.40q %q %v", i, body.HTML, body.Summary, err)
		}
	}
	known, err := s.Match(t.Context(), feed, []uint64{1, 99, 40})
	if err != nil || known.ByKey[1].N != 1 || known.ByKey[99].N != 1 || known.ByKey[40].N != 40 {
		t.Fatalf("%+v %v", known, err)
	}
	sound(t, s, true)
}
