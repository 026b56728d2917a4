package ranking

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestNewFeedTakesItsFoldersRate(t *testing.T) {
	r := newReader(t)
	var good, bad []Item
	for i := range 6 {
		good = append(good, Item{ID: uint64(i), Feed: fmt.Sprint("good", i), Folder: "sea"})
		bad = append(bad, Item{ID: uint64(10 + i), Feed: fmt.Sprint("bad", i), Folder: "land"})
	}
	for range 10 {
		r.sit(append(good[:6:6], bad...), 0, 1, 2, 3, 4)
	}
	at := func(folder string) float64 { return r.score(Item{Feed: "new in " + folder, Folder: folder}) }
	sea, land, none := at("sea"), at("land"), at("")
	if !(sea > none && none > land) {
		t.Errorf("new feeds: sea %.3f, none %.3f, land %.3f", sea, none, land)
	}
	e := r.b.Explain(r.b.Vector(Item{Feed: "new in sea", Folder: "sea"}))
	if e.Agreement < .5 {
		t.Errorf("the folders agree by %.2f only", e.Agreement)
	}
	if f := e.Terms[1]; f.Kind != "folder" || f.Weight != 0 || f.Shown != 60 || f.Opened != 50 || f.Effect <= 0 {
		t.Errorf("the folder's line is %+v", f)
	}
}

func TestWeights(t *testing.T) {
	r := newReader(t)
	items := of("a", "b")
	for range OpensNeeded - 1 {
		r.sit(items, 0)
	}
	if got := r.b.Weights([]string{"a", "b", "unknown"}); !slices.Equal(got, []float64{1, 1, 1}) {
		t.Errorf("before there is enough to learn from: %v", got)
	}
	r.sit(items, 0)
	got := r.b.Weights([]string{"a", "b", "unknown"})
	if r.b.Opens() != OpensNeeded || !(got[0] > got[2] && got[2] > got[1] && got[0] < 1) {
		t.Errorf("%d opens: %v", r.b.Opens(), got)
	}
}

func TestMoreAndLess(t *testing.T) {
	it := Item{ID: 1, Feed: "a", Author: "someone", Words: []string{"rye"}}
	for _, l := range []Feedback{{Subject: Feed, Name: "a"}, {Subject: Word, Name: "rye"}, {Subject: Author, Name: "someone"}, {}} {
		r := newReader(t)
		r.sit([]Item{it})
		before := r.score(it)
		train := func(a Act) uint64 {
			l.Act = a
			return r.do(Event{Kind: Trained, Feedback: &Feedback{Act: a, Subject: l.Subject, Name: l.Name}, Item: r.b.Vector(it)})
		}
		more := train(More)
		if r.score(it) <= before {
			t.Errorf("more of %+v changes %v to %v", l, before, r.score(it))
		}
		r.do(Event{Kind: Undone, Ref: more})
		if r.score(it) != before {
			t.Errorf("more of %+v, taken back, leaves %v of %v", l, r.score(it), before)
		}
		train(Less)
		if r.score(it) >= before {
			t.Errorf("less of %+v changes %v to %v", l, before, r.score(it))
		}
	}
}

func TestPinExcludeTitles(t *testing.T) {
	r := newReader(t)
	items := of("a", "b", "c")
	for range 8 {
		r.sit(items, 0)
	}
	r.train(Feedback{Act: Pin, Name: "c"})
	if got := r.order(items, RankOptions{}); !slices.Equal(got, []string{"c", "a", "b"}) {
		t.Errorf("with c pinned: %v", got)
	}
	r.train(Feedback{Act: Unpin, Name: "c"})
	r.train(Feedback{Act: Exclude, Name: "b"})
	b := r.b.Vector(items[1])
	was := r.b.cur.at(b.feed, startAt)
	r.sit(items, 1)
	if e := r.b.Explain(b); !e.Excluded || e.Score != e.Start || len(e.Terms) != 0 || r.b.cur.at(b.feed, startAt) != was {
		t.Errorf("left out, b still has %+v", e)
	}
	r.train(Feedback{Act: Include, Name: "b"})
	r.train(Feedback{Act: ByTitle, Name: "c"})
	before := r.b.FeedMean("c")
	for range 20 {
		r.sit(items, 0)
	}
	if after := r.b.FeedMean("c"); after < before {
		t.Errorf("read by its titles, c sinks from %.3f to %.3f", before, after)
	}
}

func TestFreezeForgetReset(t *testing.T) {
	r := newReader(t)
	items := of("a", "b")
	for range 4 {
		r.sit(items, 0)
	}
	frozen := r.b.Table()
	r.train(Feedback{Act: Freeze})
	r.sit(items, 1)
	if r.b.Table() != frozen || !r.b.Frozen() {
		t.Error("frozen beliefs move")
	}
	r.train(Feedback{Act: Thaw})
	since := r.log[len(r.log)-1].At + 1
	known := r.b.Table()
	for range 200 { // far enough to be behind what is kept for undo
		r.sit(items, 1)
	}
	forget := r.train(Feedback{Act: Forget, Since: since})
	if r.b.Table() != known {
		t.Errorf("forgotten to\n%swanted\n%s", r.b.Table(), known)
	}
	r.do(Event{Kind: Undone, Ref: forget})
	if r.b.Table() == known {
		t.Error("forgetting cannot be taken back")
	}
	r.train(Feedback{Act: Pin, Name: "b"})
	r.train(Feedback{Act: Reset})
	if r.b.Opens() != 0 || r.b.Table() != NewBeliefs().Table() || r.b.Setting() != grid[startAt] {
		t.Errorf("after a reset there is\n%s", r.b.Table())
	}
	if got := r.order(items, RankOptions{}); got[0] != "b" {
		t.Error("a reset takes pins away")
	}
}

