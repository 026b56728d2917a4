package simulate

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"diurna/reader/papers"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
)

// limit is what a flag takes, as a whole number.
type limit struct {
	flag        string
	least, most int
}

var (
	wordsLimits     = []limit{{"topics", 0, 200}, {"runs", 1, 100}, {"top", 0, 1e9}, {"least", 0, 1e9}}
	monitorLimits   = []limit{{"weeks", 1, 52}, {"window", 1, 1000}, {"shown", 1, 1000}}
	aggregateLimits = []limit{{"readers", 1, 20000}, {"feeds", 2, 20000}, {"items", 1, 20000}, {"references", 1, 5_000_000}}
	estimateLimits  = []limit{{"weeks", 1, 52}, {"shown", 1, 1000}}
)

// paperCommand is a command that plays methods of a paper; run has its report.
func (s *Commands) paperCommand(use, short, long, example string, run func(*cobra.Command) (*papers.Report, error), limits []limit) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example,
		Annotations: arguments.Exits("0 done · 1 a file that cannot be read · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			for _, l := range limits {
				if n, err := c.Flags().GetInt(l.flag); err == nil && (n < l.least || n > l.most) {
					return exit.Usage(c.CommandPath()+" --help", "--%s %d: %d to %d", l.flag, n, l.least, l.most)
				}
			}
			rep, err := run(c)
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(rep)
			}
			return rep.WriteText(s.Out)
		},
	}
	return c
}

// noFile is how commands end that read no file.
var noFile = arguments.Exits("0 done · 2 wrong usage")

const maxTable = 256 << 20 // bytes

// readTable reads a file for which an error names the line.
func (s *Commands) readTable(name string, read func(io.Reader) error) error {
	doc, err := s.ReadFile(name, maxTable, nil)
	if err != nil {
		return err
	}
	if err := read(bytes.NewReader(doc)); err != nil {
		return fmt.Errorf("%s, %w", filepath.Base(name), err)
	}
	return nil
}

// readStreams reads a file of posts, if one is named.
func (s *Commands) readStreams(name string, out *[]papers.Stream) error {
	if name == "" {
		return nil
	}
	return s.readTable(name, func(r io.Reader) (err error) {
		*out, err = papers.ReadStreams(r)
		return err
	})
}

func (s *Commands) simulateWordsCommand() *cobra.Command {
	var (
		o    papers.WordsOptions
		file string
	)
	c := s.paperCommand("words", "which words are specific, emerging and stable", `The measures of Sia 2009, chapter 5, on a table of words. Without --counts a made-up
table is taken, of which it is known what each word is. A table has a heading, and
commas or tabs between its columns: word,document,before,after with how often a word
was used for a document up to two moments; or word,topic,before,after with its topics;
or word,h1,h2,c1,c2 with the entropies of its documents and its uses.`,
		"  diurna simulate words\n  diurna simulate words --counts tags.csv --top 0 --json",
		func(c *cobra.Command) (*papers.Report, error) {
			if o.Topics == 1 {
				return nil, exit.Usage("diurna simulate words --topics 2", "--topics 1: 2 to 200, or 0")
			}
			if file != "" {
				err := s.readTable(file, func(r io.Reader) (err error) {
					o.Counts, err = papers.ReadCounts(r)
					return err
				})
				if err != nil {
					return nil, err
				}
				if !c.Flags().Changed("least") && o.Counts.Chances() {
					o.Least = 0
				}
			}
			return papers.Words(c.Context(), o)
		}, wordsLimits)
	f := c.Flags()
	f.StringVar(&file, "counts", "", "the table in `FILE`; - is stdin")
	f.IntVar(&o.Top, "top", 10, "`N` rows of each table (10); 0: all")
	f.IntVar(&o.Least, "least", 8, "leave out words with fewer uses than `N`, or fewer new ones if emerging (8; 0 for p(z|w))")
	f.IntVar(&o.Topics, "topics", 0, "`N` topics of LDA; 0: one for every 10 documents, 2 to 50 (at most 200)")
	f.IntVar(&o.Runs, "runs", 3, "the median of `N` runs of LDA counts (3)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of LDA and of the made-up table")
	return c
}

func (s *Commands) simulateMonitorCommand() *cobra.Command {
	var (
		o    papers.MonitorOptions
		file string
	)
	c := s.paperCommand("monitor", "which channels to probe, by how often they post and what is novel", `The policies of Roitman, Carmel and Yom-Tov 2008 beside the planner of this program.
Without --posts a small made-up trace is played. A file has an item a line:
source,time,text, with commas or tabs between; a time is unix seconds or RFC 3339.
Where no line has a text, texts are made up.`,
		"  diurna simulate monitor\n  diurna simulate monitor --posts posts.csv --budget 2 --json",
		func(c *cobra.Command) (*papers.Report, error) {
			for _, b := range o.Budgets {
				if !(b > 0 && b <= 24) {
					return nil, exit.Usage("diurna simulate monitor --budget 1,2", "--budget %g: above 0, at most 24 probes per channel and day", b)
				}
			}
			if !(math.Abs(o.Beta) <= 100) {
				return nil, exit.Usage("diurna simulate monitor --help", "--beta %g: -100 to 100", o.Beta)
			}
			if err := s.readStreams(file, &o.Streams); err != nil {
				return nil, err
			}
			return papers.Monitor(c.Context(), o)
		}, monitorLimits)
	f := c.Flags()
	f.StringVar(&file, "posts", "", "items in `FILE`; - is stdin")
	f.Float64SliceVar(&o.Budgets, "budget", nil, "`N` probes per channel and day (1,2,4)")
	f.Float64Var(&o.Beta, "beta", .1, "`B` of the novelty filter, in deviations (.1)")
	f.IntVar(&o.Weeks, "weeks", 4, "the first `N` weeks (4)")
	f.IntVar(&o.Window, "window", 20, "profiles of the last `N` items (20)")
	f.IntVar(&o.Shown, "shown", 20, "a feed's document holds `N` items (20)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of what is made up or drawn")
	return c
}

