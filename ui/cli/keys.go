package cli

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

func (s *program) keysCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "keys",
		Short: "print every key of the screen and what it does",
		Long: `The whole table, by place, with your own keys from keys.toml marked *. ? on the
screen shows those of a view.
Columns in a pipe: ` + table.Names(keyColumns),
		Example:     "  diurna keys | less\n  diurna keys --json",
		Annotations: arguments.Exits("0 done · 1 keys.toml is not understood · 2 wrong usage"),
		Args:        arguments.AtMost(0),
		RunE: func(*cobra.Command, []string) error {
			list, err := s.Env.Keys(s.Where)
			if errors.Is(err, exit.ErrNoConfig) {
				return err
			}
			if perr := session.Print(s.Session, keyColumns, list); perr != nil {
				return perr
			}
			if err != nil {
				return wrongConfig(err)
			}
			return nil
		},
	}
}

// keyColumns is how `keys` prints.
var keyColumns = []table.Column[session.Key]{
	{Name: "place", Field: func(k session.Key) string { return k.Place }, Head: "PLACE", Most: 24, Cell: func(k session.Key, _ time.Time) string { return k.Place }},
	{Name: "keys", Field: func(k session.Key) string { return k.Shown }, Head: "KEYS", Cell: func(k session.Key, _ time.Time) string {
		if k.Yours {
			return k.Shown + " *"
		}
		return k.Shown
	}},
	{Name: "does", Field: func(k session.Key) string { return k.Does }, Head: "DOES", Cell: func(k session.Key, _ time.Time) string { return k.Does }},
	{Name: "yours", Field: func(k session.Key) string { return strconv.FormatBool(k.Yours) }},
}
