package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"diurna/reader"
)

// keepsHands are the commands that look at a damaged library, or mend it, and
// so leave it where it lies.
var keepsHands = map[string]bool{"doctor": true, "restore": true, "backup": true, "demo": true}

// setAside moves a library that proved damaged out of the way, when there is a
// backup to go on with. Without one the file stays where it is: what can still
// be read of it is better than nothing. A damage that a second, whole look does
// not find was the disk's or the memory's, and moves nothing.
func (s *session) setAside(ctx context.Context, err error) error {
	if !errors.Is(err, reader.ErrDamaged) || s.lib == nil || keepsHands[s.role] {
		return err
	}
	list := backups(s.places().Library)
	if len(list) == 0 {
		return err
	}
	d, derr := s.lib.Doctor(ctx, nil)
	if derr != nil || !d.Damaged() {
		return err
	}
	aside, qerr := s.lib.Quarantine(ctx)
	if qerr != nil {
		return err
	}
	var hurt *reader.DamagedError
	where := ""
	if errors.As(err, &hurt) && hurt.Record != "" {
		where = " (" + hurt.Record + ")"
	}
	return damaged(where, aside, list[len(list)-1])
}

func damaged(where, aside, backup string) error {
	return &failure{ExitDamaged,
		fmt.Errorf("the library is damaged%s. It was set aside as %s; the backup of %s can be used", where, filepath.Base(aside), dayOf(backup, time.Now())),
		"diurna restore"}
}

// lies keeps a command from taking the hole that a damaged library left for an
// empty one: a status bar would say 0, and a new library would begin.
func (s *session) lies() error {
	if s.lib.Exists() || s.role == "restore" || s.env.Places == nil {
		return nil
	}
	dir := s.places().Library
	entries, err := os.ReadDir(dir)
	list := backups(dir)
	if err != nil || len(list) == 0 {
		return nil
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if name := entries[i].Name(); strings.HasPrefix(name, "diurna.db.damaged-") {
			return damaged("", name, list[len(list)-1])
		}
	}
	return nil
}
