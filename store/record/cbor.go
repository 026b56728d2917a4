package record

import (
	"encoding/binary"
	"time"

	"diurna/store/codec"
)

// The CBOR records. Times are unix milliseconds, 0 for none (a time.Time costs
// ten times as much to decode); keys are small numbers and never change meaning.

// FeedRecord is a feed but for its counters and its poll.
type FeedRecord struct {
	URL        string            `cbor:"1,keyasint"`
	Given      string            `cbor:"2,keyasint,omitempty"`
	Title      string            `cbor:"3,keyasint,omitempty"`
	Site       string            `cbor:"4,keyasint,omitempty"`
	Folder     string            `cbor:"5,keyasint,omitempty"`
	Tags       []string          `cbor:"6,keyasint,omitempty"`
	Hidden     bool              `cbor:"7,keyasint,omitempty"`
	Private    bool              `cbor:"8,keyasint,omitempty"`
	Format     string            `cbor:"9,keyasint,omitempty"`
	Attrs      map[string]string `cbor:"10,keyasint,omitempty"`
	Subscribed int64             `cbor:"11,keyasint,omitempty"`
	Removed    bool              `cbor:"12,keyasint,omitempty"`
}

// PollRecord is a Poll.
type PollRecord struct {
	ETag          string    `cbor:"1,keyasint,omitempty"`
	LastModified  string    `cbor:"2,keyasint,omitempty"`
	ValidatorsFor string    `cbor:"3,keyasint,omitempty"`
	BodyHash      uint64    `cbor:"4,keyasint,omitempty"`
	LastFetch     int64     `cbor:"5,keyasint,omitempty"`
	LastOK        int64     `cbor:"6,keyasint,omitempty"`
	LastNew       int64     `cbor:"7,keyasint,omitempty"`
	Status        int       `cbor:"8,keyasint,omitempty"`
	Outcome       string    `cbor:"9,keyasint,omitempty"`
	Err           string    `cbor:"10,keyasint,omitempty"`
	Since         int64     `cbor:"11,keyasint,omitempty"`
	Tries         int       `cbor:"12,keyasint,omitempty"`
	NotBefore     int64     `cbor:"13,keyasint,omitempty"`
	NotBeforeBy   string    `cbor:"14,keyasint,omitempty"`
	TTL           int64     `cbor:"15,keyasint,omitempty"` // ms
	SkipHours     []int     `cbor:"16,keyasint,omitempty"`
	SkipDays      []int     `cbor:"17,keyasint,omitempty"`
	MovedTo       string    `cbor:"18,keyasint,omitempty"`
	MovedSince    int64     `cbor:"19,keyasint,omitempty"`
	MovedSeen     int       `cbor:"20,keyasint,omitempty"`
	Gone          bool      `cbor:"21,keyasint,omitempty"`
	Partial       bool      `cbor:"22,keyasint,omitempty"`
	NextFetch     int64     `cbor:"23,keyasint,omitempty"`
	NextReason    string    `cbor:"24,keyasint,omitempty"`
	Checks        []byte    `cbor:"25,keyasint,omitempty"` // differences, varint
	Days          []byte    `cbor:"26,keyasint,omitempty"` // as below; as CBOR they were two thirds of a poll's time
	Window        int       `cbor:"27,keyasint,omitempty"`
	GuidPolicy    uint8     `cbor:"28,keyasint,omitempty"`
	Extra         *extraRec `cbor:"29,keyasint,omitempty"`
}

// ItemRecord is an item but for its state and its body.
type ItemRecord struct {
	IDRaw        string      `cbor:"1,keyasint,omitempty"`
	Title        string      `cbor:"2,keyasint,omitempty"`
	Link         string      `cbor:"3,keyasint,omitempty"`
	Author       string      `cbor:"4,keyasint,omitempty"`
	Published    int64       `cbor:"5,keyasint,omitempty"`
	Updated      int64       `cbor:"6,keyasint,omitempty"`
	FirstSeen    int64       `cbor:"7,keyasint,omitempty"`
	Categories   []string    `cbor:"8,keyasint,omitempty"`
	Enclosures   []Enclosure `cbor:"9,keyasint,omitempty"`
	Words        uint32      `cbor:"10,keyasint,omitempty"`
	Edits        int         `cbor:"11,keyasint,omitempty"`
	Hash         uint64      `cbor:"12,keyasint,omitempty"`
	BodySize     int         `cbor:"13,keyasint,omitempty"`
	Was          string      `cbor:"14,keyasint,omitempty"` // see Row.Was
	Resurfaced   int         `cbor:"15,keyasint,omitempty"`
	ResurfacedAt int64       `cbor:"16,keyasint,omitempty"`
	Corrected    int         `cbor:"17,keyasint,omitempty"`
	CorrectAt    int64       `cbor:"18,keyasint,omitempty"`

	TextRemoved int64 `cbor:"19,keyasint,omitempty"`
}

