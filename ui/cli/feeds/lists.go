package feeds

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/library"
	"diurna/ui/cli/session"
	"diurna/ui/cli/table"
)

func (s *Commands) importCommand() *cobra.Command {
	var o reader.ImportOptions
	var dir string
	c := &cobra.Command{
		Use:   "import [FILE]",
		Short: "import a whole newsboat, or the feeds of a list",
		Long: `Without FILE the newsboat of this machine is imported, from its usual places or
from --newsboat DIR: feeds, tags, titles and query feeds of urls; of cache.db every
article, read, unread and flagged as it is there; ignore-article lines of config
as rules; its keys as keys.newsboat.toml beside keys.toml. What is not taken is
named with its line and the reason. Run again, it takes over what was read in
newsboat meanwhile. docs/newsboat.md says more.

FILE is OPML, a newsboat urls file, newsraft's feeds or sfeed's sfeedrc, "-" for stdin. Feeds that are there already
stay as they are. Lines that would run a command are not taken: the crontab lines
that do the same with diurna take are written to a file. All of it is one step that
undo takes back, and other programs' files are only read.`,
		Example:     "  diurna import --dry-run\n  diurna import\n  diurna import feeds.opml\n  diurna import --mirror ~/dotfiles/feeds.opml",
		Annotations: arguments.Exits("0 done · 1 not a list, unreadable, or too cut to mirror · 2 wrong usage · 3 the same, but new feeds are kept · 4 busy, or newsboat is running · 5 damaged or newer"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return exit.Usage("diurna import "+plain.Argument(args[0]), "diurna import reads one file at a time")
			case len(args) == 1 && dir != "":
				return exit.Usage("name one of them", "%s and --newsboat are two imports", plain.Argument(args[0]))
			case len(args) == 0:
				return s.importNewsboat(c, dir, o)
			}
			lib, err := s.Library("import")
			if err != nil {
				return err
			}
			doc, err := s.ReadFile(args[0], session.MaxList, nil)
			if err != nil {
				return err
			}
			o.Name = filepath.Base(args[0])
			if args[0] == "-" {
				o.Name = "stdin"
			}
			return s.importDoc(c.Context(), lib, doc, o)
		},
	}
	c.Flags().StringVar(&dir, "newsboat", "", "import the newsboat whose files lie in `DIR`")
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what would be imported, and change nothing")
	c.Flags().BoolVar(&o.NoFetch, "no-fetch", false, "do not fetch the new feeds now")
	c.Flags().BoolVar(&o.Mirror, "mirror", false, "unsubscribe from feeds that FILE does not name")
	return c
}

func (s *Commands) importDoc(ctx context.Context, lib *reader.Reader, doc []byte, o reader.ImportOptions) error {
	refused, said := 0, false
	var failed failures
	p := s.Progress("fetching")
	rep, err := lib.Import(ctx, doc, o, func(v reader.Progress) {
		if !said && v.Total > 1 && s.Env.Lively && !s.JSON {
			s.Talk("fetching all %s once now, one connection per host.", wording.Count(v.Total))
			said = true
		}
		if failed.add(v.Result) && v.Result.Refused() {
			refused++
		}
		p.Step(v)
	})
	p.End()
	if rep.Step == 0 && err != nil {
		return err
	}
	if !o.DryRun {
		library.New(s.Session).FirstBackup(ctx, lib.Maintenance())
	}
	if errors.Is(err, reader.ErrFull) {
		err = exit.With(exit.Error, errors.New("the disk is full; the feeds are subscribed to, but not all that they brought was kept"), "free some space, then: diurna fetch")
	}
	printed := s.printImport(rep, o, failed)
	if refused > 0 {
		s.Talk("%s refused by diurna, at a private address: diurna add --allow-private ADDRESS allows it", wording.Plural(refused, "feed"))
	}
	return errors.Join(printed, err)
}

