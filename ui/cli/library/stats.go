package library

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

func (s *Commands) statsCommand() *cobra.Command {
	var perFeed bool
	var order string
	c := &cobra.Command{
		Use:   "stats",
		Short: "show reading and fetching statistics",
		Long: `Rates are of the last 28 days. A look is the moment you come to the screen.
--feeds prints one line per feed, least worth keeping first: many posts, few opened.
POSTS are dated within 28 days. OF counts the items that arrived, stood on screen or
were opened in 28 days; OPENED are those of them that you opened, SHARE is their part.
Items opened from a search do not count. The order is by SHARE, with one more item for
each feed that was opened as often as the mean of all feeds: (OPENED+mean)/(OF+1). So
feeds that were never opened come first, those with many items before those with few.
--order sorts by posts (most first), opened (fewest
first), share (smallest first), last opened (longest ago first) or name.
rm takes many feeds in one step, and one undo brings them back; the second example
unsubscribes from the ten feeds least worth keeping.
Columns of --feeds in a pipe: ` + table.Names(statColumns),
		Example:     "  diurna stats --feeds --order share\n  diurna stats --feeds | head | cut -f1 | xargs diurna rm",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("stats", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			by, ok := reader.ParseFeedOrder(order)
			switch {
			case !ok:
				return exit.Usage("diurna stats --feeds --order posts", "--order is %s, not %q", strings.Join(reader.FeedOrders(), ", "), order)
			case c.Flags().Changed("order") && !perFeed:
				return exit.Usage("diurna stats --feeds --order "+order, "--order sorts the lines of --feeds")
			}
			st, err := lib.Stats().Stats(c.Context(), time.Now())
			if err == nil {
				// Who unsubscribes from the first lines keeps the pages that were saved.
				st.PerFeed = slices.DeleteFunc(st.PerFeed, func(f reader.FeedStats) bool { return f.Feed.SavesPages() })
				by.Sort(st.PerFeed)
			}
			switch {
			case err != nil:
				return err
			case perFeed && s.JSON:
				for i := range st.PerFeed {
					if err := s.PrintJSON(statJSON{&st.PerFeed[i]}); err != nil {
						return err
					}
				}
				return nil
			case perFeed:
				return session.Print(s.Session, statColumns, st.PerFeed)
			}
			past, err := lib.Ranker().Hindsight(c.Context(), time.Now(), 0, 0)
			if err != nil {
				return err
			}
			order, err := lib.Recall(c.Context(), "order")
			if err != nil {
				return err
			}
			on := string(order) == reader.Ranked.String()
			fresh, err := lib.Stats().Freshness(c.Context(), time.Now())
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(statsJSON(&st, &fresh, &past, on))
			}
			s.printStats(&st, &fresh, rankedLines(&past, on))
			return nil
		}),
	}
	c.Flags().BoolVar(&perFeed, "feeds", false, "one line per feed, least worth keeping first")
	c.Flags().StringVar(&order, "order", "worth", "`ORDER` of --feeds is "+strings.Join(reader.FeedOrders(), ", "))
	if err := c.RegisterFlagCompletionFunc("order", cobra.FixedCompletions(reader.FeedOrders(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is such a flag
	}
	return c
}

// statColumns is how `stats --feeds` prints.
var statColumns = []table.Column[reader.FeedStats]{
	{Name: "id", Field: func(f reader.FeedStats) string { return f.Feed.Key.String() }, Head: "ID", Cell: func(f reader.FeedStats, _ time.Time) string { return f.Feed.Key.String() }},
	{Name: "feed", Field: func(f reader.FeedStats) string { return f.Feed.Title }},
	{Name: "posts_week", Field: func(f reader.FeedStats) string { return weekly(f.PostsPerWeek) }, Head: "POSTS", Right: true, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.Attention.Posts) }},
	{Name: "opened", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Opened) }, Head: "OPENED", Right: true, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.Attention.Opened) }},
	{Name: "shown", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Shown) }, Head: "OF", Right: true, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.Attention.Offered) }},
	{Head: "SHARE", Right: true, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Share(f.Attention.Share()) }},
	{Name: "last_opened", Field: func(f reader.FeedStats) string { return table.Stamp(f.LastOpened) }, Head: "LAST OPENED", Spare: 2, Cell: func(f reader.FeedStats, now time.Time) string { return table.When(f.LastOpened, now) }},
	{Name: "requests_28d", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Requests) }, Head: "REQUESTS", Right: true, Spare: 3, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.Requests) }},
	{Name: "not_changed_28d", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.NotChanged) }, Head: "NOT CHANGED", Right: true, Spare: 1, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.NotChanged) }},
	{Name: "kb_28d", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.KB) }, Head: "KB", Right: true, Spare: 4, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.KB) }},
	{Name: "missed", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Missed) }, Head: "MISSED", Right: true, Spare: 5, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.Missed) }},
	{Name: "missed_after", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.MissedAfter) }, Head: "MISSED AFTER", Right: true, Spare: 6, Cell: func(f reader.FeedStats, _ time.Time) string { return wording.Count(f.MissedAfter) }},
	{Name: "state", Field: func(f reader.FeedStats) string { return f.Feed.State.String() }},
	{Name: "posts_28d", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Attention.Posts) }},
	{Name: "opened_28d", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Attention.Opened) }},
	{Name: "offered_28d", Field: func(f reader.FeedStats) string { return strconv.Itoa(f.Attention.Offered) }},
	{Name: "share_28d", Field: shareField, Head: "FEED", Cell: func(f reader.FeedStats, _ time.Time) string { return table.FeedName(f.Feed) }},
}

