//go:build linux

package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"diurna/store/library"
	"diurna/store/pages"
	"diurna/store/record"
	"diurna/store/storetest"
)

// surgeon edits the pages of a library's file. Those of data have no checksum.
type surgeon struct {
	t    *testing.T
	b    []byte
	m    pages.Meta
	size uint64
}

func operate(t *testing.T, whole []byte) *surgeon {
	s := &surgeon{t: t, b: bytes.Clone(whole), size: uint64(os.Getpagesize())}
	for i := range uint64(2) {
		if m, ok := pages.ReadMeta(bytes.NewReader(s.b), i, int(s.size)); ok && m.TxID >= s.m.TxID {
			s.m = m
		}
	}
	return s
}

func (s *surgeon) file() *pages.File { return &pages.File{Bytes: s.b, PageSize: s.size} }

func (s *surgeon) page(id uint64) pages.Page { return s.file().Page(id) }

// bucket is where the record of a bucket lies in its list, and its first page.
func (s *surgeon) bucket(name string) (at, root uint64) {
	leaf := s.file().Leaf(s.m.Root, []byte(name))
	for i := range leaf.Count {
		if string(leaf.Key(i)) == name {
			e := pages.HeadSize + i*pages.ElementSize
			at = leaf.ID*s.size + uint64(e) + uint64(pages.Native.Uint32(leaf.Bytes[e+4:])) + uint64(pages.Native.Uint32(leaf.Bytes[e+8:]))
			return at, pages.Native.Uint64(s.b[at:])
		}
	}
	s.t.Fatal("no bucket", name)
	return 0, 0
}

// leaf is the first leaf below a page.
func (s *surgeon) leaf(id uint64) uint64 {
	for {
		p := s.page(id)
		if p.Leaf {
			return id
		}
		id = p.Child(0)
	}
}

// lead makes element i of a branch lead to another page.
func (s *surgeon) lead(from uint64, i int, to uint64) {
	pages.Native.PutUint64(s.b[from*s.size+pages.HeadSize+uint64(i)*pages.ElementSize+8:], to)
}

// stale is what a lost write leaves: another page's bytes under its own number.
func (s *surgeon) stale(id, from uint64) {
	copy(s.b[id*s.size:(id+1)*s.size], s.b[from*s.size:(from+1)*s.size])
	pages.Native.PutUint64(s.b[id*s.size:], id)
}

// wanderings are libraries whose trees do not end, by name.
func wanderings(t *testing.T, whole []byte) map[string][]byte {
	out := make(map[string][]byte)
	var root pages.Page
	for _, name := range []string{"items", "bodies", "state", "ids", "unread", "secrets"} {
		for _, where := range []string{"first", "second", "middle", "last"} {
			for how, edit := range map[string]func(s *surgeon, i int){
				"leads to the root": func(s *surgeon, i int) { s.lead(root.ID, i, root.ID) },
				"is an older page":  func(s *surgeon, i int) { s.stale(root.Child(i), root.ID) },
			} {
				s := operate(t, whole)
				_, no := s.bucket(name)
				if root = s.page(no); root.Leaf || root.Count < 4 {
					t.Fatalf("the tree of %s is too small", name)
				}
				edit(s, map[string]int{"first": 0, "second": 1, "middle": root.Count / 2, "last": root.Count - 1}[where])
				out[fmt.Sprintf("%s: the %s page %s", name, where, how)] = s.b
			}
		}
	}
	for what, edit := range map[string]func(s *surgeon){
		"a small bucket is nothing": func(s *surgeon) {
			at, _ := s.bucket("meta")
			clear(s.b[at+pages.BucketHead : at+pages.BucketHead+pages.HeadSize])
		},
		"a small bucket branches": func(s *surgeon) {
			at, _ := s.bucket("meta")
			v := s.b[at+pages.BucketHead:]
			pages.Native.PutUint16(v[8:], pages.BranchPage)
			clear(v[pages.HeadSize : pages.HeadSize+pages.ElementSize])
		},
		"a key of a small bucket is long": func(s *surgeon) {
			at, _ := s.bucket("meta")
			s.b[at+pages.BucketHead+pages.HeadSize+11] |= 0x20 // half a gigabyte
		},
		"a key of a page is long": func(s *surgeon) {
			_, no := s.bucket("bodies")
			s.b[s.leaf(no)*s.size+pages.HeadSize+11] |= 0x20
		},
		"a record of a page is long": func(s *surgeon) {
			_, no := s.bucket("bodies")
			s.b[s.leaf(no)*s.size+pages.HeadSize+15] |= 0x20
		},
		"a bucket is another's": func(s *surgeon) {
			at, _ := s.bucket("feeds")
			_, to := s.bucket("items")
			pages.Native.PutUint64(s.b[at:], to)
		},
		"a bucket is the list": func(s *surgeon) { at, _ := s.bucket("items"); pages.Native.PutUint64(s.b[at:], s.m.Root) },
		"the list is a bucket": func(s *surgeon) { _, from := s.bucket("items"); s.stale(s.m.Root, from) },
		"the free list has no end": func(s *surgeon) {
			pages.Native.PutUint16(s.b[s.m.Freelist*s.size+10:], 0xffff)
			pages.Native.PutUint64(s.b[s.m.Freelist*s.size+pages.HeadSize:], 1<<38)
		},
	} {
		s := operate(t, whole)
		edit(s)
		out[what] = s.b
	}
	return out
}

