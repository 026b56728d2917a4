package record

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyFact draws a fact as the store itself would write it.
func anyFact(rt *rapid.T, no uint64) Fact {
	zone := rapid.IntRange(-12*60, 14*60).Draw(rt, "zone")
	f := Fact{
		No:    no,
		Kind:  Kind(rapid.IntRange(1, 19).Draw(rt, "kind")),
		At:    time.UnixMilli(rapid.Int64Range(-1e13, 1e13).Draw(rt, "ms")).In(time.FixedZone("", zone*60)),
		Step:  rapid.Uint64Range(0, no).Draw(rt, "step"),
		Feed:  FeedID(rapid.Uint32().Draw(rt, "feed")),
		Ref:   rapid.Uint64Range(0, no).Draw(rt, "ref"),
		Field: rapid.String().Draw(rt, "field"), Old: rapid.String().Draw(rt, "old"), New: rapid.String().Draw(rt, "new"),
		Scope:  rapid.String().Draw(rt, "scope"),
		Nums:   rapid.SliceOfN(rapid.Int64(), 0, 5).Draw(rt, "nums"),
		Unread: rapid.SliceOfN(rapid.Bool(), 0, 20).Draw(rt, "unread"),
	}
	for _, id := range rapid.SliceOfN(rapid.Uint64(), 0, 5).Draw(rt, "items") {
		f.Items = append(f.Items, ItemID(id))
	}
	f.Items = SortedIDs(f.Items)
	return f
}

func sameFact(a, b *Fact) bool {
	_, za := a.At.Zone()
	_, zb := b.At.Zone()
	return a.No == b.No && a.Kind == b.Kind && a.At.Equal(b.At) && za == zb && a.Step == b.Step && a.Feed == b.Feed && a.Ref == b.Ref &&
		a.Field == b.Field && a.Old == b.Old && a.New == b.New && a.Scope == b.Scope &&
		slices.Equal(a.Items, b.Items) && slices.Equal(a.Nums, b.Nums) && slices.Equal(a.Unread, b.Unread)
}

func TestFactsComeBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first := rapid.Uint64Range(1, 1<<40).Draw(rt, "first")
		var facts []Fact
		var run []byte
		var c FactCoder
		for i := range rapid.IntRange(1, 8).Draw(rt, "n") {
			f := anyFact(rt, first+uint64(i))
			facts = append(facts, f)
			run = c.Append(run, &f)
		}
		var d FactReader
		d.Begin(first, run)
		for i := range facts {
			if !d.Next() || !sameFact(&d.Fact, &facts[i]) {
				rt.Fatalf("fact %d came back as %+v, was %+v", i, d.Fact, facts[i])
			}
		}
		if d.Next() || !d.Rest.Done() {
			rt.Fatal("more came back than went in")
		}
	})
}

// FuzzFacts: any bytes decode to facts or to nothing, and what they decode to is
// written so that it comes back the same.
func FuzzFacts(f *testing.F) {
	var c FactCoder
	seed := c.Append(nil, &Fact{No: 1, Kind: Arrived, At: day, Feed: 3, Items: []ItemID{MakeItemID(3, 1), MakeItemID(3, 2)}, Nums: []int64{-5, Dateless}, Unread: []bool{true, false}})
	seed = c.Append(seed, &Fact{No: 2, Kind: Tagged, At: day.Add(time.Second), Step: 2, Items: []ItemID{MakeItemID(3, 1)}, New: "later", Scope: "River"})
	f.Add(seed)
	f.Add([]byte{0x8a, 0xff, 0xff, 0xff})
	packed, _ := PackFacts(seed, seed)
	f.Add(packed)
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, run []byte) {
		var d FactReader
		var facts []Fact
		for d.Begin(7, run); d.Next(); {
			facts = append(facts, d.Fact.Clone())
		}
		var again []byte
		var c FactCoder
		for i := range facts {
			again = c.Append(again, &facts[i])
		}
		var e FactReader
		e.Begin(7, again)
		for i := range facts {
			if !e.Next() || !sameFact(&e.Fact, &facts[i]) {
				t.Fatalf("%+v came back as %+v", facts[i], e.Fact)
			}
		}
	})
}

// coder is a record that is written and read by hand.
type coder interface {
	Encode([]byte) []byte
	Decode([]byte) bool
}

