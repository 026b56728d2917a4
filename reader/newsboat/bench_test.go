//go:build unix

package newsboat_test

import (
	"encoding/binary"
	"path/filepath"
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
	var took, floor, raw float64
	for b.Loop() {
		dir := b.TempDir()
		r, _ := open(b, dir, nil)
		begin := cpu(b)
		if rep := m.bring(b, r, reader.ImportOptions{NoFetch: true}); rep.Filed != len(m.articles) {
			b.Fatal(rep.Filed)
		}
		took += cpu(b) - begin
		floor += rewrite(b, filepath.Join(dir, "diurna.db"))
		raw += writeRaw(b, m)
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

// writeRaw is how long bbolt takes to write the articles by feed and number.
func writeRaw(b *testing.B, m *made) float64 {
	all := slices.Clone(m.articles)
	slices.SortStableFunc(all, func(a, b article) int { return a.feed - b.feed })
	to, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	begin := cpu(b)
	for i, part := 0, len(all)/10+1; i < len(all); i += part {
		err := to.Update(func(tx *bbolt.Tx) error {
			k, err := tx.CreateBucketIfNotExists([]byte("articles"))
			if err != nil {
				return err
			}
			for j, a := range all[i:min(len(all), i+part)] {
				key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(a.feed)), uint32(i+j))
				if err := k.Put(key, []byte(a.guid+a.title+a.author+a.link+a.text+a.file+a.flags)); err != nil {
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
