package rules

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

var now = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

var vocabulary = strings.Fields("ferry Ferry quay cargo über Übersee harbour crypto coin 東京 京都 l'eau std::vector 12 sea-side the of")

func sentence(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))] + []string{" ", ", ", " "}[r.IntN(3)])
	}
	return strings.TrimSpace(b.String())
}

// randomQuery writes a query of random parts.
func randomQuery(r *rand.Rand, depth int) string {
	if depth > 0 {
		switch r.IntN(5) {
		case 0:
			return "(" + randomQuery(r, depth-1) + " or " + randomQuery(r, depth-1) + ")"
		case 1:
			return "(" + randomQuery(r, depth-1) + " " + randomQuery(r, depth-1) + ")"
		case 2:
			return "not " + randomQuery(r, depth-1)
		}
	}
	word := vocabulary[r.IntN(len(vocabulary))]
	switch r.IntN(16) {
	case 0:
		return `"` + sentence(r, 2) + `"`
	case 1:
		return "title:" + `"` + word + `"`
	case 2:
		return "author:" + `"` + word + `"`
	case 3:
		return "text:" + `"` + word + `"`
	case 4:
		return "feed:gazette"
	case 5:
		return "folder:sea"
	case 6:
		return []string{"longer:10", "shorter:20", "unread", "read", "saved", "today", "newer:2d"}[r.IntN(7)]
	case 7:
		return `"` + string([]rune(word)[:2]) + `"*`
	case 8:
		return "title:/f.rry/i"
	case 9:
		return "link:" + `"` + word + `"`
	case 10:
		return "tag:boats"
	case 11:
		return "address:gazette"
	case 12:
		return "linksto:quay.example" + []string{"", "/a", "/b*"}[r.IntN(3)]
	}
	return `"` + word + `"`
}

// What a set of rules finds is what each rule's query fits.
func TestSetIsEachRule(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var list []Rule
		for no := range 40 {
			list = append(list, Rule{No: no + 1, Query: randomQuery(r, 3), Mute: true})
		}
		list = append(list, Rule{No: 99, Query: "ferry", Mute: true, Until: now.Add(-time.Hour)})
		set, wrong := Compile(list, now)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		feeds := []*model.Feed{{Key: 1, Title: "Gazette of the sea", Folder: "sea", Hidden: true}, {Key: 2, Title: "über 東京", Tags: []string{"boats"}}, nil}
		for range 40 {
			row := store.Row{ID: 1, Title: sentence(r, r.IntN(6)), Author: sentence(r, r.IntN(2)), Words: uint32(r.IntN(30)), Flags: store.Flags(r.IntN(4)), At: now.Unix() - int64(r.IntN(400000))}
			deep := query.Deep{Link: "https://sea.example/" + sentence(r, 1), Texts: []string{sentence(r, r.IntN(20)), sentence(r, r.IntN(3))}, Links: []string{"sea.example/1", "quay.example/" + []string{"a", "b", "bc"}[r.IntN(3)]}}
			feed := feeds[r.IntN(len(feeds))]
			var got, want []int
			for _, i := range set.Fitting(Item{&row, feed, func() *query.Deep { return &deep }}) {
				got = append(got, set.Rule(i).No)
			}
			for i := range list {
				q, err := query.Parse(list[i].Query, now)
				if err != nil {
					t.Fatal(err)
				}
				if list[i].Holds(now) && q.WithHidden().Matcher().Answer(query.Item{Row: &row, Feed: feed, Deep: &deep}) == query.Yes {
					want = append(want, list[i].No)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %q by %q in %+v, text %q: rules %v fit, want %v", seed, row.Title, row.Author, feed, deep.Texts, got, want)
			}
		}
	}
}

func TestRecord(t *testing.T) {
	r := Rule{No: 7, Query: `"two words"`, Mute: true, Read: true, Save: true, Notify: true, Tags: []string{"later"}, Made: time.Unix(now.Unix(), 0), Until: time.Unix(now.Unix()+60, 0)}
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(7, text); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%q is %+v, %v", text, got, err)
	}
	if r.Effects() != "mute, read, save, notify, tag later" {
		t.Error(r.Effects())
	}
	if _, err := Decode(7, "{"); err == nil {
		t.Error("half a rule was read")
	}
	if r.Run = []string{"rm"}; strings.Contains(text, "rm") {
		t.Error("a command is kept in the library")
	}
}

// thousand are rules as people have them: words, some of them of one feed.
func thousand() []Rule {
	var list []Rule
	for i := range 1000 {
		q := fmt.Sprintf("word%d", i)
		switch i % 10 {
		case 0:
			q = fmt.Sprintf("feed:%q word%d", "Feed", i)
		case 1:
			q = fmt.Sprintf("\"some phrase%d\"", i)
		case 2:
			q = fmt.Sprintf("text:word%d", i)
		case 3:
			q = fmt.Sprintf("title:word%d or author:name%d", i, i)
		case 4:
			q = fmt.Sprintf("feed:other%d longer:100", i)
		}
		list = append(list, Rule{No: i + 1, Query: q, Mute: true})
	}
	return list
}

// BenchmarkFitting asks 1,000 rules about an item of 2 KB.
func BenchmarkFitting(b *testing.B) {
	set, _ := Compile(thousand(), now)
	row := store.Row{Title: "Some words about a harbour and its ferries word17", Author: "A. Quay"}
	feed := &model.Feed{Key: 1, Title: "Gazette"}
	deep := &query.Deep{Texts: []string{strings.Repeat("The harbour was closed on Monday for repairs. ", 44)}}
	for b.Loop() {
		if len(set.Fitting(Item{&row, feed, func() *query.Deep { return deep }})) != 1 {
			b.Fatal("another rule than one fits")
		}
	}
}
