//go:build linux

package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"diurna/store/library"

	bolt "go.etcd.io/bbolt"
)

// operations are what a library is for, one transaction each. All of them can be done
// again and again on the library that base makes.
var operations = []struct {
	name string
	do   func(ctx context.Context, s *Store, tag string) error
}{
	{"subscribe", func(ctx context.Context, s *Store, tag string) error {
		return second(s.Act(ctx, day, tag, Change{Kind: Subscribed, Sub: &Subscription{URL: secretly(s, tag+".example", "the password of "+tag)}}))
	}},
	{"file", func(ctx context.Context, s *Store, tag string) error {
		m, err := s.Match(ctx, 1, nil)
		if err != nil {
			return err
		}
		a := arrivals(rand.New(rand.NewPCG(uint64(m.Next), 1)), 3, 9000, true)
		for i := range a {
			a[i].Title = tag
		}
		return second(s.File(ctx, day, []Filing{{Feed: 1, Next: m.Next, New: a, Poll: &Poll{ETag: tag}, Outcome: &Outcome{Kind: AnswerNew}}}))
	}},
	{"tag", func(ctx context.Context, s *Store, tag string) error {
		return second(s.Act(ctx, day, tag, Change{Kind: Tagged, Items: []ItemID{MakeItemID(1, 1), MakeItemID(1, 3)}, Value: tag}))
	}},
	{"undo", func(ctx context.Context, s *Store, tag string) error {
		if _, err := s.Act(ctx, day, tag, Change{Kind: Tagged, Items: []ItemID{MakeItemID(1, 1)}, Value: tag}); err != nil {
			return err
		}
		return second(s.Undo(ctx, day, 0, 0))
	}},
	{"note", func(ctx context.Context, s *Store, tag string) error {
		return s.Note(ctx, day, Fact{Kind: Trained, New: tag})
	}},
	{"meta", func(ctx context.Context, s *Store, tag string) error { return s.SetMeta(ctx, "view", []byte(tag)) }},
	{"cache", func(ctx context.Context, s *Store, tag string) error {
		return s.Cache().Put(ctx, "terms", map[string][]byte{tag: []byte(tag)})
	}},
	{"texts", func(ctx context.Context, s *Store, tag string) error {
		s.packAfter = 1
		return second(s.Remove(ctx, day, TextRemoved, []ItemID{MakeItemID(1, 2), MakeItemID(1, 4), MakeItemID(2, 1)}, lead10))
	}},
	{"backup", func(ctx context.Context, s *Store, _ string) error { return s.Backup(ctx, s.Path()+".backup-1") }},
	{"compact", func(ctx context.Context, s *Store, _ string) error {
		_, _, err := s.Compact(ctx)
		return err
	}},
	{"restore", func(ctx context.Context, s *Store, _ string) error {
		return second(s.Restore(ctx, day, s.Path()+".backup-1"))
	}},
}

func operation(ctx context.Context, s *Store, name, tag string) error {
	for _, d := range operations {
		if d.name == name {
			return d.do(ctx, s, tag)
		}
	}
	switch name {
	case "check":
		rep, err := s.Check(ctx, true, nil)
		if err == nil && len(rep.Findings) > 0 {
			err = fmt.Errorf("%v", rep.Findings[0])
		}
		return err
	case "quarantine":
		return second(s.Quarantine(ctx, day))
	case "read":
		for _, read := range readings(s) {
			if _, err := read(); err != nil && !errors.Is(err, ErrUnknown) {
				return err
			}
		}
		return nil
	case "bare": // without what keeps a fault in the map from being the end
		silence()
		db, err := bolt.Open(s.Path(), 0o600, &bolt.Options{ReadOnly: true})
		if err != nil {
			return err
		}
		defer db.Close()
		return db.View(func(tx *bolt.Tx) error {
			return tx.ForEach(func(_ []byte, b *bolt.Bucket) error {
				return b.ForEach(func(k, v []byte) error { _ = bytes.Clone(v); return nil })
			})
		})
	case "held": // what this process holds: its descriptors and maps
		fds, err := os.ReadDir("/proc/self/fd")
		maps, err2 := os.ReadFile("/proc/self/maps")
		return errors.Join(err, err2, fmt.Errorf("%d descriptors %d maps", len(fds), bytes.Count(maps, []byte(library.FileName))))
	}
	return errors.New("no such operation")
}

// doer is a child that does the operations it is told, one a line. Its words for an
// error begin with the sentinel that errors.Is finds.
type doer struct {
	cmd   *exec.Cmd
	in    io.Writer
	lines <-chan string
	seq   int
}

func init() {
	children["doer"] = func() error {
		s, err := childStore()
		if err != nil {
			return err
		}
		for sc := bufio.NewScanner(os.Stdin); sc.Scan(); {
			name, tag, _ := strings.Cut(sc.Text(), " ")
			if err := operation(tbackground, s, name, tag); err != nil {
				word := "other"
				for w, e := range map[string]error{"full": ErrFull, "read-only": ErrReadOnly, "damaged": ErrDamaged, "nothing": ErrNothing, "missing": fs.ErrNotExist, "none": ErrNone} {
					if errors.Is(err, e) {
						word = w
					}
				}
				fmt.Println(word, strings.ReplaceAll(err.Error(), "\n", " "))
				continue
			}
			fmt.Println("ok")
		}
		return nil
	}
}

func startDoer(t *testing.T, dir string) *doer {
	cmd, in, lines := start(t, "doer", dir)
	return &doer{cmd: cmd, in: in, lines: lines}
}

// tell has a operation done and returns its tag and the answer.
func (d *doer) tell(t *testing.T, name string) (tag, answer string) {
	t.Helper()
	d.seq++
	tag = fmt.Sprintf("%s%d", name, d.seq)
	fmt.Fprintln(d.in, name, tag)
	answer, ok := <-d.lines
	if !ok {
		t.Fatalf("the child died doing %s", name)
	}
	return tag, answer
}

func (d *doer) end() {
	d.cmd.Process.Kill()
	for range d.lines {
	}
	d.cmd.Wait()
}

// line is what the ledger notes of an operation that was acknowledged; empty if the
// act itself leaves nothing to be found.
func line(name, tag string) string {
	switch name {
	case "file":
		return "filed " + tag + " 3"
	case "note":
		return "taught " + tag
	case "subscribe", "tag":
		return "scope " + tag
	case "undo":
		return "undone " + tag
	}
	return ""
}

// base is a disk with a library, a backup of it and, since then, more acts.
func base(t *testing.T) (*disk, *ledger) {
	d, l := newDisk(), &ledger{}
	dir, unmount := d.mount(t)
	defer unmount()
	w := startDoer(t, dir)
	defer w.end()
	for _, name := range []string{"subscribe", "file", "file", "tag", "note", "cache", "backup", "tag", "file"} {
		tag, answer := w.tell(t, name)
		if answer != "ok" {
			t.Fatal(name, answer)
		}
		l.lines = append(l.lines, line(name, tag))
	}
	return d, l
}
