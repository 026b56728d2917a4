package list

import (
	"strings"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/view"
)

// rows are the items of a list: which there are, which of them are shown, and in
// which order. They lie newest first; another order is a permutation of them, made
// once and kept until the list is left or g takes in what waits, so that nothing
// moves under the reader's eyes.
type rows struct {
	all   []reader.Row // every row, newest first
	fits  []int32      // the rows that are shown, in their order; nil: all as they are
	fresh []reader.Row // what came and waits for g, newest first
	base  []reader.Row // the list itself, while all holds the answer to a narrowing that asked the library

	perm    []int32                // rows of all in an order of their own; nil: newest first
	finding map[reader.ItemID]bool // placed where they are to find out
}

// len counts the rows that are shown.
func (s *rows) len() int {
	if s.fits != nil {
		return len(s.fits)
	}
	return len(s.all)
}

// at gives the i-th shown row.
func (s *rows) at(i int) *reader.Row {
	if s.fits != nil {
		return &s.all[s.fits[i]]
	}
	return &s.all[i]
}

// each calls do with every row there is, shown or not.
func (s *rows) each(do func(*reader.Row)) {
	for _, rows := range [][]reader.Row{s.all, s.base, s.fresh} {
		for i := range rows {
			do(&rows[i])
		}
	}
}

// touch calls do with the row of one item in every part of the list, without a
// walk through the list where it is the chosen one (nil: none is): keys must cost
// the same in a list of any length.
func (s *rows) touch(chosen *reader.Row, id reader.ItemID, do func(*reader.Row)) {
	if chosen != nil && chosen.ID == id {
		do(chosen)
	}
	for k, rows := range [][]reader.Row{s.all, s.base, s.fresh} {
		if k == 0 && chosen != nil && chosen.ID == id {
			continue
		}
		for i := range rows {
			if rows[i].ID == id {
				do(&rows[i])
				break
			}
		}
	}
}

// index finds a shown row by its item, -1 if it is not there; cur is where it
// probably is.
func (s *rows) index(cur int, id reader.ItemID) int {
	n := s.len()
	if cur < n && s.at(cur).ID == id {
		return cur
	}
	for i := range n {
		if s.at(i).ID == id {
			return i
		}
	}
	return -1
}

// seek gives the next shown row after from (d > 0) or before it for which is holds,
// -1 if there is none.
func (s *rows) seek(from, d int, is func(*reader.Row) bool) int {
	for i := from + d; i >= 0 && i < s.len(); i += d {
		if is(s.at(i)) {
			return i
		}
	}
	return -1
}

// unreadFrom gives the row of the next unread item after one, or before it; cur
// stands for one that is not there.
func (s *rows) unreadFrom(cur int, id reader.ItemID, d int) int {
	at := s.index(cur, id)
	if at < 0 {
		at = cur
	}
	return s.seek(at, d, unread)
}

// fit gives the rows of the whole list that a query fits, newest first, never nil.
func (s *rows) fit(scene *view.Scene, q reader.Query) []int32 {
	fits := []int32{}
	match := matcher(scene, q)
	for i := range s.all {
		if match(&s.all[i]) {
			fits = append(fits, int32(i))
		}
	}
	return fits
}

