//go:build unix

package newsboat_test

import (
	"encoding/binary"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

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

// BenchmarkImport imports 50,000 articles of 1 KB, and then lets bbolt write the same
// keys and values in order, in ten transactions: cpu-s and floor-s are their processor
// times, times how many times the import takes. raw-s is bbolt with the articles as they
// are in newsboat, a record each, in as many transactions.
func BenchmarkImport(b *testing.B) {
	m := makeUp(b, 300, 50_000, 150)
	pile := pileOf(m.articles)
	m.articles = nil // else what is measured is the garbage collector's way through them
	var took, floor, raw float64
	for b.Loop() {
		dir := b.TempDir()
		r, _ := open(b, dir, nil)
		runtime.GC()
		begin := cpu(b)
		if rep := m.bring(b, r, reader.ImportOptions{NoFetch: true}); rep.Filed != len(pile.keys) {
			b.Fatal(rep.Filed)
		}
		took += cpu(b) - begin
		floor += rewrite(b, filepath.Join(dir, "diurna.db"))
		raw += pile.write(b)
	}
	n := float64(b.N)
	b.ReportMetric(took/n, "cpu-s")
	b.ReportMetric(floor/n, "floor-s")
	b.ReportMetric(took/floor, "times")
	b.ReportMetric(raw/n, "raw-s")
	b.ReportMetric(took/raw, "times-raw")
}

// rewrite is how long bbolt takes to write what is in a file into another.
func rewrite(b *testing.B, path string) float64 {
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
	to, err := bbolt.Open(filepath.Join(b.TempDir(), "same.db"), 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	begin := cpu(b)
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
	return cpu(b) - begin
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
func (p *pile) write(b *testing.B) float64 {
	to, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	runtime.GC()
	begin := cpu(b)
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
	return cpu(b) - begin
}
