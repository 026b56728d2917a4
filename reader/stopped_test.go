package reader

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"diurna/reader/watch"
)

// fading is a context that ends when it is looked at for the nth time.
type fading struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func fadingAfter(t *testing.T, n int64) *fading {
	ctx, end := context.WithCancel(t.Context())
	f := &fading{Context: ctx, end: end}
	f.left.Store(n)
	return f
}

func (f *fading) look() {
	if f.left.Add(-1) == 0 {
		f.end()
	}
}

func (f *fading) Done() <-chan struct{} { f.look(); return f.Context.Done() }
func (f *fading) Err() error            { f.look(); return f.Context.Err() }

// TestStoppedSubscribing: at whatever moment ^c comes, there is a feed with its
// items or none, and who is told that it was stopped has none.
func TestStoppedSubscribing(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed("a|A|"+ago(time.Hour)+"|x"))
	web.serve(pier, "text/html", timetable(summer, "3"))
	for name, begin := range map[string]func(ctx context.Context, r *Reader, c Candidate) error{
		"feed": func(ctx context.Context, r *Reader, c Candidate) error {
			_, err := r.Subscribe(ctx, c, SubscribeOptions{})
			return err
		},
		"page": func(ctx context.Context, r *Reader, _ Candidate) error {
			_, err := r.Pages().Watch(ctx, pier, watch.Options{})
			return err
		},
	} {
		r := newLibrary(t, web)
		found, err := r.Finder().Look(t.Context(), harbour, false)
		if err != nil {
			t.Fatal(err)
		}
		stopped := 0
		for n := int64(1); ; n++ {
			ctx := fadingAfter(t, n)
			err := begin(ctx, r, found.Candidates[0])
			ctx.end()
			feeds, lerr := r.Feeds(t.Context())
			if lerr != nil {
				t.Fatal(lerr)
			}
			if err == nil && ctx.left.Load() > 0 {
				break // it came to its end before
			}
			if err != nil {
				stopped++
			}
			if err != nil && len(feeds) > 0 || err == nil && len(feeds) != 1 {
				t.Fatalf("%s: stopped at look %d: %v, and %d feeds", name, n, err, len(feeds))
			}
			if err == nil {
				break
			}
		}
		if stopped < 5 {
			t.Errorf("%s: stopped %d times only", name, stopped)
		}
	}
}
