package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"diurna/ranking/aggregate"
	"diurna/ranking/topics"
)

// AggregateOptions chooses the made-up world of Aggregate.
type AggregateOptions struct {
	Readers    int   // 0: 600
	Feeds      int   // 0: 800
	Items      int   // 0: 2000
	References int   // mentions of items by feeds; 0: 30000
	Ranks      []int // of the factorisation; none: 10, 20, 40, 80
	Seed       uint64
}

const (
	communities = 24  // of readers, feeds and items
	meanFeeds   = 30  // that a reader has, as on Bloglines (Sia 2009, section 4.3.1)
	topItems    = 20  // of a recommendation
	nmfRounds   = 60  // of multiplicative updates
	least       = .05 // numbers of W and H below it, of the largest of their reader or feed, count as 0
)

// world is who reads what, and what feeds mention.
type world struct {
	t            aggregate.Matrix
	columns      [][]int32 // of t, ascending
	values       [][]float64
	pairs        int
	subscribers  []int
	references   []aggregate.Reference
	feeds, items int
	asked        []int // the readers with most feeds, who are asked for (section 4.3.3)
	maxSubscribe int
}

func (o *AggregateOptions) fill() {
	for _, d := range []struct {
		n    *int
		none int
	}{{&o.Readers, 600}, {&o.Feeds, 800}, {&o.Items, 2000}, {&o.References, 30000}} {
		if *d.n == 0 {
			*d.n = d.none
		}
	}
	if len(o.Ranks) == 0 {
		o.Ranks = []int{10, 20, 40, 80}
	}
}

// zipf draws 0 to n-1, the first ones most often.
func zipf(r *rand.Rand, n int) int { return int(math.Pow(float64(n)+1, r.Float64())) - 1 }

// newWorld draws subscriptions, 0 or 1 and skewed as on Bloglines: readers have one to
// three communities, and a fifth of their feeds from anywhere.
func newWorld(o *AggregateOptions) *world {
	r := rand.New(rand.NewPCG(o.Seed, 0x61676772))
	w := &world{feeds: o.Feeds, items: o.Items, subscribers: make([]int, o.Feeds)}
	// Feeds and items i belong to the community i mod communities; those with small
	// numbers are the popular ones.
	in := func(n, community int) int {
		return min(zipf(r, (n+communities-1)/communities)*communities+community, n-1)
	}
	for range o.Readers {
		var mine []int
		for range 1 + r.IntN(3) {
			mine = append(mine, r.IntN(communities))
		}
		n := min(int(meanFeeds/2/math.Sqrt(1-r.Float64())), o.Feeds/2) // Pareto
		row := make([]bool, o.Feeds)
		for range n {
			f := in(o.Feeds, mine[r.IntN(len(mine))])
			if r.IntN(5) == 0 {
				f = min(zipf(r, o.Feeds), o.Feeds-1)
			}
			row[f] = true
		}
		var entries []aggregate.Entry
		var columns []int32
		var values []float64
		for f, has := range row {
			if has {
				entries = append(entries, aggregate.Entry{At: f, Value: 1})
				columns, values = append(columns, int32(f)), append(values, 1)
				w.subscribers[f]++
			}
		}
		w.pairs += len(entries)
		w.t, w.columns, w.values = append(w.t, entries), append(w.columns, columns), append(w.values, values)
	}
	for range o.References {
		f := min(zipf(r, o.Feeds), o.Feeds-1)
		item := in(o.Items, f%communities)
		if r.IntN(10) == 0 {
			item = min(zipf(r, o.Items), o.Items-1)
		}
		w.references = append(w.references, aggregate.Reference{Feed: f, Item: item, Score: 1 + r.Float64()}) // tf.idf
	}
	for most := range w.feeds + 1 { // a third of the readers
		var asked []int
		for i := range w.t {
			if len(w.t[i]) >= most {
				asked = append(asked, i)
			}
		}
		if len(asked)*3 < len(w.t) && w.asked != nil {
			break
		}
		w.asked, w.maxSubscribe = asked, most
	}
	return w
}

