// Package hosts keeps the starts of requests to each host among all processes, in a
// small file of its own: a commit for each request would cost more than the request,
// the first feed has no library yet, and what a power cut takes of it is five seconds
// of politeness.
package hosts

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"os"
	"time"

	"diurna/store/lock"
)

const (
	// A slot for each value of a hash, so the file never grows. Two hosts with
	// one slot wait for each other now and then, which harms nobody.
	slots = 8192
	// farAhead is how many gaps a start may lie ahead: beyond it is no queue,
	// but a clock that was wrong.
	farAhead = 100
)

// Turn books the start of a request to host among all processes that share the file at
// path: gap after the last one, or now. was, if not zero, is a start booked earlier
// that went by unused; if it is still the last one it is moved to now. Where nothing
// can be written it is now.
func Turn(path, host string, gap time.Duration, now, was time.Time) time.Time {
	f, err := lock.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return now
	}
	defer f.Close()
	for tries := 0; ; tries++ {
		err := lock.Lock(f, lock.Exclusive|lock.Try)
		if err == nil {
			break
		}
		if !errors.Is(err, lock.ErrBusy) || tries == 50 { // whoever has it for microseconds was stopped just then
			return now
		}
		time.Sleep(time.Millisecond)
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(host))
	at := int64(h.Sum64()%slots) * 8
	var b [8]byte
	start := now
	if n, _ := f.ReadAt(b[:], at); n == len(b) {
		ms := int64(binary.LittleEndian.Uint64(b[:]))
		last := time.UnixMilli(ms)
		if !was.IsZero() && ms == slotTime(was) {
			last = now.Add(-gap) // nobody has booked behind it
		}
		if next := last.Add(gap); next.After(now) && next.Sub(now) <= farAhead*gap {
			start = next
		}
	}
	binary.LittleEndian.PutUint64(b[:], uint64(slotTime(start)))
	_, _ = f.WriteAt(b[:], at) // a full disk is no reason not to read
	return start
}

// slotTime is a start as its slot has it, never too early.
func slotTime(start time.Time) int64 { return start.Add(time.Millisecond - 1).UnixMilli() }
