// Package aggregate finds what readers' trusted feeds mention most, in the three ways of
// Sia 2009, chapter 4: on the fly, as a view for each reader, and by a factorisation of
// the subscriptions, with the Threshold Algorithm of Fagin, Lotem and Naor 2001.
//
// R = T·E (Eq. 4.1): T is readers × feeds, how much each reader trusts a feed; E is
// feeds × items, how much each feed has of an item. [OnTheFly] computes a row of R when
// it is asked for, [View] keeps all of R, [Factored] keeps H·E with T ≈ W·H.
package aggregate

import "sort"

// Entry is a number of a sparse row.
type Entry struct {
	At    int // column
	Value float64
}

// Matrix is a sparse matrix by rows; no row has a column twice.
type Matrix [][]Entry

// Reference is one mention: a feed's score of an item, above 0, that comes on top of
// what it had.
type Reference struct {
	Feed, Item int
	Score      float64
}

// Cost counts what a method touches: entries of tables read and written.
type Cost struct{ Reads, Writes int }

// OnTheFly keeps E alone (Sia 2009, section 4.2.1, OTF).
type OnTheFly struct {
	T    Matrix
	e    []map[int]float64 // by feed: item → score
	sums []float64
	Cost Cost
}

// NewOnTheFly has no references yet. items is the number of items.
func NewOnTheFly(t Matrix, feeds, items int) *OnTheFly {
	return &OnTheFly{T: t, e: make([]map[int]float64, feeds), sums: make([]float64, items)}
}

// Add takes in a reference: one entry is written.
func (o *OnTheFly) Add(r Reference) {
	if o.e[r.Feed] == nil {
		o.e[r.Feed] = map[int]float64{}
	}
	o.e[r.Feed][r.Item] += r.Score
	o.Cost.Writes++
}

// Top is the k items with the highest scores of a reader, best first.
func (o *OnTheFly) Top(reader, k int) []Entry {
	clear(o.sums)
	for _, t := range o.T[reader] {
		for item, e := range o.e[t.At] {
			o.sums[item] += t.Value * e
			o.Cost.Reads++
		}
	}
	return top(o.sums, k)
}

// View keeps R (section 4.2.1, VIEW).
type View struct {
	readers Matrix // by feed: its readers
	r       [][]float64
	Cost    Cost
}

// NewView has no references yet.
func NewView(t Matrix, feeds, items int) *View {
	v := &View{readers: transpose(t, feeds), r: make([][]float64, len(t))}
	for i := range v.r {
		v.r[i] = make([]float64, items)
	}
	return v
}

// Add takes in a reference: an entry is written for each reader of the feed.
func (v *View) Add(r Reference) {
	for _, t := range v.readers[r.Feed] {
		v.r[t.At][r.Item] += t.Value * r.Score
		v.Cost.Writes++
	}
}

// Top reads the reader's table, which is kept in order.
func (v *View) Top(reader, k int) []Entry {
	out := top(v.r[reader], k)
	v.Cost.Reads += len(out)
	return out
}

// Factored keeps H·E, a table for each group of readers (section 4.2.3, NMF).
type Factored struct {
	W      Matrix // readers × groups
	H      Matrix // by feed: its groups
	tables [][]float64
	order  [][]int // of each table, best first; nil: to be sorted
	Cost   Cost    // of Top: entries read in order or looked up
	Scan   int     // entries that Top would have read without the Threshold Algorithm
}

// NewFactored takes the factors, flat: w is readers × k, h is k × feeds. Numbers below
// least of the largest of their reader or feed count as 0.
func NewFactored(w, h []float64, k, feeds, items int, least float64) *Factored {
	f := &Factored{tables: make([][]float64, k), order: make([][]int, k)}
	for z := range f.tables {
		f.tables[z] = make([]float64, items)
	}
	keep := func(n int, at func(i, z int) float64) Matrix {
		out := make(Matrix, n)
		for i := range out {
			most := 0.
			for z := range k {
				most = max(most, at(i, z))
			}
			for z := range k {
				if x := at(i, z); x > 0 && x >= least*most {
					out[i] = append(out[i], Entry{z, x})
				}
			}
		}
		return out
	}
	f.W = keep(len(w)/k, func(i, z int) float64 { return w[i*k+z] })
	f.H = keep(feeds, func(i, z int) float64 { return h[z*feeds+i] })
	return f
}

// Add takes in a reference: an entry is written for each group that has the feed.
func (f *Factored) Add(r Reference) {
	for _, h := range f.H[r.Feed] {
		f.tables[h.At][r.Item] += h.Value * r.Score
		f.order[h.At] = nil
		f.Cost.Writes++
	}
}

// Top is the k items with the highest scores of W·(H·E), found by the Threshold
// Algorithm: the same as by adding up all tables.
func (f *Factored) Top(reader, k int) []Entry {
	lists := f.lists(reader)
	for i := range lists {
		f.Scan += len(lists[i].Order)
	}
	out, accesses := Threshold(lists, k)
	f.Cost.Reads += accesses
	return out
}

