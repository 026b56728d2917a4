package rounds

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"diurna/reader"
)

// runs is a library that counts how often fetching begins and ends.
type runs struct{ begun, ended int }

func (r *runs) Run(ctx context.Context, _ func(reader.Event)) error {
	r.begun++
	<-ctx.Done()
	r.ended++
	return ctx.Err()
}

// TestNotifiedOfRules: what rules notify of waits for the screen, in order and bounded,
// with an error that came between; changes of pages ring for themselves.
func TestNotifiedOfRules(t *testing.T) {
	d := New(t.Context(), &runs{})
	tell := func(what string, rule bool) {
		d.Tell(reader.Event{Progress: reader.Progress{Result: &reader.FetchResult{Reported: []reader.Notification{{Page: "Pier", What: what, Rule: rule}}}}})
	}
	tell("first", true)
	tell("a change of a page", false)
	d.Tell(reader.Event{Err: errors.New("disk full")})
	tell("second", true)
	msg := d.Next()().(Msg)
	if got := fmt.Sprint(msg.Notified); got != "[Pier: first Pier: second]" || msg.Err == nil {
		t.Errorf("notified of %s, error %v", got, msg.Err)
	}
	for range 2 * maxNotified {
		tell("again", true)
	}
	if n := len(d.Next()().(Msg).Notified); n != maxNotified {
		t.Errorf("%d notifications wait, want %d", n, maxNotified)
	}
}

// TestStopsAndGoesOn: asked to stop, the process stops holding nothing, and goes on
// fetching only if it did before; the event loop does it where it can.
func TestStopsAndGoesOn(t *testing.T) {
	for _, c := range []struct {
		name                     string
		fetched, loop, suspended bool
		halts, told, begun       int
	}{
		{"in the event loop", true, true, false, 0, 1, 1},
		{"while another program has the terminal", true, true, true, 1, 0, 2},
		{"line by line", true, false, false, 1, 0, 2},
		{"without fetching", false, false, false, 1, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			lib := &runs{}
			d := New(ctx, lib)
			if c.fetched {
				d.Start()
			}
			halts, told := 0, 0
			var tell func()
			if c.loop {
				tell = func() { told++ }
			}
			asked := make(chan os.Signal)
			go d.ObeyStops(asked, func() bool { return c.suspended }, func(bool) bool {
				if halts++; lib.begun != lib.ended {
					t.Errorf("%s: it stopped while it fetched", c.name)
				}
				return true
			}, tell)
			synctest.Wait()
			asked <- os.Interrupt
			synctest.Wait()
			if halts != c.halts || told != c.told || lib.begun != c.begun {
				t.Errorf("%s: %d stops, told %d times, begun %d times; want %d, %d, %d", c.name, halts, told, lib.begun, c.halts, c.told, c.begun)
			}
			stop()
			d.Stop()
		})
	}
}

// TestRetakes: continued from outside, a process in the background stops once more, and
// one whose terminal another program has waits for that.
func TestRetakes(t *testing.T) {
	for _, c := range []struct {
		name                  string
		suspended, foreground bool
		halts, told           int
	}{
		{"in the foreground", false, true, 0, 1},
		{"in the background", false, false, 1, 1},
		{"while another program has the terminal", true, false, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			d := New(ctx, &runs{})
			d.Start()
			halts, told := 0, 0
			continued := make(chan struct{})
			go d.Retakes(continued, func() bool { return c.suspended }, func() bool { return c.foreground }, func(bool) bool { halts++; return true }, func() { told++ })
			synctest.Wait()
			continued <- struct{}{}
			synctest.Wait()
			if halts != c.halts || told != c.told || !d.runs() {
				t.Errorf("%s: %d stops, told %d times, fetches %v; want %d, %d, true", c.name, halts, told, d.runs(), c.halts, c.told)
			}
			stop()
			d.Stop()
		})
	}
}
