package cli

import (
	"bytes"
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
	"diurna/reader/plain"
	"diurna/reader/wording"
)

// maxList is how many bytes of a subscription list are read.
const maxList = 10 << 20

func (s *session) importCommand() *cobra.Command {
	var o reader.ImportOptions
	c := &cobra.Command{
		Use:   "import [FILE]",
		Short: "subscribe to what an OPML or urls file names",
		Long: `FILE is OPML or a newsboat urls file, "-" for stdin; without one newsboat's own
is looked for. Feeds that are there already stay as they are. Lines that would
run a command are not taken: the crontab lines that do the same with diurna take
are written to a file. All of it is one step that undo takes back.`,
		Example:     "  diurna import\n  diurna import feeds.opml\n  diurna import --mirror ~/dotfiles/feeds.opml",
		Annotations: exits("0 done · 1 not a list, unreadable, or too cut to mirror · 2 wrong usage · 3 the same, but new feeds are kept · 4 busy · 5 damaged or newer"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("diurna import "+plain.Argument(args[0]), "diurna import takes one file at a time")
			}
			lib, err := s.library("import")
			if err != nil {
				return err
			}
			from, err := s.listToImport(args)
			if err != nil {
				return err
			}
			doc, err := s.readFile(from.Path, maxList)
			if err != nil {
				return err
			}
			o.Name = filepath.Base(from.Path)
			if from.Path == "-" {
				o.Name = "stdin"
			}
			return s.importDoc(c.Context(), lib, doc, o, from)
		},
	}
	c.Flags().BoolVar(&o.NoFetch, "no-fetch", false, "do not fetch the new feeds now")
	c.Flags().BoolVar(&o.Mirror, "mirror", false, "unsubscribe from feeds that FILE does not name")
	return c
}

// listToImport is the file named on the line, or newsboat's. Its Program says
// where it was found.
func (s *session) listToImport(args []string) (List, error) {
	if len(args) == 1 {
		return List{Path: args[0]}, nil
	}
	found := Lists(s.places().Home)
	if len(found) == 0 {
		return List{}, usage("diurna import FILE", "there is no newsboat urls file in the usual places")
	}
	l := found[0]
	if !s.json {
		fmt.Fprintf(s.out, "found %s: %s (%s)\n", l.Program, s.short(filepath.Dir(l.Path)), filepath.Base(l.Path))
	}
	return l, nil
}

func (s *session) importDoc(ctx context.Context, lib *reader.Reader, doc []byte, o reader.ImportOptions, from List) error {
	failed, said := 0, false
	p := s.progress("fetching")
	rep, err := lib.Import(ctx, doc, o, func(v reader.Progress) {
		if !said && v.Total > 1 && s.env.Lively && !s.json {
			s.talk("fetching all %s once now, one connection per host.", wording.Count(v.Total))
			said = true
		}
		if v.Result != nil && v.Result.Outcome == reader.OutcomeFailed {
			failed++
		}
		p.step(v)
	})
	p.end()
	if rep.Step == 0 && err != nil {
		return err
	}
	s.firstBackup(ctx, lib)
	if errors.Is(err, reader.ErrFull) {
		err = &failure{ExitError, errors.New("the disk is full; the feeds are subscribed to, but not all that they brought was kept"), "free some space, then: diurna fetch"}
	}
	return errors.Join(s.printImport(rep, o, from, failed), err)
}

// short writes a path below the home folder with a tilde.
func (s *session) short(path string) string {
	home := s.places().Home
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// readFile reads a file named on the line, "-" being stdin, up to max bytes.
func (s *session) readFile(name string, max int64) ([]byte, error) {
	in, want := s.env.In, int64(0)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read %w", err)
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return nil, fmt.Errorf("%s is a folder, not a file", name)
		} else if err == nil {
			want = min(st.Size(), max)
		}
		in = f
	}
	buf := bytes.NewBuffer(make([]byte, 0, want+bytes.MinRead)) // grown, it would take up twice the file
	_, err := buf.ReadFrom(io.LimitReader(in, max+1))
	doc := buf.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case int64(len(doc)) > max:
		return nil, fmt.Errorf("%s is larger than %s", name, size(max))
	}
	return doc, nil
}

// printImport tells what became of the lines of a list.
func (s *session) printImport(rep reader.ImportReport, o reader.ImportOptions, from List, failed int) error {
	path := ""
	if len(rep.Cron) > 0 {
		var err error
		if path, err = s.keepCron(&rep, o.Name); err != nil {
			return err
		}
	}
	if s.json {
		return s.importJSON(&rep, path, failed)
	}
	rows := [][2]string{{listWords(&rep), takenWords(&rep)}}
	if rep.Queries > 0 {
		rows = append(rows, [2]string{wording.Plural(rep.Queries, "query feed"), "not taken"})
	}
	if n := len(rep.Cron); n > 0 {
		rows = append(rows, [2]string{wording.Plural(n, "line") + " that would run a command", "not taken"})
	}
	if rep.Removed > 0 {
		rows = append(rows, [2]string{wording.Plural(rep.Removed, "feed") + " not in it", "unsubscribed"})
	}
	name := fit(plain.Line(o.Name, 40), max(10, min(width(o.Name), 40)))
	for _, r := range rows {
		fmt.Fprintf(s.out, "  %s %s  %s\n", name, fit(r[0], 42), r[1])
		name = fit("", width(name))
	}
	if len(rep.Added) > 0 { // else all are
		for _, as := range rep.KnownAs {
			fmt.Fprintf(s.out, "    there already: %s\n", plain.Line(as, 0))
		}
	}
	if path != "" {
		fmt.Fprintf(s.out, "  %s diurna runs nothing for a feed, but files what cron pipes into it;\n  %s the lines to paste: %s\n", name, name, plain.Line(s.short(path), 0))
	}
	refused := lines(rep.Refused)
	if len(refused) == len(rep.Cron) {
		refused = nil // each stands in the file, with what to do
	}
	for _, line := range refused {
		fmt.Fprintf(s.out, "    not taken: %s\n", line)
	}
	for _, line := range lines(rep.Problems) {
		fmt.Fprintf(s.out, "    problem: %s\n", line)
	}
	s.tellImport(&rep, from, failed)
	return spared(&rep)
}