// deepLibrary has trees of two and more levels.
func deepLibrary(t *testing.T) (s *Store, whole []byte) {
	s = newStore(t)
	fill(t, s, 12, 60, 700)
	must(s.Act(t.Context(), day, "River", Change{Kind: Saved, Items: []ItemID{MakeItemID(3, 4)}}))(t)
	var refs strings.Builder
	for i := range 1000 {
		refs.WriteString(s.Secret(fmt.Sprint("secret ", i)))
	}
	must(s.Act(t.Context(), day, "", Change{Kind: Adjusted, Feed: 3, Field: "title", Value: refs.String()}))(t)
	return s, must(os.ReadFile(s.Path()))(t)
}

// attempts is everything that a library is used for, but never what removes it.
func attempts(s *Store) map[string]func() error {
	ctx, out := tbackground, make(map[string]func() error)
	for name, read := range readings(s) {
		out[name] = func() error { return second(read()) }
	}
	for _, d := range operations {
		if d.name != "restore" && d.name != "cache" {
			out[d.name+"."] = func() error { return d.do(ctx, s, "w") }
		}
	}
	out["read all"] = func() error {
		ids := make([]ItemID, 0, 700)
		for f := range FeedID(12) {
			for n := range uint32(60) {
				ids = append(ids, MakeItemID(f+1, n+1))
			}
		}
		return second(s.Act(ctx, day, "River", Change{Kind: MarkedRead, Items: ids}))
	}
	out["reveal"] = func() error { return second(s.Reveal(ctx, SecretRef("another library's"))) }
	out["unsubscribe"] = func() error { return second(s.Act(ctx, day, "", Change{Kind: Unsubscribed, Feed: 3})) }
	out["match"] = func() error { return second(s.Match(ctx, 3, []uint64{1, 1 << 40, 1 << 62, 1<<64 - 1})) }
	out["remains"] = func() error { return second(s.Salvaged(ctx, s.Path())) }
	out["check"] = func() error {
		rep, err := s.Check(ctx, true, nil)
		if err == nil && len(rep.Findings) > 0 {
			err = ErrDamaged
		}
		return err
	}
	return out
}

func init() {
	// wanderer attempts everything on each file of a folder. A stack of more than
	// 64 MB or memory of more than a few hundred ends it.
	children["wanderer"] = func() error {
		debug.SetMaxStack(64 << 20)
		debug.SetMemoryLimit(300 << 20)
		if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: 4 << 30, Max: 4 << 30}); err != nil {
			return err
		}
		dir := os.Getenv("DIURNA_STORE_DIR")
		sane, err := os.ReadFile(filepath.Join(dir, "sane"))
		if err != nil {
			return err
		}
		usual := make(map[string]attempt)
		if _, err := wander("", sane, usual); err != nil {
			return err
		}
		if os.Getenv("DIURNA_STORE_BLIND") != "" { // its end is expected
			silence()
		}
		names, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			whole, err := os.ReadFile(filepath.Join(dir, name.Name()))
			if err != nil {
				return err
			}
			damaged, err := wander(name.Name(), whole, usual)
			if err != nil {
				return err
			}
			if damaged < 2 && name.Name() != "sane" {
				fmt.Printf("%s: only %d attempts found damage\n", name.Name(), damaged)
			}
		}
		fmt.Println("done")
		return nil
	}
}

