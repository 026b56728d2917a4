package wording

import (
	"encoding/json"
	"time"
)

// Stamp is a time for programs, one way everywhere: RFC 3339 to the second, with the
// local offset. It is "" for no time.
//
//go:noinline // many places
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(time.RFC3339)
}

// Moment is a time in JSON: as Stamp writes it, null for no time.
type Moment struct{ time.Time }

// MarshalJSON writes the stamp.
func (m Moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(Stamp(m.Time))
}

// Clock writes times for whoever reads them: as people say them, seen from Now, or
// for programs as Stamp.
type Clock struct {
	Now   time.Time
	Exact bool // for programs
}

// When is a time that was, or one to come.
func (c Clock) When(t time.Time) string {
	if c.Exact {
		return Stamp(t)
	}
	return When(t, c.Now)
}

// Due is when something comes.
func (c Clock) Due(t time.Time) string {
	if c.Exact {
		return Stamp(t)
	}
	return Due(t, c.Now)
}

// Day is the day of a time, for programs the time itself.
func (c Clock) Day(t time.Time) string {
	if c.Exact {
		return Stamp(t)
	}
	return Day(t, c.Now)
}

// Layout is a time in a layout of package time, for people only.
func (c Clock) Layout(t time.Time, layout string) string {
	switch {
	case t.IsZero():
		return ""
	case c.Exact:
		return Stamp(t)
	}
	return t.In(c.Now.Location()).Format(layout)
}