// spared is how a mirror ends that unsubscribed from nothing.
func spared(rep *reader.ImportReport) error {
	if !rep.Spared {
		return nil
	}
	code := ExitError
	if rep.Step != 0 {
		code = ExitPartly
	}
	return &failure{code, errors.New("the list may be cut short, so what it does not name was not unsubscribed"),
		"see the problem above; with the whole list: diurna import --mirror FILE"}
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
	switch added := len(rep.Added); {
	case rep.Feeds == 0:
		return "nothing to take"
	case rep.Known == 0 && added == rep.Feeds:
		return "all taken"
	case added == 0:
		return "all there already"
	default:
		return fmt.Sprintf("%s taken, %s there already", wording.Count(added), wording.Count(rep.Known))
	}
}

func (s *session) tellImport(rep *reader.ImportReport, from List, failed int) {
	if rep.Step == 0 {
		s.talk("nothing new.")
		return
	}
	if failed > 0 {
		s.talk("%s failed (diurna doctor says why).", wording.Plural(failed, "feed"))
	}
	if from.Program != "" {
		s.talk("imported. diurna undo takes all of it back; %s's files were only read.", from.Program)
		return
	}
	s.talk("imported. diurna undo takes all of it back.")
}

// keepCron writes the crontab lines that bring in what was refused, for a
// person to read and paste. Nothing runs the file, and nothing can: it is plain
// text that only its owner reads.
func (s *session) keepCron(rep *reader.ImportReport, name string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# From %s. Diurna runs nothing for a feed; these lines let cron run it and file\n# what it writes. Read each, then paste it with: crontab -e\n", plain.Line(name, 120))
	if strings.Contains(strings.Join(rep.Cron, ""), "…") {
		b.WriteString("# … stands for a password or token: it is in the list, and goes into your crontab only.\n")
	}
	for _, line := range lines(rep.Cron) {
		b.WriteString(line + "\n")
	}
	// The second import of a day says the same: one file is enough.
	first := filepath.Join(s.places().State, "import-"+time.Now().Format(time.DateOnly)+".txt")
	if old, err := os.ReadFile(first); err == nil && string(old) == b.String() {
		return first, nil
	}
	return s.scratch("import", "txt", []byte(b.String()))
}

func (s *session) importJSON(rep *reader.ImportReport, path string, failed int) error {
	ids := make([]string, len(rep.Added))
	for i, id := range rep.Added {
		ids[i] = id.String()
	}
	var file *string
	if path != "" {
		file = &path
	}
	err := s.printJSON(struct {
		Step     uint64   `json:"step"`
		Feeds    int      `json:"feeds"`
		Added    []string `json:"added"`
		Known    int      `json:"known"`
		Queries  int      `json:"queries"`
		Refused  []string `json:"refused"`
		Problems []string `json:"problems"`
		Failed   int      `json:"failed"`
		Removed  int      `json:"removed"`
		Cron     []string `json:"cron"`
		CronFile *string  `json:"cron_file"`
	}{rep.Step, rep.Feeds, ids, rep.Known, rep.Queries, lines(rep.Refused), lines(rep.Problems), failed, rep.Removed, lines(rep.Cron), file})
	if err != nil {
		return err
	}
	return spared(rep)
}

// lines makes a list plain; an absent one is empty, not null.
func lines(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, plain.Line(s, 0))
	}
	return out
}

// findLists looks where newsboat and its forerunner keep their list.
func findLists(home string) []List {
	if home == "" {
		return nil // the current folder's are not meant
	}
	var found []List
	for _, place := range []struct{ program, path string }{
		{"newsboat", ".newsboat/urls"}, {"newsboat", ".config/newsboat/urls"}, {"newsbeuter", ".newsbeuter/urls"},
	} {
		path := filepath.Join(home, filepath.FromSlash(place.path))
		st, err := os.Stat(path)
		if err != nil || !st.Mode().IsRegular() || st.Size() > maxList {
			continue
		}
		doc, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		l := List{Program: place.program, Path: path}
		tags := map[string]bool{}
		for line := range strings.Lines(string(doc)) {
			words := strings.Fields(line)
			if len(words) == 0 || !strings.HasPrefix(words[0], "http") {
				continue
			}
			l.Feeds++
			for _, tag := range words[1:] {
				if title := strings.Trim(tag, `"`); !strings.HasPrefix(title, "~") && title != "!" {
					tags[tag] = true
				}
			}
		}
		l.Tags = len(tags)
		if l.Feeds > 0 {
			found = append(found, l)
		}
	}
	return found
}
