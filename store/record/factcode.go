package record

import (
	"encoding/binary"
	"time"

	"diurna/store/codec"
)

// Facts lie in runs: one record holds several consecutive facts under the number
// of the first, and a run is appended to up to FactRunSize bytes. One fact a
// record would cost 29 bytes of bbolt and checksum for some 12 of fact, and a
// cursor step each.
//
// Two runs just fit into a page of 4,096 bytes: 16 are its head, and each run has 16
// for its place, 8 for its key and 5 for its version and checksum.
const FactRunSize = (4096-16)/2 - 16 - 8 - 5

// What follows a fact's kind and time, in this order.
const (
	hasStep    = 1 << iota // No - Step
	hasFeed                //
	hasItems               // count, then differences, the first to Feed<<32
	hasRef                 // No - Ref
	hasStrings             // Field, Old, New
	hasScope               //
	hasNums                // count, then zigzag
	hasUnread              // count, then bits
)

// zoneChanged is set in the kind byte when the UTC offset is not that of the
// fact before in the run (0 for the first).
const zoneChanged = 0x80

// FactCoder is what one fact takes from the one before it.
type FactCoder struct {
	ms      int64
	minutes int
}

// Append adds f to a run. Times are differences, so acts in a row take two bytes.
func (c *FactCoder) Append(dst []byte, f *Fact) []byte {
	ms := f.At.UnixMilli()
	_, seconds := f.At.Zone()
	minutes := seconds / 60
	kind, parts := byte(f.Kind), factParts(f)
	if minutes != c.minutes {
		kind |= zoneChanged
	}
	dst = append(dst, kind, parts)
	dst = binary.AppendVarint(dst, ms-c.ms)
	if minutes != c.minutes {
		dst = binary.AppendVarint(dst, int64(minutes))
	}
	c.ms, c.minutes = ms, minutes
	if parts&hasStep != 0 {
		dst = binary.AppendUvarint(dst, f.No-f.Step)
	}
	if parts&hasFeed != 0 {
		dst = binary.AppendUvarint(dst, uint64(f.Feed))
	}
	if parts&hasItems != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(f.Items)))
		last := uint64(f.Feed) << 32
		for _, id := range f.Items {
			dst = binary.AppendUvarint(dst, uint64(id)-last)
			last = uint64(id)
		}
	}
	if parts&hasRef != 0 {
		dst = binary.AppendUvarint(dst, f.No-f.Ref)
	}
	if parts&hasStrings != 0 {
		dst = codec.AppendString(codec.AppendString(codec.AppendString(dst, f.Field), f.Old), f.New)
	}
	if parts&hasScope != 0 {
		dst = codec.AppendString(dst, f.Scope)
	}
	if parts&hasNums != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(f.Nums)))
		for _, n := range f.Nums {
			dst = binary.AppendVarint(dst, n)
		}
	}
	if parts&hasUnread != 0 {
		dst = appendBits(dst, f.Unread)
	}
	return dst
}

func factParts(f *Fact) (parts byte) {
	set := func(on bool, bit byte) {
		if on {
			parts |= bit
		}
	}
	set(f.Step != 0, hasStep)
	set(f.Feed != 0, hasFeed)
	set(len(f.Items) > 0, hasItems)
	set(f.Ref != 0, hasRef)
	set(f.Field != "" || f.Old != "" || f.New != "", hasStrings)
	set(f.Scope != "", hasScope)
	set(len(f.Nums) > 0, hasNums)
	set(len(f.Unread) > 0, hasUnread)
	return parts
}

func appendBits(dst []byte, bits []bool) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(bits)))
	for i := 0; i < len(bits); i += 8 {
		var b byte
		for j := i; j < min(i+8, len(bits)); j++ {
			if bits[j] {
				b |= 1 << (j - i)
			}
		}
		dst = append(dst, b)
	}
	return dst
}

// FactReader decodes runs into one Fact that it reuses.
type FactReader struct {
	FactCoder
	Fact  Fact
	parts byte // of the fact before
	Rest  codec.Reader
	runs  codec.Reader // after this one, of a record with packed runs
	raw   []byte       // what they were unpacked to
	loc   *time.Location
	zones map[int]*time.Location
	words [4]string // the last Field, Old, New, Scope: mostly the next is the same
	items []ItemID
	nums  []int64
	bits  []bool
}

