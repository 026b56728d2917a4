//go:build unix

package newsboat_test

import (
	"encoding/binary"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/sys/unix"

	"diurna/reader"
)

func cpu(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// spent is what something took, in seconds: of processor time and on the clock.
type spent struct{ cpu, wall float64 }

func (s *spent) add(o spent) { s.cpu, s.wall = s.cpu+o.cpu, s.wall+o.wall }

// began is what was spent until now, since once.
func began(b *testing.B, once time.Time) spent { return spent{cpu(b), time.Since(once).Seconds()} }

func since(b *testing.B, once time.Time, from spent) spent {
	now := began(b, once)
	return spent{now.cpu - from.cpu, now.wall - from.wall}
}

// BenchmarkImport imports 50,000 articles of 1 KB, and then lets bbolt write the same
// keys and values in order, in ten transactions, with the options that the library has:
// cpu-s and floor-s are their processor times, times how many times the import takes, and
// wall-times the same of the time on the clock, for which two processors have to be idle.
// raw-s is bbolt with the articles as they are in newsboat, a record each, in as many
// transactions.
func BenchmarkImport(b *testing.B) {
	m := makeUp(b, 300, 50_000, 150)
	pile := pileOf(m.articles)
	m.articles = nil // else what is measured is the garbage collector's way through them
	var took, floor, raw spent
	once := time.Now()
	for b.Loop() {
		dir := b.TempDir()
		r, _ := open(b, dir, nil)
		runtime.GC()
		begin := began(b, once)
		if rep := m.bring(b, r, reader.ImportOptions{NoFetch: true}); rep.Filed != len(pile.keys) {
			b.Fatal(rep.Filed)
		}
		took.add(since(b, once, begin))
		floor.add(rewrite(b, filepath.Join(dir, "diurna.db")))
		raw.add(pile.write(b))
	}
	n := float64(b.N)
	b.ReportMetric(took.cpu/n, "cpu-s")
	b.ReportMetric(floor.cpu/n, "floor-s")
	b.ReportMetric(took.cpu/floor.cpu, "times")
	b.ReportMetric(took.wall/floor.wall, "wall-times")
	b.ReportMetric(raw.cpu/n, "raw-s")
	b.ReportMetric(took.cpu/raw.cpu, "times-raw")
}

// options are those that the library opens bbolt with.
var options = bbolt.Options{NoSync: true, NoStatistics: true, FreelistType: bbolt.FreelistMapType, InitialMmapSize: 64 << 20}

// rewrite is how long bbolt takes to write what is in a file into another.
func rewrite(b *testing.B, path string) spent {
	type pair struct{ bucket, key, value []byte }
	var all []pair
	from, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	tx, err := from.Begin(false)
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Rollback()
	err = tx.ForEach(func(name []byte, k *bbolt.Bucket) error {
		return k.ForEach(func(key, value []byte) error {
			all = append(all, pair{name, key, value})
			return nil
		})
	})
	if err != nil {
		b.Fatal(err)
	}
	to, err := bbolt.Open(filepath.Join(b.TempDir(), "same.db"), 0o600, &options)
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	once := time.Now()
	begin := began(b, once)
	for part := len(all)/10 + 1; len(all) > 0; all = all[min(part, len(all)):] {
		err := to.Update(func(tx *bbolt.Tx) error {
			for _, p := range all[:min(part, len(all))] {
				k, err := tx.CreateBucketIfNotExists(p.bucket)
				if err != nil {
					return err
				}
				if err := k.Put(p.key, p.value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return since(b, once, begin)
}

// pile has articles by feed and number in one piece of memory.
type pile struct {
	keys   []uint64
	ends   []int
	values []byte
}

func pileOf(all []article) *pile {
	p := &pile{}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b article) int { return a.feed - b.feed })
	for i, a := range all {
		p.keys = append(p.keys, uint64(a.feed)<<32|uint64(i))
		p.values = append(p.values, a.guid+a.title+a.author+a.link+a.text+a.file+a.flags...)
		p.ends = append(p.ends, len(p.values))
	}
	return p
}

// write is how long bbolt takes to write them.
func (p *pile) write(b *testing.B) spent {
	to, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, &options)
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	runtime.GC()
	once := time.Now()
	begin := began(b, once)
	from := 0
	for i, part := 0, len(p.keys)/10+1; i < len(p.keys); i += part {
		err := to.Update(func(tx *bbolt.Tx) error {
			k, err := tx.CreateBucketIfNotExists([]byte("articles"))
			if err != nil {
				return err
			}
			for j := i; j < min(len(p.keys), i+part); j++ {
				if err := k.Put(binary.BigEndian.AppendUint64(nil, p.keys[j]), slices.Clone(p.values[from:p.ends[j]])); err != nil {
					return err
				}
				from = p.ends[j]
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return since(b, once, begin)
}
