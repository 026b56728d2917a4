package fulltext

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"diurna/reader/plain"
	"diurna/reader/revision"
	"diurna/store"
)

// Text is what is kept of the page of an item: its article, or why it has none.
type Text struct {
	At     time.Time `json:"at"`               // when it was fetched
	Why    Reason    `json:"why,omitempty"`    // None: there is an article
	Detail string    `json:"detail,omitempty"` // what happened, a sentence, where Why alone says less
	Tries  int       `json:"tries,omitempty"`  // in a row that gave none
	After  time.Time `json:"after,omitzero"`   // the server asks not to be asked before
	Title  string    `json:"title,omitempty"`
	HTML   string    `json:"html,omitempty"`
	Base   string    `json:"base,omitempty"` // where it was served: what is left relative is relative to it
	Words  int       `json:"words,omitempty"`
}

// Sentence says why there is no article, without a full stop; "" if there is one.
func (t *Text) Sentence() string {
	return cmp.Or(t.Detail, t.Why.Sentence())
}

// Store is what is needed of the library to keep texts.
type Store interface {
	Notes
	File(ctx context.Context, now time.Time, filings []store.Filing) ([]store.Filed, error)
}

// Texts of a feed lie among what is remembered of addresses, and every version of the
// library's format carries them along.
func keyOf(id store.ItemID) uint64 { return store.NoteOfText(id) }

// version is the first byte of what is kept. What watched pages keep begins with a
// length, which is never 1.
const version = 1

// IsNote reports whether a note is one of an item's page.
func IsNote(b []byte) bool { return len(b) > 0 && b[0] == version }

func (t *Text) encode() ([]byte, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	packed, err := revision.Pack(nil, b)
	return append([]byte{version}, packed...), err
}

// decode reads what encode wrote. What it cannot read it takes for nothing: a page
// can be fetched once more.
func decode(b []byte) (t Text, ok bool) {
	if !IsNote(b) {
		return t, false
	}
	raw, err := revision.Unpack(nil, b[1:])
	if err != nil || json.Unmarshal(raw, &t) != nil || int(t.Why) >= len(reasons) || (t.Why == None) != (t.HTML != "") {
		return Text{}, false
	}
	t.HTML = plain.HTML(t.HTML, MaxText) // the last way out: it lay in a file since
	return t, true
}

// Of reads the text of an item; ok is false if its page was never fetched.
func Of(ctx context.Context, s Notes, id store.ItemID) (t Text, ok bool, err error) {
	err = s.NotesAt(ctx, []store.NotePlace{{Feed: id.Feed(), Key: keyOf(id)}}, func(_ int, b []byte) { t, ok = decode(b) })
	return t, ok, err
}

// Notes reads what is kept.
type Notes interface {
	NotesAt(ctx context.Context, places []store.NotePlace, visit func(i int, note []byte)) error
}

// HTMLOf reads the whole texts of those items that have one.
func HTMLOf(ctx context.Context, s Notes, ids []store.ItemID) (map[store.ItemID]string, error) {
	places := make([]store.NotePlace, len(ids))
	for i, id := range ids {
		places[i] = store.NotePlace{Feed: id.Feed(), Key: keyOf(id)}
	}
	whole := map[store.ItemID]string{}
	err := s.NotesAt(ctx, places, func(i int, b []byte) {
		if t, ok := decode(b); ok && t.HTML != "" {
			whole[ids[i]] = t.HTML
		}
	})
	return whole, err
}

// Put keeps what came of the page of an item, in the place of what there was; nil
// removes it. ErrUnknown: its feed is not subscribed to any more.
func Put(ctx context.Context, s Store, now time.Time, id store.ItemID, t *Text) error {
	var b []byte
	if t != nil {
		var err error
		if b, err = t.encode(); err != nil {
			return fmt.Errorf("pack the full text of %s: %w", id, err)
		}
	}
	filing := store.Filing{Feed: id.Feed(), Page: &store.PageFiling{Notes: map[uint64][]byte{keyOf(id): b}}}
	filed, err := s.File(ctx, now, []store.Filing{filing})
	if err == nil {
		err = errors.Join(filed[0].Err)
	}
	if err != nil {
		return fmt.Errorf("keep the full text of %s: %w", id, err)
	}
	return nil
}
