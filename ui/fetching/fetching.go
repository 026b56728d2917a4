// Package fetching fetches for the screen: by hand, one run at a time, which row 1
// counts and ^c stops; and by the plan, as long as the screen is open.
package fetching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/lastrow"
	"diurna/ui/rounds"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Library is what is asked of *reader.Reader.
type Library interface {
	Fetch(ctx context.Context, q reader.FetchRequest, progress func(reader.Progress)) (reader.FetchReport, error)
}

// Questions stops what else the user waits for.
type Questions interface{ StopLook() bool }

// Fetching fetches for one screen.
type Fetching struct {
	Idle  bool // nothing is fetched by the plan
	Calm  bool // the linear form: it asks by itself, and rings no bell
	Leave func() tea.Cmd

	ctx       context.Context
	lib       Library
	on        *stack.Stack
	questions Questions

	// By hand.
	cancel  context.CancelFunc // nil: nothing runs
	Gen     uint64             // of the run
	runs    string             // "fetch 41/287"
	ch      chan reader.Progress
	stopped time.Time // when ^c was pressed last with nothing running

	// By the plan.
	Plan    *rounds.Rounds
	begun   bool
	Offline bool   // it was said that there is no network
	round   string // "fetch 41/287"
}

// New fetches nothing yet; what it fetches ends with ctx.
func New(ctx context.Context, lib Library, plan *rounds.Rounds, on *stack.Stack, q Questions) *Fetching {
	return &Fetching{ctx: ctx, lib: lib, Plan: plan, on: on, questions: q}
}

// Running is what is being fetched, as row 1 has it: by hand, else
// something other than that, else by plan.
func (f *Fetching) Running(or string) string { return cmp.Or(f.runs, or, f.round) }

// ProgressMsg says how far a run is; its command is asked again until the run ends.
type ProgressMsg struct {
	Gen uint64
	reader.Progress
}

// FetchedMsg ends a fetch.
type FetchedMsg struct {
	Gen    uint64
	ByHand []reader.FeedID
	Report reader.FetchReport
	Err    error
}

// Run starts what ^c stops and row 1 counts; nil while something else runs, which is
// said. The channel has to be closed at its end.
func (f *Fetching) Run(h view.Host, what string, start func(ctx context.Context, gen uint64, progress func(reader.Progress)) tea.Msg) (gen uint64, cmd tea.Cmd) {
	if f.ch != nil {
		h.Say("A fetch is running. ^c stops it.")
		return f.Gen, nil
	}
	ctx, cancel := context.WithCancel(f.ctx)
	ch := make(chan reader.Progress, 1)
	f.cancel, f.Gen, f.runs, f.ch = cancel, h.Gen(), what, ch
	gen = f.Gen
	return gen, view.Batch(func() tea.Msg {
		defer close(ch)
		return start(ctx, gen, latest(ch))
	}, progress(gen, ch))
}

// Ended ends the run with this number; false for another one.
func (f *Fetching) Ended(gen uint64) bool {
	if gen != f.Gen {
		return false
	}
	if f.cancel != nil {
		f.cancel()
	}
	f.cancel, f.runs, f.ch = nil, "", nil
	return true
}

// Runs reports whether the run with this number is under way; 0 stands for any.
func (f *Fetching) Runs(gen uint64) bool { return f.ch != nil && (gen == 0 || gen == f.Gen) }

// Stop stops the run with this number, else the look that is under way; false
// where there is neither.
func (f *Fetching) Stop(gen uint64) bool {
	if gen == f.Gen && f.cancel != nil {
		f.cancel()
		return true
	}
	return f.questions.StopLook()
}

// Interrupt stops what runs; with nothing running it says how to leave, and
// the second time within two seconds leaves.
func (f *Fetching) Interrupt(h view.Host) tea.Cmd {
	now := h.Screen().Now
	switch {
	case f.questions.StopLook():
		h.Say("Stopped.")
	case f.cancel != nil:
		f.cancel() // what was done so far comes back with the answer
		h.Say("Stopping.")
	case now.Sub(f.stopped) < 2*time.Second:
		return f.Leave()
	default:
		f.stopped = now
		h.Say("Q quits")
	}
	return nil
}

