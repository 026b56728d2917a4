package match

import (
	"testing"

	"diurna/reader/feed"
	"diurna/store"
)

// bare files a document as file does, but with what tells items apart taken away
// by spoil, and without asking what stored items say.
func (f *filer) bare(doc feed.Document, spoil func(*identity)) int {
	f.t.Helper()
	arrivals := Entries(&doc, "")
	for i := range arrivals {
		spoil(&arrivals[i].keys)
	}
	known, err := f.s.Match(f.t.Context(), f.id, allKeys(arrivals))
	if err != nil {
		f.t.Fatal(err)
	}
	out := store.Filing{Feed: f.id, Next: known.Next, Format: doc.Format, FeedTitle: "P"}
	if err := matchItems(&out, arrivals, &known, f.now, nil); err != nil {
		f.t.Fatal(err)
	}
	if filed, err := f.s.File(f.t.Context(), f.now, []store.Filing{out}); err != nil || filed[0].Err != nil {
		f.t.Fatal(err, filed)
	}
	return len(out.New)
}

// TestDefencesLifted takes away what keeps items apart, one
// by one: what it keeps out comes in then. Rows I1 to I3 and I5;
// the reader has a test of this name for feeds and addresses.
func TestDefencesLifted(t *testing.T) {
	stories := []int{4, 3, 2, 1}
	served := func(kind string) (*filer, *publisher) {
		f := newFiler(t, t.TempDir())
		t.Cleanup(f.close)
		p := &publisher{kind: kind, stories: stories, edits: map[int]int{}, published: map[int]bool{}}
		f.file(p.document(t, stories))
		return f, p
	}
	t.Run("I1", func(t *testing.T) {
		// An id that was seen to repeat is believed again: different items that
		// come alone are taken for one.
		f, p := served("one id for all")
		kept := func(*identity) {}
		if f.bare(p.document(t, []int{5}), kept); f.bare(p.document(t, []int{6}), kept) != 0 || len(f.rows()) != 5 {
			t.Errorf("%d items of 6 published", len(f.rows()))
		}
	})
	t.Run("I2", func(t *testing.T) {
		f, p := served("id and link")
		p.guids++
		onlyID := func(k *identity) { k.link, k.content, k.body = 0, 0, 0 }
		if n := f.bare(p.document(t, stories), onlyID); n != len(stories) {
			t.Errorf("by ids alone a renaming brings %d new items", n)
		}
		if flags := f.mark(); len(flags) != 2*len(stories) {
			t.Errorf("%d items", len(flags))
		}
	})
	t.Run("I3", func(t *testing.T) {
		f, p := served("neither")
		p.days++
		if n := f.bare(p.document(t, stories), func(k *identity) { k.said = 0 }); n != len(stories) {
			t.Errorf("without their texts, items with new dates are %d new ones", n)
		}
	})
	t.Run("I5", func(t *testing.T) {
		// Items that are forgotten when they are absent come back unread.
		f, p := served("id")
		var ids []store.ItemID
		for _, row := range f.rows() {
			ids = append(ids, row.ID)
		}
		if _, err := f.s.Act(t.Context(), f.now, "test", store.Change{Kind: store.MarkedRead, Items: ids}); err != nil {
			t.Fatal(err)
		}
		if n := f.bare(p.document(t, stories), func(k *identity) { k.id, k.link, k.content = k.id+1, 0, 0 }); n != len(stories) {
			t.Errorf("%d of %d forgotten items are back", n, len(stories))
		}
		unread := 0
		for _, row := range f.rows() {
			if row.Flags&store.FlagRead == 0 {
				unread++
			}
		}
		if unread != len(stories) {
			t.Errorf("%d items unread again", unread)
		}
	})
}
