package fetch

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/session"
)

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
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeEarly, Rule: reader.RuleServer, Why: "the server asks for an hour", Next: next}, true, "K was fetched 4 minutes ago and the server asks for an hour. Next: 11:49, automatically."},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeEarly}, false, ""},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeNew, New: 1, Edited: 2}, true, "K: 1 new, 2 edited"},
		{reader.FetchResult{Title: "K", Outcome: reader.OutcomeEdited, Edited: 5, Next: next}, false, "K: 5 edited (next 11:49)"},
	} {
		if got := fetchLine(&c.res, wording.Clock{Now: friday}, c.named, friday.Add(-4*time.Minute)); got != c.want {
			t.Errorf("fetchLine(%+v) = %q, want %q", c.res, got, c.want)
		}
	}
}

func TestUnitPaths(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ann/bin/diurna": "%h/bin/diurna", "/usr/bin/diurna": "/usr/bin/diurna",
		"/home/ann/my feeds": `"%h/my feeds"`, "/srv/100%/$x": "/srv/100%%/$$x", `/srv/a"b`: `"/srv/a\"b"`, "/home/anna/x": "/home/anna/x",
	} {
		if got := unitPath(path, "/home/ann"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func init() { time.Local = time.UTC }

// A line of run for each way a fetch can end.
func TestEventLines(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 31, 4, 0, time.UTC)
	next := time.Date(2026, 11, 20, 15, 50, 0, 0, time.UTC)
	for want, res := range map[string]reader.FetchResult{
		"10:31:04 Kernel Notes: 2 new (next 15:50)\n":                                                        {Title: "Kernel Notes", Outcome: reader.OutcomeNew, New: 2, Next: next},
		"10:31:04 Static Types: not changed (next 15:50)\n":                                                  {Title: "Static Types", Outcome: reader.OutcomeNotChanged, Next: next},
		"10:31:04 Tide Tables: 404 not found, since 12 Nov (next tomorrow 15:50)\n":                          {Title: "Tide Tables", Outcome: reader.OutcomeFailed, Err: "404 not found", Since: at.AddDate(0, 0, -8), Next: next.AddDate(0, 0, 1)},
		"10:31:04 Comet Desk: 1 edited (next 15:50)\n":                                                       {Title: "Comet Desk", Outcome: reader.OutcomeEdited, Edited: 1, Next: next},
		"10:31:04 Red\\x: 1 new\n":                                                                           {Title: "Red\\x\x1b", Outcome: reader.OutcomeNew, New: 1},
		`{"at":"2026-11-20T10:31:04Z",`:                                                                      {Title: "Json", Outcome: reader.OutcomeNew},
		"2026-11-20T10:31:04Z Pipe: 404 not found, since 2026-11-12T10:31:04Z (next 2026-11-20T15:50:00Z)\n": {Title: "Pipe", Outcome: reader.OutcomeFailed, Err: "404 not found", Since: at.AddDate(0, 0, -8), Next: next},
	} {
		s, text := reporter(80)
		if res.Title == "Pipe" {
			s, text = reporter(0)
		}
		s.JSON = res.Title == "Json"
		if err := New(s).tellEvent(&reader.Event{At: at, Progress: reader.Progress{Result: &res}}); err != nil {
			t.Error(err)
		}
		if got := text(); got != want && !(s.JSON && strings.HasPrefix(got, want)) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// reporter is a session that prints into a buffer.
func reporter(width int) (*session.Session, func() string) {
	var b bytes.Buffer
	s := session.New(session.Env{Out: &b, Err: &b, Width: width})
	return s, func() string { s.Out.Flush(); return b.String() }
}

var friday = time.Date(2026, 11, 20, 10, 49, 0, 0, time.FixedZone("", 3600))

// TestFetchSumCountsEachFeedOnce: a feed whose server asked to wait is not up to
// date as well, one that failed was not fetched.
func TestFetchSumCountsEachFeedOnce(t *testing.T) {
	for want, rep := range map[string]reader.FetchReport{
		"0 fetched, 56 up to date, 6 waiting. 0 new.":                                   {Early: 62, Waiting: 6},
		"41 fetched, 3 failed (diurna doctor says why). 12 new.":                        {Fetched: 44, Failed: 3, New: 12},
		"1 fetched, 1 up to date, 2 waiting, 1 failed (diurna doctor says why). 1 new.": {Fetched: 2, Failed: 1, Early: 3, Waiting: 2, New: 1},
	} {
		if got := fetchSum(rep); got != want {
			t.Errorf("%+v: %q, want %q", rep, got, want)
		}
	}
}
