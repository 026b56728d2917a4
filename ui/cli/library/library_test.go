package library

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/trends"
	"diurna/ui/cli/session"
)

func TestDiagnosis(t *testing.T) {
	tides := reader.Feed{Key: 3, Title: "Tide Tables", State: reader.FeedFailing, Error: "404 not found"}
	d := reader.Diagnosis{Items: 61204, Took: 400 * time.Millisecond, Bytes: 184 << 20, Free: 31 << 30, Fetcher: "pid 4211 (screen)", Feeds: 287,
		Trouble: []reader.Trouble{{Feed: tides, What: "404 not found since 12 Nov, 8 tries", Do: "diurna preview tides.example    (perhaps its page names a new feed)"}},
		Silent:  append([]reader.Feed{{Title: "Old Boats"}, {Title: "Rust"}, {Title: "Dry Dock"}}, make([]reader.Feed, 28)...)}
	spare := spareFeeds{unopened: []reader.Feed{{Title: "Daily Deals"}, {Title: "Weather"}},
		redundant: []trends.Redundant{{Feed: reader.Feed{Key: 4, Title: "Gazette Sport"}, In: trends.Near{Feed: 3, Title: "Gazette", Share: .88}}}}
	id := tides.Key.String()
	trouble := "trouble     1 of 287 feeds\n  " + id + "  Tide Tables  404 not found since 12 Nov, 8 tries\n" +
		"         do: diurna preview tides.example    (perhaps its page names a new feed)\n"
	for _, c := range []struct {
		quiet bool
		want  string
	}{
		{true, trouble},
		{false, "library     good: 61,204 items checked in 0.4 s\nfetching    good: pid 4211 (screen); last fetch -\ndisk        184 MB used, 31 GB free\n" +
			trouble + "silent      31 feeds without a post for 60 days: Old Boats, Rust, Dry Dock and 28 more (diurna doctor --silent)\n" +
			"unopened    2 feeds with 10 items or more in 28 days never opened: Daily Deals, Weather (diurna stats --feeds)\n" +
			"redundant   Gazette Sport: 88 % of its items are also in Gazette (diurna why " + reader.FeedID(4).String() + ")\n"},
	} {
		s, text := reporter(80)
		New(s).printDiagnosis(t.Context(), &d, &spare, c.quiet, time.Time{})
		if got := text(); got != c.want {
			t.Errorf("quiet %v:\n%s\nwant\n%s", c.quiet, got, c.want)
		}
	}
	s, text := reporter(80)
	New(s).printDiagnosis(t.Context(), &reader.Diagnosis{Findings: []string{"item b7q-41: read, the log says unread"}, Items: 7}, nil, true, time.Time{})
	if got := text(); !strings.HasPrefix(got, "library     damaged: 1 finding in 7 items checked\n  item b7q-41: read") {
		t.Errorf("a damaged library, quietly:\n%s", got)
	}
	var back map[string]any
	b, err := json.Marshal(diagnosisJSON{&d, &spare})
	if err != nil || json.Unmarshal(b, &back) != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if len(back["never_opened"].([]any)) != 2 || !strings.Contains(string(b), `"also_in":"`+tides.Key.String()+`","share":0.88`) {
		t.Errorf("as JSON: %s", b)
	}
	if back["good"] != true || len(back["trouble"].([]any)) != 1 || back["fetcher"] != "pid 4211 (screen)" {
		t.Errorf("as JSON: %s", b)
	}
}

// A feed that is new, opened once, or of which little came is not said never to be opened.
func TestUnopened(t *testing.T) {
	now := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	of := func(title string, days, offered, opened int) reader.FeedStats {
		f := reader.FeedStats{Feed: reader.Feed{Title: title, Subscribed: now.AddDate(0, 0, -days)}, Opened: opened}
		f.Attention.Offered = offered
		return f
	}
	got := unopened([]reader.FeedStats{of("old", 40, 30, 0), of("new", 3, 30, 0), of("read", 40, 30, 1), of("quiet", 40, unopenedItems-1, 0),
		of("just enough", 29, unopenedItems, 0), of("four weeks", 28, 30, 0)}, now)
	if len(got) != 2 || got[0].Title != "old" || got[1].Title != "just enough" {
		t.Errorf("%+v", got)
	}
}