func (s *Commands) simulateAggregateCommand() *cobra.Command {
	var o papers.AggregateOptions
	c := s.paperCommand("aggregate", "what the feeds of many readers mention most: on the fly, by views, by factors", `The methods of Sia 2009, chapter 4, on made-up subscriptions of many readers: the entries
of tables that an update and a query cost, with the Threshold Algorithm, how much of
the top 20 a factorisation gets right, and where the methods cross over.`,
		"  diurna simulate aggregate\n  diurna simulate aggregate --readers 2000 --rank 40,80,120 --json",
		func(c *cobra.Command) (*papers.Report, error) {
			for _, k := range o.Ranks {
				if k < 2 || k > 200 {
					return nil, exit.Usage("diurna simulate aggregate --rank 20,40", "--rank %d: 2 to 200", k)
				}
			}
			if o.Readers*o.Items > 100_000_000 {
				return nil, exit.Usage("diurna simulate aggregate --readers 2000", "at most 100,000,000 readers × items")
			}
			return papers.Aggregate(c.Context(), o)
		}, aggregateLimits)
	c.Annotations = noFile
	f := c.Flags()
	f.IntVar(&o.Readers, "readers", 600, "`N` readers (600)")
	f.IntVar(&o.Feeds, "feeds", 800, "`N` feeds (800)")
	f.IntVar(&o.Items, "items", 2000, "`N` items that feeds mention (2000)")
	f.IntVar(&o.References, "references", 30000, "feeds mention items `N` times (30000)")
	f.IntSliceVar(&o.Ranks, "rank", nil, "`N` groups of the factorisation (10,20,40,80)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of the made-up subscriptions")
	return c
}

func (s *Commands) simulateEstimateCommand() *cobra.Command {
	var (
		o    papers.EstimateOptions
		file string
	)
	c := s.paperCommand("estimate", "how well a feed's rate is estimated from what fetches find", `The single and the periodic estimator of Horincar, Amann and Artières 2012, by the shape
of a feed's day, and what full documents leave of them. Without --posts a small made-up
trace is played; a file has a post a line, source,time.`,
		"  diurna simulate estimate\n  diurna simulate estimate --posts posts.csv --json",
		func(c *cobra.Command) (*papers.Report, error) {
			if !(o.Least > 0) {
				return nil, exit.Usage("diurna simulate estimate --help", "--least %g: above 0", o.Least)
			}
			if err := s.readStreams(file, &o.Streams); err != nil {
				return nil, err
			}
			return papers.Estimate(c.Context(), o)
		}, estimateLimits)
	f := c.Flags()
	f.StringVar(&file, "posts", "", "posts in `FILE`; - is stdin")
	f.Float64Var(&o.Least, "least", 10, "feeds with `N` posts a day and more (10)")
	f.IntVar(&o.Weeks, "weeks", 8, "the first `N` weeks (8), half of them to learn")
	f.IntVar(&o.Shown, "shown", 20, "a feed's document holds `N` items (20)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of what is made up or drawn")
	return c
}

func (s *Commands) simulateAdviceCommand() *cobra.Command {
	var (
		o    papers.AdviceOptions
		pays []float64
	)
	c := s.paperCommand("advice", "whether to suggest a setting of a watched page", `The game of Saeyor and Ishizuka: p0 is the chance of improvement when nobody adjusts,
p1 when the user does unasked, p2 when a suggestion is not taken, p3 when it is.`,
		"  diurna simulate advice\n  diurna simulate advice --pay .25,.5,.25,.8 --adjusts .4",
		func(c *cobra.Command) (*papers.Report, error) {
			wrong := len(pays) != 4 && len(pays) != 0
			for _, p := range append([]float64{o.Adjusts}, pays...) {
				wrong = wrong || !(p >= 0 && p <= 1)
			}
			if wrong {
				return nil, exit.Usage("diurna simulate advice --pay .25,.5,.25,.8 --adjusts .4", "--pay has p0,p1,p2,p3, and they and --adjusts are chances from 0 to 1")
			}
			copy(o.PayOffs[:], pays)
			return papers.Advice(o), nil
		}, nil)
	c.Annotations = noFile
	f := c.Flags()
	f.Float64SliceVar(&pays, "pay", nil, "the pay-offs `P0,P1,P2,P3`; none: some cases")
	f.Float64Var(&o.Adjusts, "adjusts", .3, "how often the user adjusts, a chance `P` (.3)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of the rounds that are played")
	return c
}
