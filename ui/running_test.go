package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/greeting"
	"diurna/ui/pausing"
	"diurna/ui/rounds"
	"diurna/ui/term/termtest"
	"diurna/ui/view"
)

// show runs the whole screen on a terminal of its own, as main does.
func show(ctx context.Context, g *termtest.Terminal, lib everything, change ...func(*Options)) <-chan error {
	o := Options{In: g.Slave, Out: g.Slave, Environ: []string{"TERM=xterm-256color"}, clock: func() time.Time { return noon }}
	for _, c := range change {
		c(&o)
	}
	done := make(chan error, 1)
	go func() { done <- Run(ctx, partsOf(lib), o) }()
	return done
}

// TestAClosedTerminalEndsTheProgram: within a second, with what was marked
// kept, fetching ended and the place remembered.
func TestAClosedTerminalEndsTheProgram(t *testing.T) {
	if took := termtest.Quickest(func() time.Duration { return closeTerminal(t) }); took > time.Second {
		t.Errorf("the program ended %v after its terminal", took)
	}
}

// closeTerminal closes a screen's terminal and gives how long the program went on.
func closeTerminal(t *testing.T) time.Duration {
	t.Helper()
	lib := newFake()
	g := termtest.NewTerminal(t, 80, 24)
	done := show(t.Context(), g, lib)
	n := g.Await(t, 0, "1River")
	lib.fetching(1)
	g.Master.WriteString("jm2")
	g.Await(t, n, "All feeds") // the keys before it were heard
	began := time.Now()
	g.Master.Close()
	if err := termtest.Ended(t, done); err != nil {
		t.Errorf("a closed terminal is an error: %v", err)
	}
	took := time.Since(began)
	lib.mu.Lock()
	defer lib.mu.Unlock()
	if lib.row(item(3, 8)).Flags&reader.FlagRead == 0 {
		t.Error("the mark was lost")
	}
	if lib.runs != 1 || lib.rests != 1 {
		t.Errorf("fetching was started %d times and ended %d times", lib.runs, lib.rests)
	}
	if len(lib.kept[greeting.PlaceName]) == 0 {
		t.Error("the place was not kept")
	}
	return took
}

// TestTheEndOfInputEndsTheProgram: the same for an input that is no terminal.
func TestTheEndOfInputEndsTheProgram(t *testing.T) {
	g := termtest.NewTerminal(t, 80, 24)
	done := show(t.Context(), g, newFake(), func(o *Options) { o.In = strings.NewReader("j") })
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestASignalEndsTheProgram: SIGHUP and SIGTERM reach the screen as the end of
// its context.
func TestASignalEndsTheProgram(t *testing.T) {
	if took := termtest.Quickest(func() time.Duration { return signalScreen(t) }); took > time.Second {
		t.Errorf("it took %v", took)
	}
}

// signalScreen ends a screen's context and gives how long the program went on.
func signalScreen(t *testing.T) time.Duration {
	t.Helper()
	lib := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	g := termtest.NewTerminal(t, 80, 24)
	done := show(ctx, g, lib)
	g.Await(t, 0, "1River")
	lib.fetching(1) // else there is none yet that could end
	began := time.Now()
	cancel()
	if err := termtest.Ended(t, done); !errors.Is(err, context.Canceled) {
		t.Errorf("Run gives %v", err)
	}
	took := time.Since(began)
	if lib.rests != 1 {
		t.Error("fetching goes on")
	}
	return took
}

// TestLeavingSaysOnceThatNothingIsFetched is sentence 16.
func TestLeavingSaysOnceThatNothingIsFetched(t *testing.T) {
	lib := newFake()
	lib.says = []reader.Event{{At: noon, Next: noon.Add(time.Hour)}}
	for i, want := range []string{"diurna: nothing is fetched now. Leave it open in tmux, or: diurna run\n", ""} {
		var said strings.Builder
		g := termtest.NewTerminal(t, 80, 24)
		done := show(t.Context(), g, lib, func(o *Options) { o.Err = &said })
		g.Await(t, 0, "1River")
		lib.fetching(i + 1)
		g.Master.WriteString("q")
		if err := termtest.Ended(t, done); err != nil {
			t.Fatal(err)
		}
		if said.String() != want {
			t.Errorf("leaving for the %d. time says %q", i+1, said.String())
		}
	}
}

// TestSuspendingEndsFetchingFirst: fetch.lock is free before the process
// stops, and taken again afterwards.
func TestSuspendingEndsFetchingFirst(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.run(d.m.fetch.Begin(d.m))
	lib.fetching(1)
	d.press("m")
	d.m.pause.Halt = func(bool) bool { return true }
	_, cmd := d.m.Update(keyMsg("ctrl+z"))
	msg := cmd() // what has to be done before
	if lib.rests != 1 {
		t.Fatal("fetching goes on in a stopped process")
	}
	_, cmd = d.m.Update(msg)
	if cmd == nil {
		t.Fatal("the process is not stopped")
	}
	d.send(pausing.ResumedMsg{})
	lib.fetching(2)
	d.m.fetch.Plan.Stop()
}

// fetching waits until fetching was started n times and has reported what it says.
func (f *fake) fetching(n int) {
	started := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.runs
	}
	for started() < n {
		time.Sleep(time.Millisecond)
	}
}

