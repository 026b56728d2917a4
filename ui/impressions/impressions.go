// Package impressions follows which rows stand on the screen while keys come, and for
// how long: what was seen and not opened teaches the ranking.
package impressions

import (
	"time"

	"diurna/reader"
)

// Seen follows which rows stand on the screen while keys come. A row that stood
// there for a second teaches; what is on a screen that nobody touches does not.
type Seen struct {
	now   []reader.Impression // unread rows on the screen since then
	since time.Time
	seen  map[reader.ItemID]*row
	due   int  // of seen, to be noted
	Armed bool // a command is on its way that will look again
}

// row is one row in this session.
type row struct {
	dwell time.Duration
	best  int // its best row so far, 1 the top
	noted int // the row that was noted; 0: none yet
}

const (
	impressionAfter = time.Second     // on the screen, to have been seen
	impressionUntil = 2 * time.Minute // after the last key
	impressionBatch = 64              // rows are noted at once, also while keys come
)

// Count counts the time that the rows stood there until now.
func (s *Seen) Count(now, lastKey time.Time) {
	until := now
	if last := lastKey.Add(impressionUntil); until.After(last) {
		until = last
	}
	for _, r := range s.now {
		x := s.seen[r.ID]
		if x == nil {
			x = &row{best: r.Row}
			s.seen[r.ID] = x
		}
		was := x.due()
		if d := until.Sub(s.since); d > 0 {
			x.dwell += d
			x.best = min(x.best, r.Row)
		}
		if !was && x.due() {
			s.due++
		}
	}
	s.since = now
}

// due reports whether the row is worth a fact: seen, and not yet noted or since
// then higher up.
func (x *row) due() bool { return x.dwell >= impressionAfter && (x.noted == 0 || x.best < x.noted) }

// Follow notes which rows stand on the screen from now on.
func (s *Seen) Follow(now time.Time, rows []*reader.Row) {
	s.now, s.since = s.now[:0], now
	if s.seen == nil {
		s.seen = make(map[reader.ItemID]*row)
	}
	for i := range rows {
		if rows[i].Flags&reader.FlagRead == 0 {
			s.now = append(s.now, reader.Impression{ID: rows[i].ID, Row: i + 1})
		}
	}
}

// Next is after how long they are to be counted; 0: not at all, or a command that
// will do so is on its way.
func (s *Seen) Next() time.Duration {
	if s.Armed || len(s.now) == 0 && s.due == 0 {
		return 0
	}
	s.Armed = true
	return impressionAfter
}

// collect counts, a second after Next was asked. A second after the last key it gives
// what was seen, and then nothing wakes up until the next key; again is not 0 when
// it is too early for that.
func (s *Seen) collect(now, lastKey time.Time) (again time.Duration, seen []reader.Impression) {
	s.Armed = false
	s.Count(now, lastKey)
	if quiet := now.Sub(lastKey); quiet < impressionAfter {
		s.Armed = true
		again = impressionAfter - quiet
		if s.due < impressionBatch {
			return again, nil
		}
	}
	return again, s.Take()
}

// Take gives what is to be noted, as if it were.
func (s *Seen) Take() []reader.Impression {
	var out []reader.Impression
	for id, x := range s.seen {
		if x.due() {
			out = append(out, reader.Impression{ID: id, Row: x.best})
			x.noted = x.best
		}
	}
	s.due = 0
	return out
}

// Renew begins a new session.
func (s *Seen) Renew() { *s = Seen{Armed: s.Armed} }
