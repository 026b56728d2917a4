package reader

import (
	"context"
	"fmt"
	"strconv"

	"diurna/reader/plan"
	"diurna/reader/wording"
	"diurna/scheduler"
)

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

// SetBudget sets how many fetches a day are made over all feeds; 0 is the
// default again. It is never exceeded by what is planned.
func (r *Reader) SetBudget(ctx context.Context, perDay int) (BudgetChange, error) {
	if perDay < 0 || perDay > plan.MaxPerDay {
		return BudgetChange{}, fmt.Errorf("a budget is 1 to %d fetches a day", plan.MaxPerDay)
	}
	before, err := r.Plan(ctx)
	if err != nil {
		return BudgetChange{}, err
	}
	step, err := r.plan.SetBudget(ctx, perDay, r.now())
	if err != nil {
		return BudgetChange{}, err
	}
	r.nudge()
	p, err := r.Plan(ctx)
	out := BudgetChange{Step: step, PerDay: p.PerDay, Before: before.PerDay, Own: perDay > 0, Each: r.opts.PerDay, Needed: p.Needed}
	out.Feeds = p.Feeds
	return out, err
}

// describeBudget is a step that set the budget, in words.
func describeBudget(value string) string {
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return fmt.Sprintf("budget set to %s fetches a day", wording.Count(n))
	}
	return "budget set back to the default"
}
