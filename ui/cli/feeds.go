package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

func (s *session) listCommand() *cobra.Command {
	var pages bool
	c := &cobra.Command{
		Use:   "list [QUERY]",
		Short: "list the feeds",
		Long: `QUERY narrows the list: words of the title, folder:NAME, #TAG, unread, saved,
older:30d (without a post for 30 days).
Columns in a pipe: ` + names(feedColumns) + `
of pages: ` + names(pageColumns),
		Example:     "  diurna list\n  diurna list folder:sea\n  diurna list --json | jq -r 'select(.state != \"ok\") | .title'",
		Annotations: exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := s.library("list")
			if err != nil {
				return err
			}
			q, err := reader.ParseQuery(strings.Join(args, " "), time.Now())
			if err != nil {
				return err
			}
			if pages {
				return s.listPages(c.Context(), lib, q)
			}
			feeds, err := lib.Feeds(c.Context())
			if err != nil {
				return err
			}
			all := len(feeds)
			feeds = slices.DeleteFunc(feeds, func(f reader.Feed) bool { return f.Watched })
			if pages := all - len(feeds); len(feeds) == 0 && pages > 0 {
				s.talk("no feed is subscribed. diurna list --pages lists %s.", wording.Plural(pages, "watched page"))
				return nil
			}
			if len(feeds) == 0 {
				s.talk("nothing is subscribed. diurna add ADDRESS adds a feed, diurna import FILE takes an OPML or urls file.")
				return nil
			}
			fits := slices.DeleteFunc(feeds, func(f reader.Feed) bool { return !feedFits(q, &f) })
			if len(fits) == 0 {
				s.talk("no feed fits %q.", q.String())
			}
			return printList(s, feedColumns, fits)
		},
	}
	c.Flags().BoolVar(&pages, "pages", false, "list the watched pages instead")
	return c
}

// feedFits asks whether the newest of a feed's items would fit: it is unread or
// saved if any is, and as old as the last post.
func feedFits(q reader.Query, f *reader.Feed) bool {
	row := reader.Row{At: f.LastPost.Unix()}
	if f.Unread == 0 {
		row.Flags |= reader.FlagRead
	}
	if f.Saved > 0 {
		row.Flags |= reader.FlagSaved
	}
	return q.WithHidden().Match(&row, f) // a list of feeds, not of items
}

func (s *session) addCommand() *cobra.Command {
	var o reader.SubscribeOptions
	c := &cobra.Command{
		Use:   "add ADDRESS…",
		Short: "subscribe to feeds",
		Long: `ADDRESS is a site, a feed, a video channel or a code repository; of a site the
first feed that its page names is taken. Items of the last 7 days will be
unread, at least the newest.`,
		Example:     "  diurna add harbour.example\n  diurna add --folder sea --tag boats https://harbour.example/news.xml",
		Annotations: exits("0 done · 1 not done · 2 not an address · 3 only some were added · 4 busy · 5 damaged or newer"),
		Args:        atLeastOne("an address"),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := s.library("add")
			if err != nil {
				return err
			}
			return s.each(c.Context(), args, func(ctx context.Context, address string) error {
				return s.add(ctx, lib, address, o)
			})
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.Tags, "tag", nil, "tag the feed with `TAG`; may be given again")
	f.StringVar(&o.Title, "title", "", "call the feed `TITLE`")
	f.StringVar(&o.Folder, "folder", "", "put the feed into `FOLDER`, such as sea or sea/boats")
	f.BoolVar(&o.AllUnread, "all-unread", false, "let all of its items come unread")
	f.BoolVar(&o.AllowPrivate, "allow-private", false, "fetch this feed although its address is private")
	return c
}

