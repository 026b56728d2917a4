package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/pages"
	"diurna/store/record"
	"diurna/store/storetest"
)

// readings is what each way of reading a library gives: text, or an error.
func readings(s *Store) map[string]func() (string, error) {
	ctx := context.Background()
	text := func(v any, err error) (string, error) { return fmt.Sprintf("%+v", v), err }
	return map[string]func() (string, error){
		"shelf":  func() (string, error) { return text(s.Snapshot(ctx, All, -1)) },
		"feeds":  func() (string, error) { return text(s.FeedsAll(ctx)) },
		"totals": func() (string, error) { return text(s.Totals(ctx)) },
		"rows":   func() (string, error) { return text(s.Rows(ctx, RowQuery{})) },
		"saved":  func() (string, error) { return text(s.Rows(ctx, RowQuery{Which: SavedRows})) },
		"feed":   func() (string, error) { return text(s.Rows(ctx, RowQuery{Which: All, Feed: 2})) },
		"steps":  func() (string, error) { return text(s.Steps(ctx, 0)) },
		"pages":  func() (string, error) { return text(s.PageChain(ctx, 5, 4)) },
		"kept":   func() (string, error) { return text(s.PageRevisions(ctx, 5)) },
		"heads":  func() (string, error) { return text(s.PageHeads(ctx)) },
		"notes":  func() (string, error) { return text(s.PageNotes(ctx, 5)) },
		"meta":   func() (string, error) { return text(s.Meta(ctx, "view")) },
		"facts": func() (string, error) {
			var b strings.Builder
			_, err := s.Facts(ctx, 0, func(f *Fact) error { fmt.Fprintf(&b, "%+v\n", *f); return nil })
			return b.String(), err
		},
		"items": func() (string, error) {
			var b strings.Builder
			for f := range FeedID(6) {
				for n := range uint32(12) {
					it, err := s.Item(ctx, MakeItemID(f+1, n+1))
					if err != nil {
						return "", err
					}
					body, err := s.Body(ctx, it.ID)
					if err != nil {
						return "", err
					}
					rev, err := s.Revisions(ctx, it.ID)
					if err != nil {
						return "", err
					}
					fmt.Fprintf(&b, "%+v %+v %+v\n", it, body, rev)
				}
			}
			return b.String(), nil
		},
		"match": func() (string, error) {
			r := rand.New(rand.NewPCG(1, 2))
			var keys []uint64
			for _, a := range arrivals(r, 12, 900, true) { // the first feed's
				keys = append(keys, a.Keys...)
			}
			return text(s.Match(ctx, 1, keys))
		},
	}
}

// richLibrary has some of everything.
func richLibrary(t *testing.T, dir string) *Store {
	t.Helper()
	s, ctx := openStore(t, Options{Dir: dir, NoSync: true}), t.Context()
	r := rand.New(rand.NewPCG(1, 2))
	first := arrivals(r, 12, 900, true)
	ids := subscribe(t, s, 6)
	for i, f := range ids {
		n := first
		if i > 0 {
			n = arrivals(r, 12, 900, i%2 == 0)
		}
		must(s.File(ctx, day, []Filing{{Feed: f, Next: 1, New: n, FeedTitle: "Feed", Outcome: &Outcome{Kind: AnswerNew}, Poll: &Poll{ETag: "x", Self: "b"}}}))(t)
	}
	for i := range 40 {
		must(s.Act(ctx, day, "River", Change{Kind: []Kind{MarkedRead, Saved, Tagged}[i%3], Value: words[i%5], Items: []ItemID{MakeItemID(ids[i%6], uint32(1+i%12))}}))(t)
	}
	must(s.Undo(ctx, day, 0, 0))(t)
	must(s.File(ctx, day, []Filing{{Feed: ids[3], Next: 13, Edited: []EditedItem{{N: 4, NewItem: arrivals(r, 1, 500, true)[0], MakeUnread: true, KeepRevision: true}}, Outcome: &Outcome{Kind: AnswerNew}}}))(t)
	for i := range uint32(4) {
		must(s.File(ctx, day, []Filing{change(ids[4], 13+i, i)}))(t)
	}
	if err := s.SetMeta(ctx, "view", []byte("river")); err != nil {
		t.Fatal(err)
	}
	sound(t, s, true)
	return s
}

