package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"testing"
	"time"
)

// list is records in a map, by bucket and key.
type list map[string]map[string]string

func (l list) clone() list {
	out := list{}
	for b, m := range l {
		out[b] = map[string]string{}
		for k, v := range m {
			out[b][k] = v
		}
	}
	return out
}

// change puts, replaces and removes records at random.
func (l list) change(r *rand.Rand, n int) {
	for range n {
		b, k := fmt.Sprint("b", r.IntN(4)), fmt.Sprint("k", r.IntN(500))
		if r.IntN(3) == 0 {
			delete(l[b], k)
			continue
		}
		if l[b] == nil {
			l[b] = map[string]string{}
		}
		l[b][k] = fmt.Sprint(r.Uint64())[:1+r.IntN(10)]
		if r.IntN(50) == 0 {
			l[b][k] = string(make([]byte, r.IntN(1<<16)))
		}
	}
}

type slice struct{ all []Record }

func (s *slice) Next() (*Record, error) {
	if len(s.all) == 0 {
		return nil, io.EOF
	}
	r := s.all[0]
	s.all = s.all[1:]
	return &r, nil
}

func (l list) source() *slice {
	s := &slice{}
	for b, m := range l {
		for k, v := range m {
			s.all = append(s.all, Record{Bucket: b, Key: []byte(k), Val: []byte(v)})
		}
	}
	sort.Slice(s.all, func(i, j int) bool { return compare(&s.all[i], &s.all[j]) < 0 })
	return s
}

func (l list) size() (n int) {
	for _, m := range l {
		n += len(m)
	}
	return n
}

func writeWhole(t *testing.T, path string, info Info, l list) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := Create(f, info)
	for s := l.source(); err == nil; {
		var r *Record
		if r, err = s.Next(); err == nil {
			err = w.Put(r)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	if err := w.Finish(nil); err != nil {
		t.Fatal(err)
	}
}

func read(path string) (list, error) {
	r, err := Whole(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	got := list{}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return got, nil
		}
		if err != nil {
			return nil, err
		}
		if got[rec.Bucket] == nil {
			got[rec.Bucket] = map[string]string{}
		}
		got[rec.Bucket][string(rec.Key)] = string(rec.Val)
	}
}

// rebase makes the archive at path one that differs from base.
func rebase(t *testing.T, path, base string) {
	t.Helper()
	f, err := os.Create(path + ".new")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Rebase(path, base, f); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// Of a row of archives each gives what it was made of, while the newest is the only
// whole one.
func TestChain(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 1))
		dir, l := t.TempDir(), list{}
		var want []list
		var paths []string
		for day := range 5 {
			l.change(r, []int{0, 1, 40, 1500, 700}[r.IntN(5)])
			path := filepath.Join(dir, fmt.Sprint("day", day))
			info := Info{Began: time.UnixMilli(1_790_000_000_123).UTC(), Line: seed, Commit: uint64(day), Restores: 2, Parent: 7}
			writeWhole(t, path, info, l)
			if i, err := Open(path); err != nil || !reflect.DeepEqual(i.Info, info) || i.count != uint64(l.size()) {
				t.Fatalf("%+v, %v", i, err)
			}
			if day > 0 {
				rebase(t, paths[day-1], path)
			}
			paths, want = append(paths, path), append(want, l.clone())
			for i := range paths {
				got, err := read(paths[i])
				if err != nil {
					t.Fatalf("seed %d, day %d of %d: %v", seed, i, day, err)
				}
				if got.size() != want[i].size() || !bytes.Equal(fingerprint(got), fingerprint(want[i])) {
					t.Fatalf("seed %d, day %d of %d: other records", seed, i, day)
				}
			}
		}
		os.Remove(paths[3])
		if _, err := read(paths[1]); !errors.Is(err, ErrNoBase) {
			t.Fatalf("without a base: %v", err)
		}
		if _, err := read(paths[4]); err != nil {
			t.Fatal(err)
		}
	}
}

func fingerprint(l list) []byte {
	var out []byte
	for s := l.source(); len(s.all) > 0; s.all = s.all[1:] {
		r := s.all[0]
		out = fmt.Appendf(out, "%q %q %q\n", r.Bucket, r.Key, r.Val)
	}
	return out
}

// Every flipped bit and every cut is found, at the last record at the latest; no
// other records come of it and no file asks for much memory.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	dir, l := t.TempDir(), list{}
	l.change(r, 300)
	old, path := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	writeWhole(t, old, Info{Commit: 1}, l)
	l.change(r, 60)
	writeWhole(t, path, Info{Commit: 2}, l)
	rebase(t, old, path)
	for _, file := range []string{old, path} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 150 {
			hurt := bytes.Clone(b)
			if n%4 == 0 {
				hurt = hurt[:r.IntN(len(hurt))]
			} else {
				hurt[r.IntN(len(hurt))] ^= 1 << r.IntN(8)
			}
			if err := os.WriteFile(file, hurt, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := read(old); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrNoBase) {
				t.Fatalf("damage %d of %s: %v", n, filepath.Base(file), err)
			}
		}
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(old); err != nil {
			t.Fatal(err)
		}
	}
}