// method is one of the three, and the hybrid.
type method interface {
	Add(aggregate.Reference)
	Top(reader, k int) []aggregate.Entry
}

// play adds all references, and then asks for each of the readers.
func (w *world) play(m method) [][]aggregate.Entry {
	for _, r := range w.references {
		m.Add(r)
	}
	var out [][]aggregate.Entry
	for _, reader := range w.asked {
		out = append(out, m.Top(reader, topItems))
	}
	return out
}

// Aggregate compares the methods of Sia 2009, chapter 4, on a made-up matrix of
// subscriptions: what an update and a query cost, in entries of tables, what the
// factorisation gets right, and from which number of queries on each is the cheapest.
func Aggregate(ctx context.Context, o AggregateOptions) (*Report, error) {
	o.fill()
	w := newWorld(&o)
	otf := aggregate.NewOnTheFly(w.t, w.feeds, w.items)
	right := w.play(otf)
	view := aggregate.NewView(w.t, w.feeds, w.items)
	viewed := w.play(view)
	refs, queries := float64(len(w.references)), float64(len(w.asked))
	out := &Report{Seed: o.Seed, Lines: []string{
		fmt.Sprintf("%d readers, %d feeds, %d subscriptions, %d items, %d references", o.Readers, o.Feeds, w.pairs, o.Items, len(w.references)),
		fmt.Sprintf("asked for the top %d of %d readers, those with %d feeds and more", topItems, len(w.asked), w.maxSubscribe)}}
	t := Table{Name: "methods", Title: "Entries written for a reference and read for a query, and the share of the top items that is right",
		Columns: []string{"method", "writes_per_reference", "accesses_per_query", "without_threshold", "overlap", "overlap_of_first", "error_norm", "w_share", "h_share"}}
	nan := math.NaN()
	add := func(name string, c aggregate.Cost, scan int, got [][]aggregate.Entry, norm, ws, hs float64) {
		without := nan
		if scan > 0 {
			without = float64(scan) / queries
		}
		t.add(name, float64(c.Writes)/refs, float64(c.Reads)/queries, without, overlap(got, right, topItems), overlap(got, right, 1), norm, ws, hs)
	}
	add("on the fly", otf.Cost, 0, right, nan, nan, nan)
	add("view", view.Cost, 0, viewed, nan, nan, nan)
	at := Table{Name: "overlap", Title: "Share of the first items that is right, by rank of the factorisation", Columns: []string{"first"}}
	firsts := []int{1, 2, 3, 5, 10, 15, 20}
	for _, k := range firsts {
		at.Rows = append(at.Rows, Row{Name: fmt.Sprint(k)})
	}
	cross := Table{Name: "crossover", Title: "Queries per reference from which the second is cheaper than the first, in entries", Columns: []string{"methods", "queries_per_reference"}}
	crossing := func(a, b string, x, y aggregate.Cost) {
		q := math.Inf(1) // never
		if saved := float64(x.Reads-y.Reads) / queries; saved > 0 {
			q = max(float64(y.Writes-x.Writes)/refs/saved, 0)
		}
		cross.add(a+", "+b, q)
	}
	crossing("on the fly", "view", otf.Cost, view.Cost)
	for _, k := range o.Ranks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		wf, hf := topics.Factor(w.columns, w.values, w.feeds, k, nmfRounds, o.Seed)
		name := fmt.Sprintf("nmf, rank %d", k)
		f := aggregate.NewFactored(wf, hf, k, w.feeds, w.items, least)
		got := w.play(f)
		add(name, f.Cost, f.Scan, got, w.norm(wf, hf, k), share(f.W, k), share(f.H, k))
		at.Columns = append(at.Columns, fmt.Sprintf("rank_%d", k))
		for i, n := range firsts {
			at.Rows[i].Values = append(at.Rows[i].Values, overlap(got, right, n))
		}
		crossing("on the fly", name, otf.Cost, f.Cost)
		crossing(name, "view", f.Cost, view.Cost)
	}
	k := o.Ranks[len(o.Ranks)-1]
	h := w.hybrid(&o, k)
	got := w.play(h)
	add(fmt.Sprintf("hybrid, rank %d", k), h.Cost, 0, got, nan, nan, nan)
	crossing("on the fly", "hybrid", otf.Cost, h.Cost)
	out.Lines = append(out.Lines, w.personal(right, topItems))
	out.Tables = append(out.Tables, t, at, cross)
	return out, nil
}

