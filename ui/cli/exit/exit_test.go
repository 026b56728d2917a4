package exit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/query"
)

func TestCodes(t *testing.T) {
	_, query := query.Parse("older:", friday)
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{fmt.Errorf("mark read: %w", reader.ErrBusy), 4},
		{fmt.Errorf("mark read: %w", &reader.BusyError{PID: 1}), 4},
		{fmt.Errorf("read: %w", &reader.DamagedError{What: "checksum"}), 5},
		{fmt.Errorf("read: %w", reader.ErrNewer), 5},
		{fmt.Errorf("read: %w", reader.ErrOlder), 5},
		{reader.ErrFull, 1},
		{&reader.AmbiguousError{Name: "x"}, 2},
		{query, 2},
		{fmt.Errorf("x: %w", reader.ErrAddress), 2},
		{fmt.Errorf("x: %w", reader.ErrSetting), 2},
		{Usage("", "x"), 2},
		{Reported(3), 3},
		{fmt.Errorf("x: %w", context.Canceled), 130},
	} {
		if got := CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

// The sentences of the library stand on their own, without what the layers
// above put in front, and with what helps behind.
func TestReport(t *testing.T) {
	_, query := query.Parse("feed:kernel older:", friday)
	busy := &reader.BusyError{PID: 4211, Role: "compact", Waited: 10 * time.Second}
	many := &reader.AmbiguousError{Name: "harbour", Feeds: []reader.Feed{{Key: 1, Title: "Harbour\x1b[31m Gazette"}, {Key: 2, Title: "Old Harbour Blog"}}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("mark read: %w", busy), "diurna: error: the library is in use by pid 4211 (compact) for 10 s now\ndiurna: hint: nothing was changed; try again in a moment\n"},
		{query, "diurna: error: feed:kernel older:\n" + strings.Repeat(" ", 15+18) + "^ older: needs a time: 2d, 1w, 2026-11-02\n"},
		{fmt.Errorf("keep what came: %w", reader.ErrFull), "diurna: error: the disk is full; nothing was changed\ndiurna: hint: free some space and run it again\n"},
		{Reported(3), ""},
		{Usage("do this", "not that"), "diurna: error: not that\ndiurna: hint: do this\n"},
		{many, "diurna: error: \"harbour\" matches 2 feeds\ndiurna: hint: " + many.Feeds[0].Key.String() + " Harbour Gazette · " + many.Feeds[1].Key.String() + " Old Harbour Blog\n"},
	} {
		var b bytes.Buffer
		Report(&b, c.err)
		if b.String() != c.want {
			t.Errorf("report(%v):\n%q\nwant\n%q", c.err, b.String(), c.want)
		}
	}
}

var friday = time.Date(2026, 11, 20, 10, 49, 0, 0, time.FixedZone("", 3600))
