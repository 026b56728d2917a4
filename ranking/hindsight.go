package ranking

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// hindsightMost bounds the list ordered for one session: what is older stands on
// neither first screen.
const hindsightMost = 5000

// Replay asks what Ranked would have done in the past: it folds the log up to each
// session, orders what was unread then, and counts which of the items opened in
// that session would have stood in the first rows. The latest sessions are looked
// at, until about opens items are counted; no more than the newest 5,000 unread
// items of each. Vectors must be b's; b does not change.
func (b *Beliefs) Replay(events []Event, stays []Stay, rows, opens int) Hindsight {
	if rows <= 0 {
		rows = defaultRows
	}
	stays = slices.Clone(stays)
	sort.Slice(stays, func(i, j int) bool {
		x, y := stays[i], stays[j]
		return cmp.Or(-cmp.Compare(x.At, y.At), cmp.Compare(x.ID, y.ID)) < 0
	})
	void := map[uint64]bool{}
	for i := range events {
		if e := &events[i]; e.Kind == Undone || e.Kind == Redone {
			void[e.Ref] = e.Kind == Undone
		}
	}
	ok := counts(events, void)
	var out Hindsight
	var gains []float64
	var week weekAhead
	from := firstSession(events, ok, opens)
	shown := map[uint64]bool{}
	past := Beliefs{names: b.names.clone(), cur: newState()}
	for i := 0; i < len(events); {
		end := i + 1
		for end < len(events) && events[end].Kind != Looked {
			end++
		}
		if i >= from {
			week.note(&past, events[i:end], ok[i:end])
			past.judge(events[i:end], ok[i:end], stays, shown, rows, &out, &gains)
		}
		for ; i < end; i++ {
			if ok[i] && events[i].Kind != Undone && events[i].Kind != Redone {
				past.cur.foldOne(&events[i], &past.names)
			}
			if events[i].Kind == Shown {
				shown[events[i].ID] = true
			}
		}
	}
	out.Rows, out.Error = week.error()
	if n := float64(len(gains)); n > 0 {
		out.Looks = len(gains)
		out.NDCG /= n
		out.NDCGNewest /= n
		out.Gain, out.Low, out.High = interval(gains)
	}
	return out
}

// interval is the mean, and where it lies with 95 % confidence by the normal
// distribution; of one value anywhere.
func interval(x []float64) (mean, low, high float64) {
	n, squares := float64(len(x)), 0.
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	if n < 2 {
		return mean, -1, 1
	}
	half := 1.96 * math.Sqrt(squares/(n-1)/n)
	return mean, mean - half, mean + half
}

// weekAhead compares chances with what came of them: those said at the beginning of a week
// for the rows that were shown in it, each times the chance that its place is read.
type weekAhead struct {
	began        int64
	view         *view
	read         [readingRows]float64 // the chance that a row is read, as known then
	rows         int
	said, opened [10]float64 // by tenths of the chance
}

const weekSeconds = 7 * 24 * 3600

// note takes in a session; b knows what was before it.
func (w *weekAhead) note(b *Beliefs, session []Event, ok []bool) {
	if b.Opens() < OpensNeeded {
		return // nothing is said yet
	}
	if at := session[0].At; w.view == nil || at >= w.began+weekSeconds {
		w.began, w.view = at, b.view()
		w.read, _ = b.cur.read.learned(OpensNeeded)
	}
	opened, seen := map[uint64]bool{}, map[uint64]bool{}
	for i := range session {
		if e := &session[i]; ok[i] && (e.Kind == Opened || e.Kind == Saved) {
			opened[e.ID] = true
		}
	}
	for i := range session {
		e := &session[i]
		if !ok[i] || e.Kind != Shown || seen[e.ID] || !e.Item.made || b.cur.flag(e.Item.feed)&(excluded|byTitle) != 0 {
			continue
		}
		seen[e.ID] = true
		_, p, _, _ := w.view.score(&e.Item)
		q := float64(w.read[min(max(e.Row, 1), readingRows)-1] * p)
		part := min(int(10*q), 9)
		w.rows++
		w.said[part] += q
		if opened[e.ID] {
			w.opened[part]++
		}
	}
}

// error is the expected calibration error: how far the chances of each part were from how
// often its rows were opened, on average over all rows.
func (w *weekAhead) error() (rows int, off float64) {
	for i := range w.said {
		off += math.Abs(w.said[i] - w.opened[i])
	}
	return w.rows, off / float64(max(w.rows, 1))
}

// firstSession is where the sessions begin that hold the last opens.
func firstSession(events []Event, ok []bool, opens int) int {
	for i := len(events) - 1; i >= 0; i-- {
		if ok[i] && events[i].Kind == Opened {
			opens--
		}
		if opens <= 0 && events[i].Kind == Looked {
			return i
		}
	}
	return 0
}

// judge orders what was unread when a session began and looks where the items
// opened in it stand. Items that came while it lasted are left out.
func (b *Beliefs) judge(session []Event, ok []bool, stays []Stay, shown map[uint64]bool, rows int, out *Hindsight, gains *[]float64) {
	opened := map[uint64]bool{}
	for i := range session {
		if ok[i] && session[i].Kind == Opened {
			opened[session[i].ID] = true
		}
	}
	if len(opened) == 0 {
		return
	}
	at := session[0].At
	var there []Candidate
	known := map[uint64]bool{}
	for i := range stays {
		s := &stays[i]
		if s.At <= at && (s.Until == 0 || s.Until >= at) && !known[s.ID] && len(there) < hindsightMost {
			c := s.Candidate
			c.Item = c.Item.Again(shown[c.ID])
			there = append(there, c)
			known[s.ID] = true
		}
	}
	count := func(n *int, list []Row) {
		for _, r := range list[:min(rows, len(list))] {
			if opened[there[r.Index].ID] {
				*n++
			}
		}
	}
	for id := range opened {
		if known[id] {
			out.Opens++
		}
	}
	ndcg := func(list []Row) (sum float64) {
		best := 0.
		for i := range min(10, len(list)) {
			x := 1 / math.Log2(float64(i+2))
			if opened[there[list[i].Index].ID] {
				sum += x
			}
			if i < len(opened) {
				best += x
			}
		}
		return sum / best
	}
	newest, ranked := b.Rank(there, RankOptions{Order: Newest}), b.Rank(there, RankOptions{Order: Ranked, Rows: rows, Built: rows})
	count(&out.Newest, newest)
	count(&out.Ranked, ranked)
	for id := range opened {
		if !known[id] {
			delete(opened, id) // it came while the session lasted
		}
	}
	if len(opened) > 0 {
		x, y := ndcg(ranked), ndcg(newest)
		out.NDCG += x
		out.NDCGNewest += y
		*gains = append(*gains, x-y)
	}
}
