package replay

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"time"

	"diurna/scheduler"
)

const (
	daySeconds  = 86400
	weekSeconds = 7 * daySeconds
	// mondayOffset moves the epoch, a Thursday, to the Monday before it.
	mondayOffset = 3 * daySeconds
	// maxRows bounds what a trace may hold: far above the real ones, far
	// below what would not fit into memory.
	maxRows = 20_000_000
)

// moment is a time of a trace. offset is that of its own zone, in seconds east
// of UTC; zoned says that there was one.
type moment struct {
	unix, offset int64
	zoned        bool
}

// zonedForms carry a zone, bareForms are UTC.
var (
	zonedForms = []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700"}
	bareForms  = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}
)

// readMoment reads a time; ok is false for what is none, or out of range.
func readMoment(s string) (m moment, ok bool) {
	if whole, _, _ := strings.Cut(s, "."); whole != "" {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			m.unix, err = strconv.ParseInt(whole, 10, 64)
			return m, err == nil && m.unix >= 0 && m.unix <= 1<<40
		}
	}
	for _, form := range zonedForms {
		if t, err := time.Parse(form, s); err == nil {
			_, offset := t.Zone()
			m = moment{t.Unix(), int64(offset), true}
			return m, m.unix >= 0 && m.unix <= 1<<40
		}
	}
	for _, form := range bareForms {
		if t, err := time.Parse(form, s); err == nil {
			return moment{unix: t.Unix()}, t.Unix() >= 0 && t.Unix() <= 1<<40
		}
	}
	return moment{}, false
}

// ParseTime reads a moment as traces write it, and "2026-11-20 08:00" or a date
// alone as well.
func ParseTime(s string) (time.Time, error) {
	m, ok := readMoment(strings.TrimSpace(s))
	if !ok {
		return time.Time{}, fmt.Errorf("%q is not a time: RFC 3339 or unix seconds", s)
	}
	if m.zoned {
		return time.Unix(m.unix, 0).In(time.FixedZone("", int(m.offset))), nil
	}
	return time.Unix(m.unix, 0).UTC(), nil
}

// row is a line of a trace: who, when, and what stands after the time.
type row struct {
	id string
	moment
	rest string
}

// readRow takes a line apart. The time is the second column where that is one,
// else the first, so that a source may be named by a number; rest is the next.
func readRow(line string) (row, error) {
	cut := ","
	if !strings.Contains(line, cut) {
		cut = "\t"
	}
	f := strings.Split(line, cut)
	for i := range f {
		f[i] = strings.Trim(strings.TrimSpace(f[i]), `"`)
	}
	f = append(f, "", "")
	at, ok := readMoment(f[1])
	first, either := readMoment(f[0])
	switch small, err := strconv.Atoi(f[1]); {
	case ok && !(either && err == nil && small <= maxOffset):
		return row{f[0], at, f[2]}, nil
	case either && f[2] == "" && (f[1] == "" || err == nil): // time, offset
		return row{"", first, f[1]}, nil
	case either:
		return row{f[1], first, f[2]}, nil
	}
	wrong := f[1]
	if wrong == "" {
		wrong = f[0]
	}
	return row{}, fmt.Errorf("time %q is neither RFC 3339 nor unix seconds", wrong)
}

// readRows calls each for every line of a trace; a heading is a first line
// without a digit.
func readRows(r io.Reader, each func(row) error) error {
	sc := bufio.NewScanner(r)
	n := 0
	for sc.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(sc.Text(), "\ufeff"))
		if line == "" || line[0] == '#' || n == 1 && !strings.ContainsAny(line, "0123456789") {
			continue
		}
		if n > maxRows {
			return fmt.Errorf("more than %d lines", maxRows)
		}
		f, err := readRow(line)
		if err == nil {
			err = each(f)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// ReadPosts reads one post a line: "source,time", or a time alone for a single
// source. A time is Unix seconds (a fraction is cut off) or RFC 3339, with or
// without its zone, UTC then. Columns stand between commas or tabs, in either
// order of the two; a heading, empty lines and lines that begin with # are
// skipped. An error names its line.
func ReadPosts(r io.Reader) ([]Source, error) {
	at := map[string]int{}
	var out []Source
	err := readRows(r, func(f row) error {
		i, ok := at[f.id]
		if !ok {
			i = len(out)
			at[f.id] = i
			out = append(out, Source{ID: f.id})
		}
		out[i].Posts = append(out[i].Posts, f.unix)
		return nil
	})
	for i := range out {
		ascending(out[i].Posts)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, err
}

// maxOffset bounds zones, in minutes.
const maxOffset = 26 * 60

// ReadAccesses reads one sign of a person a line: "user,time,utc_offset", the
// offset in minutes east of UTC at that moment. User and offset may be missing;
// the offset is then the time's own zone, or UTC. Otherwise as ReadPosts.
func ReadAccesses(r io.Reader) ([]Person, error) {
	at := map[string]int{}
	var out []Person
	err := readRows(r, func(f row) error {
		offset := f.offset
		if f.rest != "" {
			minutes, err := strconv.Atoi(f.rest)
			if err != nil || minutes < -maxOffset || minutes > maxOffset {
				return fmt.Errorf("offset %q is not minutes east of UTC", f.rest)
			}
			offset = int64(minutes) * 60
		}
		i, ok := at[f.id]
		if !ok {
			i = len(out)
			at[f.id] = i
			out = append(out, Person{ID: f.id})
		}
		out[i].Looks = append(out[i].Looks, scheduler.Event{Unix: f.unix, Offset: int32(offset)})
		return nil
	})
	for i := range out {
		looks := out[i].Looks
		sort.Slice(looks, func(i, j int) bool { return looks[i].Unix < looks[j].Unix })
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, err
}

// monday is the beginning of the week (UTC) that a moment falls into.
func monday(unix int64) int64 {
	return unix - (unix+mondayOffset)%weekSeconds
}

// sessions keeps the looks: the first sign of a person after gap idle seconds.
func sessions(events []scheduler.Event, gap int64) []scheduler.Event {
	var out []scheduler.Event
	for i, e := range events {
		if i == 0 || e.Unix-events[i-1].Unix >= gap {
			out = append(out, e)
		}
	}
	return out
}
