package lastrow

import (
	"fmt"
	"strings"
	"time"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Fetched sums up what r (one feed) or R brought, each feed in one of its numbers.
// feeds are the feeds of the library as they were before.
func Fetched(r *reader.FetchReport, one bool, feeds map[reader.FeedID]*reader.Feed, now time.Time) string {
	if one && len(r.Results) == 1 {
		res := &r.Results[0]
		return fetchedOne(res, feeds[res.Feed], now)
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

// fetchedOne tells how one feed fared; f is nil for one that is not known yet.
func fetchedOne(r *reader.FetchResult, f *reader.Feed, now time.Time) string {
	say := ""
	switch r.Outcome {
	case reader.OutcomeFailed:
		say = r.Title + ": " + r.Err
		if f != nil && f.Items > 0 {
			say += ". " + view.KeptItems(f.Items)
		}
		return say + "."
	case reader.OutcomeEarly:
		say = r.Title + " was fetched a short while ago"
		if f != nil && !f.LastFetch.IsZero() {
			say = r.Title + " was fetched just now"
			if n := int(now.Sub(f.LastFetch).Minutes()); n >= 120 {
				say = r.Title + " was fetched " + wording.When(f.LastFetch, now)
			} else if n > 0 {
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
			say += ". Next: " + wording.Due(r.Next, now) + ", automatically"
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
		say += " Next: " + wording.Due(r.Next, now) + "."
	}
	return say
}