// TestImportsAreCapped: stars raise a feed, a thousand of them not more than ten.
func TestImportsAreCapped(t *testing.T) {
	mean := func(kind Kind, n int) float64 {
		r := newReader(t)
		for i := range n {
			r.do(Event{Kind: kind, Item: r.b.Vector(Item{ID: uint64(i), Feed: "a"})})
		}
		return r.b.FeedMean("a")
	}
	none, read, one, ten, many := mean(Starred, 0), mean(WasRead, 1), mean(Starred, 1), mean(Starred, 10), mean(Starred, 1000)
	if !(none < read && read < one && one < ten && ten == many) {
		t.Error(none, read, one, ten, many)
	}
}

func TestOrders(t *testing.T) {
	b := NewBeliefs()
	var list []Candidate
	for i, feed := range []string{"busy", "busy", "busy", "quiet"} {
		list = append(list, Candidate{ID: uint64(i), At: int64(100 - i), Item: b.Vector(Item{Feed: feed})})
	}
	order := func(o RankOptions) (out []int) {
		for _, r := range b.Rank(list, o) {
			out = append(out, r.Index)
		}
		return out
	}
	for o, want := range map[Order][]int{Newest: {0, 1, 2, 3}, Oldest: {3, 2, 1, 0}, Rare: {3, 0, 1, 2}} {
		if got := order(RankOptions{Order: o}); !slices.Equal(got, want) {
			t.Errorf("order %d is %v, want %v", o, got, want)
		}
	}
	list[0].Rate, list[1].Rate, list[2].Rate, list[3].Rate = 1, 1, 1, 5
	if got := order(RankOptions{Order: Rare}); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("by given rates: %v", got)
	}
	if b.Rank(nil, RankOptions{Order: Ranked}) == nil || len(b.Rank(nil, RankOptions{})) != 0 {
		t.Error("an empty list")
	}
}

// TestPrintedModel: Ranked by the printed model is Paper's order of the feeds.
func TestPrintedModel(t *testing.T) {
	r := newReader(t)
	items := of("a", "b", "c", "d")
	p := NewPaper(4, 1, 3, 10)
	for turn := range 20 {
		open := []int{turn % 2, 2}[turn%3%2]
		r.sit(items, open)
		for i := range items {
			if i == open {
				p.Opened(i)
			} else {
				p.Rejected(i, DefaultReading(i+1))
			}
		}
	}
	var list []Candidate
	for _, it := range items {
		list = append(list, Candidate{ID: it.ID, Item: r.b.Vector(it)})
	}
	for _, row := range r.b.Rank(list, RankOptions{Order: Ranked, Model: Printed, Lambda: 10}) {
		if math.Abs(row.Score-p.Score(row.Index)) > 1e-5 || math.Abs(row.Chance-p.Mean(row.Index)) > 1e-5 {
			t.Errorf("%s has %v and %v, the paper %v and %v", items[row.Index].Feed, row.Score, row.Chance, p.Score(row.Index), p.Mean(row.Index))
		}
	}
}

// The agreement of folders is the covariance of two feeds of one folder over the
// variance of all, with one pair's worth of none added: here summed pair by pair.
func TestAgreement(t *testing.T) {
	r := newReader(t)
	var items []Item
	for i := range 8 {
		items = append(items, Item{ID: uint64(i), Feed: fmt.Sprint("feed", i), Folder: []string{"sea", "land", ""}[i/3]})
	}
	for range 12 {
		r.sit(items, 0, 1, 2, 3, 7)
	}
	w := r.b.view()
	names := &r.b.names
	var feeds []int32
	var sum, weight float64
	for id, n := range names.list {
		if n.of == Feed {
			rate, v := w.feedRate(int32(id))
			sum, weight = sum+v*rate, weight+v
			if names.folder[id] >= 0 {
				feeds = append(feeds, int32(id))
			}
		}
	}
	mean := sum / weight
	var within, pairs, variance, worth float64
	for _, a := range feeds {
		x, v := w.feedRate(a)
		variance, worth = variance+v*(x-mean)*(x-mean), worth+v
		for _, b := range feeds {
			if y, u := w.feedRate(b); a != b && names.folder[a] == names.folder[b] {
				within, pairs = within+v*u*(x-mean)*(y-mean), pairs+v*u
			}
		}
	}
	want := within / (pairs + 1) / (variance / worth)
	if len(feeds) < 6 || want < .05 || want > .95 || math.Abs(w.agreement-want) > 1e-9 {
		t.Errorf("%d feeds agree by %v, want %v", len(feeds), w.agreement, want)
	}
}
