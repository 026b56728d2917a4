package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"slices"
	"time"

	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/scheduler"
	"diurna/store"
)

// The plan that is carried out outlives the process that made it. In the bucket
// "plan" of cache.db lie, written in one transaction with each new plan:
//
//	next    when each feed is fetched next, and why, for lists (plannedNext)
//	booked  the time booked for each feed, past times of feeds not fetched since included
//	opening the newest fetch that was made before a usual look (keptOpening)
//	step    the small record that says whether a step has anything to do (planStep)
//
// Where they are missing the next plan writes them again; nothing else is lost.
const (
	planBucket = "plan"
	nextKey    = "next"
	bookedKey  = "booked"
	stepKey    = "step"
)

// planStep says until when the plan at hand has nothing to do. It is read in one
// small transaction.
type planStep struct {
	Made  int64  `json:"made"`  // unix s
	Until int64  `json:"until"` // unix s of the first time booked, or of the reader's midnight
	Tx    uint64 `json:"tx"`    // the library's newest commit that the plan knows of
	Under uint64 `json:"under"` // the settings and the zone it was made under
}

// bookings are times booked by feed, unix s.
type bookings map[string]int64

// nothingDue reports whether the plan that some process made has nothing to do at
// this moment and still holds. It reads neither the feeds nor the facts.
func (r *Reader) nothingDue(ctx context.Context) bool {
	b, err := r.store.Cache().Get(ctx, planBucket, stepKey)
	if err != nil || b == nil {
		return false
	}
	var s planStep
	if json.Unmarshal(b, &s) != nil {
		return false
	}
	now := r.now()
	return s.Tx != 0 && s.Tx == r.store.Tx(ctx) && s.Under == r.planSettings(now) && now.Unix() >= s.Made && now.Unix() < s.Until
}

// planSettings is a number of all that plans depend on besides the library.
func (r *Reader) planSettings(now time.Time) uint64 {
	h := fnv.New64a()
	n := &r.opts.Net
	fmt.Fprint(h, r.opts.Version, r.opts.PerDay, n.MinPoll, n.MinManual, n.MinRetry, n.PerHostEvery, dayEnds(now).Unix())
	return h.Sum64()
}

