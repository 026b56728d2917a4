package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// sights follow which rows stand on the screen while keys come. A row that stood
// there for a second teaches; what is on a screen that nobody touches does not.
type sights struct {
	now   []reader.Sight // unread rows on the screen since then
	since time.Time
	seen  map[reader.ItemID]*sight
	due   int  // of seen, to be noted
	armed bool // a command is on its way that will look again
}

// sight is one row in this sitting.
type sight struct {
	dwell time.Duration
	best  int // its best row so far, 1 the top
	noted int // the row that was noted; 0: none yet
}

const (
	sightAfter = time.Second     // on the screen, to have been seen
	sightUntil = 2 * time.Minute // after the last key
	sightBatch = 64              // rows are noted at once, also while keys come
)

// sightMsg: a second has passed since a key.
type sightMsg struct{}

// CountSights counts the time that the rows stood there until now.
func (m *model) CountSights() {
	s := &m.sights
	until := m.Now
	if last := m.lastKey.Add(sightUntil); until.After(last) {
		until = last
	}
	for _, row := range s.now {
		x := s.seen[row.ID]
		if x == nil {
			x = &sight{best: row.Row}
			s.seen[row.ID] = x
		}
		was := x.due()
		if d := until.Sub(s.since); d > 0 {
			x.dwell += d
			x.best = min(x.best, row.Row)
		}
		if !was && x.due() {
			s.due++
		}
	}
	s.since = m.Now
}

// due reports whether the row is worth a fact: seen, and not yet noted or since
// then higher up.
func (x *sight) due() bool { return x.dwell >= sightAfter && (x.noted == 0 || x.best < x.noted) }

// follow notes which rows stand on the screen from now on, and sees to it that
// they are counted in a second.
func (m *model) follow() tea.Cmd {
	s := &m.sights
	s.now, s.since = s.now[:0], m.Now
	l := m.topItems()
	if l != nil && !l.IsSearch() && l != m.saved && !m.tiny() {
		if s.seen == nil {
			s.seen = make(map[reader.ItemID]*sight)
		}
		for i, r := range l.InSight() {
			if r.Flags&reader.FlagRead == 0 {
				s.now = append(s.now, reader.Sight{ID: r.ID, Row: i + 1})
			}
		}
	}
	if s.armed || m.eff.calm || len(s.now) == 0 && s.due == 0 {
		return nil
	}
	s.armed = true
	return m.eff.sightLater(sightAfter)
}

// gotSight counts; a second after the last key it notes what was seen, and then
// nothing wakes up until the next key.
func (m *model) gotSight() tea.Cmd {
	s := &m.sights
	s.armed = false
	m.CountSights()
	if quiet := m.Now.Sub(m.lastKey); quiet < sightAfter {
		s.armed = true
		again := m.eff.sightLater(sightAfter - quiet)
		if s.due >= sightBatch {
			return tea.Batch(again, m.eff.saw(m.Now, m.takeSights()))
		}
		return again
	}
	return m.eff.saw(m.Now, m.takeSights())
}

// takeSights gives what is to be noted, as if it were.
func (m *model) takeSights() []reader.Sight {
	var out []reader.Sight
	for id, x := range m.sights.seen {
		if x.due() {
			out = append(out, reader.Sight{ID: id, Row: x.best})
			x.noted = x.best
		}
	}
	m.sights.due = 0
	return out
}
