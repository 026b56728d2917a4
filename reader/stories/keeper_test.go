package stories

import (
	"context"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/store"
)

// fakeLibrary is a library in memory with the cache of a real store.
type fakeLibrary struct {
	*store.Store
	items map[store.ItemID]Item
	facts []store.Fact
	own   string
}

func newFakeLibrary(t testing.TB) *fakeLibrary {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &fakeLibrary{Store: s, items: map[store.ItemID]Item{}}
}

func (s *fakeLibrary) Exists() bool { return true }

func (s *fakeLibrary) Totals(context.Context) (store.Totals, error) {
	return store.Totals{Facts: uint64(len(s.facts))}, nil
}

func (s *fakeLibrary) Descent(context.Context, string) (store.Descent, error) {
	return store.Descent{Began: time.Unix(1, 0)}, nil
}

func (s *fakeLibrary) Facts(_ context.Context, after uint64, visit func(*store.Fact) error) (uint64, error) {
	for i := after; i < uint64(len(s.facts)); i++ {
		if err := visit(&s.facts[i]); err != nil {
			return i + 1, err
		}
	}
	return uint64(len(s.facts)), nil
}

func (s *fakeLibrary) Items(_ context.Context, ids []store.ItemID) ([]store.Item, error) {
	out := make([]store.Item, len(ids))
	for i, id := range ids {
		it := s.items[id]
		out[i] = store.Item{ID: id, Title: it.Title, Link: it.Link, FirstSeen: time.Unix(it.At, 0)}
	}
	return out, nil
}

func (s *fakeLibrary) Bodies(_ context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error {
	for _, id := range ids {
		visit(id, store.Body{HTML: "<p>" + html.EscapeString(s.items[id].Text)})
	}
	return nil
}

func (s *fakeLibrary) PageHeads(context.Context) (map[store.FeedID]store.PageHead, error) {
	return nil, nil
}

func (s *fakeLibrary) Meta(context.Context, string) ([]byte, error) { return []byte(s.own), nil }

func (s *fakeLibrary) Act(_ context.Context, _ time.Time, _ string, c ...store.Change) (store.Done, error) {
	if c[0].Was == nil || *c[0].Was != s.own {
		return store.Done{}, store.ErrStale
	}
	s.own = c[0].Value
	return store.Done{Step: 1, Changed: 1}, nil
}

// note adds a fact of a kind about items.
func (s *fakeLibrary) note(kind store.Kind, items ...Item) {
	f := store.Fact{No: uint64(len(s.facts) + 1), Kind: kind, At: time.Unix(1_790_000_000, 0)}
	for _, it := range items {
		s.items[it.ID] = it
		f.Items = append(f.Items, it.ID)
	}
	s.facts = append(s.facts, f)
}

func groupsOf(t testing.TB, s *fakeLibrary) *Groups {
	t.Helper()
	k := New(s, time.Now)
	if _, err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	g, err := k.Groups(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestKeeper: followed step by step, by one keeper after the other, and with updates broken
// off, the stories are those of a library that is followed at once.
func TestKeeper(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 1))
	items := made(r, 5600)
	step, once := newFakeLibrary(t), newFakeLibrary(t)
	for i := 0; i < len(items); {
		n := min(1+r.IntN(300), len(items)-i)
		if i > 0 && i < 600 && r.IntN(2) == 0 {
			n = min(4600, len(items)-i) // more than one step takes in
		}
		for _, s := range []*fakeLibrary{step, once} {
			s.note(store.Arrived, items[i:i+n]...)
			s.note(store.MarkedRead, items[i])
		}
		if i += n; r.IntN(3) == 0 {
			ctx, stop := context.WithCancel(t.Context())
			if r.IntN(2) == 0 {
				stop()
			}
			if _, err := New(step, time.Now).Update(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			stop()
		}
	}
	got, want := groupsOf(t, step), groupsOf(t, once)
	if got.Len() < 100 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d stories step by step, %d at once", got.Len(), want.Len())
	}
	if changed, err := New(step, time.Now).Update(t.Context()); changed || err != nil {
		t.Errorf("where nothing came: changed %v, %v", changed, err)
	}
}

// TestKeeperAtTheEdge: an update goes on where a step ends with the items of a fact.
func TestKeeperAtTheEdge(t *testing.T) {
	items := made(rand.New(rand.NewPCG(19, 1)), saveGroup+10)
	s := newFakeLibrary(t)
	s.note(store.Arrived, items[:saveGroup]...)
	s.note(store.Arrived, items[saveGroup:]...)
	for _, want := range []bool{true, false} {
		if changed, err := New(s, time.Now).Update(t.Context()); changed != want || err != nil {
			t.Errorf("changed %v, want %v: %v", changed, want, err)
		}
	}
}

// TestSpoiltCache: what lies in the cache and is none of ours is made again.
func TestSpoiltCache(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 2))
	s := newFakeLibrary(t)
	s.note(store.Arrived, made(r, 300)...)
	want := groupsOf(t, s)
	for _, key := range []string{headKey, countsKey, storiesKey} {
		if err := s.Cache().Put(t.Context(), bucket, map[string][]byte{key: []byte("no")}); err != nil {
			t.Fatal(err)
		}
		s.note(store.Arrived, Item{ID: store.MakeItemID(99, uint32(len(s.facts))), At: 1_790_000_000, Title: key})
		if got := groupsOf(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("with a spoilt %q: %d stories, want %d", key, got.Len(), want.Len())
		}
	}
}

// TestTakeApart: the items of a story stay apart, whatever joins them later; undone they are
// one again.
func TestTakeApart(t *testing.T) {
	s := newFakeLibrary(t)
	at := int64(1_790_000_000)
	one := func(feed int) Item {
		return Item{ID: store.MakeItemID(store.FeedID(feed), 1), At: at, Link: "https://e.example/a", Title: fmt.Sprint("Item ", feed)}
	}
	s.note(store.Arrived, one(1), one(2))
	k := New(s, time.Now)
	if _, err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d, err := k.TakeApart(t.Context(), one(2).ID); err != nil || d.Changed != 2 {
		t.Fatal(d, err)
	}
	if g := groupsOf(t, s); g.Len() != 0 {
		t.Errorf("taken apart: %v", g.stories)
	}
	if _, err := k.TakeApart(t.Context(), one(2).ID); err == nil {
		t.Error("taken apart twice")
	}
	s.note(store.Arrived, one(3))
	if g := groupsOf(t, s); g.Len() != 0 {
		t.Errorf("taken apart, with one more: %v", g.stories)
	}
	s.own = ""
	if g := groupsOf(t, s); g.Len() != 1 || len(g.Twins(one(1).ID)) != 2 {
		t.Errorf("undone: %v", g.stories)
	}
	s.own = strings.Repeat(one(1).ID.String()+" ", maxApart)
	if _, err := k.TakeApart(t.Context(), one(3).ID); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(s.own); len(got) != maxApart || !slices.Contains(got, one(3).ID.String()) {
		t.Errorf("%d items are kept apart", len(got))
	}
}
