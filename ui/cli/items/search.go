package items

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// usualHits is how many items search prints by default.
const usualHits = 20

func (s *Commands) searchCommand() *cobra.Command {
	limit := usualHits
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "search the texts of all items, best match first",
		Long: session.QueryHelp + `
Words and phrases are looked for in the texts too. What has them often, in its title,
in few words and not long ago stands first; the part of the text where they stand is
printed with them between asterisks. The first search reads all texts once; what has
come since is read by the next search or fetch. Columns in a pipe:
` + table.Names(searchColumns),
		Example:     "  diurna search storm warning\n  diurna search '\"out of service\" newer:1m' --json\n  diurna search title:ferry unread --limit 0",
		Annotations: arguments.Exits("0 done · 1 not done · 2 the query is not understood · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("what to look for"),

		ValidArgsFunction: s.CompleteQuery,
		RunE: func(c *cobra.Command, args []string) error {
			if err := arguments.WholeFlags(c, "limit"); err != nil {
				return err
			}
			q, err := session.Query(c.Context(), s.Library, "search", args)
			if err != nil {
				return err
			}
			lib, err := s.Library("search")
			if err != nil {
				return err
			}
			return s.search(c.Context(), lib, q, limit)
		},
	}
	c.Flags().IntVarP(&limit, "limit", "n", limit, "print at most `N` items; 0: all")
	return c
}

func (s *Commands) search(ctx context.Context, lib *reader.Reader, q reader.Query, limit int) error {
	searcher := lib.Searcher()
	var res reader.SearchResult
	for range 2 { // an index that turns out to be damaged is made again
		line := s.Progress("indexing the texts")
		err := searcher.Update(ctx, line.Show)
		line.End()
		if err != nil {
			return fmt.Errorf("index the texts: %w", err)
		}
		if res, err = searcher.Search(ctx, q, time.Now(), limit); err != nil {
			return err
		}
		if !res.Missing {
			break
		}
	}
	if res.Missing {
		return errors.New("the text index vanished right after it was built: something removes the cache")
	}
	if res.Count == 0 {
		s.Talk("no item matches %q.", q.String())
		return nil
	}
	s.looked(ctx, lib)
	list, err := searcher.Whole(ctx, res.Items)
	if err != nil {
		return err
	}
	if !s.Terminal() {
		return session.Print(s.Session, searchColumns, list)
	}
	for i := range list {
		s.printFound(&list[i])
	}
	if left := res.Count - len(list); left > 0 {
		s.Talk("%s more; --limit 0 prints all.", wording.Plural(left, "item"))
	}
	return nil
}

// printFound prints an item on one line, and its snippet on the next.
func (s *Commands) printFound(f *reader.FoundItem) {
	it := f.Item
	line := fmt.Sprintf("%s  %s  %s  %s", it.Key, itemSigns(it), table.When(session.ItemTime(it), time.Now()), plain.Line(it.Feed, 0)+"  "+plain.Line(table.TitleOf(it), 0))
	fmt.Fprintln(s.Out, strings.TrimRight(cells.Cut(line, s.Env.Width), " "))
	if f.Snippet != "" {
		fmt.Fprintln(s.Out, strings.TrimRight(cells.Cut("    "+starred(f.Snippet, f.Marks), s.Env.Width), " "))
	}
}

// starred puts what is marked between asterisks.
func starred(snippet string, marks [][2]int) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		b.WriteString(snippet[at:m[0]] + "*" + snippet[m[0]:m[1]] + "*")
		at = m[1]
	}
	return b.String() + snippet[at:]
}

// searchColumns is how `search` prints into a pipe.
var searchColumns = func() []table.Column[reader.FoundItem] {
	var list []table.Column[reader.FoundItem]
	for _, c := range itemColumns {
		if c.Field != nil {
			list = append(list, table.Column[reader.FoundItem]{Name: c.Name, Field: func(f reader.FoundItem) string { return c.Field(f.Item) }})
		}
	}
	return append(list,
		table.Column[reader.FoundItem]{Name: "score", Field: func(f reader.FoundItem) string { return strconv.FormatFloat(f.Score, 'f', 3, 64) }},
		table.Column[reader.FoundItem]{Name: "snippet", Field: func(f reader.FoundItem) string { return starred(f.Snippet, f.Marks) }})
}()
