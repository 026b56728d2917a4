package feeds

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/newsboat"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/bindkeys"
	"diurna/ui/cells"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/library"
)

// maxListed is how many lines that were not taken are printed, the rest going into a file,
// and how many feeds that were there already.
const maxListed = 10

// importNewsboat imports the whole newsboat of a folder, "" for the usual places.
func (s *Commands) importNewsboat(c *cobra.Command, dir string, o reader.ImportOptions) error {
	folder, ok := newsboat.At(dir)
	if dir == "" {
		folder, ok = findNewsboat(s.Places().Home)
	}
	switch {
	case !ok && dir != "":
		return exit.Usage("diurna import --newsboat DIR", "there is no newsboat urls file in %s", plain.Argument(dir))
	case !ok:
		return exit.Usage("diurna import FILE", "there is no newsboat urls file in the usual places")
	}
	lib, err := s.Library("import")
	if err != nil {
		return err
	}
	setup, err := newsboat.Read(folder)
	if err != nil {
		return cacheError(err, &folder, dir)
	}
	defer setup.Close()
	if !s.JSON {
		fmt.Fprintf(s.Out, "found newsboat: %s (%s)\n", plain.Line(s.Short(folder.Dir), 0), strings.Join(folder.Names(), ", "))
	}
	o.Name = importName
	said := false
	rep, err := reader.NewsboatMover(lib).Import(c.Context(), setup, o, time.Now(), func(_, all int) {
		if !said && all > 5000 && s.Env.Lively && !s.JSON {
			s.Talk("taking %s articles.", wording.Count(all))
			said = true
		}
	})
	if err != nil && !rep.Changed() {
		return err
	}
	var failed failures
	if err == nil && !o.NoFetch && !o.DryRun && len(rep.List.Added) > 0 {
		failed, err = s.fetchAdded(c.Context(), lib, rep.List.Added)
	}
	if !o.DryRun {
		library.New(s.Session).FirstBackup(c.Context(), lib.Maintenance())
	}
	return errors.Join(s.printNewsboat(setup, &rep, o, failed), err)
}

// cacheError says why nothing was imported, and what to do. dir is the folder that was
// asked for.
func cacheError(err error, f *newsboat.Folder, dir string) error {
	alone := "diurna import " + plain.Argument(f.URLs) + " imports the feeds alone"
	switch {
	case errors.Is(err, newsboat.ErrRunning):
		again := "quit newsboat, then: diurna import"
		if dir != "" {
			again += " --newsboat " + plain.Argument(dir)
		}
		return exit.With(exit.Busy, errors.New("newsboat is running and may be writing its cache; nothing was imported"), again)
	case errors.Is(err, newsboat.ErrCache):
		return exit.With(exit.Error, fmt.Errorf("%w; nothing was imported", err), alone)
	case errors.Is(err, fs.ErrPermission):
		return exit.With(exit.Error, fmt.Errorf("%w; nothing was imported", err), alone)
	}
	return err
}

// fetchAdded fetches the feeds that an import subscribed to, and counts those that failed.
func (s *Commands) fetchAdded(ctx context.Context, lib *reader.Reader, added []reader.FeedID) (failed failures, err error) {
	if len(added) > 1 && s.Env.Lively && !s.JSON {
		s.Talk("fetching all %s once now, one connection per host.", wording.Count(len(added)))
	}
	p := s.Progress("fetching")
	_, err = lib.Fetch(ctx, reader.FetchRequest{Feeds: added}, func(v reader.Progress) {
		failed.add(v.Result)
		p.Step(v)
	})
	p.End()
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("the feeds were added, but not all of their items (%v); diurna fetch gets the rest", err)
	}
	return failed, err
}

// printNewsboat tells what became of each part of a newsboat.
func (s *Commands) printNewsboat(setup *newsboat.Setup, rep *newsboat.Report, o reader.ImportOptions, failed failures) error {
	keys, refused := keysOf(rep.Keys)
	notTaken := append(append([]newsboat.Line(nil), rep.NotTaken...), refused...)
	keysFile, other, err := keepKeys(keys.Text(), s.Places().Config, o.DryRun)
	if err != nil {
		return err
	}
	path := ""
	if len(notTaken) > maxListed && !o.DryRun {
		var b strings.Builder
		b.WriteString("# Lines of newsboat's config that diurna does not import, and why.\n")
		for i := range notTaken {
			b.WriteString(notTaken[i].String() + "\n")
		}
		if path, err = s.keepText("newsboat", b.String()); err != nil {
			return err
		}
	}
	if s.JSON {
		return s.newsboatJSON(rep, o, notTaken, keysFile, path, failed)
	}
	o.Name = "urls"
	if err := s.printList(rep.List, o, failed); err != nil {
		return err
	}
	say := func(name, what, became string) {
		fmt.Fprintf(s.Out, "  %s %s  %s\n", cells.Fit(name, 10), cells.Fit(what, max(42, cells.Width(what))), became)
	}
	if setup.Cache != nil {
		say("cache.db", cacheWords(&rep.Cache), articleWords(rep, o.DryRun))
		if rep.Strays > 0 {
			say("", wording.Plural(rep.Strays, "article")+" of "+wording.Plural(rep.Sources, "feed")+" not in urls", "not taken")
		}
	} else {
		say("cache.db", "not there", "items older than 7 days are read")
	}
	if n := rep.Ignored + rep.Ruled; n > 0 {
		became := "taken as rules"
		if rep.Ignored == 0 {
			became = "rules already"
		}
		say("config", wording.Plural(n, "ignore-article line"), became)
	}
	if n := len(rep.Keys); n > 0 {
		became := "none taken"
		file := plain.Line(s.Short(keysFile), 0)
		switch {
		case other:
			became = file + " has other keys and was left alone; remove it to have it rewritten"
		case keysFile != "":
			became = fmt.Sprintf("%s in %s", wording.Count(keys.Taken), file)
		case len(refused) == 0:
			became = "the same here"
		}
		say("config", wording.Plural(n, "line")+" about keys", became)
	}
	if n := len(notTaken); n > 0 {
		say("config", wording.Plural(n, "line"), "not taken")
	}
	if setup.Queue > 0 {
		say("queue", wording.Plural(setup.Queue, "download")+" of podboat", "not taken")
	}
	if path != "" {
		fmt.Fprintf(s.Out, "    the lines and why: %s\n", plain.Line(s.Short(path), 0))
	} else {
		for i := range notTaken {
			fmt.Fprintf(s.Out, "    not taken: %s\n", plain.Line(notTaken[i].String(), 0))
		}
	}
	switch {
	case o.DryRun:
		s.Talk("a dry run: nothing was changed.")
	case !rep.Changed():
		s.Talk("nothing new.")
	default:
		failed.tell(s.Session)
		s.Talk("imported. diurna undo reverts all of it; newsboat's files were only read.")
	}
	return nil
}