// latest keeps only the newest progress in ch, so that a slow screen never
// slows a fetch.
func latest(ch chan reader.Progress) func(reader.Progress) {
	var mu sync.Mutex
	return func(p reader.Progress) {
		mu.Lock()
		defer mu.Unlock()
		select {
		case <-ch:
		default:
		}
		ch <- p
	}
}

// progress waits for the next word of a run.
func progress(gen uint64, ch chan reader.Progress) tea.Cmd {
	return func() tea.Msg {
		p, ok := <-ch
		if !ok {
			return nil
		}
		return ProgressMsg{gen, p}
	}
}

// All fetches every feed that may be fetched now.
func (f *Fetching) All(h view.Host) tea.Cmd {
	if len(h.Screen().Order) == 0 {
		h.Say(view.SayNothingSubscribed)
		return nil
	}
	return f.fetch(h, reader.FetchRequest{All: true})
}

// Chosen fetches the chosen feed, or the feeds of the chosen folder.
func (f *Fetching) Chosen(h view.Host) tea.Cmd {
	ids, all := h.Top().Feeds()
	if all {
		return f.All(h)
	}
	if r := h.Top().Row(); len(ids) == 0 && r != nil {
		ids = []reader.FeedID{r.ID.Feed()}
	}
	if len(ids) == 0 {
		h.Say("No feed is chosen. R fetches all of them.")
		return nil
	}
	return f.fetch(h, reader.FetchRequest{Feeds: ids})
}

func (f *Fetching) fetch(h view.Host, q reader.FetchRequest) tea.Cmd {
	_, cmd := f.Run(h, "fetch", func(ctx context.Context, gen uint64, progress func(reader.Progress)) tea.Msg {
		report, err := f.lib.Fetch(ctx, q, progress)
		return FetchedMsg{gen, q.Feeds, report, err}
	})
	return cmd
}

// OnMsg counts what a run has done so far, sums a fetch up at its end, and shows how far
// a round of the plan is.
func (f *Fetching) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rounds.Msg:
		return f.Round(h, msg)
	case ProgressMsg:
		if !f.Runs(msg.Gen) {
			return nil
		}
		if msg.Total > 0 {
			f.runs = fmt.Sprintf("fetch %d/%d", msg.Done, msg.Total)
		}
		return progress(msg.Gen, f.ch)
	case FetchedMsg:
		if !f.Ended(msg.Gen) {
			return nil
		}
		switch {
		case errors.Is(msg.Err, context.Canceled):
			h.Say(fmt.Sprintf("Stopped: %s fetched, %s new.", wording.Count(msg.Report.Fetched), wording.Count(msg.Report.New)))
		case msg.Err != nil:
			h.Say(view.Sentence(msg.Err))
		default:
			h.Say(lastrow.Fetched(&msg.Report, len(msg.ByHand) == 1, h.Screen().Feeds, h.Screen().Now))
		}
		return f.on.LoadShown(h, false)
	}
	return nil
}

// Edited tells what became of the feeds that were edited as text, and fetches new ones.
func (f *Fetching) Edited(h view.Host, r *reader.EditReport) tea.Cmd {
	said := fmt.Sprintf("Feeds: %s added, %s removed, %s moved, %s changed. u undoes.",
		wording.Count(r.Added), wording.Count(r.Removed), wording.Count(r.Moved), wording.Count(r.Changed))
	h.Say(said)
	cmd := f.on.LoadShown(h, true)
	if len(r.New) > 0 && f.ch == nil {
		cmd = view.Batch(cmd, f.fetch(h, reader.FetchRequest{Feeds: r.New}))
		h.Say(said)
	}
	return cmd
}
