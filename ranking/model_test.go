package ranking

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// reader is a log being written.
type reader struct {
	*testing.T
	b   *Beliefs
	log []Event
}

func newReader(t *testing.T) *reader { return &reader{T: t, b: NewBeliefs()} }

// do appends one event, a step of its own.
func (r *reader) do(e Event) uint64 {
	r.Helper()
	e.No = uint64(len(r.log) + 1)
	e.Step, e.At = e.No, int64(e.No)
	r.log = append(r.log, e)
	if err := r.b.Apply(e); errors.Is(err, ErrRefold) {
		r.b.Refold(r.log)
	} else if err != nil {
		r.Fatal(err)
	}
	return e.No
}

// sit is a session that shows items in rows 1, 2, … and opens some of them.
func (r *reader) sit(items []Item, open ...int) {
	r.do(Event{Kind: Looked})
	for i, it := range items {
		e := Event{ID: it.ID, Item: r.b.Vector(it), Row: i + 1, Kind: Shown}
		r.do(e)
		if slices.Contains(open, i) {
			e.Kind = Opened
			r.do(e)
		}
	}
}

func (r *reader) train(l Feedback) uint64 { return r.do(Event{Kind: Trained, Feedback: &l}) }

// order is the feeds of items as Ranked places them.
func (r *reader) order(items []Item, o RankOptions) (feeds []string) {
	list := make([]Candidate, len(items))
	for i, it := range items {
		list[i] = Candidate{ID: it.ID, At: int64(it.ID), Item: r.b.Vector(it)}
	}
	o.Order = Ranked
	for _, row := range r.b.Rank(list, o) {
		feeds = append(feeds, items[row.Index].Feed)
	}
	return feeds
}

func of(feeds ...string) (items []Item) {
	for i, f := range feeds {
		items = append(items, Item{ID: uint64(i + 1), Feed: f})
	}
	return items
}

func (r *reader) score(it Item) float64 { return r.b.Explain(r.b.Vector(it)).Score }

// TestOneFeature: with one feature the chance is the posterior mean, and the score has the odds by
// the prior for finding out times the factor of the printed one.
func TestOneFeature(t *testing.T) {
	r := newReader(t)
	it := of("a")
	for i := range 6 {
		if i%3 == 0 {
			r.sit(it, 0)
		} else {
			r.sit(it)
		}
	}
	r.b.cur.cal = calibration{slope: 1} // what came of it is another matter
	e := r.b.Explain(r.b.Vector(it[0]))
	x := e.Terms[0]
	if want := x.Alpha / (x.Alpha + x.Beta); math.Abs(e.Chance-want) > 1e-12 || math.Abs(r.b.FeedMean("a")-want) > 1e-12 {
		t.Errorf("the chance is %v, the posterior mean %v", e.Chance, want)
	}
	a, b := x.Alpha-PriorStrength*e.Start+1, x.Beta-PriorStrength*(1-e.Start)+math.Sqrt((1-e.Start)/2/e.Start)
	n := a + b
	more := a / b * (1 + e.Explore*b/(n*(n+1)))
	if want := more / (more + 1); e.Bonus <= 0 || math.Abs(e.Score-want) > 1e-12 {
		t.Errorf("the score is %v, want %v", e.Score, want)
	}
	if x.Opened != 2 || x.Shown != 6 || e.Opened != 2 || e.Shown != 6 {
		t.Errorf("%d of %d opened, overall %d of %d", x.Opened, x.Shown, e.Opened, e.Shown)
	}
}

// TestOpenedFeedLeads: which of two feeds is opened decides which leads, and
// taking the opens back leaves nothing behind.
func TestOpenedFeedLeads(t *testing.T) {
	for open, lead := range map[int]string{0: "a", 1: "b"} {
		r := newReader(t)
		items := of("a", "b")
		for range 5 {
			r.sit(items, open)
		}
		if got := r.order(of("b", "a"), RankOptions{}); got[0] != lead {
			t.Errorf("opening %d puts %v first", open, got)
		}
		before := fmt.Sprintf("%+v", r.b.Explain(r.b.Vector(items[0])))
		no := r.do(Event{Kind: Saved, ID: 9, Item: r.b.Vector(Item{Feed: "a", Words: []string{"w"}})})
		if fmt.Sprintf("%+v", r.b.Explain(r.b.Vector(items[0]))) == before {
			t.Error("saving teaches nothing")
		}
		r.do(Event{Kind: Undone, Ref: no})
		if got := fmt.Sprintf("%+v", r.b.Explain(r.b.Vector(items[0]))); got != before {
			t.Errorf("after undo\n%s\nbefore\n%s", got, before)
		}
	}
}

// TestOrderOfFacts: a row noted as shown only after it was opened, as it happens
// when the session's best row is noted at its end, counts the same.
func TestOrderOfFacts(t *testing.T) {
	a, b := newReader(t), newReader(t)
	it := of("a")[0]
	for _, r := range []*reader{a, b} {
		v := r.b.Vector(it)
		shown, opened := Event{Kind: Shown, Row: 3, ID: 1, Item: v}, Event{Kind: Opened, ID: 1, Item: v}
		if r == a {
			shown, opened = opened, shown
		}
		r.do(shown)
		r.do(opened)
		r.do(opened)
	}
	x, y := a.b.Explain(a.b.Vector(it)).Terms[0], b.b.Explain(b.b.Vector(it)).Terms[0]
	if x.Opened != 1 || y.Opened != 1 || math.Abs(x.Alpha-y.Alpha) > 1e-6 || math.Abs(x.Beta-y.Beta) > 1e-6 {
		t.Errorf("%+v and %+v", x, y)
	}
}

