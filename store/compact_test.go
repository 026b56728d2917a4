package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"

	"diurna/store/backups"
	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/pages"
	"diurna/store/record"
)

// compacting begins a compaction of s, for tests that look at it between its steps.
func compacting(t *testing.T, s *Store) *backups.Compaction {
	t.Helper()
	c := s.Compaction()
	t.Cleanup(func() { c.End(tbackground) })
	if err := c.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func mustRun(t *testing.T, steps ...func(context.Context) error) {
	t.Helper()
	for _, step := range steps {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// dump is every record of a library file at rest but the notes for compacting,
// with the totals' transaction base left out: a compacted file begins to count again.
func dump(t *testing.T, path string) map[string]string {
	t.Helper()
	db := must(bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true}))(t)
	defer db.Close()
	all := map[string]string{}
	err := db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				if string(name) == string(record.Counts.Name) && string(k) == string(record.Key4(0)) {
					var h record.Head
					h.Decode(v[record.HeadSize:])
					h.TxBase = 0
					v = h.Encode(nil)
				}
				if string(name) != string(record.Changes.Name) {
					all[fmt.Sprintf("%s %x", name, k)] = string(v)
				}
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// differ says how two dumps differ; empty if they do not.
func differ(was, is map[string]string) string {
	var bad []string
	for k, v := range was {
		if w, there := is[k]; !there || v != w {
			bad = append(bad, k)
		}
	}
	for k := range is {
		if _, there := was[k]; !there {
			bad = append(bad, "new: "+k)
		}
	}
	slices.Sort(bad)
	if len(bad) == 0 {
		return ""
	}
	return fmt.Sprintf("%d records: %s", len(bad), strings.Join(bad[:min(5, len(bad))], ", "))
}

// busyWriters do random acts, each with a store of its own, until they are ended.
// While the lock that is returned is held none of them is at work.
func busyWriters(t *testing.T, dir string, n int) (pause *sync.RWMutex, end func()) {
	pause = new(sync.RWMutex)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		s := openStore(t, Options{Dir: dir, NoSync: true})
		m := &mixer{s: s, r: rand.New(rand.NewPCG(uint64(i), 7)), name: fmt.Sprint("w", i), part: onlyActs, out: io.Discard}
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				pause.RLock()
				m.tag = fmt.Sprintf("%s.%d", m.name, m.seq)
				m.seq++
				if err := m.one(tbackground); err != nil && !passing(err) {
					t.Error(err)
				}
				pause.RUnlock()
			}
		})
	}
	return pause, func() { close(stop); wg.Wait() }
}

// The compacted library has every record of the old one, byte for byte, whatever
// others write in the meantime.
func TestCompactBesideWriters(t *testing.T) {
	dir := t.TempDir() + "/lib"
	s := openStore(t, Options{Dir: dir, NoSync: true})
	fill(t, s, 4, 40, 12000)
	pause, end := busyWriters(t, dir, 3)
	defer end()
	old := dir + "/old"
	for round := range 3 {
		c := compacting(t, s)
		mustRun(t, c.Copy, c.CatchUp, c.Check, c.CatchUp)
		pause.Lock()
		began, newest := c.Done, uint64(0)
		err := s.lib.Do(t.Context(), &library.Job{Fn: func(x *library.Txn) error { newest = pages.Committed(x.Bolt); return nil }})
		if err == nil {
			err = errors.Join(os.Link(s.Path(), old), c.Swap(t.Context()))
		}
		bad := ""
		if err == nil {
			bad = differ(dump(t, old), dump(t, s.Path()))
		}
		os.Remove(old)
		pause.Unlock()
		if err != nil || bad != "" {
			t.Fatalf("round %d: %v %s", round, err, bad)
		}
		t.Logf("%d -> %d bytes, %d transactions left for the end", c.Before, c.After, newest-began)
		c.End(t.Context())
		sound(t, s, true)
	}
}

// What is written between two steps, into what was copied and what was not, is
// in the compacted library.
func TestCompactFollows(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	fill(t, s, 3, 20, 2000)
	all := must(s.Rows(ctx, RowQuery{Which: All}))(t)
	n := 0
	act := func(context.Context) error {
		id := all[n%len(all)].ID
		n++
		return errors.Join(
			second(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{id}})),
			second(s.Act(ctx, day, "", Change{Kind: Tagged, Items: []ItemID{id}, Value: "x"})),
			second(s.Act(ctx, day, "", Change{Kind: Untagged, Items: []ItemID{id}, Value: "x"})),
			s.SetMeta(ctx, "view", []byte(fmt.Sprint(n))), s.SetMeta(ctx, fmt.Sprint("gone", n), []byte("x")), s.SetMeta(ctx, fmt.Sprint("gone", n), nil),
			second(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://later%d.example", n)}})))
	}
	c := compacting(t, s)
	mustRun(t, act, c.Copy, act, act, c.CatchUp, act, c.Check, act, c.CatchUp, act)
	want, before := look(t, s), dump(t, s.Path())
	mustRun(t, c.Swap)
	if bad := differ(before, dump(t, s.Path())); bad != "" {
		t.Error(bad)
	}
	if fmt.Sprint(look(t, s)) != fmt.Sprint(want) {
		t.Error("compacting changed the library")
	}
	c.End(ctx)
	mustRun(t, act)
	sound(t, s, true)
}