// printImport tells what became of a list.
func (s *Commands) printImport(rep reader.ImportReport, o reader.ImportOptions, failed failures) error {
	if s.JSON {
		path := ""
		if len(rep.Cron) > 0 && !o.DryRun {
			var err error
			if path, err = s.keepCron(&rep, o.Name); err != nil {
				return err
			}
		}
		if err := s.PrintJSON(newListJSON(&rep, path, failed)); err != nil {
			return err
		}
		return mirrorError(&rep)
	}
	if err := s.printList(rep, o, failed); err != nil {
		return err
	}
	s.tellImport(&rep, &o, failed)
	return mirrorError(&rep)
}

// printList tells what became of the lines of a list.
func (s *Commands) printList(rep reader.ImportReport, o reader.ImportOptions, failed failures) error {
	path := ""
	if len(rep.Cron) > 0 && !o.DryRun {
		var err error
		if path, err = s.keepCron(&rep, o.Name); err != nil {
			return err
		}
	}
	rows := [][2]string{{listWords(&rep), takenWords(&rep)}}
	if rep.Queries > 0 {
		word := fmt.Sprintf("%s saved as queries", wording.Count(rep.Saved))
		switch rep.Saved {
		case rep.Queries:
			word = "saved as queries, in Feeds"
		case 0:
			word = "none saved"
		}
		if rep.Saved > 0 && rep.NewSaved == 0 {
			word = fmt.Sprintf("%s already there", wording.Count(rep.Saved))
		}
		rows = append(rows, [2]string{wording.Plural(rep.Queries, "query feed"), word})
	}
	if n := len(rep.Cron); n > 0 {
		rows = append(rows, [2]string{wording.Plural(n, "line") + " that would run a command", "not taken"})
	}
	if rep.Removed > 0 {
		rows = append(rows, [2]string{wording.Plural(rep.Removed, "feed") + " not in it", "unsubscribed"})
	}
	name, wide := plain.Line(o.Name, 0), 42
	if s.Terminal() {
		name = cells.Cut(name, 40)
	} else {
		for _, r := range rows {
			wide = max(wide, cells.Width(r[0]))
		}
	}
	name = cells.Fit(name, max(10, cells.Width(name)))
	for _, r := range rows {
		fmt.Fprintf(s.Out, "  %s %s  %s\n", name, cells.Fit(r[0], wide), r[1])
		name = cells.Fit("", cells.Width(name))
	}
	if rep.Fresh > 0 { // else all are
		for i := range rep.Already {
			if i == maxListed {
				fmt.Fprintf(s.Out, "    already there: %s more\n", wording.Count(len(rep.Already)-i))
				break
			}
			f := &rep.Already[i]
			fmt.Fprintf(s.Out, "    already there: %s\n", plain.Line(table.FeedName(*f)+" since "+s.Clock().Layout(f.Subscribed, "2 Jan"), 0))
		}
	}
	if path != "" {
		fmt.Fprintf(s.Out, "  %s diurna runs nothing for a feed, but files what cron pipes into it;\n  %s the lines to paste: %s\n", name, name, plain.Line(s.Short(path), 0))
	}
	refused := plain.Lines(rep.Refused)
	if len(refused) == len(rep.Cron) {
		refused = nil // each stands in the file, with what to do
	}
	for _, line := range refused {
		fmt.Fprintf(s.Out, "    not taken: %s\n", line)
	}
	for _, line := range plain.Lines(rep.Problems) {
		fmt.Fprintf(s.Out, "    problem: %s\n", line)
	}
	return nil
}

// mirrorError is how a mirror ends that unsubscribed from nothing.
func mirrorError(rep *reader.ImportReport) error {
	if !rep.ListCut {
		return nil
	}
	code := exit.Error
	if rep.Step != 0 {
		code = exit.Partly
	}
	return exit.With(code, errors.New("the list may be cut short, so feeds missing from it were kept"),
		"see the problem above; with the whole list: diurna import --mirror FILE")
}

