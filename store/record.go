package store

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"

	"diurna/store/codec"
)

// schema is the version of the whole layout; a library with a higher one is
// left alone, one with a lower one is brought up to it by the first commit. 5
// added the list of hidden feeds, 6 the facts of items that were moved in the
// lists. What was written with one below oldest was never released.
const (
	schema = 6
	oldest = 4
)

// recordVersion is the first byte of every record.
const recordVersion = 1

// recordHead is the version byte and the CRC32C before each payload.
const recordHead = 5

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// bucket is one bbolt bucket. Its name goes into the checksum of its records
// (seed), and so does the key: a record that a page swap put elsewhere does not
// check there. bbolt itself has no checksum on data pages.
type bucket struct {
	name []byte
	seed uint32
}

func newBucket(name string) *bucket {
	return &bucket{[]byte(name), crc32.Checksum([]byte(name+"\x00"), castagnoli)}
}

// The buckets of diurna.db.
var (
	bFacts     = newBucket("facts")      // No of the first -> a run of facts
	bFeeds     = newBucket("feeds")      // FeedID -> CBOR
	bPolls     = newBucket("polls")      // FeedID -> CBOR
	bItems     = newBucket("items")      // ItemID -> CBOR
	bState     = newBucket("state")      // ItemID -> flags, sort time, hash, tags
	bBodies    = newBucket("bodies")     // ItemID of the first -> zstd of consecutive bodies
	bIDs       = newBucket("ids")        // FeedID, key -> number; for ever
	bUnread    = newBucket("unread")     // sort time, ItemID -> row
	bRead      = newBucket("read")       // the same: a live item stands in one of the two
	bSaved     = newBucket("saved")      // the same, in addition
	bCounts    = newBucket("counts")     // FeedID -> counters; 0 -> totals
	bSteps     = newBucket("steps")      // No -> summary, undone or not
	bRevisions = newBucket("revisions")  // ItemID, edit -> zstd
	bMeta      = newBucket("meta")       // name -> bytes
	bPages     = newBucket("pages")      // FeedID, number -> a revision of a watched page
	bPageHeads = newBucket("page heads") // FeedID -> how many revisions there are
	bPageNotes = newBucket("page notes") // FeedID, key -> what the caller remembers of an address
	bSecrets   = newBucket("secrets")    // reference -> value
	allBuckets = []*bucket{bFacts, bFeeds, bPolls, bItems, bState, bBodies, bIDs, bUnread, bRead, bSaved, bCounts, bSteps, bRevisions, bMeta,
		bPages, bPageHeads, bPageNotes, bSecrets}
)

// seal appends the record of payload under key to dst.
func (b *bucket) seal(dst, key, payload []byte) []byte {
	sum := crc32.Update(b.seed, castagnoli, key)
	sum = crc32.Update(sum, castagnoli, payload)
	dst = append(dst, recordVersion)
	dst = binary.LittleEndian.AppendUint32(dst, sum)
	return append(dst, payload...)
}

// open checks a record and returns its payload, which lives as long as rec.
func (b *bucket) open(key, rec []byte) ([]byte, error) {
	if len(rec) < recordHead || rec[0] != recordVersion {
		return nil, b.damage(key, "no such record version")
	}
	if !b.holds(key, rec) {
		return nil, b.damage(key, "checksum")
	}
	return rec[recordHead:], nil
}

// holds tells whether the record's checksum is that of this bucket and key.
func (b *bucket) holds(key, rec []byte) bool {
	sum := crc32.Update(b.seed, castagnoli, key)
	return crc32.Update(sum, castagnoli, rec[recordHead:]) == binary.LittleEndian.Uint32(rec[1:])
}

// damage is an error about the record under key, named as people know it.
func (b *bucket) damage(key []byte, what string) error {
	return &DamagedError{What: what, Record: string(b.name) + " " + b.keyName(key)}
}

func (b *bucket) keyName(key []byte) string {
	switch {
	case b == bMeta:
		return strconv.Quote(string(key[:min(len(key), 64)]))
	case b == bPages && len(key) == 8:
		return FeedID(binary.BigEndian.Uint32(key)).String() + " revision " + strconv.Itoa(int(binary.BigEndian.Uint32(key[4:])))
	case b == bFacts || b == bSteps || b == bChanges:
		if len(key) == 8 {
			return strconv.FormatUint(binary.BigEndian.Uint64(key), 10)
		}
	case len(key) == 4:
		if binary.BigEndian.Uint32(key) == 0 {
			return "totals"
		}
		return FeedID(binary.BigEndian.Uint32(key)).String()
	case len(key) == 8:
		return ItemID(binary.BigEndian.Uint64(key)).String()
	case (b == bIDs || b == bPageNotes) && len(key) == 12:
		return FeedID(binary.BigEndian.Uint32(key)).String() + " " + strconv.FormatUint(binary.BigEndian.Uint64(key[4:]), 16)
	case b == bRevisions && len(key) == 12:
		return ItemID(binary.BigEndian.Uint64(key)).String() + " edit " + strconv.Itoa(int(binary.BigEndian.Uint32(key[8:])))
	case len(key) == 16:
		return ItemID(binary.BigEndian.Uint64(key[8:])).String()
	}
	return strconv.Quote(string(key[:min(len(key), 64)]))
}

func key4(x uint32) []byte { return binary.BigEndian.AppendUint32(nil, x) }
func key8(x uint64) []byte { return binary.BigEndian.AppendUint64(nil, x) }

