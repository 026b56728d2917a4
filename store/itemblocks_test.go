package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"diurna/store/db"
	"diurna/store/record"
	"diurna/store/storetest"
)

// everySaid is all that a library says to those who read it, but for numbers of commits and the place
// of a fact in the log.
type everySaid struct {
	Seen      seen
	Lists     [][]Row
	Items, Of any
	Texts     []Body
	Revisions [][]Revision
	Matched   []any
	Steps     []Step
	Clock     any
}

func hear(t *testing.T, s *Store, feeds []FeedID, ids []ItemID, keys []uint64) everySaid {
	t.Helper()
	ctx := t.Context()
	out := everySaid{Seen: look(t, s), Items: must(s.Items(ctx, ids))(t), Of: must(s.RowsOf(ctx, ids))(t), Steps: must(s.Steps(ctx, 0))(t), Clock: must(s.Clock(ctx, day))(t)}
	for _, f := range feeds {
		for _, which := range []Which{All, ReadRows, Unread} {
			out.Lists = append(out.Lists, must(s.Rows(ctx, RowQuery{Which: which, Feed: f}))(t))
		}
		out.Matched = append(out.Matched, must(s.Match(ctx, f, keys))(t))
	}
	for _, which := range []Which{All, ReadRows} {
		whole := must(s.Rows(ctx, RowQuery{Which: which}))(t)
		out.Lists = append(out.Lists, whole)
		var pages []Row
		for size := 1; ; size += 1 + size/2 {
			q := RowQuery{Which: which, Limit: size}
			if len(pages) > 0 {
				q.Before = After(pages[len(pages)-1])
			}
			page := must(s.Rows(ctx, q))(t)
			if pages = append(pages, page...); len(page) < size {
				break
			}
		}
		if !slices.EqualFunc(pages, whole, func(a, b Row) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("list %d read in pages has %d rows, else %d", which, len(pages), len(whole))
		}
	}
	each := 1 + len(ids)/100
	err := s.Bodies(ctx, ids, func(_ ItemID, b Body) { out.Texts = append(out.Texts, b) })
	for i, id := range ids {
		it := out.Items.([]Item)[i]
		if err == nil && it.Flags&FlagGone == 0 && i%each == 0 {
			if one := must(s.Body(ctx, id))(t); one != out.Texts[i] {
				t.Fatalf("the text of %s is %q and %q", id, one, out.Texts[i])
			}
		}
		if i%each == 0 {
			out.Revisions = append(out.Revisions, must(s.Revisions(ctx, id))(t))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func inBlocks(t *testing.T, s *Store) (blocks int) {
	visit(t, s, record.Items, func(k, _ []byte) { blocks += record.Bit(len(k) == 12) })
	return blocks
}

// Whether items without their texts lie in blocks or not, the library says the same of them, to the
// byte, and after whatever is done to them.
func TestItemBlocks(t *testing.T) {
	n := storetest.Size(620, 1300) // blocks have 512
	var libs [2]*Store
	var feeds []FeedID
	var ids, all []ItemID
	var keys []uint64
	for i := range libs {
		libs[i], _, ids, keys = livedIn(t, n)
	}
	libs[1].packAfter = 1
	ctx := t.Context()
	for _, f := range must(libs[0].Feeds(ctx))(t) {
		feeds = append(feeds, f.ID)
		for i := range f.Brought {
			all = append(all, MakeItemID(f.ID, uint32(i+1)))
		}
	}
	feed := ids[0].Feed()
	lead := func(id ItemID, _ string, b Body) (Body, bool) {
		left := Body{Summary: fmt.Sprint(id, " ", b.HTML[:min(40, len(b.HTML))])}
		if id.N()%3 > 0 {
			left.Words = b.HTML[min(20, len(b.HTML)):]
		}
		return left, true
	}
	some := func(step, from int) (out []ItemID) {
		for i := from; i < len(all); i += step {
			out = append(out, all[i])
		}
		return out
	}
	act := func(c ...Change) func(*Store) error {
		return func(s *Store) error { return second(s.Act(ctx, day, "River", c...)) }
	}
	remove := func(what Kind, ids []ItemID) func(*Store) error {
		return func(s *Store) error { return second(s.Remove(ctx, day, what, ids, lead)) }
	}
	var saved uint64
	for _, do := range []struct {
		name string
		do   func(*Store) error
	}{
		{"read", act(Change{Kind: MarkedRead, Items: all})},
		{"saved", act(Change{Kind: Saved, Items: some(50, 3)}, Change{Kind: Tagged, Value: "x", Items: some(70, 9)})},
		{"texts", remove(TextRemoved, some(1, 0)[:n/2])},
		{"more texts", remove(TextRemoved, some(1, 0)[:n*4/5])},
		{"opened", func(s *Store) error { return s.Note(ctx, day, Fact{Kind: Opened, Items: some(3, 0)}) }},
		{"unread", act(Change{Kind: MarkedUnread, Items: some(17, 5)})},
		{"tagged", act(Change{Kind: Tagged, Value: "later", Items: some(31, 1)})},
		{"undone", func(s *Store) error { return second(s.Undo(ctx, day, 0, 0)) }},
		{"undone too", func(s *Store) error { return second(s.Undo(ctx, day, 0, 0)) }},
		{"again", remove(TextRemoved, some(1, 0)[:n*9/10])},
		{"edited", func(s *Store) error {
			f, err := s.File(ctx, day, []Filing{{Feed: feed, Next: uint32(n + 1), New: []NewItem{{Item: Item{Title: "new"}, Keys: []uint64{keys[3], 5}}},
				Edited:    []EditedItem{{N: uint32(n / 2), NewItem: NewItem{Item: Item{Title: "edited", Hash: 3}, Body: Body{HTML: "other"}}, MakeUnread: true, KeepRevision: true}, {N: 2, NewItem: NewItem{Item: Item{Title: "same"}}, SameText: true, Quiet: true}},
				Corrected: []Correction{{N: uint32(n/2) - 1, Item: Item{Title: "corrected", Link: "https://x.example/"}}}, Rekey: []Rekey{{N: 9, Keys: []uint64{99}}}}})
			if err == nil && f[0].Err != nil {
				err = f[0].Err
			}
			return err
		}},
		{"unsubscribed", act(Change{Kind: Unsubscribed, Feed: feed})},
		{"subscribed", func(s *Store) error { return second(s.Undo(ctx, day, 0, 0)) }},
		{"read once more", act(Change{Kind: MarkedRead, Items: all})},
		{"the other texts", remove(TextRemoved, all)},
		{"compacted", func(s *Store) error { _, _, err := s.Compact(ctx); return err }},
		{"a clock that is right again", func(s *Store) error {
			return second(s.File(ctx, day.AddDate(0, 0, -20), []Filing{{Feed: feeds[0], Outcome: &Outcome{Kind: AnswerSame}}}))
		}},
		{"rows", remove(RowRemoved, some(2, 1))},
		{"undone at last", func(s *Store) error { return second(s.Undo(ctx, day, saved, 0)) }},
	} {
		for i, s := range libs {
			if err := do.do(s); err != nil {
				t.Fatalf("%s, library %d: %v", do.name, i, err)
			}
			sound(t, s, true)
		}
		want, got := hear(t, libs[0], feeds, all, keys), hear(t, libs[1], feeds, all, keys)
		if !reflect.DeepEqual(want, got) {
			a, b := reflect.ValueOf(want), reflect.ValueOf(got)
			for i := range a.NumField() {
				if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
					t.Fatalf("%s: %s differs:\n%.2000s\nwant\n%.2000s", do.name, a.Type().Field(i).Name, fmt.Sprintf("%+v", b.Field(i)), fmt.Sprintf("%+v", a.Field(i)))
				}
			}
		}
		switch n := inBlocks(t, libs[1]); do.name {
		case "saved":
			saved = want.Steps[0].No
		case "more texts", "again", "the other texts", "compacted":
			if n < 2 {
				t.Fatalf("%s: only %d blocks", do.name, n)
			}
		}
		if do.name == "compacted" {
			for _, s := range libs {
				if got := must(s.Salvaged(ctx, s.Path()))(t); got.Items != len(all)+1 {
					t.Errorf("%d items of %d can be salvaged", got.Items, len(all)+1)
				}
			}
		}
	}
}

// The same of random acts on small libraries, most of whose items lie in blocks.
func TestPackedAndLoose(t *testing.T) {
	t.Parallel()
	packed := 0
	for seed := range uint64(storetest.Size(6, 400)) {
		var libs [2]*walker
		for i := range libs {
			s := newStore(t)
			s.packAfter = []int{1 << 30, 1}[i]
			libs[i] = &walker{tb: t, s: s, now: day, next: map[FeedID]uint32{}, pick: rand.New(rand.NewPCG(seed, 17)).IntN}
			for j := range 4 {
				libs[i].act(Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://%d.example/", j)}})
				libs[i].file()
			}
		}
		for range 40 {
			for _, w := range libs {
				switch n := w.pick(12); {
				case n < 3:
					w.deliberate()
				case n < 5:
					w.file()
				case n < 6:
					w.back()
				case n < 7:
					w.open()
				case n < 8:
					w.act(Change{Kind: MarkedRead, Items: w.items}, Change{Kind: Unsaved, Items: w.items})
				case n < 11:
					w.removeTexts()
				default:
					w.removeRows()
				}
			}
			want := hear(t, libs[0].s, libs[0].feeds, libs[0].items, []uint64{1, 2, 3, 4, 5, 6, 7})
			if got := hear(t, libs[1].s, libs[0].feeds, libs[0].items, []uint64{1, 2, 3, 4, 5, 6, 7}); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %+v\nwant\n%+v", seed, got, want)
			}
			sound(t, libs[1].s, true)
			packed += inBlocks(t, libs[1].s)
		}
		for _, w := range libs {
			w.s.Close()
		}
	}
	if packed < 50 {
		t.Fatalf("only %d blocks: the test proves nothing", packed)
	}
}

func leadsIn(t *testing.T, p *record.Packer, block []byte) []record.Tombstone {
	leads, ok := p.UnpackLeads(block)
	if !ok {
		t.Fatal("a block of texts does not decode")
	}
	return leads
}

// What stays of texts in a library of before LeadsSchema is read as it was, packed again in today's
// form as its blocks are, and the library then no more for programs that do not know it.
func TestOlderLeads(t *testing.T) {
	s, feed, ids, _ := livedIn(t, 700) // two blocks
	ctx := t.Context()
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: ids}))(t)
	s.packAfter = 1
	must(s.Remove(ctx, day, TextRemoved, ids, func(_ ItemID, _ string, b Body) (Body, bool) { return Body{Summary: b.HTML[:30]}, true }))(t)
	texts := func() (all []Body) {
		if err := s.Bodies(ctx, ids, func(_ ItemID, b Body) { all = append(all, b) }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := texts()
	var p record.Packer
	file := must(bolt.Open(s.Path(), 0o600, nil))(t)
	old := 0
	err := file.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(record.Bodies.Name)
		for c, at := b.Cursor(), record.IDKey(feed|record.InBlocks, record.AboveTombstones); ; at = append(at, 0) {
			k, v := c.Seek(at)
			if len(k) != 12 || record.FeedID(record.Uint32(k)) != feed|record.InBlocks {
				break
			}
			at = slices.Clone(k)
			var chunk []record.Entry
			for _, l := range leadsIn(t, &p, v[record.HeadSize:]) {
				chunk = append(chunk, record.Entry{N: l.N, Body: Body{Summary: l.Text}})
			}
			old++
			if err := b.Put(at, record.Bodies.Seal(nil, at, must(p.Pack(chunk))(t))); err != nil {
				return err
			}
		}
		key := []byte(db.SchemaKey)
		return tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte{record.LeadsSchema - 1}))
	})
	if err := errors.Join(err, file.Close()); err != nil || old != 2 {
		t.Fatal(old, err)
	}
	for _, do := range []func(){
		func() {},
		func() { must(s.Act(ctx, day, "", Change{Kind: MarkedUnread, Items: ids[3:5]}))(t) },
		func() { must(s.Act(ctx, day, "", Change{Kind: Saved, Items: ids[600:601]}))(t) },
	} {
		do()
		if got := texts(); !slices.Equal(got, want) {
			t.Fatalf("%.300q\nwant\n%.300q", got, want)
		}
		sound(t, s, true)
	}
	if schema := schemaOf(t, s); schema != record.LeadsSchema {
		t.Errorf("schema %d", schema)
	}
}