// shareField is the share for scripts, 0 to 1, empty if nothing was there to be opened.
func shareField(f reader.FeedStats) string {
	share, ok := f.Attention.Share()
	if !ok {
		return ""
	}
	return strconv.FormatFloat(share, 'f', 4, 64)
}

func weekly(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }

func (s *Commands) printStats(st *reader.Stats, fresh *reader.Freshness, ranked []string) {
	put := func(label, format string, args ...any) {
		fmt.Fprintf(s.Out, "%-10s %s\n", label, plain.Line(fmt.Sprintf(format, args...), 0))
	}
	library := wording.Plural(st.Feeds, "feed")
	if st.Pages > 0 {
		library += ", " + wording.Plural(st.Pages, "page")
	}
	put("library", "%s, %s, %s", library, wording.Plural(st.Items, "item"), wording.Size(st.Bytes))
	looks := "no look"
	if st.Looks > 0 {
		looks = wording.Plural(st.Looks, "look")
	}
	looks += " in 28 days"
	if hours := busiest(st.LookHours); hours != "" {
		looks += ", most at " + hours
	}
	put("reading", "%s; items opened %s, shown %s", looks, wording.Plural(st.Opened, "time"), wording.Plural(st.Shown, "time"))
	if st.Requests == 0 {
		put("fetching", "no request in 28 days")
	} else {
		put("fetching", "%s in 28 days; %s (%d %%) answered \"not changed\"",
			wording.Plural(st.Requests, "request"), wording.Count(st.NotChanged), (st.NotChanged*100+st.Requests/2)/st.Requests)
		put("", "hourly polling would have sent %s", wording.Count(st.Hourly))
	}
	if st.Pages > 0 {
		put("pages", "%s wanted by %s, %s asked for: U = %.2f; %s kept", wording.Plural(st.Watches, "address"), wording.Plural(st.Pages, "watch"), wording.Count(st.Addresses), st.Utilisation, wording.Plural(st.Revisions, "revision"))
	}
	switch share := 100 / max(float64(fresh.New), 1); {
	case fresh.Looks == 0:
		put("freshness", "you did not look in 28 days, so there is nothing to compare")
	case fresh.New > 0:
		put("freshness", "missing at the look: %s of %s (%.1f %%); after its refresh: %s (%.1f %%)", wording.Count(fresh.Missed), wording.Plural(fresh.New, "new item"), share*float64(fresh.Missed),
			wording.Count(fresh.MissedAfter), share*float64(fresh.MissedAfter))
		put("", "at the look with the same number of fetches, evenly spaced: %.0f · hourly polling: %.0f", fresh.Evenly, fresh.Hourly)
	}
	for i, line := range ranked {
		put(map[bool]string{true: "ranked"}[i == 0], "%s", line)
	}
	var feeds []string
	for _, f := range []struct {
		n    int
		what string
	}{{st.Trouble, "in trouble"}, {st.Silent, "silent for 60 days"}, {st.NeverOpened, "never opened"}} {
		if f.n > 0 {
			feeds = append(feeds, wording.Count(f.n)+" "+f.what)
		}
	}
	if len(feeds) == 0 {
		feeds = append(feeds, "all well, all read")
	}
	put("feeds", "%s (diurna stats --feeds)", strings.Join(feeds, " · "))
}