// add subscribes to what one address brings.
func (s *session) add(ctx context.Context, lib *reader.Reader, address string, o reader.SubscribeOptions) error {
	if _, ok := reader.ParseFeedID(address); ok && o.AllowPrivate {
		if f, err := lib.FindFeed(ctx, address); err == nil {
			return s.allow(ctx, lib, f)
		}
	}
	found, err := lib.Look(ctx, address, o.AllowPrivate)
	if errors.Is(err, reader.ErrPrivate) {
		return &failure{ExitError, err, "it is fetched only if you say so: diurna add --allow-private " + plain.Argument(address)}
	}
	if errors.Is(err, reader.ErrNoFeed) {
		return &failure{ExitError, err, "diurna watch " + plain.Argument(address) + " watches the page itself for changes; if you know the address of a feed, add that"}
	}
	if err != nil {
		return err
	}
	if found.List != "" {
		return usage("diurna import "+plain.Argument(found.List), "%s is a list of feeds", found.List)
	}
	c, err := lib.Fill(ctx, choose(found.Candidates), o.AllowPrivate)
	if err != nil {
		return err
	}
	if c.Known != 0 && o.AllowPrivate {
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
	s.firstBackup(ctx, lib)
	return s.tellAdded(&done, c.URL, found.Candidates)
}

// sayBeyondMost says how many items of a feed's document were left out, if any.
func (s *session) sayBeyondMost(f *reader.Feed) {
	if f.LeftOut != "" {
		s.talk("%s: %s", f.Title, f.LeftOut)
	}
}

// tellAdded says what was subscribed to, and what else was found.
func (s *session) tellAdded(done *reader.Subscribed, address string, found []reader.Candidate) error {
	var others []string
	for _, other := range found {
		if other.URL != address {
			others = append(others, plain.Line(plain.Redact(other.URL), 200))
		}
	}
	if len(others) > 0 {
		s.talk("its page also names %s", strings.Join(others, ", "))
	}
	s.talk("subscribed to %s (%s): %s, %d of them unread. diurna undo takes it back.",
		done.Feed.Title, done.Feed.Key, wording.Plural(done.Items, "item"), done.Unread)
	s.sayBeyondMost(&done.Feed)
	if done.Feed.Error != "" { // it was cut short: the rest is yet to come
		s.talk("%s: %s", done.Feed.Title, done.Feed.Error)
	}
	if s.json {
		return s.printJSON(done.Feed)
	}
	return nil
}

// allow gives a feed that is subscribed to already the permission to be fetched
// from a private address, and fetches it.
func (s *session) allow(ctx context.Context, lib *reader.Reader, f reader.Feed) error {
	if _, err := lib.Adjust(ctx, f.Key, "allow_private", "true"); err != nil {
		return err
	}
	s.talk("%s (%s) may be fetched from a private address. diurna undo takes it back.", f.Title, f.Key)
	_, err := s.fetch(ctx, lib, reader.FetchRequest{Feeds: []reader.FeedID{f.Key}}, map[reader.FeedID]time.Time{})
	return err
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

func (s *session) rmCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "rm FEED…",
		Short:             "unsubscribe from feeds, stop watching pages",
		Long:              "FEED is an id that list or list --pages prints, an address, or a unique part of a title.\nWhat was read, saved and tagged is kept: undo brings everything back.",
		Example:           "  diurna rm q4w",
		Annotations:       exits("0 done · 1 not done · 2 wrong usage · 3 only some were found · 4 busy · 5 damaged or newer"),
		Args:              atLeastOne("a feed"),
		ValidArgsFunction: s.completeFeeds(0),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := s.library("rm")
			if err != nil {
				return err
			}
			var feeds []reader.Feed
			missed := s.each(c.Context(), args, func(ctx context.Context, name string) error {
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
			s.talk("unsubscribed from %s. diurna undo takes it back.", what)
			return missed
		},
	}
}

// each does one thing for every word. One word that fails ends in its own
// code; of several the others are still done, and the code says "partly".
func (s *session) each(ctx context.Context, words []string, do func(context.Context, string) error) error {
	if len(words) == 1 {
		return do(ctx, words[0])
	}
	var failed int
	var last error
	for _, w := range words {
		err := do(ctx, w)
		if err == nil {
			continue
		}
		if fatal(err) {
			return err
		}
		failed, last = failed+1, err
		report(s.env.Err, err)
	}
	switch failed {
	case 0:
		return nil
	case len(words):
		return told(codeOf(last))
	}
	return told(ExitPartly)
}

// fatal errors are the library's or the person's stop: the next word would
// fail alike.
func fatal(err error) bool {
	c := codeOf(err)
	return c == ExitBusy || c == ExitDamaged || c == ExitINT || errors.Is(err, reader.ErrFull) || errors.Is(err, reader.ErrReadOnly)
}

func atLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage(c.CommandPath()+" --help has an example", "%s needs %s", c.CommandPath(), what)
		}
		return nil
	}
}

func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage(c.CommandPath()+" --help has an example", "%s takes %s, not %d", c.CommandPath(), wording.Plural(n, "word"), len(args))
		}
		return nil
	}
}
