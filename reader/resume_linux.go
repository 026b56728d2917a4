package reader

import (
	"context"
	"errors"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// resumed wakes the fetcher when the machine comes back from sleep or its clock is set:
// timers use a clock that stops during sleep, so that what was due at eight would be
// fetched as much later as the machine slept. The kernel reports this by ending a timer
// that would never end, so nothing polls; where that fails the next look or commit wakes
// the fetcher. Calls to the kernel stop the clock of a synctest bubble, so this is no part
// of serve.
func (r *refresher) resumed(ctx context.Context) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_REALTIME, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	if err != nil {
		return
	}
	timer := os.NewFile(uintptr(fd), "timerfd")
	never := unix.ItimerSpec{Value: unix.NsecToTimespec(math.MaxInt64)}
	if unix.TimerfdSettime(fd, unix.TFD_TIMER_ABSTIME|unix.TFD_TIMER_CANCEL_ON_SET, &never, nil) != nil {
		timer.Close()
		return
	}
	stop := context.AfterFunc(ctx, func() { timer.Close() })
	defer stop()
	for {
		if _, err := timer.Read(make([]byte, 8)); !errors.Is(err, unix.ECANCELED) {
			return // closed
		}
		r.nudge()
	}
}
