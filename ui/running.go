package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/lastrow"
	"diurna/ui/term"
	"diurna/ui/view"
)

// While the screen is open it fetches by the plan, or waits for the process
// that does. The goroutine for it belongs to Run: it is started and ended
// here, and has ended before Run returns or the program is suspended.

// duty is that goroutine and what it told last.
type duty struct {
	mu   sync.Mutex
	stop context.CancelFunc
	done chan struct{} // closed when the goroutine has ended; nil: none runs
	news chan roundMsg // holds the newest word; Update asks for it with rounds
	out  outage        // written by the goroutine
	held bool          // this process fetched: it was not waiting for another
}

// roundMsg tells how a round of planned fetches goes.
type roundMsg struct {
	done, total int
	next        time.Time
	err         error
	lost        int       // fetches in a row that reached nobody
	since       time.Time // of them
	gone        string    // what else is to be said: that items of a feed came and went
	rung        []string  // what rules notify of, the first few
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

// work starts fetching by the plan unless that runs already.
func (e *effects) work() {
	e.duty.mu.Lock()
	defer e.duty.mu.Unlock()
	if e.duty.done != nil || e.ctx.Err() != nil {
		return
	}
	ctx, stop := context.WithCancel(e.ctx)
	done := make(chan struct{})
	e.duty.stop, e.duty.done = stop, done
	go func() {
		defer close(done)
		if err := e.fetchByPlan(ctx, e.tell); err != nil && ctx.Err() == nil {
			e.duty.put(roundMsg{err: err})
		}
	}()
}

// rest ends fetching and returns when fetch.lock is free again.
func (e *effects) rest() {
	e.duty.mu.Lock()
	stop, done := e.duty.stop, e.duty.done
	e.duty.stop, e.duty.done = nil, nil
	e.duty.mu.Unlock()
	if done != nil {
		stop()
		<-done
	}
}

// tell hears what the fetcher says.
func (e *effects) tell(ev reader.Event) {
	d := &e.duty
	d.out.count(ev.Progress.Result, ev.At)
	d.mu.Lock()
	d.held = ev.Waiting == ""
	d.mu.Unlock()
	msg := roundMsg{done: ev.Progress.Done, total: ev.Progress.Total, next: ev.Next, err: ev.Err, lost: d.out.lost, since: d.out.since, gone: ev.Say}
	if res := ev.Progress.Result; res != nil {
		msg.gone = cmp.Or(res.Lost, msg.gone)
		for i := range res.Told {
			if res.Told[i].Rule {
				msg.rung = append(msg.rung, res.Told[i].Page+": "+res.Told[i].What)
			}
		}
	}
	d.put(msg)
}

// maxRung bounds the notifications that wait for the screen: it shows one and a number.
const maxRung = 99

// put leaves only the newest word, so that a slow screen never slows a fetch;
// an error, or that items were lost, is passed on with the word after it.
func (d *duty) put(msg roundMsg) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case old := <-d.news:
		if msg.err == nil {
			msg.err = old.err
		}
		if msg.gone == "" {
			msg.gone = old.gone
		}
		msg.rung = append(old.rung, msg.rung...)
		msg.rung = msg.rung[:min(len(msg.rung), maxRung)]
	default:
	}
	d.news <- msg
}

// fetches reports whether this process is the one that fetches.
func (d *duty) fetches() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

// rounds waits for the next word of the fetcher.
func (e *effects) rounds() tea.Cmd {
	if e.calm {
		return nil
	}
	return func() tea.Msg {
		select {
		case msg := <-e.duty.news:
			return msg
		case <-e.ctx.Done():
			return nil
		}
	}
}

// begin starts fetching once there is something to fetch: leaving an empty
// library must not have made one.
func (m *model) begin() tea.Cmd {
	if m.working || len(m.Order) == 0 || m.opts.Idle {
		return nil
	}
	m.working = true
	return func() tea.Msg {
		m.eff.work()
		return nil
	}
}

// fewFetches is how many feeds a round may have without being counted in row 1.
const fewFetches = 3

// gotRound shows how far a round is and what keeps it from being kept.
func (m *model) gotRound(msg roundMsg) tea.Cmd {
	m.round = ""
	if msg.total > fewFetches && msg.done < msg.total {
		m.round = fmt.Sprintf("fetch %d/%d", msg.done, msg.total)
	}
	switch {
	case msg.err != nil:
		m.last.Put(lastrow.Notice, notFetched(msg.err))
	case msg.gone != "":
		m.offline = false
		m.last.Put(lastrow.Notice, msg.gone)
	case msg.lost == 0:
		m.offline = false
	case msg.total == 0 && !m.offline && msg.lost >= min(fewFetches, len(m.Order)):
		m.offline = true // said once, until somebody answers
		m.last.Put(lastrow.Notice, sayOffline(msg, m.Now))
	}
	return view.Batch(m.eff.rounds(), m.ring(msg.rung, "%d items that rules notify of: %s"))
}

// ring rings for texts, as configured; many says how many there are.
func (m *model) ring(texts []string, many string) tea.Cmd {
	n := term.Notice{Bell: m.Cfg.Bell, Toast: m.Cfg.Toast}
	if ring := n.Ring(texts, many); ring != "" && !m.eff.calm {
		return tea.Raw(ring)
	}
	return nil
}

// sayOffline is the sentence for a round that reached nobody.
func sayOffline(msg roundMsg, now time.Time) string {
	say := fmt.Sprintf("No network since %s: the last %s reached nobody. Reading goes on", view.SinceDay(msg.since, now), fetches(msg.lost))
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

// notFetched is the sentence for a round that could not be kept.
func notFetched(err error) string {
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. What was fetched could not be kept. Reading goes on, fetching waits; free some space."
	}
	return view.Sentence(err)
}

// input passes what the terminal sends and tells when it sends no more: Bubble
// Tea takes the end of its input for a pause and runs on for ever.
type input struct {
	io.Reader
	gone func()
}

func (in input) Read(p []byte) (int, error) {
	n, err := in.Reader.Read(p)
	if err != nil {
		in.gone()
	}
	return n, err
}

// inputFile is input for a terminal, whose raw mode needs the file itself.
type inputFile struct {
	*os.File
	gone   func()
	taking func() // may be nil
}

// Fd is what Bubble Tea asks for to read the terminal's modes and set its own.
// Restoring them any earlier would echo what is typed in between.
func (in inputFile) Fd() uintptr {
	if in.taking != nil {
		in.taking()
	}
	return in.File.Fd()
}

func (in inputFile) Read(p []byte) (int, error) {
	n, err := in.File.Read(p)
	if err != nil {
		in.gone()
	}
	return n, err
}

// fileOf is the terminal behind an input, for programs that need it.
func fileOf(in io.Reader) (*os.File, bool) {
	f, ok := in.(inputFile)
	return f.File, ok
}

// openInput gives the terminal's input. Stdin that is no terminal (a list was
// piped in) gives way to the terminal itself.
func (o *Options) openInput(gone func()) (io.Reader, error) {
	in := o.In
	if in == nil {
		in = os.Stdin
		if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			tty, _, err := tea.OpenTTY()
			if err != nil {
				return nil, fmt.Errorf("open the terminal: %w", err)
			}
			in = tty
		}
	}
	if f, ok := in.(*os.File); ok {
		return inputFile{f, gone, o.Taking}, nil
	}
	return input{in, gone}, nil
}
