package ranking

import (
	"cmp"
	"slices"
	"sort"
)

const (
	defaultRows = 20
	screens     = 5 // built one by one; further down by score
	findingRows = 3 // a row must rise as many for the sign that says why
)

// placed is a candidate with its sort keys.
type placed struct {
	score, raw, chance, bonus float64
	at                        int64
	index                     int32
	place                     int32
	pinned                    bool
}

// Rank orders candidates. Ranked is a permutation: nothing is hidden. Ties go by
// the unclamped logit, then the newer, then the smaller ID.
func (b *Beliefs) Rank(items []Candidate, o RankOptions) []Row {
	switch o.Order {
	case Oldest:
		return byDate(items, 1)
	case Rare:
		return byRate(items)
	case Ranked:
		return b.byInterest(items, o)
	}
	return byDate(items, -1)
}

func byDate(items []Candidate, sign int) []Row {
	rows := make([]Row, len(items))
	for i := range rows {
		rows[i].Index = i
	}
	sort.Slice(rows, func(i, j int) bool {
		x, y := rows[i], rows[j]
		p, q := &items[x.Index], &items[y.Index]
		return cmp.Or(sign*cmp.Compare(p.At, q.At), cmp.Compare(p.ID, q.ID)) < 0
	})
	return rows
}

// byRate puts the items of the quietest feeds first, newest first within a feed's
// rate. Rates that are not given are counted in the list itself.
func byRate(items []Candidate) []Row {
	count := map[int32]float64{}
	for i := range items {
		count[items[i].Item.feed]++
	}
	rate := make([]float64, len(items))
	rows := make([]Row, len(items))
	for i := range items {
		rows[i].Index, rate[i] = i, items[i].Rate
		if items[i].Rate <= 0 {
			rate[i] = count[items[i].Item.feed]
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		x, y := rows[i], rows[j]
		p, q := &items[x.Index], &items[y.Index]
		return cmp.Or(cmp.Compare(rate[x.Index], rate[y.Index]), -cmp.Compare(p.At, q.At), cmp.Compare(p.ID, q.ID)) < 0
	})
	return rows
}

func (b *Beliefs) byInterest(items []Candidate, o RankOptions) []Row {
	rows, built := o.Rows, o.Built
	if rows <= 0 {
		rows = defaultRows
	}
	if built <= 0 {
		built = screens * rows
	}
	w := b.view()
	list := make([]placed, len(items))
	for i := range items {
		v := &items[i].Item
		p := placed{at: items[i].At, index: int32(i), pinned: b.cur.flag(v.feed)&pinned != 0}
		if o.Model == Printed {
			pair := b.cur.at(v.feed, plainTrack)
			p.score = paperScore(1+pair.a, 3+pair.b, o.Lambda)
			p.chance = (1 + pair.a) / (4 + pair.a + pair.b)
			p.raw, p.bonus = p.chance, p.score-p.chance
		} else {
			p.score, p.chance, p.bonus, p.raw = w.score(v)
		}
		list[i] = p
	}
	list = inOrder(list, items)
	out := make([]Row, 0, len(items))
	built = min(built, len(list))
	if o.Model == Printed {
		built = 0
	}
	for i := range list {
		list[i].place = int32(i + 1)
	}
	if built > 0 {
		list = w.build(list, items, rows, built)
	}
	for i := range list {
		p := &list[i]
		r := Row{Index: int(p.index), Score: p.score, Chance: p.chance, Bonus: p.bonus, Pinned: p.pinned}
		if i < built {
			r.Place = int(p.place)
		}
		out = append(out, r)
	}
	plainPlaces(out[:built], list)
	return out
}

// inOrder sorts by before. What is moved about is the score alone: a candidate is
// four times as large, and ties are few.
func inOrder(list []placed, items []Candidate) []placed {
	type key struct {
		score float64
		i     int32
	}
	keys := make([]key, len(list))
	for i := range list {
		keys[i] = key{list[i].score, int32(i)}
	}
	slices.SortFunc(keys, func(x, y key) int {
		p, q := &list[x.i], &list[y.i]
		if x.score == y.score || p.pinned != q.pinned {
			return before(p, q, items)
		}
		if x.score > y.score {
			return -1
		}
		return 1
	})
	out := make([]placed, len(list))
	for i, k := range keys {
		out[i] = list[k.i]
	}
	return out
}

