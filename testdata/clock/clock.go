// Command clock prints an overlay for `go build -overlay` that lets a program
// run on a clock of its own: the installed Go's runtime and time packages, edited
// as text, are written to the folder DIR.
//
//	clock DIR >overlay.json
//
// A program built with it reads the file that VIRTUAL_CLOCK names: two int64 in
// the machine's byte order, the nanoseconds added to the wall clock and to the
// monotonic clock. Whoever changes the file moves the clocks of all programs that
// run on it; timers that are due by then fire within a few milliseconds. Without
// VIRTUAL_CLOCK nothing differs.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// edit replaces the one place in a file of GOROOT/src that reads old.
type edit struct{ file, old, new string }

var edits = []edit{
	{"runtime/time_nofake.go", "\treturn nanotime1()\n", "\treturn nanotime1() + virtualMono()\n"},
	{"runtime/time.go", "\treturn time_now()\n", "\tif virtualClock != nil {\n\t\treturn virtualNow()\n\t}\n\treturn time_now()\n"},
}

// added are files that the packages get in addition.
var added = map[string]string{
	"runtime/virtual.go": `package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

var (
	virtualClock *[2]int64 // outside the heap: a mapped file
	virtualStart int64     // its second number when this program began
)

//go:linkname virtualSet time.virtualSet
func virtualSet(p unsafe.Pointer) {
	virtualStart = atomic.Loadint64(&(*[2]int64)(p)[1])
	virtualClock = (*[2]int64)(p)
}

//go:nosplit
func virtualMono() int64 {
	if virtualClock == nil {
		return 0
	}
	return atomic.Loadint64(&virtualClock[1]) - virtualStart
}

func virtualNow() (int64, int32, int64) {
	sec, nsec, _ := time_now()
	ns := sec*1e9 + int64(nsec) + atomic.Loadint64(&virtualClock[0])
	return ns / 1e9, int32(ns % 1e9), nanotime()
}
`,
	"time/virtual.go": `package time

import (
	"sync/atomic"
	"syscall"
	"unsafe"
)

func virtualSet(p unsafe.Pointer)

func init() {
	name, ok := syscall.Getenv("VIRTUAL_CLOCK")
	if !ok {
		return
	}
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		panic("VIRTUAL_CLOCK: " + err.Error())
	}
	b, err := syscall.Mmap(fd, 0, 16, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic("VIRTUAL_CLOCK: " + err.Error())
	}
	syscall.Close(fd)
	p := unsafe.Pointer(unsafe.SliceData(b))
	virtualSet(p)
	go virtualWatch(&(*[2]int64)(p)[1])
}

// virtualWatch lets the scheduler look at its timers once the clock was moved.
func virtualWatch(clock *int64) {
	last := atomic.LoadInt64(clock)
	for {
		rest := syscall.Timespec{Nsec: 2e6}
		syscall.Nanosleep(&rest, nil)
		if now := atomic.LoadInt64(clock); now != last {
			last = now
			Sleep(1)
		}
	}
}
`,
}

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	texts := map[string]string{}
	for _, e := range edits {
		b, err := os.ReadFile(filepath.Join(src, e.file))
		if err != nil {
			return err
		}
		if n := strings.Count(string(b), e.old); n != 1 {
			return fmt.Errorf("%s has %d places that read %q, want 1", e.file, n, e.old)
		}
		texts[e.file] = strings.Replace(string(b), e.old, e.new, 1)
	}
	for name, text := range added {
		texts[name] = text
	}
	replace := map[string]string{}
	for name, text := range texts {
		to := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return err
		}
		replace[filepath.Join(src, name)] = to
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"Replace": replace})
}
