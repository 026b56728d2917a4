package scheduler

import "math"

// prices are what a fetch costs: in expected misses, before the budget's day
// ends (slots below split) and after it.
type prices struct {
	split        int
	today, later float64
}

func (p *prices) at(k int) float64 {
	if k < p.split {
		return p.today
	}
	return p.later
}

// router finds the best fetches of one source over a horizon of slots, when
// every fetch has a price. Its buffers serve one source after the other.
//
// Between fetches a < b the cost is x[b] − x[a] − Λ[a]·(U[b] − U[a]), which is
// Monge, so the best next fetch comes earlier as a does. Seen from behind, each
// candidate is a line in Λ[a], and the lower envelope of those still in reach is
// a queue: one pass over the horizon solves it (the path counterpart of Sia
// 2009, Theorem 4).
type router struct {
	n     int
	looks []float64 // expected looks by slot; shared by all sources
	cum   []float64 // U, before each slot
	lam   []float64 // Λ, weighted posts before each slot
	x     []float64 // weighted misses before each slot, had nothing been fetched
	worth []float64 // cost to go after a fetch in each slot
	next  []int32   // the fetch after it; n: none
	queue []candidate

	minGap, maxGap int
	maxItems       float64
	forbidden      []bool // by slot of the day; nil: none
}

// candidate is a next fetch b; it is better than the one queued before it for
// all a with Λ[a] at or below from.
type candidate struct {
	b    int32
	k    float64 // cost that does not hang on a
	cum  float64
	dies float64 // out of reach for Λ[a] below this
	from float64
}

func newRouter(looks []float64) *router {
	n := len(looks)
	r := &router{n: n, looks: looks, cum: make([]float64, n+1), lam: make([]float64, n+1), x: make([]float64, n+1),
		worth: make([]float64, n+1), next: make([]int32, n+1), queue: make([]candidate, 0, n+1)}
	for k, u := range looks {
		r.cum[k+1] = r.cum[k] + u
	}
	return r
}

// loadTo takes in a source, up to the slot end: weighted posts by slot of a day
// that repeats, the horizon beginning with its slot turn.
func (r *router) loadTo(end int, lambda []float64, turn int, weight float64) {
	sum, area := 0.0, 0.0
	k := 0
	for from := turn; k < end; from = 0 {
		for _, l := range lambda[from:] {
			if k == end {
				break
			}
			l *= weight
			area += r.looks[k] * (sum + l/2)
			sum += l
			k++
			r.lam[k], r.x[k] = sum, area
		}
	}
}

func (r *router) free(k int) bool { return r.forbidden == nil || !r.forbidden[k%len(r.forbidden)] }

// reach is the least Λ[a] from which a fetch at b still keeps the limits.
func (r *router) reach(b int) float64 {
	out := math.Inf(-1)
	if b > r.maxGap {
		out = r.lam[b-r.maxGap]
	}
	if r.maxItems > 0 && r.lam[b]-r.maxItems > out {
		out = r.lam[b] - r.maxItems
	}
	return out - 1e-12*math.Abs(out)
}

// solve fills worth and next. Where nothing is in reach the nearest is taken:
// the limit is then kept as well as it can be.
func (r *router) solve(p prices) {
	r.down(r.end(), r.n, 0, p)
}

// end is the queue that a horizon's end begins with: no fetch any more.
func (r *router) end() []candidate {
	return append(r.queue[:0], candidate{b: int32(r.n), k: r.x[r.n], cum: r.cum[r.n], dies: r.reach(r.n), from: math.Inf(1)})
}

// down solves the slots from end (not included) down to the slot to. q holds the
// candidates for what lies before end, the best for a fetch right before it
// first; what is returned holds those for what lies before to.
func (r *router) down(q []candidate, end, to int, p prices) []candidate {
	head := 0
	for a := end - 1; a >= to; a-- {
		if b := a + r.minGap; b < r.n && r.free(b) {
			c := candidate{b: int32(b), k: r.x[b] + r.worth[b] + p.at(b), cum: r.cum[b], dies: r.reach(b)}
			for {
				last := &q[len(q)-1]
				c.from = last.dies
				if d := last.cum - c.cum; d > 0 {
					if x := (last.k - c.k) / d; x > c.from {
						c.from = x
					}
				} else if c.k <= last.k {
					c.from = math.Inf(1)
				}
				if len(q)-1 <= head || c.from < last.from {
					break
				}
				q = q[:len(q)-1]
			}
			q = append(q, c)
		}
		l := r.lam[a]
		for head+1 < len(q) && l <= q[head+1].from {
			head++
		}
		c := &q[head]
		r.worth[a] = c.k - r.x[a] - l*(c.cum-r.cum[a])
		r.next[a] = c.b
	}
	return q[head:]
}

