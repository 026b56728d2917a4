package reader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"diurna/store"
)

// season is one run of the etiquette: how many feeds for how long.
type season struct {
	t       *testing.T
	press   *press
	dir     string
	net     Net
	rude    http.RoundTripper // between the visitor and the press; nil: nothing
	r       *Reader
	done    func()
	restart time.Duration // 0: not
	days    int
	brief   bool // only the highlights
}

func (s *season) open() (*Reader, func()) {
	lib, err := store.Open(store.Options{Dir: s.dir, CacheDir: s.dir, NoSync: true})
	if err != nil {
		s.t.Fatal(err)
	}
	o := Options{Version: "1.0", Role: "screen", Transport: s.way(), Net: s.net}
	r := New(lib, o)
	// Plans serve longer and memory is given back less often than in earnest:
	// that is what half a year would take its time for.
	r.plan.Replan, r.refresh.sweep = 8*time.Hour, 8*time.Hour
	return r, func() {
		r.Close()
		if err := lib.Close(); err != nil {
			s.t.Error(err)
		}
	}
}

func (s *season) way() http.RoundTripper {
	if s.rude != nil {
		return s.rude
	}
	return s.press
}

// run lets the fetcher run, in pieces when it is to be restarted.
func (s *season) run(d time.Duration, watch <-chan uint64) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		piece := time.Until(end)
		if s.restart > 0 {
			piece = min(piece, s.restart)
		}
		piece += 137 * time.Millisecond // no answer comes in the very moment in which the visitor leaves
		ctx, cancel := context.WithTimeout(s.t.Context(), piece)
		s.r.refresh.serve(ctx, watch, func(e Event) {
			if e.Err != nil && !errors.Is(e.Err, context.DeadlineExceeded) {
				s.t.Errorf("%s: %v", e.At, e.Err)
			}
		})
		cancel()
		if s.restart > 0 {
			s.done()
			s.r, s.done = s.open()
		}
	}
}

// ask fetches by hand: some feeds, three times in a row as an impatient user
// does, or all.
func (s *season) ask(r *Reader, ids []FeedID) {
	for range 3 {
		if len(ids) > 0 {
			feeds, err := r.Feeds(s.t.Context())
			if err != nil {
				s.t.Fatal(err)
			}
			for i := range feeds {
				if slices.Contains(ids, feeds[i].Key) {
					s.press.wish(feeds[i].URL)
				}
			}
		}
		if _, err := r.Fetch(s.t.Context(), FetchRequest{Feeds: ids, All: len(ids) == 0}, nil); err != nil {
			s.t.Fatal(err)
		}
	}
}

// wish notes that a user asks for a feed now.
func (p *press) wish(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.papers[address]; f != nil {
		f.wished = time.Now()
	}
}

