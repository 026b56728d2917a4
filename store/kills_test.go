//go:build unix

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"diurna/store/db"
)

// cast is the mixers that work on one folder.
type cast struct {
	t     *testing.T
	dir   string
	env   []string
	parts [mixers]part
	procs [mixers]*exec.Cmd
	heard [mixers]chan []string
	wrong []string     // what mixers ended with by themselves
	count atomic.Int64 // lines heard so far

	compacted atomic.Int64 // of those, how often the library was compacted
}

const mixers = 3

func (c *cast) start(i int) {
	cmd, _, lines := start(c.t, "mixer", c.dir, append(c.env, fmt.Sprintf("DIURNA_STORE_NAME=m%d", i), fmt.Sprintf("DIURNA_STORE_PART=%d", c.parts[i]))...)
	heard := make(chan []string, 1)
	c.procs[i], c.heard[i] = cmd, heard
	go func() {
		var got []string
		for line := range lines {
			got = append(got, line)
			c.count.Add(1)
			if strings.HasPrefix(line, "compacted ") {
				c.compacted.Add(1)
			}
		}
		heard <- got
	}()
}

// await waits until n more acts were acknowledged, and then a moment that may be
// anywhere in the next ones.
func (c *cast) await(r *rand.Rand, n int) {
	reach(&c.count, n)
	time.Sleep(time.Duration(r.IntN(8000)) * time.Microsecond)
}

// reach waits until n has risen by so much.
func reach(n *atomic.Int64, by int) {
	for want, end := n.Load()+int64(by), time.Now().Add(2*time.Minute); n.Load() < want && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// kill ends mixer i and enters what it was told into the ledger.
func (c *cast) kill(i int, l *ledger) {
	c.procs[i].Process.Kill()
	for _, line := range <-c.heard[i] {
		if strings.HasPrefix(line, "error") {
			c.wrong = append(c.wrong, line)
		} else {
			l.lines = append(l.lines, line)
		}
	}
	c.procs[i].Wait()
}

// Three processes do everything at once, and are killed at any moment, one after
// the other. DIURNA_KILLS=10000 is the full run; every 400 a new library begins.
func TestKills(t *testing.T) {
	kills := 20
	if testing.Short() {
		kills = 8
	}
	if n, err := strconv.Atoi(os.Getenv("DIURNA_KILLS")); err == nil {
		kills = n
	}
	const epoch = 400
	var reads []time.Duration
	acknowledged := 0
	r := rand.New(rand.NewPCG(uint64(kills), 3))
	for left := kills; left > 0; left -= epoch {
		n, took := killMixers(t, r, min(left, epoch))
		acknowledged += n
		reads = append(reads, took...)
		if t.Failed() {
			return
		}
	}
	if acknowledged < kills {
		t.Fatalf("only %d acts acknowledged", acknowledged)
	}
	slices.Sort(reads)
	t.Logf("%d kills, %d acts acknowledged and found; first read after a kill: median %v, 99 of 100 within %v, slowest %v",
		kills, acknowledged, reads[len(reads)/2], reads[len(reads)*99/100], reads[len(reads)-1])
}

func killMixers(t *testing.T, r *rand.Rand, kills int) (acknowledged int, reads []time.Duration) {
	dir := t.TempDir() + "/lib"
	c := &cast{t: t, dir: dir, env: []string{"DIURNA_STORE_ASIDE=" + t.TempDir()}}
	s := openStore(t, Options{Dir: dir})
	l := &ledger{}
	for i := range mixers {
		c.start(i)
	}
	for k := range kills {
		c.await(r, 1+r.IntN(10))
		i := r.IntN(mixers)
		c.kill(i, l)
		begin := time.Now()
		if _, err := s.Totals(t.Context()); err != nil && !errors.Is(err, ErrNone) {
			t.Errorf("after kill %d: %v", k, err)
		}
		reads = append(reads, time.Since(begin))
		c.start(i)
	}
	c.await(r, 20)
	for i := range mixers {
		c.kill(i, l)
	}
	for _, bad := range append(c.wrong, l.verify(t.Context(), dir)...) {
		t.Error(bad)
	}
	return len(l.lines), reads
}

// Two processes act, and one does nothing but compact and is killed again and
// again, and they now and then: what was acknowledged is in the library. There is
// no other file that it could be in.
func TestKillsOfCompact(t *testing.T) {
	kills := 12
	if testing.Short() {
		kills = 8
	}
	if n, err := strconv.Atoi(os.Getenv("DIURNA_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir() + "/lib"
	c := &cast{t: t, dir: dir, env: []string{"DIURNA_STORE_ASIDE=" + t.TempDir()}, parts: [mixers]part{onlyCompact, onlyActs, onlyActs}}
	s := openStore(t, Options{Dir: dir})
	fill(t, s, 3, 30, 8000)
	l := &ledger{}
	for i := range mixers {
		c.start(i)
	}
	r := rand.New(rand.NewPCG(uint64(kills), 5))
	for k := range kills {
		if k%4 == 3 {
			reach(&c.compacted, 1)
		}
		c.await(r, 1+r.IntN(10))
		i := max(0, r.IntN(mixers+3)-3)
		c.kill(i, l)
		c.start(i)
	}
	c.await(r, 20)
	for i := range mixers {
		c.kill(i, l)
	}
	for _, bad := range append(c.wrong, l.verify(t.Context(), dir)...) {
		t.Error(bad)
	}
	if names := must(filepath.Glob(s.Path() + ".*"))(t); len(names) > 1 || len(names) == 1 && names[0] != s.Path()+db.DraftEnd {
		t.Errorf("other files than the library: %v", names)
	}
	compacted := int(c.compacted.Load())
	if compacted < kills/4 {
		t.Errorf("only %d times compacted", compacted)
	}
	t.Logf("%d kills, %d acts acknowledged, %d times compacted", kills, len(l.lines)-compacted, compacted)
}
