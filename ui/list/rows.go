package list

import (
	"diurna/reader"
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

	perm    []int32      // rows of all in an order of their own; nil: newest first
	order   reader.Order // which one that is
	past    []int32      // the order that was turned from, for turning back
	pastBy  reader.Order
	finding map[reader.ItemID]bool // placed where they are to find out

	folding folding
	leads   leads // of its source
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
	s.fold()
}

// by is the order that the rows stand in.
func (s *rows) by() reader.Order {
	if !s.ordered() {
		return reader.Newest
	}
	return s.order
}

// turn puts the rows in the order they lie in, or in the one that was turned from;
// false where another one has to be made.
func (s *rows) turn(o reader.Order) bool {
	was, by := s.perm, s.order
	switch {
	case o == reader.Newest:
		s.perm = nil
	case o == s.pastBy && len(s.past) > 0:
		s.perm, s.order = s.past, s.pastBy
	default:
		return false
	}
	s.past, s.pastBy = was, by
	return true
}

// set replaces the rows; those that were in order stay so, the others follow at the
// end until the order is made again. Both are gone through side by side, which a
// key may wait for.
func (s *rows) set(rows []reader.Row) {
	s.past = nil
	if s.perm == nil {
		s.all = rows
		return
	}
	now := make([]int32, len(s.all)) // where each row is, counted from 1; 0: nowhere
	had := make([]bool, len(rows))
	i := 0
	for j := range rows {
		for i < len(s.all) && newer(&s.all[i], &rows[j]) {
			i++
		}
		if i < len(s.all) && s.all[i].ID == rows[j].ID {
			now[i], had[j] = int32(j+1), true
		}
	}
	perm := make([]int32, 0, len(rows))
	for _, i := range s.perm {
		if now[i] > 0 {
			perm = append(perm, now[i]-1)
		}
	}
	for j := range rows {
		if !had[j] {
			perm = append(perm, int32(j))
		}
	}
	s.all, s.perm = rows, perm
}

// drop takes rows away for good, also from those that wait.
func (s *rows) drop(gone func(*reader.Row) bool) {
	without := func(rows []reader.Row) []reader.Row {
		left := rows[:0:0]
		for i := range rows {
			if !gone(&rows[i]) {
				left = append(left, rows[i])
			}
		}
		return left
	}
	s.set(without(s.all))
	s.fresh = without(s.fresh)
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

// arrange puts the rows in an order that came; one that came too early is newest
// first.
func (s *rows) arrange(a *reader.Arrangement) {
	if s.perm != nil && s.order != a.Order {
		s.past, s.pastBy = s.perm, s.order
	}
	s.perm, s.order, s.finding = a.Index, a.Order, nil
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
//
//go:noinline // 5 places
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
	*s = rows{all: kept, leads: s.leads, folding: folding{groups: s.folding.groups}}
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
