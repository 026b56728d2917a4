package ui

import (
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

// The sentences that stand in more than one place or need choosing.
const (
	addIntro             = "Nothing is subscribed yet. Paste or type an address: a site, a feed, a video channel, a code repository, or a path to an OPML or urls file."
	sayNothingSubscribed = "Nothing is subscribed. a adds a feed, :import takes an OPML or urls file."
	sayNoUnsubscribe     = "D unsubscribes, on rows of Feeds. Here: m read, A all read."
	sayHelp              = "? shows all keys"
	sayStopped           = "Stopped. Nothing was changed."
	sayGone              = "This is not in the library any more. Nothing was changed."
	tellRead             = "Marked %s read in %s. u undoes."
)

// errNothingHere: u in an article or a diff in which nothing was done.
var errNothingHere = errors.New("nothing was done here since it was opened")

// sentence makes an error a sentence for the last row: one line, plain, with a
// capital letter and a full stop.
func sentence(err error) string {
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

// takenBack is the sentence for acts that could not be kept.
func takenBack(err error, at time.Time) string {
	what := fmt.Sprintf("What you marked at %s could not be kept and was taken back.", clock(at))
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. " + what + " Reading goes on; free some space and mark it again."
	}
	if errors.Is(err, reader.ErrReadOnly) {
		return "The library cannot be written. " + what
	}
	return sentence(err) + " " + what
}

// sayRiverEmpty is the sentence of a River without rows.
func (m *model) sayRiverEmpty(s *scene) string {
	if len(s.Order) == 0 {
		return sayNothingSubscribed
	}
	say := "Nothing unread in River."
	read := 0
	var due *reader.Feed
	for i := range s.Order {
		f := &s.Order[i]
		read += f.Items - f.Unread
		if !f.NextFetch.IsZero() && (due == nil || f.NextFetch.Before(due.NextFetch)) {
			due = f
		}
	}
	if read > 0 {
		say += fmt.Sprintf(" %s are here: & then \"read\" shows them.", wording.Plural(read, "read item"))
	}
	if due != nil {
		say += fmt.Sprintf(" Next fetch %s (%s).", wording.Due(due.NextFetch, s.Now), due.Title)
	}
	return say
}

// sayFeed is the whole sentence about a feed that fails, or when a sound one
// is fetched next.
func sayFeed(f *reader.Feed, now time.Time) string {
	if f.InTrouble() {
		say := f.Title + ": " + troubleOf(f, now)
		if f.Tries > 1 {
			say += fmt.Sprintf(" (%d tries)", f.Tries)
		}
		say += "."
		if f.Items > 0 {
			say += " " + kept(f.Items) + "."
		}
		return say + " D unsubscribes."
	}
	say := f.Title + ": "
	if f.LastFetch.IsZero() {
		say += "not fetched yet."
	} else {
		say += "last fetch " + wording.When(f.LastFetch, now) + "."
	}
	if !f.NextFetch.IsZero() {
		say += " Next: " + wording.Due(f.NextFetch, now)
		if f.NextReason != "" {
			say += " (" + f.NextReason + ")"
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

// kept is "Its 212 items are kept".
func kept(n int) string {
	if n == 1 {
		return "Its one item is kept"
	}
	return fmt.Sprintf("Its %s items are kept", wording.Count(n))
}

// sayFetched sums up what r or R brought.
func (m *model) sayFetched(msg fetchedMsg) string {
	r := &msg.report
	if len(msg.byHand) == 1 && len(r.Results) == 1 {
		return m.sayOne(&r.Results[0])
	}
	parts := []string{fmt.Sprintf("%s fetched", wording.Count(r.Fetched))}
	if r.Early > 0 {
		parts = append(parts, wording.Count(r.Early)+" fetched within the hour")
	}
	if r.Waiting > 0 {
		parts = append(parts, wording.Count(r.Waiting)+" asked to wait")
	}
	if r.Failed > 0 {
		parts = append(parts, wording.Count(r.Failed)+" failed (w in Feeds)")
	}
	return fmt.Sprintf("R: %s. %s new.", strings.Join(parts, ", "), wording.Count(r.New))
}

// sayOne tells how one feed fared.
func (m *model) sayOne(r *reader.FetchResult) string {
	say := ""
	switch r.Outcome {
	case reader.OutcomeFailed:
		say = r.Title + ": " + r.Err
		if f := m.Feeds[r.Feed]; f != nil && f.Items > 0 {
			say += ". " + kept(f.Items)
		}
		return say + "."
	case reader.OutcomeEarly:
		say = r.Title + " was fetched a short while ago"
		if f := m.Feeds[r.Feed]; f != nil && !f.LastFetch.IsZero() {
			say = r.Title + " was fetched just now"
			if n := int(m.Now.Sub(f.LastFetch).Minutes()); n > 0 {
				say = fmt.Sprintf("%s was fetched %s ago", r.Title, wording.Plural(n, "minute"))
			}
		}
		switch {
		case strings.HasPrefix(r.Why, "the server"):
			say += " and " + r.Why
		case r.Why != "":
			say += ": " + r.Why
		}
		if !r.Next.IsZero() {
			say += ". Next: " + wording.Due(r.Next, m.Now) + ", by itself"
		}
		return say + "."
	case reader.OutcomeNotChanged:
		say = r.Title + ": nothing new."
		if r.Why != "" {
			say = r.Title + ": " + r.Why + "."
		}
	case reader.OutcomeEdited:
		say = fmt.Sprintf("%s: %s edited, nothing new.", r.Title, wording.Count(r.Edited))
	default:
		say = fmt.Sprintf("%s: %s new.", r.Title, wording.Count(r.New))
	}
	if !r.Next.IsZero() {
		say += " Next: " + wording.Due(r.Next, m.Now) + "."
	}
	return say
}

// addError is the sentence for an address that brings nothing; known is the
// feed that is there already.
func (m *model) addError(err error) (say string, known reader.FeedID) {
	var k *reader.KnownError
	if errors.As(err, &k) {
		return sentence(err) + " Enter goes there.", k.Feed.Key
	}
	say = sentence(err)
	if errors.Is(err, reader.ErrPrivate) && !strings.Contains(say, "--allow-private") {
		say += " It is fetched only if you say so: diurna add --allow-private URL"
	}
	return say, 0
}

// titleOf is what stands for an item without a title.
func titleOf(title string) string {
	if title == "" {
		return "(no title)"
	}
	return title
}

// rowTitle is the title on a row, with the one it had when it was read.
func rowTitle(r *reader.Row) string {
	title := titleOf(r.Title)
	if r.Flags&reader.FlagChanged != 0 && r.Was != "" {
		title += " (was: " + r.Was + ")"
	}
	return title
}