func (r *FeedRecord) fields() [12]any {
	return [...]any{
		&r.URL, &r.Given, &r.Title, &r.Site, &r.Folder, &r.Tags, &r.Hidden, &r.Private, &r.Format, &r.Attrs,
		&r.Subscribed, &r.Removed,
	}
}

// Encode adds the record to dst.
func (r *FeedRecord) Encode(dst []byte) []byte {
	f := r.fields()
	return appendFields(dst, f[:])
}

// Decode reads what Encode wrote into an empty record; false if it is damaged.
func (r *FeedRecord) Decode(b []byte) bool {
	f := r.fields()
	return decodeFields(b, f[:])
}

func (r *PollRecord) fields() [29]any {
	return [...]any{
		&r.ETag, &r.LastModified, &r.ValidatorsFor, &r.BodyHash, &r.LastFetch, &r.LastOK, &r.LastNew, &r.Status,
		&r.Outcome, &r.Err, &r.Since, &r.Tries, &r.NotBefore, &r.NotBeforeBy, &r.TTL, &r.SkipHours, &r.SkipDays,
		&r.MovedTo, &r.MovedSince, &r.MovedSeen, &r.Gone, &r.Partial, &r.NextFetch, &r.NextReason, &r.Checks, &r.Days,
		&r.Window, &r.GuidPolicy, &r.Extra,
	}
}

// Encode adds the record to dst.
func (r *PollRecord) Encode(dst []byte) []byte {
	f := r.fields()
	return appendFields(dst, f[:])
}

// Decode reads what Encode wrote into an empty record; false if it is damaged.
func (r *PollRecord) Decode(b []byte) bool {
	f := r.fields()
	return decodeFields(b, f[:])
}

func (r *ItemRecord) fields() [19]any {
	return [...]any{
		&r.IDRaw, &r.Title, &r.Link, &r.Author, &r.Published, &r.Updated, &r.FirstSeen, &r.Categories, &r.Enclosures,
		&r.Words, &r.Edits, &r.Hash, &r.BodySize, &r.Was, &r.Resurfaced, &r.ResurfacedAt, &r.Corrected, &r.CorrectAt,
		&r.TextRemoved,
	}
}

// Encode adds the record to dst.
func (r *ItemRecord) Encode(dst []byte) []byte {
	f := r.fields()
	return appendFields(dst, f[:])
}

// Decode reads what Encode wrote into an empty record; false if it is damaged.
func (r *ItemRecord) Decode(b []byte) bool {
	f := r.fields()
	return decodeFields(b, f[:])
}

// Millis and Time leave a zero time zero. The instant 1970-01-01 itself is kept
// as 1 ms after it.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	if ms := t.UnixMilli(); ms != 0 {
		return ms
	}
	return 1
}

// msAfter is Millis rounded up, for a time before which nothing may be done, or
// from which such a time is counted: rounded down, it would be up to a
// millisecond too early, and a fetch would seem to precede what it followed.
func msAfter(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return Millis(t.Add(time.Millisecond - 1))
}

// Time is the opposite of Millis, in UTC.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Feed is the feed with its counters.
func (r *FeedRecord) Feed(id FeedID, c *Count) Feed {
	f := Feed{ID: id, URL: r.URL, Title: r.Given, GivenTitle: r.Given, FeedTitle: r.Title, Site: r.Site, Folder: r.Folder, Format: r.Format,
		Tags: r.Tags, Hidden: r.Hidden, AllowPrivate: r.Private, Attrs: r.Attrs, Subscribed: Time(r.Subscribed), Removed: r.Removed}
	if f.Title == "" {
		f.Title = r.Title
	}
	f.Items, f.Unread, f.Saved, f.Brought = c.Items, c.Unread, c.Saved, int(c.Next)-1
	if c.Next > 1 {
		f.LastPost = time.Unix(c.LastPost, 0).UTC()
	}
	return f
}

