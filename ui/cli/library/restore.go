package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
)

func (s *Commands) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "restore [FILE]",
		Short: "replace the library with a backup",
		Long: `Without FILE, a library that is damaged or missing gets its newest daily backup
that passes its check; a sound library is left alone, its backups are listed, and
the exit code is 2. Backups are ordered by the restores and commits before them, not
by the dates in their names: a clock may have been wrong. The library that was there
is set aside beside the new one for 30 days at least, and the command that takes the
restore back is printed on a line of its own. What came after the backup is counted
from all of the old file that can be read.`,
		Example:     "  diurna restore\n  diurna restore ~/diurna.backup",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage, or FILE is missing · 4 busy · 5 the backup is damaged or newer"),
		Args:        arguments.AtMost(1),
		RunE: s.With("restore", func(c *cobra.Command, r *reader.Reader, args []string) error {
			lib := r.Maintenance()
			sound, err := isSound(c.Context(), lib)
			if len(args) == 1 { // whatever is there now: FILE was named
				aside, err := lib.Restore(c.Context(), args[0])
				return s.tellRestored(c.Context(), lib, restored{path: args[0], aside: aside, sound: sound}, err)
			}
			if err != nil {
				return err
			}
			if sound {
				return s.listBackups(c.Context(), lib)
			}
			return s.restoreNewest(c.Context(), lib)
		}),
	}
}

// isSound reports whether there is a library and it passes its whole check. What
// keeps it from being checked, such as another process, is an error.
func isSound(ctx context.Context, lib Library) (bool, error) {
	if !lib.Exists() {
		return false, nil
	}
	d, err := lib.Doctor(ctx, nil)
	if errors.Is(err, reader.ErrDamaged) || errors.Is(err, reader.ErrNone) {
		return false, nil
	}
	return err == nil && !d.Damaged(), err
}

// restoreNewest restores the newest daily backup that passes its check.
func (s *Commands) restoreNewest(ctx context.Context, lib Library) error {
	list, others := restorable(ctx, lib, s.Places().Library)
	if len(list) == 0 && others != "" {
		return exit.With(exit.Error, errors.New("the backups beside the library belong to another library"), s.commandLine("restore", others)+" restores that one anyway")
	}
	if len(list) == 0 {
		return errNoBackup
	}
	for i := len(list) - 1; ; i-- {
		aside, err := lib.Restore(ctx, list[i].path)
		if i == 0 || !errors.Is(err, reader.ErrBackupDamaged) && !errors.Is(err, reader.ErrNotBackup) {
			return s.tellRestored(ctx, lib, restored{path: list[i].path, day: dayOf(list[i].path, s.Clock()), aside: aside}, err)
		}
		s.Talk("the backup of %s is damaged; taking the one before.", dayOf(list[i].path, s.Clock()))
	}
}

var errNoBackup = exit.With(exit.Error, errors.New("there is no backup beside the library"), "diurna restore FILE restores one from elsewhere")

// backupJSON is one line of the list of backups, for scripts.
type backupJSON struct {
	File     string         `json:"file"`
	Bytes    int64          `json:"bytes"`
	Written  wording.Moment `json:"written"`
	Commit   uint64         `json:"commit"`
	Restores uint64         `json:"restores_before"`
	Other    bool           `json:"of_another_library"`
}

// listBackups prints the daily backups, newest first, instead of replacing a
// sound library with one that nobody named.
func (s *Commands) listBackups(ctx context.Context, lib Library) error {
	list := backupsIn(ctx, lib, s.Places().Library)
	if len(list) == 0 {
		return errNoBackup
	}
	here, err := lib.Descent(ctx, "")
	if err != nil {
		return err
	}
	now := time.Now()
	for _, b := range slices.Backward(list) {
		st, err := os.Stat(b.path)
		if err != nil {
			continue // removed since
		}
		if s.JSON {
			if err := s.PrintJSON(backupJSON{b.path, st.Size(), wording.Moment{Time: st.ModTime()}, b.of.Commit, b.of.Restores, b.err == nil && !b.own}); err != nil {
				return err
			}
			continue
		}
		note := ""
		switch {
		case b.err != nil:
			note = "  damaged, or not a backup"
		case !b.own:
			note = "  of another library"
		case b.of.Line != here.Line:
			note = "  from before a restore"
		}
		if st.ModTime().After(now.Add(24 * time.Hour)) {
			note += "  (dated by a clock that was wrong)"
		}
		fmt.Fprintf(s.Out, "%s  %s  %s%s\n", plain.Line(b.path, 0), cmp.Or(s.Clock().When(st.ModTime()), "-"), wording.Size(st.Size()), note)
	}
	return exit.Usage(s.commandLine("restore", "FILE")+" replaces it with one of these", "the library is not damaged, so restore needs to know which backup to use")
}

// commandLine is a command with one argument as a shell takes it, from any folder,
// for the library that this one is about.
func (s *Commands) commandLine(name, arg string) string {
	line := "diurna "
	if s.Where.DataDir != "" {
		line += "--data-dir " + plain.Argument(s.Places().Library) + " "
	}
	return line + name + " " + plain.Argument(arg)
}

// restorable are the daily backups that take a library's place without being
// named, newest last: not those of another one where there is a library to
// tell by. others is the newest of these.
func restorable(ctx context.Context, lib Library, dir string) (list []backup, others string) {
	all := backupsIn(ctx, lib, dir)
	if _, err := lib.Descent(ctx, ""); err != nil {
		return all, ""
	}
	for _, b := range all {
		if b.err == nil && !b.own {
			others = b.path
		} else {
			list = append(list, b)
		}
	}
	return list, others
}

// restored is a backup that took the library's place; day is empty for a file
// that was named, aside if nothing was there. sound tells whether what was there
// passed its check, so that it can be restored in turn.
type restored struct {
	path, day, aside string
	sound            bool
}

// tellRestored says what was restored and what was lost by it. The restore is
// done by now: that something cannot be counted does not make it fail.
func (s *Commands) tellRestored(ctx context.Context, lib Library, r restored, err error) error {
	if err != nil {
		return err
	}
	lost, lerr := s.lost(ctx, lib, r.aside)
	undo := ""
	if r.aside != "" && r.sound {
		undo = s.commandLine("restore", r.aside)
	}
	if s.JSON {
		return s.PrintJSON(struct {
			File  string    `json:"file"`
			Aside string    `json:"aside"`
			Undo  string    `json:"undo,omitempty"`
			Lost  *lostJSON `json:"lost,omitempty"`
		}{r.path, r.aside, undo, lost})
	}
	what := r.path
	if r.day != "" {
		what = "the backup of " + r.day
	}
	s.Talk("restored %s.", what)
	switch {
	case lerr != nil:
		s.Talk("the loss cannot be counted: %v", lerr)
	case lost != nil:
		lost.tell(s.Session)
	}
	switch {
	case undo != "":
		s.Talk("the library that was there is now %s; to undo this restore:", filepath.Base(r.aside))
		fmt.Fprintf(s.Env.Err, "  %s\n", plain.Line(undo, 0))
	case r.aside != "":
		s.Talk("the file that was there is now %s; it does not pass the check.", r.aside)
	}
	return nil
}