// A library with flipped bits gives what it gave before, or an error; never
// anything else. DIURNA_FLIPS is the number of copies.
func TestFlippedBits(t *testing.T) {
	skipRaced(t)
	copies := 16
	if n, err := strconv.Atoi(os.Getenv("DIURNA_FLIPS")); err == nil {
		copies = n
	}
	good := richLibrary(t, t.TempDir()+"/lib")
	whole := must(os.ReadFile(good.Path()))(t)
	want := make(map[string]string)
	for name, read := range readings(good) {
		want[name] = must(read())(t)
	}
	r := rand.New(rand.NewPCG(11, uint64(copies)))
	failed, unseen, unchecked := 0, 0, 0
	dir := t.TempDir()
	// Without the lock file nobody could know that a commit is missing.
	lock := must(os.ReadFile(filepath.Join(filepath.Dir(good.Path()), "lock")))(t)
	if err := os.WriteFile(filepath.Join(dir, "lock"), lock, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range copies {
		b := bytes.Clone(whole)
		for range 8 {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		s := openStore(t, Options{Dir: dir})
		if err := os.WriteFile(s.Path(), b, 0o600); err != nil {
			t.Fatal(err)
		}
		damaged := false
		for name, read := range readings(s) {
			got, err := read()
			if err != nil {
				damaged = true
			} else if got != want[name] {
				t.Errorf("copy %d: %s gives different data without an error", i, name)
			}
		}
		rep, err := s.Check(t.Context(), true, nil)
		if damaged {
			failed++
			if err == nil && ends(rep) && !noticed(s.Path()) {
				unchecked++
			}
			if err == nil && len(rep.Findings) == 0 {
				t.Errorf("copy %d: reading fails and Check finds nothing", i)
			}
		}
		if err == nil && len(rep.Findings) == 0 {
			unseen++
		}
		s.Close()
	}
	if failed < copies/4 {
		t.Errorf("only %d of %d copies were noticed: the flips hit nothing", failed, copies)
	}
	if unchecked < failed/2 {
		t.Errorf("of %d damaged copies only %d have trees that end and are read without an error where checksums are not looked at", failed, unchecked)
	}
	t.Logf("%d damaged copies, their trees whole, are read without an error where checksums are not looked at", unchecked)
	t.Logf("%d copies of %d bytes with 8 flips each: reading failed on %d, Check found nothing in %d", copies, len(whole), failed, unseen)
}

// A bound between two pages that is not what it was hides records: Check finds
// whatever a reading trips over.
func TestWrongBounds(t *testing.T) {
	skipRaced(t)
	good := richLibrary(t, t.TempDir()+"/lib")
	whole := must(os.ReadFile(good.Path()))(t)
	m, ok := pages.ReadMeta(bytes.NewReader(whole), good.lib.ReadTx()%2, os.Getpagesize())
	if !ok {
		t.Fatal("no meta page")
	}
	s := openStore(t, Options{Dir: t.TempDir()})
	every := uint64(storetest.Size(7, 1))
	wrong, tripped := 0, 0
	for id := uint64(2); id < m.High; id++ {
		page := whole[id*uint64(m.PageSize):]
		if pages.Native.Uint16(page[8:]) != pages.BranchPage {
			continue
		}
		for i := 1; i < int(pages.Native.Uint16(page[10:])); i++ {
			e := pages.HeadSize + i*pages.ElementSize
			key := uint64(e) + uint64(pages.Native.Uint32(page[e:]))
			for at := (id + uint64(i)) % every; at < uint64(pages.Native.Uint32(page[e+4:])); at += every {
				b := bytes.Clone(whole)
				b[id*uint64(m.PageSize)+key+at] ^= 1 << (at % 8)
				if err := os.WriteFile(s.Path(), b, 0o600); err != nil {
					t.Fatal(err)
				}
				wrong++
				var trip error
				for _, read := range readings(s) {
					if _, err := read(); err != nil {
						trip = err
					}
				}
				if trip == nil {
					continue
				}
				tripped++
				if rep, err := s.Check(t.Context(), true, nil); err == nil && len(rep.Findings) == 0 {
					t.Errorf("page %d, bound %d, byte %d: %v, and Check finds nothing", id, i, at, trip)
				}
			}
		}
	}
	if tripped == 0 {
		t.Errorf("none of %d wrong bounds does harm", wrong)
	}
	t.Logf("%d wrong bounds, %d of them met in reading", wrong, tripped)
}

// ends tells whether bbolt alone may walk a library: damaged pages can lead it on
// until the memory is used up.
func ends(rep Report) bool {
	return !slices.ContainsFunc(rep.Findings, func(f Finding) bool { return strings.HasPrefix(f.Where, "page ") })
}

// noticed reads all of a file with bbolt alone and reports whether that fails.
func noticed(path string) (fails bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			fails = true
		}
	}()
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: time.Second})
	if err != nil {
		return true
	}
	defer db.Close()
	var walk func(b *bolt.Bucket) error
	walk = func(b *bolt.Bucket) error {
		return b.ForEach(func(k, v []byte) error {
			if v == nil {
				return walk(b.Bucket(k))
			}
			_ = bytes.Clone(v)
			return nil
		})
	}
	return db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bolt.Bucket) error { return walk(b) })
	}) != nil
}

