package papers

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sort"
	"strings"

	"diurna/ranking/topics"
	"diurna/reader/plain"
	"diurna/reader/replay"
)

const (
	hour = int64(3600)
	day  = 24 * hour
	week = 7 * day
)

// Stream is the items of one feed, by time.
type Stream struct {
	ID    string
	Items []StreamItem
}

// StreamItem is one item: when it came out, and its words, stemmed.
type StreamItem struct {
	At    int64 // unix seconds
	Words []string
}

// ReadStreams reads one item a line: source,time,text, with commas or tabs between. A
// time is unix seconds or RFC 3339. Where no line has a text, texts are made up. A
// heading, empty lines and those that begin with # are skipped. An error names its line.
func ReadStreams(r io.Reader) ([]Stream, error) {
	at, out, n := map[string]int{}, []Stream(nil), 0
	err := eachLine(r, func(f []string) error {
		if n++; len(f) < 2 {
			return errors.New("a line is source,time,text")
		}
		t, err := replay.ParseTime(f[1])
		if err != nil {
			if n == 1 && !strings.ContainsAny(f[1], "0123456789") {
				return nil // the heading
			}
			return err
		}
		i, ok := at[f[0]]
		if !ok {
			i = len(out)
			at[f[0]] = i
			out = append(out, Stream{ID: plain.Line(f[0], 80)})
		}
		item := StreamItem{At: t.Unix()}
		if len(f) > 2 {
			for _, w := range topics.Words(strings.Join(f[2:], " ")) {
				item.Words = append(item.Words, w.Stem)
			}
		}
		out[i].Items = append(out[i].Items, item)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = errors.New("line 1: there is no item")
	}
	return out, err
}

// streams makes items ready: on one axis from a Monday on, which is 0, cut after weeks,
// with texts. made says that the texts are made up.
func streams(in []Stream, weeks int, seed uint64) (out []Stream, made bool) {
	if in == nil {
		sources, _ := replay.Synthetic(seed)
		for _, s := range sources {
			one := Stream{ID: s.ID}
			for _, t := range s.Posts {
				one.Items = append(one.Items, StreamItem{At: t})
			}
			in = append(in, one)
		}
	}
	made = true
	first, last := int64(1)<<62, int64(0) // of what all have
	for _, s := range in {
		sort.SliceStable(s.Items, func(i, j int) bool { return s.Items[i].At < s.Items[j].At })
		first, last = min(first, s.Items[len(s.Items)-1].At), max(last, s.Items[0].At)
		for _, item := range s.Items {
			made = made && len(item.Words) == 0
		}
	}
	zero := int64(1) << 62
	for _, s := range in {
		zero = min(zero, monday(s.Items[0].At))
	}
	for n, s := range in {
		from := zero
		if first < last { // from different years: moved by whole weeks
			from = monday(s.Items[0].At)
		}
		one := Stream{ID: s.ID}
		for _, item := range s.Items {
			if item.At -= from; item.At < int64(weeks)*week {
				one.Items = append(one.Items, item)
			}
		}
		if made {
			writeTexts(one.Items, n, seed)
		}
		if len(one.Items) > 0 {
			out = append(out, one)
		}
	}
	return out, made
}

// monday is the beginning of the week (UTC); the epoch was a Thursday.
func monday(unix int64) int64 { return unix - (unix+3*day)%week }

// writeTexts makes up what a feed writes: a third of an item's words are of its story,
// a third of its subject, a third of anything. Most items have a line or two, some are
// long. Feeds differ in how long they stay with a story, and every third one has the
// subject of the one before it.
func writeTexts(items []StreamItem, n int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	about := n
	if n%3 == 2 {
		about--
	}
	stays := .2 + .7*r.Float64() // chance that an item goes on with the story
	subject := fmt.Sprint("f", about, "w")
	word := func(of string, most int) string {
		x := r.Float64()
		return fmt.Sprint(of, int(x*x*float64(most))) // few words are frequent
	}
	var story []string
	for i := range items {
		if i == 0 || r.Float64() >= stays {
			story = nil
			for range 12 {
				story = append(story, word(subject, maxSubject))
			}
		}
		var words []string
		for k := range min(int(4+16*math.Exp(r.NormFloat64())), 400) {
			switch k % 3 {
			case 0:
				words = append(words, story[r.IntN(len(story))])
			case 1:
				words = append(words, word(subject, maxSubject))
			default:
				words = append(words, word("any", maxAny))
			}
		}
		items[i].Words = words
	}
}

// How many words a subject has, and a language.
const maxSubject, maxAny = 4000, 20000
