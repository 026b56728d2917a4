package fetch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// publisher is a web whose every answer takes a while; it watches the etiquette.
type publisher struct {
	takes time.Duration
	mu    sync.Mutex
	start map[string][]time.Time
	now   map[string]int
	most  map[string]int
	hosts int
}

func newPublisher(takes time.Duration) *publisher {
	return &publisher{takes: takes, start: map[string][]time.Time{}, now: map[string]int{}, most: map[string]int{}}
}

func (p *publisher) RoundTrip(r *http.Request) (*http.Response, error) {
	h := r.URL.Hostname()
	p.mu.Lock()
	p.start[h] = append(p.start[h], time.Now())
	p.now[h]++
	p.most[h] = max(p.most[h], p.now[h])
	p.hosts = max(p.hosts, len(p.now))
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.now[h]--; p.now[h] == 0 {
			delete(p.now, h)
		}
	}()
	select {
	case <-time.After(p.takes):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if r.URL.Path == "/moved" {
		return answer(r, 301, "", "Location", "/new"), nil
	}
	return answer(r, 200, "x"), nil
}

// getAll fetches urls at the same time and gives what each took, waiting included.
func getAll(t *testing.T, c *Client, urls ...string) []time.Duration {
	t.Helper()
	took := make([]time.Duration, len(urls))
	var wg sync.WaitGroup
	begin := time.Now()
	for i, u := range urls {
		wg.Go(func() {
			if _, err := c.Get(t.Context(), Request{URL: u}); err != nil {
				t.Errorf("%s: %v", u, err)
			}
			took[i] = time.Since(begin)
		})
		synctest.Wait()
	}
	wg.Wait()
	return took
}

func TestGapBetweenStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublisher(time.Second)
		o := Defaults()
		o.Transport = p
		c := New(o)
		defer c.Close()
		getAll(t, c, "http://a.example/1", "https://a.example/2", "http://a.example:8080/3", "http://A.example/moved")
		starts := p.start["a.example"]
		if len(starts) != 5 || p.most["a.example"] != 1 {
			t.Fatalf("%d starts, at most %d at once", len(starts), p.most["a.example"])
		}
		for i := 1; i < len(starts); i++ {
			if gap := starts[i].Sub(starts[i-1]); gap != 5*time.Second {
				t.Errorf("gap %d is %v, want 5 s, redirects included", i, gap)
			}
		}
		// A slow answer moves the next start: one connection comes before the gap.
		p.takes = 12 * time.Second
		getAll(t, c, "http://b.example/1", "http://b.example/2")
		if s := p.start["b.example"]; s[1].Sub(s[0]) != 12*time.Second || p.most["b.example"] != 1 {
			t.Errorf("gap %v", s[1].Sub(s[0]))
		}
	})
}

func TestTimeInTheQueueIsNotTheServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublisher(20 * time.Second)
		o := Defaults()
		o.Transport = p
		c := New(o)
		defer c.Close()
		urls := []string{}
		for i := range 6 {
			urls = append(urls, fmt.Sprintf("http://a.example/%d", i))
		}
		took := getAll(t, c, urls...)
		if took[5] != 120*time.Second {
			t.Errorf("the last took %v, want 120 s although one request may take 30", took[5])
		}
	})
}

func TestWaitingHoldsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublisher(time.Second)
		o := Defaults()
		o.Transport, o.HostsAtOnce = p, 1
		c := New(o)
		defer c.Close()
		took := getAll(t, c, "http://a.example/1", "http://a.example/2", "http://b.example/1", "http://c.example/1")
		for i, want := range []time.Duration{1, 6, 2, 3} {
			if took[i] != want*time.Second {
				t.Errorf("request %d was done after %v, want %d s", i, took[i], want)
			}
		}
		if p.hosts != 1 {
			t.Errorf("%d hosts at once", p.hosts)
		}
	})
}

func TestHostsAtOnceIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublisher(time.Second)
		o := Defaults()
		o.Transport, o.HostsAtOnce, o.MinHostInterval, o.PerHost = p, 2, 0, 1
		c := New(o)
		defer c.Close()
		urls := []string{}
		for i := range 10 { // one host with many feeds must not starve the rest
			urls = append(urls, fmt.Sprintf("http://big.example/%d", i))
		}
		urls = append(urls, "http://a.example/", "http://b.example/", "http://c.example/")
		took := getAll(t, c, urls...)
		for _, d := range took[10:] {
			if d > 3*time.Second {
				t.Errorf("a small host waited %v", d)
			}
		}
		if p.hosts != 2 {
			t.Errorf("%d hosts at once, want 2", p.hosts)
		}
	})
}

func TestWaitingCanBeCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublisher(time.Second)
		o := Defaults()
		o.Transport = p
		c := New(o)
		defer c.Close()
		getAll(t, c, "http://a.example/1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		_, err := c.Get(ctx, Request{URL: "http://a.example/2"})
		wantKind(t, err, KindTimeout)
		if d := time.Since(begin); d != time.Second {
			t.Errorf("gave up after %v, want 1 s", d)
		}
		gone, now := context.WithCancel(t.Context())
		now()
		_, err = c.Get(gone, Request{URL: "http://a.example/3"})
		wantKind(t, err, KindCanceled)
		getAll(t, c, "http://a.example/4")
		if s := p.start["a.example"]; len(s) != 2 || s[1].Sub(s[0]) != 5*time.Second {
			t.Errorf("starts %v: who gave up must not move the others", s)
		}
	})
}

// TestStartThatNobodyUsed: a start that was booked for somebody who went away is
// booked again once it is over, else others may have the moment as well.
func TestStartThatNobodyUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		booked := 0
		var last time.Time
		g := newGate(1, 8, 5*time.Second)
		g.turn = func(_ string, gap time.Duration, now, _ time.Time) time.Time {
			booked++
			if next := last.Add(gap); next.After(now) {
				now = next
			}
			last = now
			return now
		}
		ask := func(patience time.Duration) error {
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			err := g.enter(ctx, "a.example")
			if err == nil {
				g.leave("a.example")
			}
			return err
		}
		last = time.Now().Add(-2 * time.Second) // somebody else, two seconds ago
		if err := ask(time.Second); err == nil || booked != 1 {
			t.Fatalf("%v, %d starts booked", err, booked)
		}
		if err := ask(time.Minute); err != nil || booked != 1 || time.Now().Before(last) {
			t.Errorf("who comes in time takes the start: %v, %d booked", err, booked)
		}
		time.Sleep(time.Minute)
		last = time.Now().Add(-2 * time.Second)
		if err := ask(time.Second); err == nil || booked != 2 {
			t.Fatalf("%v, %d starts booked", err, booked)
		}
		time.Sleep(time.Minute)
		last = time.Now().Add(-2 * time.Second)
		begin := time.Now()
		if err := ask(time.Minute); err != nil || booked != 3 || time.Since(begin) != 3*time.Second {
			t.Errorf("%v, %d starts booked, asked after %v", err, booked, time.Since(begin))
		}
	})
}

// TestStartThatCameLate: a start that went by while all places were taken is no
// start: who booked behind it counts from it, and has the host to itself till then.
func TestStartThatCameLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last := map[string]time.Time{"b.example": time.Now().Add(-2 * time.Second)}
		var mu sync.Mutex
		turn := func(host string, gap time.Duration, now, was time.Time) time.Time {
			mu.Lock()
			defer mu.Unlock()
			if next := last[host].Add(gap); next.After(now) && (was.IsZero() || !was.Equal(last[host])) {
				now = next
			}
			last[host] = now
			return now
		}
		one, other := newGate(1, 1, 5*time.Second), newGate(1, 1, 5*time.Second)
		one.turn, other.turn = turn, turn
		begin := time.Now()
		var wg sync.WaitGroup
		starts := map[string]time.Duration{}
		ask := func(g *gate, host, name string, after, takes time.Duration) {
			wg.Go(func() {
				time.Sleep(after)
				if err := g.enter(t.Context(), host); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				starts[name] = time.Since(begin)
				mu.Unlock()
				time.Sleep(takes)
				g.leave(host)
			})
		}
		ask(one, "b.example", "late", 0, time.Second)                          // booked for 3 s
		ask(one, "a.example", "long", time.Second, 6*time.Second)              // has the one place from 1 s to 7 s
		ask(other, "b.example", "other", 2*time.Second, time.Second)           // booked for 8 s
		ask(one, "d.example", "before", 30*time.Second, 10*time.Second)        // has it from 30 s to 40 s
		ask(other, "c.example", "c", 28*time.Second, time.Second)              // so the next is booked for 33 s
		ask(one, "c.example", "alone", 29*time.Second, time.Second)            // and starts when it can
		ask(other, "c.example", "behind", 40500*time.Millisecond, time.Second) // counted from that
		wg.Wait()
		for name, want := range map[string]time.Duration{"other": 8 * time.Second, "late": 13 * time.Second, "alone": 40 * time.Second, "behind": 45 * time.Second} {
			if starts[name] != want {
				t.Errorf("%s started after %v, want %v", name, starts[name], want)
			}
		}
	})
}