// overlap is the mean share of the first k right items that was found.
func overlap(got, right [][]aggregate.Entry, k int) float64 {
	sum, n := 0., 0.
	for i := range right {
		if a := right[i][:min(k, len(right[i]))]; len(a) > 0 {
			sum += float64(aggregate.Shared(a, got[i][:min(k, len(got[i]))])) / float64(len(a))
			n++
		}
	}
	return sum / n
}

// norm is the Frobenius norm of T − W·H.
func (w *world) norm(wf, hf []float64, k int) float64 {
	sum, row := 0., make([]float64, w.feeds)
	for i := range w.t {
		clear(row)
		for z := range k {
			if x := wf[i*k+z]; x > 1e-9 {
				for f, y := range hf[z*w.feeds : (z+1)*w.feeds] {
					row[f] -= x * y
				}
			}
		}
		for _, e := range w.t[i] {
			row[e.At] += e.Value
		}
		for _, x := range row {
			sum += x * x
		}
	}
	return math.Sqrt(sum)
}

// share is the part of a matrix of k columns that is not 0.
func share(m aggregate.Matrix, k int) float64 {
	n := 0
	for _, row := range m {
		n += len(row)
	}
	return float64(n) / float64(len(m)*k)
}

// hybrid divides the subscriptions as section 4.3.5 does: readers and feeds with no more
// than meanFeeds subscriptions are not factored.
func (w *world) hybrid(o *AggregateOptions, k int) *aggregate.Hybrid {
	few := make([]bool, len(w.t))
	small, view := make(aggregate.Matrix, len(w.t)), make(aggregate.Matrix, len(w.t))
	columns, values := make([][]int32, len(w.t)), make([][]float64, len(w.t))
	for i, row := range w.t {
		if few[i] = len(row) <= meanFeeds; few[i] {
			small[i] = row
			continue
		}
		for _, e := range row {
			if w.subscribers[e.At] <= meanFeeds {
				view[i] = append(view[i], e)
			} else {
				columns[i], values[i] = append(columns[i], int32(e.At)), append(values[i], e.Value)
			}
		}
	}
	wf, hf := topics.Factor(columns, values, w.feeds, k, nmfRounds, o.Seed)
	return &aggregate.Hybrid{Few: few, OTF: aggregate.NewOnTheFly(small, w.feeds, w.items), View: aggregate.NewView(view, w.feeds, w.items),
		Groups: aggregate.NewFactored(wf, hf, k, w.feeds, w.items, least)}
}

// personal says how much readers have in common (section 4.3.2).
func (w *world) personal(right [][]aggregate.Entry, k int) string {
	all := make(aggregate.Matrix, 1)
	for f := range w.feeds {
		all[0] = append(all[0], aggregate.Entry{At: f, Value: 1})
	}
	global := aggregate.NewOnTheFly(all, w.feeds, w.items)
	for _, r := range w.references {
		global.Add(r)
	}
	best, shared, among, pairs := global.Top(0, k), 0, 0, 0
	for i := range right {
		shared += aggregate.Shared(best, right[i])
		for j := range i {
			among += aggregate.Shared(right[i], right[j])
			pairs++
		}
	}
	return fmt.Sprintf("of their top %d they share %.2f with that of all feeds, %.2f with each other", k, float64(shared)/float64(len(right)), float64(among)/float64(max(pairs, 1)))
}
