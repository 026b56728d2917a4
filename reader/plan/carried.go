package plan

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
	"diurna/scheduler"
	"diurna/store"
)

// The plan that is carried out outlives the process that made it. In the bucket
// "plan" of cache.db lie, written in one transaction with each new plan:
//
//	next    when each feed is fetched next, and why, for lists (Noted)
//	booked  the time booked for each feed, past times of feeds not fetched since included
//	opening the newest fetch that was made before a usual look (see opening.go)
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

// NothingDue reports whether the plan that some process made has nothing to do at
// this moment and still holds. It reads neither the feeds nor the facts.
func (p *Planner) NothingDue(ctx context.Context, now time.Time) bool {
	b, err := p.lib.Cache().Get(ctx, planBucket, stepKey)
	if err != nil || b == nil {
		return false
	}
	var s planStep
	if json.Unmarshal(b, &s) != nil {
		return false
	}
	return s.Tx != 0 && s.Tx == p.lib.Tx(ctx) && s.Under == p.settings(now) && now.Unix() >= s.Made && now.Unix() < s.Until
}

// settings is a number of all that plans depend on besides the library.
func (p *Planner) settings(now time.Time) uint64 {
	h := fnv.New64a()
	o := &p.opts
	fmt.Fprint(h, o.Version, o.PerDay, o.MinPoll, o.MinManual, o.MinRetry, o.HostGap, model.DayEnds(now).Unix())
	return h.Sum64()
}

// readBookings reads what keepPlan wrote; nil if there is nothing to read.
func (p *Planner) readBookings(ctx context.Context) bookings {
	b, err := p.lib.Cache().Get(ctx, planBucket, bookedKey)
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
func (p *Planner) overdue(ctx context.Context, feeds []store.Feed, now time.Time) []*store.Feed {
	booked := p.readBookings(ctx)
	var late []*store.Feed
	for i := range feeds {
		if booked.missed(&feeds[i], now) {
			late = append(late, &feeds[i])
		}
	}
	slices.SortStableFunc(late, func(a, b *store.Feed) int {
		return cmp.Or(cmp.Compare(booked[a.ID.String()], booked[b.ID.String()]), cmp.Compare(a.ID, b.ID))
	})
	return late
}

// book is what keepPlan writes as booked: the first time of each feed in the new
// plan, but where the time booked before went by without a fetch that one stays.
// until is when the first of them may be fetched, or the reader's midnight; left is
// what the day's budget pays now beyond what is kept for refreshes.
func (p *Planner) book(old bookings, slots []scheduler.Slot, feeds []store.Feed, left int, now time.Time) (list bookings, until time.Time) {
	list, until = bookings{}, model.DayEnds(now)
	for i := range slots {
		s := &slots[i]
		if _, ok := list[s.ID]; !ok {
			list[s.ID] = s.At.Unix()
		}
	}
	for _, at := range list {
		until = sooner(until, time.Unix(at, 0))
	}
	for i := range feeds {
		id := feeds[i].ID.String()
		if !old.missed(&feeds[i], now) {
			continue
		}
		list[id] = old[id]
		at := now
		if rule, next := p.rules.Early(&feeds[i], now, false); rule.Forbids() {
			at = next // held back by its server; nothing to do until then
		}
		if soonest := now.Add(ReplanAfter); left <= 0 && at.Before(soonest) {
			at = soonest // what is kept is released as the day passes
		}
		until = sooner(until, at)
	}
	return list, until
}

// keepPlan leaves word in cache.db of the plan: for lists and for the processes
// that carry it out after this one. Failing to write it costs nothing but that.
// tx is the library's newest commit before the feeds were read; left as in book.
func (p *Planner) keepPlan(ctx context.Context, slots []scheduler.Slot, feeds []store.Feed, left int, tx uint64, now time.Time) {
	next := map[string]Noted{}
	for _, s := range slots {
		if _, ok := next[s.ID]; !ok && s.At.After(now) {
			next[s.ID] = Noted{s.At.Unix(), s.Reason, lookOf(&s)}
		}
	}
	old := p.readBookings(ctx)
	booked, until := p.book(old, slots, feeds, left, now)
	step := planStep{Made: now.Unix(), Until: until.Unix(), Tx: tx, Under: p.settings(now)}
	vals := map[string][]byte{}
	for key, v := range map[string]any{nextKey: next, bookedKey: booked, stepKey: step} {
		b, err := json.Marshal(v)
		if err != nil {
			return
		}
		vals[key] = b
	}
	if err := p.lib.Cache().Put(ctx, planBucket, vals); err != nil {
		slog.Debug("the plan could not be noted", "error", err)
	}
}

// abandonedAfter is how long a booked time must have gone by before doctor says
// that nobody carries out the plan: longer than a night without the machine.
const abandonedAfter = 18 * time.Hour

// Abandoned says that feeds which may be fetched, and which the day's budget pays,
// were booked long ago and are not fetched by anybody.
func (p *Planner) Abandoned(ctx context.Context, now time.Time) (since time.Time, late int, err error) {
	feeds, err := p.lib.Feeds(ctx)
	if err != nil {
		return now, 0, fmt.Errorf("read the feeds: %w", err)
	}
	booked := p.readBookings(ctx)
	since = now
	for i := range feeds {
		f := &feeds[i]
		at := time.Unix(booked[f.ID.String()], 0)
		if _, ok := booked[f.ID.String()]; !ok { // the cache is gone: by the slowest plan there is
			at = lastFetch(&f.Poll, now).Add(24 * time.Hour)
		} else if !booked.missed(f, now) {
			continue
		}
		if rule, _ := p.rules.Early(f, now, false); rule.Forbids() || f.Poll.Gone || model.IsPiped(f.URL) || now.Sub(at) < abandonedAfter {
			continue
		}
		late++
		if at.Before(since) && !f.Poll.LastFetch.IsZero() {
			since = at
		}
	}
	if late == 0 {
		return now, 0, nil
	}
	b, err := p.Budget(ctx, feeds, now)
	if err != nil || b.Used >= b.PerDay-p.opts.PlanFor.Reserve(b.PerDay) || since.Equal(now) {
		return now, 0, err
	}
	return since, late, nil
}
