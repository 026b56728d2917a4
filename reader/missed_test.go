package reader

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"diurna/store/storetest"
)

// postLogger is a publisher that posts at fixed times and keeps a log of its own of what it served,
// and when each answer was complete.
type postLogger struct {
	took time.Duration // from a request to its answer

	mu     sync.Mutex
	posts  []time.Time
	served map[time.Time]time.Time // by post: when the first answer with it was complete
}

func (p *postLogger) answer(req *http.Request) *http.Response {
	began := time.Now()
	time.Sleep(p.took)
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []time.Time
	for _, at := range p.posts {
		if !at.After(began) {
			out = append(out, at)
		}
	}
	var items []string
	for _, at := range out[max(0, len(out)-30):] {
		if _, ok := p.served[at]; !ok {
			p.served[at] = time.Now()
		}
		items = append(items, fmt.Sprintf("p%d|P %d|%s|x", at.Unix(), at.Unix(), at.UTC().Format(time.RFC1123Z)))
	}
	res := answer(req, 200, "text/xml", rssOf("P", items...))
	res.Header.Set("ETag", fmt.Sprintf("%q", items[len(items)-1]))
	return res
}

// missed counts, from the publisher's log alone, the posts after the first that
// were out and not served when a look came, and those not served within a minute
// of it either.
func (p *postLogger) missed(since time.Time, looks []time.Time) (total, atLook, after int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.posts {
		got, ok := p.served[at]
		if !ok || !at.After(since) {
			continue
		}
		total++
		at0, at1 := 0, 0
		for _, l := range looks {
			if !at.After(l) && !got.Before(l) {
				at0 = 1
				if got.After(l.Add(time.Minute)) {
					at1 = 1
				}
			}
		}
		atLook, after = atLook+at0, after+at1
	}
	return total, atLook, after
}

// What a look misses is counted at its moment, whether the publisher answers at
// once or takes its time: the items that the look's own refresh brings were not
// here, and are told apart from those that it does not bring. The publishers' own
// logs say the same.
func TestMissedAtTheLookAgreesWithThePublishersLog(t *testing.T) {
	var counts []int
	days := storetest.Size(2, 6)
	for _, took := range []time.Duration{0, time.Millisecond, 2500 * time.Millisecond} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			web := newFakeWeb()
			r, done := bubbleLibrary(t, dir, web)
			defer done()
			began := time.Now()
			var all []*postLogger
			for i, every := range []time.Duration{47 * time.Minute, 3 * time.Hour, 11 * time.Hour} {
				p := &postLogger{took: took, served: map[time.Time]time.Time{}}
				for at := began.Add(-48 * time.Hour); at.Before(began.Add(7 * 24 * time.Hour)); at = at.Add(every) {
					p.posts = append(p.posts, at.Add(17*time.Second))
				}
				u := fmt.Sprintf("https://h%d.example/f", i)
				web.pages[u] = p.answer
				add(t, r, u, SubscribeOptions{})
				all = append(all, p)
			}
			since := time.Now()
			var looks []time.Time
			for d := range days {
				for _, h := range []int{8, 13, 20} {
					at := began.AddDate(0, 0, d).Add(time.Duration(h)*time.Hour + 7*time.Minute)
					looks = append(looks, at)
				}
			}
			var looking sync.WaitGroup
			looking.Go(func() {
				for _, at := range looks {
					time.Sleep(time.Until(at))
					if err := r.Looked(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
			serveFor(t, r, time.Duration(days)*24*time.Hour+21*time.Hour)
			looking.Wait()
			f, err := r.Stats().Freshness(t.Context(), r.now())
			if err != nil {
				t.Fatal(err)
			}
			total, atLook, after := 0, 0, 0
			for _, p := range all {
				a, b, c := p.missed(since, looks)
				total, atLook, after = total+a, atLook+b, after+c
			}
			if f.New != total || f.Missed != atLook || f.MissedAfter != after || f.Looks != len(looks) {
				t.Errorf("a publisher that takes %v: %d new, %d missed at the look, %d after its refresh, %d looks; its log says %d, %d, %d", took, f.New, f.Missed, f.MissedAfter, f.Looks, total, atLook, after)
			}
			if after == 0 || after >= atLook || atLook >= total {
				t.Errorf("a life that shows nothing: %d, %d, %d", total, atLook, after)
			}
			counts = append(counts, f.Missed)
		})
	}
	if counts[0] != counts[1] || counts[0] != counts[2] {
		t.Errorf("missed at the look: %v, depending on how long the publisher takes", counts)
	}
}