// start is where a source stands: pending weighted posts since its last fetch,
// the first slot that is permitted, and the last one that its limits allow.
type start struct {
	pending     float64
	first, last int
	only        bool // first is where the next fetch stands, whatever it costs
}

// enter returns the best first fetch, n for none, and the cost from slot 0 on.
func (r *router) enter(s start, p prices) (int, float64) {
	if s.only {
		return s.first, r.worth[s.first]
	}
	at, top := r.enterFrom(s.first, r.n, false, s, p)
	if at < 0 {
		return r.n, r.x[r.n] + s.pending*r.cum[r.n]
	}
	return at, top
}

// enterFrom is the best first fetch in the slots from first to last; -1: none.
// late says that one was possible before them.
func (r *router) enterFrom(first, last int, late bool, s start, p prices) (int, float64) {
	at, top := -1, math.Inf(1)
	for b := first; b <= last; b++ {
		if b < r.n && !r.free(b) {
			continue
		}
		if (at >= 0 || late) && (b > s.last || r.maxItems > 0 && s.pending+r.lam[b] > r.maxItems) {
			break
		}
		v := r.x[b] + s.pending*r.cum[b]
		if b < r.n {
			v += r.worth[b] + p.at(b)
		}
		if v < top {
			at, top = b, v
		}
	}
	return at, top
}

// count is the number of fetches before slot end on the path that begins at b.
func (r *router) count(b, end int) int {
	n := 0
	for ; b < end; b = int(r.next[b]) {
		n++
	}
	return n
}

// path appends the fetches before slot end on the path that begins at b.
func (r *router) path(out []int, b, end int) []int {
	for ; b < end; b = int(r.next[b]) {
		out = append(out, b)
	}
	return out
}

// exactly is the best path of k fetches before the split, those after it priced.
// solve must have run with the same prices. Two prices a hair apart that differ
// by several fetches of one source need it, and nothing else does.
func (r *router) exactly(s start, k int, p prices) []int {
	split := min(p.split, r.n)
	// rest[a] is the best after a fetch at a with j fetches still to come today.
	rest, from := make([]float64, split), make([][]int32, k)
	for a := range rest {
		rest[a] = math.Inf(1)
		for b := max(a+r.minGap, split); b <= r.n; b++ {
			if b < r.n && !r.free(b) {
				continue
			}
			if v := r.arc(a, b) + r.tail(b, p); r.lam[a] >= r.reach(b) && v < rest[a] {
				rest[a] = v
			}
		}
	}
	for j := range k - 1 {
		more := make([]float64, split)
		from[j] = make([]int32, split)
		for a := range more {
			more[a] = math.Inf(1)
			for b := a + r.minGap; b < split && r.lam[a] >= r.reach(b); b++ {
				if v := r.arc(a, b) + rest[b]; r.free(b) && v < more[a] {
					more[a], from[j][a] = v, int32(b)
				}
			}
		}
		rest = more
	}
	at, top, end := -1, math.Inf(1), split
	if s.only {
		end = min(s.first+1, split)
	}
	for b := s.first; b < end; b++ {
		if v := r.x[b] + s.pending*r.cum[b] + rest[b]; r.free(b) && v < top {
			at, top = b, v
		}
	}
	if at < 0 {
		return nil
	}
	out := []int{at}
	for j := k - 2; j >= 0; j-- {
		at = int(from[j][at])
		out = append(out, at)
	}
	return out
}

// arc is the cost between fetches a < b.
func (r *router) arc(a, b int) float64 {
	return r.x[b] - r.x[a] - r.lam[a]*(r.cum[b]-r.cum[a])
}

func (r *router) tail(b int, p prices) float64 {
	if b >= r.n {
		return 0
	}
	return r.worth[b] + p.at(b)
}