// FuzzRecords gives every decoder any bytes: none may panic or ask for much
// memory, and what a decoder takes must come back the same.
func FuzzRecords(f *testing.F) {
	st := State{Flags: FlagRead | FlagSaved, At: 1_700_000_000, Hash: 99, Tags: []string{"a", "b"}}
	f.Add(st.Encode(nil))
	w := Row{FlagRead, 700, "title", "author", []string{"x"}, ""}
	f.Add(w.Encode(nil))
	w.Was = "old title"
	f.Add(w.Encode(nil))
	c := Count{5, 4, 3, 6, -9, true}
	f.Add(c.Encode(nil))
	h := Head{1, 2, 3, 4, 5, 6, 7, 8}
	f.Add(h.Encode(nil))
	s := Step{1, Saved, 3, 4, 5, true, "River", "new", "field"}
	f.Add(s.Encode(nil))
	lib := &Packer{}
	f.Add(must(lib.Pack([]Entry{{1, Body{HTML: "<p>one", Summary: "two"}}, {4, Body{Summary: "three", Words: "four"}}}))(f))
	page := PageRevision{No: 3, Base: 2, At: day, Address: "https://a.example", Reported: true, Item: 4, Score: 0.5, Size: 90, Packed: []byte("x")}
	f.Add(page.Encode())
	f.Add(PageHead{2, 3}.Encode())
	poll := NewPollRecord(&Poll{ETag: "x", Checks: []int64{1, 2}, Self: "s"})
	f.Add(poll.Encode(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, pair := range [][2]coder{{&State{}, &State{}}, {&Row{}, &Row{}}, {&Count{}, &Count{}}, {&Head{}, &Head{}}, {&Step{}, &Step{}},
			{&FeedRecord{}, &FeedRecord{}}, {&PollRecord{}, &PollRecord{}}, {&ItemRecord{}, &ItemRecord{}}} {
			if pair[0].Decode(b) {
				if !pair[1].Decode(pair[0].Encode(nil)) || !reflect.DeepEqual(pair[0], pair[1]) {
					t.Fatalf("%+v came back as %+v", pair[0], pair[1])
				}
			}
		}
		var fr FeedRecord
		if fr.Decode(b) {
			fr.Feed(1, &Count{})
		}
		var pr PollRecord
		if pr.Decode(b) {
			if p, ok := pr.Poll(); ok {
				NewPollRecord(&p)
			}
		}
		var ir ItemRecord
		if ir.Decode(b) {
			ir.Item(1, &State{})
		}
		if chunk, ok := lib.Unpack(b); ok && len(chunk) > 0 {
			again, ok := lib.Unpack(must(lib.Pack(chunk))(t))
			if !ok || !reflect.DeepEqual(again, chunk) {
				t.Fatal("bodies came back changed")
			}
		}
		lib.Revision(b)
		var page, again PageRevision
		if page.Decode(3, b) && (!again.Decode(3, page.Encode()) || !reflect.DeepEqual(page, again)) && page.Score == page.Score {
			t.Fatalf("%+v came back as %+v", page, again)
		}
		if h, ok := DecodePageHead(b); ok {
			if g, ok := DecodePageHead(h.Encode()); !ok || g != h {
				t.Fatalf("%+v came back as %+v", h, g)
			}
		}
		if _, err := Items.Open([]byte("key"), b); err == nil && len(b) < HeadSize {
			t.Fatal("a record without a head was taken")
		}
	})
}

// A record is good under its own key, in its own bucket, whole; nowhere else.
func TestSeal(t *testing.T) {
	key, payload := Key8(41), []byte("payload")
	rec := States.Seal(nil, key, payload)
	if got, err := States.Open(key, rec); err != nil || !bytes.Equal(got, payload) {
		t.Fatal(got, err)
	}
	if _, err := Items.Open(key, rec); err == nil {
		t.Error("good in another bucket")
	}
	if _, err := States.Open(Key8(42), rec); err == nil {
		t.Error("good under another key")
	}
	for i := range len(rec) * 8 {
		bad := bytes.Clone(rec)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := States.Open(key, bad); err == nil {
			t.Errorf("good with bit %d flipped", i)
		}
	}
	for i := range rec {
		if _, err := States.Open(key, rec[:i]); err == nil {
			t.Errorf("good when cut to %d bytes", i)
		}
	}
}

// Every field of a Poll must be told apart from zero here, so that a new field
// cannot be forgotten in the record.
func TestPollComesBack(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	p := Poll{ETag: `W/"a"`, LastModified: "b", ValidatorsFor: "c", BodyHash: 1 << 63, LastFetch: at, LastOK: at.Add(1e9), LastNew: at.Add(2e9), Status: 304,
		Outcome: AnswerSame, Err: "e", Since: at.Add(3e9), Tries: 4, NotBefore: at.Add(4e9), NotBeforeBy: ParseWait("f"), TTL: time.Hour, SkipHours: []int{0, 3}, SkipDays: []int{6},
		MovedTo: "g", MovedSince: at.Add(5e9), MovedSeen: 5, Gone: true, Partial: true, NextFetch: at.Add(6e9), NextReason: SlotDaily, Checks: []int64{at.Unix(), at.Unix() - 5},
		Window: 20, GuidPolicy: 2, ReadAt: 11, MoveWaits: true, Self: "i", Adopted: "j", TitlesTaken: true, SharedIDs: ",k,", LeftOut: 12, NoNetwork: true, Trouble: TroubleRedirect, BusyRun: 13,
		Lost: []Loss{{14, 15}, {-16, 17}}, Fetches: []FetchMark{{At: 18, N: 1}, {At: -19, N: 2, Opened: true}}, Present: "1-3 7",
		Watch: WatchPoll{State: PageShrunk, Score: 1.5, Changed: 20, Class: ClassMenu, Why: "n", Item: 21, Fetches: 22, Differed: 23, Children: 24, LastClass: ClassOrder, LastScore: 2.25, LastAt: 25, Held: "p"}}
	p.Days[0], p.Days[27] = DayCount{20000, 3, 2, 100}, DayCount{-1, 65535, 1, 1 << 31}
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("field %s is not tested", v.Type().Field(i).Name)
		}
	}
	var r PollRecord
	rec := NewPollRecord(&p)
	if !r.Decode(rec.Encode(nil)) {
		t.Fatal("does not decode")
	}
	if got, ok := r.Poll(); !ok || !reflect.DeepEqual(got, p) {
		t.Fatalf("came back as\n%+v, was\n%+v", got, p)
	}
}

