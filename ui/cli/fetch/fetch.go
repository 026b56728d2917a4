// Package fetch holds the commands that fetch, and that say when a feed is fetched
// and why. Fetcher is the reader that the screen and run fetch through.
package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/library"
	"diurna/ui/cli/session"
)

// Commands are those that fetch, and say when and why.
type Commands struct {
	*session.Session

	strict bool // fetch names what failed
}

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "fetch", Build: s.fetchCommand},
		{Name: "run", Build: s.runCommand},
		{Name: "plan", Build: s.planCommand},
		{Name: "why", Build: s.whyCommand},
	}
}

func (s *Commands) fetchCommand() *cobra.Command {
	var q reader.FetchRequest
	c := &cobra.Command{
		Use:   "fetch [FEED…]",
		Short: "fetch what is due, or the feeds named",
		Long: `Without FEED: one step of the plan, for cron; silent when nothing is new to say.
A feed that fails is marked as such, which is not an error of the command; doctor lists it.
What a publisher asked to wait for is waited for, named or not.`,
		Example:     "  */10 * * * *  diurna fetch       in a crontab\n  diurna fetch harbour",
		Annotations: arguments.Exits("0 done, or too soon · 1 none of those named · 2 wrong usage · 3 some failed (named ones, or --strict) · 4 busy · 5 damaged or newer"),
		RunE: func(c *cobra.Command, args []string) error {
			if q.All && len(args) > 0 {
				return exit.Usage("diurna fetch --all, or diurna fetch FEED", "diurna fetch takes either feeds or --all")
			}
			lib, err := s.Library("fetch")
			if err != nil {
				return err
			}
			last, missed := s.eachNamed(c.Context(), lib, args, &q)
			if len(args) > 0 && len(q.Feeds) == 0 {
				return missed
			}
			rep, err := s.Fetch(c.Context(), lib, q, last)
			if err != nil {
				return err
			}
			if !rep.Elsewhere { // the process that serves others makes the day's backup itself
				if err := library.Daily(c.Context(), lib.Maintenance(), s.Places().Library, time.Now()); err != nil {
					slog.Warn("the daily backup failed", "error", err) // what was fetched is kept all the same
				} else if say, err := lib.Retain(c.Context()); err != nil { // after the backup, which has the texts
					slog.Warn("texts could not be removed", "error", err)
				} else if say != "" {
					s.Talk("%s", say)
				}
			}
			return s.fetchCode(rep, len(args), missed, s.strict)
		},
	}
	c.ValidArgsFunction = s.CompleteFeeds(0)
	c.Flags().BoolVar(&q.All, "all", false, "fetch every feed that may be fetched now, due or not")
	c.Flags().BoolVar(&s.strict, "strict", false, "end with code 3 when a feed failed or was cut short, and say which")
	return c
}

// eachNamed puts the feeds named on the line into q and says when each was
// fetched last; last is nil when none was named.
func (s *Commands) eachNamed(ctx context.Context, lib *reader.Reader, args []string, q *reader.FetchRequest) (last map[reader.FeedID]time.Time, missed error) {
	if len(args) == 0 {
		return nil, nil
	}
	last = map[reader.FeedID]time.Time{}
	missed = s.Each(ctx, args, func(ctx context.Context, name string) error {
		f, err := lib.FindFeed(ctx, name)
		if err == nil {
			q.Feeds = append(q.Feeds, f.Key)
			last[f.Key] = f.LastFetch
		}
		return err
	})
	return last, missed
}

// fetchCode is the exit code of a finished fetch. Failing feeds are data unless
// they were named or --strict is given.
func (s *Commands) fetchCode(rep reader.FetchReport, named int, missed error, strict bool) error {
	cut := false // some came in part
	for i := range rep.Results {
		cut = cut || rep.Results[i].Outcome != reader.OutcomeFailed && rep.Results[i].Err != ""
	}
	switch {
	case strict && cut:
		return exit.Reported(exit.Partly)
	case named == 0 && (!strict || rep.Failed == 0):
		return nil
	case named == 0:
		return exit.Reported(exit.Partly)
	case rep.Failed == 0:
		return missed
	case missed == nil && rep.Failed == named:
		return exit.Reported(exit.Error)
	}
	return exit.Reported(exit.Partly)
}

// Fetch fetches and prints a line for each feed that was named or
// has something new, and progress only on a terminal. last says when the
// named feeds were fetched before.
func (s *Commands) Fetch(ctx context.Context, lib *reader.Reader, q reader.FetchRequest, last map[reader.FeedID]time.Time) (reader.FetchReport, error) {
	named := last != nil
	p := s.Progress("fetching")
	rep, err := lib.Fetch(ctx, q, p.Step)
	p.End()
	for i := range rep.Results {
		res := &rep.Results[i]
		if s.JSON {
			if err := s.PrintJSON(fetchJSON{res}); err != nil {
				return rep, err
			}
			continue
		}
		if named || s.Env.Lively || s.strict && res.Err != "" {
			if line := fetchLine(res, s.Clock(), named, last[res.Feed]); line != "" {
				s.Talk("%s", line)
			}
			if res.Lost != "" {
				s.Talk("%s", res.Lost)
			}
			if res.LeftOut != "" && (named || res.Outcome != reader.OutcomeNotChanged) {
				s.Talk("%s: %s", res.Title, res.LeftOut)
			}
		}
		if n := s.notice(); len(n.Command) > 0 { // who typed the command sees the rest
			n.Tell(ctx, nil, res.Reported)
		}
	}
	calls := caller{lib: lib, say: func(what string) { s.Talk("%s", what) }}
	for i := range rep.Results {
		calls.run(ctx, rep.Results[i].Called)
	}
	held := q.All && rep.Fetched == 0 && rep.Early > 0 // somebody who asked for all and got none learns why
	if err == nil && !named && !s.JSON && (s.Env.Lively || held) {
		if held {
			s.Talk("%s", heldBack(&rep, s.Clock()))
		} else {
			s.Talk("%s", fetchSum(rep))
		}
	}
	return rep, err
}

