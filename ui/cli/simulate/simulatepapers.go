package simulate

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"diurna/reader/papers"
	"diurna/ui/cli/arguments"
)

// paperCommand is a command that plays methods of a paper; run has its report.
func (s *Commands) paperCommand(use, short, long, example string, run func(*cobra.Command) (*papers.Report, error), whole ...string) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example,
		Annotations: arguments.Exits("0 done · 1 a file that cannot be read · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := arguments.WholeFlags(c, whole...); err != nil {
				return err
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

const mostTable = 256 << 20 // bytes

// readTable reads a file for which an error names the line.
func (s *Commands) readTable(name string, read func(io.Reader) error) error {
	doc, err := s.ReadFile(name, mostTable)
	if err != nil {
		return err
	}
	if err := read(bytes.NewReader(doc)); err != nil {
		return fmt.Errorf("%s, %w", filepath.Base(name), err)
	}
	return nil
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
			if file != "" {
				err := s.readTable(file, func(r io.Reader) (err error) {
					o.Counts, err = papers.ReadCounts(r)
					return err
				})
				if err != nil {
					return nil, err
				}
			}
			return papers.Words(c.Context(), o)
		}, "topics", "runs", "top", "least")
	f := c.Flags()
	f.StringVar(&file, "counts", "", "the table in `FILE`; - is stdin")
	f.IntVar(&o.Top, "top", 10, "`N` rows of each table (10); 0: all")
	f.IntVar(&o.Least, "least", 8, "leave out words with fewer uses than `N`, or fewer new ones if emerging (8)")
	f.IntVar(&o.Topics, "topics", 0, "`N` topics of LDA; 0: one for every 10 documents, 2 to 50")
	f.IntVar(&o.Runs, "runs", 3, "the median of `N` runs of LDA counts (3)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed `N` of LDA and of the made-up table")
	return c
}
