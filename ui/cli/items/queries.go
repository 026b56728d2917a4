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
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// queryColumns is how `queries` prints.
var queryColumns = []table.Column[reader.QueryCount]{
	{Name: "unread", Field: func(q reader.QueryCount) string { return strconv.Itoa(q.Unread) }, Head: "UNREAD", Right: true, Cell: func(q reader.QueryCount, _ time.Time) string { return strconv.Itoa(q.Unread) }},
	{Name: "name", Field: func(q reader.QueryCount) string { return q.Name }, Head: "NAME", Cell: func(q reader.QueryCount, _ time.Time) string { return q.Name }},
	{Name: "query", Field: func(q reader.QueryCount) string { return q.Query }, Head: "QUERY", Cell: func(q reader.QueryCount, _ time.Time) string { return q.Query }},
	{Name: "error", Field: wrongOf},
}

// wrongOf says why a saved query is not understood, "" where it is.
func wrongOf(q reader.QueryCount) string {
	if q.Err == nil {
		return ""
	}
	return q.Err.Error()
}

// queryActs are the first words after `queries`, with what they take.
var queryActs = []struct {
	name, takes string
	least, most int // words after it; most 0: any number
	do          func(s *Commands, ctx context.Context, lib *reader.Reader, args []string) (string, reader.Done, error)
}{
	{"add", "NAME QUERY", 2, 0, func(_ *Commands, ctx context.Context, lib *reader.Reader, args []string) (string, reader.Done, error) {
		d, err := lib.Queries().Add(ctx, args[0], strings.Join(args[1:], " "))
		return "saved as " + query.Reference(args[0]), d, err
	}},
	{"edit", "NAME QUERY", 2, 0, func(_ *Commands, ctx context.Context, lib *reader.Reader, args []string) (string, reader.Done, error) {
		d, err := lib.Queries().Edit(ctx, args[0], strings.Join(args[1:], " "))
		return "changed", d, err
	}},
	{"rename", "NAME NEW-NAME", 2, 2, func(_ *Commands, ctx context.Context, lib *reader.Reader, args []string) (string, reader.Done, error) {
		d, err := lib.Queries().Rename(ctx, args[0], strings.Trim(args[1], `"`))
		return "renamed", d, err
	}},
	{"move", "NAME PLACE", 2, 2, func(_ *Commands, ctx context.Context, lib *reader.Reader, args []string) (string, reader.Done, error) {
		n, err := strconv.Atoi(args[1])
		if err != nil || n < 1 {
			return "", reader.Done{}, exit.Usage("diurna queries move "+plain.Argument(args[0])+" 1", "%q is not a place; the first is 1", args[1])
		}
		d, err := lib.Queries().Move(ctx, args[0], n-1)
		return "moved", d, err
	}},
	{"rm", "NAME", 1, 1, func(_ *Commands, ctx context.Context, lib *reader.Reader, args []string) (string, reader.Done, error) {
		d, err := lib.Queries().Remove(ctx, args[0])
		return "removed", d, err
	}},
}

func (s *Commands) queriesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "queries [add|edit|rename|move|rm NAME …]",
		Short: "list the saved queries with what is unread in each; save one",
		Long: `Saved queries appear in Feeds like folders. query:NAME refers to one in any query,
with dashes for spaces in its name, and unread NAME counts one.

  add NAME QUERY        save QUERY under a name
  edit NAME QUERY       give it another query
  rename NAME NEW-NAME  also where other saved queries ask for it
  move NAME PLACE       1 is the first
  rm NAME               its items stay as they are

Each is one step that undo takes back. Columns in a pipe:
` + table.Names(queryColumns),
		Example: `  diurna queries add Ferries unread title:ferr*
  diurna unread Ferries
  diurna items query:ferries newer:1d
  diurna queries`,
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage, or the query is not understood · 4 busy · 5 damaged or newer"),

		ValidArgsFunction: s.completeQueries,
		RunE: s.With("queries", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			if len(args) == 0 {
				return s.listQueries(c.Context(), lib)
			}
			return s.changeQueries(c.Context(), lib, args[0], args[1:])
		}),
	}
}

func (s *Commands) listQueries(ctx context.Context, lib *reader.Reader) error {
	counts, err := lib.Queries().Counts(ctx)
	if err != nil {
		return err
	}
	if len(counts) == 0 {
		s.Talk("there are no saved queries. diurna queries add NAME QUERY saves one; F on the screen saves that of a list.")
		return nil
	}
	if s.JSON {
		for _, q := range counts {
			if err := s.PrintJSON(struct {
				Name   string `json:"name"`
				Query  string `json:"query"`
				Unread int    `json:"unread"`
				Error  string `json:"error,omitempty"`
			}{q.Name, q.Query, q.Unread, wrongOf(q)}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := session.Print(s.Session, queryColumns, counts); err != nil {
		return err
	}
	for _, q := range counts {
		if q.Err != nil && s.Terminal() {
			s.Talk("%s is not understood: %s", query.Reference(q.Name), q.Err)
		}
	}
	return nil
}

func (s *Commands) changeQueries(ctx context.Context, lib *reader.Reader, word string, args []string) error {
	names := []string{}
	for _, a := range queryActs {
		names = append(names, a.name)
		if a.name != word {
			continue
		}
		if len(args) < a.least || a.most > 0 && len(args) > a.most {
			return exit.Usage("put a name with spaces in quotes, or write dashes instead", "usage: diurna queries %s %s", a.name, a.takes)
		}
		args[0] = strings.Trim(args[0], `"`) // inside the screen quotes reach us
		say, done, err := a.do(s, ctx, lib, args)
		switch {
		case err != nil:
			return err
		case s.JSON:
			return s.PrintJSON(struct {
				Step uint64 `json:"step"`
			}{done.Step})
		case done.Step == 0:
			s.Talk("nothing changed.")
			return nil
		}
		s.Talk("%s. diurna undo reverts it.", say)
		return nil
	}
	hint := "diurna queries --help lists them"
	if near := wording.Nearest(word, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return exit.With(exit.WrongUsage, fmt.Errorf("queries can %s, not %q", strings.Join(names, ", "), word), hint)
}

// completeQueries offers what can be done, the names, then what a query is made of.
func (s *Commands) completeQueries(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	switch {
	case len(args) == 0:
		for _, a := range queryActs {
			list = append(list, cobra.CompletionWithDesc(a.name, a.takes))
		}
	case len(args) == 1 && args[0] != "add":
		for _, n := range session.SavedQueries(c.Context(), s.Library) {
			list = append(list, cobra.CompletionWithDesc(query.Key(n.Name), plain.Line(n.Query, 60)))
		}
	case len(args) > 1 && (args[0] == "add" || args[0] == "edit"):
		return s.CompleteQuery(c, args[2:], word)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// savedNamed is the query that `unread NAME` counts: words alone that are all of the
// name of a saved query mean that one.
func savedNamed(ctx context.Context, lib *reader.Reader, words []string) (reader.Query, error) {
	text := strings.Join(words, " ")
	names, err := lib.Queries().List(ctx)
	if err != nil {
		return reader.Query{}, err
	}
	q, err := query.Parse(text, time.Now(), names...)
	var wrong *query.Error
	if n := query.Find(names, text); n != nil && (err == nil && q.OnlyWords() || errors.As(err, &wrong)) {
		return query.Parse(query.Reference(n.Name), time.Now(), names...)
	}
	return q, err
}