// readBookings reads what keepPlan wrote; nil if there is nothing to read.
func (r *Reader) readBookings(ctx context.Context) bookings {
	b, err := r.store.Cache().Get(ctx, planBucket, bookedKey)
	if err != nil || b == nil {
		return nil
	}
	var list bookings
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// missed reports whether the time booked for a feed went by without a fetch.
func (b bookings) missed(f *store.Feed, now time.Time) bool {
	at, ok := b[f.ID.String()]
	return ok && at <= now.Unix() && at > lastFetch(&f.Poll, now).Unix() && !f.Poll.Gone && !model.IsPiped(f.URL)
}

// overdue are the feeds whose booked time went by without a fetch, longest ago
// first: for a command that fetches once each of them is due now. A process that
// goes on spreads them out by its plan.
func (r *Reader) overdue(ctx context.Context, feeds []store.Feed, now time.Time) []*store.Feed {
	booked := r.readBookings(ctx)
	var late []*store.Feed
	for i := range feeds {
		if booked.missed(&feeds[i], now) {
			late = append(late, &feeds[i])
		}
	}
	slices.SortFunc(late, func(a, b *store.Feed) int {
		return cmp.Or(cmp.Compare(booked[a.ID.String()], booked[b.ID.String()]), cmp.Compare(a.ID, b.ID))
	})
	return late
}

// book is what keepPlan writes as booked: the first time of each feed in the new
// plan, but where the time booked before went by without a fetch that one stays.
// until is when the first of them may be fetched, or the reader's midnight; left is
// what the day's budget pays now beyond what is kept for refreshes.
func (r *Reader) book(old bookings, slots []scheduler.Slot, feeds []store.Feed, left int, now time.Time) (list bookings, until time.Time) {
	list, until = bookings{}, dayEnds(now)
	for i := range slots {
		s := &slots[i]
		if _, ok := list[s.ID]; !ok {
			list[s.ID] = s.At.Unix()
		}
	}
	for _, at := range list {
		until = sooner(due{at: until}, due{at: time.Unix(at, 0)}).at
	}
	for i := range feeds {
		id := feeds[i].ID.String()
		if !old.missed(&feeds[i], now) {
			continue
		}
		list[id] = old[id]
		at := now
		if why, next := r.early(&feeds[i], now, false); why != "" {
			at = next // held back by its server; nothing to do until then
		}
		if soonest := now.Add(replanAfter); left <= 0 && at.Before(soonest) {
			at = soonest // what is kept is released as the day passes
		}
		until = sooner(due{at: until}, due{at: at}).at
	}
	return list, until
}

// keepPlan leaves word in cache.db of the plan: for lists and for the processes
// that carry it out after this one. Failing to write it costs nothing but that.
// tx is the library's newest commit before the feeds were read; left as in book.
func (r *Reader) keepPlan(ctx context.Context, slots []scheduler.Slot, feeds []store.Feed, left int, tx uint64, now time.Time) {
	next := map[string]plannedNext{}
	for _, s := range slots {
		if _, ok := next[s.ID]; !ok && s.At.After(now) {
			next[s.ID] = plannedNext{s.At.Unix(), s.Reason, lookOf(&s)}
		}
	}
	old := r.readBookings(ctx)
	booked, until := r.book(old, slots, feeds, left, now)
	step := planStep{Made: now.Unix(), Until: until.Unix(), Tx: tx, Under: r.planSettings(now)}
	vals := map[string][]byte{}
	for key, v := range map[string]any{nextKey: next, bookedKey: booked, stepKey: step} {
		b, err := json.Marshal(v)
		if err != nil {
			return
		}
		vals[key] = b
	}
	if err := r.store.Cache().Put(ctx, planBucket, vals); err != nil {
		slog.Debug("the plan could not be noted", "error", err)
	}
}

// abandonedAfter is how long a booked time must have gone by before doctor says
// that nobody carries out the plan: longer than a night without the machine.
const abandonedAfter = 18 * time.Hour

// abandoned says that feeds which may be fetched, and which the day's budget pays,
// were booked long ago and are not fetched by anybody.
func (r *Reader) abandoned(ctx context.Context, now time.Time) (Problem, bool, error) {
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return Problem{}, false, fmt.Errorf("read the feeds: %w", err)
	}
	booked := r.readBookings(ctx)
	since, late := now, 0
	for i := range feeds {
		f := &feeds[i]
		at := time.Unix(booked[f.ID.String()], 0)
		if _, ok := booked[f.ID.String()]; !ok { // the cache is gone: by the slowest plan there is
			at = lastFetch(&f.Poll, now).Add(24 * time.Hour)
		} else if !booked.missed(f, now) {
			continue
		}
		if why, _ := r.early(f, now, false); why != "" || f.Poll.Gone || model.IsPiped(f.URL) || now.Sub(at) < abandonedAfter {
			continue
		}
		late++
		if at.Before(since) && !f.Poll.LastFetch.IsZero() {
			since = at
		}
	}
	if late == 0 {
		return Problem{}, false, nil
	}
	b, err := r.budget(ctx, feeds, now)
	if err != nil || b.Used >= b.PerDay-r.opts.PlanFor.Reserve(b.PerDay) || since.Equal(now) {
		return Problem{}, false, err
	}
	return Problem{Place: "fetching", What: fmt.Sprintf("the plan has not been carried out since %s; %s overdue", wording.When(since, now), areOrIs(late)),
		Do: `diurna run    (or "diurna fetch" from cron every 10 minutes; an open screen fetches as well)`}, true, nil
}

func areOrIs(feeds int) string {
	if feeds == 1 {
		return "1 feed is"
	}
	return wording.Plural(feeds, "feed") + " are"
}
