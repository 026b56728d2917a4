// Package items holds the commands that print, show and mark items.
package items

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/stories"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/pages"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Commands are those that print, show and mark items.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "items", Build: s.itemsCommand},
		{Name: "search", Build: s.searchCommand},
		{Name: "show", Build: s.showCommand},
		{Name: "save", Build: s.saveCommand},
		{Name: "mark", Build: s.markCommand},
		{Name: "undo", Build: s.undoCommand},
		{Name: "log", Build: s.logCommand},
		{Name: "unread", Build: s.unreadCommand},
		{Name: "query", Build: s.queryCommand},
		{Name: "queries", Build: s.queriesCommand},
		{Name: "evidence", Build: s.evidenceCommand},
	}
}

func (s *Commands) itemsCommand() *cobra.Command {
	var order string
	var limit int
	c := &cobra.Command{
		Use:         "items [QUERY]",
		Short:       "list items, newest first or in another order",
		Long:        session.QueryHelp + "\nWithout QUERY every item is printed. With --json, \"also\" has the items of other feeds\nwith the same story. On a terminal this counts as a look, as the\nscreen does. Columns in a pipe:\n" + table.Names(itemColumns),
		Example:     "  diurna items unread folder:sea newer:1d\n  diurna items unread --order ranked | head\n  diurna items saved --json -n 20",
		Annotations: arguments.Exits("0 done · 1 not done · 2 the query is not understood · 4 busy · 5 damaged or newer"),

		ValidArgsFunction: s.CompleteQuery,
		RunE: s.With("items", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			if err := arguments.WholeFlags(c, "limit"); err != nil {
				return err
			}
			by, ok := reader.ParseOrder(order)
			if !ok {
				return exit.Usage("diurna items --order ranked", "--order is %s, not %q", reader.Orders(), order)
			}
			q, err := session.Query(c.Context(), s.Library, "items", args)
			if err != nil {
				return err
			}
			s.looked(c.Context(), lib)
			most := limit
			if by != reader.Newest {
				most = 0 // which ones are the first turns out below
			}
			rows, err := lib.Rows(c.Context(), q, most)
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				return s.NothingFits(c.Context(), lib, q)
			}
			if by != reader.Newest {
				if rows, err = s.arrange(c.Context(), lib, by, rows); err != nil {
					return err
				}
			}
			if limit > 0 {
				rows = rows[:min(limit, len(rows))]
			}
			return s.printItems(c.Context(), lib, rows)
		}),
	}
	c.Flags().IntVarP(&limit, "limit", "n", 0, "print the first `N` items; 0: all")
	c.Flags().StringVar(&order, "order", "newest", "`ORDER` is newest, oldest, ranked by what you open, rare feeds first, title, feed, or paper: as Sia 2009 ranks")
	if err := c.RegisterFlagCompletionFunc("order", cobra.FixedCompletions(reader.OrderNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
	return c
}

// looked notes a look of the user who reads what is printed: on a terminal
// only, never for a pipe. Reading goes on where a look cannot be noted.
func (s *Commands) looked(ctx context.Context, lib *reader.Reader) {
	if s.Env.Width > 0 {
		_ = lib.LookedIfAway(ctx)
	}
}

// arrange orders rows; where Ranked comes too early it says so.
func (s *Commands) arrange(ctx context.Context, lib *reader.Reader, by reader.Order, rows []reader.Row) ([]reader.Row, error) {
	feeds, err := lib.Feeds(ctx)
	if err != nil {
		return nil, err
	}
	titles := make(map[reader.FeedID]string, len(feeds))
	for i := range feeds {
		titles[feeds[i].Key] = feeds[i].Title
	}
	spots := reader.Spots(rows, func(id reader.FeedID) string { return titles[id] })
	a, err := lib.Ranker().Arrange(ctx, time.Now(), by, spots, 0, nil)
	if err != nil {
		return nil, err
	}
	if a.Early() {
		s.Talk("Ranked needs %d opened items to learn from; you have opened %d. Until then this is newest first.", reader.OpensNeeded, a.Opens)
	}
	out := make([]reader.Row, len(rows))
	for i, k := range a.Index {
		out[i] = rows[k]
	}
	return out, nil
}

// printItems loads and prints the items of rows. Scripts get them in groups,
// so that a hundred thousand are never all in memory; a table is measured
// whole before its first line.
func (s *Commands) printItems(ctx context.Context, lib *reader.Reader, rows []reader.Row) error {
	group := 1000
	if s.Terminal() {
		group = len(rows)
	}
	var groups *stories.Groups
	hidden := map[reader.FeedID]bool{}
	if s.JSON {
		feeds, err := lib.Feeds(ctx)
		if err != nil {
			return err
		}
		for i := range feeds {
			hidden[feeds[i].Key] = feeds[i].Hidden
		}
		keeper := reader.Stories(lib)
		keeper.Keep(ctx)
		groups, _ = keeper.Groups(ctx) // who reads can do without
	}
	for len(rows) > 0 {
		n := min(group, len(rows))
		ids := make([]reader.ItemID, n)
		for i := range ids {
			ids[i] = rows[i].ID
		}
		items, err := lib.Items(ctx, ids)
		if err != nil {
			return err
		}
		if s.JSON {
			for i := range items {
				for _, m := range groups.Of(items[i].Key) {
					if m.ID != items[i].Key && !hidden[m.ID.Feed()] {
						items[i].Also = append(items[i].Also, m.ID)
					}
				}
			}
		}
		if err := session.Print(s.Session, itemColumns, items); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (s *Commands) showCommand() *cobra.Command {
	var keep, raw, full bool
	var revision int
	c := &cobra.Command{
		Use:         "show ITEM|PAGE",
		Short:       "print an article and mark it read",
		Long:        "ITEM is an id that items prints, or words in the title of one item only. Of a\nwatched PAGE its newest revision is printed, or the one --revision names; with\n--raw byte for byte as it was served. On a terminal this counts as a look.\nWhere the whole text of an item was fetched from its page it is printed instead\nof what the feed gave; --full fetches it, with one request.",
		Example:     "  diurna show b7q-41\n  diurna show --keep --raw b7q-41 > article.html\n  diurna show --full b7q-41\n  diurna show pier --revision 3 --raw > then.html",
		Annotations: arguments.Exits("0 done · 1 there is no such item · 2 wrong usage · 3 printed, but not marked read · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("an item"),

		ValidArgsFunction: s.CompletePages,
		RunE: func(c *cobra.Command, args []string) error {
			if err := arguments.WholeFlags(c, "revision"); err != nil {
				return err
			}
			lib, err := s.Library("show")
			if err != nil {
				return err
			}
			name := strings.Join(args, " ")
			if c.Flags().Changed("revision") || isPage(c.Context(), lib, name) {
				s.looked(c.Context(), lib)
				return pages.New(s.Session).ShowRevision(c.Context(), lib, name, revision, raw)
			}
			id, err := session.FindItem(c.Context(), lib, name)
			if err != nil {
				return err
			}
			s.looked(c.Context(), lib)
			read := lib.Open
			if keep {
				read = lib.Article
			}
			if full {
				if _, err := lib.FullTexts().FetchText(c.Context(), id); err != nil {
					return err
				}
			}
			a, err := read(c.Context(), id)
			if a.Item.Key == 0 {
				return err
			}
			// Reading goes on where nothing can be written. A failure to print is reported by
			// run, as it flushes.
			switch {
			case s.JSON:
				return errors.Join(s.PrintJSON(a), notMarked(err))
			case raw:
				html, _ := a.Whole()
				fmt.Fprintln(s.Out, plain.HTML(html, 0))
				return notMarked(err)
			}
			s.PrintArticle(&a)
			return notMarked(err)
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave it unread")
	c.Flags().BoolVar(&full, "full", false, "fetch the full text from the item's page, unless it is stored already")
	c.Flags().BoolVar(&raw, "raw", false, "print the HTML as stored")
	c.Flags().IntVar(&revision, "revision", 0, "print revision `N` of a watched page; 0: the newest")
	return c
}

// notMarked is the error of an article that was read and could not be marked so.
func notMarked(err error) error {
	if err == nil {
		return nil
	}
	code := exit.CodeOf(err)
	if code == exit.Error {
		code = exit.Partly
	}
	return exit.With(code, fmt.Errorf("it could not be marked read: %w", errors.Unwrap(err)), "--keep reads without marking")
}

// isPage reports whether a word means a watched page: it is its id, address or
// title, or a part of its title, and no item but those that tell of its changes
// fits.
func isPage(ctx context.Context, lib *reader.Reader, name string) bool {
	if _, item := reader.ParseItemID(name); item {
		return false
	}
	p, err := lib.Pages().Find(ctx, name)
	if err != nil {
		return false
	}
	if session.IsNamed(&p, name) {
		return true
	}
	q, err := query.Parse(name, time.Now())
	if err != nil {
		return true
	}
	rows, err := lib.Rows(ctx, q.InTitles(), 0)
	for i := range rows {
		if rows[i].ID.Feed() != p.Key {
			return false
		}
	}
	return err == nil
}
