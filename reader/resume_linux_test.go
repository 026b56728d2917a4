package reader

import (
	"context"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A clock that is set wakes the fetcher, as coming back from sleep does.
func TestResumed(t *testing.T) {
	r := &refresher{wake: make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { r.resumed(ctx); close(done) }()
	time.Sleep(50 * time.Millisecond)
	select {
	case <-r.wake:
		t.Fatal("woken by nothing")
	default:
	}
	if os.Getenv("DIURNA_CLOCK") == "" {
		t.Log("with DIURNA_CLOCK=1 and the right to it the clock is set, to what it is")
	} else {
		for range 2 {
			var ts unix.Timespec
			if unix.ClockGettime(unix.CLOCK_REALTIME, &ts) != nil || unix.ClockSettime(unix.CLOCK_REALTIME, &ts) != nil {
				t.Fatal("the clock cannot be set here")
			}
			select {
			case <-r.wake:
			case <-time.After(time.Minute):
				t.Error("nobody noticed that the clock was set")
			}
		}
	}
	stop()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("still waiting after the end")
	}
}
