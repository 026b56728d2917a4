package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/prose"
)

const queryHelp = `QUERY: words and "phrases" of title, feed and author; unread read saved changed
today; feed:NAME folder:NAME #TAG newer:TIME older:TIME with times such as 2d,
1w or 2026-11-02; a - in front leaves out. All parts must fit. Items of hidden
feeds fit only where a word, a feed, a folder, a tag or saved is asked for.`

func (s *session) itemsCommand() *cobra.Command {
	var order string
	c := &cobra.Command{
		Use:         "items [QUERY]",
		Short:       "list items, newest first or in another order",
		Long:        queryHelp + "\nWithout QUERY every item is printed. On a terminal this counts as a look, as the\nscreen does. Columns in a pipe:\n" + names(itemColumns),
		Example:     "  diurna items unread folder:sea newer:1d\n  diurna items unread --order ranked | head\n  diurna items saved --json",
		Annotations: exits("0 done · 1 not done · 2 the query is not understood · 4 busy · 5 damaged or newer"),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := s.library("items")
			if err != nil {
				return err
			}
			by, ok := reader.ParseOrder(order)
			if !ok {
				return usage("diurna items --order ranked", "--order is newest, oldest, ranked, rare or paper, not %q", order)
			}
			q, err := reader.ParseQuery(strings.Join(args, " "), time.Now())
			if err != nil {
				return err
			}
			s.looked(c.Context(), lib)
			rows, err := lib.Rows(c.Context(), q, 0)
			if err != nil {
				return err
			}
			if len(rows) == 0 {
				return s.nothingFits(c.Context(), lib, q)
			}
			if by != reader.Newest {
				if rows, err = s.arrange(c.Context(), lib, by, rows); err != nil {
					return err
				}
			}
			return s.printItems(c.Context(), lib, rows)
		},
	}
	c.Flags().StringVar(&order, "order", "newest", "`ORDER` is newest, oldest, ranked by what you open, rare feeds first, or paper: as Sia 2009 ranks")
	return c
}

// looked notes a look of the user who reads what is printed: on a terminal
// only, never for a pipe. Reading goes on where a look cannot be noted.
func (s *session) looked(ctx context.Context, lib *reader.Reader) {
	if s.env.Width > 0 {
		_ = lib.LookedIfAway(ctx)
	}
}

// arrange orders rows; where Ranked comes too early it says so.
func (s *session) arrange(ctx context.Context, lib *reader.Reader, by reader.Order, rows []reader.Row) ([]reader.Row, error) {
	a, err := lib.Arrange(ctx, by, reader.Spots(rows), 0, nil)
	if err != nil {
		return nil, err
	}
	if a.Early() {
		s.talk("Ranked needs %d opened items to learn from; you have opened %d. Until then this is newest first.", reader.OpensNeeded, a.Opens)
	}
	out := make([]reader.Row, len(rows))
	for i, k := range a.Index {
		out[i] = rows[k]
	}
	return out, nil
}

// nothingFits says why a list is empty; stdout stays empty.
func (s *session) nothingFits(ctx context.Context, lib *reader.Reader, q reader.Query) error {
	less, word := q.Without()
	switch {
	case q.Empty():
		s.talk("there are no items yet. diurna add ADDRESS adds a feed.")
		return nil
	case less.Empty():
		s.talk("no item fits %q.", q.String())
		return nil
	}
	rows, err := lib.Rows(ctx, less, 0)
	if err != nil {
		return err
	}
	s.talk("no item fits %q. Without %q %d fit.", q.String(), word, len(rows))
	return nil
}

