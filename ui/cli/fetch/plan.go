package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/replay"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/simulate"
	"diurna/ui/cli/table"
)

func (s *Commands) planCommand() *cobra.Command {
	var posts, accesses, at, last string
	var perFeed int
	c := &cobra.Command{
		Use:   "plan",
		Short: "say which feed is fetched when, and why",
		Long: `The fetches of the next 24 hours as the running fetcher will make them.
With --posts, --accesses and --at: as it would make them from that moment on,
knowing only what is written before it; each feed is new unless --last-fetch says
when it was fetched. A line of the files is a post, or a sign
of the reader: source,time and user,time,offset, where a time is unix seconds or
RFC 3339, the offset is minutes east of UTC, and all but the time may be missing.
Columns in a pipe: ` + table.Names(planColumns),
		Example:     "  diurna plan\n  diurna plan --json | head -3\n  diurna plan --posts posts.csv --accesses accesses.csv --at 2026-11-20T08:00:00Z --json",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if posts != "" || accesses != "" || at != "" || last != "" {
				return s.planTraces(posts, accesses, at, last, perFeed)
			}
			lib, err := s.Library("plan")
			if err != nil {
				return err
			}
			p, err := lib.Planner().Plan(c.Context(), time.Now())
			if err != nil {
				return err
			}
			if err := session.Print(s.Session, planColumns, p.Fetches); err != nil {
				return err
			}
			s.printBudget(&p)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&posts, "posts", "", "CSV `FILE` of posts to plan from, instead of the library")
	f.StringVar(&accesses, "accesses", "", "CSV `FILE` of what the reader did at the keyboard")
	f.StringVar(&at, "at", "", "plan at the moment `TIME`, with --posts and --accesses")
	f.StringVar(&last, "last-fetch", "", "when the feeds were fetched last: one `TIME`, or a CSV file of source,time")
	f.IntVar(&perFeed, "budget", 6, "`N` fetches per feed and day (6), with --posts and --accesses")
	return c
}

// planTraces plans over files.
func (s *Commands) planTraces(posts, accesses, at, last string, perFeed int) error {
	const hint = "diurna plan --posts F --accesses F --at 2026-11-20T08:00:00Z"
	if posts == "" || accesses == "" || at == "" {
		return exit.Usage(hint, "--posts, --accesses and --at go together")
	}
	now, err := replay.ParseTime(at)
	if err != nil {
		return exit.Usage(hint, "--at: %v", err)
	}
	if perFeed < 1 || perFeed > 24 {
		return exit.Usage(hint, "--budget: 1 to 24 fetches per feed and day")
	}
	var o replay.ScheduleOptions
	if err := simulate.ReadTraces(&o, posts, accesses); err != nil {
		return err
	}
	fetched, err := lastFetches(last, now)
	if err != nil {
		return err
	}
	p := replay.PlanAt(o.Posts, o.People, now, perFeed, fetched)
	for i := range p.Fetches {
		p.Fetches[i].At = p.Fetches[i].At.Local()
	}
	if err := session.Print(s.Session, traceColumns, p.Fetches); err != nil {
		return err
	}
	if p.PerDay == 0 {
		s.Talk("no feed of %s had posted by %s, so nothing is planned.", posts, now.Format(time.RFC3339))
		return nil
	}
	if p.Needed > 0 {
		s.Talk("the budget of %s a day is not enough for one fetch per feed and day; %s would.", wording.Count(p.PerDay), wording.Count(p.Needed))
	}
	s.Talk("%s planned; %s fetches a day, %s of them reserved for when the screen is opened", wording.Plural(len(p.Fetches), "fetch"), wording.Count(p.PerDay), wording.Count(p.Kept))
	return nil
}

// lastFetches reads --last-fetch: a time for all sources, or a file of source,time
// in which the last one before now counts.
func lastFetches(text string, now time.Time) (func(string) time.Time, error) {
	if text == "" {
		return nil, nil
	}
	if t, err := replay.ParseTime(text); err == nil {
		if t.After(now) {
			return nil, exit.Usage("diurna plan --last-fetch 2026-11-20T06:00:00Z --at 2026-11-20T08:00:00Z", "--last-fetch: %s is after --at", text)
		}
		return func(string) time.Time { return t }, nil
	}
	f, err := os.Open(text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exit.Usage("diurna plan --last-fetch 2026-11-20T06:00:00Z", "--last-fetch: %q is neither a time nor a file", text)
	}
	if err != nil {
		return nil, fmt.Errorf("read the last fetches: %w", err)
	}
	defer f.Close()
	list, err := replay.ReadPosts(f)
	if err != nil {
		return nil, fmt.Errorf("read the last fetches: %w", err)
	}
	times := map[string]time.Time{}
	for _, s := range list {
		for _, t := range s.Posts {
			if t <= now.Unix() {
				times[s.ID] = time.Unix(t, 0)
			}
		}
	}
	return func(id string) time.Time { return times[id] }, nil
}

