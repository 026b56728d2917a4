package record

import (
	"encoding/binary"
	"math"
	"time"

	"diurna/store/codec"
)

// PageRevision is one kept state of a watched page.
type PageRevision struct {
	No          uint32 // 1, 2, 3, ... within the feed
	Base        uint32 // the revision that Packed stands on; 0: it stands alone
	At          time.Time
	Address     string // where it was served
	Child       bool   // not the page itself but one that it links to
	Reported    bool   // the change from the one before was reported
	Item        uint32 // number of the item that tells of it, 0: none. When filing: its place in Filing.New, from 1
	Score       float64
	Size        int // of the body as served, in bytes
	ContentType string
	Charset     string
	Packed      []byte // nil in lists
}

// PageHead counts the revisions of a feed.
type PageHead struct {
	Count int    // kept
	Last  uint32 // number of the newest there ever was
}

// PageKey is the key of a revision of a watched page.
func PageKey(f FeedID, no uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 0, 8), uint32(f)), no)
}

// Encode is the record of h.
func (h PageHead) Encode() []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(h.Count)), uint64(h.Last))
}

// DecodePageHead reads what Encode wrote; false if b is anything else.
func DecodePageHead(b []byte) (PageHead, bool) {
	r := codec.Reader{B: b}
	h := PageHead{int(r.Uvarint()), uint32(r.Uvarint())}
	return h, r.Done() && h.Count > 0 && uint64(h.Count) <= uint64(h.Last)
}

const (
	pageReported = 1
	pageChild    = 2
)

// Encode is the record of p.
func (p *PageRevision) Encode() []byte {
	b := binary.AppendVarint(nil, Millis(p.At))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Base)), uint64(p.Item))
	b = append(b, p.flags())
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Score))
	b = binary.AppendUvarint(b, uint64(p.Size))
	b = codec.AppendString(codec.AppendString(codec.AppendString(b, p.Address), p.ContentType), p.Charset)
	return append(b, p.Packed...)
}

// Decode reads revision no; false if b is none. Packed stays within b.
func (p *PageRevision) Decode(no uint32, b []byte) bool {
	r := codec.Reader{B: b}
	*p = PageRevision{No: no, At: Time(r.Varint()), Base: uint32(r.Uvarint()), Item: uint32(r.Uvarint())}
	flags := r.Byte()
	p.Reported, p.Child = flags&pageReported != 0, flags&pageChild != 0
	p.Score = math.Float64frombits(r.Uint64())
	p.Size = int(r.Uvarint())
	p.Address, p.ContentType, p.Charset = r.Text(), r.Text(), r.Text()
	p.Packed = r.B
	return !r.Bad && len(r.B) > 0 && p.Base < no && flags&^(pageReported|pageChild) == 0 && p.Size >= 0 && p.Size <= math.MaxInt32
}

func (p *PageRevision) flags() (b byte) {
	if p.Reported {
		b |= pageReported
	}
	if p.Child {
		b |= pageChild
	}
	return b
}
