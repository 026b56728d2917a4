package feeds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/fetch"
	"diurna/ui/cli/session"
)

func (s *Commands) mvCommand() *cobra.Command {
	var blind bool
	c := &cobra.Command{
		Use:   "mv FEED [ADDRESS]",
		Short: "change the address of a feed",
		Long: `The feed keeps its items, folder, tags and title. ADDRESS is looked at first, as
add does: of a site its first feed is taken. Without ADDRESS it is the one that
the feed's server has named (doctor: moved).`,
		Example:     "  diurna mv p9d https://harbour.example/news.xml",
		Annotations: arguments.Exits("0 done · 1 no feed there, or not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.OneOrTwo("a feed"),
		RunE: s.With("mv", func(c *cobra.Command, lib *reader.Reader, args []string) error {
			return s.move(c.Context(), lib, args[0], strings.Join(args[1:], ""), blind)
		}),
	}
	c.Flags().BoolVar(&blind, "blind", false, "use ADDRESS unchecked")
	c.ValidArgsFunction = s.CompleteFeeds(1)
	return c
}

func (s *Commands) move(ctx context.Context, lib *reader.Reader, name, address string, blind bool) error {
	f, err := lib.FindFeed(ctx, name)
	if err != nil {
		return err
	}
	if address == "" {
		if address = f.MovedTo; address == "" {
			return exit.Usage("diurna mv "+f.Key.String()+" ADDRESS", "the server of %s has not announced another address", f.Title)
		}
	}
	if !blind && !f.Watched { // a page is what lies at its address
		found, err := lib.Finder().LookMoved(ctx, &f, address)
		if err != nil {
			hint := "diurna mv --blind uses the address unchecked"
			if errors.Is(err, reader.ErrAddress) {
				hint = "" // nothing takes it
			}
			if errors.Is(err, reader.ErrPrivate) {
				hint += "; diurna add --allow-private " + f.Key.String() + " lets it be fetched then"
			}
			return exit.With(exit.CodeOf(err), err, hint)
		}
		if found.List != "" {
			return exit.Usage("diurna import "+plain.Argument(found.List), "%s is a list of feeds", found.List)
		}
		c := choose(found.Candidates)
		if c.Known != 0 && c.Known != f.Key {
			return exit.With(exit.Error, fmt.Errorf("already subscribed as %s", c.KnownAs), "diurna rm "+f.Key.String()+" leaves that one alone")
		}
		address = c.URL
	}
	done, err := lib.Adjust(ctx, f.Key, "url", address)
	if err != nil {
		return err
	}
	if s.JSON {
		if f, err = lib.FindFeed(ctx, f.Key.String()); err != nil {
			return err
		}
		return s.PrintJSON(f)
	}
	if done.Changed == 0 {
		s.Talk("nothing changed: %s is already fetched from there.", f.Title)
		return nil
	}
	s.Talk("moved %s to %s; its %s are kept. diurna undo reverts it.", f.Title, plain.Redact(address), wording.Plural(f.Items, "item"))
	return nil
}

func (s *Commands) takeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "take NAME",
		Short: "file a feed read from stdin",
		Long: `What a program of your own writes as RSS, Atom, RDF or JSON Feed is filed as the
feed NAME, which is subscribed to the first time; then the items of the last seven days are
unread, at least the newest. For cron.`,
		Example:     "  some-script | diurna take \"Ferry cameras\"",
		Annotations: arguments.Exits("0 done · 1 not a feed, or not done · 2 wrong usage · 3 cut short; what came whole is filed · 4 busy · 5 damaged or newer"),
		Args:        arguments.Exactly(1, "a name"),
		RunE: func(c *cobra.Command, args []string) error {
			doc, err := s.ReadFile("-", maxDocument, nil)
			if err != nil {
				return err
			}
			if len(bytes.TrimSpace(doc)) == 0 {
				return exit.With(exit.Error, errors.New("stdin is empty"), "some-script | diurna take "+plain.Argument(args[0]))
			}
			lib, err := s.Library("take")
			if err != nil {
				return err
			}
			done, err := lib.Take(c.Context(), args[0], doc)
			if err != nil {
				return err
			}
			switch {
			case s.JSON:
				if err := s.PrintJSON(done.Feed); err != nil {
					return err
				}
			case done.Step != 0:
				s.Talk("took %s (%s): %s, %d of them unread. diurna undo reverts it.", done.Feed.Title, done.Feed.Key, wording.Plural(done.Items, "item"), done.Unread)
			case s.Env.Lively: // silent for cron when all is well
				s.Talk("%s: %d new", done.Feed.Title, done.Items)
			}
			s.sayBeyondMost(&done.Feed)
			if done.Feed.Error != "" { // what came whole is filed all the same
				s.Talk("%s: %s", done.Feed.Title, done.Feed.Error)
				return exit.Reported(exit.Partly)
			}
			return nil
		},
	}
}

