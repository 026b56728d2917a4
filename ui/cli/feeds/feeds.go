// Package feeds holds the commands that subscribe, import, edit, list and export.
package feeds

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/fetch"
	"diurna/ui/cli/library"
	"diurna/ui/cli/pages"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

// Commands are those that subscribe, list, import and export.
type Commands struct{ *session.Session }

// New gives the commands of one run of the program.
func New(s *session.Session) *Commands { return &Commands{Session: s} }

// All are the commands.
func (s *Commands) All() []arguments.Command {
	return []arguments.Command{
		{Name: "add", Build: s.addCommand},
		{Name: "rm", Build: s.rmCommand},
		{Name: "mv", Build: s.mvCommand},
		{Name: "set", Build: s.setCommand},
		{Name: "edit", Build: s.editCommand},
		{Name: "list", Build: s.listCommand},
		{Name: "take", Build: s.takeCommand},
		{Name: "import", Build: s.importCommand},
		{Name: "export", Build: s.exportCommand},
		{Name: "preview", Build: s.previewCommand},
	}
}

func (s *Commands) listCommand() *cobra.Command {
	var onlyPages bool
	c := &cobra.Command{
		Use:   "list [QUERY]",
		Short: "list the feeds",
		Long: `QUERY narrows the list: words of the title, folder:NAME, #TAG, unread, saved,
older:30d (without a post for 30 days).
Columns in a pipe: ` + table.Names(table.Feeds) + `
of pages: ` + table.Names(pages.PageColumns),
		Example:     "  diurna list\n  diurna list folder:sea\n  diurna list --json | jq -r 'select(.state != \"ok\") | .title'",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),

		ValidArgsFunction: s.CompleteQuery,
		RunE: s.With("list", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			q, err := session.Query(c.Context(), s.Library, "list", args)
			if err != nil {
				return err
			}
			if part := q.AsksItems(); part != "" {
				return exit.Usage("diurna items "+part+" lists items", "list shows feeds, and %s matches items", part)
			}
			if onlyPages {
				return pages.New(s.Session).ListPages(c.Context(), lib, q)
			}
			feeds, err := lib.Feeds(c.Context())
			if err != nil {
				return err
			}
			all := len(feeds)
			feeds = slices.DeleteFunc(feeds, func(f reader.Feed) bool { return f.Watched })
			if pages := all - len(feeds); len(feeds) == 0 && pages > 0 {
				s.Talk("no feeds. diurna list --pages lists %s.", wording.Plural(pages, "watched page"))
				return nil
			}
			if len(feeds) == 0 {
				s.Talk("no feeds yet. diurna add ADDRESS adds one, diurna import FILE reads an OPML or urls file.")
				return nil
			}
			fits := slices.DeleteFunc(feeds, func(f reader.Feed) bool { return !q.FitsFeed(&f) })
			if len(fits) == 0 {
				s.Talk("no feed matches %q.", q.String())
			}
			return session.Print(s.Session, table.Feeds, fits)
		}),
	}
	c.Flags().BoolVar(&onlyPages, "pages", false, "list the watched pages instead")
	return c
}

