package view

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"diurna/reader"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

// Sentences and words that several views say.

const (
	SayNothingSubscribed = "Nothing is subscribed. a adds a feed, :import takes an OPML or urls file."
	SayStopped           = "Stopped. Nothing was changed."
)

// Sentence makes an error a sentence for the last row: one line, plain, with a
// capital letter and a full stop.
func Sentence(err error) string {
	if err == nil {
		return ""
	}
	// The library's own troubles have sentences; what the system calls them, with
	// paths and all, would not fit two rows.
	switch {
	case errors.Is(err, reader.ErrFull):
		return "The disk is full. Nothing was changed; free some space and try again."
	case errors.Is(err, reader.ErrReadOnly):
		return "The library cannot be written. Nothing was changed."
	}
	s := plain.Redact(plain.Line(err.Error(), 400))
	if errors.Is(err, reader.ErrNewer) {
		s += ". Nothing was opened"
	}
	if s == "" {
		return "Something went wrong without a word."
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if last := s[len(s)-1]; last != '.' && last != '"' && last != ')' {
		s += "."
	}
	return s
}

// SayFeed is the whole sentence about a feed that fails, or when a sound one
// is fetched next.
func SayFeed(f *reader.Feed, now time.Time) string {
	if f.InTrouble() {
		say := f.Title + ": " + Reason(f, now) + "."
		if f.Items > 0 {
			say += " " + KeptItems(f.Items) + "."
		}
		return say
	}
	say := f.Title + ": "
	switch {
	case f.SavesPages():
		return say + "what diurna save keeps; nothing is fetched for it."
	case f.LastFetch.IsZero():
		say += "not fetched yet."
	default:
		say += "last fetch " + wording.When(f.LastFetch, now) + "."
	}
	if !f.NextFetch.IsZero() {
		say += " Next: " + wording.Due(f.NextFetch, now)
		if f.NextReason != 0 {
			say += " (" + f.NextReason.String() + ")"
		}
		say += "."
	}
	if f.NotBefore.After(now) {
		say += " Not before " + wording.Due(f.NotBefore, now)
		if f.NotBeforeBy != (reader.Wait{}) {
			say += " (" + f.NotBeforeBy.String() + ")"
		}
		say += "."
	}
	return say
}

// Reason is TroubleOf with how often it was tried; of a feed that diurna itself
// refuses it is what allows it, short enough for one row.
func Reason(f *reader.Feed, now time.Time) string {
	if f.Refused() {
		return "refused by diurna: private address; i allows it"
	}
	say := TroubleOf(f, now)
	if f.Tries > 1 {
		say += fmt.Sprintf(" (%d tries)", f.Tries)
	}
	return say
}

// KeptItems is "Its 212 items are kept".
func KeptItems(n int) string {
	if n == 1 {
		return "Its one item is kept"
	}
	return fmt.Sprintf("Its %s items are kept", wording.Count(n))
}

// NoTitle stands for the title of an item without one.
const NoTitle = "(no title)"

// TitleOf is what stands for an item without a title.
//
//go:noinline // 20 places
func TitleOf(title string) string { return TitleOr(title, "") }

// TitleOr is TitleOf with the first words of the text behind what stands for a title.
//
//go:noinline // 14 places
func TitleOr(title, lead string) string {
	if title == "" {
		return strings.TrimSpace(NoTitle + " " + lead)
	}
	return title
}

// TroubleOf is the reason that stands in place of a feed's two times.
func TroubleOf(f *reader.Feed, now time.Time) string {
	say := reader.Reason(f)
	if f.State == reader.FeedMoved || f.Since.IsZero() {
		return say
	}
	return say + " since " + SinceDay(f.Since, now)
}

// SinceDay is a day in a sentence: "10:31", "12 Nov".
func SinceDay(t, now time.Time) string {
	if !t.Before(wording.Midnight(now)) {
		return Clock(t.In(now.Location()))
	}
	return strings.TrimPrefix(wording.When(t, now), "today ")
}

// Broken reports whether a page is in a state that needs a hand or an eye.
//
//go:noinline // 8 places
func Broken(p *reader.Page) bool { return p.State.Trouble() }

// PageTrouble says what is wrong with a page, and since when.
func PageTrouble(pg *reader.Page, now time.Time) string {
	why := cmp.Or(pg.Error, pg.State.String())
	if pg.Since.IsZero() {
		return why
	}
	return why + " since " + SinceDay(pg.Since, now)
}

// SayLetters says which letters a key waits for.
func SayLetters(key string, letters []Binding) string {
	say := key + ":"
	for i := range letters {
		say += " " + letters[i].Keys[0] + " " + letters[i].Help + " "
	}
	return say + " Esc leaves"
}
