package feeds

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

func (s *Commands) exportCommand() *cobra.Command {
	var asOPML, secrets bool
	var form itemsForm
	var newsboat string
	var atom atomFlags
	c := &cobra.Command{
		Use:   "export [--atom PAGE|QUERY]",
		Short: "print the subscriptions as OPML or in another program's format; items as Atom",
		Long: `--json prints the feeds as list does. Passwords and tokens in addresses are left
out unless --with-secrets is given, and those feeds are named; feeds filed by take
are left out because no address leads there; how many is said. --newsboat is the way back: a urls file with saved queries as
query feeds, without watched pages, the ids of all that was read, and a list of what is saved, whose flags newsboat
cannot import.

--jsonl writes the items that fit QUERY, or all of them, one JSON object on each line,
with state, tags and the text as show --json has it; --markdown writes them to be
read. With --history it is what you did instead, from the first step on: what was
opened, read, saved, tagged, subscribed to, changed and taken back. Passwords and
tokens are left out.

--atom writes the newest reported changes of a watched PAGE with their diffs, or
the items that fit QUERY, as a feed that any other reader can follow. PAGE is the
id, address or title of a page, or a part of its title; "in quotes" it is a word
to look for in items. Without either, every item is written. Nothing is marked
read. Ids never change, and -o replaces FILE, whole, only if an item came, went
or changed, so that cron can write it. A new FILE is yours alone (mode 0600);
chmod it once to serve it. Tokens in links to items are left out too.

` + session.QueryHelp,
		Example: `  diurna export > feeds.opml
  diurna export --newsboat ~/back && newsboat -u ~/back/urls -I ~/back/read
  diurna export --jsonl saved > saved.jsonl
  diurna export --markdown --history > did.md
  diurna export --atom pier -o ~/public/pier.atom
  diurna export --atom saved folder:sea --limit 50 > sea.atom`,
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args: func(c *cobra.Command, args []string) error {
			if atom.on || form.on() && !form.history {
				return nil
			}
			return arguments.AtMost(0)(c, args)
		},

		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if !atom.on {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			list, how := s.CompletePages(c, args, word)
			return list, how | cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := atom.check(c, s.JSON); err != nil {
				return err
			}
			if c.Flags().Changed("opml") && c.Flags().Changed("newsboat") {
				return exit.Usage("name one of them", "--opml and --newsboat are two formats")
			}
			if c.Flags().Changed("newsboat") && newsboat == "" {
				return exit.Usage("name a new folder", "--newsboat needs a folder")
			}
			lib, err := s.Library("export")
			if err != nil {
				return err
			}
			switch {
			case form.history && !form.on():
				return exit.Usage("diurna export --jsonl --history", "--history needs a format")
			case form.on() && (atom.on || newsboat != "") || form.lines && form.markdown:
				return exit.Usage("name one of them", "--jsonl and --markdown are formats of their own")
			case form.history:
				return s.exportHistory(c.Context(), lib, &form)
			case form.on():
				return s.exportItems(c.Context(), lib, args, &form)
			case atom.on:
				return s.exportAtom(c.Context(), lib, strings.Join(args, " "), &atom, secrets)
			case newsboat != "":
				return s.exportNewsboat(c.Context(), lib, newsboat, secrets)
			case s.JSON:
				if secrets {
					return exit.With(exit.WrongUsage, errors.New("--json prints what list prints, without secrets"), "leave --json out: OPML includes them")
				}
				return s.exportJSON(c.Context(), lib)
			}
			out, err := lib.Subscriptions().Export(c.Context(), s.Out, secrets, time.Now())
			s.sayLeftOut(&out)
			return err
		},
	}
	c.Flags().BoolVar(&asOPML, "opml", true, "as OPML 2.0 (the default)")
	c.Flags().StringVar(&newsboat, "newsboat", "", "write newsboat's urls, and lists of read and of flagged items, into `DIR`")
	form.add(c.Flags())
	c.Flags().BoolVar(&secrets, "with-secrets", false, "leave passwords and tokens in addresses")
	atom.add(c.Flags())
	return c
}

