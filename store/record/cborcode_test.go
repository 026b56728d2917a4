package record

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"
)

// theirs reads and writes CBOR as every program up to 0.2 did.
func theirs(t testing.TB) (cbor.EncMode, cbor.DecMode) {
	enc := must(cbor.EncOptions{Sort: cbor.SortBytewiseLexical}.EncMode())(t)
	dec := must(cbor.DecOptions{MaxArrayElements: 1 << 17, MaxMapPairs: 1 << 16, MaxNestedLevels: 8, UTF8: cbor.UTF8DecodeInvalid}.DecMode())(t)
	return enc, dec
}

// TestRecordsAreCBOR: the same bytes as the library's, and the same values from them.
func TestRecordsAreCBOR(t *testing.T) {
	enc, dec := theirs(t)
	compare := func(rt *rapid.T, rec, ours, other coder) {
		want, err := enc.Marshal(rec)
		if err != nil {
			rt.Fatal(err)
		}
		got := rec.Encode([]byte("before"))
		if !bytes.Equal(got[6:], want) {
			rt.Fatalf("%+v is written as\n%x, not\n%x", rec, got[6:], want)
		}
		if err := dec.Unmarshal(want, other); err != nil {
			rt.Fatal(err)
		}
		if !ours.Decode(want) || !reflect.DeepEqual(ours, other) {
			rt.Fatalf("%x is read as\n%+v, not\n%+v", want, ours, other)
		}
		if short := want[:rapid.IntRange(0, len(want)-1).Draw(rt, "cut")]; reflect.New(reflect.TypeOf(rec).Elem()).Interface().(coder).Decode(short) {
			rt.Fatalf("%x is cut short and was read", short)
		}
		if reflect.New(reflect.TypeOf(rec).Elem()).Interface().(coder).Decode(append(want, 0)) {
			rt.Fatal("a byte more was not noticed")
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		feed := rapid.Make[FeedRecord]().Draw(rt, "feed")
		feed.URL += "x" // is never empty
		compare(rt, &feed, new(FeedRecord), new(FeedRecord))
		poll := rapid.Make[PollRecord]().Draw(rt, "poll")
		compare(rt, &poll, new(PollRecord), new(PollRecord))
		item := rapid.Make[ItemRecord]().Draw(rt, "item")
		compare(rt, &item, new(ItemRecord), new(ItemRecord))
	})
}

// What a newer program adds, under any kind of key, is passed over; a value of
// another type, or one that does not fit, is damage.
func TestRecordsOfNewerPrograms(t *testing.T) {
	enc, _ := theirs(t)
	var got ItemRecord
	more := map[any]any{2: "title", 99: []any{1, "x", map[string]any{"a": nil, "b": -7}}, "word": []byte("y"), 6: nil, 98: cbor.Tag{Number: 5, Content: 1.5}}
	if !got.Decode(must(enc.Marshal(more))(t)) || !reflect.DeepEqual(got, ItemRecord{Title: "title"}) {
		t.Errorf("read as %+v", got)
	}
	for _, wrong := range []any{"text", []int{1}, 7, map[int]any{2: 1}, map[int]any{5: "x"}, map[int]any{10: -1}, map[int]any{10: uint64(1) << 32}, map[int]any{8: "x"}, map[int]any{9: []int{1}}, map[int]any{5: 1.5}} {
		if b := must(enc.Marshal(wrong))(t); new(ItemRecord).Decode(b) {
			t.Errorf("%v was read", wrong)
		}
	}
	deep := append(append([]byte{0xa1, 0x18, 99}, bytes.Repeat([]byte{0x81}, 1<<20)...), 0)
	if new(ItemRecord).Decode(deep) || new(ItemRecord).Decode([]byte{0xbb, 255, 255, 255, 255, 255, 255, 255, 255}) || new(ItemRecord).Decode([]byte{0xbf, 0xff}) {
		t.Error("what is endless was read")
	}
}

func BenchmarkItemRecord(b *testing.B) {
	enc, dec := theirs(b)
	rec := ItemRecord{IDRaw: "https://a.example/2026/11/20/a-title", Title: "A title of some words", Link: "https://a.example/2026/11/20/a-title", Author: "Somebody",
		Published: 1_700_000_000_000, FirstSeen: 1_700_000_100_000, Categories: []string{"one", "two"}, Words: 312, Hash: 1 << 60, BodySize: 2000}
	text := rec.Encode(nil)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			new(ItemRecord).Decode(text)
		}
	})
	b.Run("read by fxamacker", func(b *testing.B) {
		for b.Loop() {
			dec.Unmarshal(text, new(ItemRecord))
		}
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			rec.Encode(nil)
		}
	})
	b.Run("write by fxamacker", func(b *testing.B) {
		for b.Loop() {
			enc.Marshal(&rec)
		}
	})
}
