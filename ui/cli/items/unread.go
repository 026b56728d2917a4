package items

import (
	"fmt"
	"slices"
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
	words := strings.Fields(q.String())
	if !slices.ContainsFunc(words, func(w string) bool { return !ofFeeds(w) }) {
		return unreadOfFeeds(c, lib, q)
	}
	byID := slices.ContainsFunc(words, func(w string) bool {
		_, ok := reader.ParseItemID(w)
		return ok
	})
	if !q.WantsUnread() && !byID {
		// Said in the query's own words, so that only unread rows are loaded:
		// a status bar asks this every minute.
		var err error
		if q, err = query.Parse("unread "+q.String(), time.Now()); err != nil {
			return 0, err
		}
	}
	rows, err := lib.Rows(c.Context(), q, 0)
	n := 0
	for i := range rows {
		if rows[i].Flags&reader.FlagRead == 0 {
			n++
		}
	}
	return n, err
}

// ofFeeds reports whether a word of a query holds for all unread items of a
// feed or for none.
func ofFeeds(word string) bool {
	word = strings.TrimPrefix(word, "-")
	return strings.HasPrefix(word, "feed:") || strings.HasPrefix(word, "folder:") || word == "unread"
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