func cacheWords(c *newsboat.Source) string {
	words := fmt.Sprintf("%s: %s unread", wording.Plural(c.Articles, "article"), wording.Count(c.Unread))
	for _, part := range []struct {
		n    int
		word string
	}{{c.Flagged, "flagged"}, {c.Enqueued, "enqueued"}, {c.Deleted, "deleted"}} {
		if part.n > 0 {
			words += fmt.Sprintf(", %s %s", wording.Count(part.n), part.word)
		}
	}
	return words
}

func articleWords(rep *newsboat.Report, dryRun bool) string {
	words := fmt.Sprintf("%s taken", wording.Count(rep.Filed))
	switch {
	case rep.Filed == rep.Cache.Articles:
		return "all taken"
	case rep.Filed == 0:
		words = "all already there"
	default:
		words += fmt.Sprintf(", %s already there", wording.Count(rep.Cache.Articles-rep.Filed))
	}
	if rep.Marked > 0 && (dryRun || rep.List.Step != 0) {
		words += fmt.Sprintf("; %s marked as there", wording.Count(rep.Marked))
	}
	return words
}

// keysOf makes keys.toml's lines of a config's, and says which cannot be.
func keysOf(commands []newsboat.Command) (t bindkeys.Table, refused []newsboat.Line) {
	for i := range commands {
		c := &commands[i]
		if why := t.Add(plain.Lines(c.Words)); why != "" {
			l := c.Line
			l.Why = plain.Line(why, 0)
			refused = append(refused, l)
		}
	}
	return t, refused
}

// keepKeys writes keys.newsboat.toml beside config.toml, whole, but not in a dry run: what
// already exists stays, and other reports whether that says something else. path is ""
// if there is none. What a full disk or a crash cut short is written again.
func keepKeys(text, config string, dryRun bool) (path string, other bool, err error) {
	if text == "" || config == "" {
		return "", false, nil
	}
	path = filepath.Join(filepath.Dir(config), "keys.newsboat.toml")
	old, err := os.ReadFile(path)
	if err == nil && !strings.HasPrefix(text, string(old)) {
		return path, true, nil
	}
	if dryRun || err == nil && string(old) == text {
		return path, false, nil
	}
	err = os.MkdirAll(filepath.Dir(path), 0o700)
	var f *os.File
	if err == nil {
		f, err = os.CreateTemp(filepath.Dir(path), ".keys.newsboat-*")
	}
	if err != nil {
		return "", false, fmt.Errorf("keep newsboat's keys: %w", err)
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", false, errors.Join(fmt.Errorf("keep newsboat's keys: %w", err), os.Remove(f.Name()))
	}
	return path, false, nil
}

// newsboatJSON prints the report for scripts.
func (s *Commands) newsboatJSON(rep *newsboat.Report, o reader.ImportOptions, notTaken []newsboat.Line, keysFile, path string, failed failures) error {
	lines := make([]string, len(notTaken))
	for i := range notTaken {
		lines[i] = plain.Line(notTaken[i].String(), 0)
	}
	cron := ""
	if len(rep.List.Cron) > 0 && !o.DryRun {
		var err error
		if cron, err = s.keepCron(&rep.List, "urls"); err != nil {
			return err
		}
	}
	return s.PrintJSON(struct {
		listJSON
		Articles     int      `json:"articles"`
		Taken        int      `json:"articles_taken"`
		Unread       int      `json:"articles_unread"`
		Marked       int      `json:"articles_marked"`
		Strays       int      `json:"articles_without_feed"`
		Rules        int      `json:"rules"`
		KeysFile     string   `json:"keys_file"`
		NotTaken     []string `json:"not_taken"`
		NotTakenFile string   `json:"not_taken_file"`
	}{newListJSON(&rep.List, cron, failed), rep.Cache.Articles, rep.Filed, rep.Unread, rep.Marked, rep.Strays, rep.Ignored, keysFile, lines, path})
}