// rankedLines say how high Ranked puts, or would have put, what was opened: first what
// decides whether it is offered, then what stood on the first screen.
func rankedLines(h *reader.Hindsight, on bool) []string {
	if h.Total < reader.OpensNeeded {
		return []string{fmt.Sprintf("needs %d opened items to learn from; you have opened %d", reader.OpensNeeded, h.Total)}
	}
	state := "off. Had it been on: "
	if on {
		state = "on. Of what you opened: "
	}
	if h.Opens == 0 {
		return []string{strings.TrimSuffix(state, " Had it been on: ") + " nothing was opened in 28 days"}
	}
	var lines []string
	if h.Looks > 1 {
		ranked, newest := h.Means()
		lines = append(lines, fmt.Sprintf("%snDCG@10 of what you opened %s, newest first %s", state, ranked, newest),
			fmt.Sprintf("%s over %s with 95 %% confidence: above 0 it is better", h.Interval(), wording.Plural(h.Looks, "look")))
		state = ""
	}
	lines = append(lines, fmt.Sprintf("%s%s of your %s on the first screen, newest first %s", state, wording.Count(h.Ranked), wording.Plural(h.Opens, "open"), wording.Count(h.Newest)),
		fmt.Sprintf("%d rows a screen, replayed over your own log", h.Rows))
	if h.Judged > 0 {
		lines = append(lines, fmt.Sprintf("chances said before each week were off by %s on average (%s)", wording.Share(h.CalibrationError, true), wording.Plural(h.Judged, "row")))
	}
	return lines
}

// busiest names the two hours of the day, each with its neighbour, in which
// most looks fall: "7-9 and 21-23". Too few looks have no habit.
func busiest(hours [24]int) string {
	left := hours
	total := 0
	for _, n := range hours {
		total += n
	}
	if total < 5 {
		return ""
	}
	var starts []int
	for len(starts) < 2 {
		best, at := 0, -1
		for h := range left {
			// At a tie the later: of hours that stand alone the window begins with them.
			if n := left[h] + left[(h+1)%24]; n > 0 && n >= best {
				best, at = n, h
			}
		}
		// A second time is one only if it holds a fifth of all looks.
		if at < 0 || len(starts) == 1 && best*5 < total {
			break
		}
		starts = append(starts, at)
		left[at], left[(at+1)%24] = 0, 0
	}
	if len(starts) == 2 && starts[0] > starts[1] {
		starts[0], starts[1] = starts[1], starts[0]
	}
	words := make([]string, len(starts))
	for i, h := range starts {
		words[i] = fmt.Sprintf("%d-%d", h, (h+1)%24+1)
	}
	return strings.Join(words, " and ")
}

type statsObject struct {
	Feeds       int     `json:"feeds"`
	Items       int     `json:"items"`
	Bytes       int64   `json:"bytes"`
	Days        int     `json:"days"`
	Looks       int     `json:"looks"`
	LookHours   [24]int `json:"look_hours"`
	Opened      int     `json:"opened"`
	Shown       int     `json:"shown"`
	Requests    int     `json:"requests"`
	NotChanged  int     `json:"not_changed"`
	Hourly      int     `json:"hourly_polling"`
	Trouble     int     `json:"trouble"`
	Silent      int     `json:"silent"`
	NeverOpened int     `json:"never_opened"`
	Ranked      struct {
		On     bool `json:"on"`
		Opens  int  `json:"opens"`
		First  int  `json:"on_first_screen"`
		Newest int  `json:"newest_first"`
		Rows   int  `json:"rows"`

		Looks  int     `json:"looks"`
		NDCG   float64 `json:"ndcg_10"`
		Plain  float64 `json:"ndcg_10_newest_first"`
		Gain   float64 `json:"gain"`
		Low    float64 `json:"gain_low"`
		High   float64 `json:"gain_high"`
		Judged int     `json:"calibration_rows"`
		Off    float64 `json:"calibration_error"`
	} `json:"ranked"`
	Freshness freshObject `json:"freshness"`
	Pages     pagesObject `json:"pages"`
}

