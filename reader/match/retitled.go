package match

import "diurna/store"

// retitled matches unmatched entries whose titles changed: with the one stored item that
// has their text and their date. A stranger with a name, or with a text too short
// to be known by, is matched only where so many are found, here or by what they
// say, that the publisher must have changed them all; a short text must then be
// nobody else's.
func (s *matching) retitled(unmatched []int, stored []candidate) {
	type text struct {
		body uint64
		at   int64
	}
	by, came := map[text][]store.Match{}, map[text]int{}
	type count struct{ stored, came int }
	says := map[uint64]count{} // how many stored items have a text, and how many that came have it
	for _, c := range stored {
		if !s.taken[c.N] {
			by[text{c.Hash, c.Published.Unix()}] = append(by[text{c.Hash, c.Published.Unix()}], c.Match)
			n := says[c.Hash]
			n.stored++
			says[c.Hash] = n
		}
	}
	of := func(i int) text {
		return text{s.entries[i].keys.body, dateOf(s.entries[i].item).Unix()}
	}
	for _, i := range unmatched {
		came[of(i)]++
		n := says[of(i).body]
		n.came++
		says[of(i).body] = n
	}
	found, short := map[int]store.Match{}, map[int]bool{}
	sum := 0
	for _, i := range unmatched {
		t, it := of(i), s.entries[i].item
		if s.match[i].N != 0 {
			sum++
			continue
		}
		if came[t] != 1 || len(by[t]) != 1 {
			continue
		}
		short[i] = textKey("", it.ContentHTML) == 0
		if !short[i] || it.ContentHTML != "" && !dateOf(it).IsZero() && says[t.body] == (count{1, 1}) {
			found[i] = by[t][0]
		}
	}
	sum += len(found)
	bulkRename := sum >= 3 && s.bulkRename(sum)
	for i, m := range found {
		if bulkRename || s.nameless(i) && !short[i] {
			s.match[i], s.taken[m.N] = m, true
		}
	}
}