func (s *Commands) addCommand() *cobra.Command {
	var o reader.SubscribeOptions
	var allow, full bool
	c := &cobra.Command{
		Use:   "add ADDRESS…",
		Short: "subscribe to feeds",
		Long: `ADDRESS is a site, a feed, a video channel or a code repository; of a site the
first feed that its page names is taken. Items of the last 7 days will be
unread, at least the newest. With --full the whole texts of the feed's newest
five items are fetched from their pages at once, and those of new items after each
fetch, unless robots.txt forbids it; ADDRESS may be the id of a feed that is there,
and --full=false takes it back.`,
		Example:     "  diurna add harbour.example\n  diurna add --folder sea --tag boats https://harbour.example/news.xml",
		Annotations: arguments.Exits("0 done · 1 not done · 2 not an address · 3 only some were added · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtLeastOne("an address"),
		RunE: s.With("add", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			return s.Each(c.Context(), args, func(ctx context.Context, address string) error {
				if !c.Flags().Changed("full") {
					return s.add(ctx, lib, address, o, allow)
				}
				if _, ok := reader.ParseFeedID(address); !ok {
					if err := s.add(ctx, lib, address, o, allow); err != nil {
						return err
					}
				}
				return s.wholeTexts(ctx, lib, address, full)
			})
		}),
	}
	f := c.Flags()
	f.StringSliceVar(&o.Tags, "tag", nil, "add the tag `TAG`; may be repeated")
	f.StringVar(&o.Title, "title", "", "use `TITLE` as its title")
	f.StringVar(&o.Folder, "folder", "", "put the feed into `FOLDER`, such as sea or sea/boats")
	f.BoolVar(&o.AllUnread, "all-unread", false, "make all of its items unread")
	f.BoolVar(&full, "full", false, "fetch the whole texts of the feed's items from their pages")
	f.BoolVar(&allow, "allow-private", false, "allow its private address")
	s.CompleteFlags(c)
	return c
}

// add subscribes to what one address brings.
func (s *Commands) add(ctx context.Context, lib *reader.Reader, address string, o reader.SubscribeOptions, allow bool) error {
	if _, ok := reader.ParseFeedID(address); ok && allow {
		if f, err := lib.FindFeed(ctx, address); err == nil {
			return s.allow(ctx, lib, f)
		}
	}
	found, err := lib.Finder().Look(ctx, address, allow)
	if errors.Is(err, reader.ErrPrivate) {
		return exit.With(exit.Error, err, "to allow it: diurna add --allow-private "+plain.Argument(address))
	}
	if errors.Is(err, reader.ErrNoFeed) {
		return exit.With(exit.Error, err, "diurna watch "+plain.Argument(address)+" watches the page itself for changes; if you know the address of a feed, add that")
	}
	if err != nil {
		return err
	}
	if found.List != "" {
		return exit.Usage("diurna import "+plain.Argument(found.List), "%s is a list of feeds", found.List)
	}
	c, err := lib.Finder().Fill(ctx, choose(found.Candidates))
	if err != nil {
		return err
	}
	if c.Known != 0 && allow {
		f, err := lib.FindFeed(ctx, c.Known.String())
		if err != nil || !f.AllowPrivate {
			return errors.Join(err, s.allow(ctx, lib, f))
		}
	}
	if c.Known != 0 {
		return fmt.Errorf("already subscribed as %s", c.KnownAs)
	}
	if c.Err != nil {
		if u, err := url.Parse(c.URL); err == nil && strings.HasPrefix(c.Err.Error(), u.Hostname()) {
			return c.Err // it says where
		}
		return fmt.Errorf("%s: %w", plain.Redact(c.URL), c.Err)
	}
	done, err := lib.Subscribe(ctx, c, o)
	if err != nil {
		return err
	}
	library.New(s.Session).FirstBackup(ctx, lib.Maintenance())
	return s.tellAdded(&done, c.URL, found.Candidates)
}

// sayBeyondMost says how many items of a feed's document were left out, if any.
func (s *Commands) sayBeyondMost(f *reader.Feed) {
	if f.LeftOut != "" {
		s.Talk("%s: %s", f.Title, f.LeftOut)
	}
}

// tellAdded says what was subscribed to, and what else was found.
func (s *Commands) tellAdded(done *reader.Subscribed, address string, found []reader.Candidate) error {
	var others []string
	for _, other := range found {
		if other.URL != address {
			others = append(others, plain.Line(plain.Redact(other.URL), 200))
		}
	}
	if len(others) > 0 {
		s.Talk("its page also names %s", strings.Join(others, ", "))
	}
	s.Talk("subscribed to %s (%s): %s, %d of them unread. diurna undo reverts it.",
		done.Feed.Title, done.Feed.Key, wording.Plural(done.Items, "item"), done.Unread)
	s.sayBeyondMost(&done.Feed)
	if done.Feed.Error != "" { // it was cut short: the rest is yet to come
		s.Talk("%s: %s", done.Feed.Title, done.Feed.Error)
	}
	if s.JSON {
		return s.PrintJSON(done.Feed)
	}
	return nil
}

