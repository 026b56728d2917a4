package record

import (
	"strings"
	"time"
)

// Flags are an item's state in a list.
type Flags uint8

// The flags.
const (
	FlagRead    Flags = 1
	FlagSaved   Flags = 2
	FlagChanged Flags = 4 // edited by its publisher after it was read, or a change of a watched page; Opened clears it
	FlagGone    Flags = 8 // its row was removed by retention: it is in no list, and known by its keys alone
)

// With is f with a bit set or cleared.
func (f Flags) With(bit Flags, on bool) Flags {
	if on {
		return f | bit
	}
	return f &^ bit
}

// Enclosure is a file that comes with an item, as its record has it.
type Enclosure struct {
	URL    string `cbor:"1,keyasint,omitempty"`
	Type   string `cbor:"2,keyasint,omitempty"` // media type
	Title  string `cbor:"3,keyasint,omitempty"`
	Length int64  `cbor:"4,keyasint,omitempty"` // bytes; 0: unknown
	// Seconds is how long it plays; 0: unknown.
	Seconds int32 `cbor:"5,keyasint,omitempty"`
}

func (e *Enclosure) fields() [5]any {
	return [...]any{&e.URL, &e.Type, &e.Title, &e.Length, &e.Seconds}
}

// Item is everything about an item but its body.
type Item struct {
	ID                            ItemID
	IDRaw, Title, Link, Author    string
	Published, Updated, FirstSeen time.Time // zero: unknown
	Categories                    []string
	Enclosures                    []Enclosure
	Words                         int
	Flags                         Flags
	Tags                          []string
	Edits                         int       // by the publisher
	Resurfaced                    int       // how often an edit made it unread again
	ResurfacedAt                  time.Time // the last time
	Hash                          uint64    // of the content, the filer's
	BodySize                      int       // bytes of HTML and Summary
	Muted                         int       // number of the rule that mutes it, with FlagRead; 0: none
	Corrected                     int       // how often a Correction was taken
	CorrectedAt                   time.Time // the last time
	TextRemoved                   time.Time // by retention; zero: the text is whole
}

// Body is an item's text as it was filed; or, once that was removed, what stays of it.
type Body struct {
	HTML, Summary string
	Words         string // of a text that was removed, for Ranked alone
}

// wordsMark stands between Summary and Words. No text has it: feeds are read without NUL.
const wordsMark = "\000 "

// BodyOf is the body without HTML whose Summary and Words lie in one text, as Kept gives it.
//
//go:noinline
func BodyOf(kept string) Body {
	if s, words, _ := strings.Cut(kept, wordsMark); words != "" {
		return Body{Summary: s, Words: words}
	}
	return Body{Summary: kept}
}

// Kept is Summary and Words in one text.
//
//go:noinline
func (b *Body) Kept() string {
	if b.Words == "" {
		return b.Summary
	}
	return b.Summary + wordsMark + b.Words
}

// Size is in bytes, as it is stored.
//
//go:noinline
func (b *Body) Size() int { return len(b.HTML) + len(b.Kept()) }

// Revision is what an item said before its publisher edited it. Until is when
// the edit was filed.
type Revision struct {
	Until time.Time
	Title string
	Body  Body
}

// Match is a stored item that has one of the keys asked for.
type Match struct {
	N                   uint32
	Hash                uint64
	Flags               Flags
	Title, Link, Author string
	Published           time.Time
	Categories          []string
	Enclosures          []Enclosure
	Corrected           int
	CorrectedAt         time.Time
	Muted               bool
}

// Match is what of an item tells it from others.
func (it *Item) Match() Match {
	return Match{it.ID.N(), it.Hash, it.Flags, it.Title, it.Link, it.Author, it.Published, it.Categories, it.Enclosures, it.Corrected, it.CorrectedAt, it.Muted != 0}
}
