//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestKilledBackupLeavesNothing: `diurna backup` is killed in the middle, and the
// next one removes at once what it left.
func TestKilledBackupLeavesNothing(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	to := filepath.Join(p.home, "copies")
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	drafts := func() []string {
		list, err := filepath.Glob(filepath.Join(to, ".diurna-backup-*"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	// While this holds the library's lock, a backup waits with its draft open.
	lock, err := os.OpenFile(filepath.Join(p.home, ".local/share/diurna/lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	for try := 0; len(drafts()) == 0; try++ { // on a busy machine it may have given up waiting
		if try == 20 {
			t.Fatal("no backup is killed in the middle")
		}
		cmd := exec.Command("diurna", "backup", filepath.Join("copies", "one"))
		cmd.Env, cmd.Dir = p.env, p.home
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		for over := false; len(drafts()) == 0 && !over; {
			select {
			case <-ended:
				over = true
			case <-time.After(2 * time.Millisecond):
			}
		}
		_ = cmd.Process.Kill() // or it has ended
		<-ended
	}
	lock.Close()
	p.diurna("backup", "copies/two")
	if list := drafts(); len(list) != 0 {
		t.Errorf("left behind: %v", list)
	}
	if _, err := os.Stat(filepath.Join(to, "one")); err == nil {
		t.Error("the backup that was killed has its name")
	}
}
