package cli

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
)

// keepsHands are the commands that look at a damaged library, or mend it, and
// so leave it where it lies.
var keepsHands = map[string]bool{"doctor": true, "restore": true, "backup": true, "demo": true}

// setAside moves a library that proved damaged out of the way, unless the command
// is one that keeps its hands off it.
func (s *session) setAside(ctx context.Context, err error) error {
	if s.lib == nil || keepsHands[s.role] {
		return err
	}
	return setAside(ctx, s.lib, s.places().Library, err)
}

// setAside moves the library in dir away if err says that it is damaged, when
// there is a backup to go on with. Without one the file stays where it is: what can
// still be read of it is better than nothing. A damage that a second, whole look
// does not find was the disk's or the memory's, and moves nothing.
func setAside(ctx context.Context, lib *reader.Reader, dir string, err error) error {
	if !errors.Is(err, reader.ErrDamaged) {
		return err
	}
	list := backupsIn(ctx, lib, dir)
	if st, serr := os.Lstat(filepath.Join(dir, "diurna.db")); len(list) == 0 && serr == nil && st.Size() == 0 {
		path := plain.Argument(filepath.Join(dir, "diurna.db"))
		return &failure{ExitDamaged, fmt.Errorf("the library has 0 bytes, and there is no backup beside it: %s", path),
			"rm " + path + " starts with an empty library; diurna restore FILE takes a copy from elsewhere"}
	}
	if len(list) == 0 {
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
	return damaged(where, aside, list[len(list)-1].path)
}

// restoreHint is what brings a library back that was set aside, or is gone.
const restoreHint = "diurna restore"

func damaged(where, aside, backup string) error {
	return &failure{ExitDamaged,
		fmt.Errorf("the library is damaged%s. It was set aside as %s; the backup of %s can be used", where, filepath.Base(aside), dayOf(backup, time.Now())),
		restoreHint}
}

// hurt is err, or what it means for the library.
func (f *Fetcher) hurt(ctx context.Context, err error) error {
	if !f.Screen {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	there := f.Reader.Exists()
	switch {
	case there:
		f.had, f.lost = true, nil
	case f.lost != nil:
		return f.lost
	case f.had:
		if what, do := gone(ctx, f.Reader, f.Dir); what != "" {
			return fmt.Errorf("%s: %s", what, do)
		}
	}
	aside := setAside(ctx, f.Reader, f.Dir, err)
	if aside == err {
		return err
	}
	f.lost = fmt.Errorf("%w: %s", aside, restoreHint) // the screen has no line for hints
	return f.lost
}

func (f *Fetcher) gone() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost == nil || f.Reader.Exists() {
		return nil
	}
	return f.lost
}

// lies keeps a command from taking the hole that a damaged library left for an
// empty one: a status bar would say 0, and a new library would begin. Where there
// is a hole and nothing says why, the person may have made it, to begin anew: it
// is said and no more.
func (s *session) lies() error {
	if s.lib.Exists() || s.role == "restore" || s.env.Places == nil {
		return nil
	}
	ctx := context.Background() // nothing here waits: there is no library to be locked
	dir := s.places().Library
	list := backupsIn(ctx, s.lib, dir)
	if aside := newestAside(dir, "damaged"); aside != "" && len(list) > 0 && !mended(ctx, s.lib, aside, list) {
		return damaged("", aside, list[len(list)-1].path)
	}
	if what, do := gone(ctx, s.lib, dir); what != "" && s.role != "doctor" {
		if do == restoreHint && len(list) > 0 {
			do += " " + plain.Argument(list[len(list)-1].path) // by name: a library begun now has one of its own soon
		}
		s.talk("%s", what)
		fmt.Fprintf(s.env.Err, "diurna: hint: %s\n", plain.Line(do, 0))
	}
	return nil
}

// mended reports whether the library was restored since the damage of aside: a
// backup of it has more restores behind it.
func mended(ctx context.Context, lib *reader.Reader, aside string, list []backup) bool {
	of, err := lib.Descent(ctx, aside)
	return err == nil && slices.ContainsFunc(list, func(b backup) bool {
		return b.err == nil && b.of.Began.Equal(of.Began) && b.of.Restores > of.Restores
	})
}

// gone says what is left in a folder of a library that is no longer there, and
// what brings it back; "" if nothing is.
func gone(ctx context.Context, lib *reader.Reader, dir string) (what, do string) {
	if _, err := os.Lstat(filepath.Join(dir, "diurna.db")); err == nil {
		return "", ""
	}
	const missing = "there is no library, but "
	if list := backupsIn(ctx, lib, dir); len(list) > 0 {
		return missing + "the backup of " + dayOf(list[len(list)-1].path, time.Now()) + " is here; a library begun now leaves it alone", restoreHint
	}
	if path := newestAside(dir, "replaced"); path != "" {
		return missing + filepath.Base(path) + ", which a restore replaced, is here", restoreHint + " " + plain.Argument(path)
	}
	if path := newestAside(dir, "damaged"); path != "" {
		return missing + filepath.Base(path) + " is here, which was set aside because of damage", restoreHint + " FILE takes a copy from elsewhere; keep that file"
	}
	return "", ""
}

// Gone is what the screen says of a library that is no longer there; "" if there
// never was one.
func Gone(ctx context.Context, lib *reader.Reader, dir string) string {
	what, do := gone(ctx, lib, dir)
	if what == "" {
		return ""
	}
	return strings.ToUpper(what[:1]) + what[1:] + ": " + do
}
