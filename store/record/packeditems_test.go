package record

import (
	"reflect"
	"testing"
)

// What is read of a block of items is what was written, or nothing where it is damaged.
func FuzzPackedItems(f *testing.F) {
	var items []PackedItem
	for i := range 3 {
		it := ItemRecord{Title: "t", Link: "https://x.example/", Hash: 1 << 63, Words: 7, Published: -5000, TextRemoved: 1 << 40, BodySize: i}
		p, ok := NewPackedItem(uint32(3*i+1), &State{Flags: FlagRead, At: -5, Hash: it.Hash}, &it, &Body{Summary: "abc"[:i]})
		if !ok {
			f.Fatal("an item is refused")
		}
		var back ItemRecord
		if !p.Item(&back) || !reflect.DeepEqual(back, it) {
			f.Fatalf("%+v, want %+v", back, it)
		}
		items = append(items, p)
	}
	f.Add(string(appendItems(nil, items)))
	f.Add("\xff\xff\x03")
	f.Fuzz(func(t *testing.T, block string) {
		items, ok := readItems(block)
		if !ok {
			return
		}
		again, ok := readItems(string(appendItems(nil, items)))
		if !ok || !reflect.DeepEqual(again, items) {
			t.Fatalf("%+v, then %+v", items, again)
		}
	})
}