// What tmux says decides what is advised; nothing is asked of the terminal.
func TestTerminal(t *testing.T) {
	old := map[string]string{"-V": "tmux 3.3a", "#{client_termfeatures}": "256,clipboard,title",
		"set-clipboard": "external", "focus-events": "off", "escape-time": "500"}
	good := map[string]string{"-V": "tmux 3.5", "#{client_termfeatures}": "256,RGB,clipboard,hyperlinks",
		"set-clipboard": "on", "focus-events": "on", "escape-time": "10"}
	for _, c := range []struct {
		name  string
		env   map[string]string
		tmux  map[string]string
		lines []string
		hints int
		argv  []string
	}{
		{"tmux 3.3a", map[string]string{"TMUX": "x", "TERM": "screen-256color", "BROWSER": "w3m"}, old, []string{
			"terminal    tmux 3.3a, 80x24, 256 colours",
			"  copying   works (tmux load-buffer -w)",
			"  looks     counted by keys only; better with:    set -g focus-events on",
			"  Esc       500 ms late; better with:             set -s escape-time 20",
			"  links     plain; tmux 3.4 or newer can make them clickable",
			"  browser   w3m"}, 2, nil},
		{"the config's browser", map[string]string{"TMUX": "x", "TERM": "tmux-256color", "BROWSER": "w3m", "SSH_CONNECTION": "1 2 3 4"}, good, []string{
			"  browser   lynx -accept_all_cookies %u (config.toml)\n"}, 0, []string{"lynx", "-accept_all_cookies", "%u"}},
		{"tmux 3.5, all well", map[string]string{"TMUX": "x", "TERM": "tmux-256color", "SSH_CONNECTION": "1 2 3 4"}, good, []string{
			"terminal    tmux 3.5, 80x24, true colours", "  looks     counted by focus and keys", "  Esc       at once", "  links     clickable",
			"  browser   none here, over ssh: o copies the link"}, 0, nil},
		{"tmux that does not answer", map[string]string{"TMUX": "x", "TERM": "tmux"}, nil, []string{"terminal    tmux, which does not answer, 80x24, 16 colours"}, 0, nil},
		{"copying off", map[string]string{"TMUX": "x", "TERM": "xterm"}, map[string]string{"-V": "tmux 3.5", "set-clipboard": "off", "escape-time": "0", "focus-events": "on"}, []string{
			"set -s set-clipboard on", "set -as terminal-features ',*:hyperlinks'", `set -g default-terminal "tmux-256color"`}, 3, nil},
		{"screen", map[string]string{"STY": "x", "TERM": "screen"}, nil, []string{"terminal    screen, 80x24, 16 colours", "screen keeps it for itself"}, 0, nil},
		{"dumb", map[string]string{"TERM": "dumb"}, nil, []string{"terminal    dumb, 80x24, no colours", "export TERM=xterm-256color"}, 1, nil},
		{"no colours wanted", map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, nil, []string{"no colours (NO_COLOR)"}, 0, nil},
	} {
		r := inspectTerminal(func(k string) string { return c.env[k] }, func(words ...string) string { return c.tmux[words[len(words)-1]] }, c.argv, 80, 24)
		s, text := reporter(80)
		New(s).printTerminal(&r)
		got := text()
		for _, line := range c.lines {
			if !strings.Contains(got, line) {
				t.Errorf("%s: %q is not in\n%s", c.name, line, got)
			}
		}
		if r.hints() != c.hints {
			t.Errorf("%s: %d hints, want %d\n%s", c.name, r.hints(), c.hints, got)
		}
	}
}

func TestStats(t *testing.T) {
	st := reader.Stats{Feeds: 287, Items: 61204, Bytes: 184 << 20, Looks: 58, Opened: 412, Shown: 3744,
		Requests: 41310, NotChanged: 37604, Hourly: 192864, Trouble: 4, Silent: 31, NeverOpened: 44}
	st.LookHours[7], st.LookHours[8], st.LookHours[21], st.LookHours[22], st.LookHours[13] = 20, 10, 15, 11, 2
	s, text := reporter(80)
	New(s).printStats(&st, &reader.Freshness{Looks: 58, New: 3212, Missed: 41, MissedAfter: 19, Evenly: 68, Hourly: 12},
		rankedLines(&reader.Hindsight{Opens: 412, Ranked: 251, Newest: 148, Rows: 20, Total: 412,
			Looks: 58, NDCG: .594, NDCGNewest: .476, Gain: .118, Low: .03, High: .206}, false))
	const want = `library    287 feeds, 61,204 items, 184 MB
reading    58 looks in 28 days, most at 7-9 and 21-23; items opened 412 times, shown 3,744 times
fetching   41,310 requests in 28 days; 37,604 (91 %) answered "not changed"
           hourly polling would have sent 192,864
freshness  missing at the look: 41 of 3,212 new items (1.3 %); after its refresh: 19 (0.6 %)
           at the look with the same number of fetches, evenly spaced: 68 · hourly polling: 12
ranked     off. Had it been on: nDCG@10 of what you opened .59, newest first .48
           nDCG@10 +.12 (+.03 to +.21) over 58 looks with 95 % confidence: above 0 it is better
           251 of your 412 opens on the first screen, newest first 148
           20 rows a screen, replayed over your own log
feeds      4 in trouble · 31 silent for 60 days · 44 never opened (diurna stats --feeds)
`
	if got := text(); got != want {
		t.Errorf("stats:\n%s\nwant\n%s", got, want)
	}
	s, text = reporter(80)
	New(s).printStats(&st, &reader.Freshness{New: 3212}, nil)
	if got := text(); !strings.Contains(got, "freshness  you did not look in 28 days, so there is nothing to compare\n") || strings.Contains(got, "missing") {
		t.Errorf("stats without a look:\n%s", got)
	}
}

func TestBusiest(t *testing.T) {
	for _, c := range []struct {
		hours map[int]int
		want  string
	}{
		{nil, ""}, {map[int]int{7: 4}, ""}, {map[int]int{7: 20}, "7-9"}, {map[int]int{23: 10, 0: 10}, "23-1"}, {map[int]int{22: 9, 23: 8}, "22-24"},
		{map[int]int{7: 20, 21: 2}, "7-9"}, {map[int]int{21: 20, 7: 10}, "7-9 and 21-23"},
	} {
		var h [24]int
		for k, n := range c.hours {
			h[k] = n
		}
		if got := busiest(h); got != c.want {
			t.Errorf("%v: %q, want %q", c.hours, got, c.want)
		}
	}
}

// reporter is a session that prints into a buffer.
func reporter(width int) (*session.Session, func() string) {
	var b bytes.Buffer
	s := session.New(session.Env{Out: &b, Err: &b, Width: width})
	return s, func() string { s.Out.Flush(); return b.String() }
}