func TestFalsified(t *testing.T) {
	for what, want := range map[string]string{"read": "read:", "saved": "saved:", "tag": "tag:", "title": "title:", "counter": "counter unread", "total": "counter unread", "feed title": "title:"} {
		s := newStore(t)
		fill(t, s, 2, 5, 100)
		id := MakeItemID(2, 3)
		where := map[string]string{"counter": id.Feed().String(), "feed title": id.Feed().String(), "total": "totals"}[what]
		if where == "" {
			where = id.String()
		}
		if err := s.CorruptForTest(t.Context(), what, id); err != nil {
			t.Fatal(err)
		}
		rep := must(s.Check(t.Context(), false, nil))(t)
		named := false
		for _, f := range rep.Findings {
			named = named || strings.HasPrefix(f.What, want) && f.Where == where
		}
		if !named {
			t.Errorf("%s was corrupted, Check says %+v", what, rep.Findings)
		}
	}
}

func TestCutShort(t *testing.T) {
	skipRaced(t)
	good := richLibrary(t, t.TempDir()+"/lib")
	whole := must(os.ReadFile(good.Path()))(t)
	r := rand.New(rand.NewPCG(5, 5))
	used := int(sound(t, good, false).Size) // the file is longer: bbolt grows it ahead
	for i := range 30 {
		size := r.IntN(used)
		if i == 0 {
			size = 0
		}
		s := openStore(t, Options{Dir: t.TempDir()})
		if err := os.WriteFile(s.Path(), whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		for name, read := range readings(s) {
			if _, err := read(); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s of %d bytes: %v", name, size, err)
			}
		}
		if _, err := s.Act(t.Context(), day, "", Change{Kind: Unsubscribed, Feed: 1}); !errors.Is(err, ErrDamaged) {
			t.Errorf("act on %d bytes: %v", size, err)
		}
		if got := must(os.ReadFile(s.Path()))(t); !bytes.Equal(got, whole[:size]) {
			t.Errorf("a damaged library of %d bytes was written to", size)
		}
	}
}

