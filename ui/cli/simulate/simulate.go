// Package simulate holds the command that replays traces through the policies.
package simulate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader/replay"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

// Commands are those that replay traces.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "simulate", Build: s.simulateCommand},
	}
}

func (s *Commands) simulateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:         "simulate",
		Short:       "replay traces through policies",
		Example:     "  diurna simulate schedule\n  diurna simulate rank\n  diurna simulate words",
		Annotations: arguments.Exits("0 done · 1 a trace that cannot be read · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(*cobra.Command, []string) error {
			return exit.Usage("diurna simulate schedule", "simulate needs a subcommand")
		},
	}
	c.AddCommand(s.simulateScheduleCommand(), s.simulateRankCommand(), s.simulateWordsCommand(), s.simulateMonitorCommand(), s.simulateAggregateCommand(), s.simulateEstimateCommand(), s.simulateAdviceCommand())
	return c
}

func (s *Commands) simulateScheduleCommand() *cobra.Command {
	var (
		o                      replay.ScheduleOptions
		posts, accesses, until string
	)
	c := &cobra.Command{
		Use:   "schedule",
		Short: "when to fetch: every policy over the same posts and looks",
		Long: `Without files a small made-up trace is replayed. Files are CSV: posts as
source,time and accesses as user,time,utc_offset in minutes; a time is unix
seconds or RFC 3339.
Policies: ` + strings.Join(replay.Policies(), " ") + ".",
		Example:     "  diurna simulate schedule\n  diurna simulate schedule --posts posts.csv --accesses accesses.csv --json",
		Annotations: arguments.Exits("0 done · 1 a trace that cannot be read · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if (posts == "") != (accesses == "") {
				return exit.Usage("diurna simulate schedule --posts F --accesses F", "--posts and --accesses go together")
			}
			if err := checkSchedule(&o); err != nil {
				return err
			}
			var err error
			if until != "" {
				if o.Until, err = time.Parse(time.DateOnly, until); err != nil {
					return exit.Usage("diurna simulate schedule --until 2026-11-02", "%q is not a date", until)
				}
			}
			if posts != "" {
				if err := ReadTraces(&o, posts, accesses); err != nil {
					return err
				}
			}
			rep, err := replay.Schedule(c.Context(), o)
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(rep)
			}
			return rep.WriteText(s.Out)
		},
	}
	f := c.Flags()
	f.StringVar(&posts, "posts", "", "CSV `FILE` of posts")
	f.StringVar(&accesses, "accesses", "", "CSV `FILE` of what people did at the keyboard")
	f.StringSliceVar(&o.Policies, "policy", nil, "only the policies `NAMES`")
	f.IntSliceVar(&o.Budgets, "budget", nil, "`N` fetches per feed and day, 1 to 24 (2,3,4,5)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of the sample and of the made-up trace")
	f.IntVar(&o.Samples, "samples", 5, "`N` samples for the running planner's table, 1 to 20 (5)")
	f.StringVar(&until, "until", "", "leave out weeks that end after `DATE`")
	f.BoolVar(&o.Full, "full", false, "every pair of a source and a person, however long that takes")
	return c
}

// checkSchedule finds wrong words on the line.
func checkSchedule(o *replay.ScheduleOptions) error {
	for _, name := range o.Policies {
		if !slices.Contains(replay.Policies(), name) {
			return exit.Usage("policies: "+strings.Join(replay.Policies(), " "), "policy %q is not known", name)
		}
	}
	if o.Samples < 1 || o.Samples > 20 {
		return exit.Usage("diurna simulate schedule --samples 5", "--samples %d: 1 to 20", o.Samples)
	}
	for _, m := range o.Budgets {
		if m < 1 || m > 24 {
			return exit.Usage("diurna simulate schedule --budget 2,4", "budget %d: 1 to 24 fetches per feed and day", m)
		}
	}
	return nil
}

func ReadTraces(o *replay.ScheduleOptions, posts, accesses string) error {
	f, err := os.Open(posts)
	if err != nil {
		return fmt.Errorf("read the posts: %w", err)
	}
	defer f.Close()
	if o.Posts, err = replay.ReadPosts(f); err != nil {
		return fmt.Errorf("read the posts: %w", err)
	}
	g, err := os.Open(accesses)
	if err != nil {
		return fmt.Errorf("read the accesses: %w", err)
	}
	defer g.Close()
	if o.People, err = replay.ReadAccesses(g); err != nil {
		return fmt.Errorf("read the accesses: %w", err)
	}
	return nil
}
