package reader

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// budgetName is where the budget set by hand is kept: fetches a day.
const budgetName = "budget"

// mostPerDay bounds a budget set by hand: a fetch a second.
const mostPerDay = 86400

// ownBudget is the budget set by hand, 0 for none.
func (r *Reader) ownBudget(ctx context.Context) (int, error) {
	b, err := r.store.Meta(ctx, budgetName)
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrUnknown) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the budget: %w", err)
	}
	m, err := strconv.Atoi(string(b))
	if err != nil || m < 0 || m > mostPerDay {
		return 0, nil // what cannot be read is as good as none
	}
	return m, nil
}

func (r *Reader) setBudget(ctx context.Context, perDay int) (BudgetChange, error) {
	if perDay < 0 || perDay > mostPerDay {
		return BudgetChange{}, fmt.Errorf("a budget is 1 to %d fetches a day", mostPerDay)
	}
	before, err := r.Plan(ctx)
	if err != nil {
		return BudgetChange{}, err
	}
	if err := r.store.SetMeta(ctx, budgetName, []byte(strconv.Itoa(perDay))); err != nil {
		return BudgetChange{}, fmt.Errorf("keep the budget: %w", err)
	}
	r.nudge()
	p, err := r.Plan(ctx)
	out := BudgetChange{PerDay: p.PerDay, Before: before.PerDay, Own: perDay > 0, Each: r.opts.PerDay, Needed: p.Needed}
	out.Feeds = p.Feeds
	return out, err
}

// budget is the day's allowance with what of it was used. Days begin at
// midnight UTC, as the counters of requests do. All of it is read from the
// library, so that a restart neither forgets a fetch nor grants one.
func (r *Reader) budget(ctx context.Context, feeds []store.Feed, now time.Time) (scheduler.Budget, error) {
	own, err := r.ownBudget(ctx)
	if err != nil {
		return scheduler.Budget{}, err
	}
	live, used, opened, byHand := 0, 0, 0, 0
	today := int32(now.Unix() / 86400)
	for i := range feeds {
		p := &feeds[i].Poll
		if taken(feeds[i].URL) {
			continue
		}
		if !p.Gone {
			live++
			if every := intervalOf(&feeds[i]); every > 0 {
				byHand += max(int(24*time.Hour/every)-r.opts.PerDay, 0)
			}
		}
		if d := p.Days[int(today)%len(p.Days)]; d.Day == today {
			used += int(d.Requests)
		}
		opened += openedOn(p, today)
	}
	b := scheduler.DailyBudget(live, r.opts.PerDay)
	b.PerDay += byHand // an interval set by hand brings its own fetches along
	if own > 0 {
		b = scheduler.BudgetOf(own)
	}
	b.Used, b.TokensUsed = used, opened
	b.DayEnds = now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	return b, nil
}

// extraOpened names in Poll.Extra how often a feed was fetched because the
// screen was opened: "day number".
const extraOpened = "opened"

// openedOn is how many of a feed's fetches of a day (of 1970) were tokens.
func openedOn(p *store.Poll, day int32) int {
	var on int32
	n := 0
	if _, err := fmt.Sscanf(p.Extra[extraOpened], "%d %d", &on, &n); err != nil || on != day {
		return 0
	}
	return max(n, 0)
}

// noteOpened counts one more of them.
func noteOpened(p *store.Poll, at time.Time) {
	day := int32(at.Unix() / 86400)
	p.Extra = withExtra(p.Extra, extraOpened, fmt.Sprintf("%d %d", day, openedOn(p, day)+1))
}
