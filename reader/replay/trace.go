package replay

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

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

// readRows calls each for every line of a CSV whose first column is an id and
// whose second a Unix time; a heading is skipped.
func readRows(r io.Reader, columns int, each func(f []string, unix int64) error) error {
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" {
			continue
		}
		f := strings.Split(line, ",")
		if len(f) < columns {
			return fmt.Errorf("line %d: %d columns, want %d", n, len(f), columns)
		}
		unix, err := strconv.ParseInt(strings.TrimSpace(f[1]), 10, 64)
		if err != nil {
			if n == 1 {
				continue
			}
			return fmt.Errorf("line %d: time %q is not a number", n, f[1])
		}
		if unix < 0 || unix > 1<<40 {
			return fmt.Errorf("line %d: time %d is out of range", n, unix)
		}
		if n > maxRows {
			return fmt.Errorf("more than %d lines", maxRows)
		}
		if err := each(f, unix); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return sc.Err()
}

func readPosts(r io.Reader) ([]Source, error) {
	at := map[string]int{}
	var out []Source
	err := readRows(r, 2, func(f []string, unix int64) error {
		i, ok := at[f[0]]
		if !ok {
			i = len(out)
			at[f[0]] = i
			out = append(out, Source{ID: f[0]})
		}
		out[i].Posts = append(out[i].Posts, unix)
		return nil
	})
	for i := range out {
		slices.Sort(out[i].Posts)
	}
	slices.SortFunc(out, func(a, b Source) int { return cmp.Compare(a.ID, b.ID) })
	return out, err
}

func readAccesses(r io.Reader) ([]Person, error) {
	at := map[string]int{}
	var out []Person
	err := readRows(r, 3, func(f []string, unix int64) error {
		offset, err := strconv.Atoi(strings.TrimSpace(f[2]))
		if err != nil || offset < -26*60 || offset > 26*60 {
			return fmt.Errorf("offset %q is not minutes east of UTC", f[2])
		}
		i, ok := at[f[0]]
		if !ok {
			i = len(out)
			at[f[0]] = i
			out = append(out, Person{ID: f[0]})
		}
		out[i].Looks = append(out[i].Looks, scheduler.Event{Unix: unix, Offset: int32(offset * 60)})
		return nil
	})
	for i := range out {
		slices.SortFunc(out[i].Looks, func(a, b scheduler.Event) int { return cmp.Compare(a.Unix, b.Unix) })
	}
	slices.SortFunc(out, func(a, b Person) int { return cmp.Compare(a.ID, b.ID) })
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
