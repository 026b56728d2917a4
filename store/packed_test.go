package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Of three packed backups, of which two say how they differ from the next, each
// restores the library as it was, to the record and the number of its commit.
func TestPackedBackups(t *testing.T) {
	dir := t.TempDir()
	s, ctx := richLibrary(t, dir+"/lib"), t.Context()
	type copied struct {
		path string
		want seen
		of   Descent
	}
	var all []copied
	at := time.Now().Add(-72 * time.Hour).Truncate(time.Second)
	for i := range 4 {
		c := copied{path: filepath.Join(dir, fmt.Sprint("day", i)), want: look(t, s), of: must(s.Descent(ctx, ""))(t)}
		make := s.BackupPacked
		if i == 1 {
			make = s.Backup // by an older program
		}
		if err := make(ctx, c.path); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(c.path, at, at)
		all = append(all, c)
		if i == 1 {
			must(s.Act(ctx, day, "", Change{Kind: Unsubscribed, Feed: 2}))(t)
			if _, _, err := s.Compact(ctx); err != nil {
				t.Fatal(err)
			}
		} else {
			d := must(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://more%d.example/", i)}}))(t)
			must(s.File(ctx, day, []Filing{{Feed: d.Feeds[0], Next: 1, New: arrivals(rand.New(rand.NewPCG(1, uint64(i))), 5, 300, true)}}))(t)
		}
	}
	for i := len(all) - 2; i >= 0; i-- {
		before := must(os.Stat(all[i].path))(t).Size()
		for range 2 { // once more changes nothing
			if err := s.Thin(ctx, all[i].path, all[i+1].path); err != nil {
				t.Fatal(err)
			}
		}
		fi := must(os.Stat(all[i].path))(t)
		if fi.Size() > before*2/3 || !fi.ModTime().Equal(at) || fi.Mode().Perm() != 0o600 {
			t.Errorf("day %d: %d bytes, %d before; %v %v", i, fi.Size(), before, fi.ModTime(), fi.Mode())
		}
	}
	for i, c := range all {
		got, of := must(s.Descent(ctx, c.path))(t), c.of
		if !got.SameLibrary(of) || got.Line != of.Line || got.Restores != of.Restores || got.Commit != of.Commit {
			t.Errorf("day %d: %+v, not %+v", i, got, of)
		}
		if _, err := s.Restore(ctx, day, c.path); err != nil {
			t.Fatal(i, err)
		}
		if fmt.Sprint(look(t, s)) != fmt.Sprint(c.want) {
			t.Errorf("day %d: another library", i)
		}
		sound(t, s, true)
	}
	left := must(filepath.Glob(filepath.Join(dir, "*")))(t)
	if len(left) != len(all)+1 {
		t.Errorf("left behind: %v", left)
	}
	os.Remove(all[3].path)
	var damaged *DamagedError
	if _, err := s.Descent(ctx, all[0].path); !errors.As(err, &damaged) {
		t.Errorf("without the backup that it differs from: %v", err)
	}
	if _, err := s.Restore(ctx, day, all[0].path); !errors.Is(err, ErrBackupDamaged) {
		t.Errorf("restored without the backup that it differs from: %v", err)
	}
}
