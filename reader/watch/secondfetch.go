package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/page"
	"diurna/reader/web"
	"diurna/reader/wording"
	"diurna/store"
)

// SecondOutcome is how the second fetch of a new watch ended.
type SecondOutcome uint8

// The outcomes. With the first two something was learned.
const (
	SecondSame    SecondOutcome = iota // the page read the same
	SecondDiffers                      // places changed by themselves
	SecondCopy                         // the answer was a stored copy of the first one
	SecondFailed                       // another answer or none came: a state of the page from now on
	SecondSkipped                      // it was not asked for
)

var secondNames = [...]string{"same", "differs", "copy", "failed", "skipped"}

// String returns the word used in JSON.
func (o SecondOutcome) String() string { return secondNames[o] }

// Second is what the second fetch of a new watch showed.
type Second struct {
	Outcome SecondOutcome
	Places  int    // SecondDiffers: how many places changed by themselves
	Why     string // SecondFailed, SecondSkipped: the reason, a clause
}

// secondWait says how long to wait before the second fetch of a page that was just
// fetched, or why there is none.
func (ps *Pages) secondWait(h *web.Answer) (wait time.Duration, why string) {
	switch {
	case ps.second < 0:
		return 0, ""
	case h.Result.Wait > ps.second:
		return 0, "the server asks to be left alone for " + wording.Spoken(h.Result.Wait)
	}
	return ps.second, ""
}

// SecondFetch fetches a page that Watch just returned once more, after a few
// seconds and without validators: what differs then changes by itself and is
// volatile from now on. Ended by ctx before that, it changes nothing.
func (ps *Pages) SecondFetch(ctx context.Context, w Watched) (Second, error) {
	skip := func(why string) (Second, error) { return Second{Outcome: SecondSkipped, Why: why}, nil }
	if w.Second <= 0 {
		return skip(w.NoSecond)
	}
	timer := time.NewTimer(w.Second)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return Second{}, ctx.Err()
	}
	f, err := ps.pageFeed(ctx, w.Page.Key)
	switch {
	case errors.Is(err, ErrNotWatched):
		return skip("it is no longer watched")
	case err != nil:
		return Second{}, err
	case !f.Poll.LastFetch.Equal(w.Page.LastFetch):
		return skip("it was fetched meanwhile")
	case f.Poll.BusyRun > 0:
		return skip("its host asked to wait, at another of its feeds")
	}
	done, ok := ps.fetcher.Claim(f)
	if !ok {
		return skip("it is being fetched right now")
	}
	defer done()
	return ps.fetchAgain(ctx, f, w.sent)
}

// fetchAgain makes the second request, without validators, and files its answer.
func (ps *Pages) fetchAgain(ctx context.Context, f *store.Feed, first sent) (Second, error) {
	notes, err := ps.notesOf(ctx, f.ID)
	if err != nil {
		return Second{}, err
	}
	l := watchTarget{note: notes[0], second: true}
	l.h = ps.getPage(ctx, f.URL, validators{}, f.AllowPrivate)
	if ctx.Err() != nil {
		return Second{}, ctx.Err()
	}
	copied := first.copied(&l.h)
	if copied {
		l.h.Err, l.h.Same = nil, true
	} else if l.h.Err == nil && l.h.Hash == f.Poll.BodyHash {
		l.h.Same = true
	}
	l.got = l.h
	if err := ps.weigh(ctx, f, &l); err != nil {
		return Second{}, err
	}
	g := &Visit{feed: f, h: l.h, targets: []watchTarget{l}}
	if err := ps.fetcher.FileVisit(ctx, g, false); err != nil {
		return Second{}, err
	}
	switch {
	case copied:
		return Second{Outcome: SecondCopy}, nil
	case l.h.Err != nil:
		return Second{Outcome: SecondFailed, Why: l.h.Err.Error()}, nil
	case l.places == 0:
		return Second{Outcome: SecondSame}, nil
	}
	return Second{Outcome: SecondDiffers, Places: l.places}, nil
}

// learn has the memory take up what differs between the first fetch of a page and
// its second one, of which nothing else is kept.
func (l *watchTarget) learn(first, second []byte, o page.Options) error {
	memory, places, err := o.Memory.Twice(first, second, o)
	if err != nil {
		return fmt.Errorf("compare two fetches: %w", err)
	}
	l.places = places
	l.note.memory, err = memory.MarshalBinary()
	return err
}

// sent is what an answer says of when it was made.
type sent struct {
	at, date time.Time
	age      time.Duration
}

func sentOf(h *web.Answer) sent { return sent{h.At, h.Result.Date, h.Result.Age} }

// copied reports whether an answer is a stored copy of the first one: it says "not
// changed" although nothing was named to compare with, or it was made before the
// first one came. Ages are whole seconds (RFC 9111, 5.1).
func (s sent) copied(h *web.Answer) bool {
	var fe *fetch.Error
	if errors.As(h.Err, &fe) && fe.Kind == fetch.KindNotAsked {
		return true
	}
	age := h.Result.Age
	if h.Err != nil || age == 0 {
		return false
	}
	return age > s.age && !s.date.IsZero() && h.Result.Date.Equal(s.date) || age >= h.At.Sub(s.at)+time.Second
}