// A second one is refused at once and does no harm to the first.
func TestCompactTwice(t *testing.T) {
	dir := t.TempDir() + "/lib"
	a, b := openStore(t, Options{Dir: dir}), openStore(t, Options{Dir: dir})
	fill(t, a, 2, 10, 200)
	c := compacting(t, a)
	mustRun(t, c.Copy)
	var busy *BusyError
	if _, _, err := b.Compact(t.Context()); !errors.As(err, &busy) || busy.PID != os.Getpid() || busy.Role != "compact" {
		t.Errorf("the second: %v", err)
	}
	if err := b.Backup(t.Context(), dir+".copy"); err != nil { // sweeps
		t.Error(err)
	}
	mustRun(t, c.CatchUp, c.Check, c.Swap)
	c.End(t.Context())
	if _, _, err := b.Compact(t.Context()); err != nil {
		t.Error(err)
	}
	sound(t, b, true)
}

// When the library is not what it was, nothing is put in its place.
func TestCompactGivesUp(t *testing.T) {
	for name, disturb := range map[string]func(s *Store) error{
		"restored":                 func(s *Store) error { return second(s.Restore(tbackground, day, s.Path()+".copy")) },
		"set aside":                func(s *Store) error { return second(s.Quarantine(tbackground, day)) },
		"written to by a stranger": func(s *Store) error { return strange(s, func(tx *bolt.Tx) error { return nil }) },
		"the notes removed": func(s *Store) error {
			return strange(s, func(tx *bolt.Tx) error { return tx.DeleteBucket(record.Changes.Name) })
		},
		"the lock removed": func(s *Store) error {
			return errors.Join(os.Remove(filepath.Join(s.lib.Dir, db.CompactLockName)), s.SetMeta(tbackground, "view", []byte("x")))
		},
		"copied over with an old one": func(s *Store) error {
			// Renamed, not removed: the copy must not get the very inode.
			return errors.Join(os.Rename(s.Path(), s.Path()+".gone"), backups.CopyFile(s.Path()+".copy", s.Path()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, ctx := newStore(t), t.Context()
			fill(t, s, 2, 10, 200)
			c := compacting(t, s)
			mustRun(t, c.Copy, func(ctx context.Context) error { return s.Backup(ctx, s.Path()+".copy") })
			if err := disturb(s); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			if s.Exists() {
				want = dump(t, s.Path())
			}
			for _, step := range []func(context.Context) error{c.CatchUp, c.Swap} {
				if err := step(ctx); !errors.Is(err, ErrReplaced) && !errors.Is(err, ErrNone) {
					t.Errorf("went on: %v", err)
				}
			}
			c.End(ctx)
			if !s.Exists() {
				return
			}
			if bad := differ(want, dump(t, s.Path())); bad != "" {
				t.Error(bad)
			}
			if err := s.SetMeta(ctx, "view", []byte("y")); err != nil || noted(t, s) {
				t.Error("the changes are still noted:", err)
			}
			sound(t, s, true)
		})
	}
}

// strange writes to the library without its locks and notes.
func strange(s *Store, fn func(*bolt.Tx) error) error {
	db, err := bolt.Open(s.Path(), 0o600, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Update(fn)
}

// noted tells whether the library has notes of changes.
func noted(t *testing.T, s *Store) (is bool) {
	t.Helper()
	if err := s.lib.Do(t.Context(), &library.Job{Fn: func(x *library.Txn) error { is = x.Bolt.Bucket(record.Changes.Name) != nil; return nil }}); err != nil {
		t.Fatal(err)
	}
	return is
}

// Whoever gives up, or dies, leaves neither notes nor a draft for long, and a
// kind of record that this program does not know is not left behind.
func TestCompactEnds(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	fill(t, s, 2, 10, 200)
	over, cancel := context.WithCancel(ctx)
	c := compacting(t, s)
	cancel()
	if err := c.Copy(over); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.End(over)
	if noted(t, s) {
		t.Error("the changes are still noted")
	}
	c = compacting(t, s)
	mustRun(t, c.Copy)
	c.Lock.Close() // as the kernel does for the dead
	if err := s.SetMeta(ctx, "view", []byte("x")); err != nil || noted(t, s) {
		t.Error("the changes are noted for nobody:", err)
	}
	if err := s.Backup(ctx, s.Path()+".copy"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.Path() + db.DraftEnd); err == nil {
		t.Error("the draft is still there")
	}
	if err := strange(s, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("of tomorrow")); return err }); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Compact(ctx); err == nil || !strings.Contains(err.Error(), "of tomorrow") {
		t.Errorf("a kind that is not known: %v", err)
	}
}