// NewPollRecord is the record of p.
func NewPollRecord(p *Poll) PollRecord {
	r := PollRecord{ETag: p.ETag, LastModified: p.LastModified, ValidatorsFor: p.ValidatorsFor, BodyHash: p.BodyHash,
		LastFetch: msAfter(p.LastFetch), LastOK: Millis(p.LastOK), LastNew: Millis(p.LastNew), Status: p.Status, Outcome: p.Outcome.String(), Err: p.Err,
		Since: Millis(p.Since), Tries: p.Tries, NotBefore: msAfter(p.NotBefore), NotBeforeBy: p.NotBeforeBy.String(), TTL: p.TTL.Milliseconds(),
		SkipHours: p.SkipHours, SkipDays: p.SkipDays, MovedTo: p.MovedTo, MovedSince: Millis(p.MovedSince), MovedSeen: p.MovedSeen,
		Gone: p.Gone, Partial: p.Partial, NextFetch: msAfter(p.NextFetch), NextReason: p.NextReason.String(),
		Window: p.Window, GuidPolicy: p.GuidPolicy, Extra: extraOf(p)}
	last := int64(0)
	for _, c := range p.Checks {
		r.Checks = binary.AppendVarint(r.Checks, c-last)
		last = c
	}
	for i, d := range p.Days {
		if d != (DayCount{}) {
			r.Days = append(r.Days, byte(i))
			r.Days = binary.AppendVarint(r.Days, int64(d.Day))
			for _, x := range []uint64{uint64(d.Requests), uint64(d.NotChanged), uint64(d.KB)} {
				r.Days = binary.AppendUvarint(r.Days, x)
			}
		}
	}
	return r
}

// Poll is the opposite of NewPollRecord; false if the record is damaged.
func (r *PollRecord) Poll() (Poll, bool) {
	p := Poll{ETag: r.ETag, LastModified: r.LastModified, ValidatorsFor: r.ValidatorsFor, BodyHash: r.BodyHash,
		LastFetch: Time(r.LastFetch), LastOK: Time(r.LastOK), LastNew: Time(r.LastNew), Status: r.Status, Outcome: parseAnswer(r.Outcome), Err: r.Err,
		Since: Time(r.Since), Tries: r.Tries, NotBefore: Time(r.NotBefore), NotBeforeBy: ParseWait(r.NotBeforeBy), TTL: time.Duration(r.TTL) * time.Millisecond,
		SkipHours: r.SkipHours, SkipDays: r.SkipDays, MovedTo: r.MovedTo, MovedSince: Time(r.MovedSince), MovedSeen: r.MovedSeen,
		Gone: r.Gone, Partial: r.Partial, NextFetch: Time(r.NextFetch), NextReason: ParseSlotReason(r.NextReason),
		Window: r.Window, GuidPolicy: r.GuidPolicy}
	d, last := codec.Reader{B: r.Checks}, int64(0)
	r.Extra.into(&p)
	for len(d.B) > 0 {
		last += d.Varint()
		p.Checks = append(p.Checks, last)
	}
	bad := d.Bad
	d = codec.Reader{B: r.Days}
	for len(d.B) > 0 {
		i := d.Byte()
		if int(i) >= len(p.Days) {
			return p, false
		}
		p.Days[i] = DayCount{int32(d.Varint()), uint16(d.Uvarint()), uint16(d.Uvarint()), uint32(d.Uvarint())}
	}
	return p, !bad && !d.Bad
}

// NewItemRecord is the record of it.
func NewItemRecord(it *Item) ItemRecord {
	r := ItemRecord{IDRaw: it.IDRaw, Title: it.Title, Link: it.Link, Author: it.Author, Published: Millis(it.Published), Updated: Millis(it.Updated),
		FirstSeen: Millis(it.FirstSeen), Categories: it.Categories, Enclosures: it.Enclosures, Words: uint32(max(it.Words, 0)), Edits: it.Edits, Hash: it.Hash, BodySize: it.BodySize,
		Resurfaced: it.Resurfaced, ResurfacedAt: Millis(it.ResurfacedAt), Corrected: it.Corrected, CorrectAt: Millis(it.CorrectedAt), TextRemoved: Millis(it.TextRemoved)}
	return r
}

// Item is the item with its state.
func (r *ItemRecord) Item(id ItemID, st *State) Item {
	it := Item{ID: id, IDRaw: r.IDRaw, Title: r.Title, Link: r.Link, Author: r.Author, Published: Time(r.Published), Updated: Time(r.Updated),
		FirstSeen: Time(r.FirstSeen), Categories: r.Categories, Enclosures: r.Enclosures, Words: int(r.Words), Flags: st.Flags, Edits: r.Edits, Hash: r.Hash, BodySize: r.BodySize,
		Resurfaced: r.Resurfaced, ResurfacedAt: Time(r.ResurfacedAt), Corrected: r.Corrected, CorrectedAt: Time(r.CorrectAt), TextRemoved: Time(r.TextRemoved)}
	it.Tags, it.Muted = SplitMuted(st.Flags, st.Tags)
	return it
}