// A block that is damaged takes away what lies in it, and nothing else of its feed: the others are read,
// marked and filed as before.
func TestDamagedItemBlock(t *testing.T) {
	s, feed, ids, _ := livedIn(t, 100)
	ctx := t.Context()
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: ids}))(t)
	s.packAfter = 1
	lead := func(_ ItemID, _ string, b Body) (Body, bool) { return Body{Summary: b.HTML[:9]}, true }
	must(s.Remove(ctx, day, TextRemoved, ids[:50], lead))(t)
	file := must(bolt.Open(s.Path(), 0o600, nil))(t)
	err := file.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(record.Items.Name)
		k := record.IDKey(feed|record.InBlocks, uint64(ids[0].N()))
		v := slices.Clone(b.Get(k))
		v[len(v)/2] ^= 1
		return b.Put(k, v)
	})
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[50:] {
		if b, err := s.Body(ctx, id); err != nil || b.HTML == "" {
			t.Fatalf("%s: %+v, %v", id, b, err)
		}
	}
	n := 0
	if err := s.Bodies(ctx, ids[50:], func(ItemID, Body) { n++ }); err != nil || n != 50 {
		t.Errorf("%d texts: %v", n, err)
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedUnread, Items: ids[50:]}))(t)
	must(s.Undo(ctx, day, 0, 0))(t)
	if _, err := s.Body(ctx, ids[3]); !errors.Is(err, ErrDamaged) {
		t.Errorf("a text of the block: %v", err)
	}
	if rep := must(s.Check(ctx, false, nil))(t); len(rep.Findings) == 0 {
		t.Error("nothing is said of the block")
	}
}