// TestNeverTooEarly: a time before which nothing may be done comes back no
// earlier than it was.
func TestNeverTooEarly(t *testing.T) {
	for _, part := range []time.Duration{0, 1, 176468, 999999, 1e6} {
		at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC).Add(part)
		r := NewPollRecord(&Poll{NotBefore: at, NextFetch: at})
		p, ok := r.Poll()
		for _, got := range []time.Time{p.NotBefore, p.NextFetch} {
			if !ok || got.Before(at) || got.Sub(at) >= time.Millisecond {
				t.Errorf("%v comes back as %v", at, got)
			}
		}
	}
	r := NewPollRecord(&Poll{})
	if p, ok := r.Poll(); !ok || !p.NotBefore.IsZero() || !p.NextFetch.IsZero() {
		t.Errorf("no time comes back as %v and %v", p.NotBefore, p.NextFetch)
	}
}

func TestIDs(t *testing.T) {
	seen := make(map[string]FeedID)
	try := func(f FeedID) {
		s := f.String()
		if got, ok := ParseFeedID(s); !ok || got != f {
			t.Fatalf("feed %d is %q, which is read as %d", f, s, got)
		}
		if other, ok := seen[s]; ok && other != f {
			t.Fatalf("feeds %d and %d are both %q", f, other, s)
		}
		seen[s] = f
	}
	for f := FeedID(1); f < 20_000; f++ {
		try(f)
		a, b := f.String(), (f + 1).String()
		same := 0
		for i := range min(len(a), len(b)) {
			if a[i] == b[i] {
				same++
			}
		}
		if same > len(a)-2 {
			t.Fatalf("neighbours %s and %s look alike", a, b)
		}
	}
	if l := len(FeedID(3200).String()); l != 3 || len(FeedID(3201).String()) != 5 {
		t.Errorf("feed 3200 has %d characters", l)
	}
	rapid.Check(t, func(rt *rapid.T) {
		f := FeedID(rapid.Uint32Range(1, 1<<32-1).Draw(rt, "feed"))
		try(f)
		id := MakeItemID(f, rapid.Uint32Range(1, 1<<32-1).Draw(rt, "n"))
		if got, ok := ParseItemID(id.String()); !ok || got != id {
			rt.Fatalf("item %s is read as %s", id, got)
		}
	})
	for _, bad := range []string{"", "-", "b7", "b77", "B7Q", "b7q-", "b7q-0", "b7q-01", "b7q--1", "b7q-4294967296", "b7q-1x", "é7q", "l7q", "zzzzzzzzz", "z9z9z9z9z"} {
		if id, ok := ParseItemID(bad); ok {
			t.Errorf("%q is read as %s", bad, id)
		}
		if f, ok := ParseFeedID(bad); ok && bad != "z9z9z9z9z" {
			t.Errorf("%q is read as %s", bad, f)
		}
	}
}

func FuzzIDs(f *testing.F) {
	f.Add("b7q-41")
	f.Fuzz(func(t *testing.T, s string) {
		if id, ok := ParseItemID(s); ok && id.String() != s {
			t.Fatalf("%q is read as %s", s, id)
		}
	})
}

func TestRowKeysSort(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.Int64().Draw(rt, "a"), rapid.Int64().Draw(rt, "b")
		x, y := ItemID(rapid.Uint64().Draw(rt, "x")), ItemID(rapid.Uint64().Draw(rt, "y"))
		if at, id := SplitRowKey(RowKey(a, x)); at != a || id != x {
			rt.Fatal("a key came back changed")
		}
		if bytes.Compare(RowKey(a, x), RowKey(b, y)) != CompareRows(a, x, b, y) {
			rt.Fatal("keys sort otherwise than rows")
		}
	})
	if !bytes.Equal(FactKey(1), binary.BigEndian.AppendUint64(nil, 1)) {
		t.Error("fact keys")
	}
}