func (s *Commands) exportJSON(ctx context.Context, lib *reader.Reader) error {
	feeds, err := lib.Feeds(ctx)
	if err != nil {
		return err
	}
	for i := range feeds {
		if feeds[i].Watched {
			continue // as a page, below
		}
		if err := s.PrintJSON(feeds[i]); err != nil {
			return err
		}
	}
	pages, err := lib.Pages().List(ctx)
	for i := range pages {
		if err := s.PrintJSON(pages[i]); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	list, err := lib.Queries().List(ctx)
	for i := range list {
		if err := s.PrintJSON(struct {
			Query string `json:"saved_query"`
			Name  string `json:"name"`
		}{list[i].Query, list[i].Name}); err != nil {
			return err
		}
	}
	return err
}

// sayLeftOut says what does not go out, and how many addresses go without what they
// need to work.
func (s *Commands) sayLeftOut(out *reader.LeftOut) {
	if n := len(out.Secrets); n > 0 {
		s.Talk("secrets left out of the addresses of %s, so that the list can be shared; --with-secrets keeps them", wording.Plural(n, "feed"))
		for _, name := range out.Secrets {
			s.Talk("  without its secret: %s", name)
		}
	}
	if out.Taken > 0 {
		s.Talk("%s left out, filed by take: it has no address. diurna backup includes everything", wording.Plural(out.Taken, "feed"))
	}
	if n := len(out.Queries); n > 0 {
		s.Talk("%s left out: newsboat cannot express them. diurna export includes them", wording.Plural(n, "saved query"))
		for _, why := range out.Queries {
			s.Talk("  %s", why)
		}
	}
	if out.Pages > 0 {
		s.Talk("%s left out: newsboat has none. diurna export includes them", wording.Plural(out.Pages, "watched page"))
	}
}

// exportNewsboat writes the files that take a reader back to newsboat. What
// already exists is left alone: it may be newsboat's own.
func (s *Commands) exportNewsboat(ctx context.Context, lib *reader.Reader, dir string, secrets bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return exit.With(exit.Error, fmt.Errorf("cannot create the folder %s: %w", dir, errors.Unwrap(err)), "name an existing folder, or a new one inside an existing folder")
	}
	urls, read, flags := filepath.Join(dir, "urls"), filepath.Join(dir, "read"), filepath.Join(dir, "flags")
	for _, path := range []string{urls, read, flags} {
		if _, err := os.Lstat(path); err == nil {
			return exit.With(exit.Error, fmt.Errorf("%s already exists; it was left alone", path), "name a folder without one")
		}
	}
	err := writeNew(urls, func(w io.Writer) error {
		out, err := lib.Subscriptions().ExportURLs(ctx, w, secrets)
		s.sayLeftOut(&out)
		return err
	})
	if err == nil {
		err = writeNew(read, func(w io.Writer) error { return lib.Subscriptions().ReadIDs(ctx, w) })
	}
	flagged := 0
	if err == nil {
		err = writeNew(flags, func(w io.Writer) (err error) {
			flagged, err = lib.Subscriptions().Flags(ctx, w)
			return err
		})
	}
	if err == nil && flagged == 0 {
		err = os.Remove(flags)
	}
	if err != nil {
		return err
	}
	if flagged > 0 {
		s.Talk("%s in %s: newsboat cannot import flags", wording.Plural(flagged, "saved item"), flags)
	}
	if s.JSON {
		return s.PrintJSON(struct {
			URLs string `json:"urls"`
			Read string `json:"read"`
		}{urls, read})
	}
	s.Talk("wrote %s and %s. newsboat -u %s -I %s reads them.", urls, read, urls, read)
	return nil
}

// writeNew writes a file that was not there; a half one is taken away again.
func writeNew(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Unwrap(err))
	}
	w := bufio.NewWriter(f)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(path))
	}
	return nil
}
