package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cells"
)

var friday = time.Date(2026, 11, 20, 10, 49, 0, 0, time.FixedZone("", 3600))

func TestTimes(t *testing.T) {
	at := func(d time.Duration) time.Time { return friday.Add(d) }
	const day = 24 * time.Hour
	for _, c := range []struct {
		t          time.Time
		when, next string
	}{
		{time.Time{}, "-", "-"},
		{at(-18 * time.Minute), "today 10:31", "now"},
		{at(-day), "yesterday", "now"},
		{at(-8 * day), "12 Nov", "now"},
		{time.Date(2025, 11, 2, 9, 0, 0, 0, time.UTC), "2025-11-02", "now"},
		{at(46 * time.Minute), "today 11:35", "11:35"},
		{at(21 * time.Hour), "tomorrow 07:49", "tomorrow 07:49"},
		{at(48 * time.Hour), "22 Nov", "22 Nov"},
		{at(60 * day), "2027-01-19", "2027-01-19"},
		{at(-18 * time.Minute).UTC(), "today 10:31", "now"}, // in the zone of now, wherever it comes from
	} {
		if got := when(c.t, friday); got != c.when {
			t.Errorf("when(%v) = %q, want %q", c.t, got, c.when)
		}
		if got := due(c.t, friday); got != c.next {
			t.Errorf("due(%v) = %q, want %q", c.t, got, c.next)
		}
	}
	if got := stamp(friday); got != "2026-11-20T10:49:00+01:00" {
		t.Errorf("stamp = %q", got)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 61204: "61,204", -1234567: "-1,234,567"} {
		if got := wording.Count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 18 << 10: "18 KB", 184 << 20: "184 MB", 31 << 30: "31 GB", 2 << 30: "2048 MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"add", "list", "items", "mark", "undo", "unread", "import", "export"}
	for word, want := range map[string]string{
		"lst": "list", "lits": "list", "udno": "undo", "improt": "import", "item": "items", "unred": "unread",
		"frobnicate": "", "x": "", "ad": "add", "LIST": "list", "": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

// Words of a query may begin with "-"; flags are found wherever they stand.
func TestProtectWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"version --json":                   "version --json",
		"items":                            "items --",
		"items -unread folder:sea":         "items -- -unread folder:sea",
		"items -#later --json":             "items --json -- -#later",
		"--json items -unread":             "items --json -- -unread",
		"mark -later b7q-41":               "mark -- -later b7q-41",
		"--data-dir d mark -x y":           "mark --data-dir d -- -x y",
		"unread new --config c":            "unread --config c -- new",
		"items -- --json":                  "items -- --json",
		"list -h":                          "list -h --",
		"fetch -x":                         "fetch -x",
		"--data-dir items add a":           "--data-dir items add a",
		"--data-dir=items items -a --json": "items --data-dir=items --json -- -a",
	} {
		if got := strings.Join(protectWords(strings.Fields(in)), " "); got != want {
			t.Errorf("protectWords(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCodes(t *testing.T) {
	_, query := reader.ParseQuery("older:", friday)
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
		{reader.ErrFull, 1},
		{&reader.AmbiguousError{Name: "x"}, 2},
		{query, 2},
		{fmt.Errorf("x: %w", reader.ErrAddress), 2},
		{fmt.Errorf("x: %w", reader.ErrSetting), 2},
		{usage("", "x"), 2},
		{told(3), 3},
		{fmt.Errorf("x: %w", context.Canceled), 130},
	} {
		if got := codeOf(c.err); got != c.want {
			t.Errorf("codeOf(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

// The sentences of the library stand on their own, without what the layers
// above put in front, and with what helps behind.
func TestReport(t *testing.T) {
	_, query := reader.ParseQuery("feed:kernel older:", friday)
	busy := &reader.BusyError{PID: 4211, Role: "compact", Waited: 10 * time.Second}
	many := &reader.AmbiguousError{Name: "harbour", Feeds: []reader.Feed{{Key: 1, Title: "Harbour\x1b[31m Gazette"}, {Key: 2, Title: "Old Harbour Blog"}}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("mark read: %w", busy), "diurna: error: the library is in use by pid 4211 (compact) for 10 s now\ndiurna: hint: nothing was changed; try again in a moment\n"},
		{query, "diurna: error: feed:kernel older:\n" + strings.Repeat(" ", 15+18) + "^ older: needs a time, such as 2d or 1w\n"},
		{fmt.Errorf("keep what came: %w", reader.ErrFull), "diurna: error: the disk is full; nothing was changed\ndiurna: hint: free some space and run it again\n"},
		{told(3), ""},
		{usage("do this", "not that"), "diurna: error: not that\ndiurna: hint: do this\n"},
		{many, "diurna: error: \"harbour\" fits 2 feeds\ndiurna: hint: " + many.Feeds[0].Key.String() + " Harbour Gazette · " + many.Feeds[1].Key.String() + " Old Harbour Blog\n"},
	} {
		var b bytes.Buffer
		report(&b, c.err)
		if b.String() != c.want {
			t.Errorf("report(%v):\n%q\nwant\n%q", c.err, b.String(), c.want)
		}
	}
}

func printed(width int, asJSON bool, feeds []reader.Feed) string {
	var b bytes.Buffer
	s := &session{env: Env{Out: &b, Width: width}, json: asJSON, out: bufio.NewWriter(&b)}
	if err := printList(s, feedColumns, feeds); err != nil {
		return err.Error()
	}
	s.out.Flush()
	return b.String()
}

// A table is never wider than the terminal, whatever the names are made of.
func TestTableFits(t *testing.T) {
	feeds := []reader.Feed{
		{Key: 1, Title: "Harbour Gazette", Folder: "sea", Unread: 40, State: reader.FeedOK},
		{Key: 2, Title: strings.Repeat("港の便り", 20), Unread: 1234, State: reader.FeedFailing, Error: "404 not found", Since: friday},
		{Key: 3, Title: "tab\tand\nline\x1b[31m", State: reader.FeedMoved, Error: "moved, waits for you"},
	}
	for _, w := range []int{5, 20, 40, 72, 80, 120, 200} {
		for line := range strings.Lines(printed(w, false, feeds)) {
			line = strings.TrimSuffix(line, "\n")
			if cells.Width(line) > w {
				t.Errorf("%d columns: %d cells in %q", w, cells.Width(line), line)
			}
			if strings.ContainsAny(line, "\t\x1b") {
				t.Errorf("%d columns: not plain: %q", w, line)
			}
		}
	}
	if got := printed(40, false, feeds[:1]); !strings.Contains(got, "sea/Harbour Gaz") || strings.Contains(got, "NEXT") {
		t.Errorf("40 columns spare the wrong ones:\n%s", got)
	}
	got := printed(80, false, feeds[:1])
	if !strings.HasPrefix(got, "ID") || !strings.Contains(got, "sea/Harbour Gazette") || strings.Count(got, "\n") != 2 {
		t.Errorf("a table of one feed:\n%s", got)
	}
}

// In a pipe each line has the columns that the help promises, in that order.
func TestTabs(t *testing.T) {
	got := strings.Split(strings.TrimSuffix(printed(0, false, []reader.Feed{{Key: 1, URL: "https://a.example/f", Title: "a\tb\nc", Tags: []string{"x", "y"}, State: reader.FeedOK}}), "\n"), "\t")
	want := []string{reader.FeedID(1).String(), "https://a.example/f", "a b c", "", "x,y", "0", "0", "", "", "", "ok", "", ""}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("tabs: %q, want %q", got, want)
	}
	if got := names(feedColumns); got != "id url title folder tags unread saved last_post last_fetch next_fetch state since error" {
		t.Errorf("feed columns: %s", got)
	}
	if got := names(itemColumns); got != "id feed_id feed title link author published first_seen unread saved changed tags words" {
		t.Errorf("item columns: %s", got)
	}
}

func TestFetchLines(t *testing.T) {
	next := friday.Add(time.Hour)
	for _, c := range []struct {
		res   reader.FetchResult
		named bool
		want  string
	}{
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeNew, New: 2, Next: next}, false, "K: 2 new (next 11:49)"},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeNotChanged, Next: next}, false, ""},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeNotChanged, Next: next}, true, "K: not changed (next 11:49)"},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeFailed, Err: "404 not found", Since: friday.AddDate(0, 0, -8)}, false, "K: 404 not found, since 12 Nov"},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeEarly, Why: "the server asks for an hour", Next: next}, true, "K was fetched 4 minutes ago and the server asks for an hour. Next: 11:49, by itself."},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeEarly}, false, ""},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeNew, New: 1, Edited: 2}, true, "K: 1 new, 2 edited"},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeEdited, Edited: 5, Next: next}, false, "K: 5 edited (next 11:49)"},
	} {
		if got := fetchLine(&c.res, friday, c.named, friday.Add(-4*time.Minute)); got != c.want {
			t.Errorf("fetchLine(%+v) = %q, want %q", c.res, got, c.want)
		}
	}
}
