package fetch

import (
	"context"
	"sync"
	"time"
)

// gate makes requests take turns: at most perHost at one host, their starts at
// least every apart, at most hostsAtOnce hosts at once. Whoever waits, for a gap or
// for a free place, holds no place itself, so one busy host never stops another.
type gate struct {
	perHost, hostsAtOnce int
	every                time.Duration
	turn                 func(host string, gap time.Duration, now, was time.Time) time.Time // nil: nobody else asks

	mu         sync.Mutex
	hostQueues map[string]*hostQueue
	busy       int          // hostQueues with active > 0
	blocked    []*hostQueue // ready but for a free place, first come first served
	sweepAt    int
}

// hostQueue is one host.
type hostQueue struct {
	host    string
	active  int
	next    time.Time // no start before
	booked  time.Time // the start that turn gave, at next; zero: none
	waiting []*waiter
	timer   *time.Timer
	blocked bool
}

type waiter struct {
	ready   chan struct{}
	started bool
}

// late is how long after a start that was booked it is not kept any more: who
// books behind it counts from it. A timer is not that late.
const late = 20 * time.Millisecond

func newGate(perHost, hostsAtOnce int, every time.Duration) *gate {
	return &gate{perHost: perHost, hostsAtOnce: hostsAtOnce, every: every, hostQueues: map[string]*hostQueue{}, sweepAt: 512}
}

// enter waits for host's turn. When it returns nil, leave must follow.
func (g *gate) enter(ctx context.Context, host string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t := &waiter{ready: make(chan struct{})}
	g.mu.Lock()
	l := g.hostQueues[host]
	if l == nil {
		l = &hostQueue{host: host}
		g.hostQueues[host] = l
	}
	l.waiting = append(l.waiting, t)
	g.pump(l)
	started := t.started
	g.mu.Unlock()
	if started {
		return nil
	}
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.started { // the turn came at the same moment: hand it on
		g.release(l)
		return ctx.Err()
	}
	for i, w := range l.waiting {
		if w == t {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			break
		}
	}
	return ctx.Err()
}

// leave gives the turn back.
func (g *gate) leave(host string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release(g.hostQueues[host])
	if len(g.hostQueues) >= g.sweepAt {
		g.sweep()
	}
}

func (g *gate) release(l *hostQueue) {
	l.active--
	if l.active == 0 {
		g.busy--
	}
	// Those who waited longest for a place come before this host's next one.
	for len(g.blocked) > 0 && g.busy < g.hostsAtOnce {
		first := g.blocked[0]
		g.blocked = g.blocked[1:]
		first.blocked = false
		g.pump(first)
	}
	g.pump(l)
}

// pump starts whatever of l may start now, and otherwise sees to it that it is
// asked again: by a timer, by release, or from the blocked list.
func (g *gate) pump(l *hostQueue) {
	for len(l.waiting) > 0 && l.active < g.perHost {
		if g.every > 0 {
			if wait := time.Until(l.next); wait > 0 {
				g.wake(l, wait)
				return
			}
		}
		if l.active == 0 && g.busy >= g.hostsAtOnce {
			if !l.blocked {
				l.blocked = true
				g.blocked = append(g.blocked, l)
			}
			return
		}
		if g.every > 0 && g.turn != nil && (l.booked.IsZero() || time.Since(l.next) > late) {
			now := time.Now() // what is booked is counted from now: the clock may be set meanwhile
			l.booked = g.turn(l.host, g.every, now, l.booked)
			if l.next = now.Add(l.booked.Sub(now)); l.next.After(now) {
				continue
			}
		}
		l.booked = time.Time{}
		t := l.waiting[0]
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
		if l.active == 0 {
			g.busy++
		}
		l.active++
		if g.every > 0 {
			l.next = time.Now().Add(g.every)
		}
		t.started = true
		close(t.ready)
	}
}

func (g *gate) wake(l *hostQueue, wait time.Duration) {
	if l.timer != nil {
		return
	}
	l.timer = time.AfterFunc(wait, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		l.timer = nil
		g.pump(l)
	})
}

// sweep forgets hosts that nobody waits for and whose gap is over.
func (g *gate) sweep() {
	now := time.Now()
	for host, l := range g.hostQueues {
		if l.active == 0 && len(l.waiting) == 0 && l.timer == nil && !l.blocked && !l.next.After(now) {
			delete(g.hostQueues, host)
		}
	}
	g.sweepAt = max(512, 2*len(g.hostQueues))
}

// close stops the timers; who still waits is woken by its own context.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range g.hostQueues {
		if l.timer != nil {
			l.timer.Stop()
		}
	}
}
