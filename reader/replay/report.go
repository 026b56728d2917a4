package replay

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText prints the tables: the reduction of misses at each number of fetches
// (Sia 2009, Figure 2.13), the delays (Table 2.2) and the first days.
func (r ScheduleReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d sources x %d people, %d weeks, learned again each week from what lies before it\n", r.Sources, r.People, r.Weeks)
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
// hourly polling, in % of what even spacing misses.
func (r ScheduleReport) asRunTable(b *strings.Builder) {
	if len(r.AsRun) == 0 {
		return
	}
	fmt.Fprintf(b, "\nThe running planner: fewer posts missing than with its budget evenly spaced, in %%,\n"+
		"weeks %d to %d, samples of up to %d people with %d feeds\n", asRunFrom+1, asRunTo, asRunPeople, asRunFeeds)
	for _, shared := range []bool{true, false} {
		for _, budget := range asRunBudgets {
			whose := "own feeds"
			if shared {
				whose = "shared feeds"
			}
			var rows []AsRunRow
			for _, x := range r.AsRun {
				if x.Shared == shared && x.PerDay == budget {
					rows = append(rows, x)
				}
			}
			fmt.Fprintf(b, "%-46s%8s%8s   each sample\n", fmt.Sprintf("%s, %d fetches per feed and day", whose, budget), "pooled", "mean")
			asRunLine(b, "at the look", rows, func(x AsRunRow) float64 { return float64(x.Missed) })
			asRunLine(b, "after the refresh", rows, func(x AsRunRow) float64 { return float64(x.MissedAfter) })
			asRunLine(b, "hourly polling, at the look", rows, func(x AsRunRow) float64 { return x.Hourly })
			made, allowed := 0, 0
			for _, x := range rows {
				made, allowed = made+x.Requests, allowed+x.Allowed
			}
			fmt.Fprintf(b, "  %-44s%6.1f %% of those allowed\n", "requests made", 100*float64(made)/float64(max(allowed, 1)))
		}
	}
	b.WriteString("hourly polling makes 24 requests per feed and day; pooled: of the sums over samples\n")
}

// asRunLine prints one figure: pooled, mean over samples, and each sample's.
func asRunLine(b *strings.Builder, name string, rows []AsRunRow, missed func(AsRunRow) float64) {
	ours, even, mean := 0.0, 0.0, 0.0
	var each strings.Builder
	for _, x := range rows {
		v := fewer(missed(x), x.Uniform)
		ours, even, mean = ours+missed(x), even+x.Uniform, mean+v/float64(len(rows))
		fmt.Fprintf(&each, "%6.1f", v)
	}
	fmt.Fprintf(b, "  %-44s%8.1f%8.1f  %s\n", name, fewer(ours, even), mean, each.String())
}
