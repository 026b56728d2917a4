package plan

import (
	"context"
	"diurna/reader/model"
	"diurna/scheduler"
	"diurna/store"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// BudgetField is where the budget set by hand is kept: fetches a day.
const BudgetField = "budget"

// MaxPerDay bounds a budget set by hand: a fetch a second.
const MaxPerDay = 86400

// EachPerDay is how many fetches per feed and day are planned where no budget is set.
func (p *Planner) EachPerDay() int { return p.opts.PerDay }

// OwnBudget is the budget set by hand, 0 for none.
func (p *Planner) OwnBudget(ctx context.Context) (int, error) {
	b, err := p.lib.Meta(ctx, BudgetField)
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrUnknown) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the budget: %w", err)
	}
	m, err := strconv.Atoi(string(b))
	if err != nil || m < 0 || m > MaxPerDay {
		return 0, nil // what cannot be read is as good as none
	}
	return m, nil
}

// BudgetChange tells what setting the budget did.
type BudgetChange struct {
	Step   uint64 // what undo takes back; 0: nothing changed
	PerDay int    // fetches a day, over all feeds
	Before int
	Own    bool // set by hand; else Feeds times Each
	Feeds  int
	Each   int // fetches per feed and day, where none is set
	Needed int // the smallest budget that pays every floor; 0 when this one does
}

// SetBudget sets how many fetches a day are made over all feeds; 0 is the
// default again. It is never exceeded by what is planned.
func (p *Planner) SetBudget(ctx context.Context, perDay int, now time.Time) (BudgetChange, error) {
	if perDay < 0 || perDay > MaxPerDay {
		return BudgetChange{}, fmt.Errorf("a budget is 1 to %d fetches a day", MaxPerDay)
	}
	before, err := p.Plan(ctx, now)
	if err != nil {
		return BudgetChange{}, err
	}
	step, err := p.keepBudget(ctx, perDay, now)
	if err != nil {
		return BudgetChange{}, err
	}
	if p.opts.Changed != nil {
		p.opts.Changed()
	}
	after, err := p.Plan(ctx, now)
	return BudgetChange{Step: step, PerDay: after.PerDay, Before: before.PerDay, Own: perDay > 0, Feeds: after.Feeds, Each: p.opts.PerDay, Needed: after.Needed}, err
}

// keepBudget notes the budget set by hand as one step; 0 is the default again.
func (p *Planner) keepBudget(ctx context.Context, perDay int, now time.Time) (step uint64, err error) {
	value := ""
	if perDay > 0 {
		value = strconv.Itoa(perDay)
	}
	d, err := p.lib.Act(ctx, now, "", store.Change{Kind: store.Adjusted, Field: BudgetField, Value: value})
	if err != nil {
		return 0, fmt.Errorf("keep the budget: %w", err)
	}
	return d.Step, nil
}

// Budget is the day's allowance with what of it was used. Days begin at the
// reader's midnight. All of it is read from the library, so that a restart
// neither forgets a fetch nor grants one.
func (p *Planner) Budget(ctx context.Context, feeds []store.Feed, now time.Time) (scheduler.Budget, error) {
	own, err := p.OwnBudget(ctx)
	if err != nil {
		return scheduler.Budget{}, err
	}
	live, used, byHand := 0, 0, 0
	for i := range feeds {
		if model.IsPiped(feeds[i].URL) {
			continue
		}
		if !feeds[i].Poll.Gone {
			live++
			if every := model.IntervalOf(&feeds[i]); every > 0 {
				byHand += max(int(24*time.Hour/every)-p.opts.PerDay, 0)
			}
		}
		fetched, _ := p.rules.Today(&feeds[i], now)
		used += fetched
	}
	b := scheduler.DailyBudget(live, p.opts.PerDay)
	b.PerDay += byHand // an interval set by hand brings its own fetches along
	if own > 0 {
		b.PerDay = own
	}
	b.Used = used
	b.DayEnds = model.DayEnds(now)
	return b, nil
}
