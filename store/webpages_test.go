package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"

	bolt "go.etcd.io/bbolt"

	"diurna/store/db"
	"diurna/store/record"
)

// change is a filing of one reported revision on the newest one.
func change(f FeedID, next, after uint32) Filing {
	n := item(fmt.Sprint("changed ", after+1), uint64(after)+1000)
	return Filing{Feed: f, Next: next, New: []NewItem{n}, Outcome: &Outcome{Kind: AnswerNew}, Poll: &Poll{ETag: fmt.Sprint(after + 1)},
		Page: &PageFiling{After: after, Notes: map[uint64][]byte{7: []byte(fmt.Sprint("note ", after+1)), 8: {}},
			Revisions: []PageRevision{{Base: after, At: day, Address: "https://a.example/", Reported: true, Item: 1, Score: 6.25, Size: 7,
				ContentType: "text/html", Charset: "utf-8", Packed: []byte(fmt.Sprint("packed ", after+1))}}}}
}

// watched files n reported revisions of a page into feed f.
func watched(t *testing.T, s *Store, f FeedID, n int) {
	t.Helper()
	for i := range n {
		d := must(s.File(t.Context(), day, []Filing{change(f, uint32(i)+1, uint32(i))}))(t)
		if d[0].Err != nil {
			t.Fatal(d[0].Err)
		}
	}
}

func TestPageRevisions(t *testing.T) {
	s := newStore(t)
	f := subscribe(t, s, 2)
	ctx := t.Context()
	watched(t, s, f[0], 5)
	list := must(s.PageRevisions(ctx, f[0]))(t)
	want := PageRevision{No: 3, Base: 2, At: day.UTC(), Address: "https://a.example/", Reported: true, Item: 3, Score: 6.25, Size: 7, ContentType: "text/html", Charset: "utf-8"}
	if len(list) != 5 || !reflect.DeepEqual(list[2], want) {
		t.Fatalf("%+v", list)
	}
	chain := must(s.PageChain(ctx, f[0], 3))(t)
	if len(chain) != 3 || chain[0].Base != 0 || string(chain[2].Packed) != "packed 3" {
		t.Fatalf("%+v", chain)
	}
	if _, err := s.PageChain(ctx, f[0], 9); !errors.Is(err, ErrUnknown) {
		t.Errorf("no such revision: %v", err)
	}
	if n := must(s.PageNotes(ctx, f[0]))(t); len(n) != 2 || string(n[7]) != "note 5" || n[8] == nil {
		t.Errorf("notes %v", n)
	}
	if n := must(s.PageNotes(ctx, f[1]))(t); len(n) != 0 {
		t.Errorf("another feed's notes %v", n)
	}
	rows := must(s.Rows(ctx, RowQuery{Feed: f[0]}))(t)
	for _, r := range rows {
		if r.Flags != FlagChanged {
			t.Errorf("row %s has flags %d", r.ID, r.Flags)
		}
	}
	if h := must(s.PageHeads(ctx))(t); !reflect.DeepEqual(h, map[FeedID]PageHead{f[0]: {Count: 5, Last: 5}}) {
		t.Errorf("heads %v", h)
	}
	if rep := sound(t, s, true); rep.Revisions != 5 {
		t.Errorf("%d revisions checked", rep.Revisions)
	}
}

// A revision compared with another than the newest is not filed, nor anything
// with it; nor one that stands on none.
func TestPageStale(t *testing.T) {
	s := newStore(t)
	f := subscribe(t, s, 1)[0]
	watched(t, s, f, 2)
	d := must(s.File(t.Context(), day, []Filing{change(f, 3, 1)}))(t)
	if !errors.Is(d[0].Err, ErrStale) {
		t.Fatalf("%+v", d)
	}
	c := change(f, 3, 2)
	c.Page.Revisions[0].Base = 3
	if _, err := s.File(t.Context(), day, []Filing{c}); !errors.Is(err, ErrInvalid) {
		t.Fatalf("stands on itself: %v", err)
	}
	if rep := sound(t, s, true); rep.Revisions != 2 || rep.Items != 2 {
		t.Errorf("%+v", rep)
	}
}

