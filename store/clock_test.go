package store

import (
	"fmt"
	"testing"
	"time"
)

// clockLife is a library that is filed into under clocks of all sorts.
type clockLife struct {
	t     *testing.T
	s     *Store
	feeds []FeedID
	next  map[FeedID]uint32
}

func newClockLife(t *testing.T, feeds int) *clockLife {
	l := &clockLife{t: t, s: newStore(t), next: map[FeedID]uint32{}}
	l.feeds = subscribe(t, l.s, feeds)
	return l
}

// file has a feed bring items of these dates at a moment by its clock.
func (l *clockLife) file(f int, now time.Time, dates ...time.Time) {
	l.t.Helper()
	g := Filing{Feed: l.feeds[f], Next: max(l.next[l.feeds[f]], 1), Outcome: &Outcome{Kind: AnswerNew, Status: 200}}
	for i, at := range dates {
		n := NewItem{Unread: i%2 == 0, Keys: []uint64{uint64(l.next[g.Feed])<<8 + uint64(i) + 1}}
		n.Published, n.Title = at, fmt.Sprint("of ", now.Format(time.DateOnly))
		g.New = append(g.New, n)
	}
	out := must(l.s.File(l.t.Context(), now, []Filing{g}))(l.t)
	if out[0].Err != nil {
		l.t.Fatal(out[0].Err)
	}
	l.next[g.Feed] = g.Next + uint32(len(dates))
}

// order is the list of all items, newest first: what they say and when they stand.
func (l *clockLife) order() (rows []Row) {
	l.t.Helper()
	sound(l.t, l.s, true)
	return must(l.s.Rows(l.t.Context(), RowQuery{Which: All}))(l.t)
}

// TestClockAhead: what came under a clock that was ten years ahead stands where it
// came once the clock is right again, also when it was read, saved or tagged.
func TestClockAhead(t *testing.T) {
	l, never := newClockLife(t, 4), time.Time{}
	l.file(0, day, day.Add(-2*time.Hour))
	l.file(1, day, day.Add(-3*time.Hour))
	l.file(2, day, never)
	wrong := day.AddDate(10, 0, 0)
	l.file(2, wrong, never, never, never)
	l.file(0, wrong, day.Add(time.Hour))
	rows := l.order()
	if rows[0].At != wrong.Unix() || rows[2].At != wrong.Unix() || rows[3].At != day.Add(time.Hour).Unix() {
		t.Fatalf("under the wrong clock: %+v", rows)
	}
	for i, k := range []Kind{MarkedRead, Saved, Tagged} {
		must(l.s.Act(t.Context(), wrong, "", Change{Kind: k, Value: "x", Items: []ItemID{rows[i].ID}}))(t)
	}
	c := must(l.s.Clock(t.Context(), day.Add(3*time.Hour)))(t)
	if c.Behind || c.Ahead != 3 || c.Facts < 4 || !c.Latest.Equal(wrong) {
		t.Errorf("the clock is judged %+v", c)
	}
	l.file(1, day.Add(3*time.Hour), day.Add(2*time.Hour))
	rows = l.order()
	for i, r := range rows {
		if r.At > day.Add(3*time.Hour).Unix() {
			t.Errorf("row %d still stands at %v", i, time.Unix(r.At, 0))
		}
	}
	if rows[0].ID.Feed() != l.feeds[1] || rows[1].ID.Feed() != l.feeds[0] || rows[2].ID.Feed() != l.feeds[2] || rows[2].At != day.Unix() {
		t.Errorf("newest first: %+v", rows)
	}
	for _, f := range must(l.s.Feeds(t.Context()))(t) {
		if f.LastPost.After(day.Add(3 * time.Hour)) {
			t.Errorf("%s posted last at %v", f.ID, f.LastPost)
		}
	}
	if c := must(l.s.Clock(t.Context(), day.Add(3*time.Hour)))(t); c.Ahead != 0 {
		t.Errorf("still %+v", c)
	}
}

// TestClockBehind: a clock that is behind, dead or by a year, buries nothing and
// moves nothing that stood; when it is right again all is in order.
func TestClockBehind(t *testing.T) {
	for _, wrong := range []time.Time{time.Unix(3600, 0), day.AddDate(-1, 0, 0)} {
		l, never := newClockLife(t, 4), time.Time{}
		for i := range 3 {
			l.file(i, day, day.Add(-time.Duration(i+1)*time.Hour), day.AddDate(0, 0, -9))
		}
		l.file(3, wrong, wrong.Add(-time.Minute), wrong.Add(-time.Hour)) // its broken dates agree with the clock
		before := l.order()
		later := day.Add(5 * time.Hour)
		l.file(0, wrong, later)
		l.file(1, wrong.Add(time.Hour), never)
		rows := l.order()
		if rows[0].At != later.Unix() || rows[1].ID.Feed() != l.feeds[1] || rows[1].At < day.Add(-time.Hour).Unix() {
			t.Errorf("under %v: %+v", wrong, rows[:3])
		}
		stands := map[ItemID]int64{}
		for _, r := range rows {
			stands[r.ID] = r.At
		}
		for _, r := range before {
			if stands[r.ID] != r.At {
				t.Errorf("under %v %s was moved from %v to %v", wrong, r.ID, time.Unix(r.At, 0), time.Unix(stands[r.ID], 0))
			}
		}
		if c := must(l.s.Clock(t.Context(), wrong))(t); !c.Behind || !c.Known.Equal(day) {
			t.Errorf("the clock of %v is judged %+v", wrong, c)
		}
		l.file(2, day.Add(8*time.Hour), day.Add(7*time.Hour))
		if rows = l.order(); rows[0].At != day.Add(7*time.Hour).Unix() {
			t.Errorf("right again: %+v", rows[0])
		}
	}
}

// A library that begins under a dead clock places items by their dates.
func TestClockDeadFromTheStart(t *testing.T) {
	l := newClockLife(t, 1)
	l.file(0, time.Unix(7200, 0), day, day.Add(-time.Hour), time.Time{})
	if rows := l.order(); rows[0].At != day.Unix() || rows[2].At != 7200 {
		t.Errorf("%+v", rows)
	}
}

// Without publishers' dates the side of the log with more days is right.
func TestClockWithoutDates(t *testing.T) {
	l, never := newClockLife(t, 1), time.Time{}
	for i := range 3 {
		l.file(0, day.AddDate(0, 0, i), never)
	}
	l.file(0, day.AddDate(9, 0, 0), never)
	l.file(0, day.AddDate(0, 0, 3), never)
	if rows := l.order(); rows[0].At != day.AddDate(0, 0, 3).Unix() || rows[1].At != day.AddDate(0, 0, 2).Unix() {
		t.Errorf("%+v", rows)
	}
}
