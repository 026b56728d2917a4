package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
)

// maxList is how many bytes of a subscription list are read.
const maxList = 10 << 20

func (s *session) importCommand() *cobra.Command {
	var o reader.ImportOptions
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "subscribe to what an OPML or urls file names",
		Long: `FILE is OPML or a newsboat urls file, "-" for stdin. Feeds that are there
already stay as they are; lines that would run a command are not taken. All of
it is one step that undo takes back.`,
		Example:     "  diurna import feeds.opml\n  diurna import ~/.newsboat/urls",
		Annotations: exits("0 done · 1 not a list, or unreadable · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        atLeastOne("a file"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("diurna import "+args[0], "diurna import takes one file at a time")
			}
			doc, err := s.readFile(args[0], maxList)
			if err != nil {
				return err
			}
			lib, err := s.library("import")
			if err != nil {
				return err
			}
			o.Name = filepath.Base(args[0])
			if args[0] == "-" {
				o.Name = "stdin"
			}
			failed := 0
			p := s.progress("fetching")
			rep, err := lib.Import(c.Context(), doc, o, func(v reader.Progress) {
				if v.Result != nil && v.Result.Outcome == "failed" {
					failed++
				}
				p.step(v)
			})
			p.end()
			if rep.Step == 0 && err != nil {
				return err
			}
			return errors.Join(s.printImport(rep, o, failed), err)
		},
	}
	c.Flags().BoolVar(&o.NoFetch, "no-fetch", false, "do not fetch the new feeds now")
	return c
}

// readFile reads a file named on the line, "-" being stdin, up to max bytes.
func (s *session) readFile(name string, max int64) ([]byte, error) {
	in := s.env.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, errors.Unwrap(err))
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return nil, fmt.Errorf("%s is a folder, not a file", name)
		}
		in = f
	}
	doc, err := io.ReadAll(io.LimitReader(in, max+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case int64(len(doc)) > max:
		return nil, fmt.Errorf("%s is larger than %s", name, size(max))
	}
	return doc, nil
}

// printImport tells what became of the lines of a list.
func (s *session) printImport(rep reader.ImportReport, o reader.ImportOptions, failed int) error {
	if s.json {
		ids := make([]string, len(rep.Added))
		for i, id := range rep.Added {
			ids[i] = id.String()
		}
		return s.printJSON(struct {
			Step     uint64   `json:"step"`
			Feeds    int      `json:"feeds"`
			Added    []string `json:"added"`
			Known    int      `json:"known"`
			Queries  int      `json:"queries"`
			Refused  []string `json:"refused"`
			Problems []string `json:"problems"`
			Failed   int      `json:"failed"`
		}{rep.Step, rep.Feeds, ids, rep.Known, rep.Queries, lines(rep.Refused), lines(rep.Problems), failed})
	}
	fmt.Fprintf(s.out, "%s: %s, %s added, %s there already\n", plain.Line(o.Name, 0), plural(rep.Feeds, "feed"), count(len(rep.Added)), count(rep.Known))
	if rep.Queries > 0 {
		fmt.Fprintf(s.out, "  %s of newsboat not taken\n", plural(rep.Queries, "query feed"))
	}
	for _, line := range lines(rep.Refused) {
		fmt.Fprintf(s.out, "  not taken: %s\n", line)
	}
	for _, line := range lines(rep.Problems) {
		fmt.Fprintf(s.out, "  problem: %s\n", line)
	}
	switch {
	case rep.Step == 0:
		s.talk("nothing new.")
		return nil
	case failed > 0:
		s.talk("%s failed (diurna doctor says why).", plural(failed, "feed"))
	}
	s.talk("imported. diurna undo takes all of it back.")
	return nil
}

// lines makes a list plain; an absent one is empty, not null.
func lines(list []string) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, plain.Line(s, 0))
	}
	return out
}

func (s *session) exportCommand() *cobra.Command {
	var asOPML, secrets bool
	c := &cobra.Command{
		Use:         "export",
		Short:       "print the subscriptions as OPML",
		Long:        "Passwords in addresses are left out unless --with-secrets is given.",
		Example:     "  diurna export > feeds.opml",
		Annotations: exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if s.json {
				return usage("diurna list --json prints the feeds as JSON", "diurna export prints OPML")
			}
			lib, err := s.library("export")
			if err != nil {
				return err
			}
			return lib.Export(c.Context(), s.out, secrets)
		},
	}
	c.Flags().BoolVar(&asOPML, "opml", true, "as OPML 2.0, which is also what is printed without it")
	c.Flags().BoolVar(&secrets, "with-secrets", false, "leave passwords in addresses")
	return c
}

// findLists looks where newsboat and its forerunner keep their list.
func findLists(home string) []List {
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
