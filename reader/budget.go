package reader

import (
	"fmt"
	"strconv"

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

// describeBudget is a step that set the budget, in words.
func describeBudget(value string) string {
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		return fmt.Sprintf("budget set to %s fetches a day", wording.Count(n))
	}
	return "budget set back to the default"
}
