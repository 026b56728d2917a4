//go:build linux

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKeysWhileSearching prints how long a key waits for the screen's answer over 50,000
// items of 2 KB: in the command line while their stories are grouped, in Search while a
// query is typed, first while the texts are indexed, then with the index; and how long it
// then takes until all hits on the screen are drawn:
//
//	DIURNA_BENCH=1 go test -v -run TestKeysWhileSearching .
func TestKeysWhileSearching(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures")
	}
	home := t.TempDir()
	exe, dir := filepath.Join(home, "diurna-measured"), filepath.Join(home, "library")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	// Words of letters that stand nowhere else on the screen when they are capitals, nor in
	// what moves its cursor.
	r := rand.New(rand.NewPCG(1, 7))
	words := make([]string, 20_000)
	for i := range words {
		for range 2 + r.IntN(6) {
			words[i] += string("qvwy"[r.IntN(4)])
		}
	}
	librarySize{1000, 50000}.buildOf(t, dir, textsOf(words))
	w := newWall(t)
	cmd := exec.Command(exe, "--data-dir", dir)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TERM=xterm-256color"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.slave, w.slave, w.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	w.await(t, 0, "Item 0")
	echoed := func(text string) (keys []time.Duration, last time.Time) {
		for _, key := range strings.ToUpper(text) {
			last = time.Now()
			before := w.press(t, string(key))
			if key != ' ' {
				w.await(t, before, string(key))
				keys = append(keys, time.Since(last))
			}
			time.Sleep(100 * time.Millisecond) // a fast typist
		}
		return keys, last
	}
	// until presses keys as long as the program computes, three times more at the end.
	until := func(press func() []time.Duration) (keys []time.Duration) {
		for start, idle := time.Now(), 0; idle < 3 && time.Since(start) < 5*time.Minute; idle++ {
			keys = append(keys, press()...)
			before := cpuOf(cmd.Process.Pid)
			time.Sleep(300 * time.Millisecond)
			if cpuOf(cmd.Process.Pid)-before > 30*time.Millisecond {
				idle = -1
			}
		}
		return keys
	}
	w.press(t, ":")
	grouping := until(func() []time.Duration {
		keys, _ := echoed("qvwyqvwy")
		w.press(t, "\x15")
		return keys
	})
	quiet, _ := echoed("qvwyqvwyqvwyqvwyqvwy")
	w.press(t, "\x1b")
	time.Sleep(time.Second)
	w.await(t, w.press(t, "8"), "search:")
	query := func() string { return words[r.IntN(200)] + " " + words[r.IntN(2000)] }
	empty := func() {
		w.press(t, "\x15")
		time.Sleep(300 * time.Millisecond)
	}
	indexing := until(func() []time.Duration {
		keys, _ := echoed(query())
		empty()
		return keys
	})
	var indexed, shown []time.Duration
	for range 10 {
		keys, last := echoed(query())
		indexed = append(indexed, keys...)
		shown = append(shown, w.lastDrawn().Sub(last))
		empty()
	}
	t.Logf("a key in the command line while stories are grouped: %d times, middle %v, at most %v", len(grouping), middle(grouping), longest(grouping))
	t.Logf("a key in the command line while nothing else is done: %d times, middle %v, at most %v", len(quiet), middle(quiet), longest(quiet))
	t.Logf("a key while the texts are indexed: %d times, middle %v, at most %v", len(indexing), middle(indexing), longest(indexing))
	t.Logf("a key with the index: %d times, middle %v, at most %v", len(indexed), middle(indexed), longest(indexed))
	t.Logf("from the last key to the last of the hits drawn: middle %v, at most %v", middle(shown), longest(shown))
}

// textsOf makes texts of 2 KB of words, the first ones most often.
func textsOf(words []string) func(no int) string {
	return func(no int) string {
		zipf := rand.NewZipf(rand.New(rand.NewPCG(uint64(no), 9)), 1.1, 3, uint64(len(words)-1))
		var b strings.Builder
		for b.Len() < 2048 {
			b.WriteString(words[zipf.Uint64()] + " ")
		}
		return b.String()
	}
}

// TestSearchCommandCosts prints what a search in 24,000 texts of 2 KB costs above unread,
// in CPU time, interleaved; 40 ms is the most it may:
//
//	DIURNA_BENCH=1 go test -v -run TestSearchCommandCosts .
func TestSearchCommandCosts(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures")
	}
	home := t.TempDir()
	exe, dir := filepath.Join(home, "diurna-measured"), filepath.Join(home, "library")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	words := make([]string, 20_000)
	for i := range words {
		words[i] = "word" + strings.Repeat("x", i%5) + strconv.Itoa(i)
	}
	librarySize{300, 24000}.buildOf(t, dir, textsOf(words))
	libraryCommand(t, exe, dir, home, "search", "word1")
	const runs = 15
	r := rand.New(rand.NewPCG(3, 3))
	var unread, rare, common []cost
	for range runs {
		unread = append(unread, libraryCommand(t, exe, dir, home, "unread"))
		rare = append(rare, libraryCommand(t, exe, dir, home, "search", words[r.IntN(200)], words[200+r.IntN(2000)]))
		common = append(common, libraryCommand(t, exe, dir, home, "search", words[0]))
	}
	u := medianCPU(unread)
	for i, list := range [][]cost{rare, common} {
		what, above := [...]string{"two words", "the commonest word"}[i], medianCPU(list)-u
		t.Logf("unread %.1f ms of CPU; search for %s %.1f ms above it, %.1f MiB", ms(u), what, ms(above), mib(list))
		if above > 40*time.Millisecond {
			t.Errorf("search for %s costs %.1f ms above unread, want 40 at most", what, ms(above))
		}
	}
}

// lastDrawn waits until nothing is drawn for a while and says when the last was.
func (w *wall) lastDrawn() (at time.Time) {
	at = time.Now()
	for n := -1; time.Since(at) < time.Second; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		if len(w.drawn) != n {
			n, at = len(w.drawn), time.Now()
		}
		w.mu.Unlock()
	}
	return at
}
