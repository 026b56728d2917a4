// Package record holds what lies in a library: the types of facts, feeds, items and
// polls, and the bytes that they are written as. A record is a version, a checksum
// over its bucket, key and payload, and the payload: numbers and texts of
// store/codec (states, rows, counters, steps, runs of facts), CBOR (feeds, items,
// polls) or packed bodies. It reads and writes no file.
//
// Start with record.go, which has the buckets and says what is in each.
package record

import (
	"encoding/binary"
	"hash/crc32"

	"diurna/store/codec"
	"diurna/store/pages"
)

// Schema is the version of the whole layout; a library with a higher one is
// left alone, one with a lower one is brought up to it by the first commit. 5
// added the list of hidden feeds, 6 the facts of items that were moved in the
// lists. 10 says that what stays of texts lies in blocks as words, 9 that items without their texts
// lie in blocks (packeditems.go), 8 that rows
// were removed, what is left of which may lie in blocks (pairs.go), and 7 that rows were by a
// program that knew no blocks: only a library in which that happened has them, so that older
// programs read all others. What was written with one below OldestSchema was never released.
const (
	Schema       = 6
	RowsSchema   = 8
	LeadsSchema  = 10
	OldestSchema = 4
)

// Version is the first byte of every record.
const Version = 1

// HeadSize is the version byte and the CRC32C before each payload.
const HeadSize = 5

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Bucket is one bbolt bucket. Its name goes into the checksum of its records
// (seed), and so does the key: a record that a page swap put elsewhere does not
// check there. bbolt itself has no checksum on data pages.
type Bucket struct {
	Name []byte
	seed uint32
}

// NewBucket makes the bucket of a name, which need not be in any file.
func NewBucket(name string) *Bucket {
	return &Bucket{[]byte(name), crc32.Checksum([]byte(name+"\x00"), castagnoli)}
}

// The buckets of diurna.db.
var (
	Facts      = NewBucket("facts")      // No of the first -> a run of facts
	Feeds      = NewBucket("feeds")      // FeedID -> CBOR
	Polls      = NewBucket("polls")      // FeedID -> CBOR
	Items      = NewBucket("items")      // ItemID -> CBOR; packeditems.go
	States     = NewBucket("state")      // ItemID -> flags, sort time, hash, tags
	Bodies     = NewBucket("bodies")     // ItemID of the first -> zstd of consecutive bodies; tombstones.go
	IDs        = NewBucket("ids")        // FeedID, key -> number; never removed; pairs.go
	UnreadRows = NewBucket("unread")     // sort time, ItemID -> row
	ReadRows   = NewBucket("read")       // the same: a live item stands in one of the two, or in a block
	SavedRows  = NewBucket("saved")      // the same, in addition
	Counts     = NewBucket("counts")     // FeedID -> counters; 0 -> totals
	Steps      = NewBucket("steps")      // No -> summary, undone or not
	Revisions  = NewBucket("revisions")  // ItemID, edit -> zstd
	Meta       = NewBucket("meta")       // name -> bytes
	Pages      = NewBucket("pages")      // FeedID, number -> a revision of a watched page
	PageHeads  = NewBucket("page heads") // FeedID -> how many revisions there are
	PageNotes  = NewBucket("page notes") // FeedID, key -> what the caller remembers of an address
	Secrets    = NewBucket("secrets")    // reference -> value
	Buckets    = []*Bucket{Facts, Feeds, Polls, Items, States, Bodies, IDs, UnreadRows, ReadRows, SavedRows, Counts, Steps, Revisions, Meta,
		Pages, PageHeads, PageNotes, Secrets}
)

// Seal appends the record of payload under key to dst.
func (b *Bucket) Seal(dst, key, payload []byte) []byte {
	sum := crc32.Update(b.seed, castagnoli, key)
	sum = crc32.Update(sum, castagnoli, payload)
	dst = append(dst, Version)
	dst = binary.LittleEndian.AppendUint32(dst, sum)
	return append(dst, payload...)
}

// Open checks a record and returns its payload, which lives as long as rec.
func (b *Bucket) Open(key, rec []byte) ([]byte, error) {
	if len(rec) < HeadSize || rec[0] != Version {
		return nil, b.Damage(key, "no such record version")
	}
	if !b.Holds(key, rec) {
		return nil, b.Damage(key, "checksum")
	}
	return rec[HeadSize:], nil
}

// Holds tells whether the record's checksum is that of this bucket and key.
func (b *Bucket) Holds(key, rec []byte) bool {
	sum := crc32.Update(b.seed, castagnoli, key)
	return crc32.Update(sum, castagnoli, rec[HeadSize:]) == binary.LittleEndian.Uint32(rec[1:])
}

// Damage is an error about the record under key, named as people know it.
//
//go:noinline // 60 places
func (b *Bucket) Damage(key []byte, what string) error {
	return &pages.Damage{What: what, Record: string(b.Name) + " " + b.KeyName(key)}
}

// State is the exact state of one item.
type State struct {
	Flags Flags
	At    int64 // unix s, for sorting
	Hash  uint64
	Tags  []string
}

// Encode appends the record to dst.
func (s *State) Encode(dst []byte) []byte {
	dst = append(dst, byte(s.Flags))
	dst = binary.AppendVarint(dst, s.At)
	dst = binary.LittleEndian.AppendUint64(dst, s.Hash)
	return codec.AppendStrings(dst, s.Tags)
}

