package ranking

import (
	"cmp"
	"slices"
	"sort"
)

// hindsightMost bounds the list ordered for one sitting: what is older stands on
// neither first screen.
const hindsightMost = 5000

// Replay asks what Ranked would have done in the past: it folds the log up to each
// sitting, orders what was unread then, and counts which of the items opened in
// that sitting would have stood in the first rows. The latest sittings are looked
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
	from := firstSitting(events, ok, opens)
	past := Beliefs{names: b.names.clone(), cur: newState()}
	for i := 0; i < len(events); {
		end := i + 1
		for end < len(events) && events[end].Kind != Looked {
			end++
		}
		if i >= from {
			past.judge(events[i:end], ok[i:end], stays, rows, &out)
		}
		for ; i < end; i++ {
			if ok[i] && events[i].Kind != Undone && events[i].Kind != Redone {
				past.cur.foldOne(&events[i], &past.names)
			}
		}
	}
	return out
}

// firstSitting is where the sittings begin that hold the last opens.
func firstSitting(events []Event, ok []bool, opens int) int {
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

// judge orders what was unread when a sitting began and looks where the items
// opened in it stand. Items that came while it lasted are left out.
func (b *Beliefs) judge(sitting []Event, ok []bool, stays []Stay, rows int, out *Hindsight) {
	opened := map[uint64]bool{}
	for i := range sitting {
		if ok[i] && sitting[i].Kind == Opened {
			opened[sitting[i].ID] = true
		}
	}
	if len(opened) == 0 {
		return
	}
	at := sitting[0].At
	var there []Candidate
	known := map[uint64]bool{}
	for i := range stays {
		s := &stays[i]
		if s.At <= at && (s.Until == 0 || s.Until >= at) && !known[s.ID] && len(there) < hindsightMost {
			there = append(there, s.Candidate)
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
	count(&out.Newest, b.Rank(there, RankOptions{Order: Newest}))
	count(&out.Ranked, b.Rank(there, RankOptions{Order: Ranked, Rows: rows, Built: rows}))
}
