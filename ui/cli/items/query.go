package items

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/docs"
	"diurna/reader/query"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/session"
)

func (s *Commands) queryCommand() *cobra.Command {
	var newsboat bool
	c := &cobra.Command{
		Use:   "query [QUERY]",
		Short: "show how a query is understood, or explain queries",
		// The page of the documentation, without its heading.
		Long:        strings.TrimSpace(strings.TrimPrefix(docs.Queries, "# Queries\n")),
		Example:     "  diurna query unread and not folder:sea\n  diurna query --newsboat 'age < 3 and tags # \"sea\"'",
		Annotations: arguments.Exits("0 done · 2 the query is not understood, or has no counterpart"),

		ValidArgsFunction: s.CompleteQuery,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprint(s.Out, docs.Queries)
				return nil
			}
			q, err := session.Query(c.Context(), s.Library, "query", args)
			if newsboat {
				q, err = query.TranslateNewsboat(strings.Join(args, " "), time.Now())
			}
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(struct {
					Query string `json:"query"`
				}{q.Canonical()})
			}
			fmt.Fprintln(s.Out, q.Canonical())
			return nil
		},
	}
	c.Flags().BoolVar(&newsboat, "newsboat", false, "QUERY is a filter expression of newsboat: translate it")
	return c
}
