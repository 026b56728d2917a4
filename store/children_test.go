//go:build unix

package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary play another process.
func TestMain(m *testing.M) {
	if role := os.Getenv("DIURNA_STORE_CHILD"); role != "" {
		child(role)
		return
	}
	os.Exit(m.Run())
}

// children are the parts the test binary can play as another process.
var children = map[string]func() error{"writer": childWriter, "holder": childHolder, "fetcher": childFetcher}

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

// childWriter works on three feeds of its own for ever: it files an item into
// each in one transaction, then reads, saves, tags and edits, and prints a line
// for each thing acknowledged.
func childWriter() error {
	s, err := childStore()
	if err != nil {
		return err
	}
	ctx, name := context.Background(), os.Getenv("DIURNA_STORE_NAME")
	var subs []Change
	for i := range 3 {
		subs = append(subs, Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://%s.example/%d", name, i)}})
	}
	d, err := s.Act(ctx, day, "", subs...)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for seq := 0; ; seq++ {
		tag := fmt.Sprintf("%d.%d", os.Getpid(), seq)
		var fs []Filing
		for _, f := range d.Feeds {
			m, err := s.Match(ctx, f, nil)
			if err != nil {
				return err
			}
			n := arrivals(r, 1, 500+r.IntN(4000), true)
			n[0].Title = tag
			var page *PageFiling
			if f == d.Feeds[2] { // a watched page: every item of it has its revision
				page = &PageFiling{After: m.Next - 1, Notes: map[uint64][]byte{1: []byte(tag)}, Revisions: []PageRevision{{Base: m.Next - 1, At: day, Told: true, Item: 1, Packed: []byte(tag)}}}
			}
			fs = append(fs, Filing{Feed: f, Page: page, Next: m.Next, New: n, Poll: &Poll{ETag: tag}, Outcome: &Outcome{Kind: "new", Status: 200}})
		}
		filed, err := s.File(ctx, day, fs)
		if err != nil {
			return err
		}
		ids := []ItemID{filed[0].Items[0], filed[1].Items[0], filed[2].Items[0]}
		fmt.Println("filed", tag, uint64(ids[0]), uint64(ids[1]), uint64(ids[2]))
		for _, c := range []Change{{Kind: MarkedRead, Items: ids}, {Kind: Saved, Items: ids[:1]}, {Kind: Tagged, Items: ids[1:], Value: tag}} {
			if _, err := s.Act(ctx, day, "", c); err != nil {
				return err
			}
			fmt.Println(strings.ReplaceAll(c.Kind.String(), " ", "-"), tag, uint64(ids[0]), uint64(ids[1]), uint64(ids[2]))
		}
	}
}

// oracle collects what children were told was kept.
type oracle struct {
	mu    sync.Mutex
	lines []string
}

func (o *oracle) listen(t *testing.T, lines <-chan string) {
	for l := range lines {
		if strings.HasPrefix(l, "error") {
			t.Error("a writer ended with", l)
			continue
		}
		o.mu.Lock()
		o.lines = append(o.lines, l)
		o.mu.Unlock()
	}
}

// verify finds everything that was acknowledged.
func (o *oracle) verify(t *testing.T, s *Store) {
	rows := must(s.Rows(t.Context(), RowQuery{Which: All}))(t)
	byID := make(map[ItemID]Row, len(rows))
	perTag := make(map[string]int)
	for _, r := range rows {
		byID[r.ID] = r
		perTag[r.Title]++
	}
	for tag, n := range perTag {
		if n != 3 {
			t.Errorf("%s: %d of the 3 items filed together are there", tag, n)
		}
	}
	pages := 0
	for f, h := range must(s.PageHeads(t.Context()))(t) {
		chain := must(s.PageChain(t.Context(), f, h.Last))(t)
		pages += len(chain)
		for _, r := range chain {
			if it := byID[MakeItemID(f, r.Item)]; it.Title != string(r.Packed) {
				t.Errorf("revision %d of %s is of %q, its item %q", r.No, f, r.Packed, it.Title)
			}
		}
		if h.Count != len(chain) {
			t.Errorf("%s: %d revisions of %d", f, len(chain), h.Count)
		}
	}
	if pages != len(perTag) {
		t.Errorf("%d revisions, %d filings", pages, len(perTag))
	}
	for _, line := range o.lines {
		f := strings.Fields(line)
		var r [3]Row
		for i := range r {
			id, _ := strconv.ParseUint(f[2+i], 10, 64)
			r[i] = byID[ItemID(id)]
			if r[i].Title != f[1] {
				t.Errorf("lost: %s", line)
			}
		}
		ok := true
		switch f[0] {
		case "marked-read":
			ok = r[0].Flags&r[1].Flags&r[2].Flags&FlagRead != 0
		case "saved":
			ok = r[0].Flags&FlagSaved != 0
		case "tagged":
			ok = len(r[1].Tags) == 1 && len(r[2].Tags) == 1
		}
		if !ok {
			t.Errorf("lost: %s", line)
		}
	}
}

// Three processes write, and are killed at any moment, one after the other.
// DIURNA_KILLS=300 is the full run.
func TestKills(t *testing.T) {
	kills := 20
	if n, err := strconv.Atoi(os.Getenv("DIURNA_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir() + "/lib"
	s := openStore(t, Options{Dir: dir})
	r := rand.New(rand.NewPCG(uint64(kills), 3))
	o := &oracle{}
	var wg sync.WaitGroup
	run := func(i int) *exec.Cmd {
		cmd, _, lines := start(t, "writer", dir, fmt.Sprintf("DIURNA_STORE_NAME=w%d", i))
		wg.Go(func() { o.listen(t, lines) })
		return cmd
	}
	writers := []*exec.Cmd{run(0), run(1), run(2)}
	var slowest time.Duration
	for k := range kills {
		time.Sleep(time.Duration(20+r.IntN(120)) * time.Millisecond)
		i := r.IntN(3)
		writers[i].Process.Kill()
		writers[i].Wait()
		begin := time.Now()
		if _, err := s.Totals(t.Context()); err != nil && !errors.Is(err, ErrNone) {
			t.Fatalf("after kill %d: %v", k, err)
		}
		slowest = max(slowest, time.Since(begin))
		writers[i] = run(i)
	}
	time.Sleep(100 * time.Millisecond)
	for _, w := range writers {
		w.Process.Kill()
		w.Wait()
	}
	wg.Wait()
	rep := sound(t, s, true)
	o.verify(t, s)
	if len(o.lines) < kills {
		t.Fatalf("only %d acts acknowledged", len(o.lines))
	}
	t.Logf("%d kills, %d acts acknowledged, %d facts, slowest first read after a kill %v", kills, len(o.lines), rep.Facts, slowest)
}

// childHolder holds the library until its input ends.
func childHolder() error {
	s, err := childStore()
	if err != nil {
		return err
	}
	return s.alone(context.Background(), "compact", func(*hold) error {
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
	if pid, _ := other.Holder(); pid != 0 {
		t.Fatalf("holder after release: %d", pid)
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
	var wg sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	turns := make([]int, 12)
	for i := range turns {
		own := openStore(t, Options{Dir: dir, NoSync: true, Wait: time.Minute})
		wg.Go(func() {
			id := MakeItemID(FeedID(1+i%4), uint32(1+i))
			for ctx.Err() == nil {
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
				turns[i]++
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
