package cli

import (
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader/plain"
)

func (s *session) keysCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "keys",
		Short: "print every key of the screen and what it does",
		Long: `The whole table, by place, with your own keys from keys.toml marked *. ? on the
screen shows what holds there.
Columns in a pipe: ` + names(keyColumns),
		Example:     "  diurna keys | less\n  diurna keys --json",
		Annotations: exits("0 done · 1 keys.toml is not understood · 2 wrong usage"),
		Args:        atMost(0),
		RunE: func(*cobra.Command, []string) error {
			list, err := s.env.Keys(s.where)
			if errors.Is(err, ErrNoConfig) {
				return err
			}
			if perr := printList(s, keyColumns, list); perr != nil {
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
var keyColumns = []column[Key]{
	{name: "place", field: func(k Key) string { return k.Place }, head: "PLACE", most: 24, cell: func(k Key, _ time.Time) string { return k.Place }},
	{name: "keys", field: func(k Key) string { return k.Shown }, head: "KEYS", cell: func(k Key, _ time.Time) string {
		if k.Yours {
			return k.Shown + " *"
		}
		return k.Shown
	}},
	{name: "does", field: func(k Key) string { return k.Does }, head: "DOES", cell: func(k Key, _ time.Time) string { return k.Does }},
	{name: "yours", field: func(k Key) string { return strconv.FormatBool(k.Yours) }},
}

// MarshalJSON gives a key to scripts, with the names that keys.toml takes.
func (k Key) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Place string   `json:"place"`
		Keys  []string `json:"keys"`
		Does  string   `json:"does"`
		Yours bool     `json:"yours"`
	}{k.Place, k.Keys, plain.Line(k.Does, 0), k.Yours})
}