// before is the order of the list: pinned, score, then ties by the unclamped
// logit, the newer, the smaller ID.
func before(x, y *placed, items []Candidate) int {
	if x.pinned != y.pinned {
		if x.pinned {
			return -1
		}
		return 1
	}
	switch {
	case x.score > y.score:
		return -1
	case x.score < y.score:
		return 1
	case x.raw > y.raw:
		return -1
	case x.raw < y.raw:
		return 1
	case x.at > y.at:
		return -1
	case x.at < y.at:
		return 1
	}
	return cmp.Compare(items[x.index].ID, items[y.index].ID)
}

// build places the first n rows one by one. The score of a candidate only falls
// by virtual rejections (its bonus may not lift it), so an old score is an upper
// bound and only the top of the heap has to be scored again. Of one feed no more
// than n candidates can stand in n rows; the rest is not looked at.
func (w *view) build(list []placed, items []Candidate, rows, n int) []placed {
	h := &topHeap{all: list, items: items}
	next, of := 0, make([]int32, len(w.alpha))
	push := func() bool {
		for next < len(list) {
			i := int32(next)
			next++
			if f := items[list[i].index].Item.feed; int(of[f]) < n {
				of[f]++
				h.push(live{list[i].score, list[i].raw, i, 0})
				return true
			}
		}
		return false
	}
	out := make([]placed, 0, len(list))
	taken := make([]bool, len(list))
	for len(out) < n && (len(h.list) > 0 || push()) {
		p := &h.list[0]
		if next < len(list) && h.before(&live{list[next].score, list[next].raw, int32(next), 0}, p) {
			if push() {
				continue
			}
		}
		if int(p.version) < len(out) {
			s, _, _, raw := w.score(&items[list[p.i].index].Item)
			p.score, p.raw, p.version = min(p.score, s), min(p.raw, raw), int32(len(out))
			h.down()
			continue
		}
		i := h.pop()
		w.reject(&items[list[i].index].Item, w.b.cur.g[min(len(out)%rows, readingRows-1)])
		taken[i] = true
		out = append(out, list[i]) // the score before virtual rejections is what is shown
	}
	for i := range list {
		if !taken[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// plainPlaces counts for each built row how many candidates have a larger chance.
func plainPlaces(built []Row, list []placed) {
	chances := make([]float64, len(built))
	for i := range built {
		chances[i] = built[i].Chance
	}
	sort.Float64s(chances)
	above := make([]int, len(chances)+1)
	for i := range list {
		// Everything below index at is smaller than this chance.
		at, _ := slices.BinarySearch(chances, list[i].chance)
		above[at]++
	}
	for i := len(above) - 2; i >= 0; i-- {
		above[i] += above[i+1]
	}
	for i := range built {
		at, _ := slices.BinarySearch(chances, built[i].Chance)
		for at < len(chances) && chances[at] == built[i].Chance {
			at++
		}
		built[i].Plain = above[at] + 1
		built[i].Finding = !built[i].Pinned && built[i].Plain-built[i].Place >= findingRows
	}
}

// live is a candidate of the page that is being built: its score as of version
// rows, and where it stands in the list by score.
type live struct {
	score, raw float64
	i, version int32
}

// topHeap keeps the best candidate on top.
type topHeap struct {
	list  []live
	all   []placed
	items []Candidate
}

// before is the order of the list, with the scores as they are by now.
func (h *topHeap) before(x, y *live) bool {
	p, q := &h.all[x.i], &h.all[y.i]
	switch {
	case p.pinned != q.pinned:
		return p.pinned
	case x.score != y.score:
		return x.score > y.score
	case x.raw != y.raw:
		return x.raw > y.raw
	case p.at != q.at:
		return p.at > q.at
	}
	return h.items[p.index].ID < h.items[q.index].ID
}

func (h *topHeap) push(x live) {
	h.list = append(h.list, x)
	i := len(h.list) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !h.before(&h.list[i], &h.list[up]) {
			return
		}
		h.list[i], h.list[up] = h.list[up], h.list[i]
		i = up
	}
}

// down brings the top to its place after its score fell.
func (h *topHeap) down() {
	for i := 0; ; {
		best := 2*i + 1
		if best >= len(h.list) {
			return
		}
		if r := best + 1; r < len(h.list) && h.before(&h.list[r], &h.list[best]) {
			best = r
		}
		if !h.before(&h.list[best], &h.list[i]) {
			return
		}
		h.list[i], h.list[best] = h.list[best], h.list[i]
		i = best
	}
}

func (h *topHeap) pop() int32 {
	i, last := h.list[0].i, len(h.list)-1
	h.list[0] = h.list[last]
	h.list = h.list[:last]
	h.down()
	return i
}