// listWords says what a list holds: "287 feeds, 14 tags, 31 titles, 9 hidden".
func listWords(rep *reader.ImportReport) string {
	words := wording.Plural(rep.Feeds, "feed")
	if rep.Tags > 0 {
		words += ", " + wording.Plural(rep.Tags, "tag")
	}
	if rep.Titles > 0 {
		words += ", " + wording.Plural(rep.Titles, "title")
	}
	if rep.Hidden > 0 {
		words += ", " + wording.Count(rep.Hidden) + " hidden"
	}
	return words
}

// takenWords is what became of the feeds of a list.
func takenWords(rep *reader.ImportReport) string {
	switch added := rep.Fresh; {
	case rep.Feeds == 0:
		return "nothing to take"
	case rep.Known == 0 && added == rep.Feeds:
		return "all taken"
	case added == 0:
		return "all already there"
	default:
		return fmt.Sprintf("%s added, %s already there", wording.Count(added), wording.Count(rep.Known))
	}
}

func (s *Commands) tellImport(rep *reader.ImportReport, o *reader.ImportOptions, failed failures) {
	if o.DryRun {
		s.Talk("a dry run: nothing was changed.")
		return
	}
	if rep.Step == 0 {
		s.Talk("nothing new.")
		return
	}
	failed.tell(s.Session)
	s.Talk("imported. diurna undo reverts all of it.")
}

// failures are the feeds that could not be fetched, by name and reason.
type failures []string

// add takes in how a feed fared and reports whether it failed.
func (f *failures) add(r *reader.FetchResult) bool {
	if r == nil || r.Outcome != reader.OutcomeFailed {
		return false
	}
	*f = append(*f, fmt.Sprintf("%s (%s)", plain.Line(r.Title, 60), r.Err))
	return true
}

func (f failures) tell(s *session.Session) {
	if len(f) > 0 {
		s.Talk("%s failed: %s; diurna doctor says what may help.", wording.Plural(len(f), "feed"), wording.Some(f))
	}
}

// keepCron writes the crontab lines that bring in what was refused, for the
// user to read and paste. Nothing runs the file, and nothing can: it is plain
// text that only its owner reads.
func (s *Commands) keepCron(rep *reader.ImportReport, name string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# From %s. Diurna runs nothing for a feed; these lines let cron run it and file\n# what it writes. Read each, then paste it with: crontab -e\n", plain.Line(name, 120))
	if strings.Contains(strings.Join(rep.Cron, ""), "…") {
		b.WriteString("# … stands for a password or token: it is in the list, and goes into your crontab only.\n")
	}
	for _, line := range plain.Lines(rep.Cron) {
		b.WriteString(line + "\n")
	}
	return s.keepText("import", b.String())
}

// keepText writes a text into the state folder. The second import of a day says the
// same: one file is enough.
func (s *Commands) keepText(name, text string) (string, error) {
	first := filepath.Join(s.Places().State, name+"-"+time.Now().Format(time.DateOnly)+".txt")
	if old, err := os.ReadFile(first); err == nil && string(old) == text {
		return first, nil
	}
	return s.Scratch(name, "txt", []byte(text))
}

// listJSON is what became of a list, for scripts.
type listJSON struct {
	Step     uint64   `json:"step"`
	Feeds    int      `json:"feeds"`
	Added    []string `json:"added"`
	Known    int      `json:"known"`
	Queries  int      `json:"queries"`
	Saved    int      `json:"saved_queries"`
	Refused  []string `json:"refused"`
	Problems []string `json:"problems"`
	Failed   int      `json:"failed"`
	Removed  int      `json:"removed"`
	Cron     []string `json:"cron"`
	CronFile *string  `json:"cron_file"`
}

func newListJSON(rep *reader.ImportReport, path string, failed failures) listJSON {
	ids := make([]string, len(rep.Added))
	for i, id := range rep.Added {
		ids[i] = id.String()
	}
	var file *string
	if path != "" {
		file = &path
	}
	return listJSON{rep.Step, rep.Feeds, ids, rep.Known, rep.Queries, rep.Saved, plain.Lines(rep.Refused), plain.Lines(rep.Problems), len(failed), rep.Removed, plain.Lines(rep.Cron), file}
}
