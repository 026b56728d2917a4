package ui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// The sentences that stand in more than one place or need choosing.
const (
	sayGone  = "This is not in the library any more. Nothing was changed."
	tellRead = "Marked %s read in %s. u undoes."
)

// errNothingHere: u in an article or a diff in which nothing was done.
var errNothingHere = errors.New("nothing was done here since it was opened")

// takenBack is the sentence for acts that could not be kept.
func takenBack(err error, at time.Time) string {
	what := fmt.Sprintf("What you marked at %s could not be kept and was taken back.", view.Clock(at))
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. " + what + " Reading goes on; free some space and mark it again."
	}
	if errors.Is(err, reader.ErrReadOnly) {
		return "The library cannot be written. " + what
	}
	return view.Sentence(err) + " " + what
}

// sayFetched sums up what r or R brought, each feed in one of its numbers.
func (m *model) sayFetched(msg fetchedMsg) string {
	r := &msg.report
	if len(msg.byHand) == 1 && len(r.Results) == 1 {
		return m.sayOne(&r.Results[0])
	}
	parts := []string{fmt.Sprintf("%s fetched", wording.Count(r.Fetched-r.Failed))}
	if n := r.Early - r.Waiting; n > 0 {
		parts = append(parts, wording.Count(n)+" up to date")
	}
	if r.Waiting > 0 {
		parts = append(parts, wording.Count(r.Waiting)+" waiting")
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
			say += ". " + view.KeptItems(f.Items)
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
		case r.Rule == reader.RuleServer:
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
