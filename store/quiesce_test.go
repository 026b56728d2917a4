//go:build linux

package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"diurna/store/lock"
)

func init() {
	// quiet writes without end; told to, it quiesces, stops itself and goes on.
	children["quiet"] = func() error {
		s, err := childStore()
		if err != nil {
			return err
		}
		failed := make(chan error, 1)
		go func() {
			for i := 0; ; i++ {
				if err := s.SetMeta(tbackground, "n", fmt.Append(nil, i)); err != nil {
					failed <- err
					return
				}
			}
		}()
		b := make([]byte, 1)
		for {
			if _, err := io.ReadFull(os.Stdin, b); err != nil {
				return nil
			}
			resume := s.Quiesce()
			fmt.Println("quiet")
			if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
				return err
			}
			io.ReadFull(os.Stdin, b) // until it is told, whether it stopped at once or a moment later
			resume()
			select {
			case err := <-failed:
				return err
			default:
			}
			fmt.Println("on")
		}
	}
}

func untilStopped(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !lock.IsStopped(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the child is not stopped")
		}
	}
}

// TestStopsWithoutLocks: a process that stops itself while it writes without a
// pause holds nothing that others need, whoever else writes.
func TestStopsWithoutLocks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lib")
	s := openStore(t, Options{Dir: dir, Wait: 2 * time.Minute, NoSync: true})
	fill(t, s, 1, 3, 100)
	cmd, in, lines := start(t, "quiet", dir)
	defer func() { cmd.Process.Kill(); in.Close(); cmd.Wait() }()
	for range 5 {
		in.Write([]byte("."))
		if got := <-lines; got != "quiet" {
			t.Fatalf("it says %q", got)
		}
		untilStopped(t, cmd.Process.Pid)
		for range 3 {
			if err := s.SetMeta(t.Context(), "m", []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		in.Write([]byte("."))
		if got := <-lines; got != "on" {
			t.Fatalf("it says %q", got)
		}
	}
}

// TestStoppedHolderIsNamed: who waits for a process that was stopped in the middle
// of a transaction says so long before its patience ends, and nothing is lost.
func TestStoppedHolderIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lib")
	s := openStore(t, Options{Dir: dir, Wait: 10 * time.Minute})
	fill(t, s, 1, 3, 100)
	holder, in, lines := start(t, "holder", dir)
	defer func() { holder.Process.Kill(); in.Close(); holder.Wait() }()
	if got := <-lines; got != "held" {
		t.Fatal(got)
	}
	holder.Process.Signal(syscall.SIGSTOP)
	untilStopped(t, holder.Process.Pid)
	if len(lock.Holders(filepath.Join(dir, "lock"))) == 0 {
		t.Skip("this system does not say who holds a lock")
	}
	var busy *BusyError
	if err := s.SetMeta(t.Context(), "a", []byte("1")); !errors.As(err, &busy) || !busy.Stopped || busy.PID != holder.Process.Pid {
		t.Fatalf("a writer hears %v", err)
	}
	if _, err := s.Totals(t.Context()); !errors.As(err, &busy) || !busy.Stopped {
		t.Fatalf("a reader hears %v", err)
	}
	holder.Process.Signal(syscall.SIGCONT)
	in.Close()
	if err := s.SetMeta(t.Context(), "a", []byte("2")); err != nil {
		t.Fatal(err)
	}
}