func TestRoundsAreCounted(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.m.Update(rounds.Msg{Done: 1, Total: 2})
	d.lacks("fetch 1/2")
	d.m.Update(rounds.Msg{Done: 41, Total: 287})
	d.shows("fetch 41/287")
	d.m.Update(rounds.Msg{Done: 287, Total: 287})
	d.lacks("fetch ")
	d.m.Update(rounds.Msg{Err: reader.ErrFull})
	d.says("The disk is full. What was fetched could not be kept.")
}

// TestNoNetwork: a row of fetches that reached nobody is said once, and a
// server that answers anything ends it.
func TestNoNetwork(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	e := d.m.fetch
	fail := func(i int, kind, why string) {
		e.Plan.Tell(reader.Event{At: noon.Add(time.Duration(i) * time.Minute), Progress: reader.Progress{Done: i, Total: 9,
			Result: &reader.FetchResult{Outcome: reader.OutcomeFailed, Kind: kind, Err: why}}})
	}
	fail(1, "", "404 not found")
	for i := range 9 {
		fail(i+3, "no name", "no such host: harbour.example")
	}
	e.Plan.Tell(reader.Event{At: noon, Next: noon.Add(13 * time.Minute)})
	d.m.Update(e.Plan.Next()())
	d.says("No network since 10:52: the last 9 fetches reached nobody. Reading goes on; fetching tries again at 11:02.")
	d.press("j")
	fail(4, "unreachable", "no network")
	e.Plan.Tell(reader.Event{At: noon, Next: noon.Add(13 * time.Minute)})
	d.m.Update(e.Plan.Next()())
	d.says("unread")
	e.Plan.Tell(reader.Event{At: noon, Progress: reader.Progress{Done: 1, Total: 1, Result: &reader.FetchResult{Outcome: reader.OutcomeNotChanged}}})
	d.m.Update(e.Plan.Next()())
	if d.m.fetch.Offline {
		t.Error("a server that answers does not end the outage")
	}
}

// TestBeingShownIsALook: the focus counts as a look after ten minutes away,
// and nothing counts by itself.
func TestBeingShownIsALook(t *testing.T) {
	lib := newFake()
	now := noon
	d := newDesk(t, lib, 80, 24, func(o *Options) { o.clock = func() time.Time { return now } })
	d.press("j")
	for range 5 {
		now = now.Add(4 * time.Minute)
		d.send(midnightlessChange())
		d.send(roundMsgQuiet())
	}
	if lib.looks != 1 {
		t.Fatalf("%d looks without a look", lib.looks)
	}
	d.send(tea.FocusMsg{})
	d.send(tea.FocusMsg{})
	d.press("j")
	if lib.looks != 2 {
		t.Errorf("%d looks, want 2", lib.looks)
	}
}

func midnightlessChange() tea.Msg { return view.ChangedMsg{} }

// roundMsgQuiet is a window's change of size: an event nobody caused.
func roundMsgQuiet() tea.Msg { return tea.WindowSizeMsg{Width: 80, Height: 24} }
