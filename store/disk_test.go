package store

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"

	"diurna/store/library"
)

// disk is one folder of a disk as a power cut shows it: what a process wrote is
// there for every process at once, and lasts only from the next sync on. A synced
// file keeps its bytes; its name is kept by the folder's sync, as POSIX has it
// and more strictly than most file systems are.
type disk struct {
	mu     sync.Mutex
	names  map[string]*inode // what processes see
	kept   map[string]*inode // what is on the platter
	folder []naming          // since the folder's last sync
	last   uint64            // inode number
	dead   bool              // the power is off: every call fails
	calls  int               // that could fail, since the fault was set
	fault  *fault
	cold   bool // a file is read from the disk again each time it is opened
}

type inode struct {
	no         uint64
	data, safe []byte
	log        []writing // since the file's last sync
}

// writing is data at an offset, or with nil data a new length.
type writing struct {
	at   int64
	data []byte
}

// naming is one change of names, which happens whole or not at all: a nil inode
// is a name taken away.
type naming map[string]*inode

// fault fails calls: the nth one, counted from 1, and with lasting all after it.
// They are those that change something, or with reads those that read; with a
// sector those that read this byte of the library, however often.
type fault struct {
	nth            int
	errno          syscall.Errno
	lasting, reads bool
	sector         int64 // 0: none in particular
	hit            []string
}

func newDisk() *disk {
	return &disk{names: make(map[string]*inode), kept: make(map[string]*inode), last: 1}
}

// read is called, with the lock held, before n bytes are read.
func (d *disk) read(name string, at int64, n int) syscall.Errno {
	f := d.fault
	if f == nil || !f.reads {
		return 0
	}
	d.calls++
	bad := d.calls == f.nth || f.lasting && d.calls > f.nth
	if f.sector > 0 {
		bad = name == library.FileName && at <= f.sector && f.sector < at+int64(n)
	}
	if bad {
		f.hit = append(f.hit, "read "+name)
		return f.errno
	}
	return 0
}

// enter is called, with the lock held, by whatever changes something.
func (d *disk) enter(call, name string) syscall.Errno {
	if d.dead {
		return syscall.EIO
	}
	if d.fault != nil && d.fault.reads {
		return 0
	}
	if d.calls++; d.fault != nil && (d.calls == d.fault.nth || d.fault.lasting && d.calls > d.fault.nth) {
		d.fault.hit = append(d.fault.hit, call+" "+name)
		return d.fault.errno
	}
	return 0
}

func (d *disk) rename(n naming) {
	d.folder = append(d.folder, n)
	n.apply(d.names)
}

func (n naming) apply(to map[string]*inode) {
	for name, f := range n {
		if f == nil {
			delete(to, name)
		} else {
			to[name] = f
		}
	}
}

func (d *disk) create(name string) *inode {
	d.last++
	f := &inode{no: d.last}
	d.rename(naming{name: f})
	return f
}

func (f *inode) write(w writing) {
	f.log = append(f.log, w)
	f.data = w.apply(f.data)
}

func (w writing) apply(to []byte) []byte {
	if w.data == nil {
		if int64(len(to)) > w.at {
			return slices.Clip(to[:w.at])
		}
		return append(to, make([]byte, w.at-int64(len(to)))...)
	}
	if end := w.at + int64(len(w.data)); int64(len(to)) < end {
		to = append(to, make([]byte, end-int64(len(to)))...)
	}
	copy(to[w.at:], w.data)
	return to
}

func (f *inode) sync() {
	f.safe, f.log = bytes.Clone(f.data), nil
}

func (d *disk) syncFolder() {
	d.kept, d.folder = maps.Clone(d.names), nil
}

// sector is what a disk writes whole or not at all.
const sector = 512

// lose cuts the power and returns the disk that is found afterwards: everything
// synced, and of all else a random part, sector by sector, in any order.
func (d *disk) lose(r *rand.Rand) *disk {
	some := r.Uint64() & r.Uint64()
	if r.IntN(2) == 0 {
		some = 1<<r.IntN(8) - 1 // a journal keeps the order; without, anything may be missing
	}
	return d.loseAllBut(some, r)
}

// loseAllBut is lose with bit i of some telling whether the i-th of the namings
// since the folder's last sync has lasted.
func (d *disk) loseAllBut(some uint64, r *rand.Rand) *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
	kept := maps.Clone(d.kept)
	for i, n := range d.folder {
		if some>>i&1 != 0 {
			n.apply(kept)
		}
	}
	found, again := newDisk(), make(map[*inode]*inode)
	found.last = d.last
	for name, f := range kept {
		g := again[f]
		if g == nil {
			g = &inode{no: f.no}
			again[f] = g
			g.data = f.lose(r)
			g.safe = bytes.Clone(g.data)
		}
		found.names[name] = g
	}
	found.syncFolder()
	return found
}

func (f *inode) lose(r *rand.Rand) []byte {
	// Of an overwritten sector an older writing may be the one that was kept.
	chance := []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9, 1}[r.IntN(7)]
	out := bytes.Clone(f.safe)
	for _, w := range f.log {
		if w.data == nil {
			if r.Float64() < chance {
				out = w.apply(out)
			}
			continue
		}
		for from := int64(0); from < int64(len(w.data)); {
			to := min(int64(len(w.data)), (w.at+from)/sector*sector+sector-w.at)
			if r.Float64() < chance {
				out = writing{w.at + from, w.data[from:to]}.apply(out)
			}
			from = to
		}
	}
	return out
}

// clone is the disk as processes see it, all of it synced.
func (d *disk) clone() *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	out, again := newDisk(), make(map[*inode]*inode)
	out.last = d.last
	for name, f := range d.names {
		if again[f] == nil {
			again[f] = &inode{no: f.no, data: bytes.Clone(f.data), safe: bytes.Clone(f.data)}
		}
		out.names[name] = again[f]
	}
	out.syncFolder()
	return out
}

// The model itself: what is synced is found, and what is not is sometimes lost.
func TestLossyDisk(t *testing.T) {
	seen := make(map[string]int)
	for seed := range uint64(400) {
		d := newDisk()
		a := d.create("a")
		a.write(writing{0, bytes.Repeat([]byte("1"), 2*sector)})
		a.sync()
		d.syncFolder()
		a.write(writing{0, bytes.Repeat([]byte("2"), 2*sector)})
		d.create("b")
		d.rename(naming{"a": nil, "c": a})
		found := d.lose(rand.New(rand.NewPCG(seed, 0)))
		if d.enter("write", "a") != syscall.EIO {
			t.Fatal("the power is on")
		}
		f, at := found.names["a"], "a"
		if f == nil {
			f, at = found.names["c"], "c"
		}
		if f == nil || len(f.data) != 2*sector || len(found.names) > 2 {
			t.Fatalf("seed %d: a synced file is lost: %v", seed, found.names)
		}
		seen[fmt.Sprintf("%s %c%c b:%t", at, f.data[0], f.data[sector], found.names["b"] != nil)]++
	}
	if len(seen) != 16 {
		t.Errorf("%d outcomes of 16: %v", len(seen), seen)
	}
}
