package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// bench is one session of measuring: a publisher of many feeds on 127.0.0.1,
// the program as it is shipped, and a home of its own.
type bench struct {
	t              *testing.T
	bin, exe, home string
	url            string
	feeds, port    int
}

// cost is what a finished command took.
type cost struct {
	wall, cpu time.Duration
	rss       int64 // bytes, the peak
	out, talk string
	code      int
}

func (c cost) String() string {
	return fmt.Sprintf("%.3f s wall, %.3f s CPU, %.1f MiB", c.wall.Seconds(), c.cpu.Seconds(), float64(c.rss)/(1<<20))
}

// newBench starts `feedserver` of the folder that DIURNA_BENCH names; without
// it the figures are not measured. The machine's load is logged beside them.
func newBench(t *testing.T, feeds int) *bench {
	bin := os.Getenv("DIURNA_BENCH")
	if bin == "" {
		t.Skip("DIURNA_BENCH does not name the folder of feedserver, floorfetch and gen-opml")
	}
	b := &bench{t: t, bin: bin, home: t.TempDir(), feeds: feeds}
	b.exe = filepath.Join(t.TempDir(), "diurna")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.exe, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	b.url = fmt.Sprintf("http://127.0.0.1:%d", b.port)
	server := exec.Command(filepath.Join(bin, "feedserver"), "-n", strconv.Itoa(feeds), "-port", strconv.Itoa(b.port), "-for", "8m")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); _ = server.Wait() })
	for i := 0; ; i++ {
		res, err := http.Get(b.url + "/__stats")
		if err == nil {
			res.Body.Close()
			break
		}
		if i > 3000 { // a minute: a thousand feeds are made up first
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("load before: %s", bytes.TrimSpace(load))
	b.write("config.toml", "[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host = 32\nhosts_at_once = 32\nper_host_every = \"0s\"\nmin_poll = \"0s\"\nmin_manual = \"0s\"\n")
	list, err := exec.Command(filepath.Join(bin, "gen-opml"), "-n", strconv.Itoa(feeds), "-port", strconv.Itoa(b.port)).Output()
	if err != nil {
		t.Fatal(err)
	}
	b.write("feeds.opml", string(list))
	return b
}

func (b *bench) write(name, text string) {
	if err := os.WriteFile(filepath.Join(b.home, name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) command(args ...string) *exec.Cmd {
	cmd := exec.Command(b.exe, append([]string{"--data-dir", filepath.Join(b.home, "library"), "--config", filepath.Join(b.home, "config.toml")}, args...)...)
	cmd.Env = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	return cmd
}

// measure runs a command to its end.
func measure(cmd *exec.Cmd) cost {
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	start := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(start), out: out.String(), talk: talk.String(), code: -1}
	if cmd.ProcessState == nil {
		c.talk = err.Error()
		return c
	}
	c.code, c.cpu = cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.rss = int64(u.Maxrss) << 10 // KiB on Linux
	}
	return c
}

func (b *bench) run(args ...string) cost {
	b.t.Helper()
	c := measure(b.command(args...))
	if c.code != 0 {
		b.t.Fatalf("%v: exit code %d: %s", args, c.code, c.talk)
	}
	return c
}

func (b *bench) floor(args ...string) cost {
	b.t.Helper()
	c := measure(exec.Command(filepath.Join(b.bin, "floorfetch"), append([]string{"-n", strconv.Itoa(b.feeds), "-port", strconv.Itoa(b.port)}, args...)...))
	if c.code != 0 {
		b.t.Fatalf("floorfetch %v: %s", args, c.talk)
	}
	return c
}

// served is what the publisher counted since the last time.
type served struct {
	Requests    int            `json:"requests"`
	Conditional int            `json:"conditional"`
	Status      map[string]int `json:"status"`
	Bytes       int64          `json:"body_bytes_out"`
	Seen        int            `json:"feeds_seen"`
	Most        int            `json:"max_requests_one_feed"`
}

func (b *bench) served() served {
	b.t.Helper()
	var s served
	for _, path := range []string{"/__stats", "/__stats?reset=1"} {
		res, err := http.Get(b.url + path)
		if err != nil {
			b.t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			b.t.Fatal(err)
		}
		if path == "/__stats" {
			if err := json.Unmarshal(body, &s); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	return s
}

// TestFigures measures a first and a second refresh of 1,000 feeds beside the
// least that a program could do, and the import before them.
func TestFigures(t *testing.T) {
	b := newBench(t, 1000)
	b.served()
	least := b.run("version")
	in := b.run("import", "--no-fetch", filepath.Join(b.home, "feeds.opml"))
	t.Logf("import of 1,000: %v (version alone: %v)", in, least)
	b.served()

	state := filepath.Join(b.home, "etags")
	raw := b.floor("-work", "fetch", "-state", state)
	full := b.floor("-work", "store", "-db", filepath.Join(b.home, "floor.db"))
	b.served()
	cold := b.run("fetch", "--all")
	got := b.served()
	t.Logf("cold:  %v; %d requests, %d bytes", cold, got.Requests, got.Bytes)
	t.Logf("  floorfetch alone %v (wall x%.1f); with gofeed and bbolt %v (wall x%.2f, CPU x%.2f)",
		raw, ratio(cold.wall, raw.wall), full, ratio(cold.wall, full.wall), ratio(cold.cpu, full.cpu))
	if got.Seen != b.feeds || got.Most != 1 {
		t.Errorf("cold: %d feeds were asked for, one of them %d times", got.Seen, got.Most)
	}
	warmFloor := b.floor("-work", "fetch", "-state", state)
	b.served()
	warm := b.run("fetch", "--all")
	got = b.served()
	t.Logf("warm:  %v; %d requests, %d conditional, %d bytes", warm, got.Requests, got.Conditional, got.Bytes)
	t.Logf("  floorfetch %v (wall x%.1f)", warmFloor, ratio(warm.wall, warmFloor.wall))
	if got.Requests != b.feeds || got.Status["304"] != b.feeds || got.Bytes != 0 || got.Most != 1 {
		t.Errorf("the first warm run: %+v; want %d conditional requests, one a feed, all \"not changed\"", got, b.feeds)
	}
	if unread := b.run("unread"); strings.TrimSpace(unread.out) == "0" {
		t.Error("nothing is unread after 1,000 feeds")
	}
	backup := b.run("backup", filepath.Join(b.home, "copy"))
	st, err := os.Stat(filepath.Join(b.home, "copy"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("backup of %d MB, checked: %v", st.Size()>>20, backup)
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// TestBeside measures commands while others fetch: `unread` 200 times beside a
// `run` that fetches everything because another command asks for it, then twenty
// commands and two `run`s at once. Each address is asked for once, whoever fetches.
func TestBeside(t *testing.T) {
	b := newBench(t, 1000)
	b.run("import", "--no-fetch", filepath.Join(b.home, "feeds.opml"))
	b.served()
	first, second := b.command("run"), b.command("run")
	var lines [2]bytes.Buffer
	for i, cmd := range []*exec.Cmd{first, second} {
		cmd.Stdout = &lines[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
	}
	var asked sync.WaitGroup
	asked.Go(func() {
		if c := measure(b.command("fetch", "--all")); c.code != 0 {
			t.Errorf("fetch --all beside two runs: exit code %d: %s", c.code, c.talk)
		}
	})
	took := make([]time.Duration, 0, 20)
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 20 {
		words := [][]string{{"unread"}, {"list"}, {"items", "today"}, {"log"}, {"mark", "read", "older:1w"}, {"stats"}, {"unread", "new"}, {"fetch"}, {"export"}, {"list", "older:30d"}}[i%10]
		all.Go(func() {
			c := measure(b.command(words...))
			mu.Lock()
			defer mu.Unlock()
			took = append(took, c.wall)
			// "Nothing fits" is an answer as well; a busy library is none.
			if c.code > 1 {
				t.Errorf("%v: exit code %d: %s", words, c.code, c.talk)
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	t.Logf("20 commands and 2 runs at once: median %v, slowest %v", took[10], took[19])
	b.beside200()
	asked.Wait()
	for i := 0; i < 600 && b.peek().Seen < b.feeds; i++ {
		time.Sleep(100 * time.Millisecond)
	}
	got := b.peek()
	for _, cmd := range []*exec.Cmd{first, second} {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_ = cmd.Wait() // the code says it
		if code := cmd.ProcessState.ExitCode(); code != 130 || time.Since(start) > 5*time.Second {
			t.Errorf("an interrupted run ended in %d after %v", code, time.Since(start))
		}
	}
	t.Logf("the publisher: %d requests for %d feeds, at most %d for one; lines of the two: %d, %d", got.Requests, got.Seen, got.Most,
		bytes.Count(lines[0].Bytes(), []byte("\n")), bytes.Count(lines[1].Bytes(), []byte("\n")))
	if got.Seen != b.feeds || got.Most != 1 {
		t.Errorf("%d of %d feeds were asked for, one of them %d times", got.Seen, b.feeds, got.Most)
	}
}

// beside200 asks for the number of unread items 200 times, as a status bar.
func (b *bench) beside200() {
	before := b.peek().Seen
	took := make([]time.Duration, 200)
	for i := range took {
		took[i] = b.run("unread").wall
	}
	slices.Sort(took)
	b.t.Logf("unread while %d to %d of %d feeds were fetched: p50 %v, p95 %v, slowest %v",
		before, b.peek().Seen, b.feeds, took[100], took[190], took[199])
}

// peek is served without beginning again.
func (b *bench) peek() served {
	b.t.Helper()
	res, err := http.Get(b.url + "/__stats")
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	var s served
	if err := json.NewDecoder(res.Body).Decode(&s); err != nil {
		b.t.Fatal(err)
	}
	return s
}
