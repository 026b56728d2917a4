package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"diurna/store/backups"
)

func TestQuarantineAndRestore(t *testing.T) {
	dir := t.TempDir()
	s, ctx := richLibrary(t, dir+"/lib"), t.Context()
	backup := filepath.Join(dir, "backup.db")
	if err := s.Backup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	want := look(t, s)
	must(s.Act(ctx, day, "", Change{Kind: Unsubscribed, Feed: 2}))(t)
	tx := s.Tx(ctx)
	if err := os.WriteFile(s.Path(), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	rep := must(s.Check(ctx, true, nil))(t)
	if len(rep.Findings) == 0 {
		t.Fatal("Check finds nothing in rubbish")
	}
	for _, name := range []string{"diurna.db.damaged-2026-11-20", "diurna.db.damaged-2026-11-20-2"} {
		if path := must(s.Quarantine(ctx, day))(t); filepath.Base(path) != name {
			t.Fatalf("set aside as %s", path)
		}
		if _, err := s.Totals(ctx); !errors.Is(err, ErrNone) {
			t.Fatalf("after quarantine: %v", err)
		}
		os.WriteFile(s.Path(), []byte("rubbish"), 0o600)
	}
	if _, err := s.Restore(ctx, day, filepath.Join(dir, "lib", "diurna.db.damaged-2026-11-20")); !errors.Is(err, ErrNotBackup) || errors.Is(err, ErrDamaged) {
		t.Fatalf("restored rubbish: %v", err)
	}
	if aside := must(s.Restore(ctx, day, backup))(t); filepath.Base(aside) != "diurna.db.replaced-2026-11-20" {
		t.Fatalf("set aside as %s", aside)
	}
	if got := look(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("the restored library differs")
	}
	if got := s.Tx(ctx); got <= tx || got != must(s.Totals(ctx))(t).Tx {
		t.Errorf("transaction number %d after restoring, %d before", got, tx)
	}
	if fi := must(os.Stat(backup))(t); fi.Mode().Perm() != 0o600 {
		t.Errorf("the backup's mode is %v", fi.Mode())
	}
	sound(t, s, true)
}

func TestCompact(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	fill(t, s, 20, 20, 2000)
	var all []ItemID
	for _, r := range must(s.Rows(ctx, RowQuery{Which: All}))(t) {
		all = append(all, r.ID)
	}
	for i := range 10 {
		must(s.Act(ctx, day, "", Change{Kind: []Kind{MarkedRead, MarkedUnread}[i%2], Items: all}))(t)
	}
	want, tx := look(t, s), s.Tx(ctx)
	before, after, err := s.Compact(ctx)
	if err != nil || after >= before {
		t.Fatalf("%d bytes before, %d after, %v", before, after, err)
	}
	if fmt.Sprint(look(t, s)) != fmt.Sprint(want) || s.Tx(ctx) <= tx {
		t.Error("compacting changed the library")
	}
	rep := sound(t, s, true)
	t.Logf("%d -> %d bytes, %d free", before, after, rep.Free)
	left := must(filepath.Glob(filepath.Join(s.lib.Dir, "*")))(t)
	if len(left) != 4 {
		t.Errorf("left behind: %v", left)
	}
}

func skipRaced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("the race detector does not survive the faults that damaged pages lead to")
	}
}

// What killed backups, compactings and restores left behind goes with the next
// backup; a backup that another process is writing or checking stays.
func TestSweep(t *testing.T) {
	s := newStore(t)
	fill(t, s, 1, 3, 100)
	dir := filepath.Join(t.TempDir(), "a [b]*")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	held := must(backups.NewDraft(dir))(t)
	defer held.Close()
	left := []string{s.Path() + ".new", s.Path() + ".compact", s.Path() + ".restore", filepath.Join(dir, backups.BackupDraft+"1"), filepath.Join(dir, backups.BackupDraft+"2")}
	kept := []string{filepath.Join(dir, "other"), held.Name(), filepath.Join(dir, "x"+backups.BackupDraft+"3")}
	for _, path := range append(left, kept...) {
		if err := os.WriteFile(path, []byte("begun"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "backup")); err != nil {
		t.Fatal(err)
	}
	for _, path := range left {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	for _, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// Backups into one folder at once leave one another's drafts alone.
func TestBackupsBesideOneAnother(t *testing.T) {
	s := newStore(t)
	fill(t, s, 1, 3, 20)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 40 {
				if err := s.Backup(t.Context(), filepath.Join(dir, strconv.Itoa(i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