// day is what happens on one day: the fetcher runs, the user looks twice, asks
// for some feeds by hand and once for all.
func (s *season) day(no int, ids []FeedID) {
	t := s.t
	few := []FeedID{ids[no%len(ids)], ids[(no*7+3)%len(ids)]}
	s.run(7*time.Hour, nil)
	if err := s.r.Looked(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.run(20*time.Minute, nil)
	s.ask(s.r, few)
	s.run(9*time.Hour, nil)
	s.ask(s.r, nil)
	s.run(time.Hour, nil)
	if err := s.r.Looked(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.run(6*time.Hour+40*time.Minute, nil)
}

// secondDay is a day with a second Reader on the same library: it wishes for
// feeds while the first one fetches, as another process does, and takes over
// fetching for the other half of the day.
func (s *season) secondDay(no int, ids []FeedID) {
	t := s.t
	other, closeOther := s.open()
	defer closeOther()
	news := make(chan uint64, 1)
	wishes := time.AfterFunc(5*time.Hour, func() {
		feeds, err := other.store.Feeds(t.Context())
		if err != nil {
			t.Error(err)
			return
		}
		jobs, _ := other.refresh.choose(feeds, FetchRequest{Feeds: ids[no%len(ids) : no%len(ids)+1]}, time.Now())
		if len(jobs) == 0 {
			return
		}
		s.press.wish(jobs[0].feed.URL)
		if err := other.store.Note(t.Context(), time.Now(), store.Fact{Kind: store.Asked, Nums: []int64{int64(jobs[0].feed.ID)}}); err != nil {
			t.Error(err)
		}
		news <- 1
	})
	defer wishes.Stop()
	s.run(12*time.Hour, news)
	s.ask(other, nil)
	mine := s.r
	s.r = other
	s.run(11*time.Hour, nil)
	s.r = mine
	s.ask(s.r, ids[(no*3)%len(ids):(no*3)%len(ids)+1])
	s.run(time.Hour, nil)
}

// subscribe adds all papers, as `diurna add` does.
func (s *season) subscribe() []FeedID {
	var ids []FeedID
	for _, u := range s.press.first() {
		ids = append(ids, add(s.t, s.r, u, SubscribeOptions{}).Feed.Key)
	}
	return ids
}

// highlights are days of a season in which something happens. A brief season has the
// portal and the dead network of days 29 and 32 before the sleep of day 24.
var highlights = []int{7, 14, 24}

// play is the season: an ordinary week, then by turns a week of restarts every
// seven minutes, three days of sleep, six hours behind a captive portal, half a
// day without a network, and weeks with a second Reader.
func (s *season) play(ids []FeedID, week func(int)) {
	for no := range s.days {
		s.restart = 0
		if s.brief {
			no = highlights[no]
		}
		switch w := no / 7; {
		case w == 2:
			switch {
			case s.brief:
				s.restart = 53 * time.Minute
			case s.rude == nil:
				s.restart = 7 * time.Minute
			}
			s.day(no, ids)
		case no == 24: // asleep: the clock goes on, nothing runs
			if s.brief {
				s.blocked(6*time.Hour, func(p *press, on bool) { p.portal = on })
				s.blocked(10*time.Hour, func(p *press, on bool) { p.offline = on })
			}
			time.Sleep(72*time.Hour + 11*time.Minute)
			before := s.press.count()
			s.run(time.Minute, nil)
			if n := s.press.count() - before; n > max(4, len(ids)/8) {
				s.t.Errorf("E3: %d requests in the first minute after three days of sleep", n)
			}
			s.day(no, ids)
		case no == 29:
			s.blocked(6*time.Hour, func(p *press, on bool) { p.portal = on })
			s.day(no, ids)
		case no == 32:
			s.blocked(10*time.Hour, func(p *press, on bool) { p.offline = on })
			s.day(no, ids)
		case w%3 == 1:
			s.secondDay(no, ids)
		default:
			s.day(no, ids)
		}
		if no%7 == 6 && week != nil {
			week(no / 7)
		}
	}
}

// blocked runs the fetcher while set keeps it from the publishers.
func (s *season) blocked(d time.Duration, set func(p *press, on bool)) {
	s.press.set(func(p *press) { set(p, true) })
	s.run(d, nil)
	s.press.set(func(p *press) { set(p, false) })
}

func (p *press) set(do func(*press)) { p.mu.Lock(); defer p.mu.Unlock(); do(p) }

func (p *press) count() int { p.mu.Lock(); defer p.mu.Unlock(); return p.visits }

// size is what a process holds: bytes of heap, goroutines, descriptors.
type size struct {
	heap          int64
	routines, fds int
}

func measure() size {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fds, _ := os.ReadDir("/proc/self/fd")
	return size{int64(m.HeapAlloc), runtime.NumGoroutine(), len(fds)}
}

func second[T any](_ T, err error) error { return err }

// TestEtiquette is E1 to E13 on virtual time: publishers of 26 habits judge every
// request of the three days on which most happens. DIURNA_SOAK=1 makes it 200 feeds for
// 24 weeks and looks at memory, goroutines and descriptors as well.
func TestEtiquette(t *testing.T) {
	feeds, weeks := 26, 0
	soak := os.Getenv("DIURNA_SOAK") != ""
	switch {
	case soak:
		feeds, weeks = 200, 24
		if f, w := 0, 0; second(fmt.Sscanf(os.Getenv("DIURNA_SOAK"), "%dx%d", &f, &w)) == nil {
			feeds, weeks = f, w // a smaller one, such as 100x12
		}
	case testing.Short():
		feeds, weeks = 26, 1
	}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &season{t: t, press: newPress(feeds), dir: dir, days: 7 * weeks}
		if weeks == 0 {
			s.brief, s.days = true, len(highlights)
		}
		s.r, s.done = s.open()
		ids := s.subscribe()
		if len(ids) != feeds {
			t.Fatalf("%d feeds, want %d", len(ids), feeds)
		}
		var early, last size
		var most, later int64 // of heap, in the first four weeks and after
		s.play(ids, func(week int) {
			last = measure()
			if week <= min(3, weeks-1) {
				early, most = last, max(most, last.heap)
			}
			later = max(later, last.heap)
			t.Logf("week %d: %d requests, heap %.1f MB, %d goroutines, %d descriptors", week+1, s.press.count(), float64(last.heap)/1e6, last.routines, last.fds)
		})
		s.verdict(ids)
		rep, err := s.r.store.Check(t.Context(), true, nil)
		if err != nil || len(rep.Findings) > 0 {
			t.Errorf("the library after all that: %+v, %v", rep.Findings, err)
		}
		s.done()
		if !soak {
			return
		}
		t.Logf("%d items, a library of %.1f MB, %.1f of them free pages", rep.Items, float64(rep.Size)/1e6, float64(rep.Free)/1e6)
		if rep.Free > rep.Size/2 {
			t.Errorf("%d of %d bytes are free pages", rep.Free, rep.Size)
		}
		if grown := later - most; grown > most/20+256<<10 { // a quarter of a megabyte is when garbage was collected
			t.Errorf("the heap grew by %.1f of %.1f MB after the fourth week", float64(grown)/1e6, float64(most)/1e6)
		}
		if last.routines > early.routines+2 || last.fds > early.fds+2 {
			t.Errorf("from %+v to %+v", early, last)
		}
	})
}

