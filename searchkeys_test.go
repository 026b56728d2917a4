//go:build linux

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKeysWhileSearching prints how long a key pauses for the screen's answer over 50,000
// items of 2 KB: in the command line while their stories are grouped, in Search while a
// query is typed, first while the texts are indexed, then with the index; and how long it
// then takes until all hits on the screen are drawn. The same keys go to a terminal with a
// program that does nothing but print them: the kernel hands keys and output on by threads
// of its own, which wait for a processor where others compute.
//
//	DIURNA_BENCH=1 go test -v -run TestKeysWhileSearching .
func TestKeysWhileSearching(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures")
	}
	exe, dir := measured(t)
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
	cmd := screenOf(exe, dir)
	w.run(t, cmd)
	w.await(t, 0, "Item 0")
	control := newControl(t)
	echoed := func(text string) (keys []pause, last time.Time) {
		for _, key := range strings.ToUpper(text) {
			last = time.Now()
			if key == ' ' {
				w.press(t, " ")
			} else {
				keys = append(keys, w.echo(t, control, string(key)))
			}
			time.Sleep(100 * time.Millisecond) // a fast typist
		}
		return keys, last
	}
	// until presses keys as long as the program computes, three times more at the end.
	until := func(press func() []pause) (keys []pause) {
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
	grouping := until(func() []pause {
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
	indexing := until(func() []pause {
		keys, _ := echoed(query())
		empty()
		return keys
	})
	var indexed []pause
	var shown []time.Duration
	for range 10 {
		keys, last := echoed(query())
		indexed = append(indexed, keys...)
		shown = append(shown, w.lastDrawn().Sub(last))
		empty()
	}
	reportKeys(t, "a key in the command line while stories are grouped", grouping)
	reportKeys(t, "a key in the command line while nothing else is done", quiet)
	reportKeys(t, "a key while the texts are indexed", indexing)
	reportKeys(t, "a key with the index", indexed)
	t.Logf("from the last key to the last of the hits drawn: middle %v, at most %v", middle(shown), longest(shown))
}

// pause is how long a key took, and how long one took at the same time in a program that
// does nothing but print what it reads.
type pause struct{ took, control time.Duration }

// newControl is a terminal with such a program.
func newControl(t *testing.T) *wall {
	t.Helper()
	w := newWall(t)
	cmd := exec.Command("sh", "-c", "stty raw -echo; echo ready; exec cat")
	w.run(t, cmd)
	w.await(t, 0, "ready")
	return w
}

// echo presses a key in both and waits until each has drawn it.
func (w *wall) echo(t *testing.T, control *wall, key string) (p pause) {
	t.Helper()
	start := time.Now()
	done := make(chan time.Duration)
	go func() {
		control.await(t, control.press(t, key), key)
		done <- time.Since(start)
	}()
	w.await(t, w.press(t, key), key)
	p.took = time.Since(start)
	p.control = <-done
	return p
}

// reportKeys prints how long keys took, and how many took more than 16 ms although the
// control took less than half of that.
func reportKeys(t *testing.T, what string, keys []pause) {
	t.Helper()
	var own, control []time.Duration
	late, slower := 0, 0
	for _, k := range keys {
		own, control = append(own, k.took), append(control, k.control)
		if k.took > 16*time.Millisecond {
			late++
			if k.control < k.took/2 {
				slower++
			}
		}
	}
	at := func(list []time.Duration, percent int) time.Duration {
		slices.Sort(list)
		return list[min(len(list)*percent/100, len(list)-1)].Round(100 * time.Microsecond)
	}
	t.Logf("%s: %d times, middle %v, p99 %v, at most %v (control %v, %v, %v); %d took more than 16 ms, %d of them twice as long as the control", what, len(keys),
		at(own, 50), at(own, 99), at(own, 100), at(control, 50), at(control, 99), at(control, 100), late, slower)
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
	exe, dir := measured(t)
	words := make([]string, 20_000)
	for i := range words {
		words[i] = "word" + strings.Repeat("x", i%5) + strconv.Itoa(i)
	}
	librarySize{300, 24000}.buildOf(t, dir, textsOf(words))
	libraryCommand(t, exe, dir, "search", "word1")
	const runs = 15
	r := rand.New(rand.NewPCG(3, 3))
	var unread, rare, common []cost
	for range runs {
		unread = append(unread, libraryCommand(t, exe, dir, "unread"))
		rare = append(rare, libraryCommand(t, exe, dir, "search", words[r.IntN(200)], words[200+r.IntN(2000)]))
		common = append(common, libraryCommand(t, exe, dir, "search", words[0]))
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

// lastDrawn pauses until nothing is drawn for a while and says when the last was.
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