// Decode reads what Encode wrote; false if b is anything else.
func (s *State) Decode(b []byte) bool {
	r := codec.Reader{B: b}
	*s = State{Flags: Flags(r.Byte()), At: r.Varint(), Hash: r.Uint64(), Tags: r.Texts()}
	return r.Done() && s.Flags&^(FlagRead|FlagSaved|FlagChanged|FlagGone) == 0
}

// Row is a list's record: all that one line on the screen needs.
type Row struct {
	Flags         Flags
	Words         uint32
	Title, Author string
	Tags          []string
	Was           string // the title as the reader knows it, "" if it is the title
}

// Encode appends the record to dst.
func (w *Row) Encode(dst []byte) []byte {
	dst = append(dst, byte(w.Flags))
	dst = binary.AppendUvarint(dst, uint64(w.Words))
	dst = codec.AppendString(dst, w.Title)
	dst = codec.AppendString(dst, w.Author)
	if dst = codec.AppendStrings(dst, w.Tags); w.Was != "" {
		dst = codec.AppendString(dst, w.Was) // hardly any row has one: the others stay as they were
	}
	return dst
}

// Decode reads what Encode wrote; false if b is anything else.
func (w *Row) Decode(b []byte) bool {
	r := codec.Reader{B: b}
	*w = Row{Flags: Flags(r.Byte()), Words: uint32(r.Uvarint()), Title: r.Text(), Author: r.Text(), Tags: r.Texts()}
	if !r.Bad && len(r.B) > 0 {
		if w.Was = r.Text(); w.Was == "" {
			return false // it would not have been written
		}
	}
	return r.Done()
}

// Count is a feed's counters, kept whether or not it is live.
type Count struct {
	Items, Unread, Saved int
	Next                 uint32 // number of the next item
	LastPost             int64  // newest sort time, unix s; valid if there ever was an item
	Live                 bool
}

// Encode appends the record to dst.
func (c *Count) Encode(dst []byte) []byte {
	for _, x := range []uint64{uint64(c.Items), uint64(c.Unread), uint64(c.Saved), uint64(c.Next)} {
		dst = binary.AppendUvarint(dst, x)
	}
	dst = binary.AppendVarint(dst, c.LastPost)
	if c.Live {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// Decode reads what Encode wrote; false if b is anything else.
func (c *Count) Decode(b []byte) bool {
	r := codec.Reader{B: b}
	*c = Count{Items: int(r.Uvarint()), Unread: int(r.Uvarint()), Saved: int(r.Uvarint()), Next: uint32(r.Uvarint()), LastPost: r.Varint(), Live: r.Byte() == 1}
	return r.Done()
}

// Head is the record of the totals: the library's counters over live feeds and
// its next numbers.
type Head struct {
	Feeds, Items, Unread, Saved int
	Facts, Steps                uint64
	NextFeed                    FeedID
	TxBase                      uint64 // added to bbolt's transaction number, which starts over in a compacted file
}

// Encode appends the record to dst.
func (h *Head) Encode(dst []byte) []byte {
	for _, x := range []uint64{uint64(h.Feeds), uint64(h.Items), uint64(h.Unread), uint64(h.Saved), h.Facts, h.Steps, uint64(h.NextFeed), h.TxBase} {
		dst = binary.AppendUvarint(dst, x)
	}
	return dst
}

// Decode reads what Encode wrote; false if b is anything else.
func (h *Head) Decode(b []byte) bool {
	r := codec.Reader{B: b}
	*h = Head{int(r.Uvarint()), int(r.Uvarint()), int(r.Uvarint()), int(r.Uvarint()), r.Uvarint(), r.Uvarint(), FeedID(r.Uvarint()), r.Uvarint()}
	return r.Done()
}

// Step is a step's summary and the length of its run of facts.
type Step struct {
	At         int64 // unix ms
	Kind       Kind
	Feed       FeedID
	Count      int
	Facts      int
	Undone     bool
	Scope, New string
	Field      string
}

// Encode appends the record to dst.
func (s *Step) Encode(dst []byte) []byte {
	dst = binary.AppendVarint(dst, s.At)
	dst = append(dst, byte(s.Kind), 0)
	if s.Undone {
		dst[len(dst)-1] = 1
	}
	for _, x := range []uint64{uint64(s.Feed), uint64(s.Count), uint64(s.Facts)} {
		dst = binary.AppendUvarint(dst, x)
	}
	return codec.AppendString(codec.AppendString(codec.AppendString(dst, s.Scope), s.New), s.Field)
}

// Decode reads what Encode wrote; false if b is anything else.
func (s *Step) Decode(b []byte) bool {
	r := codec.Reader{B: b}
	*s = Step{At: r.Varint(), Kind: Kind(r.Byte()), Undone: r.Byte() == 1, Feed: FeedID(r.Uvarint()), Count: int(r.Uvarint()),
		Facts: int(r.Uvarint()), Scope: r.Text(), New: r.Text(), Field: r.Text()}
	return r.Done()
}

// bChanges: key 0 -> who compacts; bbolt's number of a transaction -> its changes.
var Changes = NewBucket("changes")