func (s *Commands) editCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "edit [FILE]",
		Short: "edit all feeds as text, in your editor",
		Long: `The feeds are written as newsboat lines and opened in $VISUAL or $EDITOR. What is
different afterwards is applied as one step: a new line subscribes, a removed line
unsubscribes, another title, tag or folder is set. A text that cannot be
used is kept in a file; edit FILE opens it again.`,
		Example:     "  diurna edit\n  EDITOR='code --wait' diurna edit",
		Annotations: arguments.Exits("0 done · 1 not done; the text is kept · 2 wrong usage, or a line that is no feed · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if s.JSON {
				return exit.Usage("diurna list --json prints the feeds as JSON", "diurna edit works on text")
			}
			editor, err := s.EditorArgv()
			if err != nil {
				return err
			}
			lib, err := s.Library("edit")
			if err != nil {
				return err
			}
			before, err := lib.Subscriptions().EditText(c.Context())
			if err != nil {
				return err
			}
			text := before
			if len(args) == 1 {
				if text, err = s.ReadFile(args[0], session.MaxList, nil); err != nil {
					return err
				}
			}
			return s.edit(c.Context(), lib, editor, before, text)
		},
	}
}

// edit opens text in the editor and applies what came of it. The file is
// removed only when all of it is in the library.
func (s *Commands) edit(ctx context.Context, lib *reader.Reader, editor []string, before, text []byte) error {
	path, err := s.Scratch("edit", "urls", text)
	if err != nil {
		return err
	}
	keep := func(err error) error {
		hint := "the text is kept: diurna edit " + plain.Argument(path)
		var f *exit.Failure
		if errors.As(err, &f) && f.Hint != "" {
			hint = f.Hint + "; " + hint
		}
		return exit.With(exit.CodeOf(err), err, hint)
	}
	if err := s.OpenEditor(append(editor, path)); err != nil {
		return keep(fmt.Errorf("%s: %w", editor[0], err))
	}
	edited, err := s.ReadFile(path, session.MaxList, nil)
	if err != nil {
		return keep(err)
	}
	if bytes.Equal(edited, before) {
		s.Talk("nothing changed.")
		return os.Remove(path)
	}
	// What another process subscribed to meanwhile is not in the text and would
	// be unsubscribed.
	now, err := lib.Subscriptions().EditText(ctx)
	if err != nil {
		return keep(err)
	}
	if !bytes.Equal(now, before) {
		return keep(errors.New("the feeds were changed elsewhere while the text was open; nothing was changed"))
	}
	rep, err := lib.Subscriptions().ApplyEdit(ctx, edited, time.Now())
	if err != nil {
		for _, line := range rep.Refused {
			s.Talk("%s", line)
		}
		return keep(err)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove the text: %w", err)
	}
	s.tellEdit(&rep)
	if len(rep.New) > 0 {
		_, err = fetch.New(s.Session).Fetch(ctx, lib, reader.FetchRequest{Feeds: rep.New}, map[reader.FeedID]time.Time{})
	}
	return err
}

func (s *Commands) tellEdit(rep *reader.EditReport) {
	var did []string
	for _, d := range []struct {
		n    int
		what string
	}{{rep.Added, "subscribed to"}, {rep.Removed, "unsubscribed from"}, {rep.Moved, "moved"}, {rep.Changed, "changed"}} {
		if d.n > 0 {
			did = append(did, fmt.Sprintf("%s %s", d.what, wording.Count(d.n)))
		}
	}
	if rep.Step == 0 {
		s.Talk("nothing changed.")
		return
	}
	s.Talk("%s. diurna undo reverts it.", strings.Join(did, ", "))
}
