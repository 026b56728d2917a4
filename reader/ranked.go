package reader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/reader/interest"
	"diurna/reader/query"
	"diurna/store"
)

// The face of ranking: orders of a list, why an item stands where it stands, and
// what a person says about it. The work is done by reader/interest.

// What ranking takes and gives.
type (
	Order       = interest.Order
	Arrangement = interest.Arrangement
	Spot        = interest.Spot
	Term        = interest.Term
	ReasonStep  = interest.ReasonStep
	ItemWhy     = interest.ItemWhy
	WhyLine     = interest.WhyLine
	Lesson      = interest.Feedback
	Sight       = interest.Impression
	Hindsight   = interest.Hindsight
)

// The orders.
const (
	Newest = interest.Newest
	Oldest = interest.Oldest
	Ranked = interest.Ranked
	Rare   = interest.Rare
	Paper  = interest.Paper
)

// OpensNeeded is how many opened items Ranked needs.
const OpensNeeded = interest.OpensNeeded

// ParseOrder reads "newest", "oldest", "ranked", "rare" or "paper".
func ParseOrder(s string) (Order, bool) { return interest.ParseOrder(s) }

// Spots are the spots of rows.
func Spots(rows []Row) []Spot { return interest.Spots(rows) }

// Thousandths writes a chance as people read it here: ".114".
func Thousandths(p float64) string { return interest.Thousandths(p) }

// Arrange orders spots; screen is how many rows are seen at once (0: 20). Nothing
// is added and nothing left out.
// progress, which may be nil, hears how many of the items that were never looked at
// are by now; it must not block.
func (r *Reader) Arrange(ctx context.Context, o Order, rows []Spot, screen int, progress func(done, of int)) (Arrangement, error) {
	switch o {
	case Ranked, Paper:
		return r.interest.Arrange(ctx, o, rows, screen, progress)
	case Rare:
		rates, err := r.plan.Rates(ctx, r.now())
		if err != nil {
			return Arrangement{Order: o}, err
		}
		return interest.Sort(o, rows, rates), nil
	}
	return interest.Sort(o, rows, nil), nil
}

// WhyItem explains an item; screen as in Arrange.
func (r *Reader) WhyItem(ctx context.Context, id ItemID, screen int) (ItemWhy, error) {
	items, err := r.Items(ctx, []ItemID{id})
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone) || err == nil && len(items) == 0 {
		return ItemWhy{}, &said{fmt.Sprintf("there is no item %s", id), ErrNotFound}
	}
	if err != nil {
		return ItemWhy{}, err
	}
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return ItemWhy{}, err
	}
	q := interest.Question{ID: id, Title: items[0].Title, Screen: screen, Feeds: titles(feeds)}
	if items[0].Unread {
		q.River = func() ([]Spot, error) {
			rows, err := r.Rows(ctx, query.Unread(), 0)
			return Spots(rows), err
		}
	}
	w, err := r.interest.Explain(ctx, q)
	if f := feeds[id.Feed()]; f != nil {
		w.FeedAge = f.Subscribed
	}
	return w, err
}

func titles(feeds map[FeedID]*Feed) interest.Titles {
	return func(id FeedID) (string, bool) {
		f := feeds[id]
		if f == nil {
			return "", false
		}
		return f.Title, true
	}
}

// Teach notes feedback as one step. The answer says what was taught, in words.
func (r *Reader) Teach(ctx context.Context, lessons ...Lesson) (Done, string, error) {
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return Done{}, "", err
	}
	return r.interest.Train(ctx, r.now(), titles(feeds), lessons)
}

// Freeze switches learning off, or on again, as one step.
func (r *Reader) Freeze(ctx context.Context, on bool) (Done, error) {
	return r.interest.Freeze(ctx, r.now(), on)
}

// ResetEvidence forgets all that was learned, as one step. Pins and what is left
// out stay.
func (r *Reader) ResetEvidence(ctx context.Context) (Done, error) {
	return r.interest.Reset(ctx, r.now())
}

// ForgetEvidence takes what facts since then tell about interest out of the log:
// it rewrites it and cannot be undone. It returns the number of facts.
func (r *Reader) ForgetEvidence(ctx context.Context, since time.Time) (int, error) {
	return r.interest.Forget(ctx, since)
}

// Evidence sums up what was learned.
type Evidence struct {
	interest.Evidence
	Pinned, LeftOut []Feed
}

// Evidence says what was learned.
func (r *Reader) Evidence(ctx context.Context) (Evidence, error) {
	e, err := r.interest.Evidence(ctx)
	if err != nil {
		return Evidence{}, err
	}
	feeds, err := r.Feeds(ctx)
	out := Evidence{Evidence: e}
	for _, f := range feeds {
		switch f.Attrs[interest.LearningField] {
		case interest.Pinned:
			out.Pinned = append(out.Pinned, f)
		case interest.LeftOut:
			out.LeftOut = append(out.LeftOut, f)
		}
	}
	return out, err
}

// EvidenceText writes the evidence as a table, for a text editor: kind, name,
// opened and not opened in decayed counts, with tabs between them.
func (r *Reader) EvidenceText(ctx context.Context) ([]byte, error) {
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return nil, err
	}
	return r.interest.Table(ctx, titles(feeds))
}

// ApplyEvidence makes the evidence what the edited table says, as one step.
func (r *Reader) ApplyEvidence(ctx context.Context, text []byte) (Done, error) {
	return r.interest.ApplyTable(ctx, r.now(), text)
}

// Saw notes which items stood on the screen long enough to be read, until at, with
// the best row of each.
func (r *Reader) Saw(ctx context.Context, at time.Time, sights []Sight) error {
	return r.interest.Shown(ctx, r.now(), at, sights)
}

// OpenFound is Open for an item that was searched for: it says nothing about what
// a list should show first.
func (r *Reader) OpenFound(ctx context.Context, id ItemID) (Article, error) {
	return r.openAs(ctx, id, interest.FromSearch)
}

// RankedHindsight replays the log: what of the newest opens, of the last 28 days
// where opens is 0, would have stood on the first screen of rows rows. Total says
// how many items were opened ever; below OpensNeeded nothing is replayed.
func (r *Reader) RankedHindsight(ctx context.Context, rows, opens int) (Hindsight, error) {
	return r.interest.Hindsight(ctx, r.now().AddDate(0, 0, -statDays), rows, opens)
}
