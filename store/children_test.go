//go:build unix

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/db"
	"diurna/store/storetest"
)

// TestMain lets the test binary play another process.
func TestMain(m *testing.M) {
	if role := os.Getenv("DIURNA_STORE_CHILD"); role != "" {
		child(role)
		return
	}
	os.Exit(storetest.Main(m))
}

// children are the parts the test binary can play as another process.
var children = map[string]func() error{"holder": childHolder, "fetcher": childFetcher}

var tbackground = context.Background()

func child(role string) {
	if err := children[role](); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
}

func childStore() (*Store, error) {
	return Open(Options{Dir: os.Getenv("DIURNA_STORE_DIR"), Role: "writer", NoSync: os.Getenv("DIURNA_STORE_NOSYNC") != ""})
}

// start runs a child and sends its lines to the channel, which closes when it ends.
func start(t *testing.T, role, dir string, env ...string) (*exec.Cmd, io.WriteCloser, <-chan string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "DIURNA_STORE_CHILD="+role, "DIURNA_STORE_DIR="+dir), env...)
	cmd.Stderr = os.Stderr
	in := must(cmd.StdinPipe())(t)
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1<<16)
	go func() {
		defer close(lines)
		for sc := bufio.NewScanner(out); sc.Scan(); {
			lines <- sc.Text()
		}
	}()
	return cmd, in, lines
}

// childHolder holds the library until its input ends.
func childHolder() error {
	s, err := childStore()
	if err != nil {
		return err
	}
	return s.lib.Alone(context.Background(), "compact", func(*db.Hold) error {
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
		return nil
	})
}

// A caller can give up waiting, and is told for whom it waited.
func TestBusy(t *testing.T) {
	dir := t.TempDir() + "/lib"
	fill(t, openStore(t, Options{Dir: dir, NoSync: true}), 1, 3, 100)
	cmd, in, lines := start(t, "holder", dir)
	<-lines
	s := openStore(t, Options{Dir: dir, Wait: 100 * time.Millisecond})
	for _, stopped := range []bool{false, true} {
		if stopped {
			cmd.Process.Signal(syscall.SIGSTOP)
		}
		_, err := s.Totals(t.Context())
		var busy *BusyError
		if !errors.As(err, &busy) || busy.PID != cmd.Process.Pid || busy.Role != "compact" {
			t.Fatalf("stopped %t: got %v, want pid %d (compact)", stopped, err, cmd.Process.Pid)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	patient := openStore(t, Options{Dir: dir})
	if _, err := patient.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(1, 1)}}); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	answer := make(chan error)
	go func() {
		_, err := patient.Rows(t.Context(), RowQuery{})
		answer <- err
	}()
	cmd.Process.Signal(syscall.SIGCONT)
	in.Close()
	if err := <-answer; err != nil {
		t.Fatalf("after the holder let go: %v", err)
	}
	cmd.Wait()
	if rows := must(s.Rows(t.Context(), RowQuery{}))(t); len(rows) != 3 {
		t.Fatalf("the cancelled act was done: %d unread", len(rows))
	}
}

func childFetcher() error {
	s, err := childStore()
	if err != nil {
		return err
	}
	l, err := s.FetchLock("run")
	if err != nil {
		return err
	}
	fmt.Println("held", l.Held())
	io.Copy(io.Discard, os.Stdin)
	return nil
}

// One process fetches; at its death the kernel passes the right on.
func TestFetchLock(t *testing.T) {
	dir := t.TempDir() + "/lib"
	s := openStore(t, Options{Dir: dir})
	cmd, _, lines := start(t, "fetcher", dir)
	if l := <-lines; l != "held true" {
		t.Fatal(l)
	}
	l, err := s.FetchLock("screen")
	var busy *BusyError
	if !errors.As(err, &busy) || busy.PID != cmd.Process.Pid || busy.Role != "run" || l.Held() {
		t.Fatalf("got %v, want pid %d (run)", err, cmd.Process.Pid)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := l.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a wait that was called off: %v", err)
	}
	waited := make(chan error)
	go func() { waited <- l.Wait(t.Context()) }()
	time.Sleep(10 * time.Millisecond)
	cmd.Process.Kill()
	if err := <-waited; err != nil || !l.Held() {
		t.Fatalf("after the holder's death: %v", err)
	}
	cmd.Wait()
	if pid, role := l.Holder(); pid != os.Getpid() || role != "screen" {
		t.Fatalf("holder: %d %s", pid, role)
	}
	other, err := s.FetchLock("fetch")
	if !errors.Is(err, ErrBusy) {
		t.Fatalf("a second lock of the same process: %v", err)
	}
	l.Release()
	// The wait that was called off may get its turn only now, for a moment.
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		pid, _ := other.Holder()
		if pid == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("holder after release: %d", pid)
		}
	}
	if err := other.Wait(t.Context()); err != nil || !other.Held() {
		t.Fatal(err)
	}
	other.Release()
}

// Many stores, which is the same to the kernel as many processes: everybody gets
// a turn, readers and writers, and nothing is lost.
func TestContention(t *testing.T) {
	dir := t.TempDir() + "/lib"
	s := openStore(t, Options{Dir: dir, NoSync: true})
	fill(t, s, 4, 50, 200)
	// With bbolt's own lock alone the second one is shut out.
	db := must(bolt.Open(s.Path(), 0o600, nil))(t)
	if other, err := bolt.Open(s.Path(), 0o600, &bolt.Options{ReadOnly: true, Timeout: 20 * time.Millisecond}); err == nil {
		t.Error("bbolt lets two in", other.Close())
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	turns := make([]int, 12)
	var all, waiting atomic.Int64 // turns taken, and stores that had fewer than three
	waiting.Store(int64(len(turns)))
	for i := range turns {
		own := openStore(t, Options{Dir: dir, NoSync: true, Wait: time.Minute})
		wg.Go(func() {
			id := MakeItemID(FeedID(1+i%4), uint32(1+i))
			for n := all.Load(); n < 600 || waiting.Load() > 0 && n < 30_000; n = all.Add(1) {
				var err error
				if i%3 == 0 {
					kind := []Kind{MarkedRead, MarkedUnread}[turns[i]%2]
					_, err = own.Act(t.Context(), day, "", Change{Kind: kind, Items: []ItemID{id}})
				} else {
					_, err = own.Rows(t.Context(), RowQuery{Which: All})
				}
				if err != nil {
					t.Error(err)
					return
				}
				if turns[i]++; turns[i] == 3 {
					waiting.Add(-1)
				}
			}
		})
	}
	wg.Wait()
	for i, n := range turns {
		if n < 3 {
			t.Errorf("store %d had %d turns of %v", i, n, turns)
		}
	}
	sound(t, s, true)
	steps := must(s.Steps(t.Context(), 0))(t)
	want := 1 + turns[0] + turns[3] + turns[6] + turns[9]
	if len(steps) != want {
		t.Errorf("%d steps, %d were acknowledged", len(steps), want)
	}
}