// search gives the shown rows that a query fits: a find over 100,000 rows runs
// between two keys.
func (s *rows) search(scene *view.Scene, q reader.Query) []int32 {
	var hits []int32
	fits := matcher(scene, q)
	for i := range s.len() {
		if fits(s.at(i)) {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// matcher gives what says whether a row fits: what stands in a list may stay, also
// of a hidden feed.
func matcher(scene *view.Scene, q reader.Query) func(*reader.Row) bool {
	m := q.WithHidden().Matcher()
	return func(r *reader.Row) bool {
		return m.Answer(query.Item{Row: r, Feed: scene.Feeds[r.ID.Feed()]}) == query.Yes
	}
}

// ordered reports whether the rows stand in an order of their own.
func (s *rows) ordered() bool { return s.perm != nil && s.base == nil }

// show shows the rows that fit (nil: all) in the order of the list.
func (s *rows) show(fits []int32) {
	switch {
	case !s.ordered():
		s.fits = fits
	case fits == nil:
		s.fits = s.perm
	default:
		is := make([]bool, len(s.all))
		for _, i := range fits {
			is[i] = true
		}
		s.fits = fits[:0]
		for _, i := range s.perm {
			if is[i] {
				s.fits = append(s.fits, i)
			}
		}
	}
}

// set replaces the rows; those that were in order stay so, the others follow
// at the end until the order is made again.
func (s *rows) set(rows []reader.Row) {
	if s.perm == nil {
		s.all = rows
		return
	}
	at := make(map[reader.ItemID]int32, len(rows))
	for i := range rows {
		at[rows[i].ID] = int32(i)
	}
	perm := make([]int32, 0, len(rows))
	for _, i := range s.perm {
		if j, ok := at[s.all[i].ID]; ok {
			perm = append(perm, j)
			delete(at, s.all[i].ID)
		}
	}
	for i := range rows {
		if _, left := at[rows[i].ID]; left {
			perm = append(perm, int32(i))
		}
	}
	s.all, s.perm = rows, perm
}

// same reports whether spots are those of the rows.
func (s *rows) same(spots []reader.Spot) bool {
	if len(spots) != len(s.all) {
		return false
	}
	for i := range spots {
		if spots[i].ID != s.all[i].ID {
			return false
		}
	}
	return true
}

// order puts the rows in an order that came; one that came too early is newest
// first.
func (s *rows) order(a *reader.Arrangement) {
	s.perm, s.finding = a.Index, nil
	if a.Early() {
		s.perm = nil
		return
	}
	for i, finding := range a.Finding {
		if !finding {
			continue
		}
		if s.finding == nil {
			s.finding = make(map[reader.ItemID]bool)
		}
		s.finding[s.all[a.Index[i]].ID] = true
	}
}

// answer shows what the library answered to a narrowing.
func (s *rows) answer(rows []reader.Row) {
	if s.base == nil {
		s.base = s.all
	}
	if s.base == nil {
		s.base = []reader.Row{}
	}
	s.all, s.fits = rows, nil
}

// widen ends a narrowing that asked the library.
func (s *rows) widen() {
	if s.base != nil {
		s.all, s.base = s.base, nil
	}
}

// renew keeps the rows for which stays holds, newest first: each stay in a list
// gets an order of its own.
func (s *rows) renew(stays func(*reader.Row) bool) {
	s.widen()
	kept := s.all[:0:0]
	for i := range s.all {
		if stays(&s.all[i]) {
			kept = append(kept, s.all[i])
		}
	}
	*s = rows{all: kept}
}

// newer reports whether a stands above b in a list: by time, then by id.
func newer(a, b *reader.Row) bool {
	return a.At > b.At || a.At == b.At && a.ID > b.ID
}

// own copies the texts of a row, which a load cuts from one piece of memory.
func own(r *reader.Row) {
	r.Title, r.Author, r.Was = strings.Clone(r.Title), strings.Clone(r.Author), strings.Clone(r.Was)
}

// missing gives the rows of fresh that have lacks, nil for none. Both are in
// order. The rows are copied with their texts: a load cuts them from one piece
// of memory, which a few rows that wait must not keep alive.
func missing(have, fresh []reader.Row) []reader.Row {
	var lacks []reader.Row
	i := 0
	for j := range fresh {
		for i < len(have) && newer(&have[i], &fresh[j]) {
			i++
		}
		if i == len(have) || have[i].ID != fresh[j].ID {
			r := fresh[j]
			own(&r)
			lacks = append(lacks, r)
		}
	}
	return lacks
}

// merge joins two lists in order: what was read in this sitting stays, what
// came is added. Rows of both keep the flags that were seen.
func merge(have, fresh []reader.Row) []reader.Row {
	out := make([]reader.Row, 0, len(fresh)+64)
	i := 0
	for j := range fresh {
		for i < len(have) && newer(&have[i], &fresh[j]) {
			out = append(out, have[i])
			i++
		}
		if i < len(have) && have[i].ID == fresh[j].ID {
			out = append(out, have[i])
			i++
			continue
		}
		out = append(out, fresh[j])
	}
	return append(out, have[i:]...)
}

func unread(r *reader.Row) bool { return r.Flags&reader.FlagRead == 0 }

// stateWords says in words what the signs of a row say.
func (s *rows) stateWords(r *reader.Row) string {
	say := stateWords(r)
	if s.ordered() && s.finding[r.ID] {
		say += ", placed here to find out"
	}
	return say
}