// rowKey orders rows by time, then item. The sign bit is turned so that times
// before 1970 come first.
func rowKey(at int64, id ItemID) []byte {
	k := binary.BigEndian.AppendUint64(make([]byte, 0, 16), uint64(at)^1<<63)
	return binary.BigEndian.AppendUint64(k, uint64(id))
}

func splitRowKey(k []byte) (at int64, id ItemID) {
	return int64(binary.BigEndian.Uint64(k) ^ 1<<63), ItemID(binary.BigEndian.Uint64(k[8:]))
}

// state is the exact state of one item.
type state struct {
	flags Flags
	at    int64 // unix s, for sorting
	hash  uint64
	tags  []string
}

func (s *state) encode(dst []byte) []byte {
	dst = append(dst, byte(s.flags))
	dst = binary.AppendVarint(dst, s.at)
	dst = binary.LittleEndian.AppendUint64(dst, s.hash)
	return codec.AppendStrings(dst, s.tags)
}

func (s *state) decode(b []byte) bool {
	r := codec.Reader{B: b}
	*s = state{flags: Flags(r.Byte()), at: r.Varint(), hash: r.Uint64(), tags: r.Texts()}
	return r.Done() && s.flags&^(FlagRead|FlagSaved|FlagChanged) == 0
}

// row is a list's record: all that one line on the screen needs.
type row struct {
	flags         Flags
	words         uint32
	title, author string
	tags          []string
	was           string // the title as the reader knows it, "" if it is the title
}

func (w *row) encode(dst []byte) []byte {
	dst = append(dst, byte(w.flags))
	dst = binary.AppendUvarint(dst, uint64(w.words))
	dst = codec.AppendString(dst, w.title)
	dst = codec.AppendString(dst, w.author)
	if dst = codec.AppendStrings(dst, w.tags); w.was != "" {
		dst = codec.AppendString(dst, w.was) // hardly any row has one: the others stay as they were
	}
	return dst
}

func (w *row) decode(b []byte) bool {
	r := codec.Reader{B: b}
	*w = row{flags: Flags(r.Byte()), words: uint32(r.Uvarint()), title: r.Text(), author: r.Text(), tags: r.Texts()}
	if !r.Bad && len(r.B) > 0 {
		if w.was = r.Text(); w.was == "" {
			return false // it would not have been written
		}
	}
	return r.Done()
}

// count is a feed's counters, kept whether or not it is live.
type count struct {
	items, unread, saved int
	next                 uint32 // number of the next item
	lastPost             int64  // newest sort time, unix s; valid if items > 0
	live                 bool
}

func (c *count) encode(dst []byte) []byte {
	for _, x := range []uint64{uint64(c.items), uint64(c.unread), uint64(c.saved), uint64(c.next)} {
		dst = binary.AppendUvarint(dst, x)
	}
	dst = binary.AppendVarint(dst, c.lastPost)
	if c.live {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func (c *count) decode(b []byte) bool {
	r := codec.Reader{B: b}
	*c = count{items: int(r.Uvarint()), unread: int(r.Uvarint()), saved: int(r.Uvarint()), next: uint32(r.Uvarint()), lastPost: r.Varint(), live: r.Byte() == 1}
	return r.Done()
}

// head is the record of the totals: the library's counters over live feeds and
// its next numbers.
type head struct {
	feeds, items, unread, saved int
	facts, steps                uint64
	nextFeed                    FeedID
	txBase                      uint64 // added to bbolt's transaction number, which starts anew in a compacted file
}

func (h *head) encode(dst []byte) []byte {
	for _, x := range []uint64{uint64(h.feeds), uint64(h.items), uint64(h.unread), uint64(h.saved), h.facts, h.steps, uint64(h.nextFeed), h.txBase} {
		dst = binary.AppendUvarint(dst, x)
	}
	return dst
}

func (h *head) decode(b []byte) bool {
	r := codec.Reader{B: b}
	*h = head{int(r.Uvarint()), int(r.Uvarint()), int(r.Uvarint()), int(r.Uvarint()), r.Uvarint(), r.Uvarint(), FeedID(r.Uvarint()), r.Uvarint()}
	return r.Done()
}

// stepRec is a step's summary and the length of its run of facts.
type stepRec struct {
	at         int64 // unix ms
	kind       Kind
	feed       FeedID
	count      int
	facts      int
	undone     bool
	scope, new string
	field      string
}

func (s *stepRec) encode(dst []byte) []byte {
	dst = binary.AppendVarint(dst, s.at)
	dst = append(dst, byte(s.kind), 0)
	if s.undone {
		dst[len(dst)-1] = 1
	}
	for _, x := range []uint64{uint64(s.feed), uint64(s.count), uint64(s.facts)} {
		dst = binary.AppendUvarint(dst, x)
	}
	return codec.AppendString(codec.AppendString(codec.AppendString(dst, s.scope), s.new), s.field)
}

func (s *stepRec) decode(b []byte) bool {
	r := codec.Reader{B: b}
	*s = stepRec{at: r.Varint(), kind: Kind(r.Byte()), undone: r.Byte() == 1, feed: FeedID(r.Uvarint()), count: int(r.Uvarint()),
		facts: int(r.Uvarint()), scope: r.Text(), new: r.Text(), field: r.Text()}
	return r.Done()
}
