// Package rounds fetches by the plan while the screen is open, or waits for the process
// that does, and stops for as long as the process is stopped.
//
// Rounds.Start begins, Rounds.Stop ends, and Rounds.Next brings what there is to say.
package rounds

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Rounds is the goroutine that fetches and what it said last.
type Rounds struct {
	ctx    context.Context
	lib    fetcher
	mu     sync.Mutex
	cancel context.CancelFunc
	done   chan struct{} // closed when the goroutine has ended; nil: none runs
	News   chan Msg      // holds the newest word; Update asks for it with rounds
	out    outage        // written by the goroutine
	held   bool          // this process fetched: it was not waiting for another
}

// fetcher is what it asks of *reader.Reader.
type fetcher interface {
	Run(ctx context.Context, tell func(reader.Event)) error
}

// New is fetching that has not begun, and ends with ctx.
func New(ctx context.Context, lib fetcher) *Rounds {
	return &Rounds{ctx: ctx, lib: lib, News: make(chan Msg, 1)}
}

// Msg tells how a round of planned fetches goes.
type Msg struct {
	Done, Total int
	next        time.Time
	Err         error
	Lost        int       // fetches in a row that reached nobody
	since       time.Time // of them
	Gone        string    // what else is to be said: that items of a feed came and went
	Notified    []string  // what rules notify of, the first few
}

// outage counts the fetches in a row that reached nobody at all.
type outage struct {
	lost  int
	since time.Time
}

// count takes in how one feed fared. A server that answered anything, be it
// "not found", ends the row.
func (o *outage) count(r *reader.FetchResult, at time.Time) {
	switch {
	case r == nil || r.Outcome == reader.OutcomeEarly:
	case r.Outcome == reader.OutcomeFailed && r.ReachedNobody():
		if o.lost++; o.lost == 1 {
			o.since = at
		}
	default:
		*o = outage{}
	}
}

// Start starts fetching by the plan unless that runs already.
func (d *Rounds) Start() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done != nil || d.ctx.Err() != nil {
		return
	}
	ctx, stop := context.WithCancel(d.ctx)
	done := make(chan struct{})
	d.cancel, d.done = stop, done
	go func() {
		defer close(done)
		if err := d.lib.Run(ctx, d.Tell); err != nil && ctx.Err() == nil {
			d.put(Msg{Err: err})
		}
	}()
}

// Stop ends fetching and returns when fetch.lock is free again.
func (d *Rounds) Stop() {
	d.mu.Lock()
	stop, done := d.cancel, d.done
	d.cancel, d.done = nil, nil
	d.mu.Unlock()
	if done != nil {
		stop()
		<-done
	}
}

// Tell hears what the fetcher says.
func (d *Rounds) Tell(ev reader.Event) {
	d.out.count(ev.Progress.Result, ev.At)
	d.mu.Lock()
	d.held = ev.Waiting == ""
	d.mu.Unlock()
	msg := Msg{Done: ev.Progress.Done, Total: ev.Progress.Total, next: ev.Next, Err: ev.Err, Lost: d.out.lost, since: d.out.since, Gone: ev.Say}
	if res := ev.Progress.Result; res != nil {
		msg.Gone = cmp.Or(res.Lost, msg.Gone)
		for i := range res.Reported {
			if res.Reported[i].Rule {
				msg.Notified = append(msg.Notified, res.Reported[i].Page+": "+res.Reported[i].What)
			}
		}
	}
	d.put(msg)
}

// maxNotified bounds the notifications that wait for the screen: it shows one and a number.
const maxNotified = 99

// put leaves only the newest word, so that a slow screen never slows a fetch;
// an error, or that items were lost, is passed on with the word after it.
func (d *Rounds) put(msg Msg) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case old := <-d.News:
		if msg.Err == nil {
			msg.Err = old.Err
		}
		if msg.Gone == "" {
			msg.Gone = old.Gone
		}
		msg.Notified = append(old.Notified, msg.Notified...)
		msg.Notified = msg.Notified[:min(len(msg.Notified), maxNotified)]
	default:
	}
	d.News <- msg
}

// Fetches reports whether this process is the one that fetches.
func (d *Rounds) Fetches() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

// Next waits for the next word of the fetcher.
func (d *Rounds) Next() tea.Cmd {
	return func() tea.Msg {
		select {
		case msg := <-d.News:
			return msg
		case <-d.ctx.Done():
			return nil
		}
	}
}

// SayOffline is the sentence for a round that reached nobody.
func SayOffline(msg Msg, now time.Time) string {
	say := fmt.Sprintf("No network since %s: the last %s reached nobody. Reading goes on", view.SinceDay(msg.since, now), fetches(msg.Lost))
	if !msg.next.IsZero() {
		say += "; fetching tries again at " + wording.Due(msg.next, now)
	}
	return say + "."
}

// fetches is "1 fetch", "9 fetches".
func fetches(n int) string {
	if n == 1 {
		return "1 fetch"
	}
	return wording.Count(n) + " fetches"
}

// runs reports whether fetching by the plan is on.
func (d *Rounds) runs() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.done != nil
}

// ObeyStops hears the signals that ask the process to stop, until the program
// ends. Where the event loop waits for a user's line or for another program
// that has the terminal, the process stops without it.
func (d *Rounds) ObeyStops(asked <-chan os.Signal, suspended func() bool, halt func(whole bool) bool, tell func()) {
	for {
		select {
		case <-asked:
		case <-d.ctx.Done():
			return
		}
		if tell != nil && !suspended() {
			tell()
			continue
		}
		fetched := d.runs()
		d.Stop()
		halt(false)
		if fetched {
			d.Start()
		}
	}
}

// Retakes hears that the process goes on after a stop that it did not ask for. In
// the background it stops once more, holding nothing, until it has the terminal.
func (d *Rounds) Retakes(continued <-chan struct{}, suspended, foreground func() bool, halt func(whole bool) bool, tell func()) {
	for {
		select {
		case <-continued:
		case <-d.ctx.Done():
			return
		}
		if suspended() {
			continue
		}
		if !foreground() {
			fetched := d.runs()
			d.Stop()
			halt(false)
			if fetched {
				d.Start()
			}
		}
		tell()
	}
}
