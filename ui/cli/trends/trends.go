// Package trends holds the commands that say what the feeds talk about.
package trends

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/trends"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Commands are those that say what the feeds talk about.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{{Name: "trends", Build: s.trendsCommand}, {Name: "digest", Build: s.digestCommand}}
}

const usualLimit = 20

func (s *Commands) trendsCommand() *cobra.Command {
	since, limit := "7d", usualLimit
	c := &cobra.Command{
		Use:   "trends",
		Short: "show what your feeds talk about",
		Long: `Links that several feeds point to come first, then words and phrases that are new,
then words that several feeds use as much as before. A word of one feed alone is never listed.
USUAL is how many items would have it by the four weeks before; TIMES says how many
times as often it is used now. Feeds that you open count for more. The first run
counts the words of all items of the last 60 days. Columns in a pipe:
` + table.Names(columns),
		Example:     "  diurna trends --since 24h\n  diurna trends --since 30d --limit 50 --json",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("trends", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			if err := arguments.WholeFlags(c, "limit"); err != nil {
				return err
			}
			now := time.Now()
			length, err := lengthOf(since, now)
			if err != nil {
				return err
			}
			if limit == 0 {
				limit = 1000
			}
			r, err := s.top(c.Context(), lib, length, now, limit)
			if err != nil {
				return err
			}
			list, err := named(c.Context(), lib, r.Trends)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				s.Talk("%s", none(&r))
				return nil
			}
			err = session.Print(s.Session, columns, list)
			if q := list[0].Query(); s.Terminal() && q != "" && err == nil {
				s.Talk("the first row as a query, for items, mute or queries add: %s", plain.Argument(q))
			}
			return err
		}),
	}
	c.Flags().StringVar(&since, "since", since, "what was posted in this `TIME`: 24h, 7d, 2w, up to 30d, or since a date")
	c.Flags().IntVar(&limit, "limit", limit, "print at most `N` links and words; 0: all")
	return c
}

// lengthOf reads a time such as 24h, or a date.
func lengthOf(text string, now time.Time) (time.Duration, error) {
	at, ok := query.ParseTime(text, now)
	switch d := now.Sub(at); {
	case !ok || d <= 0:
		return 0, exit.Usage("--since 24h", "--since %q is not a time such as 24h, 7d, 2w or a date that was", text)
	case d > trends.MaxSince+2*time.Hour: // a clock may have been set
		return 0, exit.Usage("--since 30d", "--since %s is too long ago: 30 days at most", text)
	default:
		return min(d, trends.MaxSince), nil
	}
}

// top brings the tables up to date and reads them.
func (s *Commands) top(ctx context.Context, lib *reader.Reader, since time.Duration, now time.Time, limit int) (trends.Report, error) {
	k := reader.Trends(lib)
	var r trends.Report
	for range 2 { // tables that turn out to be damaged are made again
		line := s.Progress("counting words")
		err := k.Update(ctx, now, line.Show)
		line.End()
		if err != nil {
			return r, fmt.Errorf("count the words: %w", err)
		}
		if r, err = k.Top(ctx, since, now, limit); err != nil || !r.Missing {
			return r, err
		}
	}
	if !lib.Exists() {
		return r, nil
	}
	return r, errors.New("the word counts vanished right after they were built: something removes the cache")
}

// none says why there is no trend.
func none(r *trends.Report) string {
	since := r.Since.Local().Format(clock) + r.Aside
	switch {
	case r.Items == 0:
		return fmt.Sprintf("nothing was posted since %s.", since)
	case r.Feeds < 2:
		return "one feed alone posted" + r.Aside + "; a trend needs two."
	}
	return fmt.Sprintf("no link or word is in items of several feeds: %s of %s since %s.", wording.Plural(r.Items, "item"), wording.Plural(r.Feeds, "feed"), since)
}

// row is a trend with the name of the feed that had it first.
type row struct {
	trends.Trend
	first reader.Feed
	link  string // in a digest
}