// pagesObject is what the watches want and what serves it.
type pagesObject struct {
	Pages       int     `json:"pages"`
	Watches     int     `json:"wanted"`
	Addresses   int     `json:"requests"`
	Utilisation float64 `json:"utilisation"`
	Revisions   int     `json:"revisions"`
}

// freshObject is what was missing at looks: of the new items, after the refresh
// that the look starts, with the same number of requests evenly spaced, and with
// hourly polling.
type freshObject struct {
	New            int     `json:"new"`
	Missed         int     `json:"missed"`
	MissedAfter    int     `json:"missed_after"`
	Evenly         float64 `json:"evenly_missed"`
	Hourly         float64 `json:"hourly_missed"`
	HourlyRequests int     `json:"hourly_requests"`
	Looks          int     `json:"looks"`
}

func statsJSON(st *reader.Stats, f *reader.Freshness, h *reader.Hindsight, on bool) statsObject {
	o := statsObject{Feeds: st.Feeds, Items: st.Items, Bytes: st.Bytes, Days: 28, Looks: st.Looks, LookHours: st.LookHours, Opened: st.Opened,
		Shown: st.Shown, Requests: st.Requests, NotChanged: st.NotChanged, Hourly: st.Hourly, Trouble: st.Trouble, Silent: st.Silent, NeverOpened: st.NeverOpened}
	o.Ranked.On, o.Ranked.Opens, o.Ranked.First, o.Ranked.Newest, o.Ranked.Rows = on, h.Opens, h.Ranked, h.Newest, h.Rows
	r := &o.Ranked
	r.Looks, r.NDCG, r.Plain, r.Gain, r.Low, r.High, r.Judged, r.Off = h.Looks, h.NDCG, h.NDCGNewest, h.Gain, h.Low, h.High, h.Judged, h.CalibrationError
	o.Freshness = freshObject{f.New, f.Missed, f.MissedAfter, f.Evenly, f.Hourly, f.HourlyRequests, f.Looks}
	o.Pages = pagesObject{st.Pages, st.Watches, st.Addresses, st.Utilisation, st.Revisions}
	return o
}

// statJSON is a row of stats --feeds for scripts; absent things are null.
type statJSON struct{ f *reader.FeedStats }

func (j statJSON) MarshalJSON() ([]byte, error) {
	f, share := j.f, (*float64)(nil)
	if part, ok := f.Attention.Share(); ok {
		share = &part
	}
	return json.Marshal(struct {
		ID         string         `json:"id"`
		Feed       string         `json:"feed"`
		PostsWeek  float64        `json:"posts_week"`
		Opened     int            `json:"opened"`
		Shown      int            `json:"shown"`
		LastOpened wording.Moment `json:"last_opened"`
		Posts      int            `json:"posts_28d"`
		RecentOpen int            `json:"opened_28d"`
		Of         int            `json:"offered_28d"`
		Share      *float64       `json:"share_28d"`
		Requests   int            `json:"requests_28d"`
		NotChanged int            `json:"not_changed_28d"`
		KB         int            `json:"kb_28d"`
		Missed     int            `json:"missed"`
		After      int            `json:"missed_after"`
		State      string         `json:"state"`
	}{f.Feed.Key.String(), plain.Line(f.Feed.Title, 0), f.PostsPerWeek, f.Opened, f.Shown, wording.Moment{Time: f.LastOpened}, f.Attention.Posts, f.Attention.Opened, f.Attention.Offered, share, f.Requests, f.NotChanged, f.KB, f.Missed, f.MissedAfter, f.Feed.State.String()})
}