// Begin starts a record of facts, of which the first has number no.
func (d *FactReader) Begin(no uint64, facts []byte) {
	d.Fact.No, d.runs = no-1, codec.Reader{}
	if !IsPacked(facts) {
		d.begin(facts)
		return
	}
	var ok bool
	d.raw, ok = unpackFacts(d.raw[:0], facts)
	d.runs.B = d.raw
	d.begin(nil)
	d.Rest.Bad = !ok
}

func (d *FactReader) begin(run []byte) {
	d.FactCoder = FactCoder{}
	d.loc = time.UTC
	d.Rest = codec.Reader{B: run}
}

// Next decodes one fact into d.Fact; false at the end of the record or if it is bad.
func (d *FactReader) Next() bool {
	if len(d.Rest.B) == 0 && len(d.runs.B) > 0 && !d.Rest.Bad {
		d.begin(d.runs.Bytes())
		d.Rest.Bad = d.runs.Bad
	}
	if len(d.Rest.B) == 0 || d.Rest.Bad {
		return false
	}
	no := d.Fact.No + 1
	kind, parts := d.Rest.Byte(), d.Rest.Byte()
	d.ms += d.Rest.Varint()
	if kind&zoneChanged != 0 {
		d.zone(int(d.Rest.Varint()))
	}
	f := &d.Fact
	f.No, f.Kind, f.At = no, Kind(kind&^zoneChanged), time.UnixMilli(d.ms).In(d.loc)
	f.Step, f.Feed, f.Items, f.Ref = 0, 0, nil, 0
	if d.parts&(hasStrings|hasScope|hasNums|hasUnread) != 0 {
		// Rare, and half of the Fact: cleared only after a fact that had them.
		f.Field, f.Old, f.New, f.Scope, f.Nums, f.Unread = "", "", "", "", nil, nil
	}
	d.parts = parts
	if parts&hasStep != 0 {
		f.Step = no - d.Rest.Uvarint()
	}
	if parts&hasFeed != 0 {
		f.Feed = FeedID(d.Rest.Uvarint())
	}
	if parts&hasItems != 0 {
		d.readItems()
	}
	if parts&hasRef != 0 {
		f.Ref = no - d.Rest.Uvarint()
	}
	if parts&hasStrings != 0 {
		f.Field, f.Old, f.New = d.word(0), d.word(1), d.word(2)
	}
	if parts&hasScope != 0 {
		f.Scope = d.word(3)
	}
	if parts&hasNums != 0 {
		d.readNums()
	}
	if parts&hasUnread != 0 {
		d.readBits()
	}
	return !d.Rest.Bad && f.Kind != 0
}

func (d *FactReader) readItems() {
	n := d.Rest.Count(1)
	d.items = d.items[:0]
	last := uint64(d.Fact.Feed) << 32
	for range n {
		last += d.Rest.Uvarint()
		d.items = append(d.items, ItemID(last))
	}
	d.Fact.Items = d.items
}

func (d *FactReader) readNums() {
	n := d.Rest.Count(1)
	d.nums = d.nums[:0]
	for range n {
		d.nums = append(d.nums, d.Rest.Varint())
	}
	d.Fact.Nums = d.nums
}

func (d *FactReader) readBits() {
	n := d.Rest.Count(8)
	d.bits = d.bits[:0]
	var b byte
	for i := range n {
		if i%8 == 0 {
			b = d.Rest.Byte()
		}
		d.bits = append(d.bits, b>>(i%8)&1 == 1)
	}
	d.Fact.Unread = d.bits
}

func (d *FactReader) zone(minutes int) {
	if minutes < -24*60 || minutes > 24*60 {
		d.Rest.Bad = true
		return
	}
	d.minutes = minutes
	if minutes == 0 {
		d.loc = time.UTC
		return
	}
	if d.zones == nil {
		d.zones = make(map[int]*time.Location)
	}
	if d.zones[minutes] == nil {
		d.zones[minutes] = time.FixedZone("", minutes*60)
	}
	d.loc = d.zones[minutes]
}

func (d *FactReader) word(i int) string {
	b := d.Rest.Bytes()
	if string(b) != d.words[i] { // the comparison does not allocate
		d.words[i] = string(b)
	}
	return d.words[i]
}

// FactKey is the key of the run whose first fact has number no.
func FactKey(no uint64) []byte { return binary.BigEndian.AppendUint64(nil, no) }
