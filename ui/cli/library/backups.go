package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"sync"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
)

// keepBackups is how many daily backups lie beside the library.
const keepBackups = 3

// The daily backups are recognised by their whole name, so that a file that a
// user put there is never taken for one and never removed.
var backupName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^diurna\.db\.backup-(\d{4}-\d\d-\d\d)$`)
})

// backup is a daily backup that lies beside the library. Its date is only shown:
// the newest is the one with the most commits, whatever the clock said.
type backup struct {
	path string
	of   reader.Descent
	own  bool  // of the library that is here, at some time
	err  error // it cannot be read
}

// backupsIn are the daily backups in dir, newest last: those of the library
// here behind those of others, and in front of all what cannot be read. Where
// there is no library, or none that can be read, other libraries stand in the
// order of the date of their newest backup.
func backupsIn(ctx context.Context, lib Library, dir string) []backup {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // no folder, no backups
	}
	var list []backup
	for _, e := range entries { // sorted by name, which is by date
		if backupName().MatchString(e.Name()) && e.Type().IsRegular() {
			b := backup{path: filepath.Join(dir, e.Name())}
			b.of, b.err = lib.Descent(ctx, b.path)
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return nil
	}
	here, err := lib.Descent(ctx, "")
	newest := map[int64]*backup{} // by library
	for i := range list {
		b := &list[i]
		b.own = b.err == nil && err == nil && here.SameLibrary(b.of)
		if id := b.of.Began.UnixNano(); newest[id] == nil || newest[id].of.Compare(b.of) <= 0 {
			newest[id] = b
		}
	}
	when := map[int64]string{}
	for id, b := range newest {
		when[id] = b.path
	}
	line := func(b *backup) bool { return b.own && b.of.Line == here.Line }
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return cmp.Or(-order(a.err != nil, b.err != nil), order(a.own, b.own),
			cmp.Compare(when[a.of.Began.UnixNano()], when[b.of.Began.UnixNano()]),
			order(line(a), line(b)), a.of.Compare(b.of)) < 0
	})
	return list
}

// order compares two conditions: false comes before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// ownBackups are the daily backups in dir that are of this library, the furthest
// last; others is how many are of another one.
func ownBackups(ctx context.Context, lib Library, dir string) (own []backup, others int) {
	return split(backupsIn(ctx, lib, dir))
}

// backups are the daily backups beside the library of this run, as backupsIn.
func (s *Commands) backups(ctx context.Context) []backup {
	if s.Lib == nil {
		return nil // a report that is printed by itself
	}
	return backupsIn(ctx, s.Lib.Maintenance(), s.Places().Library)
}

// split parts those of this library from the others.
func split(list []backup) (own []backup, others int) {
	for _, b := range list {
		switch {
		case b.err != nil:
		case b.own:
			own = append(own, b)
		default:
			others++
		}
	}
	return own, others
}

// keepReplaced is how long a library that a restore replaced can still take its
// place back.
const keepReplaced = 30 * 24 * time.Hour

var replacedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^diurna\.db\.replaced-(\d{4}-\d\d-\d\d)(?:-\d+)?$`)
})

// sweepReplaced removes what restores of this library replaced longer ago than
// keepReplaced. own are its backups: all that are kept must be newer, by their
// commits and by their dates, so that a clock that is ahead for a day removes
// nothing. What cannot be read, or is another library, may be all that is left of
// something and stays.
func sweepReplaced(ctx context.Context, lib Library, dir string, own []backup) error {
	if len(own) < keepBackups {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		at, ok := dateIn(replacedName(), e.Name())
		if !ok || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		of, err := lib.Descent(ctx, path)
		newer := func(b backup) bool {
			made, ok := dateIn(backupName(), filepath.Base(b.path))
			return ok && made.Sub(at) > keepReplaced && b.of.Began.Equal(of.Began) && b.of.Compare(of) > 0
		}
		if err != nil || slices.ContainsFunc(own, func(b backup) bool { return !newer(b) }) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a replaced library: %w", err)
		}
	}
	return nil
}

// dateIn is the date in the name of a file of that form.
func dateIn(form *regexp.Regexp, name string) (time.Time, bool) {
	m := form.FindStringSubmatch(name)
	if m == nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.DateOnly, m[1])
	return at, err == nil
}

// dayOf is the date in a backup's name: "today", "yesterday" or a day, for programs
// as it stands there.
func dayOf(path string, c wording.Clock) string {
	if m := backupName().FindStringSubmatch(filepath.Base(path)); m != nil {
		if c.Exact {
			return m[1]
		}
		if t, err := time.ParseInLocation(time.DateOnly, m[1], c.Now.Location()); err == nil {
			switch wording.Midnight(c.Now).Sub(t).Round(24*time.Hour) / (24 * time.Hour) {
			case 0:
				return "today"
			case 1:
				return "yesterday"
			}
			return c.Day(t)
		}
	}
	return filepath.Base(path)
}
