package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/cli/arguments"
	"diurna/ui/cli/exit"
)

// Daily makes the day's backup unless there is one, or nothing was written
// since the last. It removes the oldest of more than keepBackups, and libraries that
// restores replaced long ago. Backups of a library that was here before stay: nothing
// else may be left of it.
func Daily(ctx context.Context, lib Library, dir string, now time.Time) error {
	path, _ := wanted(ctx, lib, dir, now)
	if path == "" {
		return nil
	}
	switch same, err := nameFree(ctx, lib, path); {
	case err != nil:
		return err
	case !same:
		return nil // another library's, of which nothing else may be left
	}
	if err := lib.BackupPacked(ctx, path); err != nil {
		return err
	}
	own, _ := ownBackups(ctx, lib, dir)
	for len(own) > keepBackups {
		if err := os.Remove(own[0].path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an old backup: %w", err)
		}
		own = own[1:]
	}
	// Only the newest is kept whole: the others say how they differ from the one after
	// them, which is a few per cent of it.
	for i := len(own) - 2; i >= 0; i-- {
		if err := lib.Thin(ctx, own[i].path, own[i+1].path); err != nil {
			return err
		}
	}
	return sweepReplaced(ctx, lib, dir, own)
}

// wanted is where the day's backup goes; "" if it is there, or nothing was written
// since the last. own are this library's backups, newest last.
func wanted(ctx context.Context, lib Library, dir string, now time.Time) (path string, own []backup) {
	if dir == "" || !lib.Exists() {
		return "", nil
	}
	own, _ = ownBackups(ctx, lib, dir)
	path = filepath.Join(dir, "diurna.db.backup-"+now.Format(time.DateOnly))
	if len(own) == 0 {
		return path, nil
	}
	here, err := lib.Descent(ctx, "")
	if last := own[len(own)-1].of; err != nil || here.Line == last.Line && here.Commit == last.Commit {
		return "", own
	}
	if slices.ContainsFunc(own, func(b backup) bool { return b.path == path }) {
		return "", own
	}
	return path, own
}

// InTheWay is what keeps the day's backup from being made: something else that has
// its name.
type InTheWay struct{ path, what string }

func (e *InTheWay) Error() string {
	return fmt.Sprintf("no backup was made today: %s is %s; move it away", e.path, e.what)
}

// nameFree says whether the day's backup can get its name: what has it already is an
// error, or a backup of another library, for which same is false.
func nameFree(ctx context.Context, lib Library, path string) (same bool, err error) {
	st, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	case st.IsDir():
		return false, &InTheWay{path, "a folder"}
	case !st.Mode().IsRegular():
		return false, &InTheWay{path, "no plain file"}
	}
	there, err := lib.Descent(ctx, path)
	if err == nil {
		here, err := lib.Descent(ctx, "")
		return err == nil && here.SameLibrary(there), err
	}
	if ctx.Err() == nil && !errors.Is(err, reader.ErrBusy) {
		err = &InTheWay{path, "no backup, or a damaged one"}
	}
	return false, err
}

// FirstBackup makes a backup of a library that has none yet, which subscribing
// has just begun or made worth one. Fetches make those of later days.
func (s *Commands) FirstBackup(ctx context.Context, lib Library) {
	dir := s.Places().Library
	if own, _ := ownBackups(ctx, lib, dir); len(own) > 0 {
		return
	}
	if err := Daily(ctx, lib, dir, time.Now()); err != nil {
		slog.Warn("the first backup failed", "error", err) // the feed is kept all the same
	}
}

func (s *Commands) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "write a checked copy of the library",
		Long: `The copy is opened and every record of it is checked before it gets its name. A
file that exists already is replaced only if it is a backup. The screen, run
and fetch keep three daily backups beside the library by themselves; add and
import make the first. Those are packed: the newest is whole, each of the others
says how it differs from the one after it and needs that to be restored.`,
		Example:     "  diurna backup ~/diurna.backup",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.Exactly(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.replaceable(args[0]); err != nil {
				return err
			}
			lib, err := s.Library("backup")
			if err != nil {
				return err
			}
			start := time.Now()
			if err := lib.Maintenance().Backup(c.Context(), args[0]); err != nil {
				return err
			}
			took := time.Since(start)
			var bytes int64
			if st, err := os.Stat(args[0]); err == nil {
				bytes = st.Size()
			}
			if s.JSON {
				return s.PrintJSON(struct {
					File    string  `json:"file"`
					Bytes   int64   `json:"bytes"`
					Seconds float64 `json:"seconds"`
				}{args[0], bytes, took.Seconds()})
			}
			s.Talk("backed up %s to %s and checked it, in %s s.", wording.Size(bytes), args[0], wording.Tenth(took.Seconds()))
			return nil
		},
	}
}

// replaceable refuses to write a backup over a file that is none, or over a
// library that is in use.
func (s *Commands) replaceable(path string) error {
	if s.isLive(path) {
		return exit.With(exit.Error, fmt.Errorf("%s is a library, not a backup; it was left alone", path), "name another file, such as "+path+".copy")
	}
	st, err := os.Stat(path) // a pipe would have us wait for its other end
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !st.Mode().IsRegular() {
		return exit.With(exit.Error, fmt.Errorf("%s is not a plain file; it was left alone", path), "name another file")
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Unwrap(err))
	}
	defer f.Close()
	head := make([]byte, 20)
	// bbolt's mark follows the first page's header, in the machine's byte order.
	if n, err := f.Read(head); err == nil && n == len(head) &&
		(bytes.Equal(head[16:], []byte{0xed, 0xda, 0x0c, 0xed}) || bytes.Equal(head[16:], []byte{0xed, 0x0c, 0xda, 0xed})) {
		return nil
	}
	return exit.With(exit.Error, fmt.Errorf("%s exists and is not a library; it was left alone", path), "name another file")
}

// isLive reports whether the file is this library, or one in a data folder of its
// own: of that name, with its lock files beside it.
func (s *Commands) isLive(path string) bool {
	st, err := os.Stat(path)
	if err != nil {
		return false
	}
	if own, err := os.Stat(filepath.Join(s.Places().Library, "diurna.db")); err == nil && os.SameFile(st, own) {
		return true
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if filepath.Base(path) != "diurna.db" {
		return false
	}
	for _, name := range []string{"lock", "turn"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err == nil {
			return true
		}
	}
	return false
}

func (s *Commands) compactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compact",
		Short: "give the library's free pages back to the disk",
		Long: "The copy is made beside the library and checked before it takes its place. Other diurna processes go on reading " +
			"and writing meanwhile.",
		Example:     "  diurna compact",
		Annotations: arguments.Exits("0 done · 1 not done · 2 wrong usage · 4 busy · 5 damaged or newer"),
		Args:        arguments.AtMost(0),
		RunE: s.With("compact", func(c *cobra.Command, lib *reader.Reader, _ []string) error {
			before, after, err := lib.Maintenance().Compact(c.Context())
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(struct {
					Before int64 `json:"before"`
					After  int64 `json:"after"`
				}{before, after})
			}
			s.Talk("compacted: %s before, %s after.", wording.Size(before), wording.Size(after))
			return nil
		}),
	}
}