// rude spoils a visitor's manners on the way out, and hides from it on the way in
// what publishers wish.
type rude struct {
	press *press
	out   func(*http.Request)
	in    func(*http.Response)
}

func (r *rude) RoundTrip(req *http.Request) (*http.Response, error) {
	if r.out != nil {
		r.out(req)
	}
	res, err := r.press.RoundTrip(req)
	if err == nil && r.in != nil {
		r.in(res)
	}
	return res, err
}

// TestImpoliteClientIsDetected takes the visitor's manners away one after the other: the
// book must name each rule that is broken then.
func TestImpoliteClientIsDetected(t *testing.T) {
	if testing.Short() {
		t.Skip("weeks of rudeness")
	}
	for _, c := range []struct {
		name  string
		days  int
		net   Net
		out   func(*http.Request)
		in    func(*http.Response)
		rules string
		who   string // the habits that the rules are about; "": all
		moved bool   // the first week, after which some publishers move, is over
	}{
		{name: "no waits", days: 2, net: Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1, MinRetry: time.Minute, HostsAtOnce: 20, PerHost: 3}, rules: "E3 E4 E7 E8"},
		{name: "no manners", days: 1, rules: "E1 E9 E10 E12", out: func(req *http.Request) {
			if tag := req.Header["If-None-Match"]; tag != nil {
				tag[0] = strings.ToLower(strings.TrimPrefix(tag[0], "W/")) + " "
			}
			req.Header.Set("User-Agent", "Mozilla/5.0")
			req.Header.Set("Cookie", "id=7")
			if strings.HasSuffix(req.URL.Path, "/0.xml") {
				req.URL.Path = "/favicon.ico"
			}
		}},
		{name: "no memory", days: 3, rules: "E2", in: func(res *http.Response) {
			delete(res.Header, "Etag")
			delete(res.Header, "Last-Modified")
		}},
		{name: "no ears", days: 9, moved: true, rules: "E5 E6 E11", who: "max-age expires busy seconds busy date moves", in: func(res *http.Response) {
			for _, name := range []string{"Cache-Control", "Expires", "Retry-After"} {
				delete(res.Header, name)
			}
			switch res.StatusCode {
			case 301:
				res.StatusCode = 302
			case 429, 503:
				res.StatusCode = 500
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s := &season{t: t, press: newPress(len(habits)), dir: dir, days: c.days, net: c.net}
				s.rude = &rude{s.press, c.out, c.in}
				if c.moved {
					s.press.began = s.press.began.AddDate(0, 0, -7)
				}
				s.r, s.done = s.open()
				var ids []FeedID
				for _, u := range s.press.first() {
					if !strings.Contains(c.who, s.press.papers[u].habit) && c.who != "" {
						continue
					}
					if found, err := s.r.Finder().Look(t.Context(), u, false); err == nil {
						if sub, err := s.r.Subscribe(t.Context(), found.Candidates[0], SubscribeOptions{}); err == nil {
							ids = append(ids, sub.Feed.Key)
						}
					}
				}
				s.play(ids, nil)
				s.done()
				for _, rule := range strings.Fields(c.rules) {
					if s.press.book.failed[rule] == 0 {
						t.Errorf("%s was broken %d times in %d visits", rule, 0, s.press.visits)
					}
				}
				t.Logf("broken: %v of %v", s.press.book.failed, s.press.book.kept)
			})
		})
	}
}

// verdict is what the publishers say in the end.
func (s *season) verdict(ids []FeedID) {
	t, p := s.t, s.press
	for _, line := range p.book.broken {
		t.Error(line)
	}
	t.Logf("%d feeds, %d days, %d requests, %d not changed, rules applied: %v", len(ids), s.days, p.visits, p.unchanged, p.book.kept)
	if perDay := float64(p.visits) / float64(len(ids)*s.days); perDay < 1 || perDay > 10 {
		t.Errorf("%.1f requests a feed and day", perDay)
	}
	feeds, err := s.r.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range feeds {
		f := &feeds[i]
		paper := p.papers[f.URL]
		if paper == nil || paper.habit == "at hijacked" || strings.HasPrefix(paper.host, "cdn") {
			t.Errorf("N5: a feed lives at %s now", f.URL)
			continue
		}
		if s.days > 27 && paper.habit == "moves" {
			t.Errorf("E11: %s has moved for good and was not followed", f.URL)
		}
		if f.Items < 20 {
			t.Errorf("%s (%s) has %d items", f.URL, paper.habit, f.Items)
		}
	}
}
