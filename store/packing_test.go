package store

import (
	"errors"
	"fmt"
	"reflect"
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

// TestPackedAhead packs filings before they are filed: what lies in the library is the same,
// and a filing that was packed goes under no other number.
func TestPackedAhead(t *testing.T) {
	s := newStore(t)
	feeds := subscribe(t, s, 3)
	filing := func(feed FeedID, next uint32) Filing {
		f := Filing{Feed: feed, Next: next, Outcome: &Outcome{Kind: AnswerNew, Status: 200}}
		for i := range 40 {
			f.New = append(f.New, NewItem{Item: Item{IDRaw: fmt.Sprint(next, i), Title: "t"}, Keys: []uint64{uint64(next)<<8 + uint64(i)},
				Body: Body{HTML: fmt.Sprint("<p>", i, strings.Repeat("text ", 1000)), Summary: "s"}})
		}
		return f
	}
	var packer Packer
	pack := func(f Filing) Filing {
		if err := f.Pack(&packer); err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, twice, third := pack(filing(feeds[0], 1)), pack(pack(filing(feeds[1], 1))), filing(feeds[2], 1)
	if first.New[0].Body.HTML != "" {
		t.Error("the text is still there")
	}
	filed, err := s.File(t.Context(), day, []Filing{first, twice, third, first})
	if err != nil || filed[0].Err != nil || filed[1].Err != nil || filed[2].Err != nil || !errors.Is(filed[3].Err, ErrStale) {
		t.Fatal(err, filed)
	}
	first.Next = 41
	if _, err := s.File(t.Context(), day, []Filing{first}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	later := pack(filing(feeds[0], 41)) // its chunk depends on what is stored
	if later.New[0].Body.HTML == "" {
		t.Error("the text is gone")
	}
	again, err := s.File(t.Context(), day, []Filing{later})
	if err != nil || again[0].Err != nil {
		t.Fatal(err, again)
	}
	whole := filing(feeds[0], 1)
	for _, f := range append(filed[:3], again[0]) {
		for i, id := range f.Items {
			body, err := s.Body(t.Context(), id)
			if err != nil || !reflect.DeepEqual(body, whole.New[i].Body) {
				t.Fatalf("%s: %.40q %v", id, body.HTML, err)
			}
			if it, err := s.Item(t.Context(), id); err != nil || it.BodySize != body.Size() {
				t.Fatalf("%s: %d bytes of %d, %v", id, it.BodySize, body.Size(), err)
			}
		}
	}
	sound(t, s, true)
}
