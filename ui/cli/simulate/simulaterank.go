package simulate

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader/replay"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
)

// ownWorld is a world of one's own as the flags give it.
type ownWorld struct {
	topics, rows, turns, drift int
	theta                      string
}

func (s *Commands) simulateRankCommand() *cobra.Command {
	var (
		o   replay.RankOptions
		own ownWorld
	)
	c := &cobra.Command{
		Use:   "rank",
		Short: "what to show first: every strategy before the same readers",
		Long: `Worlds: ` + strings.Join(replay.RankWorlds(), " ") + `.
Strategies: ` + strings.Join(replay.RankStrategies(), " ") + `;
paper-L takes any L, and paper-0 is greedy. A world of your own is --theta: the
chance of opening each topic, such as 7x.95,13x.5,25x0, or one number for all of
--topics. The same seed gives the same bytes.`,
		Example:     "  diurna simulate rank\n  diurna simulate rank --theta 3x.9,17x.1 --rows 5 --strategy greedy,ours --json",
		Annotations: arguments.Exits("0 done · 1 no such name or world · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Users < 0 {
				return exit.Usage("diurna simulate rank --users 300", "%d people cannot read", o.Users)
			}
			w, err := own.world(c.Flags().Changed)
			if err != nil {
				return err
			}
			o.Own = w
			rep, err := replay.Rank(c.Context(), o)
			if err != nil {
				return err
			}
			if s.JSON {
				return rep.WriteJSON(s.Out)
			}
			return rep.WriteText(s.Out)
		},
	}
	f := c.Flags()
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of the people and their answers")
	f.IntVar(&o.Users, "users", 0, "`N` simulated people (300, in large worlds 100)")
	f.StringSliceVar(&o.Worlds, "world", nil, "only the worlds `NAMES`")
	f.StringSliceVar(&o.Strategies, "strategy", nil, "only the strategies `NAMES`")
	f.StringVar(&own.theta, "theta", "", "a world of your own: `CHANCES` of opening each topic")
	f.IntVar(&own.topics, "topics", 0, "its topics, `K` of them")
	f.IntVar(&own.rows, "rows", 7, "`N` rows of a screen in it (7)")
	f.IntVar(&own.turns, "turns", 100, "`N` screens in it (100), one after the other")
	f.IntVar(&own.drift, "drift", 0, "its best two topics change places with the last two every `TURNS`")
	return c
}

// world is the world that the flags describe, nil if none of them does.
func (o *ownWorld) world(given func(string) bool) (*replay.RankWorld, error) {
	const example = "diurna simulate rank --topics 20 --rows 5 --theta .3"
	if o.theta == "" {
		for _, name := range []string{"topics", "rows", "turns", "drift"} {
			if given(name) {
				return nil, exit.Usage(example, "--%s needs --theta", name)
			}
		}
		return nil, nil
	}
	theta, err := replay.ParseTheta(o.theta)
	if err != nil {
		return nil, exit.Usage(example, "--theta: %v", err)
	}
	if len(theta) == 1 && o.topics > 1 {
		if theta, err = replay.ParseTheta(fmt.Sprintf("%dx%s", o.topics, strings.TrimSpace(o.theta))); err != nil {
			return nil, exit.Usage(example, "--topics: %v", err)
		}
	}
	if given("topics") && o.topics != len(theta) {
		return nil, exit.Usage(example, "--topics is %d, but --theta names %d", o.topics, len(theta))
	}
	rows := o.rows
	if !given("rows") {
		rows = min(rows, len(theta))
	}
	if rows < 1 || rows > len(theta) {
		return nil, exit.Usage(example, "--rows goes from 1 to the number of topics, %d", len(theta))
	}
	if o.turns < 1 || o.drift < 0 {
		return nil, exit.Usage(example, "--turns and --drift count screens")
	}
	return &replay.RankWorld{Name: "own", Theta: theta, Rows: rows, Turns: o.turns, Drift: o.drift}, nil
}