// traceColumns is planColumns for sources that are names in a file.
var traceColumns = []table.Column[replay.TraceFetch]{
	{Name: "at", Field: func(f replay.TraceFetch) string { return table.Stamp(f.At) }, Head: "WHEN", Cell: func(f replay.TraceFetch, _ time.Time) string { return f.At.Format("15:04") }},
	{Name: "feed_id", Field: func(f replay.TraceFetch) string { return plain.Line(f.Source, 0) }},
	{Name: "feed", Field: func(f replay.TraceFetch) string { return plain.Line(f.Source, 0) }, Head: "FEED", Most: 24, Cell: func(f replay.TraceFetch, _ time.Time) string { return plain.Line(f.Source, 0) }},
	{Name: "nth", Field: func(f replay.TraceFetch) string { return strconv.Itoa(f.Nth) }, Head: "TODAY", Spare: 2, Cell: func(f replay.TraceFetch, _ time.Time) string { return fmt.Sprintf("%d/%d", f.Nth, f.Of) }},
	{Name: "of", Field: func(f replay.TraceFetch) string { return strconv.Itoa(f.Of) }},
	{Name: "expected_new", Field: func(f replay.TraceFetch) string { return wording.Tenth(f.Expected) }, Head: "EXPECT", Right: true, Spare: 1, Cell: func(f replay.TraceFetch, _ time.Time) string { return wording.Tenth(f.Expected) }},
	{Name: "reason", Field: func(f replay.TraceFetch) string { return f.Reason }, Head: "WHY", Cell: func(f replay.TraceFetch, _ time.Time) string { return f.Reason }},
	{Name: "not_before", Field: func(replay.TraceFetch) string { return "" }}, // no server speaks in a trace
	{Name: "not_before_by", Field: func(replay.TraceFetch) string { return "" }},
}

// printBudget says under the list what the list is made of.
func (s *Commands) printBudget(p *reader.Plan) {
	if p.PerDay == 0 {
		s.Talk("no feeds to fetch, so nothing is planned.")
		return
	}
	c := s.Clock()
	for i := range p.Waiting {
		f := &p.Waiting[i]
		next := "no longer fetched"
		if !f.NextFetch.IsZero() {
			next = "tried again " + c.Due(f.NextFetch)
		}
		s.Talk("%s: %s, since %s; %s", f.Title, f.Error, c.Day(f.Since), next)
	}
	if p.Later > 0 {
		s.Talk("nothing planned within 24 hours: %s; see diurna why FEED.", wording.Plural(p.Later, "feed"))
	}
	if p.Needed > 0 {
		s.Talk("the budget of %s a day is not enough for one fetch per feed and day; %s would.", wording.Count(p.PerDay), wording.Count(p.Needed))
	}
	s.Talk("%s of the day's %s fetches used; %s reserved for when you open the screen", wording.Count(p.Used), wording.Count(p.PerDay), wording.Count(p.Kept))
}

var planColumns = []table.Column[reader.PlannedFetch]{
	{Name: "at", Field: func(p reader.PlannedFetch) string { return table.Stamp(p.At) }, Head: "WHEN", Cell: func(p reader.PlannedFetch, now time.Time) string { return table.Due(p.At, now) }},
	{Name: "feed_id", Field: func(p reader.PlannedFetch) string { return p.Key.String() }},
	{Name: "feed", Field: func(p reader.PlannedFetch) string { return p.Feed }, Head: "FEED", Most: 24, Cell: func(p reader.PlannedFetch, _ time.Time) string { return p.Feed }},
	{Name: "nth", Field: func(p reader.PlannedFetch) string { return strconv.Itoa(p.Nth) }, Head: "TODAY", Spare: 2, Cell: func(p reader.PlannedFetch, _ time.Time) string { return fmt.Sprintf("%d/%d", p.Nth, p.Of) }},
	{Name: "of", Field: func(p reader.PlannedFetch) string { return strconv.Itoa(p.Of) }},
	{Name: "expected_new", Field: func(p reader.PlannedFetch) string { return wording.Tenth(p.Expected) }, Head: "EXPECT", Right: true, Spare: 1, Cell: func(p reader.PlannedFetch, _ time.Time) string { return wording.Tenth(p.Expected) }},
	{Name: "reason", Field: func(p reader.PlannedFetch) string { return p.Reason }, Head: "WHY", Cell: func(p reader.PlannedFetch, _ time.Time) string { return p.Why }},
	{Name: "not_before", Field: func(p reader.PlannedFetch) string { return table.Stamp(p.NotBefore) }},
	{Name: "not_before_by", Field: func(p reader.PlannedFetch) string { return p.NotBeforeBy.String() }},
}
