package match

import (
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/store"
)

// Of an item whose row was removed, what is said again is neither new nor an edit. Under
// the one address that a publisher has, another text is another post: its title and date
// are not known any more.
func TestRowIsGone(t *testing.T) {
	at := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for _, x := range []struct {
		name, id string
		same     bool // text
		fresh    int
	}{{"an id", "1", true, 0}, {"an id, edited", "1", false, 0}, {"a link", "", true, 0}, {"a link, another post", "", false, 1}} {
		entries := Entries(&feed.Document{Items: []feed.Entry{{IDRaw: x.id, Link: "https://a.example/", Title: "Tuesday", Published: at, ContentHTML: "The ferry sails."}}}, "")
		k := entries[0].keys
		m := store.Match{N: 1, Hash: k.body, Flags: store.FlagRead | store.FlagGone}
		if !x.same {
			m.Hash++
		}
		out := store.Filing{Feed: 1}
		if err := matchItems(&out, entries, &store.Matched{Next: 2, ByKey: map[uint64]store.Match{k.main(): m}}, at, nil); err != nil {
			t.Fatal(err)
		}
		if len(out.New) != x.fresh || len(out.Edited)+len(out.Corrected) > 0 || len(out.Present) != 1-x.fresh {
			t.Errorf("%s: %d new, %d edited, present %v", x.name, len(out.New), len(out.Edited), out.Present)
		}
	}
}