// TestBestRowCounts: a row seen twice in a session is one rejection, the higher.
func TestBestRowCounts(t *testing.T) {
	once, twice := newReader(t), newReader(t)
	v := once.b.Vector(of("a")[0])
	once.do(Event{Kind: Shown, Row: 2, ID: 1, Item: v})
	v = twice.b.Vector(of("a")[0])
	for _, row := range []int{9, 2, 5} {
		twice.do(Event{Kind: Shown, Row: row, ID: 1, Item: v})
	}
	if a, b := once.score(of("a")[0]), twice.score(of("a")[0]); math.Abs(a-b) > 1e-6 {
		t.Errorf("once in row 2 leaves %v, in rows 9, 2, 5 %v", a, b)
	}
}

// TestSavingCountsDouble: opened and saved is two opens' worth, saved alone too.
func TestSavingCountsDouble(t *testing.T) {
	pairs := func(kinds ...Kind) float64 {
		r := newReader(t)
		v := r.b.Vector(of("a")[0])
		for _, k := range kinds {
			r.do(Event{Kind: k, ID: 1, Item: v})
		}
		return r.b.cur.at(v.feed, startAt).a
	}
	if pairs(Opened) != 1 || pairs(Saved) != 2 || pairs(Opened, Saved) != 2 || pairs(Saved, Opened, Saved) != 2 {
		t.Error(pairs(Opened), pairs(Saved), pairs(Opened, Saved), pairs(Saved, Opened, Saved))
	}
}

// TestVirtualRejections: a loved feed does not fill the page, and the rows it
// does not get go to what comes next.
func TestVirtualRejections(t *testing.T) {
	r := newReader(t)
	items := of("loved", "liked", "other")
	for i := range 12 {
		if i%3 == 2 {
			r.sit(items, 0)
		} else {
			r.sit(items, 0, 1)
		}
	}
	var many []Item
	for i := range 40 {
		many = append(many, Item{ID: uint64(i), Feed: []string{"loved", "liked"}[i/20]})
	}
	got := r.order(many, RankOptions{Rows: 20, Built: 20})[:20]
	n := 0
	for _, f := range got {
		if f == "loved" {
			n++
		}
	}
	if got[0] != "loved" || n < 5 || n > 19 {
		t.Errorf("%d of 20 rows are the loved feed's: %v", n, got)
	}
	plain := r.order(many, RankOptions{Rows: 20, Built: 1})
	if !slices.Equal(plain[:20], slices.Repeat([]string{"loved"}, 20)) {
		t.Errorf("without building the page the order is not by score: %v", plain[:20])
	}
}

// TestFindingOut: a row that stands higher for its bonus says so, with its row by
// chance alone.
func TestFindingOut(t *testing.T) {
	r := newReader(t)
	// Drift makes the log choose a setting that explores.
	items := of("a", "b", "c", "d", "e", "f")
	for turn := range 240 {
		r.sit(items, turn/30%6)
	}
	if s := r.b.Setting(); s.Explore < 1 {
		t.Fatalf("a drifting reader is taken for %+v", s)
	}
	list := of("a", "b", "c", "d", "e", "f", "new")
	var cands []Candidate
	for _, it := range list {
		cands = append(cands, Candidate{ID: it.ID, Item: r.b.Vector(it)})
	}
	for _, row := range r.b.Rank(cands, RankOptions{Order: Ranked}) {
		if row.Place == 0 || row.Plain == 0 || row.Finding != (row.Plain-row.Place >= findingRows) {
			t.Errorf("%s: %+v", list[row.Index].Feed, row)
		}
	}
}

// TestSteady: readers whose interests stay are not taken for ones who change, those whose
// interests change are, and folders decide what is forgotten meanwhile.
func TestSteady(t *testing.T) {
	for _, changes := range []bool{false, true} {
		taken := 0
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 3))
			b, no := NewBeliefs(), uint64(0)
			for turn := range 120 {
				for feed := range 12 {
					chance := .05
					if liked := feed < 3; liked != (changes && turn/40%2 == 1 && feed%3 < 2 && feed < 6) {
						chance = .7
					}
					seen(b, &no, b.Vector(Item{Feed: fmt.Sprint(feed)}), 1, r.Float64() < chance)
				}
			}
			if b.Setting().Keep < .98 {
				taken++
			} else if b.Setting() != grid[plainTrack] {
				t.Errorf("a steady reader without folders is given %+v", b.Setting())
			}
		}
		if changes && taken < 18 || !changes && taken > 2 {
			t.Errorf("changes %v: %d of 20 are taken for readers who change", changes, taken)
		}
	}
	b, no := NewBeliefs(), uint64(0)
	for range 3 {
		seen(b, &no, b.Vector(Item{Feed: "a", Folder: "b"}), 1, true)
	}
	if got, err := Resume(b.Checkpoint()); err != nil || b.Setting() != grid[startAt] || got.Setting() != b.Setting() {
		t.Errorf("with folders: %+v, %v", b.Setting(), err)
	}
}

// TestPromise: where nothing is forgotten, a feed that was never shown promises more than the
// same chance well known does, and of the latter hardly more than its chance is promised.
func TestPromise(t *testing.T) {
	for _, m := range []float64{.02, .2, .5} {
		fresh := upOf(grid[plainTrack], m, PriorStrength*m, PriorStrength*(1-m))
		known := upOf(grid[plainTrack], m, 1000*m, 1000*(1-m))
		if fresh < .2 || math.Abs(known) > .1 || fresh < 3*known {
			t.Errorf("rate %v: %v for a new feed, %v for a known one", m, fresh, known)
		}
	}
}
