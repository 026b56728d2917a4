package items

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/session"
)

func (s *Commands) unreadCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unread [new|NAME|QUERY]",
		Short: "print how many items are unread, one bare number",
		Long: `For status bars: never waits for a fetch, never starts one, never makes a
library. "new" counts what came since you last looked: at the screen, or with
items or show on a terminal. NAME is that of a saved query; in quotes, as
'"ferries"', it is a word.
` + session.QueryHelp,
		Example:     "  diurna unread\n  diurna unread new\n  diurna unread folder:sea\n  diurna unread Ferries",
		Annotations: arguments.Exits("0 done · 1 not done · 2 the query is not understood · 4 busy · 5 damaged or newer; then nothing is printed"),

		ValidArgsFunction: s.CompleteQuery,
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := s.Library("unread")
			if err != nil {
				return err
			}
			n := 0
			switch {
			case len(args) == 1 && args[0] == "new":
				n, err = lib.NewSinceLook(c.Context())
			case strings.TrimSpace(strings.Join(args, "")) == "":
				var t reader.Totals
				t, err = lib.Totals(c.Context())
				n = t.Unread
			default:
				var q reader.Query
				if q, err = savedNamed(c.Context(), lib, args); err == nil {
					n, err = lib.Queries().CountUnread(c.Context(), q)
				}
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