// silence discards the output of a process whose end is expected.
func silence() {
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		_ = unix.Dup3(int(null.Fd()), 2, 0)
	}
}

// attempt is how something goes: what it says, and how many bytes it takes.
type attempt struct {
	said  string
	bytes uint64
}

// most is what it may take on a damaged library.
func (a attempt) most() uint64 { return 2*a.bytes + 4<<20 }

// allocated counts the bytes that this process has asked for so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// wander attempts everything on fresh copies of a file and counts how often that
// found damage. Else it must go as usual, and take about as much; with an empty
// usual it says how that is.
func wander(name string, whole []byte, usual map[string]attempt) (damaged int, err error) {
	dir, err := os.MkdirTemp("", "wander")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	s, err := Open(Options{Dir: dir, NoSync: true})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for _, what := range sortedKeys(attempts(s)) {
		if err := os.WriteFile(s.Path(), whole, 0o600); err != nil {
			return damaged, err
		}
		before := allocated()
		if os.Getenv("DIURNA_STORE_BLIND") != "" {
			err = blind(s)
		} else {
			err = attempts(s)[what]()
		}
		took := allocated() - before
		switch {
		case errors.Is(err, ErrDamaged):
			damaged++
		case what == "check" && name != "" && name != "sane":
			fmt.Printf("%s: check finds nothing\n", name)
		case name == "":
			usual[what] = attempt{fmt.Sprint(err), took}
		case fmt.Sprint(err) != usual[what].said:
			fmt.Printf("%s: %s: %v\n", name, what, err)
		}
		if name != "" && took > usual[what].most() {
			fmt.Printf("%s: %s took %d bytes, %d as usual\n", name, what, took, usual[what].bytes)
		}
	}
	return damaged, nil
}

// blind reads all buckets without looking where it goes.
func blind(s *Store) error {
	return s.lib.Read(tbackground, func(t *library.Txn) error {
		for _, b := range record.Buckets {
			c, last := t.Bolt.Bucket(b.Name).Cursor(), []byte(nil)
			for k, rec := c.Seek(nil); k != nil; k, rec = c.Next() {
				if _, err := b.Open(k, rec); err != nil {
					return err
				}
				if bytes.Compare(k, last) <= 0 {
					return b.Damage(k, "records out of order")
				}
				last = k
			}
		}
		return nil
	})
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// A tree that leads back into itself is damage: to whatever one does, and never
// the end of the process.
func TestTreesWithoutEnd(t *testing.T) {
	skipRaced(t)
	_, whole := deepLibrary(t)
	dir := t.TempDir()
	all := wanderings(t, whole)
	all["sane"] = whole
	for i, name := range sortedKeys(all) {
		if name != "sane" && i%storetest.Size(7, 1) != 0 {
			delete(all, name)
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), all[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd, _, lines := start(t, "wanderer", dir)
	last := ""
	for last = range lines {
		if last != "done" {
			t.Error(last)
		}
	}
	if err := cmd.Wait(); err != nil || last != "done" {
		t.Fatalf("the process exited with %v after %q", err, last)
	}
	t.Logf("%d libraries", len(all))
}

// The same without looking where it leads ends the process, or the test above
// would prove nothing.
func TestBlindWandererIsLost(t *testing.T) {
	skipRaced(t)
	if testing.Short() {
		t.Skip("uses up a stack")
	}
	_, whole := deepLibrary(t)
	all, lost := wanderings(t, whole), 0
	names := []string{"items: the first page leads to the root", "unread: the first page is an older page", "state: the middle page is an older page"}
	for _, name := range names {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "sane"), whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, ":", "")), all[name], 0o600); err != nil {
			t.Fatal(err)
		}
		cmd, _, lines := start(t, "wanderer", dir, "DIURNA_STORE_BLIND=1")
		timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		for range lines {
		}
		if cmd.Wait() != nil {
			lost++
		}
		timer.Stop()
	}
	if lost < 2 {
		t.Errorf("only %d of %d processes were lost", lost, len(names))
	}
}

