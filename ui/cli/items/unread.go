package items

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/session"
)

func (s *Commands) unreadCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unread [new|QUERY]",
		Short: "print how many items are unread, one bare number",
		Long: `For status bars: never waits for a fetch, never starts one, never makes a
library. "new" counts what came since you last looked: at the screen, or with
items or show on a terminal.
` + session.QueryHelp,
		Example:     "  diurna unread\n  diurna unread new\n  diurna unread folder:sea",
		Annotations: arguments.Exits("0 done · 1 not done · 2 the query is not understood · 4 busy · 5 damaged or newer; then nothing is printed"),

		ValidArgsFunction: s.CompleteQuery,
		RunE: func(c *cobra.Command, args []string) error {
			q, err := query.Parse(strings.Join(args, " "), time.Now())
			if err != nil {
				return err
			}
			lib, err := s.Library("unread")
			if err != nil {
				return err
			}
			n := 0
			switch {
			case len(args) == 1 && args[0] == "new":
				n, err = lib.NewSinceLook(c.Context())
			case q.Empty():
				var t reader.Totals
				t, err = lib.Totals(c.Context())
				n = t.Unread
			default:
				n, err = s.countUnread(c, lib, q)
			}
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(struct {
					Unread int `json:"unread"`
				}{n})
			}
			_, err = fmt.Fprintln(s.Out, n)
			return err
		},
	}
}

// countUnread counts the unread items that fit.
func (s *Commands) countUnread(c *cobra.Command, lib *reader.Reader, q reader.Query) (int, error) {
	if q.OfFeedsOnly() {
		return unreadOfFeeds(c, lib, q)
	}
	// Only unread rows are loaded: a status bar asks this every minute.
	rows, err := lib.Rows(c.Context(), query.Unread().And(q), 0)
	return len(rows), err
}

// unreadOfFeeds answers from the feeds' counters: 7 ms where reading the rows
// of 100,000 items takes 66.
func unreadOfFeeds(c *cobra.Command, lib *reader.Reader, q reader.Query) (int, error) {
	feeds, err := lib.Feeds(c.Context())
	n := 0
	for i := range feeds {
		if q.Match(&reader.Row{}, &feeds[i]) { // a row without flags is unread
			n += feeds[i].Unread
		}
	}
	return n, err
}