// named finds the feeds that had trends first.
func named(ctx context.Context, lib *reader.Reader, list []trends.Trend) ([]row, error) {
	feeds, err := lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	of := make(map[reader.FeedID]reader.Feed, len(feeds))
	for i := range feeds {
		of[feeds[i].Key] = feeds[i]
	}
	rows := make([]row, len(list))
	for i := range list {
		rows[i] = row{Trend: list[i], first: of[list[i].First.Feed()]}
	}
	return rows, nil
}

// columns is how `trends` prints.
var columns = []table.Column[row]{
	{Name: "kind", Field: func(r row) string { return r.Kind.String() }, Head: "KIND", Cell: func(r row, _ time.Time) string { return r.Kind.String() }},
	{Name: "what", Field: func(r row) string { return r.What }},
	{Name: "items", Field: func(r row) string { return strconv.Itoa(r.Items) }, Head: "ITEMS", Right: true, Cell: func(r row, _ time.Time) string { return wording.Count(r.Items) }},
	{Name: "feeds", Field: func(r row) string { return strconv.Itoa(r.Feeds) }, Head: "FEEDS", Right: true, Cell: func(r row, _ time.Time) string { return wording.Count(r.Feeds) }},
	{Name: "usual", Field: func(r row) string { return wording.Tenth(r.Usual) }, Head: "USUAL", Right: true, Spare: 3, Cell: func(r row, _ time.Time) string { return wording.Tenth(r.Usual) }},
	{Name: "times", Field: func(r row) string { return timesField(&r) }, Head: "TIMES", Right: true, Spare: 2, Cell: func(r row, _ time.Time) string { return trends.SayTimes(&r.Trend) }},
	{Name: "daily", Field: func(r row) string { return daily(&r) }, Head: "LAST 14 DAYS", Spare: 4, Cell: func(r row, _ time.Time) string { return r.Spark() }},
	{Name: "first_feed", Field: func(r row) string { return r.first.Key.String() }, Head: "FIRST IN", Most: 34, Spare: 1, Cell: func(r row, now time.Time) string {
		return plain.Line(r.first.Title, 60) + ", " + table.When(r.FirstAt, now)
	}},
	{Name: "first_item", Field: func(r row) string { return r.First.String() }},
	{Name: "also", Field: func(r row) string { return strings.Join(r.Also, ",") }, Head: "WHAT", Cell: func(r row, _ time.Time) string { return trends.Say(&r.Trend) }},
	{Name: "query", Field: func(r row) string { return r.Query() }},
}

// timesField is Times for scripts, empty where a term was never used before.
func timesField(r *row) string {
	if r.Times() == 0 {
		return ""
	}
	return wording.Tenth(r.Times())
}

// daily is Daily for scripts.
func daily(r *row) string {
	days := make([]string, len(r.Daily))
	for i, n := range r.Daily {
		days[i] = strconv.Itoa(n)
	}
	return strings.Join(days, ",")
}

// MarshalJSON writes all that is known of a trend.
func (r row) MarshalJSON() ([]byte, error) {
	items := make([]string, len(r.Newest))
	for i, id := range r.Newest {
		items[i] = id.String()
	}
	var spread *float64
	if r.Spreads {
		spread = &r.Spread
	}
	return json.Marshal(struct {
		Kind        string         `json:"kind"`
		What        string         `json:"what"`
		Also        []string       `json:"also"`
		Items       int            `json:"items"`
		Feeds       int            `json:"feeds"`
		Usual       float64        `json:"usual"`
		Times       float64        `json:"times"`
		Burst       float64        `json:"burst"`
		Specificity float64        `json:"specificity"`
		Spread      *float64       `json:"spread"`
		Trust       float64        `json:"trust"`
		Score       float64        `json:"score"`
		Daily       []int          `json:"daily"`
		FirstFeed   string         `json:"first_feed_id"`
		FirstItem   string         `json:"first_item"`
		FirstAt     wording.Moment `json:"first_at"`
		Newest      []string       `json:"newest"`
		Query       string         `json:"query"`
	}{r.Kind.String(), plain.Line(r.What, 0), plain.Lines(r.Also), r.Items, r.Feeds, r.Usual, r.Times(), r.Burst, r.Specific, spread, r.Trust, r.Score,
		r.Daily[:], r.first.Key.String(), r.First.String(), wording.Moment{Time: r.FirstAt}, items, r.Query()})
}