// Looking ahead changes nothing: on a sound tree, also one that the transaction
// has changed, the cursor goes where bbolt's does.
func TestCursorIsBboltsCursor(t *testing.T) {
	s := newStore(t)
	fill(t, s, 6, 60, 100)
	rapid.Check(t, func(r *rapid.T) {
		enough := errors.New("taken back")
		err := s.lib.Do(t.Context(), &library.Job{Write: true, Fn: func(tx *library.Txn) error {
			key := func(i int) []byte { return record.Key8(uint64(i) << 32) }
			for range rapid.IntRange(0, 3).Draw(r, "changes") {
				from := rapid.IntRange(0, 400).Draw(r, "from")
				gone := rapid.Bool().Draw(r, "gone")
				for i := from; i < from+rapid.IntRange(1, 300).Draw(r, "many"); i++ {
					var err error
					if gone {
						err = tx.Delete(record.States, record.Key8(uint64(1+i/60)<<32|uint64(1+i%60)))
					} else {
						err = tx.Put(record.States, append(key(1+i/60), byte(i)), []byte("some state, not a short one"))
					}
					if err != nil {
						return err
					}
				}
			}
			ours, theirs := tx.Bucket(record.States).Cursor(), tx.Bolt.Bucket(record.States.Name).Cursor()
			for range rapid.IntRange(1, 12).Draw(r, "moves") {
				var a, b []byte
				seek := key(rapid.IntRange(0, 9).Draw(r, "key"))
				switch move := rapid.IntRange(0, 2).Draw(r, "move"); move {
				case 0:
					a, _ = ours.Seek(seek)
					b, _ = theirs.Seek(seek)
				case 1:
					a, _ = ours.First()
					b, _ = theirs.First()
				case 2:
					a, _ = ours.Last()
					b, _ = theirs.Last()
				}
				forward := rapid.Bool().Draw(r, "forward")
				for n := rapid.IntRange(0, 500).Draw(r, "steps"); n > 0 && a != nil; n-- {
					if forward {
						a, _ = ours.Next()
						b, _ = theirs.Next()
					} else {
						a, _ = ours.Prev()
						b, _ = theirs.Prev()
					}
					if !bytes.Equal(a, b) {
						break
					}
				}
				if !bytes.Equal(a, b) {
					r.Fatalf("at %x, not at %x", a, b)
				}
			}
			return enough
		}})
		if err != enough {
			r.Fatal(err)
		}
	})
}

// A branch that leads nowhere is found with its own number, and no page beside it
// is held against a bound that is not its own.
func TestBranchThatLeadsNowhere(t *testing.T) {
	skipRaced(t)
	good := richLibrary(t, t.TempDir()+"/lib")
	whole := must(os.ReadFile(good.Path()))(t)
	s := openStore(t, Options{Dir: t.TempDir()})
	branches := 0
	for _, b := range record.Buckets {
		cut := operate(t, whole)
		_, root := cut.bucket(string(b.Name))
		if root == 0 || cut.page(root).Leaf {
			continue
		}
		branches++
		cut.lead(root, 0, 1<<40)
		if err := os.WriteFile(s.Path(), cut.b, 0o600); err != nil {
			t.Fatal(err)
		}
		rep := must(s.Check(t.Context(), true, nil))(t)
		if len(rep.Findings) == 0 {
			t.Errorf("%s: nothing is found", b.Name)
		}
		for _, f := range rep.Findings {
			if strings.HasPrefix(f.Where, "page ") && f.Where != fmt.Sprint("page ", root) {
				t.Errorf("%s, page %d: %+v", b.Name, root, f)
			}
		}
	}
	if branches == 0 {
		t.Error("no bucket has a branch: the test proves nothing")
	}
}
