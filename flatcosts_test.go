//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"diurna/store"
)

// librarySize is a library that costs are compared by.
type librarySize struct{ feeds, items int }

// build makes such a library: all unread, dated a minute apart, by feeds in turn,
// so that a first page is of as many feeds as there can be.
func (size librarySize) build(t *testing.T, dir string) {
	t.Helper()
	size.buildOf(t, dir, func(int) string { return "the wind is from the west" })
}

// buildOf makes one whose items have texts.
func (size librarySize) buildOf(t *testing.T, dir string, text func(no int) string) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, NoSync: true, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, now := context.Background(), time.Now()
	var subs []store.Change
	for i := range size.feeds {
		subs = append(subs, store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: fmt.Sprintf("https://feed%d.example/atom", i), Title: fmt.Sprintf("Feed %d", i)}})
	}
	done, err := s.Act(ctx, now, "", subs...)
	if err != nil {
		t.Fatal(err)
	}
	each := size.items / size.feeds
	const atOnce = 5000
	for f, id := range done.Feeds {
		for from := 0; from < each; from += atOnce {
			filing := store.Filing{Feed: id, Next: uint32(from + 1), Outcome: &store.Outcome{Kind: store.AnswerNew, Status: 200}}
			filing.Poll = &store.Poll{LastFetch: now, LastOK: now, NextFetch: now.Add(time.Hour), Status: 200, Outcome: store.AnswerNew}
			for i := from; i < min(from+atOnce, each); i++ {
				no := i*size.feeds + f
				filing.New = append(filing.New, store.NewItem{Unread: true, Keys: []uint64{uint64(no + 1)}, Body: store.Body{HTML: "<p>" + text(no) + "</p>"},
					Item: store.Item{IDRaw: fmt.Sprint(no), Title: fmt.Sprintf("Item %d", no), Link: fmt.Sprintf("https://feed%d.example/%d", f, i), Published: now.Add(-time.Duration(no+1) * time.Minute)}})
			}
			filed, err := s.File(ctx, now, []store.Filing{filing})
			if err != nil || filed[0].Err != nil {
				t.Fatal(err, filed)
			}
		}
	}
}

// measured builds the program to be measured, and names a library beside it.
func measured(t *testing.T) (exe, dir string) {
	t.Helper()
	home := t.TempDir()
	exe = filepath.Join(home, "diurna-measured")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return exe, filepath.Join(home, "library")
}

// screenOf is the screen of a library; its home is the program's folder.
func screenOf(exe, dir string) *exec.Cmd {
	cmd := exec.Command(exe, "--data-dir", dir)
	cmd.Env = []string{"HOME=" + filepath.Dir(exe), "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TERM=xterm-256color"}
	return cmd
}

// run starts a command on the terminal, and ends it with the test.
func (w *wall) run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.slave, w.slave, w.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

// frameCost starts the screen on a library and says how long the first frame took
// and how much CPU time the process had used by then.
func frameCost(t *testing.T, exe, dir string) (wall, cpu time.Duration) {
	t.Helper()
	w := newWall(t)
	cmd := screenOf(exe, dir)
	start := time.Now()
	w.run(t, cmd)
	for !w.shows("Item 0") {
		if time.Since(start) > time.Minute {
			t.Fatal("no first frame within a minute")
		}
		time.Sleep(200 * time.Microsecond)
	}
	wall, cpu = time.Since(start), cpuOf(cmd.Process.Pid)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return wall, cpu
}

// cpuOf is the CPU time of all threads of a process, to the nanosecond.
func cpuOf(pid int) time.Duration {
	var sum time.Duration
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, path := range threads {
		var ran time.Duration
		if b, err := os.ReadFile(path); err == nil {
			_, _ = fmt.Sscan(string(b), &ran)
			sum += ran
		}
	}
	return sum
}

// TestFlatCosts prints what counting unread items, a step of the plan and the
// first frame cost in libraries of several sizes, and the ratios between them:
//
//	DIURNA_BENCH=1 go test -v -run TestFlatCosts .
func TestFlatCosts(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures")
	}
	if into := os.Getenv("DIURNA_LIBRARY"); into != "" {
		var size librarySize
		if _, err := fmt.Sscan(into, &size.feeds, &size.items); err != nil {
			t.Fatal(err)
		}
		size.build(t, os.Getenv("DIURNA_LIBRARY_DIR"))
		return
	}
	home := t.TempDir()
	exe := filepath.Join(home, "diurna-measured")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", exe, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	sizes := []librarySize{{1, 200}, {1000, 20000}, {1, 50000}, {1, 500000}}
	dirs := make([]string, len(sizes))
	for i, size := range sizes {
		dirs[i] = filepath.Join(home, fmt.Sprint("library", i))
		// In a process of its own: what the system counts as a command's memory
		// begins with that of the process which starts it.
		cmd := exec.Command(os.Args[0], "-test.run=^TestFlatCosts$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("DIURNA_LIBRARY=%d %d", size.feeds, size.items), "DIURNA_LIBRARY_DIR="+dirs[i])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("build a library: %v\n%s", err, out)
		}
	}
	const runs = 15
	unread, steps := make([][]cost, len(sizes)), make([][]cost, len(sizes))
	wall, cpu := make([][]time.Duration, len(sizes)), make([][]time.Duration, len(sizes))
	for range runs { // in turn, so that a busy moment is everybody's
		for i := range sizes {
			unread[i] = append(unread[i], libraryCommand(t, exe, dirs[i], "unread"))
			w, c := frameCost(t, exe, dirs[i])
			wall[i], cpu[i] = append(wall[i], w), append(cpu[i], c)
		}
	}
	for i := range sizes {
		for range 5 {
			steps[i] = append(steps[i], libraryCommand(t, exe, dirs[i], "fetch"))
		}
	}
	base := medianCPU(unread[0])
	for i, size := range sizes {
		u, s := medianCPU(unread[i]), medianCPU(steps[i][1:])
		t.Logf("%4d feeds %6d items: unread %5.1f ms CPU (x%.2f), %.1f MiB; first frame %5.1f ms CPU (x%.2f), %5.1f ms wall (x%.2f)",
			size.feeds, size.items, ms(u), ratio(u, base), mib(unread[i]), ms(middle(cpu[i])), ratio(middle(cpu[i]), middle(cpu[0])),
			ms(middle(wall[i])), ratio(middle(wall[i]), middle(wall[0])))
		t.Logf("    fetch with nothing due: %5.1f ms CPU (x%.1f of unread), %.1f MiB (x%.1f)", ms(s), ratio(s, u), mib(steps[i][1:]), mib(steps[i][1:])/mib(unread[i]))
	}
}

func libraryCommand(t *testing.T, exe, dir string, words ...string) cost {
	t.Helper()
	cmd := exec.Command(exe, append([]string{"--data-dir", dir}, words...)...)
	cmd.Env = []string{"HOME=" + filepath.Dir(exe), "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	c := measure(cmd)
	if c.code != 0 {
		t.Fatalf("%s: exit code %d: %s", strings.Join(words, " "), c.code, c.talk)
	}
	return c
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

func middle(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func medianCPU(list []cost) time.Duration {
	var all []time.Duration
	for _, c := range list {
		all = append(all, c.cpu)
	}
	return middle(all)
}

// mib is the median of the peaks of memory.
func mib(list []cost) float64 {
	var all []int64
	for _, c := range list {
		all = append(all, c.rss)
	}
	slices.Sort(all)
	return float64(all[len(all)/2]) / (1 << 20)
}