// TestClockIsSetBeforeTheStart: a start comes from a file, by the clock on the
// wall; who sets that back by an hour does not wait for it an hour longer.
func TestClockIsSetBeforeTheStart(t *testing.T) {
	g := newGate(1, 8, 5*time.Second)
	defer g.close()
	ctx, stop := context.WithCancel(t.Context())
	g.turn = func(_ string, gap time.Duration, now, _ time.Time) time.Time {
		stop() // it has asked for its start, so the wait may end
		return now.Add(gap).Round(0)
	}
	if err := g.enter(ctx, "a.example"); err == nil {
		t.Fatal("it did not wait")
	}
	if next := g.hostQueues["a.example"].next; !strings.Contains(next.String(), " m=") {
		t.Errorf("the start, %v, is not counted from now", next)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Defaults()
		o.Transport = newPublisher(20 * time.Second)
		c := New(o)
		errs := make(chan error, 3)
		for range 3 {
			go func() {
				_, err := c.Get(context.Background(), Request{URL: "http://a.example/"})
				errs <- err
			}()
		}
		synctest.Wait()
		begin := time.Now()
		c.Close()
		for range 3 {
			wantKind(t, <-errs, KindCanceled)
		}
		if d := time.Since(begin); d != 0 {
			t.Errorf("Close took %v", d)
		}
		_, err := c.Get(context.Background(), Request{URL: "http://a.example/"})
		wantKind(t, err, KindCanceled)
	})
}

// TestGateAtRandom drives the gate with random hosts, durations and cancellations
// and holds its three promises all the way.
func TestGateAtRandom(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			perHost, hosts, every := 1+rnd.IntN(3), 1+rnd.IntN(4), time.Duration(rnd.IntN(3))*time.Second
			g := newGate(perHost, hosts, every)
			g.sweepAt = 2
			var mu sync.Mutex
			active, last, total := map[string]int{}, map[string]time.Time{}, 0
			var wg sync.WaitGroup
			for i := range 120 {
				host := fmt.Sprint("h", rnd.IntN(8))
				takes, after := time.Duration(rnd.IntN(3000))*time.Millisecond, time.Duration(rnd.IntN(20000))*time.Millisecond
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rnd.IntN(60))*time.Second)
				if i%3 > 0 {
					ctx = t.Context()
				}
				wg.Go(func() {
					defer cancel()
					time.Sleep(after)
					if g.enter(ctx, host) != nil {
						return
					}
					mu.Lock()
					now := time.Now()
					if since, ok := last[host]; ok && now.Sub(since) < every {
						t.Errorf("seed %d: gap %v < %v", seed, now.Sub(since), every)
					}
					last[host] = now
					active[host]++
					total++
					if active[host] > perHost || len(active) > hosts {
						t.Errorf("seed %d: %d at one host of %d, %d hosts of %d", seed, active[host], perHost, len(active), hosts)
					}
					mu.Unlock()
					time.Sleep(takes)
					mu.Lock()
					if active[host]--; active[host] == 0 {
						delete(active, host)
					}
					mu.Unlock()
					g.leave(host)
				})
			}
			wg.Wait()
			if total < 80 || g.busy != 0 {
				t.Errorf("seed %d: %d of at least 80 had their turn, %d still busy", seed, total, g.busy)
			}
			g.close()
		})
	}
}

func TestGateForgetsHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1, 8, time.Second)
		for i := range 5000 {
			host := fmt.Sprint("h", i)
			if err := g.enter(t.Context(), host); err != nil {
				t.Fatal(err)
			}
			g.leave(host)
			time.Sleep(10 * time.Millisecond)
		}
		if n := len(g.hostQueues); n > 700 {
			t.Errorf("%d hosts are still known", n)
		}
	})
}
