package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cli/exit"
)

// keepsHands are the commands that look at a damaged library, or mend it, and
// so leave it where it lies.
var keepsHands = map[string]bool{"doctor": true, "restore": true, "backup": true, "demo": true}

// SetAside moves a library that proved damaged out of the way, unless the command
// is one that keeps its hands off it.
func (s *Commands) SetAside(ctx context.Context, err error) error {
	if s.Lib == nil || keepsHands[s.Role] {
		return err
	}
	return SetAside(ctx, s.Lib.Maintenance(), s.Places().Library, s.Clock(), err)
}

// SetAside moves the library in dir away if err says that it is damaged, when
// there is a backup to go on with, read from end to end. Without one the file stays
// where it is: what can still be read of it is better than nothing. A damage that a second, whole look
// does not find was the disk's or the memory's, and moves nothing. c writes the times of what is said.
func SetAside(ctx context.Context, lib Library, dir string, c wording.Clock, err error) error {
	if !errors.Is(err, reader.ErrDamaged) {
		return err
	}
	list := backupsIn(ctx, lib, dir)
	if st, serr := os.Lstat(filepath.Join(dir, "diurna.db")); len(list) == 0 && serr == nil && st.Size() == 0 {
		path := plain.Argument(filepath.Join(dir, "diurna.db"))
		return exit.With(exit.Damaged, fmt.Errorf("the library has 0 bytes, and there is no backup beside it: %s", path),
			"rm "+path+" starts with an empty library; diurna restore FILE takes a copy from elsewhere")
	}
	good := newestGood(ctx, lib, list)
	if good == "" {
		return err
	}
	d, derr := lib.Doctor(ctx, nil)
	if derr != nil || !d.Damaged() {
		return err
	}
	aside, qerr := lib.Quarantine(ctx)
	if qerr != nil {
		return err
	}
	var hurt *reader.DamagedError
	where := ""
	if errors.As(err, &hurt) && hurt.Record != "" {
		where = " (" + hurt.Record + ")"
	}
	return damaged(where, aside, good, list, c)
}

// newestGood is the newest backup of a list that reads from end to end; "" if none
// does.
func newestGood(ctx context.Context, lib Library, list []backup) string {
	for _, b := range slices.Backward(list) {
		if lib.CheckBackup(ctx, b.path) == nil {
			return b.path
		}
	}
	return ""
}

// RestoreHint is what brings a library back that was set aside, or is gone.
const RestoreHint = "diurna restore"

// damaged is what is said of a library that was set aside. good is the newest of the
// list of backups that can be used; "" if none can.
func damaged(where, aside, good string, list []backup, c wording.Clock) error {
	day := func(path string) string { return dayOf(path, c) }
	newest, use, do := list[len(list)-1].path, "", RestoreHint
	switch good {
	case newest:
		use = "the backup of " + day(newest) + " can be used"
	case "":
		use = "the backup of " + day(newest) + " is damaged too, and there is no other"
		do += " FILE takes a copy from elsewhere; keep " + filepath.Base(aside)
	default:
		use = "the backup of " + day(newest) + " is damaged too, that of " + day(good) + " can be used"
		do += " " + plain.Argument(good)
	}
	return exit.With(exit.Damaged, fmt.Errorf("the library is damaged%s. It was set aside as %s; %s", where, filepath.Base(aside), use), do)
}

// Lies keeps a command from taking the hole that a damaged library left for an
// empty one: a status bar would say 0, and a new library would begin. Where there
// is a hole and nothing says why, the user may have made it, to begin again: it
// is said and no more.
func (s *Commands) Lies() error {
	if s.Lib.Exists() || s.Role == "restore" || s.Env.Places == nil {
		return nil
	}
	ctx := context.Background() // nothing here waits: there is no library to be locked
	lib, dir := s.Lib.Maintenance(), s.Places().Library
	list := s.backups(ctx)
	if aside := newestAside(dir, "damaged"); aside != "" && len(list) > 0 && !mended(ctx, lib, aside, list) {
		return damaged("", aside, newestGood(ctx, lib, list), list, s.Clock())
	}
	if what, do := Missing(ctx, lib, dir, s.Clock()); what != "" && s.Role != "doctor" {
		if len(list) > 0 { // which Missing names before all else
			do += " " + plain.Argument(list[len(list)-1].path) // by name: a library begun now has one of its own soon
		}
		s.Talk("%s", what)
		fmt.Fprintf(s.Env.Err, "diurna: hint: %s\n", plain.Line(do, 0))
	}
	return nil
}

// mended reports whether the library was restored since the damage of aside: a
// backup of it has more restores behind it.
func mended(ctx context.Context, lib Library, aside string, list []backup) bool {
	of, err := lib.Descent(ctx, aside)
	return err == nil && slices.ContainsFunc(list, func(b backup) bool {
		return b.err == nil && b.of.Began.Equal(of.Began) && b.of.Restores > of.Restores
	})
}

// Missing says what is left in a folder of a library that is no longer there, and
// what brings it back; "" if nothing is.
func Missing(ctx context.Context, lib Library, dir string, c wording.Clock) (what, do string) {
	if _, err := os.Lstat(filepath.Join(dir, "diurna.db")); err == nil {
		return "", ""
	}
	const missing = "there is no library, but "
	if list := backupsIn(ctx, lib, dir); len(list) > 0 {
		return missing + "the backup of " + dayOf(list[len(list)-1].path, c) + " is here; a new library leaves it alone", RestoreHint
	}
	if path := newestAside(dir, "replaced"); path != "" {
		return missing + filepath.Base(path) + ", which a restore replaced, is here", RestoreHint + " " + plain.Argument(path)
	}
	if path := newestAside(dir, "damaged"); path != "" {
		return missing + filepath.Base(path) + " is here, which was set aside because of damage", RestoreHint + " FILE takes a copy from elsewhere; keep that file"
	}
	return "", ""
}

// Gone is what the screen says of a library that is no longer there; "" if there
// never was one.
func Gone(ctx context.Context, lib Library, dir string) string {
	what, do := Missing(ctx, lib, dir, wording.Clock{Now: time.Now()})
	if what == "" {
		return ""
	}
	return strings.ToUpper(what[:1]) + what[1:] + ": " + do
}