// printItems loads and prints the items of rows. Scripts get them in groups,
// so that a hundred thousand are never all in memory; a table is measured
// whole before its first line.
func (s *session) printItems(ctx context.Context, lib *reader.Reader, rows []reader.Row) error {
	group := 1000
	if s.terminal() {
		group = len(rows)
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
		if err := printList(s, itemColumns, items); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (s *session) showCommand() *cobra.Command {
	var keep, raw bool
	var revision int
	c := &cobra.Command{
		Use:         "show ITEM|PAGE",
		Short:       "print an article and mark it read",
		Long:        "ITEM is an id that items prints, or a part of a title that only one item has. Of a\nwatched PAGE its newest revision is printed, or the one --revision names; with\n--raw byte for byte as it was served. On a terminal this counts as a look.",
		Example:     "  diurna show b7q-41\n  diurna show --keep --raw b7q-41 > article.html\n  diurna show pier --revision 3 --raw > then.html",
		Annotations: exits("0 done · 1 there is no such item · 2 wrong usage · 3 printed, but not marked read · 4 busy · 5 damaged or newer"),
		Args:        atLeastOne("an item"),

		ValidArgsFunction: s.completePages,
		RunE: func(c *cobra.Command, args []string) error {
			if err := wholeFlags(c, "revision"); err != nil {
				return err
			}
			lib, err := s.library("show")
			if err != nil {
				return err
			}
			name := strings.Join(args, " ")
			if c.Flags().Changed("revision") || isPage(c.Context(), lib, name) {
				s.looked(c.Context(), lib)
				return s.showRevision(c.Context(), lib, name, revision, raw)
			}
			id, err := findItem(c.Context(), lib, name)
			if err != nil {
				return err
			}
			s.looked(c.Context(), lib)
			read := lib.Open
			if keep {
				read = lib.Article
			}
			a, err := read(c.Context(), id)
			if a.Item.Key == 0 {
				return err
			}
			// Reading goes on where nothing can be written. A failure to print is told by
			// run, as it flushes.
			switch {
			case s.json:
				return errors.Join(s.printJSON(a), notMarked(err))
			case raw:
				fmt.Fprintln(s.out, plain.HTML(a.HTML, 0))
				return notMarked(err)
			}
			s.printArticle(&a)
			return notMarked(err)
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave it unread")
	c.Flags().BoolVar(&raw, "raw", false, "print the HTML as it is kept")
	c.Flags().IntVar(&revision, "revision", 0, "print revision `N` of a watched page; 0: the newest")
	return c
}

// notMarked is the error of an article that was read and could not be marked so.
func notMarked(err error) error {
	if err == nil {
		return nil
	}
	code := codeOf(err)
	if code == ExitError {
		code = ExitPartly
	}
	return &failure{code, fmt.Errorf("it could not be marked read: %w", errors.Unwrap(err)), "--keep reads without marking"}
}

// isPage reports whether a word means a watched page: it is its id, address or
// title, or a part of its title, and no item but those that tell of its changes
// fits.
func isPage(ctx context.Context, lib *reader.Reader, name string) bool {
	if _, item := reader.ParseItemID(name); item {
		return false
	}
	p, err := lib.FindPage(ctx, name)
	if err != nil {
		return false
	}
	if isNamed(&p, name) {
		return true
	}
	q, err := reader.ParseQuery(name, time.Now())
	if err != nil {
		return true
	}
	rows, err := lib.Rows(ctx, q, 0)
	for i := range rows {
		if rows[i].ID.Feed() != p.Key {
			return false
		}
	}
	return err == nil
}

// findItem takes a short id, or a query that fits exactly one item.
func findItem(ctx context.Context, lib *reader.Reader, s string) (reader.ItemID, error) {
	if id, ok := reader.ParseItemID(s); ok {
		return id, nil
	}
	q, err := reader.ParseQuery(s, time.Now())
	if err != nil {
		return 0, err
	}
	const most = 6
	rows, err := lib.Rows(ctx, q, most)
	if err != nil {
		return 0, err
	}
	switch len(rows) {
	case 0:
		return 0, &failure{ExitError, fmt.Errorf("no item is called %q", s), "diurna items lists them with their ids"}
	case 1:
		return rows[0].ID, nil
	}
	var fits []string
	for _, r := range rows {
		fits = append(fits, r.ID.String()+" "+plain.Line(r.Title, 60))
	}
	many := fmt.Sprintf("%d items", len(rows))
	if len(rows) == most {
		many = "several items"
	}
	return 0, usage(strings.Join(fits, " · "), "%q fits %s", s, many)
}

// textWidth is what one line of prose takes at most: longer ones are hard to
// find back from.
const textWidth = 72

// printArticle prints as the article screen shows it: title, where and when it
// is from, the link in full, then the text.
func (s *session) printArticle(a *reader.Article) {
	now := time.Now()
	width := textWidth
	if s.env.Width > 0 {
		width = min(width, s.env.Width)
	}
	fmt.Fprintln(s.out, plain.Line(titleOf(a.Item), 0))
	facts := []string{plain.Line(a.Feed, 0), when(itemTime(a.Item), now), wording.Plural(a.Words, "word")}
	if a.Author != "" {
		facts = append(facts, "by "+plain.Line(a.Author, 0))
	}
	if len(a.Tags) > 0 {
		facts = append(facts, "tags: "+plain.Line(strings.Join(a.Tags, ", "), 0))
	}
	fmt.Fprintln(s.out, strings.Join(facts, " · "))
	if a.Link != "" {
		fmt.Fprintln(s.out, plain.Line(a.Link, 0))
	}
	switch {
	case a.Kept > 0:
		fmt.Fprintf(s.out, "edited by its publisher %s; diurna diff %s says what changed\n", times(a.Kept), a.Key)
	case a.Edits > 0:
		fmt.Fprintf(s.out, "edited by its publisher %s before you read it\n", times(a.Edits))
	}
	fmt.Fprintln(s.out)
	fmt.Fprint(s.out, plain.Text(prose.Render(a.HTML, a.Base, width).Plain(), 0))
	for _, e := range a.Enclosures {
		fmt.Fprintf(s.out, "enclosure: %s\n", plain.Line(strings.Join(enclosureFacts(e), " · "), 0))
	}
}

// times is "once", "twice", "3 times".
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return wording.Count(n) + " times"
}

func enclosureFacts(e reader.Enclosure) []string {
	facts := []string{e.URL}
	if e.Type != "" {
		facts = append(facts, e.Type)
	}
	if e.Length > 0 {
		facts = append(facts, size(e.Length))
	}
	return facts
}
