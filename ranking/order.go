package ranking

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
)

const (
	defaultRows = 20
	screens     = 5 // built one by one; further down by score
	findingRows = 3 // a row must rise as many for the sign that says why
)

// placed is a candidate with its sort keys. version counts the rows that stood
// when it was scored.
type placed struct {
	score, raw, chance, bonus float64
	at                        int64
	index, version            int32
	place                     int32
	pinned                    bool
}

func (b *Beliefs) rank(items []Candidate, o RankOptions) []Row {
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
	slices.SortFunc(list, func(x, y placed) int { return before(&x, &y, items) })
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
	h := &topHeap{items: items}
	next, of := 0, map[int32]int{}
	push := func() bool {
		for next < len(list) {
			p := list[next]
			next++
			if f := items[p.index].Item.feed; of[f] < n {
				of[f]++
				heap.Push(h, p)
				return true
			}
		}
		return false
	}
	out := make([]placed, 0, len(list))
	taken := make([]bool, len(items))
	for len(out) < n && (len(h.list) > 0 || push()) {
		p := &h.list[0]
		if next < len(list) && before(&list[next], p, items) < 0 {
			if push() {
				continue
			}
		}
		if int(p.version) < len(out) {
			s, _, _, raw := w.score(&items[p.index].Item)
			p.score, p.raw, p.version = min(p.score, s), min(p.raw, raw), int32(len(out))
			heap.Fix(h, 0)
			continue
		}
		q := heap.Pop(h).(placed)
		w.reject(&items[q.index].Item, w.b.cur.g[min(len(out)%rows, readingRows-1)])
		taken[q.index] = true
		out = append(out, q)
	}
	byIndex := map[int32]int{}
	for i := range out {
		byIndex[out[i].index] = i
	}
	for i := range list {
		if j, ok := byIndex[list[i].index]; ok {
			out[j] = list[i] // the score before virtual rejections is what is shown
		}
	}
	for i := range list {
		if !taken[list[i].index] {
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

// topHeap keeps the best candidate on top.
type topHeap struct {
	list  []placed
	items []Candidate
}

func (h *topHeap) Len() int           { return len(h.list) }
func (h *topHeap) Less(i, j int) bool { return before(&h.list[i], &h.list[j], h.items) < 0 }
func (h *topHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *topHeap) Push(x any)         { h.list = append(h.list, x.(placed)) }
func (h *topHeap) Pop() any {
	p := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return p
}