// A process that cuts the file while it is mapped must not take us down.
func TestCutWhileOpen(t *testing.T) {
	skipRaced(t)
	s := richLibrary(t, t.TempDir()+"/lib")
	err := s.lib.Read(t.Context(), func(tx *library.Txn) error {
		if err := os.Truncate(s.Path(), 8192); err != nil {
			return err
		}
		_, err := tx.Rows(RowQuery{Which: All})
		return err
	})
	if !errors.Is(err, ErrDamaged) {
		t.Fatalf("got %v", err)
	}
}

func TestNewerSchema(t *testing.T) {
	s := richLibrary(t, t.TempDir()+"/lib")
	file := must(bolt.Open(s.Path(), 0o600, nil))(t)
	key := []byte(db.SchemaKey)
	err := file.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte{record.LeadsSchema + 1}))
	})
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	before := must(os.ReadFile(s.Path()))(t)
	for name, read := range readings(s) {
		if _, err := read(); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Act(t.Context(), day, "", Change{Kind: Unsubscribed, Feed: 1}); !errors.Is(err, ErrNewer) {
		t.Errorf("act: %v", err)
	}
	if _, err := s.Totals(t.Context()); err.Error() != "the library was written by a newer program" {
		t.Errorf("without a version: %v", err)
	}
	if _, err := s.Check(t.Context(), true, nil); !errors.Is(err, ErrNewer) {
		t.Errorf("check: %v", err)
	}
	if !bytes.Equal(before, must(os.ReadFile(s.Path()))(t)) {
		t.Error("a newer library was written to")
	}
}

// Not every file with a B+tree in it is a library.
func TestStranger(t *testing.T) {
	s := openStore(t, Options{Dir: t.TempDir()})
	must(bolt.Open(s.Path(), 0o600, nil))(t).Close()
	if _, err := s.Totals(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("an empty bbolt file: %v", err)
	}
	if err := os.WriteFile(s.Path(), bytes.Repeat([]byte("<rss>"), 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Totals(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("another file: %v", err)
	}
}

// An older program says by which version a library was written.
func TestNewerSays(t *testing.T) {
	s := openStore(t, Options{Dir: t.TempDir() + "/lib", Version: "1.4", NoSync: true})
	subscribe(t, s, 1)
	file := must(bolt.Open(s.Path(), 0o600, nil))(t)
	key := []byte(db.SchemaKey)
	err := errors.Join(file.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte{record.LeadsSchema + 1}))
	}), file.Close())
	if err != nil {
		t.Fatal(err)
	}
	older := openStore(t, Options{Dir: filepath.Dir(s.Path()), Version: "1.2"})
	if _, err := older.Totals(t.Context()); !errors.Is(err, ErrNewer) || err.Error() != "this library was written by diurna 1.4; this is 1.2" {
		t.Error(err)
	}
}

// A list of buckets that leads back into itself is damage, and not the end of
// the process.
func TestBucketsWithoutEnd(t *testing.T) {
	s := newStore(t)
	subscribe(t, s, 1)
	b := must(os.ReadFile(s.Path()))(t)
	for i := range uint64(2) {
		m, ok := pages.ReadMeta(bytes.NewReader(b), i, 4096)
		if !ok {
			t.Skip("pages are not of 4,096 bytes here")
		}
		page := b[m.Root*4096 : (m.Root+1)*4096]
		clear(page[pages.HeadSize:])
		pages.Native.PutUint16(page[8:], pages.BranchPage)
		pages.Native.PutUint16(page[10:], 1)
		pages.Native.PutUint32(page[pages.HeadSize:], pages.ElementSize)
		pages.Native.PutUint32(page[pages.HeadSize+4:], 4)
		pages.Native.PutUint64(page[pages.HeadSize+8:], m.Root)
		copy(page[pages.HeadSize+pages.ElementSize:], "aaaa")
	}
	if err := os.WriteFile(s.Path(), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Totals(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("read: %v", err)
	}
	if err := s.SetMeta(t.Context(), "a", []byte("b")); !errors.Is(err, ErrDamaged) {
		t.Errorf("write: %v", err)
	}
}