// fetchLine says how the fetch of one feed ended, "" if nobody asked for it.
func fetchLine(res *reader.FetchResult, c wording.Clock, named bool, last time.Time) string {
	next := ""
	if !res.Next.IsZero() {
		next = " (next " + c.Due(res.Next) + ")"
	}
	if res.Back != "" {
		back := fmt.Sprintf("%s: the page is back; since %s: %s", res.Title, c.Day(res.Since), res.Back)
		if res.New == 0 {
			return back + next
		}
		return back + ". " + brought(res) + next
	}
	switch res.Outcome {
	case reader.OutcomeFailed:
		return fmt.Sprintf("%s: %s, since %s%s", res.Title, res.Err, c.Day(res.Since), next)
	case reader.OutcomeEarly:
		if !named {
			return ""
		}
		if last.IsZero() {
			return fmt.Sprintf("%s was not fetched yet: %s. Next: %s, automatically.", res.Title, res.Why, c.Due(res.Next))
		}
		join := ";"
		if res.Rule == reader.RuleServer {
			join = " and"
		}
		return fmt.Sprintf("%s was fetched %s%s %s. Next: %s, automatically.", res.Title, ago(last, c), join, res.Why, c.Due(res.Next))
	case reader.OutcomeNotChanged:
		if res.Err != "" {
			return res.Title + ": " + res.Err + next
		}
		if !named {
			return ""
		}
		return res.Title + ": " + cmp.Or(res.Why, "not changed") + next
	}
	if res.Err != "" {
		return fmt.Sprintf("%s: %d new, but %s%s", res.Title, res.New, res.Err, next)
	}
	if res.New == 0 && res.Edited == 0 && !named {
		return ""
	}
	return res.Title + ": " + brought(res) + next
}

// brought says what is new: "2 new", "5 edited", "2 new, 1 edited".
func brought(res *reader.FetchResult) string {
	switch {
	case res.Edited == 0:
		return fmt.Sprintf("%d new", res.New)
	case res.New == 0:
		return fmt.Sprintf("%d edited", res.Edited)
	}
	return fmt.Sprintf("%d new, %d edited", res.New, res.Edited)
}

// ago is how long ago something was. Only this line says it, because
// somebody waits for it.
func ago(t time.Time, c wording.Clock) string {
	switch m := int(c.Now.Sub(t).Minutes()); {
	case c.Exact:
		return "at " + c.When(t)
	case t.IsZero() || m < 0:
		return "before"
	case m < 1:
		return "just now"
	case m < 60:
		return wording.Plural(m, "minute") + " ago"
	case m < 48*60:
		return wording.Plural(m/60, "hour") + " ago"
	}
	return "on " + c.Day(t)
}

// fetchSum sums up a whole fetch, each feed in one of its numbers: "41 fetched, 12 up to date, 3 waiting, 3 failed. 12 new."
func fetchSum(rep reader.FetchReport) string {
	if rep.Elsewhere {
		return fmt.Sprintf("another process fetched: %d new.", rep.New)
	}
	line := fmt.Sprintf("%s fetched", wording.Count(rep.Fetched-rep.Failed))
	if hour := rep.Early - rep.Waiting; hour > 0 {
		line += fmt.Sprintf(", %s up to date", wording.Count(hour))
	}
	if rep.Waiting > 0 {
		line += fmt.Sprintf(", %s waiting", wording.Count(rep.Waiting))
	}
	if rep.Failed > 0 {
		line += fmt.Sprintf(", %s failed (diurna doctor says why)", wording.Count(rep.Failed))
	}
	return line + fmt.Sprintf(". %s new.", wording.Count(rep.New))
}

// heldBack says that nothing was fetched, and when something is.
func heldBack(rep *reader.FetchReport, c wording.Clock) string {
	var first time.Time
	for i := range rep.Results {
		if next := rep.Results[i].Next; !next.IsZero() && (first.IsZero() || next.Before(first)) {
			first = next
		}
	}
	line := "nothing fetched: " + wording.Plural(rep.Early, "feed") + " skipped: fetched recently, or the server asked to wait"
	if !first.IsZero() {
		line += "; next fetch: " + c.Due(first)
	}
	return line + ". diurna why FEED says more."
}

// fetchJSON is a feed's result for scripts.
type fetchJSON struct{ r *reader.FetchResult }

func (f fetchJSON) MarshalJSON() ([]byte, error) {
	r := f.r
	text := func(s string) *string {
		if s = plain.Line(s, 0); s == "" {
			return nil
		}
		return &s
	}
	return json.Marshal(struct {
		FeedID  string         `json:"feed_id"`
		Feed    string         `json:"feed"`
		Outcome string         `json:"outcome"`
		New     int            `json:"new"`
		Edited  int            `json:"edited"`
		Bytes   int64          `json:"bytes"`
		Took    float64        `json:"seconds"`
		Error   *string        `json:"error"`
		Since   wording.Moment `json:"since"`
		Next    wording.Moment `json:"next_fetch"`
		Why     *string        `json:"why"`
	}{r.Feed.String(), plain.Line(r.Title, 0), r.Outcome.String(), r.New, r.Edited, r.Bytes, r.Took.Seconds(),
		text(r.Err), wording.Moment{Time: r.Since}, wording.Moment{Time: r.Next}, text(r.Why)})
}