// What is forgotten is counted off; the newest stays, and numbers go on.
func TestPageDrop(t *testing.T) {
	s := newStore(t)
	f := subscribe(t, s, 1)[0]
	watched(t, s, f, 4)
	ctx := t.Context()
	c := change(f, 5, 4)
	c.Page.Revisions[0].Base = 0
	c.Page.Drop = []uint32{1, 2, 3, 4, 5, 99}
	must(s.File(ctx, day, []Filing{c}))(t)
	if list := must(s.PageRevisions(ctx, f))(t); len(list) != 1 || list[0].No != 5 {
		t.Fatalf("%+v", list)
	}
	must(s.File(ctx, day, []Filing{{Feed: f, Page: &PageFiling{After: 5, Notes: map[uint64][]byte{7: nil, 9: nil}}}}))(t)
	if n := must(s.PageNotes(ctx, f))(t); len(n) != 1 {
		t.Errorf("notes %v", n)
	}
	sound(t, s, true)
	// One that stands on a forgotten one is named by the check.
	bad := change(f, 6, 5)
	must(s.File(ctx, day, []Filing{bad}))(t)
	must(s.File(ctx, day, []Filing{{Feed: f, Page: &PageFiling{After: 6, Drop: []uint32{5}}}}))(t)
	rep := must(s.Check(ctx, true, nil))(t)
	if len(rep.Findings) != 1 || rep.Findings[0].Where != f.String()+" revision 6" {
		t.Errorf("%+v", rep.Findings)
	}
}

// Unsubscribing keeps the revisions, and undo has them again.
func TestPageUndo(t *testing.T) {
	s := newStore(t)
	f := subscribe(t, s, 1)[0]
	watched(t, s, f, 3)
	must(s.Act(t.Context(), day, "", Change{Kind: Unsubscribed, Feed: f}))(t)
	sound(t, s, true)
	must(s.Undo(t.Context(), day, 0, 0))(t)
	if list := must(s.PageRevisions(t.Context(), f))(t); len(list) != 3 {
		t.Errorf("%+v", list)
	}
	sound(t, s, true)
}

// A library from before the first release is left alone.
func TestOlderLibrary(t *testing.T) {
	s := newStore(t)
	ctx := t.Context()
	f := fill(t, s, 2, 3, 100)
	aged(t, s.Path(), record.OldestSchema-1)
	before := must(os.ReadFile(s.Path()))(t)
	if _, err := s.Snapshot(ctx, All, -1); !errors.Is(err, ErrOlder) {
		t.Errorf("read: %v", err)
	}
	if _, err := s.File(ctx, day, []Filing{change(f[0], 4, 0)}); !errors.Is(err, ErrOlder) {
		t.Errorf("filed: %v", err)
	}
	if _, err := s.Check(ctx, true, nil); !errors.Is(err, ErrOlder) {
		t.Errorf("checked: %v", err)
	}
	if !bytes.Equal(before, must(os.ReadFile(s.Path()))(t)) {
		t.Error("it was written to")
	}
}

// aged makes a library what an older schema was.
func aged(t *testing.T, path string, schema uint64) {
	t.Helper()
	file := must(bolt.Open(path, 0o600, nil))(t)
	defer file.Close()
	err := file.Update(func(tx *bolt.Tx) error {
		key := []byte(db.SchemaKey)
		return tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte{byte(schema)}))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A lost bucket of a library that should have it is damage, not emptiness.
func TestLostPages(t *testing.T) {
	s := newStore(t)
	f := subscribe(t, s, 1)[0]
	watched(t, s, f, 2)
	whole := must(os.ReadFile(s.Path()))(t)
	db := must(bolt.Open(s.Path(), 0o600, nil))(t)
	err := db.Update(func(tx *bolt.Tx) error { return tx.DeleteBucket(record.Pages.Name) })
	if cerr := db.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	if _, err := s.PageRevisions(t.Context(), f); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	// And one byte of a packed revision names it.
	i := bytes.LastIndex(whole, []byte("packed 2"))
	if i < 0 {
		t.Fatal("the revision is not in the file")
	}
	for j := bytes.Index(whole, []byte("packed 2")); j >= 0 && j <= i; j++ {
		if bytes.HasPrefix(whole[j:], []byte("packed 2")) {
			whole[j] = 'P'
		}
	}
	if err := os.WriteFile(s.Path(), whole, 0o600); err != nil {
		t.Fatal(err)
	}
	rep := must(s.Check(t.Context(), true, nil))(t)
	if len(rep.Findings) == 0 || rep.Findings[0].Where != "pages "+f.String()+" revision 2" {
		t.Errorf("%+v", rep.Findings)
	}
}

func FuzzPageRevision(f *testing.F) {
	r := PageRevision{Base: 1, At: day, Address: "https://a.example/", Reported: true, Item: 3, Score: 1.5, Size: 9, ContentType: "t", Charset: "c", Packed: []byte("x")}
	f.Add(r.Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		var p PageRevision
		if p.Decode(5, b) && !bytes.Equal(p.Encode(), b) {
			var again PageRevision
			if !again.Decode(5, p.Encode()) || again.Score == again.Score && !reflect.DeepEqual(p, again) {
				t.Fatalf("%+v comes back as %+v", p, again)
			}
		}
	})
}
