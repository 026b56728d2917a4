package replay

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

func (r ScheduleReport) writeText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d sources x %d people, %d weeks, learned anew each week from what lies before it\n", r.Sources, r.People, r.Weeks)
	if r.Pairs < r.OfPairs {
		fmt.Fprintf(&b, "a sample: %d of %d pairs, seed %d; --full takes all\n", r.Pairs, r.OfPairs, r.Seed)
	}
	if r.Aligned {
		b.WriteString("sources and people moved by whole weeks to one axis\n")
	}
	r.missTable(&b)
	r.delayTable(&b)
	r.coldTable(&b)
	r.asRunTable(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r ScheduleReport) missTable(b *strings.Builder) {
	var budgets []int
	for _, row := range r.Miss {
		if !slices.Contains(budgets, row.PerDay) {
			budgets = append(budgets, row.PerDay)
		}
	}
	b.WriteString("\nNot yet here when looked for: fewer than uniform, in % (mean over people ± 95 %)\n")
	fmt.Fprintf(b, "%-20s", "fetches a day")
	for _, m := range budgets {
		fmt.Fprintf(b, "%14d", m)
	}
	last := ""
	for _, row := range r.Miss {
		if row.Policy != last {
			fmt.Fprintf(b, "\n%-20s", row.Policy)
			last = row.Policy
			if row.PerDay != budgets[0] {
				fmt.Fprintf(b, "%14s", "")
			}
		}
		fmt.Fprintf(b, "%8.1f ±%4.1f", row.Fewer, row.CI95)
	}
	b.WriteString("\n")
	for _, row := range r.Miss {
		if row.Opens > 0 {
			fmt.Fprintf(b, "%s, %d a day: %.0f %% of looks set off a fetch\n", row.Policy, row.PerDay, row.Opens)
		}
	}
	b.WriteString(r.unspent())
}

// unspent says of the miss table who made fewer fetches than its column says.
func (r ScheduleReport) unspent() string {
	full := map[int]int{}
	for _, row := range r.Miss {
		full[row.PerDay] = max(full[row.PerDay], row.Fetches)
	}
	var b strings.Builder
	for _, row := range r.Miss {
		if row.Fetches < full[row.PerDay] {
			fmt.Fprintf(&b, "%s, %d a day: %.1f %% of these fetches were made; a token is not spent within an hour of a fetch\n",
				row.Policy, row.PerDay, 100*float64(row.Fetches)/float64(full[row.PerDay]))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return b.String() + "all others make equally many\n"
}

func (r ScheduleReport) delayTable(b *strings.Builder) {
	b.WriteString("\nMinutes a post waits (mean over posts | mean over feeds)\n")
	fmt.Fprintf(b, "%-20s", "one fetch in")
	for _, h := range delayHours {
		fmt.Fprintf(b, "%12d h", h)
	}
	last := ""
	for _, row := range r.Delay {
		if row.Policy != last {
			fmt.Fprintf(b, "\n%-20s", row.Policy)
			last = row.Policy
		}
		fmt.Fprintf(b, "%7.0f |%5.0f", row.Minutes, row.PerFeed)
	}
	b.WriteString("\n")
}

func (r ScheduleReport) coldTable(b *strings.Builder) {
	if len(r.Cold) == 0 {
		return
	}
	fmt.Fprintf(b, "\nA new reader's first days, %d fetches a day: fewer than uniform, in %%\nday   ", coldPerDay)
	for _, c := range r.Cold {
		fmt.Fprintf(b, "%5d", c.Day)
	}
	b.WriteString("\nfewer ")
	for _, c := range r.Cold {
		fmt.Fprintf(b, "%5.0f", c.Fewer)
	}
	b.WriteString("\n")
}

// asRunTable sets the running planner beside even spacing of its budget and
// hourly polling: in % of what even spacing misses, mean and spread over samples.
func (r ScheduleReport) asRunTable(b *strings.Builder) {
	if len(r.AsRun) == 0 {
		return
	}
	fmt.Fprintf(b, "\nThe running planner: fewer posts missing than with its budget evenly spaced, in %%,\n"+
		"mean over %d samples of up to %d people x %d feeds (least to most), weeks %d to %d\n", r.samples(), asRunPeople, asRunFeeds, asRunFrom+1, asRunTo)
	fmt.Fprintf(b, "%-22s%9s%20s%22s%20s%14s\n", "feeds", "a day", "at the look", "after the refresh", "hourly polling", "requests made")
	for _, shared := range []bool{true, false} {
		for _, budget := range asRunBudgets {
			var look, after, hourly spread
			made, allowed := 0, 0
			for _, x := range r.AsRun {
				if x.Shared != shared || x.PerDay != budget {
					continue
				}
				look.add(fewer(float64(x.Missed), x.Uniform))
				after.add(fewer(float64(x.MissedAfter), x.Uniform))
				hourly.add(fewer(x.Hourly, x.Uniform))
				made, allowed = made+x.Requests, allowed+x.Allowed
			}
			whose := "of their own"
			if shared {
				whose = "shared by the sample"
			}
			fmt.Fprintf(b, "%-22s%9d%20s%22s%20s%7.0f %% of it\n", whose, budget, look.words(), after.words(), hourly.words(), 100*float64(made)/float64(max(allowed, 1)))
		}
	}
	b.WriteString("hourly polling makes 24 requests per feed and day\n")
}

func (r ScheduleReport) samples() int {
	n := 0
	for _, x := range r.AsRun {
		n = max(n, x.Sample)
	}
	return n
}

// spread is a mean with its extremes.
type spread struct {
	sum, low, high float64
	n              int
}

func (s *spread) add(v float64) {
	if s.n == 0 {
		s.low, s.high = v, v
	}
	s.sum, s.low, s.high, s.n = s.sum+v, math.Min(s.low, v), math.Max(s.high, v), s.n+1
}

func (s *spread) words() string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", s.sum/float64(max(s.n, 1)), s.low, s.high)
}