// lists are the tables of a reader's groups, in order.
func (f *Factored) lists(reader int) (out []List) {
	for _, g := range f.W[reader] {
		if f.order[g.At] == nil {
			f.order[g.At] = descending(f.tables[g.At])
		}
		out = append(out, List{g.Value, f.tables[g.At], f.order[g.At]})
	}
	return out
}

// List is one of the lists that Threshold merges: an item's part is Weight × Scores[item].
// Order has the items whose score is above 0, best first. Nothing is below 0.
type List struct {
	Weight float64
	Scores []float64
	Order  []int
}

// Threshold is the Threshold Algorithm (Fagin, Lotem and Naor 2001) for weighted sums:
// items are taken from all lists in turn, best first, and looked up in the others, until k of
// them reach the sum that an item not yet seen could have at most. It gives the k
// items with the highest sums above 0, best first, those of equal sums by number, and how many
// entries were read in order and looked up.
func Threshold(lists []List, k int) (best []Entry, accesses int) {
	seen := map[int]bool{}
	for depth := 0; ; depth++ {
		threshold, more := 0., false
		for i := range lists {
			l := &lists[i]
			if depth >= len(l.Order) {
				continue // what it has left is 0
			}
			more = true
			item := l.Order[depth]
			accesses++
			threshold += l.Weight * l.Scores[item]
			if seen[item] {
				continue
			}
			seen[item] = true
			sum := 0.
			for j := range lists {
				sum += lists[j].Weight * lists[j].Scores[item]
			}
			accesses += len(lists) - 1
			best = insert(best, Entry{item, sum}, k)
		}
		// An item not yet seen may have the threshold itself, and then a smaller number.
		if !more || len(best) == k && best[k-1].Value > threshold {
			return best, accesses
		}
	}
}

// better is the order of what is found.
func better(a, b Entry) bool { return a.Value > b.Value || a.Value == b.Value && a.At < b.At }

// insert keeps the k best, in order.
func insert(best []Entry, e Entry, k int) []Entry {
	if e.Value <= 0 || len(best) == k && !better(e, best[k-1]) {
		return best
	}
	if len(best) < k {
		best = append(best, e)
	}
	i := len(best) - 1
	for ; i > 0 && better(e, best[i-1]); i-- {
		best[i] = best[i-1]
	}
	best[i] = e
	return best
}

func top(sums []float64, k int) (best []Entry) {
	for i, x := range sums {
		best = insert(best, Entry{i, x}, k)
	}
	return best
}

// descending is the columns above 0, best first.
func descending(x []float64) []int {
	var out []int
	for i, v := range x {
		if v > 0 {
			out = append(out, i)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return x[a] > x[b] || x[a] == x[b] && a < b
	})
	return out
}

func transpose(m Matrix, columns int) Matrix {
	out := make(Matrix, columns)
	for i, row := range m {
		for _, e := range row {
			out[e.At] = append(out[e.At], Entry{i, e.Value})
		}
	}
	return out
}

// Shared is how many of the items of a are in b.
func Shared(a, b []Entry) int {
	in := map[int]bool{}
	for _, e := range b {
		in[e.At] = true
	}
	n := 0
	for _, e := range a {
		if in[e.At] {
			n++
		}
	}
	return n
}

// Hybrid divides the subscriptions (section 4.2.6): readers with few feeds are answered
// on the fly; of the others, feeds with few readers are kept as a view and the rest is
// factored.
type Hybrid struct {
	Few     []bool // by reader
	OTF     *OnTheFly
	View    *View // of the other readers' feeds with few readers
	Groups  *Factored
	Cost    Cost
	ordered map[int][]int // by reader: the order of what the view has
}

// Add takes in a reference.
func (h *Hybrid) Add(r Reference) {
	h.OTF.Add(r)
	h.View.Add(r)
	h.Groups.Add(r)
	h.ordered = nil
	h.Cost.Writes = h.OTF.Cost.Writes + h.View.Cost.Writes + h.Groups.Cost.Writes
}

// Top merges the reader's view with the tables of the reader's groups.
func (h *Hybrid) Top(reader, k int) []Entry {
	if h.Few[reader] {
		before := h.OTF.Cost.Reads
		out := h.OTF.Top(reader, k)
		h.Cost.Reads += h.OTF.Cost.Reads - before
		return out
	}
	if h.ordered == nil {
		h.ordered = map[int][]int{}
	}
	own := h.View.r[reader]
	if _, ok := h.ordered[reader]; !ok {
		h.ordered[reader] = descending(own)
	}
	lists := append(h.Groups.lists(reader), List{1, own, h.ordered[reader]})
	out, accesses := Threshold(lists, k)
	h.Cost.Reads += accesses
	return out
}
