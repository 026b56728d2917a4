package reader

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/scheduler"
	"diurna/store"
)

// budgetName is where the budget set by hand is kept: fetches a day.
const budgetName = "budget"

// mostPerDay bounds a budget set by hand: a fetch a second.
const mostPerDay = 86400

// ParsePlanFor is the setting by its word in the config: "opening", "both" or
// "looks"; "" is the default. false: no such word.
func ParsePlanFor(word string) (scheduler.PlanFor, bool) {
	switch word {
	case "", "opening":
		return scheduler.PlanForOpening, true
	case "both":
		return scheduler.PlanForBoth, true
	case "looks":
		return scheduler.PlanForLooks, true
	}
	return 0, false
}

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
	value := ""
	if perDay > 0 {
		value = strconv.Itoa(perDay)
	}
	d, err := r.store.Act(ctx, r.now(), "", store.Change{Kind: store.Adjusted, Field: budgetName, Value: value})
	if err != nil {
		return BudgetChange{}, fmt.Errorf("keep the budget: %w", err)
	}
	r.nudge()
	p, err := r.Plan(ctx)
	out := BudgetChange{Step: d.Step, PerDay: p.PerDay, Before: before.PerDay, Own: perDay > 0, Each: r.opts.PerDay, Needed: p.Needed}
	out.Feeds = p.Feeds
	return out, err
}

// budget is the day's allowance with what of it was used. Days begin at the
// reader's midnight. All of it is read from the library, so that a restart
// neither forgets a fetch nor grants one.
func (r *Reader) budget(ctx context.Context, feeds []store.Feed, now time.Time) (scheduler.Budget, error) {
	own, err := r.ownBudget(ctx)
	if err != nil {
		return scheduler.Budget{}, err
	}
	live, used, byHand := 0, 0, 0
	for i := range feeds {
		p := &feeds[i].Poll
		if model.IsPiped(feeds[i].URL) {
			continue
		}
		if !p.Gone {
			live++
			if every := intervalOf(&feeds[i]); every > 0 {
				byHand += max(int(24*time.Hour/every)-r.opts.PerDay, 0)
			}
		}
		fetched, _ := fetchedToday(p, now)
		used += fetched
	}
	b := scheduler.DailyBudget(live, r.opts.PerDay)
	b.PerDay += byHand // an interval set by hand brings its own fetches along
	if own > 0 {
		b.PerDay = own
	}
	b.Used = used
	b.DayEnds = dayEnds(now)
	return b, nil
}

// describeBudget is a step that set the budget, in words.
func describeBudget(value string) string {
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return fmt.Sprintf("budget set to %s fetches a day", wording.Count(n))
	}
	return "budget set back to the default"
}