// allow gives a feed that is subscribed to already the permission to be fetched
// from a private address, and fetches it.
func (s *Commands) allow(ctx context.Context, lib *reader.Reader, f reader.Feed) error {
	if _, err := lib.Adjust(ctx, f.Key, "allow_private", "true"); err != nil {
		return err
	}
	s.Talk("%s (%s) may be fetched from a private address. diurna undo reverts it.", f.Title, f.Key)
	_, err := fetch.New(s.Session).Fetch(ctx, lib, reader.FetchRequest{Feeds: []reader.FeedID{f.Key}}, map[reader.FeedID]time.Time{})
	return err
}

// wholeTexts has the whole texts of a feed's items fetched from now on, or no longer.
func (s *Commands) wholeTexts(ctx context.Context, lib *reader.Reader, name string, on bool) error {
	f, err := lib.FindFeed(ctx, name)
	if err != nil {
		return err
	}
	done, err := lib.Adjust(ctx, f.Key, "full", strconv.FormatBool(on))
	switch {
	case err != nil:
		return err
	case done.Step == 0:
		s.Talk("nothing changed: %s was already like that.", f.Title)
	case on:
		s.Talk("the whole texts of new items of %s (%s) are fetched from their pages. diurna undo reverts it.", f.Title, f.Key)
		return newestTexts(ctx, s.Session, lib, &f)
	default:
		s.Talk("the whole texts of %s (%s) are no longer fetched. diurna undo reverts it.", f.Title, f.Key)
	}
	return nil
}

// newestTexts fetches the whole texts of the newest items of a feed that has just been
// set to have them.
func newestTexts(ctx context.Context, s *session.Session, lib *reader.Reader, f *reader.Feed) error {
	n, of, err := lib.FullTexts().Newest(ctx, f.Key)
	if err != nil {
		return fmt.Errorf("fetch whole texts of %s: %w; its next fetch goes on", f.Title, err)
	}
	if of > 0 {
		s.Talk("whole texts of the newest items of %s: %d of %d.", f.Title, n, of)
	}
	return nil
}

// choose takes the first feed of a page that is not its comments.
func choose(list []reader.Candidate) reader.Candidate {
	for _, c := range list {
		if !c.Comments {
			return c
		}
	}
	return list[0]
}

func (s *Commands) rmCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rm FEED…",
		Short:             "unsubscribe from feeds, stop watching pages",
		Long:              "FEED is an id that list or list --pages prints, an address, or a unique part of a title.\nWhat you read, saved and tagged is kept: undo restores everything.",
		Example:           "  diurna rm q4w",
		Annotations:       arguments.Exits("0 done · 1 not done · 2 wrong usage · 3 only some were found · 4 busy · 5 damaged or newer"),
		Args:              arguments.AtLeastOne("a feed"),
		ValidArgsFunction: s.CompleteFeeds(0),
		RunE: s.With("rm", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			var feeds []reader.Feed
			missed := s.Each(c.Context(), args, func(ctx context.Context, name string) error {
				f, err := lib.FindFeed(ctx, name)
				if err == nil && !slices.ContainsFunc(feeds, func(g reader.Feed) bool { return g.Key == f.Key }) {
					feeds = append(feeds, f)
				}
				return err
			})
			if len(feeds) == 0 {
				return missed
			}
			ids := make([]reader.FeedID, len(feeds))
			for i := range feeds {
				ids[i] = feeds[i].Key
			}
			// One step, however many were named: one undo takes all of it back.
			if _, err := lib.Unsubscribe(c.Context(), ids); err != nil {
				return err
			}
			what := wording.Plural(len(feeds), "feed")
			if len(feeds) == 1 {
				what = feeds[0].Title
			}
			s.Talk("unsubscribed from %s. diurna undo reverts it.", what)
			return missed
		}),
	}
}
