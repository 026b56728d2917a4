//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"diurna/reader"
	"diurna/store"
)

// TestKeysWhileRanking prints how long a key waits for the screen's answer while
// 50,000 unread items are ranked for the first time, and how long while nothing is:
//
//	DIURNA_BENCH=1 go test -v -run TestKeysWhileRanking .
func TestKeysWhileRanking(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures")
	}
	exe, dir := measured(t)
	librarySize{1000, 50000}.build(t, dir)
	openSome(t, dir, 2*reader.OpensNeeded)
	w := newWall(t)
	cmd := screenOf(exe, dir)
	w.run(t, cmd)
	w.await(t, 0, "Item 0")
	var quiet, busy []time.Duration
	ranked := w.press(t, "3")
	for start, idle := time.Now(), 0; idle < 10 && time.Since(start) < 2*time.Minute; {
		before := cpuOf(cmd.Process.Pid)
		busy = append(busy, w.helpTakes(t))
		time.Sleep(100 * time.Millisecond)
		idle++
		if cpuOf(cmd.Process.Pid)-before > 30*time.Millisecond {
			idle = 0
		}
	}
	for range 20 {
		quiet = append(quiet, w.helpTakes(t))
	}
	w.mu.Lock()
	shown := regexp.MustCompile(`ranking [0-9,]+ of [0-9,]+`).FindAll(w.drawn[ranked:], -1)
	w.mu.Unlock()
	if len(shown) == 0 {
		t.Error("no progress of the ranking was drawn")
	}
	t.Logf("the help while nothing else is done: %d times, at most %v", len(quiet), longest(quiet))
	t.Logf("the help while 50,000 items are ranked: %d times, at most %v; progress drawn: %q", len(busy), longest(busy), shown)
}

// openSome opens items of a library, a minute apart.
func openSome(t *testing.T, dir string, n int) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, NoSync: true, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range n {
		id := store.MakeItemID(store.FeedID(i+1), 50)
		at := time.Now().Add(time.Duration(i-2*n) * time.Minute)
		if err := s.Note(context.Background(), at, store.Fact{Kind: store.Opened, Items: []store.ItemID{id}, Feed: id.Feed()}); err != nil {
			t.Fatal(err)
		}
	}
}

// press sends keys and says how much had been drawn by then.
func (w *wall) press(t *testing.T, keys string) (drawn int) {
	t.Helper()
	w.mu.Lock()
	drawn = len(w.drawn)
	w.mu.Unlock()
	if _, err := w.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
	return drawn
}

// await waits until text is drawn after what had been drawn before.
func (w *wall) await(t *testing.T, before int, text string) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(200 * time.Microsecond) {
		w.mu.Lock()
		found := bytes.Contains(w.drawn[before:], []byte(text))
		w.mu.Unlock()
		if found {
			return
		}
		if time.Since(start) > 20*time.Second {
			t.Fatalf("%q was not drawn within 20 s: %q", text, w.drawn[before:])
		}
	}
}

// helpTakes opens the help, whose words stand nowhere else, and says how long that
// took; then it closes the help.
func (w *wall) helpTakes(t *testing.T) time.Duration {
	t.Helper()
	start := time.Now()
	w.await(t, w.press(t, "?"), "next, previous row")
	took := time.Since(start)
	w.press(t, "q")
	time.Sleep(50 * time.Millisecond)
	return took
}

func longest(list []time.Duration) time.Duration {
	return slices.Max(list).Round(100 * time.Microsecond)
}
